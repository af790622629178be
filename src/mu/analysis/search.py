"""Find nodes by a part of their name, the closest first."""

from collections.abc import Sequence

from mu.errors import ExitCode, MuError
from mu.model.kinds import NodeKind
from mu.model.relation import Relation

SEARCH_COLUMNS = ("id", "name", "kind", "path", "line", "score", "why")

MAX_WORDS = 16

_SEARCH = """
SELECT
    found.id AS id,
    found.name AS name,
    found.kind::VARCHAR AS kind,
    place.path AS path,
    nullif(found.start_line, 0) AS line,
    CASE WHEN lower(found.name) = $1 OR lower(found.qualified_name) = $1 THEN 1.0
         WHEN starts_with(lower(found.name), $1) THEN 0.75
         WHEN contains(lower(found.name), $1) THEN 0.5
         ELSE 0.25 END::DOUBLE AS score,
    CASE score WHEN 1.0 THEN 'same name' WHEN 0.75 THEN 'name begins so'
         WHEN 0.5 THEN 'in the name' ELSE 'in the qualified name' END AS why
FROM node AS found LEFT JOIN file AS place ON place.key = found.file
WHERE {words} AND list_contains($2::VARCHAR[], found.kind::VARCHAR)
ORDER BY score DESC, found.kind = 'external', found.is_test, length(found.name),
    place.path NULLS LAST, found.start_line, found.key
"""


def search(words: str, *, kinds: Sequence[NodeKind] = tuple(NodeKind)) -> Relation:
    """Give the nodes whose qualified name holds every one of `words`: SEARCH_COLUMNS.

    Case does not matter. The score is 1 for the same name, 0.75 for a name that begins with the
    words, 0.5 for one that holds them and 0.25 for the rest. Raises MuError for no word, or more
    than 16.
    """
    parts = words.lower().split()
    if not 0 < len(parts) <= MAX_WORDS:
        raise MuError(
            f"a search takes 1 to {MAX_WORDS} words, not {len(parts)}",
            "give a part of a name",
            ExitCode.USAGE,
        )
    tests = " AND ".join(
        f"contains(lower(found.qualified_name), ${3 + place})" for place in range(len(parts))
    )
    names = [kind.value for kind in kinds]
    return Relation(_SEARCH.format(words=tests), (" ".join(parts), names, *parts), SEARCH_COLUMNS)


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
