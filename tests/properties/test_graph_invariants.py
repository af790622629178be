"""What must hold of the graph of any repository whatever."""

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging.cases import Case
from judging.pipeline import index_folder, link_files, write_files

from mu import kernel
from mu.model.graph import Graph
from mu.model.kinds import EdgeKind, NodeKind, Reason, SiteKind
from mu.syntax import Extractor
from properties.texts import CASES, broken_sources
from support.examples import examples

UNSITED = {EdgeKind.CONTAINS, EdgeKind.OVERRIDES}
"""Edges that the text states as a whole; there is no reference for them."""

SITES_OF = {
    EdgeKind.CALLS: {SiteKind.CALL},
    EdgeKind.IMPORTS: {SiteKind.IMPORT},
    EdgeKind.INHERITS: {SiteKind.BASE},
    EdgeKind.USES: {SiteKind.ANNOTATION, SiteKind.DECORATOR, SiteKind.VALUE},
}
CODE = {NodeKind.MODULE, NodeKind.CLASS, NodeKind.FUNCTION}
TARGETS_OF = {
    EdgeKind.CONTAINS: {*CODE, NodeKind.VARIABLE},
    EdgeKind.CALLS: {NodeKind.CLASS, NodeKind.FUNCTION, NodeKind.EXTERNAL},
    EdgeKind.IMPORTS: {*CODE, NodeKind.VARIABLE, NodeKind.EXTERNAL},
    EdgeKind.INHERITS: {NodeKind.CLASS, NodeKind.EXTERNAL},
    EdgeKind.OVERRIDES: {NodeKind.FUNCTION},
    EdgeKind.USES: {*CODE, NodeKind.VARIABLE, NodeKind.EXTERNAL},
}
SOURCES_OF = {
    EdgeKind.IMPORTS: {NodeKind.MODULE},
    EdgeKind.INHERITS: {NodeKind.CLASS},
    EdgeKind.OVERRIDES: {NodeKind.FUNCTION},
}
PATHS = ("a.py", "b.py", "pkg/__init__.py", "pkg/a.py", "pkg/sub/b.py", "tests/test_a.py")


def repositories() -> st.SearchStrategy[dict[str, str]]:
    """Broken files under names that hide each other, and whole cases of the corpora."""
    broken = st.dictionaries(st.sampled_from(PATHS), broken_sources(), min_size=1, max_size=4)
    whole = st.integers(0, len(CASES) - 1).map(lambda number: CASES[number].files)
    return st.one_of(broken, whole, st.builds(lambda one, other: one | other, whole, broken))


def graph_of(files: dict[str, str]) -> Graph:
    with tempfile.TemporaryDirectory() as folder:
        write_files(files, Path(folder))
        return index_folder(Path(folder))


def readable(graph: Graph) -> tuple[list[object], list[object], list[object]]:
    """The graph without what counts places and so depends on the order of files: the keys, and
    which of several definitions comes first.
    """
    ids = {node.key: node.id for node in graph.nodes}
    paths = {file.key: file.path for file in graph.files}
    ids[-1] = paths[-1] = ""
    nodes: list[object] = [
        (*node._replace(key=0, file=0, parent=0), paths[node.file], ids[node.parent])
        for node in graph.nodes
    ]
    edges: list[object] = [
        (*edge._replace(source=0, target=0), ids[edge.source], ids[edge.target])
        for edge in graph.edges
    ]
    sites: list[object] = [
        (
            *site._replace(source=0, file=0, target=0, choice=0),
            ids[site.source],
            paths[site.file],
            ids[site.target],
        )
        for site in graph.sites
    ]
    return sorted(nodes, key=repr), sorted(edges, key=repr), sorted(sites, key=repr)


def keys_are_places_and_ids_are_unique(graph: Graph) -> None:
    assert [node.key for node in graph.nodes] == list(range(len(graph.nodes)))
    assert [file.key for file in graph.files] == list(range(len(graph.files)))
    assert [node.id for node in graph.nodes if node.id.startswith("/")] == []
    assert [i for i, count in Counter(node.id for node in graph.nodes).items() if count > 1] == []


def nothing_dangles(graph: Graph) -> None:
    nodes, rows = range(len(graph.nodes)), range(len(graph.files))
    ends = [end for edge in graph.edges for end in (edge.source, edge.target)]
    assert all(end in nodes for end in ends)
    assert all(node.parent == -1 or node.parent in nodes for node in graph.nodes)
    assert all(node.file == -1 or node.file in rows for node in graph.nodes)
    assert all(site.source in nodes and site.file in rows for site in graph.sites)
    assert all(site.target == -1 or site.target in nodes for site in graph.sites)


def spans_lie_inside_their_files(graph: Graph) -> None:
    for node in graph.nodes:
        if node.file >= 0:
            last = max(graph.files[node.file].lines, 1)
            assert 1 <= node.start_line <= node.end_line <= last, node
    for site in graph.sites:
        assert 1 <= site.line <= max(graph.files[site.file].lines, 1), site


def every_node_of_a_file_is_contained_once(graph: Graph) -> None:
    contained = Counter(e.target for e in graph.edges if e.kind == EdgeKind.CONTAINS)
    for node in graph.nodes:
        if node.parent >= 0:
            assert contained[node.key] == 1, node
    parents = {e.target: e.source for e in graph.edges if e.kind == EdgeKind.CONTAINS}
    assert all(graph.nodes[target].parent == source for target, source in parents.items())


def an_edge_is_there_once_and_has_a_site(graph: Graph) -> None:
    keys = Counter((e.source, e.target, e.kind, e.role) for e in graph.edges)
    assert [key for key, count in keys.items() if count > 1] == []
    stated = {(site.source, site.target, site.kind) for site in graph.sites}
    for edge in graph.edges:
        target = graph.nodes[edge.target]
        if edge.kind in UNSITED or edge.role == "shape" or target.kind == NodeKind.EXTERNAL:
            continue
        kinds = SITES_OF[edge.kind]
        assert any((edge.source, edge.target, kind) in stated for kind in kinds), (edge, target.id)


def an_edge_joins_the_sorts_of_node_that_its_kind_is_for(graph: Graph) -> None:
    for edge in graph.edges:
        source, target = graph.nodes[edge.source], graph.nodes[edge.target]
        assert source.kind in SOURCES_OF.get(edge.kind, CODE), (edge, source.id)
        assert target.kind in TARGETS_OF[edge.kind], (edge, source.id, target.id)


def a_site_has_a_target_or_a_reason(graph: Graph) -> None:
    for site in graph.sites:
        is_external = site.target >= 0 and graph.nodes[site.target].kind == NodeKind.EXTERNAL
        if site.target < 0:
            assert site.reason is not None, site
            assert site.rule is None, site
        elif is_external:
            assert site.reason == Reason.EXTERNAL, site
        else:
            assert site.reason is None, site
            assert site.rule is not None, site


INVARIANTS = (
    keys_are_places_and_ids_are_unique,
    nothing_dangles,
    spans_lie_inside_their_files,
    every_node_of_a_file_is_contained_once,
    an_edge_is_there_once_and_has_a_site,
    an_edge_joins_the_sorts_of_node_that_its_kind_is_for,
    a_site_has_a_target_or_a_reason,
)


@examples(1)
@given(repositories())
def test_what_holds_of_any_graph(files: dict[str, str]) -> None:
    graph = graph_of(files)

    for holds in INVARIANTS:
        holds(graph)


@examples(0.5)
@given(repositories(), st.randoms(use_true_random=False))
def test_order_of_files_does_not_change_the_graph(files: dict[str, str], random: object) -> None:
    assert hasattr(random, "shuffle")
    extractor = Extractor()
    with tempfile.TemporaryDirectory() as folder:
        write_files(files, Path(folder))
        rows = list(index_folder(Path(folder)).files)
    facts = {
        row.path: extractor.extract(files[row.path].encode(), row.language)
        for row in rows
        if row.status == "indexed"
    }
    shuffled = list(rows)
    random.shuffle(shuffled)
    graphs = [
        link_files(
            [row._replace(key=key) for key, row in enumerate(order)],
            {key: facts[row.path] for key, row in enumerate(order) if row.path in facts},
        )
        for order in (rows, shuffled)
    ]

    assert readable(graphs[0]) == readable(graphs[1])


@pytest.mark.parametrize("case", CASES[::60], ids=lambda case: f"{case.place}")
def test_a_build_gives_the_graph_that_the_corpora_are_judged_by(case: Case, tmp_path: Path) -> None:
    write_files(case.files, tmp_path)

    graph = kernel.index(tmp_path, kernel.BuildSettings(jobs=1, roots=case.roots)).graph

    assert readable(graph) == readable(index_folder(tmp_path, roots=case.roots))
