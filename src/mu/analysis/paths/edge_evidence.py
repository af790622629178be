"""Evidence in the ledger for edges between two nodes: the edges, their sites, and other outcomes.

Both ends stand for all they contain. Where one contains the other, what the inner one says of
itself is left out. A site inside the lines of a definition that the body around it runs counts for
the definition too, as it does in a walk; `traversal` says why.
"""

from typing import NamedTuple

from mu.analysis.completeness.cross_language_names import can_mean, languages_apart
from mu.analysis.walks.traversal import whole
from mu.model.kinds import EdgeKind, Reason, SiteKind
from mu.model.relation import Relation
from mu.store import GraphFile


class Link(NamedTuple):
    """An edge, by the ids of its ends; `confidence` is measured or None."""

    source: str
    target: str
    kind: str
    role: str
    rule: str
    confidence: float | None
    sites: int
    path: str | None
    line: int


class LinkSite(NamedTuple):
    """A site that means a node.

    `holder` is the id of the definition whose lines it stands in where the body around it runs it,
    else empty.
    """

    holder: str
    source: str
    target: str
    kind: str
    rule: str
    path: str
    line: int
    text: str
    name: str


class SiteAnswer(NamedTuple):
    """One of several answers to a site."""

    kind: str
    path: str
    line: int
    text: str
    name: str
    target: str
    rule: str


class NamedSite(NamedTuple):
    """A site with a name that is looked for; `targets` are the ids of what it means instead.

    `is_foreign`: it stands in a language that cannot mean what is looked for.
    """

    source: str
    kind: str
    path: str
    line: int
    text: str
    name: str
    rule: str | None
    reason: str | None
    candidates: int
    targets: list[str] | None
    is_foreign: bool


class Member(NamedTuple):
    """The class around a definition, and what its method calls the instance: empty when nothing."""

    key: int
    id: str
    receiver: str


OPEN_REASONS = (Reason.UNKNOWN, Reason.AMBIGUOUS, Reason.DYNAMIC)

EDGE_OF = {
    SiteKind.IMPORT: EdgeKind.IMPORTS,
    SiteKind.CALL: EdgeKind.CALLS,
    SiteKind.BASE: EdgeKind.INHERITS,
    SiteKind.ANNOTATION: EdgeKind.USES,
    SiteKind.DECORATOR: EdgeKind.USES,
    SiteKind.VALUE: EdgeKind.USES,
}
"""The kind of edge that a sort of site gives."""

_ENDS = f"WITH RECURSIVE {whole('one')}, {whole('other')}"
_BETWEEN = """{this}.source IN (FROM one) AND {this}.target IN (FROM other)
    AND NOT ({this}.source IN (FROM other) AND {this}.target IN (FROM one))"""

_LINKS = f"""{_ENDS}
SELECT near.id AS source, far.id AS target, edge.kind::VARCHAR AS kind, edge.role AS role,
    edge.rule::VARCHAR AS rule, measured."right" / measured.judged AS confidence,
    edge.sites AS sites, place.path AS path, edge.line AS line
FROM edge
JOIN node AS near ON near.key = edge.source
JOIN node AS far ON far.key = edge.target
LEFT JOIN file AS place ON place.key = near.file
LEFT JOIN measured ON measured.language = near.language AND measured.rule = edge.rule
    AND measured.judged >= 20
WHERE {_BETWEEN.format(this="edge")}
ORDER BY edge.kind, near.key, far.key, edge.role
"""

_SITES = f"""{_ENDS}
SELECT site.holder AS holder, near.id AS source, far.id AS target, site.kind::VARCHAR AS kind,
    site.rule::VARCHAR AS rule, place.path AS path, site.line AS line, site.text AS text,
    site.name AS name
FROM (
    SELECT site.*, '' AS holder FROM site WHERE {_BETWEEN.format(this="site")}
    UNION ALL
    SELECT site.*, definition.id
    FROM site JOIN node AS definition ON definition.parent = site.source
        AND site.line BETWEEN definition.start_line AND definition.end_line
    WHERE definition.key IN (FROM one) AND site.target IN (FROM other) AND site.kind <> 'import'
        AND site.source NOT IN (FROM one) AND site.target NOT IN (FROM one)
) AS site
JOIN node AS near ON near.key = site.source
JOIN node AS far ON far.key = site.target
JOIN file AS place ON place.key = site.file
ORDER BY site.kind, near.key, far.key, place.path, site.line, site.text
"""

_ANSWERS = """
SELECT DISTINCT site.kind::VARCHAR AS kind, place.path AS path, site.line AS line,
    site.text AS text, site.name AS name, far.id AS target, site.rule::VARCHAR AS rule
FROM site
JOIN node AS near ON near.key = site.source
JOIN node AS far ON far.key = site.target
JOIN file AS place ON place.key = site.file
WHERE near.id = ? AND (site.candidates > 1 OR site.kind = 'value')
ORDER BY site.rule::VARCHAR = 'virtual', far.id
"""

_IMPORT = """
WITH RECURSIVE chain(node, far) AS (
    SELECT key, 0 FROM node WHERE id = $1
    UNION
    SELECT node.parent, chain.far + 1 FROM chain JOIN node ON node.key = chain.node
    WHERE node.parent IS NOT NULL
)
SELECT site.line
FROM site JOIN chain ON chain.node = site.target
JOIN file AS place ON place.key = site.file
WHERE place.path = $2 AND site.kind = 'import'
ORDER BY chain.far, site.name <> $3, NOT site.line BETWEEN $4 AND $5, site.line
LIMIT 1
"""

_NAMED = f"""{_ENDS.replace("?", "${}").format(1, 2)},
sought AS (
    SELECT name, key = $2 AS is_it FROM node WHERE key IN (FROM other) AND kind <> 'variable'
    UNION
    SELECT class.name, true FROM node AS method JOIN node AS class ON class.key = method.parent
    WHERE method.key = $2 AND method.subkind = 'constructor'
)
FROM (
SELECT near.id AS source, site.kind::VARCHAR AS kind, place.path AS path, site.line AS line,
    site.text AS text, site.name AS name, first(site.rule::VARCHAR ORDER BY site.choice) AS rule,
    first(site.reason::VARCHAR ORDER BY site.choice) AS reason, max(site.candidates) AS candidates,
    list(DISTINCT far.id ORDER BY far.id) FILTER (far.id IS NOT NULL) AS targets,
    NOT ({can_mean("place.language", "(SELECT language FROM node WHERE key = $2)")}) AS is_foreign
FROM site
JOIN node AS near ON near.key = site.source
JOIN file AS place ON place.key = site.file
LEFT JOIN node AS far ON far.key = site.target
WHERE site.source IN (FROM one) AND site.source NOT IN (FROM other)
    AND (site.name IN (SELECT name FROM sought WHERE is_it)
        OR list_contains($3::VARCHAR[], site.reason::VARCHAR)
            AND site.name IN (SELECT name FROM sought))
GROUP BY ALL
HAVING NOT bool_or(coalesce(site.target IN (FROM other), false))
)
ORDER BY reason IS NULL OR reason = 'external', path, line, text
"""

_AROUND = """
WITH RECURSIVE chain(node, member, far) AS (
    SELECT key, NULL::INTEGER, 0 FROM node WHERE id = ?
    UNION
    SELECT node.parent, node.key, chain.far + 1 FROM chain JOIN node ON node.key = chain.node
    WHERE node.parent IS NOT NULL
)
SELECT class.key AS key, class.id AS id,
    CASE WHEN method.is_static THEN '' ELSE coalesce(list_extract(method.parameters, 1), '') END
        AS receiver
FROM chain
JOIN node AS class ON class.key = chain.node AND class.kind = 'class'
LEFT JOIN node AS method ON method.key = chain.member
WHERE chain.far > 0
ORDER BY chain.far LIMIT 1
"""

_IMPORT_LINES = """
SELECT min(edge.line) AS line
FROM edge
JOIN node AS near ON near.key = edge.source
JOIN node AS far ON far.key = edge.target
WHERE edge.kind = 'imports'
    AND near.file = (SELECT file FROM node WHERE key = ?)
    AND far.file = (SELECT file FROM node WHERE key = ?)
"""


def links(start: int, goal: int) -> Relation:
    """Give the edges from `start` to `goal`: `Link`."""
    return Relation(_LINKS, (start, goal), Link._fields)


def link_sites(start: int, goal: int) -> Relation:
    """Give the sites in `start` that mean `goal`: `LinkSite`."""
    return Relation(_SITES, (start, goal), LinkSite._fields)


def answers_of(source: str) -> Relation:
    """Give the answers of those sites in the node `source` that have several: `SiteAnswer`."""
    return Relation(_ANSWERS, (source,), SiteAnswer._fields)


def bringing_import(target: str, path: str, *, name: str, lines: tuple[int, int]) -> Relation:
    """Give the line of the import in the file `path` that brings in the node `target`.

    Of several the one counts that takes the node itself, then one that takes what contains it, by
    the `name` that the text begins with, and within the `lines` of who uses it.
    """
    return Relation(_IMPORT, (target, path, name, *lines), ("line",))


def class_around(member: str) -> Relation:
    """Give the class that the node `member` stands in: `Member`, or no row."""
    return Relation(_AROUND, (member,), Member._fields)


def named_sites(graph: GraphFile, start: int, *, goal: int) -> Relation:
    """Give the sites in `start` that have the name of `goal` and mean something else: `NamedSite`.

    Of those that are not resolved also the ones that have the name of what `goal` contains; they
    come first.
    """
    reasons = [reason.value for reason in OPEN_REASONS]
    values = (start, goal, reasons)
    return Relation(_NAMED, values, NamedSite._fields, (languages_apart(graph),))


def import_line(start: int, goal: int) -> Relation:
    """Give the first line on which the file of `start` imports that of `goal`; NULL for none."""
    return Relation(_IMPORT_LINES, (start, goal), ("line",))
