"""Dead code: definitions that no entry point reaches, as far as the text shows.

What is alive is marked from what surely runs, and the rest is listed. Alive are:

- the body of every file, all tests, generated code, and the entry points that linking found: what
  manifests name, routes, and what overrides a method of the library;
- what something alive imports into a package (which exports it), calls, inherits or names. An
  import into another file alone is no use: what is used of it has an edge of its own;
- what a definition inside it makes alive: a class, when a method of it is used;
- an entry point, as soon as what it stands in is alive: a name that the run-time or a tool looks
  for, what is decorated by anything that may register it, a method of a class whose base outside
  the repository may call it, what a configuration file defines for the tool that loads it, and
  properties and fields, whose reads are not all recorded;
- all definitions of one name where one of them is alive, if they stand in the same scope, override
  one another, or meet in the bases of a class: any may run in the place of the other;
- whatever has the name of a reference that is not resolved: it could be meant. So could any method
  of a class, and of those above and below, where a member of it is called by a computed name.

Containment is no use: that a module is alive says nothing of what is defined in it. The languages'
`entry_points.toml` say which names, decorators, bases and files these are.

What `maintained_code` leaves out is not listed, nor is a private constructor of a class without
methods of instances: it is there so that nobody makes one. Nor are the methods that a type without
a name declares, which are a part of that type.

Confidence is a word. `high` is for what nothing outside can use and nothing is known to find by its
name: a private definition that is

- not only declared (a stub, a module of declarations), nor of a kind that attributes and macros use
  unseen (a static variable of Rust), nor put into an object literal, whose reader
  need not be in the repository;
- used by nothing but what is `high` itself, and overriding or overridden by nothing that is not;
- not in a class one of whose relatives looks up names while it runs;
- named nowhere else in the files that were indexed, be it in a string, a comment or a document.

`low` is for a public variable and where the file looks up names while it runs, `medium` for the
rest. `benchmarks/judged` says how often `high` is right.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from mu.analysis.completeness.cross_language_names import can_mean, languages_apart
from mu.analysis.metrics.text_occurrences import (
    Definition,
    ReadLines,
    find_occurrences,
    named_elsewhere,
)
from mu.languages.entry_points import load_entry_points
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

UNUSED_COLUMNS = (
    ("id", "VARCHAR"),
    ("name", "VARCHAR"),
    ("kind", "VARCHAR"),
    ("path", "VARCHAR"),
    ("line", "INTEGER"),
    ("lines", "INTEGER"),
    ("confidence", "VARCHAR"),
    ("reason", "VARCHAR"),
)
"""Name and the engine's type of each column."""

_ALIVE = f"""
WITH RECURSIVE counted(tests) AS (SELECT ?::BOOLEAN),
named AS (
    SELECT DISTINCT site.name, place.language
    FROM site JOIN file AS place ON place.key = site.file
    WHERE site.reason IN ('unknown', 'ambiguous', 'dynamic')
        AND site.kind NOT IN ('link', 'mention') AND ?
),
registered AS (
    SELECT node.key FROM node, unnest(node.decorators) AS given(decorator)
    WHERE NOT EXISTS (
        FROM entry_point WHERE entry_point.role = 'wrapper'
            AND entry_point.language = node.language
            AND trim(split_part(decorator, '(', 1)) GLOB entry_point.pattern
    )
),
foreign_base AS (
    SELECT edge.source AS key FROM edge JOIN node AS base ON base.key = edge.target
    WHERE edge.kind = 'inherits' AND base.kind = 'external' AND NOT EXISTS (
        FROM entry_point WHERE entry_point.role = 'base'
            AND entry_point.language = base.language AND base.name GLOB entry_point.pattern
    )
    UNION
    SELECT source FROM site WHERE kind = 'base' AND target IS NULL
),
foreign_class(key) AS (
    FROM foreign_base
    UNION
    SELECT edge.source FROM foreign_class JOIN edge ON edge.target = foreign_class.key
    WHERE edge.kind = 'inherits'
),
inherited(class, base) AS (
    SELECT source, target FROM edge WHERE kind = 'inherits'
    UNION
    SELECT inherited.class, edge.target FROM inherited JOIN edge ON edge.source = inherited.base
    WHERE edge.kind = 'inherits'
),
member AS (
    SELECT inherited.class AS class, method.name AS name, method.key AS key
    FROM inherited JOIN node AS method ON method.parent = inherited.base
    WHERE method.kind = 'function'
),
same AS (
    SELECT source, target FROM edge WHERE kind = 'overrides'
    UNION
    SELECT min(key), unnest(list(key)) FROM member GROUP BY class, name HAVING count(*) > 1
    UNION
    SELECT min(key) OVER (PARTITION BY parent, name, kind), key FROM node WHERE parent IS NOT NULL
),
configuration AS (
    SELECT file.key FROM file JOIN entry_point ON entry_point.language = file.language
    WHERE entry_point.role = 'configuration' AND file.path GLOB entry_point.pattern
),
searched(class) AS (
    SELECT class.key FROM node AS class JOIN named ON named.name = class.name || '.*'
    WHERE class.kind = 'class' AND named.language = class.language
),
root AS (
    SELECT node.key FROM node, counted
    WHERE (node.kind = 'module' OR node.is_test OR node.is_generated)
        AND (counted.tests OR NOT node.is_test)
    UNION
    SELECT node.key FROM node JOIN named ON named.name = node.name
    WHERE node.kind <> 'external' AND {can_mean("named.language", "node.language")}
    UNION
    SELECT node.key FROM node
    WHERE node.kind = 'function' AND NOT starts_with(node.name, '__')
        AND NOT starts_with(node.name, '#') AND (
            node.parent IN (FROM searched)
            OR node.parent IN (SELECT base FROM inherited WHERE class IN (FROM searched))
            OR node.parent IN (SELECT class FROM inherited WHERE base IN (FROM searched))
        )
    UNION
    SELECT edge.target FROM edge JOIN node AS taker ON taker.key = edge.source
    WHERE edge.kind = 'imports' AND taker.subkind = 'package'
    UNION
    SELECT entry.node FROM entry JOIN node ON node.key = entry.node, counted
    WHERE counted.tests OR NOT node.is_test
),
step AS (
    SELECT source, target FROM edge
    WHERE kind IN ('calls', 'inherits', 'uses')
    UNION ALL
    SELECT source, target FROM same
    UNION ALL
    SELECT target, source FROM same
    UNION ALL
    SELECT key, parent FROM node WHERE parent IS NOT NULL
    UNION ALL
    SELECT node.parent, node.key FROM node JOIN node AS holder ON holder.key = node.parent
    WHERE node.subkind = 'property'
        OR node.kind = 'variable' AND holder.kind <> 'module'
        OR node.kind = 'class' AND holder.kind = 'class'
        OR node.key IN (FROM registered)
        OR node.kind = 'function' AND node.parent IN (FROM foreign_class)
        OR holder.kind = 'module' AND node.file IN (FROM configuration)
        OR EXISTS (
            FROM entry_point WHERE entry_point.role = 'name'
                AND entry_point.language = node.language AND node.name GLOB entry_point.pattern
        )
),
alive(key) AS (
    FROM root
    UNION
    SELECT step.target FROM alive JOIN step ON step.source = alive.key
)
"""

_DEAD = """,
dead AS (
    SELECT * FROM node
    WHERE kind IN ('class', 'function', 'variable') AND key NOT IN (FROM alive)
        AND parent IN (FROM alive) AND file NOT IN (FROM left_out)
        AND (NOT is_test OR (SELECT tests FROM counted))
        AND NOT (
            subkind = 'method' AND is_abstract
            AND parent IN (SELECT key FROM node WHERE kind = 'module')
        )
        AND NOT (
            subkind = 'constructor' AND visibility = 'private' AND NOT EXISTS (
                FROM node AS member WHERE member.parent = node.parent
                    AND member.kind = 'function' AND NOT member.is_static
                    AND member.subkind <> 'constructor'
            )
        )
),
used AS (
    SELECT edge.target AS key, min(other.id) AS by_id, bool_and(other.is_test) AS by_tests
    FROM edge JOIN node AS other ON other.key = edge.source
    WHERE edge.kind IN ('calls', 'inherits', 'uses') AND edge.target IN (SELECT key FROM dead)
        AND edge.source <> edge.target AND other.parent IS DISTINCT FROM edge.target
    GROUP BY edge.target
),
imported AS (SELECT DISTINCT target AS key FROM edge WHERE kind = 'imports'),
looking_up AS (
    SELECT DISTINCT site.file FROM site JOIN file ON file.key = site.file
    WHERE site.reason = 'dynamic' OR site.kind = 'call' AND EXISTS (
        FROM entry_point WHERE entry_point.role = 'lookup'
            AND entry_point.language = file.language AND entry_point.pattern = site.name
    )
),
related AS (
    SELECT class, base FROM inherited UNION SELECT base, class FROM inherited
),
unsure(key) AS (
    SELECT dead.key FROM dead
    JOIN node AS holder ON holder.key = dead.parent
    JOIN file AS place ON place.key = dead.file
    WHERE dead.visibility <> 'private'
        OR holder.kind IN ('function', 'variable') AND dead.subkind = 'method'
        OR dead.file IN (SELECT file FROM looking_up)
        OR EXISTS (FROM related JOIN node AS other ON other.key = related.base
            WHERE related.class = holder.key AND other.file IN (SELECT file FROM looking_up))
        OR EXISTS (
            FROM entry_point WHERE entry_point.role = 'declaration'
                AND place.path GLOB entry_point.pattern
        )
        OR EXISTS (
            FROM entry_point WHERE entry_point.role = 'generated use'
                AND entry_point.language = dead.language
                AND entry_point.pattern IN (dead.kind::VARCHAR, dead.subkind)
        )
    UNION
    SELECT step.target FROM unsure JOIN (
        SELECT source, target FROM edge WHERE kind IN ('calls', 'inherits', 'uses')
        UNION ALL
        SELECT source, target FROM same
        UNION ALL
        SELECT target, source FROM same
        UNION ALL
        SELECT parent, key FROM node WHERE parent IS NOT NULL
    ) AS step ON step.source = unsure.key
    WHERE step.target NOT IN (FROM alive)
)
"""

_ROWS = """
SELECT
    dead.id AS id,
    dead.name AS name,
    dead.kind::VARCHAR AS kind,
    place.path AS path,
    dead.start_line AS line,
    dead.lines AS lines,
    CASE WHEN lookup.file IS NOT NULL OR dead.kind = 'variable' AND dead.visibility <> 'private'
         THEN 'low'
         WHEN unsure.key IS NOT NULL THEN 'medium'
         ELSE 'high' END AS confidence,
    concat_ws('; ',
        CASE WHEN used.by_tests THEN 'used only by tests, such as ' || used.by_id
             WHEN used.by_id IS NOT NULL THEN 'used only by unused ' || used.by_id
             WHEN imported.key IS NOT NULL THEN 'imported, but never used'
             ELSE 'no use in the repository' END,
        nullif(dead.visibility, 'private'),
        CASE WHEN lookup.file IS NOT NULL THEN 'its file looks up names dynamically' END
    ) AS reason
FROM dead
JOIN file AS place ON place.key = dead.file
LEFT JOIN used ON used.key = dead.key
LEFT JOIN imported ON imported.key = dead.key
LEFT JOIN looking_up AS lookup ON lookup.file = dead.file
LEFT JOIN unsure ON unsure.key = dead.key
ORDER BY array_position(['high', 'medium', 'low'], confidence), place.path, dead.start_line,
    dead.key
"""

_COUNT = "SELECT count(*) FROM dead"

_CONFIDENCE = [name for name, _ in UNUSED_COLUMNS].index("confidence")

_LEVELS = ("high", "medium", "low")

_PATHS = "SELECT path FROM file WHERE status = 'indexed' ORDER BY path"

_Row = tuple[str, str, str, str, int, int, str, str]


@dataclass(frozen=True, slots=True)
class Unused:
    """What is unused: UNUSED_COLUMNS, the surest first; and how many more would be without doubt.

    What stands inside one of them is not listed beside it.
    """

    relation: Relation
    spared: int


def find_unused(
    graph: GraphFile,
    left_out: Input,
    *,
    read: ReadLines | None = None,
    counts_tests: bool = True,
) -> Unused:
    """Find what no entry point leads to; `spared` are those that an open reference could mean.

    In the files `left_out` nothing is looked for, as `maintained_code` gives them. None is `high`
    without what can `read` the files of the graph. A use by a test is none unless `counts_tests`.
    """
    names, types = zip(*UNUSED_COLUMNS, strict=True)
    inputs = (_entry_points(), left_out, languages_apart(graph))
    listed = Relation(_ALIVE + _DEAD + _ROWS, (counts_tests, True), names, inputs)
    rows = _checked(graph, graph.run(listed, limit=None).rows, read)
    count = Relation(_ALIVE + _DEAD + _COUNT, (counts_tests, False), ("total",), inputs)
    spared = int(str(graph.run(count).rows[0][0])) - len(rows)
    return Unused(
        Relation("FROM unused", columns=names, inputs=(Input("unused", names, types, rows),)),
        max(0, spared),
    )


def _checked(
    graph: GraphFile, rows: Sequence[tuple[Cell, ...]], read: ReadLines | None
) -> list[tuple[Cell, ...]]:
    """Give the rows in order, `high` only where the name stands nowhere else in the texts."""
    definitions = {
        Definition(name, path, line, line + lines - 1): place
        for place, (_, name, _, path, line, lines, confidence, _) in enumerate(
            msgspec.convert(rows, list[_Row])
        )
        if confidence == "high"
    }
    if not definitions:
        return list(rows)
    if read is None:
        why = dict.fromkeys(definitions.values(), "texts not searched for its name")
    else:
        paths = [str(path) for (path,) in graph.run(Relation(_PATHS), limit=None).rows]
        names = {definition.name for definition in definitions}
        found = named_elsewhere(definitions, find_occurrences(names, paths, read=read))
        why = {
            definitions[definition]: f"named in {other.path}:{other.line}"
            for definition, other in found.items()
        }
    told = [
        (*row[:_CONFIDENCE], "medium", f"{row[-1]}; {why[place]}") if place in why else tuple(row)
        for place, row in enumerate(rows)
    ]
    return sorted(told, key=lambda row: (_LEVELS.index(str(row[_CONFIDENCE])), row[3], row[4]))


def _entry_points() -> Input:
    rows: list[tuple[Cell, ...]] = [
        (known.language, role, pattern)
        for known in load_entry_points()
        for role, patterns in (
            ("name", known.names),
            ("wrapper", known.wrappers),
            ("base", known.bases),
            ("lookup", known.lookups),
            ("declaration", known.declarations),
            ("configuration", known.configurations),
            ("generated use", known.generated_uses),
        )
        for pattern in patterns
    ]
    names = ("language", "role", "pattern")
    return Input("entry_point", names, ("VARCHAR",) * 3, rows)
