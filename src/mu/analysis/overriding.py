"""Where linking cannot tell which override a call runs.

Linking follows a call to the overrides in subclasses that the repository makes instances of (rapid
type analysis) and marks such edges `virtual`. What is left over for an override are the calls of
what it overrides, where that knowledge ends:

- nothing in the text makes an instance of its class or of one below: a name in a setting may;
- there are more overrides than linking follows;
- the method is not called there but handed on.
"""

from typing import Final

from mu.model.kinds import EdgeKind
from mu.model.relation import Input, Relation
from mu.store import GraphFile

_OVERRIDES = EdgeKind.OVERRIDES.value

LINKED_OVERRIDES: Final = 64
"""How many overrides linking follows a call to; `resolve` has the same number."""

_DIRECT = """
SELECT 1 FROM edge WHERE kind = ? AND source IN (SELECT node FROM {walked} WHERE distance < ?)
"""

_OVERRIDDEN = """
WITH RECURSIVE overriding(node, override) AS (
    SELECT edge.target, edge.source FROM edge
    WHERE edge.kind = 'overrides' AND edge.source IN (SELECT node FROM {walked} WHERE distance < ?)
    UNION
    SELECT edge.target, overriding.override FROM overriding JOIN edge
        ON edge.source = overriding.node AND edge.kind = 'overrides'
)
SELECT node, override FROM overriding
"""

_UNLINKED = """
WITH RECURSIVE below(class, override) AS (
    SELECT method.parent, method.key
    FROM node AS method WHERE method.key IN (SELECT override FROM overriding)
    UNION
    SELECT edge.source, below.override FROM below JOIN edge
        ON edge.target = below.class AND edge.kind = 'inherits'
),
made AS (
    SELECT override FROM below
    WHERE class IN (SELECT target FROM edge WHERE edge.kind = 'calls')
),
beneath(node, override) AS (
    SELECT node, node FROM overriding
    UNION
    SELECT beneath.node, edge.source FROM beneath JOIN edge
        ON edge.target = beneath.override AND edge.kind = 'overrides'
),
crowded AS (SELECT node FROM beneath GROUP BY node HAVING count(*) > ?)
SELECT node, bool_or(override NOT IN (FROM made) OR node IN (FROM crowded))
FROM overriding GROUP BY node
"""


def find_overridden(graph: GraphFile, walked: Input, *, depth: int) -> Input:
    """Find the methods that those walked to in less than `depth` steps override, near and far.

    Gives the table `overridden`: `node`, and whether a call of it may reach one of those in a way
    that has no edge (`is_unlinked`).
    """
    names = ("node", "is_unlinked")
    sql = _OVERRIDDEN.format(walked=walked.name)
    asked = Relation(_DIRECT.format(walked=walked.name), (_OVERRIDES, depth), inputs=(walked,))
    if not graph.run(asked, limit=1).rows:  # half of what the recursive query costs
        return Input("overridden", names, ("INTEGER", "BOOLEAN"), ())
    pairs = graph.run(Relation(sql, (depth,), inputs=(walked,)), limit=None).rows
    overriding = Input("overriding", ("node", "override"), ("INTEGER", "INTEGER"), pairs)
    most = LINKED_OVERRIDES + 1  # the method itself is counted, too
    rows = graph.run(Relation(_UNLINKED, (most,), inputs=(overriding,)), limit=None).rows
    return Input("overridden", names, ("INTEGER", "BOOLEAN"), rows)
