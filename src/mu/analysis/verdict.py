"""Which references that were never resolved could add to an answer.

Backward (who uses it) such a site has the name of a node that the walk went through; forward (what
it uses) it stands in the text of one. Either way it has to be of a sort that gives edges of the
kinds followed, its reason must not be `external`, and it must be able to change the answer: a site
whose own node is already in a backward answer adds nothing, and a name that nothing in the
repository bears cannot mean anything in it.

What was resolved may also reach further than its edge says: a method that is called on an instance,
or handed on from it, may be what a subclass overrides it with. Such a site counts as open for the
override.
"""

from mu.analysis.traversal import Direction, Walk, tables
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind
from mu.model.relation import Relation

SITE_COLUMNS = ("path", "line", "text", "reason")

_SITE_KINDS = {
    EdgeKind.IMPORTS: (SiteKind.IMPORT,),
    EdgeKind.CALLS: (SiteKind.CALL,),
    EdgeKind.INHERITS: (SiteKind.BASE,),
    EdgeKind.USES: (SiteKind.ANNOTATION, SiteKind.DECORATOR, SiteKind.VALUE),
}
"""Which sites give edges of a kind; the others follow from definitions alone."""

_OPEN = (Reason.UNKNOWN, Reason.AMBIGUOUS, Reason.DYNAMIC)

_BACKWARD = """
    AND open.name IN (
        SELECT met.name FROM seen JOIN node AS met ON met.key = seen.node WHERE seen.distance < ?
    )
    AND open.source NOT IN (SELECT node FROM seen)
"""

_FORWARD = """
    AND open.source IN (SELECT node FROM seen WHERE seen.distance < ?)
    AND open.name IN (SELECT met.name FROM node AS met WHERE met.kind <> 'external')
"""

_NAMED_LIKE_START = (
    "open.name IN (SELECT near.name FROM start JOIN node AS near ON near.key = start.node)"
)


_DISPATCHED = (Rule.SELF, Rule.INHERITED, Rule.TYPED, Rule.INFERRED, Rule.RETURNED)
"""How calls are resolved whose receiver may be an instance of a subclass."""

_OVERRIDDEN = """,
overriding AS (
    SELECT node FROM seen WHERE seen.distance < ?
    UNION
    SELECT edge.target FROM overriding JOIN edge
        ON edge.source = overriding.node AND edge.kind = 'overrides'
)"""

_DISPATCHES = """
UNION
SELECT place.path, open.line, open.text, 'virtual' AS reason, false AS is_first
FROM site AS open JOIN file AS place ON place.key = open.file
WHERE list_contains(?::VARCHAR[], open.kind::VARCHAR)
    AND open.kind IN ('call', 'value')
    AND list_contains(?::VARCHAR[], open.rule::VARCHAR)
    AND open.target IN (SELECT node FROM overriding)
    AND open.target NOT IN (SELECT node FROM seen)
    AND open.source NOT IN (SELECT node FROM seen)
"""


def possible_sites(walk: Walk) -> Relation:
    """Give the sites that could add to what `walk` finds: SITE_COLUMNS.

    The reason of a call that an override may receive is `virtual`. Sites that concern the start
    itself come first, then by place.
    """
    common = tables(walk)
    kinds = [site.value for kind in walk.kinds for site in _SITE_KINDS.get(kind, ())]
    reasons = [reason.value for reason in _OPEN]
    is_forward = walk.direction is Direction.FORWARD
    narrowing = _FORWARD if is_forward else _BACKWARD
    first = "open.source IN (FROM start)" if is_forward else _NAMED_LIKE_START
    dispatches = not is_forward and EdgeKind.CALLS in walk.kinds
    sql = f"""
WITH RECURSIVE {common.sql}{_OVERRIDDEN if dispatches else ""}
SELECT path, line, text, reason FROM (
SELECT
    place.path AS path,
    open.line AS line,
    open.text AS text,
    open.reason::VARCHAR AS reason,
    {first} AS is_first
FROM site AS open JOIN file AS place ON place.key = open.file
WHERE list_contains(?::VARCHAR[], open.reason::VARCHAR)
    AND list_contains(?::VARCHAR[], open.kind::VARCHAR)
{narrowing}{_DISPATCHES if dispatches else ""}
)
ORDER BY is_first DESC, path, line, text
"""
    before = (walk.depth,) if dispatches else ()
    after = (kinds, [rule.value for rule in _DISPATCHED]) if dispatches else ()
    parameters = (*common.parameters, *before, reasons, kinds, walk.depth, *after)
    return Relation(sql, parameters, SITE_COLUMNS)
