"""Where in the source each edge of an answer comes from: its call sites, imports and other sites.

Rows of a walk have an `id`, the node `from_id` they were reached from and the kind of edge between
(`via`). Each gets the surest of the sites of that edge, and of these the first in the text.
"""

from mu.analysis.traversal import Direction
from mu.model.kinds import Resolution, Rule
from mu.model.relation import Derived, Input, Relation

REACHED = "reached"
"""Name of the table of rows that get their sites."""

SITE_COLUMNS = (
    "site_path", "site_line", "site_text", "rule", "resolution", "alternatives", "sites",
)  # fmt: skip
"""Path and line of the site, the reference as written, the rule that resolved it, the sort of its
resolution (`Resolution`), how many definitions it may mean, and how many sites the edge has."""

FEW_ALTERNATIVES = 9
"""How many definitions a site may mean whose receiver is inferred, and still count as direct."""

_DISPATCHED = (Rule.VIRTUAL, Rule.CALLBACK, Rule.SHAPE)

_SITES = """
WITH pair AS (
    SELECT reached.rowid AS place, near.key AS near, far.key AS far, reached.via AS via,
        near.parent AS parent, near.start_line AS first_line, near.end_line AS last_line
    FROM reached JOIN node AS near ON near.id = reached.{near}
    JOIN node AS far ON far.id = reached.{far}
),
linked AS (
    SELECT pair.place, pair.via, site.kind, site.file, site.line, site.text, site.rule,
        site.candidates
    FROM pair JOIN site ON site.source = pair.near AND site.target = pair.far
    UNION ALL
    SELECT pair.place, pair.via, site.kind, site.file, site.line, site.text, site.rule,
        site.candidates
    FROM pair JOIN site ON site.source = pair.parent AND site.target = pair.far
        AND site.line BETWEEN pair.first_line AND pair.last_line
    WHERE pair.via IN ('uses', 'tests') AND site.kind <> 'import'
),
fitting AS (
    SELECT * FROM linked WHERE CASE via
        WHEN 'calls' THEN kind IN ('call', 'value', 'decorator')
        WHEN 'uses' THEN kind IN ('annotation', 'decorator', 'value', 'call')
        WHEN 'tests' THEN kind IN ('call', 'annotation', 'decorator', 'value')
        WHEN 'imports' THEN kind = 'import'
        WHEN 'inherits' THEN kind = 'base'
        WHEN 'links' THEN kind = 'link'
        WHEN 'mentions' THEN kind = 'mention'
        ELSE false END
    QUALIFY via <> 'calls' OR (kind = 'call') = max(kind = 'call') OVER (PARTITION BY place)
),
ranked AS (
    SELECT DISTINCT place, file, line, text, rule::VARCHAR AS rule, candidates,
        CASE WHEN rule = 'registered' THEN 1
            WHEN list_contains($1::VARCHAR[], rule::VARCHAR) OR candidates > $2 THEN 2
            ELSE 0 END AS rank
    FROM fitting
    QUALIFY rank = min(rank) OVER (PARTITION BY place, file, line, text)
),
"""

_FIRST = """
found AS (
    SELECT place, arg_min(file, (rank, line)) AS file, arg_min(line, (rank, line)) AS line,
        arg_min(text, (rank, line)) AS text, arg_min(rule, (rank, line)) AS rule,
        min(rank) AS rank, arg_min(candidates, (rank, line)) AS candidates,
        count(DISTINCT (file, line, text)) AS sites
    FROM ranked GROUP BY place
)
"""

_EACH = """
found AS (
    SELECT DISTINCT ON (place, file, line, text)
        place, file, line, text, rule, rank, candidates, 1::BIGINT AS sites
    FROM ranked ORDER BY place, file, line, text, rank
)
"""

_ROWS = """
SELECT reached.*, place.path AS site_path, found.line AS site_line, found.text AS site_text,
    coalesce(found.rule, 'syntax') AS rule,
    list_extract($3::VARCHAR[], coalesce(found.rank, 0) + 1) AS resolution,
    coalesce(found.candidates, 1) AS alternatives, coalesce(found.sites, 0) AS sites,
    coalesce(max(found.candidates) OVER (), 1) AS most_alternatives
FROM reached LEFT JOIN found ON found.place = reached.rowid
LEFT JOIN file AS place ON place.key = found.file
ORDER BY {order}reached.rowid, site_path, site_line, site_text
"""


def with_sites(
    reached: Input | Derived, direction: Direction, *, by_distance: bool, each: bool = False
) -> Relation:
    """Give the rows of the table REACHED, those of a walk, with SITE_COLUMNS behind its own.

    Rows of the surest resolution come first, unless the walk went further than one step and they
    are kept `by_distance`. With `each`, a row for every site. An edge without a site in the text,
    as that of an override, has no place. The last column, `most_alternatives`, is the same in all
    rows: the largest number of alternatives in any, those of other pages included.
    """
    is_forward = direction is Direction.FORWARD
    near, far = ("from_id", "id") if is_forward else ("id", "from_id")
    order = "" if by_distance else "coalesce(found.rank, 0), "
    sql = _SITES.format(near=near, far=far) + (_EACH if each else _FIRST) + _ROWS
    dispatched = [rule.value for rule in _DISPATCHED]
    return Relation(
        sql.format(order=order),
        (dispatched, FEW_ALTERNATIVES, [each.value for each in Resolution]),
        inputs=(reached,),
    )
