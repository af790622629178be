"""All pairs of adjacent nodes at once, for a join with the neighbours of every row.

The same meaning as a walk of one step from each node by its id: a node stands for its other
definitions, but for overloads that are told apart, and all it contains (of bases alone a class does
not, nor a function whose callers are asked for), none of that is in its answer, and a site in the
lines of a definition that the body around it runs counts for it. `traversal` says why.
"""

from mu.analysis.walks.traversal import KIND_NAMES, Direction, closed_kind
from mu.languages.overloads import OVERLOADING_LANGUAGES
from mu.model.kinds import EdgeKind, SiteKind
from mu.model.relation import Cell, Relation

_PAIRS = """
WITH RECURSIVE around(node, holder) AS (
    SELECT key, key FROM node
    UNION ALL
    SELECT around.node, node.parent FROM around JOIN node ON node.key = around.holder
    WHERE node.parent IS NOT NULL
),
whole AS MATERIALIZED (
    SELECT DISTINCT around.node AS node, coalesce(twin.key, holder.key) AS holder
    FROM around JOIN node AS holder ON holder.key = around.holder
    LEFT JOIN node AS twin ON twin.parent = holder.parent
        AND twin.qualified_name = holder.qualified_name
        AND twin.kind = holder.kind AND NOT list_contains(?::VARCHAR[], holder.language)
    WHERE {held}
),
link AS ({link}),
pair AS (
    SELECT whole.holder AS start, link.next AS node,
        min(link.kind::BIGINT << 32 | link.near) AS step
    FROM link JOIN whole ON whole.node = link.near
    WHERE NOT EXISTS (FROM whole AS inside
        WHERE inside.node = link.next AND inside.holder = whole.holder)
    GROUP BY whole.holder, link.next
)
SELECT
    start.id AS of_id,
    reached.id AS id,
    reached.name AS name,
    reached.kind::VARCHAR AS kind,
    place.path AS path,
    nullif(reached.start_line, 0) AS line,
    1 AS distance,
    list_extract(?::VARCHAR[], (pair.step >> 32) + 1) AS via,
    origin.id AS from_id
FROM pair
JOIN node AS start ON start.key = pair.start
JOIN node AS reached ON reached.key = pair.node
JOIN node AS origin ON origin.key = pair.step & 4294967295
LEFT JOIN file AS place ON place.key = reached.file
ORDER BY start.key, place.path NULLS LAST, reached.start_line, reached.key
"""

_EDGES = """
    SELECT {next} AS next, {near} AS near, enum_code(kind) AS kind FROM edge
    WHERE list_contains(?::VARCHAR[], kind::VARCHAR)"""

_TESTED = """
    UNION ALL
    SELECT {next}.key, {near}.key, ?::UTINYINT FROM tests
    JOIN node AS source ON source.id = tests.source
    JOIN node AS target ON target.id = tests.target"""

_HELD = """
    UNION ALL
    SELECT {next}, {near}, ?::UTINYINT
    FROM (
        SELECT definition.key AS source, site.target AS target
        FROM site JOIN node AS definition ON definition.parent = site.source
            AND site.line BETWEEN definition.start_line AND definition.end_line
        WHERE site.target IS NOT NULL AND site.kind <> ?
    )"""


def pairs(direction: Direction, kinds: tuple[EdgeKind, ...]) -> Relation:
    """Give what each node is next to along `kinds`: `of_id`, and the columns of a walk from it."""
    near, following = "source", "target"
    if direction is Direction.BACKWARD:
        near, following = following, near
    parts, values = [_EDGES], list[Cell]([[kind.value for kind in kinds]])
    if EdgeKind.TESTS in kinds:
        parts.append(_TESTED)
        values.append(KIND_NAMES.index(EdgeKind.TESTS))
    if EdgeKind.USES in kinds:
        parts.append(_HELD)
        values += [KIND_NAMES.index(EdgeKind.USES), SiteKind.IMPORT.value]
    link = "".join(parts).format(next=following, near=near)
    closed = closed_kind(direction, kinds)
    held = f"holder.kind <> '{closed}' OR holder.key = around.node" if closed else "true"
    return Relation(
        _PAIRS.format(link=link, held=held), (sorted(OVERLOADING_LANGUAGES), *values, KIND_NAMES)
    )
