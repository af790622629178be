"""Anonymous subclasses, which have no node: what they override shows that they are there.

A member that overrides one of a class, and stands in nothing that inherits that class, belongs to
an anonymous class in the definition around it. One that overrides nothing is not seen.
"""

from mu.model.relation import Relation
from mu.store import GraphFile

_ANONYMOUS = """
WITH RECURSIVE below(key) AS (
    SELECT $1::INTEGER
    UNION
    SELECT edge.source FROM below JOIN edge ON edge.target = below.key
    WHERE edge.kind = 'inherits'
)
SELECT place.path, min(own.start_line) AS line
FROM edge JOIN node AS own ON own.key = edge.source
JOIN node AS base ON base.key = edge.target
JOIN file AS place ON place.key = own.file
WHERE edge.kind = 'overrides' AND base.parent IN (FROM below) AND own.parent NOT IN (FROM below)
GROUP BY place.path, own.parent ORDER BY bool_and(own.is_test), place.path, line
"""


def anonymous_subclasses_note(graph: GraphFile, key: int) -> str:
    """Say where anonymous classes extend a class; empty where none is seen to."""
    found = graph.run(Relation(_ANONYMOUS, (key,)), limit=None).rows
    if not found:
        return ""
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    path, line = found[0]
    where = f"{path}:{line}{more}"
    return f"anonymous classes extend it too, at {where}: `mu overrides` lists their methods"
