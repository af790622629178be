"""All references to a node by which it can be renamed: from outside of it, and from inside.

A node stands for all it contains, so that inside of it there are references to its parts. Of these
only those are given that mean the node itself: a call of a function in its own body, and a class
that is named in its own body.
"""

from mu.analysis.completeness.node_references import sites_of
from mu.analysis.walks.traversal import whole
from mu.model.kinds import NodeKind
from mu.model.relation import Derived, Relation
from mu.store import GraphFile

_REFERENCES = """
WITH RECURSIVE {meant},
itself AS (
    SELECT node.key, node.name FROM node JOIN node AS asked ON asked.key = ?
    WHERE node.key IN (FROM meant)
        AND (node.parent IS NOT DISTINCT FROM asked.parent
            OR node.parent = asked.key AND node.subkind = 'constructor')
),
found AS (
    FROM outside
    UNION ALL
    SELECT site.kind::VARCHAR, near.id, place.path, site.line, site.text, far.id,
        site.rule::VARCHAR, NULL, false
    FROM site
    JOIN node AS near ON near.key = site.source
    JOIN node AS far ON far.key = site.target
    JOIN file AS place ON place.key = site.file
    WHERE site.target IN (SELECT key FROM itself) AND site.source IN (FROM meant)
    UNION ALL
    SELECT site.kind::VARCHAR, near.id, place.path, site.line, site.text, NULL, NULL,
        site.reason::VARCHAR, true
    FROM site
    JOIN node AS near ON near.key = site.source
    JOIN file AS place ON place.key = site.file
    WHERE site.reason IN ('unknown', 'ambiguous', 'dynamic') AND site.source IN (FROM meant)
        AND site.name IN (SELECT name FROM itself)
)
SELECT found.* FROM found JOIN node ON node.id = found.source
ORDER BY found.is_possible, node.is_test, found.path, found.line, found.text, found.target
"""


def references_to(graph: GraphFile, key: int, *, is_alone: bool = False) -> Relation:
    """Give the references outside a node as `sites_of` does, and those inside that mean itself.

    Those that are resolved come first, and of these tests last.

    Inside, one of its name that is not resolved could mean it. With `is_alone` other definitions
    of its name are not meant.
    """
    outside = Derived("outside", sites_of(graph, key, is_alone=is_alone))
    sql = _REFERENCES.format(meant=whole("meant", closed=NodeKind.FUNCTION, is_alone=is_alone))
    return Relation(sql, (key, key), inputs=(outside,))
