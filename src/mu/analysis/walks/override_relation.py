"""The override relation of a member, or of the members of a class, in both directions.

Methods come from the edges of the graph. Attributes have no edges: one overrides the attribute or
method of its name in the nearest class above that defines it.
"""

from mu.model.relation import Relation

OVERRIDES_COLUMNS = (
    "id", "name", "kind", "path", "line", "overridden_id", "overridden_path", "overridden_line",
)  # fmt: skip

_ROWS = """
WITH RECURSIVE asked(node) AS (
    SELECT key FROM node WHERE key = $key
    UNION SELECT key FROM node WHERE parent = $key
),
class(node) AS (
    SELECT key FROM node WHERE key = $key AND kind = 'class'
    UNION SELECT parent FROM node WHERE key = $key AND kind = 'variable' AND parent IS NOT NULL
),
related(node) AS (
    SELECT node FROM class
    UNION
    SELECT CASE edge.source WHEN related.node THEN edge.target ELSE edge.source END
    FROM related JOIN edge ON edge.kind = 'inherits' AND related.node IN (edge.source, edge.target)
),
above(node, base, distance) AS (
    SELECT source, target, 1 FROM edge
    WHERE kind = 'inherits' AND source IN (FROM related)
    UNION
    SELECT above.node, edge.target, above.distance + 1
    FROM above JOIN edge ON edge.kind = 'inherits' AND edge.source = above.base
    WHERE above.distance < 50
),
attribute AS (
    SELECT own.key AS source, arg_min(member.key, (above.distance, member.key)) AS target
    FROM node AS own JOIN above ON above.node = own.parent
    JOIN node AS member ON member.parent = above.base AND member.name = own.name
    WHERE own.kind = 'variable' AND member.kind IN ('variable', 'function')
    GROUP BY own.key
),
every AS MATERIALIZED (
    SELECT source, target FROM edge WHERE kind = 'overrides' UNION SELECT * FROM attribute
),
overridden(node) AS (
    FROM asked
    UNION
    SELECT every.target FROM overridden JOIN every ON every.source = overridden.node
),
overriding(node) AS (
    FROM asked
    UNION
    SELECT every.source FROM overriding JOIN every ON every.target = overriding.node
),
pair AS (
    SELECT * FROM every WHERE source IN (FROM overridden) OR target IN (FROM overriding)
)
SELECT own.id AS id, own.name AS name, own.kind::VARCHAR AS kind, place.path AS path,
    nullif(own.start_line, 0) AS line, far.id AS overridden_id, base.path AS overridden_path,
    nullif(far.start_line, 0) AS overridden_line
FROM pair JOIN node AS own ON own.key = pair.source JOIN node AS far ON far.key = pair.target
LEFT JOIN file AS place ON place.key = own.file LEFT JOIN file AS base ON base.key = far.file
ORDER BY pair.source NOT IN (FROM overridden), pair.source NOT IN (FROM asked),
    place.path, own.start_line, overridden_path, own.key
"""


def overrides_of(key: int) -> Relation:
    """Give what a member, or the members of a class, override, then what overrides them.

    Directly and through others: a row for each member and one that it overrides directly.
    """
    return Relation(_ROWS, {"key": key}, OVERRIDES_COLUMNS)
