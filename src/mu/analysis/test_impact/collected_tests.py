"""The tests of a graph, as runners collect them: those written, inherited and imported.

A test that a class inherits, or that another file of tests imports, runs once more there, under an
id of its own and with other fixtures. It is no node, so its key is a negative number.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import count
from typing import NamedTuple

from mu.analysis.test_impact.change_reach import State
from mu.model.relation import Relation
from mu.store import GraphFile
from mu.syntax import load_manifests
from mu.syntax.grammars.manifest import TestConventions

_TESTS = """
SELECT node.key, node.id, node.parent, file.key, file.path, node.language, node.start_line
FROM node JOIN file ON file.key = node.file
WHERE (node.key IN (SELECT entry.node FROM entry WHERE entry.role = 'test') OR {named})
    AND node.key NOT IN (SELECT entry.node FROM entry WHERE entry.role = 'fixture')
ORDER BY file.path, node.start_line
"""

_NAMED = """(node.is_test AND node.kind = 'function' AND node.language = ? AND node.name GLOB ?
    AND file.category = 'test')"""

_CLASSES = """
SELECT node.key, node.id, node.name, file.key, file.path, node.language, node.start_line
FROM node JOIN file ON file.key = node.file WHERE node.kind = 'class' AND node.is_test
ORDER BY file.path, node.start_line
"""

_METHODS = """
SELECT node.key, node.id, node.name, node.parent
FROM node JOIN node AS class ON class.key = node.parent
WHERE node.kind = 'function' AND class.kind = 'class' AND class.is_test
ORDER BY node.parent, node.start_line
"""

_BASES = """
SELECT edge.source, edge.target
FROM edge JOIN node ON node.key = edge.target
WHERE edge.kind = 'inherits' AND node.kind = 'class' AND node.is_test
ORDER BY edge.source, edge.line, edge.target
"""

_IMPORTED = """
SELECT far.key, file.key, file.path, near.language, edge.line
FROM edge JOIN node AS near ON near.key = edge.source JOIN node AS far ON far.key = edge.target
JOIN file ON file.key = near.file
WHERE edge.kind = 'imports' AND near.kind = 'module' AND near.is_test AND file.category = 'test'
    AND far.kind IN ('class', 'function') AND far.is_test AND far.file <> near.file
ORDER BY file.path, edge.line, far.key
"""


class Test(NamedTuple):
    """A test that a runner collects; `key` is `method`, or negative for one not written there.

    `method` is the key of the function whose code runs, `id` its id, and `holder` the key of the
    class that runs it, -1 without one. `names` are those of the classes around it and its own, in
    the file where the runner finds it, whose key is `file`; `line` is from 1.
    """

    key: int
    method: int
    holder: int
    id: str
    names: tuple[str, ...]
    file: int
    path: str
    language: str
    line: int


def read_suite(state: State) -> list[Test]:
    """Read the tests of a graph: those written in order of place, then the others."""
    graph = state.graph
    written = [
        Test(
            int(str(key)), int(str(key)), -1 if parent is None else int(str(parent)),
            str(id_), _names(str(id_)), int(str(file)), str(path), str(language), int(str(line)),
        )
        for key, id_, parent, file, path, language, line in graph.run(
            _written_tests(), limit=None
        ).rows
    ]  # fmt: skip
    keys = count(-2, -1)
    inherited = list(_inherited(graph, written, keys))
    return [*written, *inherited, *_imported(state, [*written, *inherited], keys)]


def _names(id_: str) -> tuple[str, ...]:
    return tuple(id_.rpartition(":")[2].partition("~")[0].split("."))


def _written_tests() -> Relation:
    """Ask for what is marked as a test, and functions by their names."""
    named = [
        (language, pattern)
        for language, manifest in load_manifests().items()
        for pattern in manifest.tests.functions
    ]
    sql = _TESTS.format(named=" OR ".join([_NAMED] * len(named)) or "false")
    return Relation(sql, tuple(value for pair in named for value in pair))


class _Class(NamedTuple):
    key: int
    id: str
    name: str
    file: int
    path: str
    language: str
    line: int


def _inherited(graph: GraphFile, written: Sequence[Test], keys: Iterator[int]) -> Iterator[Test]:
    conventions = {name: one.tests for name, one in load_manifests().items()}
    rows = graph.run(Relation(_CLASSES), limit=None).rows
    classes = {
        int(str(key)): _Class(
            int(str(key)), str(id_), str(name), int(str(file)), str(path), str(language),
            int(str(line)),
        )
        for key, id_, name, file, path, language, line in rows
    }  # fmt: skip
    methods: defaultdict[int, dict[str, tuple[int, str]]] = defaultdict(dict)
    for key, id_, name, parent in graph.run(Relation(_METHODS), limit=None).rows:
        methods[int(str(parent))][str(name)] = int(str(key)), str(id_)
    bases: defaultdict[int, list[int]] = defaultdict(list)
    for near, far in graph.run(Relation(_BASES), limit=None).rows:
        bases[int(str(near))].append(int(str(far)))
    holding = {test.holder for test in written}
    for one in classes.values():
        told = conventions[one.language]
        above = _above(one.key, bases)
        if told.methods and above and _is_collected(one, above, classes, holding, told):
            seen = set(methods[one.key])
            for name, (method, id_) in (pair for each in above for pair in methods[each].items()):
                if name not in seen and _fits(name, told.methods):
                    names = (*_names(one.id), name)
                    yield Test(
                        next(keys), method, one.key, id_, names, one.file, one.path,
                        one.language, one.line,
                    )  # fmt: skip
                seen.add(name)


def _above(key: int, bases: Mapping[int, Sequence[int]]) -> list[int]:
    """Give the classes that a class inherits, once each, depth first."""
    found: list[int] = []
    pending = list(reversed(bases.get(key, ())))
    while pending:
        here = pending.pop()
        if here not in found and here != key:
            found.append(here)
            pending += reversed(bases.get(here, ()))
    return found


def _is_collected(
    one: _Class,
    above: Sequence[int],
    classes: Mapping[int, _Class],
    holding: set[int],
    told: TestConventions,
) -> bool:
    """Tell whether a class is collected: for its name, or for a base outside, as its tests show."""
    return _fits(one.name, told.classes) or any(
        each in holding and each in classes and not _fits(classes[each].name, told.classes)
        for each in (one.key, *above)
    )


def _imported(state: State, tests: Sequence[Test], keys: Iterator[int]) -> Iterator[Test]:
    """Give the tests that files of tests import from others: functions, and those of classes.

    What is imported under another name is not: who renames a test hides it from the runner.
    """
    conventions = {name: one.tests for name, one in load_manifests().items()}
    known: defaultdict[int, list[Test]] = defaultdict(list)
    for test in tests:
        known[test.method if len(test.names) == 1 else test.holder].append(test)
    rows = state.graph.run(Relation(_IMPORTED), limit=None).rows
    for far, file, path, language, line in rows:
        found = known.get(int(str(far)), ())
        if found and conventions[str(language)].is_importing:
            text = state.lines(str(path))[int(str(line)) - 1]
            if re.search(rf"\b{re.escape(found[0].names[0])}\s+as\b", text):
                continue
            for test in found:
                yield test._replace(
                    key=next(keys), file=int(str(file)), path=str(path), line=int(str(line))
                )


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
