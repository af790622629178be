"""Unresolved references that could add to an answer: its verdict follows from them.

Backward (who uses it) such a site was not resolved and has the name of a node that the walk went
through, or of the class that such a node is the constructor of; forward (what it uses) it stands in
the text of one. Either way it has to be of a sort that gives edges of the kinds followed (reading a
property is a call), its reason must not be `external`, and it must be able to change the answer: a
site whose own node is already in a backward answer adds nothing, and a member that nothing in the
repository defines cannot mean anything in it. (A call of a parameter or local variable can: what is
called there has another name.) Nor can a name mean a node of another language, unless
`mu.languages.interoperability` says that it may.

What was resolved may also reach further than its edges say: see `unlinked_overrides` for the calls,
`escaping_functions` for functions that are passed to unresolved calls, and `indirect_calls` for
those that run under another name.
"""

from mu.analysis.completeness import escaping_functions
from mu.analysis.completeness.cross_language_names import can_mean, languages_apart
from mu.analysis.completeness.indirect_calls import (
    BY_COMPUTED_NAMES,
    BY_INTERFACES,
    BY_MACROS,
    BY_OTHER_NAMES,
    DISPATCHING,
    DISPATCHING_VALUES,
    OF_INSTANCES,
    find_computed,
)
from mu.analysis.completeness.unlinked_overrides import CLASSES, DISPATCHED, find_overridden
from mu.analysis.walks.breadth_first import WalkResult
from mu.analysis.walks.traversal import Direction
from mu.model.kinds import EdgeKind, Reason, SiteKind
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

SITE_COLUMNS = ("source", "path", "line", "text", "reason", "candidates")

_USES = (SiteKind.ANNOTATION, SiteKind.DECORATOR, SiteKind.VALUE)
SITE_KINDS = {
    EdgeKind.IMPORTS: (SiteKind.IMPORT,),
    EdgeKind.CALLS: (SiteKind.CALL,),
    EdgeKind.INHERITS: (SiteKind.BASE,),
    EdgeKind.USES: _USES,
    EdgeKind.TESTS: (SiteKind.CALL, *_USES),
    EdgeKind.LINKS: (SiteKind.LINK,),
    EdgeKind.MENTIONS: (SiteKind.MENTION,),
}
"""Which sites give edges of a kind; the others follow from definitions alone."""

_OPEN = [reason.value for reason in (Reason.UNKNOWN, Reason.AMBIGUOUS, Reason.DYNAMIC)]

_OPEN_LIST = ", ".join(map(repr, _OPEN))

_ROWS = """
SELECT holder.id AS source, place.path AS path, found.line AS line, found.text AS text,
    found.reason AS reason, found.candidates AS candidates
FROM found
JOIN node AS holder ON holder.key = found.source
JOIN file AS place ON place.key = found.file
ORDER BY found.is_first DESC, position('…' IN found.text) > 0, {first}path, line, text, source
"""

_UNKNOWN_FIRST = "found.reason <> 'unknown', "

_FORWARD = f"""
WITH inside AS MATERIALIZED (
    SELECT site.*, place.language
    FROM site JOIN file AS place ON place.key = site.file
    WHERE list_contains($1::VARCHAR[], site.reason::VARCHAR)
        AND list_contains($2::VARCHAR[], site.kind::VARCHAR)
        AND source IN (SELECT node FROM {{walked}} WHERE distance < $3)
),
named AS (
    SELECT DISTINCT name, language FROM node
    WHERE node.kind <> 'external' AND name IN (SELECT name FROM inside)
),
meant AS (
    SELECT DISTINCT named.name, inside.language FROM named JOIN inside ON inside.name = named.name
    WHERE {can_mean("inside.language", "named.language")}
),
{escaping_functions.HELD}
found AS (
    SELECT source, file, line, text, reason::VARCHAR AS reason, candidates,
        source IN (SELECT node FROM {{walked}} WHERE distance = 0) AS is_first
    FROM inside
    WHERE (name, language) IN (SELECT name, language FROM meant) OR kind = 'call' AND text = name
    {escaping_functions.FORWARD}
)
"""

_MEANT = """
meant AS MATERIALIZED (
    SELECT DISTINCT unnest(CASE WHEN met.subkind = 'constructor' THEN [met.name, class.name]
            ELSE [met.name] END) AS name, met.language AS language,
        met.kind = 'module' AS is_module, met.subkind = 'property' AS is_read,
        walked.distance = 0 AS is_start
    FROM {walked} AS walked JOIN node AS met ON met.key = walked.node
    LEFT JOIN node AS class ON class.key = met.parent
    WHERE walked.distance < $2
),
spoken AS (SELECT DISTINCT language FROM file)
"""
"""The names of what a walk went through, and the languages of the repository."""

_BACKWARD = f"""
WITH {_MEANT},
sought AS MATERIALIZED (
    SELECT name, is_module, is_read, is_start, spoken.language AS language
    FROM meant JOIN spoken ON {can_mean("spoken.language", "meant.language")}
),
open AS (
    SELECT site.*, place.language FROM site JOIN file AS place ON place.key = site.file
    WHERE site.reason IN ({_OPEN_LIST})
        AND (list_contains($1::VARCHAR[], kind::VARCHAR)
            OR kind = 'value' AND list_contains($1::VARCHAR[], 'call'))
        AND source NOT IN ({{answered}})
),
{escaping_functions.ESCAPING}
found AS (
    SELECT source, file, line, text, reason::VARCHAR AS reason, candidates,
        (name, language) IN (SELECT name, language FROM sought WHERE is_start) AS is_first
    FROM open
    WHERE list_contains($1::VARCHAR[], kind::VARCHAR)
            AND ((name, language) IN (SELECT name, language FROM sought WHERE NOT is_module)
                OR kind = 'import' AND (name, language) IN (SELECT name, language FROM sought))
        OR kind = 'value' AND list_contains($1::VARCHAR[], 'call')
            AND (name, language) IN (SELECT name, language FROM sought WHERE is_read)
        {escaping_functions.BACKWARD}{{more}}
)
"""

_BY_NAME = f"""
WITH {_MEANT},
sought AS MATERIALIZED (
    SELECT meant.name AS name, spoken.language AS language, bool_or(NOT is_module) AS is_member,
        bool_or(is_read) AS is_read, bool_or(is_start) AS is_start
    FROM meant JOIN spoken ON {can_mean("spoken.language", "meant.language")} GROUP BY ALL
),
found AS (
    SELECT site.source, site.file, site.line, site.text, site.reason::VARCHAR AS reason,
        site.candidates, sought.is_start AS is_first
    FROM site JOIN file AS place ON place.key = site.file
    JOIN sought ON sought.name = site.name AND sought.language = place.language
    WHERE site.reason IN ({_OPEN_LIST}) AND source NOT IN ({{answered}})
        AND (list_contains($1::VARCHAR[], kind::VARCHAR) AND (is_member OR kind = 'import')
            OR kind = 'value' AND is_read AND list_contains($1::VARCHAR[], 'call')){{more}}
)
"""
"""`_BACKWARD` where no function of the walk is passed on, at a third of the cost: only sites of the
names that are sought matter."""

_LOOK = f"SELECT EXISTS ({escaping_functions.PASSED}), EXISTS ({CLASSES})"
"""Two cells: is a function of the walk passed as a value, so may escape; did it meet classes."""

_DISPATCHES = """
    UNION
    SELECT source, file, line, text, 'virtual', candidates, false
    FROM site JOIN overridden ON overridden.node = site.target
    WHERE list_contains($1::VARCHAR[], kind::VARCHAR)
        AND CASE WHEN passed IS NULL THEN rule IN ('self', 'typed')
            ELSE kind = 'value' OR rule = 'callback'
                OR list_contains($3::VARCHAR[], rule::VARCHAR)
                    AND (is_unlinked OR passed <> '' AND NOT ends_with(text, passed))
                OR is_varied AND rule IN ('inferred', 'returned')
                    AND (file, line, source, text) NOT IN (
                        SELECT file, line, source, text FROM site
                        WHERE rule = 'virtual' AND target IN (SELECT node FROM {walked})) END
        AND target NOT IN (SELECT node FROM {walked})
        AND source NOT IN ({answered})"""


def possible_sites(graph: GraphFile, walked: WalkResult, *, each_site: bool = False) -> Relation:
    """Give the sites that could add to what the walk found: SITE_COLUMNS.

    With `each_site` the answer lists every site, so those in the text of nodes found count too.

    `source` is the id of the node in whose text a site stands. The reason of a call that an
    override may receive is `virtual`. Sites that concern the start itself come first, then by
    place.
    """
    walk, name = walked.walk, walked.table.name
    kinds = [site.value for kind in walk.kinds for site in SITE_KINDS.get(kind, ())]
    values: tuple[Cell, ...] = (kinds, walk.bound)
    apart = languages_apart(graph)
    if walk.direction is Direction.FORWARD:
        sql = _FORWARD.format(walked=name)
        return Relation(
            sql + _ROWS.format(first=_UNKNOWN_FIRST),
            (_OPEN, *values),
            SITE_COLUMNS,
            (walked.table, apart),
        )
    rows = _ROWS.format(first="")
    answered = f"SELECT node FROM {name}" + (" WHERE distance = 0" if each_site else "")
    if EdgeKind.CALLS not in walk.kinds:
        more = BY_MACROS.format(walked=name) if EdgeKind.INHERITS in walk.kinds else ""
        sql = _BY_NAME.format(more=more, walked=name, answered=answered) + rows
        return Relation(sql, values, SITE_COLUMNS, (walked.table, apart))
    asked = Relation(_LOOK.format(walked=name), (walk.bound, walk.bound), inputs=(walked.table,))
    ((is_passed, has_classes),) = graph.run(asked).rows
    overridden = find_overridden(
        graph, walked.table, depth=walk.bound, has_classes=bool(has_classes)
    )
    dispatching = _dispatching(graph, walked)
    computed = find_computed(graph, walked.table, depth=walk.bound)
    more = BY_OTHER_NAMES if is_passed else ""
    more += OF_INSTANCES + BY_INTERFACES if dispatching.rows else ""
    more += BY_COMPUTED_NAMES if computed.rows else ""
    if overridden.rows:
        more += _DISPATCHES
        values = (*values, DISPATCHED)
    more = more.format(walked=name, answered=answered)
    sql = (_BACKWARD if is_passed else _BY_NAME).format(more=more, walked=name, answered=answered)
    needed = [one for one in (overridden, dispatching, computed) if one.rows]
    return Relation(sql + rows, values, SITE_COLUMNS, (walked.table, apart, *needed))


def _dispatching(graph: GraphFile, walked: WalkResult) -> Input:
    """Give the table `dispatching` (`DISPATCHING`), empty for most walks."""
    sql = DISPATCHING.format(walked=walked.table.name)
    values: dict[str, Cell] = {**DISPATCHING_VALUES, "depth": walked.walk.bound}
    found = graph.run(Relation(sql, values, inputs=(walked.table,)), limit=None).rows
    return Input("dispatching", ("language", "is_call_method"), ("VARCHAR", "BOOLEAN"), found)
