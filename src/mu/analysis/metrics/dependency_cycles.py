"""Cycles of dependencies: a shortest cycle for each strongly connected component.

Only components of more than one node count. SQL first peels off what nothing leads to or from,
again and again, so that only what may be in a component is carried over; networkx finds the
components in that (Tarjan's algorithm, linear). A component may have very many cycles, so one
shortest is shown, with the line of each edge and the component's size. A node that only depends on
itself (plain recursion) is in no cycle. `cuts` gives the fewest edges to remove instead.

Imports, alone or with other kinds, are taken between files: an import inside a function and one of
a name both count for their modules. Other kinds alone are taken between the nodes themselves. An
import for a type checker never runs, so it counts only when asked for; one inside a function runs,
but later than its module is loaded, which is how cycles are often broken, so it may be left out.
"""

from collections import deque
from collections.abc import Mapping, Sequence

import msgspec

from mu.analysis.metrics.feedback_arc_set import cut_set
from mu.model.kinds import EdgeKind, ImportMoment
from mu.model.relation import Input, Relation
from mu.store import GraphFile

KINDS = (EdgeKind.IMPORTS,)
"""What is followed unless told otherwise."""

CYCLE_COLUMNS = ("cycle_id", "step", "id", "name", "path", "line", "role", "size")

_LEFT_OUT = {
    ImportMoment.LOAD: ["lazy", "type-only"],
    ImportMoment.RUN: ["type-only"],
    ImportMoment.ALL: [],
}
"""The roles of edges that do not count."""

_ROUNDS = 6
_BUDGET = 5_000_000
"""Edges looked at in search of the shortest cycle of one component; then the best so far stands."""

_FILE_PAIRS = """pairs_0 AS MATERIALIZED (
    SELECT one.key AS source, other.key AS target,
        arg_min(edge.line, (edge.role, edge.line)) AS line,
        min(edge.role) AS role
    FROM edge
    JOIN node AS near ON near.key = edge.source JOIN top AS one ON one.file = near.file
    JOIN node AS far ON far.key = edge.target JOIN top AS other ON other.file = far.file
    WHERE edge.kind IN ({kinds})
        AND NOT list_contains(?::VARCHAR[], edge.role) AND one.key <> other.key{below}
    GROUP BY one.key, other.key
)"""

_NODE_PAIRS = """pairs_0 AS MATERIALIZED (
    SELECT edge.source AS source, edge.target AS target, min(edge.line) AS line, '' AS role
    FROM edge
    WHERE edge.kind IN ({kinds})
        AND NOT list_contains(?::VARCHAR[], edge.role) AND edge.source <> edge.target{below}
    GROUP BY edge.source, edge.target
)"""

_TOP = """top AS (
    SELECT file, min(key) AS key FROM node WHERE kind = 'module' AND file IS NOT NULL GROUP BY file
)"""

_BELOW = """below AS (
    SELECT node.key FROM node JOIN file ON file.key = node.file, (SELECT ? AS path) AS prefix
    WHERE file.path = prefix.path OR starts_with(file.path, prefix.path || '/')
)"""

_INSIDE = """
        AND edge.source IN (FROM below) AND edge.target IN (FROM below)"""

_PEELED = """pairs_{this} AS MATERIALIZED (
    FROM pairs_{last} AS pair
    WHERE pair.source IN (SELECT target FROM pairs_{last})
        AND pair.target IN (SELECT source FROM pairs_{last})
)"""

_ROWS = """
SELECT
    round.cycle_id AS cycle_id,
    round.step AS step,
    place.id AS id,
    place.name AS name,
    file.path AS path,
    round.line AS line,
    round.role AS role,
    round.size AS size
FROM cycle_step AS round
JOIN node AS place ON place.key = round.node
LEFT JOIN file ON file.key = place.file
ORDER BY round.cycle_id, round.step
"""

CUT_COLUMNS = (
    "component", "size", "cut", "id", "name", "path", "line", "target_id", "role", "is_minimum"
)  # fmt: skip

_CUT_ROWS = """
SELECT
    cut.component AS component,
    cut.size AS size,
    cut.edges AS cut,
    place.id AS id,
    place.name AS name,
    file.path AS path,
    cut.line AS line,
    target.id AS target_id,
    cut.role AS role,
    cut.is_minimum AS is_minimum
FROM cut_edge AS cut
JOIN node AS place ON place.key = cut.source
JOIN node AS target ON target.key = cut.target
LEFT JOIN file ON file.key = place.file
ORDER BY cut.component, place.id, target.id
"""

Lines = Mapping[tuple[int, int], tuple[int, str]]
"""The line and the role of each edge, by (source, target)."""

_Attributes = dict[str, object]


def cycles(
    graph: GraphFile,
    *,
    kinds: Sequence[EdgeKind] = KINDS,
    imports: ImportMoment = ImportMoment.RUN,
    below: str = "",
) -> Relation:
    """Find the cycles along `kinds` and give their steps: CYCLE_COLUMNS.

    With a path `below`, only what lies below it counts.

    The largest component comes first. Each row is a node, and the line of its edge to the node of
    the next row; the last row's edge leads back to the first. `size` counts the nodes of the whole
    component. `role` is empty where the edge holds as soon as its module is loaded, else `lazy` or
    `type-only`. `imports` says which imports count.
    """
    lines = _pairs(graph, kinds, _LEFT_OUT[imports], below.removeprefix("./").rstrip("/"))
    rows: list[tuple[int, int, int, int, str, int]] = []
    for cycle_id, (cycle, size) in enumerate(_component_cycles(lines), start=1):
        following = [*cycle[1:], cycle[0]]
        rows += [
            (cycle_id, step, node, *lines[node, onward], size)
            for step, (node, onward) in enumerate(zip(cycle, following, strict=True))
        ]
    names = ("cycle_id", "step", "node", "line", "role", "size")
    types = tuple("VARCHAR" if name == "role" else "INTEGER" for name in names)
    table = Input("cycle_step", names, types, rows)
    return Relation(_ROWS, columns=CYCLE_COLUMNS, inputs=(table,))


def cuts(
    graph: GraphFile,
    *,
    kinds: Sequence[EdgeKind] = KINDS,
    imports: ImportMoment = ImportMoment.RUN,
    below: str = "",
) -> Relation:
    """Find the fewest edges whose removal leaves no cycle in each component: CUT_COLUMNS.

    The arguments are those of `cycles`, and so is the order of the components. `cut` counts the
    edges to remove in the whole component, each of them is a row, and `is_minimum` is
    false where a component is too large for an exact search, and fewer edges might do.
    """
    lines = _pairs(graph, kinds, _LEFT_OUT[imports], below.removeprefix("./").rstrip("/"))
    rows: list[tuple[int, int, int, int, int, int, str, bool]] = []
    for component, adjacent in enumerate(_inside(lines), start=1):
        edges = [(source, target) for source in adjacent for target in adjacent[source]]
        found = cut_set(edges)
        rows += [
            (component, len(adjacent), len(found.edges), *edge, *lines[edge], found.is_minimum)
            for edge in found.edges
        ]
    names = ("component", "size", "edges", "source", "target", "line", "role", "is_minimum")
    types = ("INTEGER",) * 6 + ("VARCHAR", "BOOLEAN")
    table = Input("cut_edge", names, types, rows)
    return Relation(_CUT_ROWS, columns=CUT_COLUMNS, inputs=(table,))


def _pairs(graph: GraphFile, kinds: Sequence[EdgeKind], skipped: list[str], below: str) -> Lines:
    """Fetch the edges that may be in a cycle, with the line and role of each."""
    pairs = _FILE_PAIRS if EdgeKind.IMPORTS in kinds else _NODE_PAIRS
    parts = [_BELOW] if below else []
    marks = ", ".join("?" * len(kinds))
    parts += [_TOP, pairs.format(kinds=marks, below=_INSIDE if below else "")]
    parts += [_PEELED.format(this=number, last=number - 1) for number in range(1, _ROUNDS + 1)]
    sql = f"WITH {', '.join(parts)} FROM pairs_{_ROUNDS} ORDER BY source, target"
    prefix = (below,) if below else ()
    relation = Relation(sql, (*prefix, *(kind.value for kind in kinds), skipped))
    rows = msgspec.convert(graph.run(relation, limit=None).rows, list[tuple[int, int, int, str]])
    return {(source, target): (line, role) for source, target, line, role in rows}


def _component_cycles(lines: Lines) -> list[tuple[list[int], int]]:
    """Give a shortest cycle and the size of each component, the largest first."""
    return [(_shortest_cycle(adjacent), len(adjacent)) for adjacent in _inside(lines)]


def _inside(lines: Lines) -> list[dict[int, list[int]]]:
    """Give the edges inside each component, by their source, the largest component first."""
    if not lines:
        return []
    components = _components(lines)
    member_of = {node: number for number, nodes in enumerate(components) for node in nodes}
    inside: list[dict[int, list[int]]] = [{} for _ in components]
    for source, target in sorted(lines):
        number = member_of.get(source)
        if number is not None and number == member_of.get(target):
            inside[number].setdefault(source, []).append(target)
    return inside


def _components(lines: Lines) -> list[set[int]]:
    import networkx

    graph: networkx.DiGraph[int, _Attributes, _Attributes] = networkx.DiGraph(lines.keys())
    components = [set(found) for found in networkx.strongly_connected_components(graph)]
    larger = [component for component in components if len(component) > 1]
    return sorted(larger, key=lambda component: (-len(component), min(component)))


def _shortest_cycle(adjacent: Mapping[int, Sequence[int]]) -> list[int]:
    """Give a shortest cycle of a strongly connected graph, from its smallest key on.

    A breadth-first search from each node in turn, cut off at the length known so far; of several
    shortest ones that of the smallest keys stands, because keys and neighbours come in order.
    """
    best: list[int] = []
    budget = _BUDGET
    for start in adjacent:
        found, looked_at = _cycle_through(adjacent, start, shorter_than=len(best))
        best = found or best
        budget -= looked_at
        if len(best) == 2 or budget < 0:
            break
    first = best.index(min(best))
    return best[first:] + best[:first]


def _cycle_through(
    adjacent: Mapping[int, Sequence[int]], start: int, *, shorter_than: int
) -> tuple[list[int], int]:
    """Search a shortest cycle through `start`; also gives how many edges were looked at."""
    origin = {start: start}
    depth = {start: 1}
    waiting = deque([start])
    looked_at = 0
    while waiting:
        node = waiting.popleft()
        if shorter_than and depth[node] >= shorter_than:
            break
        looked_at += len(adjacent[node])
        for onward in adjacent[node]:
            if onward == start:
                return _way_back(origin, node), looked_at
            if onward not in origin:
                origin[onward], depth[onward] = node, depth[node] + 1
                waiting.append(onward)
    return [], looked_at


def _way_back(origin: Mapping[int, int], node: int) -> list[int]:
    way = [node]
    while origin[node] != node:
        node = origin[node]
        way.append(node)
    return way[::-1]
