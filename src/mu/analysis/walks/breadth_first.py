"""Walk the graph breadth first over arrays, once for an answer and its verdict.

In a freshly opened graph the first walk is asked of the engine instead: a command of the shell asks
one question and ends, and arrays are worth loading from the second on.

On 100,000 nodes and 1,000,000 edges a walk to 9,500 nodes takes 9 ms so, one to 95,000 nodes 0.1 s;
what else was tried stands in decision 0026.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mu.analysis.walks.adjacency import Adjacency
from mu.analysis.walks.traversal import KIND_NAMES, Walk, steps, whole
from mu.model.kinds import EdgeKind
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

Step = tuple[Cell, ...]
"""(node, distance, via, origin) by key and by code of the kind; plain, as there may be millions."""

_COLUMNS = ("node", "distance", "via", "origin")
_TYPES = ("INTEGER", "INTEGER", "UTINYINT", "INTEGER")

_CHOSEN = "SELECT parent, qualified_name, kind::VARCHAR FROM node WHERE key = ?"

_TWINS = "SELECT key FROM node WHERE parent = ? AND qualified_name = ? AND kind = ?"

_INSIDE = "SELECT key FROM node WHERE parent IN (SELECT unnest(?::INTEGER[]))"

_ONE_STEP = """
SELECT next AS node, min(step) >> 32 AS via, min(step) & 4294967295 AS origin FROM ({links})
WHERE near IN (SELECT unnest(?::INTEGER[])) AND next NOT IN (SELECT unnest(?::INTEGER[]))
GROUP BY next ORDER BY next
"""

_STEPS = """
link AS MATERIALIZED ({links}),
seen(node, distance, step) USING KEY (node) AS (
    SELECT node, 0, NULL::BIGINT FROM start
    UNION
    SELECT link.next, min(seen.distance) + 1, min(link.step)
    FROM seen JOIN link ON link.near = seen.node
    WHERE seen.distance < {depth}
        AND NOT EXISTS (FROM recurring.seen AS known WHERE known.node = link.next)
    GROUP BY link.next
)
"""

_BEYOND = """
SELECT 1 FROM ({links})
WHERE near IN (SELECT node FROM {walked} WHERE distance = ?)
    AND next NOT IN (SELECT node FROM {walked})
"""


@dataclass(frozen=True, slots=True)
class WalkResult:
    """What a walk came to.

    `table` has a row for each node: its key, its distance (0 for the start), and, but for the
    start, the code of the kind of edge it was reached `via` and the key of the node it was reached
    from (`origin`). Of several ways that are equally short the one with the smallest code stands,
    and of these the one from the smallest key, so the answer is the same every time. Rows are
    ordered by distance and key.
    """

    walk: Walk
    table: Input


def walk_graph(graph: GraphFile, walk: Walk) -> WalkResult:
    """Walk; the table is called by what was walked, so that a query may use several."""
    adjacency = graph.once(Adjacency)
    if adjacency.begin():
        is_near = walk.depth == 1
        rows: Sequence[Step] = _near(graph, walk) if is_near else _asked(graph, walk)
    else:
        rows = _spread(adjacency, walk)
    kinds = sum(1 << KIND_NAMES.index(kind) for kind in set(walk.kinds))
    alone = "_alone" if walk.is_alone else ""
    name = f"walked_{walk.direction}_{walk.key}_{walk.depth}_{kinds}{alone}"
    return WalkResult(walk, Input(name, _COLUMNS, _TYPES, rows))


def depth_limit_note(graph: GraphFile, walked: WalkResult) -> str:
    """Say that the depth of a walk cut it; empty where nothing lies beyond."""
    walk, table = walked.walk, walked.table
    if walk.depth is None or not table.rows or table.rows[-1][1] != walk.depth:
        return ""
    ways = [steps(walk.direction, kind) for kind in walk.kinds]
    links = " UNION ALL ".join(way.sql for way in ways)
    values = tuple(value for way in ways for value in way.parameters)
    sql = _BEYOND.format(links=links, walked=table.name)
    if not graph.run(Relation(sql, (*values, walk.depth), inputs=(table,)), limit=1).rows:
        return ""
    return f"stopped at depth {walk.depth}: there is more beyond"


def _spread(adjacency: Adjacency, walk: Walk) -> list[Step]:
    """Go from the start to all that is next, and on from there; ordered by distance and key."""
    front = adjacency.whole(walk.key, closed=walk.closed, is_alone=walk.is_alone)
    rows: list[Step] = [(node, 0, None, None) for node in front]
    seen = bytearray(adjacency.size)
    for node in front:
        seen[node] = 1
    kinds = _by_code(walk.kinds)
    ways = [(code, adjacency.neighbours(walk.direction, kind)) for code, kind in kinds]
    for distance in range(1, walk.bound + 1):
        level: list[tuple[int, int, int, int]] = []
        for code, (first, nodes) in ways:
            for near in front:
                start, end = first[near], first[near + 1]
                if start == end:
                    continue
                for node in nodes[start:end]:
                    if not seen[node]:
                        seen[node] = 1
                        level.append((node, distance, code, near))
        if not level:
            break
        level.sort()
        rows += level
        front = [row[0] for row in level]
    return rows


def _near(graph: GraphFile, walk: Walk) -> list[Step]:
    """Ask the engine for one step, by small queries: one for all takes it three times as long."""
    chosen = graph.run(Relation(_CHOSEN, (walk.key,)), limit=None).rows
    parent, _, kind = chosen[0]
    found = {walk.key}
    if parent is not None and not walk.is_alone:
        found |= {
            int(str(key)) for (key,) in graph.run(Relation(_TWINS, chosen[0]), limit=None).rows
        }
    inner = [] if kind == walk.closed else sorted(found)
    while inner:
        below = graph.run(Relation(_INSIDE, (inner,)), limit=None).rows
        inner = [key for (cell,) in below if (key := int(str(cell))) not in found]
        found.update(inner)
    start = sorted(found)
    links, values = _links(walk)
    relation = Relation(_ONE_STEP.format(links=links), (*values, start, start))
    reached = graph.run(relation, limit=None).rows
    rows: list[Step] = [(node, 0, None, None) for node in start]
    return rows + [(node, 1, via, origin) for node, via, origin in reached]


def _asked(graph: GraphFile, walk: Walk) -> Sequence[Step]:
    """Ask the engine for a whole walk, as `_spread` would give it."""
    links, values = _links(walk)
    sql = f"""
        WITH RECURSIVE {whole("start", closed=walk.closed, is_alone=walk.is_alone)},
        {_STEPS.format(links=links, depth=walk.bound)}
        SELECT node, distance, step >> 32 AS via, step & 4294967295 AS origin FROM seen
        ORDER BY distance, node
    """
    return graph.run(Relation(sql, (walk.key, *values), _COLUMNS), limit=None).rows


def _links(walk: Walk) -> tuple[str, tuple[Cell, ...]]:
    """Write the pairs of nodes a step apart, each with code and origin of the step as a number."""
    values: list[Cell] = []
    ways = []
    for code, kind in _by_code(walk.kinds):
        part = steps(walk.direction, kind)
        ways.append(f"SELECT near, next, ?::BIGINT << 32 | near AS step FROM ({part.sql})")
        values += (code, *part.parameters)
    return " UNION ALL ".join(ways), tuple(values)


def _by_code(kinds: Iterable[EdgeKind]) -> list[tuple[int, EdgeKind]]:
    return sorted((KIND_NAMES.index(kind), kind) for kind in set(kinds))
