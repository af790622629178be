"""A shortest path from one node to another, along dependencies.

A walk keeps for each node where it was reached from; the path is read back from the nearest part of
the goal. Either end stands for all it contains.
"""

from collections.abc import Sequence

from mu.analysis.walks.adjacency import Adjacency
from mu.analysis.walks.breadth_first import Step, WalkResult
from mu.analysis.walks.traversal import KIND_NAMES, Walk
from mu.model.relation import Input, Relation
from mu.store import GraphFile

PATH_COLUMNS = ("step", "id", "name", "via", "path", "line")

_PATH = """
SELECT
    route.step AS step,
    place.id AS id,
    place.name AS name,
    list_extract(?::VARCHAR[], route.via + 1) AS via,
    file.path AS path,
    coalesce(
        (SELECT min(edge.line) FROM edge
         WHERE edge.source = route.node AND edge.target = route.following
           AND (enum_code(edge.kind) = route.via
                OR route.via = enum_code('tests'::graph.main.edge_kind)
                    AND edge.kind IN ('calls', 'uses'))),
        nullif(place.start_line, 0)
    ) AS line
FROM route
JOIN node AS place ON place.key = route.node
LEFT JOIN file ON file.key = place.file
ORDER BY route.step
"""


def path(graph: GraphFile, walked: WalkResult, *, goal: int) -> Relation:
    """Give one shortest path from the start of a forward walk to the node `goal`: PATH_COLUMNS.

    One row for each node on it, from step 0. `via` is the kind of the edge to the next row, and
    `path` and `line` are where that edge stands; the last row has no `via` and its own place. No
    row when the walk does not come to it.
    """
    steps = _way_back(walked, ends(graph, walked.walk, goal=goal))
    return path_of(steps)


def path_of(steps: Sequence[Step]) -> Relation:
    """Give the path of some steps (step, node, via, following): PATH_COLUMNS."""
    names = ("step", "node", "via", "following")
    types = ("INTEGER", "INTEGER", "UTINYINT", "INTEGER")
    route = Input("route", names, types, steps)
    return Relation(_PATH, (KIND_NAMES,), PATH_COLUMNS, (route,))


def is_reached(graph: GraphFile, walked: WalkResult, *, goal: int) -> bool:
    """Tell whether the walk came to the goal."""
    goals = set(ends(graph, walked.walk, goal=goal))
    return any(row[0] in goals for row in walked.table.rows)


def ends(graph: GraphFile, walk: Walk, *, goal: int, is_alone: bool = False) -> list[int]:
    """Give the nodes that the goal of a walk stands for; `is_alone` as in `FoundNode`."""
    return graph.once(Adjacency).whole(goal, closed=walk.closed, is_alone=is_alone)


def _way_back(walked: WalkResult, goal: list[int]) -> list[Step]:
    """Give the steps to the nearest of the nodes of the goal, the last step first."""
    steps = {row[0]: row for row in walked.table.rows}
    reached = [steps[node] for node in goal if node in steps]
    if not reached:
        return []
    node, distance, via, origin = min(reached, key=lambda row: (row[1], row[0]))
    route: list[Step] = [(distance, node, None, None)]
    while origin is not None:
        following, before = node, via
        node, distance, via, origin = steps[origin]
        route.append((distance, node, before, following))
    return route
