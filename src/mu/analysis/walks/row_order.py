"""The order of the rows of a walk: those one step away are sorted, the rest stay as they come.

Of what uses one node, what is no test comes first: who changes a function breaks its callers by
override before its tests. Within either, what names it comes before what uses it by override or
callback, and of these a nearer kind of edge, such as modules that import it before what names its
members. Of what one node uses, the surest comes first, then what its text uses first, but what is
outside the repository last.
"""

from collections.abc import Sequence, Set
from dataclasses import replace

from mu.analysis.walks.edge_sites import EdgeSite, edges_of_rows, sites_of_edges
from mu.analysis.walks.traversal import Direction
from mu.model.kinds import EdgeKind
from mu.model.relation import Answer, Cell, Relation
from mu.store import GraphFile

Row = tuple[Cell, ...]
RowSites = tuple[Row, tuple[EdgeSite, ...]]
"""A row of a walk, and the sites of its edge."""

_KIND_ORDER = {kind.value: place for place, kind in enumerate(EdgeKind)}

_TESTS = "SELECT id FROM node WHERE is_test AND id IN (SELECT unnest($1::VARCHAR[]))"


def with_sites(
    graph: GraphFile, answer: Answer, *, direction: Direction, starts: Set[int] = frozenset()
) -> list[RowSites]:
    """Give the rows of a walk as they come, each with its sites; `starts` are its first nodes."""
    edges = edges_of_rows(answer.columns, answer.rows, direction=direction)
    return list(zip(answer.rows, sites_of_edges(graph, edges, starts=starts), strict=True))


def near_in_order(
    graph: GraphFile, near: Answer, *, direction: Direction, starts: Set[int] = frozenset()
) -> list[RowSites]:
    """Give rows that are one step away in their order, each with its sites."""
    at_id, at_via = near.columns.index("id"), near.columns.index("via")
    ids = [str(row[at_id]) for row in near.rows]
    tests = _tests(graph, ids) if direction is Direction.BACKWARD else frozenset()

    def order(pair: RowSites) -> tuple[bool, int, int, str, int]:
        row, sites = pair
        own, rank = str(row[at_id]), sites[0].rank if sites else 0
        if direction is Direction.BACKWARD:
            return own in tests, rank, _KIND_ORDER.get(str(row[at_via]), 0), "", 0
        place = (sites[0].path, sites[0].line) if sites else ("", 0)
        return False, rank, int(own.startswith("ext:")), *place

    return sorted(with_sites(graph, near, direction=direction, starts=starts), key=order)


def _tests(graph: GraphFile, ids: Sequence[str]) -> frozenset[str]:
    found = graph.run(Relation(_TESTS, (sorted(ids),)), limit=None).rows if ids else ()
    return frozenset(str(key) for (key,) in found)


def in_order(graph: GraphFile, answer: Answer, *, direction: Direction) -> list[Row]:
    """Give all rows of a walk in their order; those at a `distance` of 1 are its first."""
    at_distance = answer.columns.index("distance")
    count = sum(1 for row in answer.rows if row[at_distance] == 1)
    near = replace(answer, rows=answer.rows[:count])
    rows = [row for row, _ in near_in_order(graph, near, direction=direction)]
    return [*rows, *answer.rows[count:]]
