"""All references to a node, resolved and possible."""

from mu.analysis.completeness.cross_language_names import can_mean, languages_apart
from mu.analysis.completeness.verdict import possible_sites
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.traversal import Direction, Walk, whole
from mu.model.kinds import NodeKind
from mu.model.relation import Derived, Relation
from mu.store import GraphFile

_SITES = f"""
WITH RECURSIVE {{meant}}
SELECT site.kind::VARCHAR AS kind, near.id AS source, place.path AS path, site.line AS line,
    site.text AS text, far.id AS target, site.rule::VARCHAR AS rule, NULL::VARCHAR AS reason,
    false AS is_possible
FROM site
JOIN node AS near ON near.key = site.source
JOIN node AS far ON far.key = site.target
JOIN file AS place ON place.key = site.file
WHERE site.target IN (FROM meant) AND site.source NOT IN (FROM meant)
UNION ALL
SELECT site.kind::VARCHAR, near.id, place.path, site.line, site.text, NULL, NULL,
    site.reason::VARCHAR, true
FROM site
JOIN node AS near ON near.key = site.source
JOIN file AS place ON place.key = site.file
WHERE site.reason IN ('unknown', 'ambiguous', 'dynamic') AND site.source NOT IN (FROM meant)
    AND (site.name, place.language) IN (
        SELECT node.name, spoken.language
        FROM node JOIN (SELECT DISTINCT language FROM file) AS spoken
            ON {can_mean("spoken.language", "node.language")}
        WHERE key IN (FROM meant) AND kind IN ('class', 'function', 'variable')
    )
UNION ALL
SELECT 'call', virtual.source, virtual.path, virtual.line, virtual.text, NULL, NULL, 'virtual', true
FROM open_site AS virtual WHERE virtual.reason = 'virtual'
ORDER BY is_possible, path, line, text, target
"""


def sites_of(graph: GraphFile, key: int, *, is_alone: bool = False) -> Relation:
    """Give the sites outside the node that mean it or a part of it, then those that could.

    Definitions inside a function are not parts of it here: they have names of their own.

    Could mean it: a reference of its name, or that of a part of it, that is not resolved and stands
    in a language that can mean it, and a call of a method that one of it overrides, where no edge
    says so.
    """
    walk = Walk(key, Direction.BACKWARD, 1, is_alone=is_alone)
    possible = possible_sites(graph, walk_graph(graph, walk))
    inputs = (languages_apart(graph), Derived("open_site", possible))
    sql = _SITES.format(meant=whole("meant", closed=NodeKind.FUNCTION, is_alone=is_alone))
    return Relation(sql, (key,), inputs=inputs)
