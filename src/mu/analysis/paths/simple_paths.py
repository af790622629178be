"""Several paths from one node to another, each edge with its evidence.

Several ways are found by Yen's algorithm (1971), as networkx has it, on the part of the graph that
can lie on a way at most two edges longer than the shortest: the walks from both ends tell it.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from mu.analysis.paths.shortest_path import ends
from mu.analysis.walks.breadth_first import WalkResult, walk_graph
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.kinds import EdgeKind, SiteKind
from mu.model.relation import Cell, Derived, Input, Relation
from mu.store import GraphFile

LONGER = 2
"""By how many edges a further way may be longer than the shortest."""

_EVIDENCE = """
WITH onward AS (
    SELECT *, lead(id) OVER ({partition} ORDER BY step) AS next_id FROM hop
),
found AS (
    SELECT {key}, first(site.rule::VARCHAR ORDER BY site.line <> onward.line, site.line) AS rule,
        first(site.text ORDER BY site.line <> onward.line, site.line) AS text
    FROM onward
    JOIN node AS near ON near.id = onward.id
    JOIN node AS far ON far.id = onward.next_id
    JOIN site ON site.target = far.key AND (site.source = near.key OR site.source = near.parent
        AND site.line BETWEEN near.start_line AND near.end_line)
    GROUP BY ALL
)
SELECT onward.* EXCLUDE (next_id),
    coalesce(found.rule, CASE WHEN onward.via IS NOT NULL THEN 'syntax' END) AS rule,
    found.text AS text
FROM onward LEFT JOIN found USING ({key})
ORDER BY {key}
"""

_EDGES = """
WITH near AS (
    SELECT before.node AS node, before.distance AS gone, after.distance AS left_over
    FROM walked_from AS before JOIN walked_to AS after USING (node)
    WHERE before.distance + after.distance <= $1
),
linked AS (
    SELECT source, target, kind::VARCHAR AS kind, line FROM edge
    WHERE list_contains($2::VARCHAR[], kind::VARCHAR)
    UNION ALL
    SELECT definition.key, site.target, 'uses', site.line
    FROM site JOIN node AS definition ON definition.parent = site.source
        AND site.line BETWEEN definition.start_line AND definition.end_line
    WHERE site.target IS NOT NULL AND site.kind <> $3 AND list_contains($2::VARCHAR[], 'uses')
)
SELECT source, target, min(kind) AS kind, arg_min(line, (kind, line)) AS line
FROM linked
WHERE source IN (SELECT node FROM near) AND target IN (SELECT node FROM near WHERE gone > 0)
GROUP BY source, target
ORDER BY source, target
"""

_ROWS = """
SELECT way.path_id AS path_id, way.step AS step, place.id AS id, place.name AS name,
    way.via AS via, file.path AS path, coalesce(way.line, nullif(place.start_line, 0)) AS line
FROM way JOIN node AS place ON place.key = way.node LEFT JOIN file ON file.key = place.file
ORDER BY way.path_id, way.step
"""

Link = tuple[int, int]


def with_evidence(way: Relation, *, is_one: bool = True) -> Relation:
    """Add the rule and the text of the reference behind each step to the rows of a way.

    `is_one` says that there is one way, else `path_id` tells several apart.
    """
    key = "step" if is_one else "path_id, step"
    partition = "" if is_one else "PARTITION BY path_id"
    sql = _EVIDENCE.format(key=key, partition=partition)
    return Relation(sql, inputs=(Derived("hop", way),))


def paths(graph: GraphFile, walked: WalkResult, *, goal: int, limit: int) -> Relation:
    """Give up to `limit` ways from the start of a forward walk to the node `goal`, shortest first.

    None is longer than the shortest by more than LONGER, nor than the depth of the walk. The
    columns are those of a path after `path_id`, which counts from 1.
    """
    walk = walked.walk
    goals = set(ends(graph, walk, goal=goal))
    distances = dict(_pairs(walked.table))
    shortest = min((distances[node] for node in goals if node in distances), default=0)
    rows: list[tuple[Cell, ...]] = []
    if shortest:
        most = min(shortest + LONGER, walk.bound)
        back = walk_graph(graph, Walk(goal, Direction.BACKWARD, most, walk.kinds))
        starts = {node for node, distance in _pairs(walked.table) if distance == 0}
        links = _links(graph, walk.kinds, (walked.table, back.table), most)
        found = islice(_ways(links.keys(), starts, goals, most), limit)
        for number, way in enumerate(found, start=1):
            rows += _steps(number, way, links)
    names = ("path_id", "step", "node", "via", "line")
    types = ("INTEGER", "INTEGER", "INTEGER", "VARCHAR", "INTEGER")
    return Relation(_ROWS, inputs=(Input("way", names, types, rows),))


def _links(
    graph: GraphFile, kinds: Iterable[EdgeKind], walked: tuple[Input, Input], most: int
) -> dict[Link, tuple[str, int]]:
    """Fetch the edges that can lie on a way of at most `most` edges: kind and line of each."""
    inputs = tuple(
        Input(name, table.columns, table.types, table.rows)
        for name, table in zip(("walked_from", "walked_to"), walked, strict=True)
    )
    values = (most, [kind.value for kind in kinds], SiteKind.IMPORT.value)
    rows = graph.run(Relation(_EDGES, values, inputs=inputs), limit=None).rows
    return {(int(str(s)), int(str(t))): (str(kind), int(str(line))) for s, t, kind, line in rows}


def _ways(
    links: Iterable[Link], starts: set[int], goals: set[int], most: int
) -> Iterable[list[int]]:
    """Give simple ways from any start to any goal, the shortest first."""
    import networkx

    before, behind = -1, -2
    graph: networkx.DiGraph[int, dict[str, object], dict[str, object]] = networkx.DiGraph(links)
    graph.add_edges_from((before, node) for node in starts)
    graph.add_edges_from((node, behind) for node in goals)
    for way in networkx.shortest_simple_paths(graph, before, behind):
        if len(way) - 3 > most:
            return
        yield way[1:-1]


def _steps(
    number: int, way: Sequence[int], links: dict[Link, tuple[str, int]]
) -> Iterable[tuple[Cell, ...]]:
    for step, node in enumerate(way):
        onward = links[node, way[step + 1]] if step + 1 < len(way) else (None, None)
        yield (number, step, node, *onward)


def _pairs(table: Input) -> Iterable[Link]:
    return ((int(str(row[0])), int(str(row[1]))) for row in table.rows)
