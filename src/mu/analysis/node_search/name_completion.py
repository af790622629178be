"""Complete the beginning of a node reference."""

from mu.model.relation import Relation

_NAMES = """
WITH named AS (
    SELECT
        found.id,
        found.kind::VARCHAR AS kind,
        found.is_test,
        CASE WHEN $2 = 0 THEN substr(found.id, strpos(found.id, ':') + 1)
             ELSE array_to_string(string_split(found.qualified_name, '.')[-$2:], '.') END AS name
    FROM node AS found
    WHERE found.kind <> 'external'
)
SELECT
    CASE WHEN starts_with(lower(id), $1) OR count(*) OVER (PARTITION BY name) > 1
         THEN id ELSE name END AS reference,
    kind
FROM named
WHERE starts_with(lower(name), $1) OR starts_with(lower(id), $1)
ORDER BY is_test, length(name), name, id
"""


def names(beginning: str) -> Relation:
    """Give references to the nodes of the repository whose name begins so: reference, kind.

    The beginning may be one of a name, of the last parts of a qualified name (`Auth.lo`), of a path
    (`src/app/au`) or of an id; case does not matter. A name that several nodes have is given as the
    id of each.
    """
    is_path = "/" in beginning or ":" in beginning
    parts = 0 if is_path else beginning.count(".") + 1
    return Relation(_NAMES, (beginning.lower(), parts), ("reference", "kind"))
