"""Walks along `contains`: the members of a node, and what it is a member of.

Other walks never follow containment; these follow nothing else.
"""

from mu.model.relation import Relation

_NO_BOUND = 2**31 - 2

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
WHERE seen.distance > ?
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


def children(key: int, *, depth: int | None = 1, beyond: bool = False) -> Relation:
    """Give what is defined in the node, `depth` levels deep: the columns of a walk.

    A depth of None is no bound; `beyond` asks for the first level past the depth instead.
    """
    return _contained(_CHILDREN, key, depth, beyond)


def parents(key: int, *, depth: int | None = None, beyond: bool = False) -> Relation:
    """Give what the node is defined in, the nearest first: the columns of a walk."""
    return _contained(_PARENTS, key, depth, beyond)


def _contained(walk: str, key: int, depth: int | None, beyond: bool) -> Relation:
    most = _NO_BOUND if depth is None else depth
    least, most = (most, most + 1) if beyond else (0, most)
    return Relation(walk + _ROWS, (key, most, least))
