"""Definitions named by a string: `settings["CACHE_DIR"]`, `EXTENSIONS = ["app.extensions.Slug"]`.

The definition is only found at run time, so there is no edge, but a ledger row with the reason
`dynamic`: answers about its dependents have to be `at least`. A constant of another module counts
if its bare name is an argument or a subscript. A class or function counts if its full dotted name
is in the value of a variable; as an argument, such a name is mostly what a test replaces.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from mu.model.facts import Expression, Op, ReferenceKind
from mu.model.kinds import NodeKind, Reason, SiteKind
from mu.resolve.emit.ledger import Mention, unresolved
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.limits import DEEPEST_LITERAL
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_STRING = int(Op.STRING)
_HOLDING = frozenset(map(int, (Op.COLLECTION, Op.PAIR)))
_ASKING = frozenset(map(int, (ReferenceKind.CALL, ReferenceKind.OPERATION)))
_DOTTED = re.compile(r"[^\W\d]\w*(?:[.:][^\W\d]\w*)+")
_NAMED = (NodeKind.CLASS, NodeKind.FUNCTION)


class StringUses:
    """A finder of such strings, one file at a time."""

    def __init__(self, program: Program, nodes: NodeTable) -> None:
        self._program = program
        self._nodes = nodes
        self._files: dict[str, set[int]] = defaultdict(set)  # by the names of their constants
        self._dotted: dict[int, frozenset[str]] = {}
        for key in program.files:
            for name in nodes.names(key).constants:
                self._files[name].add(key)

    @cached_property
    def _prefixes(self) -> dict[str, list[int]]:
        """The files by the prefix of their definitions' dotted names."""
        found: dict[str, list[int]] = defaultdict(list)
        for key in self._program.files:
            found[self._program.finder_of(key).prefix_of(key)].append(key)
        return found

    def of(self, unit: FileSymbols) -> Iterator[Mention]:
        """Yield the ledger rows, without edges, of the strings in a file that name definitions."""
        constants: dict[int, str] = {}
        dotted: dict[int, str] = {}
        for number, (op, text, _, _) in enumerate(unit.expressions):
            if op != _STRING:
                continue
            if text in self._files:
                if self._files[text] != {unit.key}:
                    constants[number] = text
            elif _DOTTED.fullmatch(text) and self._is_named(text.replace(":", ".")):
                dotted[number] = text
        owners, rows = self._nodes.owners(unit), unit.expressions
        for kind, number, owner, line in unit.facts.references if constants else ():
            if kind in _ASKING and owners[owner] >= 0:
                for text in filter(None, map(constants.get, rows[number][3])):
                    yield _spelled(text, owners[owner], line)
        for binding in unit.facts.bindings if dotted else ():
            owner = owners[unit.scopes[binding.scope].definition]
            for row in _parts(rows, binding.value) if owner >= 0 else ():
                if row in dotted:
                    yield _spelled(dotted[row], owner, binding.line)

    def _is_named(self, dotted: str) -> bool:
        """Return whether a class or function has a dotted name."""
        above = dotted.rpartition(".")[0]
        while above:
            if any(dotted in self._named_in(key) for key in self._prefixes.get(above, ())):
                return True
            above = above.rpartition(".")[0]
        return False

    def _named_in(self, key: int) -> frozenset[str]:
        found = self._dotted.get(key)
        if found is None:
            rows = self._nodes.held_by_file(key)
            found = frozenset(row.qualified_name for row in rows if row.kind in _NAMED)
            self._dotted[key] = found
        return found


def _spelled(text: str, owner: int, line: int) -> Mention:
    outcome = unresolved(f'"{text}"', re.split("[.:]", text)[-1], reason=Reason.DYNAMIC)
    return SiteKind.VALUE, owner, line, outcome


def _parts(rows: Sequence[Expression], value: int) -> Iterator[int]:
    """Yield the rows of a value and, if it is a collection literal, of its elements."""
    level = [value]
    for _ in range(DEEPEST_LITERAL):
        yield from level
        level = [part for n in level if rows[n][0] in _HOLDING for part in rows[n][3]]
