"""Nodes of a walk that code outside the repository may call.

A server calls a view for a request, a runner a command, a library what overrides its method. A test
that goes through these uses what they call, and no edge leads from one to the other.
"""

from typing import Literal

from mu.analysis.completeness.escaping_functions import IS_CALLED, PASSED
from mu.analysis.walks.breadth_first import WalkResult
from mu.analysis.walks.traversal import Direction
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

MOST_REGISTRATIONS = 3
"""Registrations of a node that an answer names."""

_REGISTERED = """
SELECT DISTINCT 'registered as ' || entry.role::VARCHAR
    || CASE WHEN entry.label = '' THEN '' WHEN entry.role = 'route'
        THEN ' ' || concat_ws(' ', nullif(entry.method, ''), entry.label)
        ELSE ' of ' || entry.label END
    || ' at ' || entry.path || ':' || entry.line
    || CASE entry.framework WHEN '' THEN '' ELSE ' (' || entry.framework || ')' END AS said
FROM {walked} AS walked JOIN entry ON entry.node = walked.node
WHERE walked.distance = 0 AND entry.role NOT IN ('test', 'fixture', 'override', 'main')
ORDER BY said
"""

_OVERRIDING = """
SELECT DISTINCT node.key = $start AS is_start, entry.label, node.id
FROM {walked} AS walked JOIN entry ON entry.node = walked.node JOIN node ON node.key = walked.node
WHERE entry.role = 'override' AND node.subkind <> 'constructor' AND walked.distance < $depth
ORDER BY is_start DESC, node.id, entry.label
"""

_HANDED_OVER = f"""
WITH valued AS MATERIALIZED (
    SELECT walked.distance > 0 AS is_further, met.key, met.id, met.name, met.is_test, site.line,
        place.path, place.category = 'test' AS is_in_test,
        site.file = met.file AND site.line = met.start_line AS is_in_place
    FROM {{walked}} AS walked JOIN node AS met ON met.key = walked.node
    JOIN site ON site.target = met.key JOIN file AS place ON place.key = site.file
    WHERE walked.distance < $depth AND site.kind = 'value' AND met.kind = 'function'
        AND met.subkind NOT IN ('property', 'constructor')
        AND NOT {IS_CALLED}
),
followed AS (
    SELECT site.target FROM valued JOIN site ON site.target = valued.key
    WHERE site.kind = 'call'
        AND (is_in_place OR site.name <> valued.name OR site.rule IN ('callback', 'registered'))
    UNION
    SELECT edge.target FROM valued JOIN edge ON edge.target = valued.key
    WHERE edge.kind = 'calls' AND edge.rule IN ('callback', 'registered')
),
called AS (
    SELECT site.target FROM valued JOIN site ON site.target = valued.key
    JOIN file AS caller ON caller.key = site.file
    WHERE site.kind = 'call' AND caller.category <> 'test'
)
SELECT is_further, id, path, line FROM valued
WHERE key NOT IN (FROM followed)
    AND (NOT is_in_test OR is_test OR key NOT IN (FROM called))
    AND NOT EXISTS (
        FROM entry WHERE entry.node = valued.key AND entry.role IN ('test', 'fixture')
    )
ORDER BY is_further, is_in_test, path, line, id
"""
"""Functions that are named as values, where no known call runs what was passed on.

A test that passes on what is called elsewhere is left out.
"""

_VALUES = f"""
SELECT DISTINCT ON (place.category = 'test', place.path, site.line) place.path, site.line
FROM {{walked}} AS walked JOIN site ON site.target = walked.node
JOIN file AS place ON place.key = site.file
WHERE walked.distance = 0 AND site.kind = 'value' AND NOT {IS_CALLED}
ORDER BY place.category = 'test', place.path, site.line
"""

_BASES_OUTSIDE = """
WITH RECURSIVE above(class) AS (
    {class}
    UNION
    SELECT edge.target FROM above JOIN edge ON edge.source = above.class
    WHERE edge.kind = 'inherits'
)
SELECT DISTINCT base.qualified_name FROM above JOIN node AS base ON base.key = above.class
WHERE base.kind = 'external'
    AND NOT EXISTS (FROM harmless WHERE harmless.language = base.language
        AND base.name GLOB harmless.pattern)
UNION
SELECT site.text FROM above JOIN site ON site.source = above.class
WHERE site.kind = 'base' AND site.target IS NULL
ORDER BY ALL
"""

_OF_METHOD = """
    SELECT parent FROM node
    WHERE key = $start AND kind = 'function' AND visibility IN ('public', 'protected')
"""
_OF_MEMBER = "SELECT CASE kind WHEN 'class' THEN key ELSE parent END FROM node WHERE key = $start"

_METHOD = """
SELECT language, name FROM node
WHERE key = $start AND kind = 'function' AND subkind <> 'constructor'
    AND parent IN (SELECT key FROM node WHERE kind = 'class')
    AND NOT EXISTS (
        FROM entry JOIN node AS member ON member.key = entry.node
        WHERE member.parent = node.parent AND role IN ('test', 'fixture')
    )
"""
"""The name of a method whose class has no tests or fixtures."""

_ENTERED = """
WITH near AS (
    SELECT node.* FROM {walked} AS walked JOIN node ON node.key = walked.node
    WHERE walked.distance < $depth AND NOT node.is_test
)
SELECT near.id, entry.role::VARCHAR || CASE entry.framework WHEN '' THEN '' ELSE ' of ' END
    || entry.framework
FROM near JOIN entry ON entry.node = near.key WHERE entry.role NOT IN ('test', 'fixture')
UNION ALL
SELECT near.id, '@' || trim(split_part(given.decorator, '(', 1))
FROM near, unnest(near.decorators) AS given(decorator)
WHERE near.language IN (SELECT language FROM wrapper) AND NOT EXISTS (
    FROM wrapper WHERE wrapper.language = near.language
        AND trim(split_part(given.decorator, '(', 1)) GLOB wrapper.pattern
)
ORDER BY ALL
"""


def registrations(graph: GraphFile, walked: WalkResult) -> tuple[str, ...]:
    """Say where the start of a backward walk is registered to be called, and as what.

    Such as `registered as receiver of user_logged_in at app/apps.py:28 (django)`; tests and
    fixtures are left out.
    """
    if walked.walk.direction is Direction.FORWARD:
        return ()
    sql = _REGISTERED.format(walked=walked.table.name)
    found = graph.run(Relation(sql, inputs=(walked.table,)), limit=MOST_REGISTRATIONS + 1)
    more = found.total - MOST_REGISTRATIONS
    told = tuple(str(row[0]) for row in found.rows[:MOST_REGISTRATIONS])
    return (*told, f"and registered at {more} more places") if more > 0 else told


def external_calls_note(
    graph: GraphFile, walked: WalkResult, *, is_empty: bool, of_start: bool
) -> str:
    """Say what code outside the repository may call of what a backward walk went through.

    That is a method that overrides one of the library's, or has its name where types do not say
    what they implement. What runs it is handed an instance: the graph knows many of these calls,
    not all. Where the answer `is_empty`, any public method of a class with a base outside is one.
    Empty when there is none, or it is not about the start and only that is asked (`of_start`).
    """
    if walked.walk.direction is Direction.FORWARD:
        return ""
    sql = _OVERRIDING.format(walked=walked.table.name)
    start = {"start": walked.walk.key}
    values = {"depth": walked.walk.bound, **start}
    rows = graph.run(Relation(sql, values, inputs=(walked.table,)), limit=None).rows
    if rows and (rows[0][0] or not of_start):
        is_start, label, node = rows[0]
        whose = "it" if is_start else str(node)
        more = f", {len(rows) - 1} more override others" if len(rows) > 1 else ""
        return f"{whose} overrides {label}, which code outside the repository may call{more}"
    method = graph.run(Relation(_METHOD, start)).rows
    if not method:
        return ""
    from mu.languages.entry_points import load_entry_points, may_be_library_method

    name = str(method[0][1])
    for known in load_entry_points() if may_be_library_method(name) else ():
        for dotted in known.methods if known.language == method[0][0] else ():
            if dotted.rpartition(".")[2] == name:
                return f"code outside the repository may call it as {dotted}"
    if not is_empty:
        return ""
    bases = _bases_outside(graph, walked.walk.key, sql=_OF_METHOD)
    if not bases:
        return ""
    return f"code outside the repository may call it: its class has the base {bases[0]}"


def bases_outside(graph: GraphFile, key: int) -> tuple[str, ...]:
    """Give the bases of a class, or of that of a member, whose members the graph does not have.

    They are outside the repository, or not resolved; those that are known to have nothing to
    override, such as `Enum`, are left out.
    """
    return _bases_outside(graph, key, sql=_OF_MEMBER)


def _bases_outside(graph: GraphFile, key: int, *, sql: str) -> tuple[str, ...]:
    sql = _BASES_OUTSIDE.replace("{class}", sql)
    inputs = (_patterns("harmless", "bases"),)
    rows = graph.run(Relation(sql, {"start": key}, inputs=inputs), limit=None).rows
    return tuple(str(row[0]) for row in rows)


def passed_functions_note(
    graph: GraphFile, walked: WalkResult, *, knows_places: bool = False
) -> str:
    """Say where a function of a backward walk is passed on or stored and no known call runs it so.

    What does may be outside the repository, such as a library that keeps a table of handlers, or
    in it. Empty when there is none. `knows_places` leaves out where, for one who was told.
    """
    if walked.walk.direction is Direction.FORWARD:
        return ""
    asked = PASSED.format(walked=walked.table.name)
    passed = Relation(asked, (walked.walk.bound,), inputs=(walked.table,))
    if not graph.run(passed, limit=1).rows:  # a twentieth of what the rest costs
        return ""
    sql = _HANDED_OVER.format(walked=walked.table.name)
    values = {"depth": walked.walk.bound}
    found = graph.run(Relation(sql, values, inputs=(walked.table,)), limit=1)
    if not found.rows:
        return ""
    is_further, node, path, line = found.rows[0]
    may = "code outside the repository may call"
    if knows_places and not is_further:
        return f"{may} it, as it is passed on as a value"
    whose = str(node) if is_further else "it"
    more = f" and at {found.total - 1} more" if found.total > 1 else ""
    return (
        f"{whose} is passed on as a value at {path}:{line}{more}, and {may} it: "
        f"see `mu references {node}`"
    )


def value_uses(graph: GraphFile, walked: WalkResult) -> tuple[list[tuple[str, int]], int]:
    """Give where the start of a backward walk is named as a value, not called; and how often.

    At most MOST_REGISTRATIONS places, as path and line, those in tests last.
    """
    sql = _VALUES.format(walked=walked.table.name)
    found = graph.run(Relation(sql, inputs=(walked.table,)), limit=MOST_REGISTRATIONS)
    return [(str(path), int(str(line))) for path, line in found.rows], found.total


def entry_nodes(graph: GraphFile, walked: WalkResult) -> tuple[str, ...]:
    """Say for each node that code outside calls how that comes: `fn:a.py:view (route of django)`.

    They are those that a backward walk went on from; tests are none of them.
    """
    sql = _ENTERED.format(walked=walked.table.name)
    values = {"depth": walked.walk.bound}
    rows = graph.run(
        Relation(sql, values, inputs=(walked.table, _patterns("wrapper", "wrappers"))), limit=None
    ).rows
    first: dict[str, str] = {}
    for node, how in rows:
        first.setdefault(str(node), str(how))
    return tuple(f"{node} ({how})" for node, how in first.items())


def _patterns(name: str, what: Literal["wrappers", "bases"]) -> Input:
    """Give as a table the decorators that only wrap, or the bases that call nothing added."""
    from mu.languages.entry_points import load_entry_points

    rows: list[tuple[Cell, ...]] = [
        (known.language, pattern)
        for known in load_entry_points()
        for pattern in (known.wrappers if what == "wrappers" else known.bases)
    ]
    return Input(name, ("language", "pattern"), ("VARCHAR", "VARCHAR"), rows)
