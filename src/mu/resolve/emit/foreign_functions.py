"""Foreign functions: cross-language linking by symbol names.

A symbol is linked only where exactly one definition provides it, in a library that the call may
refer to. All other references stay external or open. Where no file provides a symbol, this module
does nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from mu.model.facts import Op
from mu.model.kinds import Rule, SiteKind
from mu.resolve.abstract_values import (
    CLASS,
    EXTERNAL,
    FUNCTION,
    LOCAL,
    VARIABLE,
    Value,
    number_of,
    place_of,
)
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.ledger import Mention, resolved
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.limits import DEEPEST_LIBRARY_ARGUMENT
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.foreign_symbols import Linkage, Wanted

_ATTRIBUTE, _CALL, _STRING = int(Op.ATTRIBUTE), int(Op.CALL), int(Op.STRING)
_INSIDE = frozenset(map(int, (Op.ATTRIBUTE, Op.CALL, Op.KEYWORD)))
_LIBRARY = re.compile(r"(?:.*[/\\])?(?:lib)?([\w-]+)\.(?:so|dylib|dll|pyd)")
_HOLDING = frozenset((LOCAL, VARIABLE))


class ForeignFunctions:
    """A matcher of the foreign symbols that files provide and look up."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self._provided: dict[tuple[Linkage, str], list[tuple[int, frozenset[str]]]] = {}
        for finder in program.finders:
            for row in finder.provided():
                number = program.units[row.file].first + row.definition
                places = self._provided.setdefault((row.linkage, row.name), [])
                places.append((number, row.libraries))
        self.is_empty = not self._provided
        self._named: dict[tuple[int, str], int] = {}

    @property
    def libraries(self) -> Mapping[str, Sequence[Set[str]]]:
        """The libraries that have each symbol, once for each definition that provides it."""
        found: dict[str, list[Set[str]]] = {}
        for (_, name), places in self._provided.items():
            found.setdefault(name, []).extend(libraries for _, libraries in places)
        return found

    def of_name(self, unit: FileSymbols, dotted: str) -> int:
        """Return the definition that an external name in a file refers to; -1 for none."""
        place = (unit.key, dotted)
        known = self._named.get(place)
        if known is None:
            wanted = unit.modules.wanted(dotted, unit.facts)
            known = self._named[place] = -1 if wanted is None else self._find(wanted)
        return known

    def of_member(self, unit: FileSymbols, function: int) -> int:
        """Return the definition of a function in a native library that the text loads, or -1."""
        op, name, base, _ = unit.expressions[function]
        if op != _ATTRIBUTE or not unit.modules.native_loaders:
            return -1
        libraries = self._loaded(unit, base)
        if len(libraries) != 1:
            return -1
        return self._find(Wanted(Linkage.SYMBOL, name, libraries))

    def mentions(self, unit: FileSymbols, nodes: NodeTable) -> Iterator[Mention]:
        """Yield calls from a file's bodiless definitions to the functions that implement them."""
        for local, row in enumerate(unit.facts.definitions):
            wanted = unit.modules.implemented(unit.facts, local) if row.kind == "function" else None
            number = -1 if wanted is None else self._find(wanted)
            if wanted is not None and number >= 0:
                hits = [(nodes.of_definition(number), Rule.SYMBOL, False)]
                outcome = resolved(wanted.name, wanted.name, hits=hits, sort=sorts.CALLS)
                source = nodes.of_definition(unit.first + local)
                yield SiteKind.CALL, source, row.start_line, outcome

    def _find(self, wanted: Wanted) -> int:
        """Return the only definition that provides a symbol; -1 for none or several."""
        found = [
            number
            for number, libraries in self._provided.get((wanted.linkage, wanted.name), ())
            if wanted.libraries is None
            or not _alike(libraries).isdisjoint(_alike(wanted.libraries))
        ]
        return found[0] if len(found) == 1 else -1

    def _loaded(self, unit: FileSymbols, number: int) -> frozenset[str]:
        """Return the libraries that an expression may be; none if it may be anything else."""
        found: set[str] = set()
        for holder, call in self._calls(unit, number):
            libraries = self._library(holder, call)
            if not libraries:
                return frozenset()
            found.update(libraries)
        return frozenset(found)

    def _calls(self, unit: FileSymbols, number: int) -> list[tuple[FileSymbols, int]]:
        """Return the calls that an expression is, or that its variable is set to.

        Empty if it may be anything else.
        """
        if unit.expressions[number][0] == _CALL:
            return [(unit, number)]
        found = []
        for kind, key, _ in self._evaluator.symbols(unit, number):
            if kind not in _HOLDING:
                return []
            file, scope, name = place_of(key)
            holder = self._program.unit(file)
            found += [
                (holder, row.value) for one in holder.bound(scope, name) for row in one.bindings
            ]
        return found if all(one.expressions[row][0] == _CALL for one, row in found) else []

    def _library(self, unit: FileSymbols, call: int) -> frozenset[str]:
        """Return the names of the library that a call loads, from the strings in its arguments."""
        _, _, function, args = unit.expressions[call]
        names = self._names(unit, function)
        if not names or not unit.modules.native_loaders.issuperset(names):
            return frozenset()
        depth = DEEPEST_LIBRARY_ARGUMENT
        return frozenset(name for arg in args for name in _names_in(unit, arg, depth))

    def _names(self, unit: FileSymbols, function: int) -> list[str]:
        """Return the dotted names of an external callee, or of a method of an external result."""
        names = [self._dotted(value) for value in self._evaluator.called(unit, function)]
        op, name, base, _ = unit.expressions[function]
        if not names and op == _ATTRIBUTE:
            names = [
                f"{self._dotted(value)}.{name}"
                for holder, call in self._calls(unit, base)
                for value in self._evaluator.called(holder, holder.expressions[call][2])
            ]
        return names

    def _dotted(self, value: Value) -> str:
        kind, key, _ = value
        if kind == EXTERNAL:
            return str(key)
        if kind in (CLASS, FUNCTION) and self._program.is_library(number_of(key)):
            return self._program.dotted(number_of(key))
        return ""


def _alike(names: frozenset[str]) -> frozenset[str]:
    """Return library names with underscores for hyphens, since crates and files differ in these."""
    return frozenset(name.replace("-", "_") for name in names)


def _names_in(unit: FileSymbols, number: int, depth: int) -> Iterator[str]:
    """Yield the libraries whose files the strings in an expression name."""
    op, text, base, args = unit.expressions[number]
    if op == _STRING:
        match = _LIBRARY.fullmatch(text)
        if match:
            yield match[1]
    elif depth:
        for inner in (*args, *((base,) if op in _INSIDE else ())):
            yield from _names_in(unit, inner, depth - 1)
