"""A walk over arrays, and one asked of the engine, find what a plain search in Python finds."""

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.graphs import write_anew
from mu.analysis.paths.shortest_path import path
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.traversal import KIND_NAMES, Direction, Walk
from mu.model.graph import Edge, File, Graph, Node, Site
from mu.model.kinds import Category, EdgeKind, NodeKind, Rule, SiteKind
from mu.store import GraphFile, open_graph
from support.examples import examples

DEFINED = (NodeKind.CLASS, NodeKind.FUNCTION, NodeKind.VARIABLE)
WALKED = (EdgeKind.IMPORTS, EdgeKind.CALLS, EdgeKind.INHERITS, EdgeKind.USES, EdgeKind.TESTS)
LINES = 12

Row = tuple[int, int, int | None, int | None]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Few nodes in many relations: names repeat, so that definitions have twins; lines overlap."""
    files = draw(st.integers(1, 3))
    nodes = [module(key) for key in range(files)]
    for _ in range(draw(st.integers(0, 12))):
        parent = nodes[draw(st.integers(0, len(nodes) - 1))]
        first = draw(st.integers(1, LINES))
        nodes.append(
            node(
                len(nodes),
                draw(st.sampled_from(DEFINED)),
                draw(st.sampled_from("ab")),
                parent=parent,
                lines=(first, draw(st.integers(first, LINES))),
                is_test=draw(st.booleans()),
            )
        )
    keys = st.integers(0, len(nodes) - 1)
    edges = [
        Edge(one, other, kind, role, line, Rule.MODULE, 1)
        for one, other, kind, role, line in draw(
            st.lists(
                st.tuples(
                    keys,
                    keys,
                    st.sampled_from([*WALKED[:-1], EdgeKind.CONTAINS]),
                    st.sampled_from(["", "value"]),
                    st.integers(1, LINES),
                ),
                max_size=25,
            )
        )
    ]
    sites = [
        Site(kind, one, nodes[one].file, line, "x", "x", target, 0, None, None, 1)
        for kind, one, target, line in draw(
            st.lists(
                st.tuples(
                    st.sampled_from([SiteKind.CALL, SiteKind.VALUE, SiteKind.IMPORT]),
                    keys,
                    st.integers(-1, len(nodes) - 1),
                    st.integers(1, LINES),
                ),
                max_size=10,
            )
        )
    ]
    rows = [file(key) for key in range(files)]
    return Graph(rows, nodes, edges, sites)


def file(key: int) -> File:
    return File(
        key, f"{key}.py", "python", Category.SOURCE, "indexed", "", f"{key:032x}", 9, LINES, ()
    )


def module(key: int) -> Node:
    return node(key, NodeKind.MODULE, f"m{key}", parent=None, lines=(1, LINES), is_test=False)


def node(
    key: int,
    kind: NodeKind,
    name: str,
    *,
    parent: Node | None,
    lines: tuple[int, int],
    is_test: bool,
) -> Node:
    return Node(
        key=key, id=f"{kind}:{key}", kind=kind, subkind="", name=name, qualified_name=name,
        module="m", language="python", file=parent.file if parent else key,
        parent=parent.key if parent else -1, start_line=lines[0], end_line=lines[1], signature="",
        docstring="", visibility="public", is_async=False, is_static=False, is_abstract=False,
        is_test=is_test, is_generated=False, decorators=[], parameters=[], returns="",
        complexity=1, lines=1, digest="",
    )  # fmt: skip


def links(graph: Graph, walk: Walk) -> dict[int, list[tuple[int, int]]]:
    """What is next to each node: the code of the kind, and the other node."""
    pairs = [(edge.kind, edge.source, edge.target) for edge in graph.edges]
    for site in graph.sites:
        if site.target >= 0 and site.kind is not SiteKind.IMPORT:
            pairs += [
                (EdgeKind.USES, holder.key, site.target)
                for holder in graph.nodes
                if holder.parent == site.source
                and holder.start_line <= site.line <= holder.end_line
            ]
    for edge in graph.edges:
        source, target = graph.nodes[edge.source], graph.nodes[edge.target]
        tests = source.is_test and source.kind is NodeKind.FUNCTION
        is_code = not target.is_test and target.kind in DEFINED
        if edge.kind in {EdgeKind.CALLS, EdgeKind.USES} and tests and is_code:
            pairs.append((EdgeKind.TESTS, source.key, target.key))
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for kind, one, other in pairs:
        if kind in walk.kinds:
            near, following = (one, other) if walk.direction is Direction.FORWARD else (other, one)
            found[near].append((KIND_NAMES.index(kind), following))
    return found


def whole(graph: Graph, key: int, kinds: Sequence[EdgeKind] = ()) -> list[int]:
    """A node, its twins, and all that is inside them; of bases alone, a class without that."""
    chosen = graph.nodes[key]
    found = {key}
    if chosen.parent >= 0:
        same = (chosen.parent, chosen.name, chosen.kind)
        found |= {n.key for n in graph.nodes if (n.parent, n.name, n.kind) == same}
    if chosen.kind is NodeKind.CLASS and set(kinds) == {EdgeKind.INHERITS}:
        return sorted(found)
    while inner := {n.key for n in graph.nodes if n.parent in found} - found:
        found |= inner
    return sorted(found)


def plain_walk(graph: Graph, walk: Walk) -> list[Row]:
    following = links(graph, walk)
    rows: list[Row] = [(key, 0, None, None) for key in whole(graph, walk.key, walk.kinds)]
    front = [row[0] for row in rows]
    seen = set(front)
    for distance in range(1, walk.depth + 1):
        ways: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for near in front:
            for code, other in following[near]:
                if other not in seen:
                    ways[other].append((code, near))
        rows += [(other, distance, *min(found)) for other, found in sorted(ways.items())]
        front = list(ways)
        seen |= set(front)
    return rows


@pytest.mark.slow(reason="writes a graph for each example")
@given(
    graphs(),
    st.sampled_from(Direction),
    st.sets(st.sampled_from(WALKED), min_size=1),
    st.integers(1, 6),
    st.data(),
)
@examples(0.5)
def test_a_walk_finds_what_a_plain_search_finds(
    graph: Graph, direction: Direction, kinds: set[EdgeKind], depth: int, data: st.DataObject
) -> None:
    keys = st.integers(0, len(graph.nodes) - 1)
    start, goal = data.draw(keys), data.draw(keys)
    near, far = (Walk(start, direction, steps, tuple(kinds)) for steps in (1, depth))
    with tempfile.TemporaryDirectory() as folder:
        written = write_anew(graph, Path(folder, "graph"))
        for first, then in ((near, far), (far, near)):
            with open_graph(written) as file:
                assert list(walk_graph(file, first).table.rows) == plain_walk(graph, first)
                assert list(walk_graph(file, then).table.rows) == plain_walk(graph, then)
                assert list(walk_graph(file, first).table.rows) == plain_walk(graph, first)
                check_path(graph, file, Walk(start, Direction.FORWARD, depth, tuple(kinds)), goal)


def check_path(graph: Graph, file: GraphFile, walk: Walk, goal: int) -> None:
    """A path is as long as the distance of its nearest end, and each step on it is an edge."""
    distances = {row[0]: row[1] for row in plain_walk(graph, walk)}
    ends = [distances[key] for key in whole(graph, goal, walk.kinds) if key in distances]
    ids = {node.id: node.key for node in graph.nodes}
    rows = file.run(path(file, walk_graph(file, walk), goal=goal)).rows
    way: Sequence[tuple[int, object]] = [(ids[str(row[1])], row[3]) for row in rows]

    assert [row[0] for row in rows] == list(range(min(ends) + 1 if ends else 0))
    following = links(graph, walk)
    for (one, via), (other, _) in pairwise(way):
        assert (KIND_NAMES.index(str(via)), other) in following[one]
