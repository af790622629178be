"""One shortest path from a node to another, along what the first depends on.

The walk of `traversal` keeps for each node where it was reached from; the path is read back from
the nearest part of the goal. Either end stands for all it contains.
"""

from collections.abc import Sequence

from mu.analysis.traversal import KIND_NAMES, STEP_KIND, STEP_NODE, Direction, Walk, tables, whole
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind
from mu.model.relation import Relation

PATH_COLUMNS = ("step", "id", "name", "via", "path", "line")

DEFAULT_PATH_DEPTH = 10

_PATH = """,
{goal},
reached AS (
    SELECT seen.node, seen.distance, {step_kind} AS via, ({step_node})::INTEGER AS origin
    FROM seen
),
trail(node, distance, via, origin, following) AS (
    (SELECT reached.*, NULL::INTEGER FROM reached JOIN goal USING (node)
     ORDER BY distance, node LIMIT 1)
    UNION
    SELECT reached.*, trail.node FROM trail JOIN reached ON reached.node = trail.origin
)
SELECT
    trail.distance AS step,
    place.id AS id,
    place.name AS name,
    list_extract(?::VARCHAR[], onward.via + 1) AS via,
    file.path AS path,
    coalesce(
        (SELECT min(edge.line) FROM edge
         WHERE edge.source = trail.node AND edge.target = trail.following
           AND (enum_code(edge.kind) = onward.via
                OR onward.via = enum_code('tests'::graph.main.edge_kind)
                    AND edge.kind IN ('calls', 'uses'))),
        nullif(place.start_line, 0)
    ) AS line
FROM trail
JOIN node AS place ON place.key = trail.node
LEFT JOIN trail AS onward ON onward.node = trail.following
LEFT JOIN file ON file.key = place.file
ORDER BY trail.distance
"""


def path(
    start: int,
    goal: int,
    *,
    max_depth: int = DEFAULT_PATH_DEPTH,
    kinds: Sequence[EdgeKind] = DEPENDENCY_KINDS,
) -> Relation:
    """Give one shortest path from `start` to `goal`, of at most `max_depth` edges: PATH_COLUMNS.

    One row for each node on it, from step 0. `via` is the kind of the edge to the next row, and
    `path` and `line` are where that edge stands; the last row has no `via` and its own place. No
    row when there is no path. Raises MuError for a depth out of 1 to 50.
    """
    common = tables(Walk(start, Direction.FORWARD, max_depth, kinds))
    rest = _PATH.format(goal=whole("goal"), step_kind=STEP_KIND, step_node=STEP_NODE)
    return Relation(
        sql=f"WITH RECURSIVE {common.sql}{rest}",
        parameters=(*common.parameters, goal, KIND_NAMES),
        columns=PATH_COLUMNS,
    )
