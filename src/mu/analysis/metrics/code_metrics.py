"""Measures of modules, classes and functions, one published definition each.

Tests are left out, of what is measured and of what it depends on or is used by; of what complexity,
hotspots and untested measure also the files that `maintained_code` leaves out. A dependency is an
edge that imports, calls, inherits, overrides or uses. Between modules it is one that the text of
the file names, by an import or a name of its own; what is only reached through a value, such as a
handler that was registered, is none: a framework does not depend on its applications.

- coupling: Martin, OO Design Quality Metrics (1994). Ca is how many modules depend on one, Ce on
  how many it depends; I = Ce / (Ca + Ce), and 0 where both are 0; A is the share of its classes
  that are abstract, and 0 without a class; D = |A + I - 1|.
- cohesion: LCOM4 of Hitz and Montazeri, Measuring Coupling and Cohesion in Object-Oriented Systems
  (1995): the number of groups of methods of which none shares a field with one of another group or
  calls it. Constructors and static methods do not count.
- complexity: McCabe, A Complexity Measure (1976), as the graph has it.
- hotspots: Henry and Kafura, Software Structure Metrics Based on Information Flow (1981):
  lines * (fan-in * fan-out)^2.
- untested: static test reachability as Alves and Visser, Static Estimation of Test Coverage (2009),
  use it: functions that no test leads to by calls and names.
"""

from collections.abc import Iterable

from mu.model.kinds import DEPENDENCY_KINDS
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

Columns = tuple[tuple[str, str], ...]
"""Name and the engine's type of each column."""

_NODE: Columns = (("id", "VARCHAR"), ("name", "VARCHAR"), ("kind", "VARCHAR"), ("path", "VARCHAR"))
_PLACE: Columns = (*_NODE, ("line", "INTEGER"))

COUPLING_COLUMNS: Columns = (
    *_NODE,
    ("ca", "BIGINT"),
    ("ce", "BIGINT"),
    ("instability", "DOUBLE"),
    ("abstractness", "DOUBLE"),
    ("distance", "DOUBLE"),
)
COHESION_COLUMNS: Columns = (
    *_PLACE,
    ("methods", "BIGINT"),
    ("fields", "BIGINT"),
    ("lcom4", "INTEGER"),
)
COMPLEXITY_COLUMNS: Columns = (*_PLACE, ("complexity", "INTEGER"), ("lines", "INTEGER"))
HOTSPOTS_COLUMNS: Columns = (
    *_PLACE,
    ("lines", "INTEGER"),
    ("fan_in", "BIGINT"),
    ("fan_out", "BIGINT"),
    ("score", "DOUBLE"),
)
UNTESTED_COLUMNS: Columns = (*_PLACE, ("complexity", "INTEGER"), ("is_possible", "BOOLEAN"))

_KINDS = ", ".join(f"'{kind.value}'" for kind in DEPENDENCY_KINDS)

MODULE_PAIRS = f"""
top AS (
    SELECT file, min(key) AS key FROM node WHERE kind = 'module' AND file IS NOT NULL GROUP BY file
),
module_pair AS (
    SELECT DISTINCT one.key AS source, other.key AS target
    FROM edge
    JOIN node AS near ON near.key = edge.source JOIN top AS one ON one.file = near.file
    JOIN node AS far ON far.key = edge.target JOIN top AS other ON other.file = far.file
    WHERE edge.kind IN ({_KINDS}) AND one.key <> other.key AND NOT near.is_test AND NOT far.is_test
        AND edge.rule NOT IN ('virtual', 'callback', 'inferred', 'returned', 'typed', 'unique-name')
)
"""
"""Common tables: the module of each file, and which module depends on which."""

_COUPLING = f"""
WITH {MODULE_PAIRS},
abstract AS (
    SELECT class.file, count(*) AS classes,
        count(*) FILTER (class.is_abstract OR class.subkind IN ('interface', 'protocol', 'trait')
            OR class.key IN (SELECT parent FROM node WHERE is_abstract)) AS abstract
    FROM node AS class WHERE class.kind = 'class' GROUP BY class.file
),
counted AS (
    SELECT top.key AS key,
        (SELECT count(*) FROM module_pair WHERE target = top.key) AS ca,
        (SELECT count(*) FROM module_pair WHERE source = top.key) AS ce,
        coalesce(abstract.abstract / abstract.classes, 0)::DOUBLE AS a
    FROM top LEFT JOIN abstract ON abstract.file = top.file
)
SELECT module.id AS id, module.name AS name, module.kind::VARCHAR AS kind, place.path AS path,
    counted.ca AS ca, counted.ce AS ce,
    CASE WHEN ca + ce = 0 THEN 0 ELSE round(ce / (ca + ce), 3) END::DOUBLE AS instability,
    round(counted.a, 3) AS abstractness,
    round(abs(abstractness + instability - 1), 3) AS distance
FROM counted JOIN node AS module ON module.key = counted.key JOIN file AS place
    ON place.key = module.file
WHERE NOT module.is_test
ORDER BY distance DESC, ca + ce DESC, place.path
"""

_METHODS = """
SELECT method.parent AS class, method.key AS method, target.key AS target,
    target.kind = 'variable' AS is_field
FROM node AS method
JOIN node AS class ON class.key = method.parent
LEFT JOIN edge ON edge.source = method.key AND edge.kind IN ('calls', 'uses')
LEFT JOIN node AS target ON target.key = edge.target AND (
    target.parent = method.parent AND target.kind = 'function'
    OR target.kind = 'variable' AND target.parent IN (SELECT key FROM node WHERE kind = 'class'))
WHERE class.kind = 'class' AND method.kind = 'function' AND method.subkind <> 'constructor'
    AND NOT method.is_static AND NOT method.is_test AND NOT class.is_test
ORDER BY ALL
"""

_COHESION = """
SELECT class.id AS id, class.name AS name, class.kind::VARCHAR AS kind, place.path AS path,
    class.start_line AS line, grouped.methods AS methods, grouped.fields AS fields,
    grouped.lcom4 AS lcom4
FROM grouped JOIN node AS class ON class.key = grouped.class
JOIN file AS place ON place.key = class.file
ORDER BY grouped.lcom4 DESC, grouped.methods DESC, place.path, class.start_line
"""

_COMPLEXITY = """
SELECT node.id AS id, node.name AS name, node.kind::VARCHAR AS kind, place.path AS path,
    node.start_line AS line, node.complexity AS complexity, node.lines AS lines
FROM node JOIN file AS place ON place.key = node.file
WHERE node.kind = 'function' AND NOT node.is_test AND node.file NOT IN (FROM left_out)
ORDER BY node.complexity DESC, node.lines DESC, place.path, node.start_line
"""

_HOTSPOTS = f"""
WITH dependency AS (
    SELECT DISTINCT edge.source, edge.target
    FROM edge JOIN node AS near ON near.key = edge.source JOIN node AS far ON far.key = edge.target
    WHERE edge.kind IN ({_KINDS}) AND edge.source <> edge.target AND NOT near.is_test
        AND NOT far.is_test AND far.kind <> 'external'
),
incoming AS (SELECT target AS key, count(*) AS total FROM dependency GROUP BY target),
outgoing AS (SELECT source AS key, count(*) AS total FROM dependency GROUP BY source)
SELECT node.id AS id, node.name AS name, node.kind::VARCHAR AS kind, place.path AS path,
    node.start_line AS line, node.lines AS lines, coalesce(incoming.total, 0) AS fan_in,
    coalesce(outgoing.total, 0) AS fan_out, node.lines * (fan_in * fan_out)::DOUBLE ** 2 AS score
FROM node JOIN file AS place ON place.key = node.file
LEFT JOIN incoming ON incoming.key = node.key LEFT JOIN outgoing ON outgoing.key = node.key
WHERE node.kind = 'function' AND NOT node.is_test AND node.file NOT IN (FROM left_out)
ORDER BY score DESC, node.lines DESC, place.path, node.start_line
"""

_UNTESTED = """
WITH RECURSIVE reached(key) AS (
    SELECT key FROM node WHERE is_test
    UNION
    SELECT edge.target FROM reached JOIN edge ON edge.source = reached.key
    WHERE edge.kind IN ('calls', 'uses')
),
named AS (
    SELECT DISTINCT name FROM site
    WHERE reason IN ('unknown', 'ambiguous', 'dynamic') AND source IN (FROM reached)
)
SELECT node.id AS id, node.name AS name, node.kind::VARCHAR AS kind, place.path AS path,
    node.start_line AS line, node.complexity AS complexity,
    node.name IN (FROM named) AS is_possible
FROM node JOIN file AS place ON place.key = node.file
WHERE node.kind = 'function' AND NOT node.is_test AND node.key NOT IN (FROM reached)
    AND node.file NOT IN (FROM left_out)
ORDER BY is_possible, node.complexity DESC, place.path, node.start_line, node.key
"""


def coupling() -> Relation:
    """Give the coupling of each module, the furthest from the main sequence first."""
    return Relation(_COUPLING)


def cohesion(graph: GraphFile) -> Relation:
    """Give LCOM4 of each class that has a method, the least cohesive first."""
    rows = graph.run(Relation(_METHODS), limit=None).rows
    names = ("class", "methods", "fields", "lcom4")
    types = ("INTEGER", "BIGINT", "BIGINT", "INTEGER")
    return Relation(_COHESION, inputs=(Input("grouped", names, types, list(_groups(rows))),))


def complexity(left_out: Input) -> Relation:
    """Give the complexity of each function, the most complex first."""
    return Relation(_COMPLEXITY, inputs=(left_out,))


def hotspots(left_out: Input) -> Relation:
    """Give the flow of information through each function, the most first."""
    return Relation(_HOTSPOTS, inputs=(left_out,))


def untested(left_out: Input) -> Relation:
    """Give the functions that no test leads to, the most complex first.

    `is_possible` says that an unresolved reference on the way has the function's name; such rows
    come last.
    """
    return Relation(_UNTESTED, inputs=(left_out,))


def _groups(rows: Iterable[tuple[Cell, ...]]) -> Iterable[tuple[Cell, ...]]:
    """Count the methods, the fields they use and the groups they form, class by class."""
    by_class: dict[Cell, list[tuple[Cell, ...]]] = {}
    for row in rows:
        by_class.setdefault(row[0], []).append(row[1:])
    for class_key, links in by_class.items():
        leader: dict[Cell, Cell] = {}
        for method, target, _ in links:
            first = _leader(leader, method)
            if target is not None:
                leader[_leader(leader, target)] = first
        methods = {method for method, _, _ in links}
        fields = {target for _, target, is_field in links if is_field}
        groups = {_leader(leader, method) for method in methods}
        yield class_key, len(methods), len(fields), len(groups)


def _leader(leader: dict[Cell, Cell], member: Cell) -> Cell:
    leader.setdefault(member, member)
    while leader[member] != member:
        leader[member] = leader[leader[member]]
        member = leader[member]
    return member
