"""Whatever name or place a listing of a real graph shows is taken as a reference to that node."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.built import with_graph
from mu.analysis.node_search.node_resolution import AmbiguousNodeError, resolve_node
from mu.model.relation import Relation
from mu.render.listing_rows import display_name
from mu.store import GraphFile, open_graph
from support.examples import examples

_NODES = """
SELECT node.id, file.path, node.start_line,
    list_filter(list(twin.id), lambda id: id IS NOT NULL) AS twins
FROM node LEFT JOIN file ON file.key = node.file
LEFT JOIN node AS twin ON twin.parent = node.parent AND twin.name = node.name
    AND twin.kind = node.kind
GROUP BY ALL ORDER BY node.id
"""

EXTRA = {
    "web/shop.ts": (
        "export function get(a: string): string;\nexport function get(a: number): number;\n"
        "export function get(a: unknown) { return a; }\n"
        "export class Box { get size() { return 1; } set size(v) {} put = () => get(1); }\n"
    ),
    "core/lib.rs": (
        "mod tests { fn run() {} }\nstruct Opts { depth: u8 }\n"
        "impl Opts { fn depth(&self) -> u8 { self.depth } }\nfn run() {}\n"
    ),
    "cmd/main.go": "package main\n\ntype T struct{}\n\nfunc (t *T) Run() {}\n\nfunc main() {}\n",
}

Named = tuple[str, str | None, int, tuple[str, ...]]


@pytest.fixture(scope="module")
def graph(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    """MU's own analyses and guides, and something in each of three other languages."""
    folder = tmp_path_factory.mktemp("own")
    shutil.copytree(root / "src" / "mu" / "analysis", folder / "mu" / "analysis")
    shutil.copytree(root / "docs" / "guides", folder / "docs")
    for path, text in EXTRA.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    with open_graph(with_graph(folder) / ".mubase") as opened:
        yield opened


@pytest.fixture(scope="module")
def nodes(graph: GraphFile) -> list[Named]:
    rows = graph.run(Relation(_NODES), limit=None).rows
    assert len(rows) > 1_000
    return [
        (str(id_), path and str(path), int(line), tuple(twins)) for id_, path, line, twins in rows
    ]  # type: ignore[misc, arg-type, union-attr] # the columns are of these types


def meant(graph: GraphFile, reference: str) -> set[str]:
    """The node that a reference means, or those that the error names."""
    try:
        return {resolve_node(graph, reference).id}
    except AmbiguousNodeError as error:
        return {node.id for node in error.candidates}


@given(data=st.data())
@examples(1)
def test_every_id_and_every_name_with_its_file_is_taken_back(
    graph: GraphFile, nodes: list[Named], data: st.DataObject
) -> None:
    id_, path, line, twins = data.draw(st.sampled_from(nodes))
    same = {id_, *twins}  # definitions of one name in one scope stand for each other

    assert meant(graph, id_) == {id_}
    if path is not None and display_name(id_) != path:
        assert meant(graph, f"{path}:{display_name(id_)}") & same
    if path is not None and line:
        assert meant(graph, f"{path}:{line}")


@given(data=st.data())
@examples(1)
def test_every_short_name_means_something(
    graph: GraphFile, nodes: list[Named], data: st.DataObject
) -> None:
    id_, _, _, twins = data.draw(st.sampled_from(nodes))

    found = meant(graph, display_name(id_))

    name = display_name(id_).rpartition(".")[2].partition("~")[0]
    assert found & {id_, *twins} or any(name in other for other in found)
