"""Calls that may run an override to which linking gave them no edge.

Linking follows a call to the overrides in subclasses that the repository makes instances of (rapid
type analysis) and marks such edges `virtual`. What is left over for an override are the calls of
what it overrides, where that knowledge ends:

- nothing in the text makes an instance of its class or of one below: a name in a setting may;
- there are more overrides than linking follows;
- a variable that holds a class is called to make the receiver, as in `kind().run()`: it may hold
  subclasses that no points-to set has;
- the method is not called there but handed on, as in `handlers = {"a": self.on_a}`.

A call of a class that only the receiver tells (`cls()`) is linked to its subclasses likewise, and
left open where there are too many.
"""

from typing import Final

from mu.model.kinds import Rule
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

LINKED_OVERRIDES: Final = 64
"""How many overrides linking follows a call to; `resolve` has the same number."""

DISPATCHED: Final = [
    rule.value for rule in (Rule.SELF, Rule.INHERITED, Rule.TYPED, Rule.INFERRED, Rule.RETURNED)
]
"""How calls are resolved whose receiver may be an instance of a subclass."""

_MADE = """
made AS (
    SELECT CASE WHEN met.subkind = 'constructor' THEN met.parent ELSE met.key END AS class
    FROM {walked} AS walked JOIN node AS met ON met.key = walked.node
    WHERE walked.distance < ? AND (met.kind = 'class' OR met.subkind = 'constructor')
)
"""

CLASSES = """
SELECT 1 FROM {walked} AS walked JOIN node AS met ON met.key = walked.node
WHERE (met.kind = 'class' OR met.subkind = 'constructor') AND walked.distance < ?
"""
"""Returns a row if a backward walk went through classes or their constructors."""

_DIRECT = """
SELECT 1 FROM edge
WHERE kind = 'overrides' AND source IN (SELECT node FROM {walked} WHERE distance < ?)
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
crowded AS (SELECT node FROM beneath GROUP BY node HAVING count(*) > ?),
passed AS (
    SELECT DISTINCT target FROM site
    WHERE kind = 'value' AND target IN (SELECT node FROM overriding)
        AND list_contains(?::VARCHAR[], rule::VARCHAR)
),
above(class, override) AS (
    SELECT edge.target, method.key
    FROM node AS method JOIN edge ON edge.source = method.parent AND edge.kind = 'inherits'
    WHERE method.key IN (SELECT override FROM overriding)
    UNION
    SELECT edge.target, above.override FROM above JOIN edge
        ON edge.source = above.class AND edge.kind = 'inherits'
),
by_variable AS (
    SELECT CASE WHEN met.subkind = 'constructor' THEN met.parent ELSE met.key END AS class
    FROM site JOIN node AS met ON met.key = site.target
    WHERE site.kind = 'call' AND site.rule IN ('inferred', 'returned')
        AND (met.kind = 'class' OR met.subkind = 'constructor')
),
varied AS (SELECT override FROM above WHERE class IN (FROM by_variable))
SELECT node, bool_or(override NOT IN (FROM made) OR node IN (FROM crowded)),
    first(CASE WHEN passed.target IS NULL THEN '' ELSE node.name END),
    bool_or(override IN (FROM varied))
FROM overriding JOIN node ON node.key = overriding.node
LEFT JOIN passed ON passed.target = overriding.node
GROUP BY node
"""

_CROWDED_CLASSES = f"""
WITH RECURSIVE {_MADE},
above(class) AS (
    SELECT class FROM made
    UNION
    SELECT edge.target FROM above JOIN edge
        ON edge.source = above.class AND edge.kind = 'inherits'
),
below(base, class) AS (
    SELECT target, target FROM site
    WHERE kind = 'call' AND rule IN ('self', 'typed') AND target IN (FROM above)
    UNION
    SELECT below.base, edge.source FROM below JOIN edge
        ON edge.target = below.class AND edge.kind = 'inherits'
)
SELECT base FROM below GROUP BY base HAVING count(*) > ?
"""


def find_overridden(graph: GraphFile, walked: Input, *, depth: int, has_classes: bool) -> Input:
    """Find the methods that those walked to in less than `depth` steps override, near and far.

    `has_classes` says what `CLASSES` does.

    Gives the table `overridden`: `node`, whether a call of it may reach one of those in a way that
    has no edge (`is_unlinked`), its name where it is passed on, so that calls by another name may
    (`passed`, else empty), and whether a call of a variable makes its receivers (`is_varied`). With
    NULL for `passed` it also has base classes of which `cls()` is not linked to every subclass.
    """
    rows: list[tuple[Cell, ...]] = []
    most = LINKED_OVERRIDES + 1  # the method itself is counted, too
    asked = Relation(_DIRECT.format(walked=walked.name), (depth,), inputs=(walked,))
    if graph.run(asked, limit=1).rows:  # half of what the recursive query costs
        asked = Relation(_OVERRIDDEN.format(walked=walked.name), (depth,), inputs=(walked,))
        pairs = graph.run(asked, limit=None).rows
        overriding = Input("overriding", ("node", "override"), ("INTEGER", "INTEGER"), pairs)
        unlinked = Relation(_UNLINKED, (most, DISPATCHED), inputs=(overriding,))
        rows += graph.run(unlinked, limit=None).rows
    if has_classes:
        sql = _CROWDED_CLASSES.format(walked=walked.name)
        classes = graph.run(Relation(sql, (depth, most), inputs=(walked,)), limit=None).rows
        rows += [(key, True, None, False) for (key,) in classes]
    names = ("node", "is_unlinked", "passed", "is_varied")
    types = ("INTEGER", "BOOLEAN", "VARCHAR", "BOOLEAN")
    return Input("overridden", names, types, rows)
