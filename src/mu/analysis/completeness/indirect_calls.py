"""Uses under another name: calls through an unknown object or interface, bases in macros.

- A call of an unknown variable, `validator(value)`, may run the call method of any instance.
- Where a function is passed on as a value and runs under another name, as `job.update()` does what
  `job.update = worker.work` put there, an unresolved call of a member of that name may run it too.
- A call of a member by a computed name, `getattr(self, name)()`, may run any method of the class of
  its receiver, of the classes above and of those below.
- Where types implement interfaces without naming them, a call through an interface of a module that
  is not there, `flag.Value.Type()`, may run any method of that name.
- What a macro names may be a base of what its expansions define: `impl Shape for $t {}`.
"""

from typing import Final

from mu.languages.dispatch import CALL_METHODS, IMPLICIT_INTERFACES
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

DISPATCHING = """
SELECT DISTINCT met.language,
    list_contains($call_methods::VARCHAR[], met.language || ' ' || met.name) AS is_call_method
FROM {walked} AS walked JOIN node AS met ON met.key = walked.node
WHERE met.kind = 'function' AND walked.distance < $depth
    AND met.parent IN (SELECT key FROM node WHERE kind = 'class')
    AND (list_contains($implicit::VARCHAR[], met.language)
        OR list_contains($call_methods::VARCHAR[], met.language || ' ' || met.name))
"""
"""The languages of methods of a backward walk that run so, and whether by a call of an instance."""

DISPATCHING_VALUES: Final = {
    "call_methods": [f"{language} {name}" for language, name in CALL_METHODS.items()],
    "implicit": sorted(IMPLICIT_INTERFACES),
}

_CALLS = """
    UNION
    SELECT site.source, site.file, site.line, site.text, site.reason::VARCHAR, site.candidates,
        false
    FROM site JOIN file AS place ON place.key = site.file
    WHERE site.kind = 'call' AND list_contains($1::VARCHAR[], 'call')
        AND site.source NOT IN ({answered})"""

_UNRESOLVED = "site.reason IN ('unknown', 'ambiguous', 'dynamic')"

OF_INSTANCES = f"""{_CALLS}
        AND {_UNRESOLVED} AND site.text = site.name
        AND place.language IN (SELECT language FROM dispatching WHERE is_call_method)"""
"""Calls of unknown variables; `dispatching` is the table of `DISPATCHING`."""

BY_MACROS = """
    UNION
    SELECT site.source, site.file, site.line, site.text, 'macro', site.candidates, true
    FROM site JOIN node AS macro ON macro.key = site.source
    WHERE macro.subkind = 'macro' AND site.kind = 'value'
        AND site.target IN (SELECT node FROM {walked} WHERE distance < $2)"""
"""Names of classes of the walk in the definitions of macros."""

BY_OTHER_NAMES = f"""{_CALLS}
        AND {_UNRESOLVED} AND site.text <> site.name AND (site.name, place.language) IN (
            SELECT call.name, met.language
            FROM {{walked}} AS walked JOIN node AS met ON met.key = walked.node
            JOIN site AS call ON call.target = met.key
            WHERE walked.distance < $2 AND call.kind = 'call' AND call.text <> ''
                AND call.rule NOT IN ('local', 'module', 'import', 'package', 'symbol')
                AND call.name <> met.name
                AND met.kind = 'function' AND met.subkind NOT IN ('constructor', 'property')
        )"""
"""Calls of members by a name under which a function of the walk is called elsewhere."""

BY_INTERFACES = f"""{_CALLS}
        AND site.reason = 'external' AND site.rule IN ('typed', 'inferred', 'returned')
        AND (site.name, place.language) IN (
            SELECT met.name, met.language
            FROM {{walked}} AS walked JOIN node AS met ON met.key = walked.node
            WHERE walked.distance < $2 AND met.kind = 'function'
                AND met.language IN (SELECT language FROM dispatching WHERE NOT is_call_method)
        )
        AND site.target IN (
            SELECT key FROM node WHERE kind = 'external'
                AND split_part(qualified_name, '/', 1) LIKE '%.%' AND qualified_name LIKE '%/%'
        )"""
"""Calls through types of modules that have a host in their path; those of a standard library, which
have none, are known.
"""

BY_COMPUTED_NAMES = f"""{_CALLS}
        AND site.reason = 'dynamic'
        AND (site.name, place.language) IN (SELECT name, language FROM computed)"""
"""Calls of a member by a computed name; `computed` is the table of `find_computed`."""

_COMPUTED = """
WITH RECURSIVE open AS (
    SELECT DISTINCT class.key AS class, site.name, class.language
    FROM site JOIN file AS place ON place.key = site.file
    JOIN node AS class ON class.name || '.*' = site.name AND class.language = place.language
    WHERE site.reason = 'dynamic' AND ends_with(site.name, '.*') AND class.kind = 'class'
),
above(class, name, language) AS (
    FROM open
    UNION
    SELECT edge.target, name, language FROM above JOIN edge
        ON edge.source = above.class AND edge.kind = 'inherits'
),
below(class, name, language) AS (
    FROM open
    UNION
    SELECT edge.source, name, language FROM below JOIN edge
        ON edge.target = below.class AND edge.kind = 'inherits'
)
FROM above UNION FROM below
"""

_CLASSES = """
SELECT DISTINCT met.parent FROM {walked} AS walked JOIN node AS met ON met.key = walked.node
WHERE met.kind = 'function' AND walked.distance < ?
    AND NOT starts_with(met.name, '__') AND NOT starts_with(met.name, '#')
"""
"""The classes of methods of a backward walk; special and private methods are not called by a
computed name.
"""


def find_computed(graph: GraphFile, walked: Input, *, depth: int) -> Input:
    """Give the table `computed`: names and languages of calls by a computed name that may run a
    method walked to in less than `depth` steps. It is empty in most repositories.
    """
    related = graph.once(_computed)
    classes: list[Cell] = []
    if related:
        asked = Relation(_CLASSES.format(walked=walked.name), (depth,), inputs=(walked,))
        classes = [key for (key,) in graph.run(asked, limit=None).rows]
    rows = sorted({row for key in classes for row in related.get(key, ())})
    return Input("computed", ("name", "language"), ("VARCHAR", "VARCHAR"), rows)


def _computed(graph: GraphFile) -> dict[Cell, list[tuple[str, str]]]:
    """Find the names and languages of the calls that may run any method of a class, by its key."""
    found: dict[Cell, list[tuple[str, str]]] = {}
    for key, name, language in graph.run(Relation(_COMPUTED), limit=None).rows:
        found.setdefault(key, []).append((str(name), str(language)))
    return found
