"""The surest path from one node to another: few hops, weighted by the certainty of each.

A hop costs 1 when its site names the definition, 2 when a framework was told to call it, and 6 when
the site may mean one of several overrides or callbacks. Dijkstra's algorithm over the nodes that a
forward walk reached.
"""

import heapq
from collections.abc import Mapping, Sequence

import msgspec

from mu.analysis.paths.shortest_path import ends
from mu.analysis.walks.breadth_first import Step, WalkResult
from mu.analysis.walks.edge_sites import FEW_ALTERNATIVES
from mu.analysis.walks.traversal import KIND_NAMES, Direction, steps
from mu.model.kinds import EdgeKind
from mu.model.relation import Cell, Relation
from mu.store import GraphFile

SURE, REGISTERED, GUESSED = 1, 2, 6

_CALLS = f"""
SELECT edge.source AS near, edge.target AS next, min(CASE
    WHEN edge.rule IN ('virtual', 'callback', 'shape') THEN {GUESSED}
    WHEN edge.rule = 'registered' THEN {REGISTERED}
    WHEN edge.rule IN ('inferred', 'returned') AND site.candidates > {FEW_ALTERNATIVES}
        THEN {GUESSED}
    ELSE {SURE} END) AS cost
FROM edge LEFT JOIN site ON site.source = edge.source AND site.target = edge.target
    AND site.line = edge.line AND edge.rule IN ('inferred', 'returned')
WHERE edge.kind = 'calls'
GROUP BY ALL
"""

_LINKS = """
SELECT near, next, min(cost) AS cost, arg_min(via, cost) AS via FROM ({links})
WHERE near IN (SELECT node FROM {walked}) AND next IN (SELECT node FROM {walked})
GROUP BY near, next ORDER BY near, next
"""

_Link = tuple[int, int, int]
"""(next node, cost, code of the kind of edge)."""


def surest_path(
    graph: GraphFile, walked: WalkResult, *, goal: int, is_alone: bool = False
) -> list[Step]:
    """Give the hops (step, node, via, following) to the goal of a forward walk; none if unreached.

    The last hop stands first; of paths that cost the same the one with fewer hops is taken, and of
    these the one through the nodes that come first.
    """
    goals = set(ends(graph, walked.walk, goal=goal, is_alone=is_alone))
    distances = {int(str(row[0])): int(str(row[1])) for row in walked.table.rows}
    if goals.isdisjoint(distances):
        return []
    links = _links(graph, walked)
    starts = [node for node, distance in distances.items() if distance == 0]
    if met := [node for node in sorted(goals) if distances.get(node) == 0]:
        return [(0, met[0], None, None)]
    return _way_back(*_search(links, starts, goals, walked.walk.bound))


def shortest_cycle(graph: GraphFile, walked: WalkResult) -> list[Step]:
    """Give the hops by which the start of a forward walk comes back to itself, as `surest_path`.

    What is inside the start belongs to it: a cycle leaves it, or is a direct call of itself.
    """
    starts = [int(str(row[0])) for row in walked.table.rows if row[1] == 0]
    links = dict(_links(graph, walked))
    left = {-2 - place: node for place, node in enumerate(starts)}  # each start as it is left
    for again, node in left.items():
        own = set(starts) - {node}
        links[again] = [link for link in links.get(node, ()) if link[0] not in own]
    goal, reached = _search(links, list(left), set(starts), walked.walk.bound)
    return [
        (step, left.get(int(str(node)), node), via, following)
        for step, node, via, following in _way_back(goal, reached)
    ]


def _links(graph: GraphFile, walked: WalkResult) -> Mapping[int, Sequence[_Link]]:
    parts: list[str] = []
    values: list[Cell] = []
    for kind in walked.walk.kinds:
        code = KIND_NAMES.index(kind)
        if kind is EdgeKind.CALLS:
            parts.append(f"SELECT *, {code} AS via FROM ({_CALLS})")
        else:
            part = steps(Direction.FORWARD, kind)
            parts.append(f"SELECT near, next, {SURE} AS cost, {code} AS via FROM ({part.sql})")
            values += part.parameters
    sql = _LINKS.format(links=" UNION ALL ".join(parts), walked=walked.table.name)
    rows = graph.run(Relation(sql, tuple(values), inputs=(walked.table,)), limit=None).rows
    links: dict[int, list[_Link]] = {}
    for near, following, cost, via in msgspec.convert(rows, list[tuple[int, int, int, int]]):
        links.setdefault(near, []).append((following, cost, via))
    return links


def _search(
    links: Mapping[int, Sequence[_Link]], starts: Sequence[int], goals: set[int], most: int
) -> tuple[int, Mapping[int, tuple[int, int]]]:
    """Find the cheapest goal, and from where and by which kind each node was reached.

    Where the cheapest way to a node is longer than `most` hops allow, it is not gone on from; the
    walk has told that a way of that length exists.
    """
    waiting = [(0, 0, node) for node in starts]
    heapq.heapify(waiting)
    best: dict[int, tuple[int, int]] = dict.fromkeys(starts, (0, 0))
    reached: dict[int, tuple[int, int]] = {}
    while waiting:
        cost, hops, node = heapq.heappop(waiting)
        if node in goals:
            return node, reached
        if (cost, hops) > best[node] or hops >= most:
            continue
        for following, more, via in links.get(node, ()):
            offer = cost + more, hops + 1
            if following not in best or offer < best[following]:
                best[following] = offer
                reached[following] = node, via
                heapq.heappush(waiting, (*offer, following))
    return -1, reached


def _way_back(goal: int, reached: Mapping[int, tuple[int, int]]) -> list[Step]:
    if goal < 0:
        return []
    nodes: list[tuple[int, int | None]] = [(goal, None)]  # with the kind of the hop that follows
    while nodes[-1][0] in reached:
        before, via = reached[nodes[-1][0]]
        nodes.append((before, via))
    last = len(nodes) - 1
    return [
        (last - place, node, via, nodes[place - 1][0] if place else None)
        for place, (node, via) in enumerate(nodes)
    ]
