"""One of two graphs that are compared: the definitions in files that differ, with their text.

Files of the same digest hold the same definitions, so neither side reads them. Text is what the
graph was built from, by lines; the own text of a definition is without that of definitions in it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest

from mu.analysis.review.statement_text import statement_end
from mu.model.relation import Relation
from mu.store import GraphFile
from mu.syntax import load_manifests

ReadLines = Callable[[str], Sequence[str]]
"""Gives the lines of a file by its path, none when they cannot be had."""

_ASIDE = frozenset({"examples", "example", "docs", "doc", "benchmarks", "scripts", "tools"})
"""Folders whose code is run and not imported, so that nothing in it is public."""

_USABLE = frozenset({"public", "protected"})
"""Visibilities of what code outside may use; what is protected, by inheriting it."""

_FILES = "SELECT path, digest FROM file WHERE status = 'indexed'"

_DEFINITIONS = """
SELECT node.key, node.id, node.kind::VARCHAR, node.subkind, node.name, node.qualified_name,
    node.language, file.path, file.category::VARCHAR, coalesce(node.parent, -1), node.start_line,
    node.end_line, node.signature, node.docstring, node.visibility, node.is_async, node.is_static,
    node.is_abstract, node.is_test, node.decorators, node.parameters, node.returns,
    node.complexity,
    (SELECT list(site.text ORDER BY site.line, site.text) FROM site
        WHERE site.source = node.key AND site.kind = 'base' AND site.choice = 0)
FROM node JOIN file ON file.key = node.file
WHERE list_contains($1::VARCHAR[], file.path)
    AND node.kind IN ('module', 'class', 'function', 'variable', 'document')
ORDER BY node.key
"""

_MOST_LINES = 2_000  # of the value of a variable
_NUMBER = re.compile(r"~\d+")  # of a second definition of a name
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Definition:
    """A node as a comparison sees it; `parent` is a key, -1 for none or one in another file.

    `bases` are the base classes as written.
    """

    key: int
    id: str
    kind: str
    subkind: str
    name: str
    qualified_name: str
    language: str
    path: str
    category: str
    parent: int
    line: int
    end_line: int
    signature: str
    docstring: str
    visibility: str
    is_async: bool
    is_static: bool
    is_abstract: bool
    is_test: bool
    decorators: tuple[str, ...]
    parameters: tuple[str, ...]
    returns: str
    complexity: int
    bases: tuple[str, ...] = ()

    @property
    def local_name(self) -> str:
        """Its dotted name within its file; empty for the file itself."""
        if self.kind in ("module", "document"):
            return ""
        return _NUMBER.sub("", self.id.rpartition(":")[2])


@dataclass(eq=False)
class Side:
    """A graph, how its files are read, and which of them differ from the other side."""

    graph: GraphFile
    lines: ReadLines
    paths: frozenset[str]
    _texts: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def definitions(self) -> Mapping[int, Definition]:
        """The definitions in files that differ, by key, in the order of the graph."""
        rows = self.graph.run(Relation(_DEFINITIONS, (sorted(self.paths),)), limit=None).rows
        found = {int(str(row[0])): _definition(row) for row in rows}
        ends = statement_ends(self.lines, found.values())
        return {
            key: replace(one, end_line=ends[key]) if key in ends else one
            for key, one in found.items()
        }

    @cached_property
    def children(self) -> Mapping[int, Sequence[Definition]]:
        """The definitions directly in each, by its key."""
        found: dict[int, list[Definition]] = {}
        for one in self.definitions.values():
            if one.parent in self.definitions:
                found.setdefault(one.parent, []).append(one)
        return found

    def around(self, one: Definition) -> Iterable[Definition]:
        """Give what a definition stands in, the nearest first."""
        above = self.definitions.get(one.parent)
        while above is not None:
            yield above
            above = self.definitions.get(above.parent)

    def is_public(self, one: Definition) -> bool:
        """Tell whether code outside may use a definition: nothing in its dotted name is private.

        What stands in a function, in tests, examples or scripts, or in files that nobody maintains
        by hand is not.
        """
        names = one.qualified_name.split(".")
        if one.is_test or one.category != "source" or any(map(_is_private, names)):
            return False
        if not _ASIDE.isdisjoint(one.path.split("/")[:-1]):
            return False
        if one.visibility not in _USABLE:
            return False
        return all(
            above.kind != "function" and above.visibility in _USABLE for above in self.around(one)
        )

    def text(self, one: Definition) -> tuple[str, ...]:
        """Give the lines of a definition without those of definitions in it."""
        known = self._texts.get(one.key)
        if known is None:
            known = self._texts[one.key] = tuple(self._own_lines(one))
        return known

    def whole_text(self, one: Definition) -> Sequence[str]:
        """Give all lines of a definition."""
        return self.lines(one.path)[one.line - 1 : one.end_line]

    def _own_lines(self, one: Definition) -> Iterable[str]:
        lines = self.lines(one.path)
        inner: set[int] = set()
        if one.kind in ("class", "module"):
            for child in self.children.get(one.key, ()):
                if child.line > one.line or one.kind == "module":
                    first = child.line
                    while first > one.line and _is_decorator(lines, first - 1, child):
                        first -= 1
                    inner.update(range(first, child.end_line + 1))
        for number in range(one.line, min(one.end_line, len(lines)) + 1):
            if number not in inner and (line := lines[number - 1].rstrip()):
                yield line


def two_sides(
    before: GraphFile,
    after: GraphFile,
    *,
    read: tuple[ReadLines, ReadLines],
    left_out: Sequence[str],
) -> tuple[Side, Side]:
    """Give both sides of a comparison, without folders `left_out` (a slash at the end)."""
    old, new = _digests(before), _digests(after)
    differ = {
        path
        for path in old.keys() | new.keys()
        if old.get(path) != new.get(path) and not path.startswith(tuple(left_out))
    }
    return (
        Side(before, read[0], frozenset(differ & old.keys())),
        Side(after, read[1], frozenset(differ & new.keys())),
    )


def statement_ends(lines: ReadLines, definitions: Iterable[Definition]) -> dict[int, int]:
    """Give the last lines of variables whose values go over several, by key.

    The graph has the line of the name alone. A value with other definitions in it is theirs.
    """
    by_path: dict[str, list[Definition]] = {}
    for one in definitions:
        if one.kind not in ("module", "document"):
            by_path.setdefault(one.path, []).append(one)
    manifests = load_manifests()
    ends = {}
    for path, those in by_path.items():
        those.sort(key=lambda one: one.line)
        for one, other in zip_longest(those, those[1:]):
            text = lines(path)
            last = other.line - 1 if other else len(text)
            if one.kind == "variable" and last > one.line:
                marks = manifests[one.language].comments.line
                last = min(last, one.line + _MOST_LINES)
                ends[one.key] = statement_end(text, one.line, last=last, marks=marks)
    return ends


def squeezed(text: str) -> str:
    """Give a text without space."""
    return _SPACE.sub("", text)


def _digests(graph: GraphFile) -> dict[str, str]:
    rows = graph.run(Relation(_FILES), limit=None).rows
    return {str(path): str(digest) for path, digest in rows}


def _definition(row: Sequence[object]) -> Definition:
    (key, id_, kind, subkind, name, qualified, language, path, category, parent, line, end) = row[
        :12
    ]
    signature, docstring, visibility = map(str, row[12:15])
    is_async, is_static, is_abstract, is_test = map(bool, row[15:19])
    decorators, parameters, returns, complexity, bases = row[19:24]
    return Definition(
        int(str(key)), str(id_), str(kind), str(subkind), str(name), str(qualified), str(language),
        str(path), str(category), int(str(parent)), int(str(line)), int(str(end)),
        signature, docstring, visibility, is_async, is_static, is_abstract, is_test,
        _texts(decorators), _texts(parameters), str(returns), int(str(complexity)), _texts(bases),
    )  # fmt: skip


def _texts(cell: object) -> tuple[str, ...]:
    return tuple(map(str, cell)) if isinstance(cell, (list, tuple)) else ()


def _is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def _is_decorator(lines: Sequence[str], number: int, child: Definition) -> bool:
    """Tell whether a line above a definition is one of its decorators."""
    text = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return bool(text) and any(one.split("(")[0] in text for one in child.decorators)
