"""What a node contains and what contains it, as the rows of a walk along `contains`.

Other walks never follow containment; these follow nothing else.
"""

from mu.model.relation import Relation

_ROWS = """
SELECT
    reached.id AS id,
    reached.name AS name,
    reached.kind::VARCHAR AS kind,
    place.path AS path,
    nullif(reached.start_line, 0) AS line,
    seen.distance AS distance,
    'contains' AS via,
    origin.id AS from_id
FROM seen
JOIN node AS reached ON reached.key = seen.node
JOIN node AS origin ON origin.key = seen.origin
LEFT JOIN file AS place ON place.key = reached.file
WHERE seen.distance > 0
ORDER BY seen.distance, place.path NULLS LAST, reached.start_line, reached.key
"""

_CHILDREN = """
WITH RECURSIVE seen(node, distance, origin) AS (
    SELECT key, 0, NULL::INTEGER FROM node WHERE key = ?
    UNION
    SELECT child.key, seen.distance + 1, seen.node
    FROM seen JOIN node AS child ON child.parent = seen.node WHERE seen.distance < ?
)
"""

_PARENTS = """
WITH RECURSIVE seen(node, distance, origin) AS (
    SELECT key, 0, NULL::INTEGER FROM node WHERE key = ?
    UNION
    SELECT inner_node.parent, seen.distance + 1, seen.node
    FROM seen JOIN node AS inner_node ON inner_node.key = seen.node
    WHERE inner_node.parent IS NOT NULL AND seen.distance < ?
)
"""


def children(key: int, *, depth: int = 1) -> Relation:
    """Give what is defined in the node, `depth` levels deep: the columns of a walk."""
    return Relation(_CHILDREN + _ROWS, (key, depth))


def parents(key: int, *, depth: int = 50) -> Relation:
    """Give what the node is defined in, the nearest first: the columns of a walk."""
    return Relation(_PARENTS + _ROWS, (key, depth))
