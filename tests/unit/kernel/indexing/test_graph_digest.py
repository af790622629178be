"""The logical digest: equal for equal graphs, and any change shows."""

from dataclasses import replace

import pytest

from mu.kernel.indexing.graph_digest import graph_digest
from mu.model.graph import Edge, Entry, File, Graph, Node, Site
from mu.model.kinds import Category, EdgeKind, EntryRole, NodeKind, Reason, Rule, SiteKind


def a_graph(lines: int = 3) -> Graph:
    file = File(0, "a.py", "python", Category.SOURCE, "indexed", "", "d1", 30, lines, ("1: odd",))
    page = file._replace(key=1, path="b.md", language="markdown")
    nodes = [a_node(key) for key in range(10_000)]
    edge = Edge(0, 1, EdgeKind.CALLS, "", 2, Rule.LOCAL, 1)
    site = Site(SiteKind.CALL, 0, 0, 2, "f()", "f", 1, 0, Rule.LOCAL, None, 1)
    entry = Entry(0, EntryRole.ROUTE, "GET", "/", "flask", "a.py", 1)
    return Graph((file, page), nodes, (edge,), (site,), (entry,))


def a_node(key: int) -> Node:
    return Node(
        key=key,
        id=f"fn:a.py:f{key}",
        kind=NodeKind.FUNCTION,
        subkind="function",
        name=f"f{key}",
        qualified_name=f"a.f{key}",
        module="a",
        language="python",
        file=0,
        parent=-1,
        start_line=1,
        end_line=2,
        signature="def f()",
        docstring="",
        visibility="public",
        is_async=False,
        is_static=False,
        is_abstract=False,
        is_test=False,
        is_generated=False,
        decorators=[],
        parameters=[],
        returns="",
        complexity=1,
        lines=2,
        digest="",
    )


def test_equal_graphs_have_equal_digests() -> None:
    assert graph_digest(a_graph()) == graph_digest(a_graph())
    assert len(graph_digest(a_graph())) == 32


@pytest.mark.parametrize("table", ["files", "nodes", "edges", "sites", "entries"])
def test_a_missing_row_shows(table: str) -> None:
    graph = a_graph()
    fewer = replace(graph, **{table: getattr(graph, table)[:-1]})
    assert graph_digest(fewer) != graph_digest(graph)


def test_a_changed_cell_shows() -> None:
    graph = a_graph()
    changed = [*graph.nodes[:-1], graph.nodes[-1]._replace(is_async=True)]
    assert graph_digest(replace(graph, nodes=changed)) != graph_digest(graph)
    assert graph_digest(a_graph(lines=4)) != graph_digest(graph)


def test_the_reason_of_a_reference_shows() -> None:
    graph = a_graph()
    unresolved = graph.sites[0]._replace(target=-1, rule=None, reason=Reason.UNKNOWN)
    other = unresolved._replace(reason=Reason.DYNAMIC)
    digests = {graph_digest(replace(graph, sites=(site,))) for site in (unresolved, other)}
    assert len(digests) == 2


def test_edges_count_where_those_of_a_file_do_not_stand_together() -> None:
    graph = a_graph()
    nodes = [*graph.nodes, a_node(10_000)._replace(file=1)]
    edges = [graph.edges[0]._replace(source=source) for source in (0, 10_000, 2, 3)]
    whole = graph_digest(replace(graph, nodes=nodes, edges=edges))
    assert graph_digest(replace(graph, nodes=nodes, edges=edges[1:])) != whole
    assert graph_digest(replace(graph, nodes=nodes, edges=[*edges[2:], *edges[:2]])) == whole
