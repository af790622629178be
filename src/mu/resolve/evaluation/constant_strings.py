"""Constant propagation for strings: `getattr(x, NAME)`, `globals()["load"]`, `vars(x)["load"]`.

A string is constant if the text shows all its values: a literal, behind variables with no other
binding, an element of a literal list or dictionary, or the concatenation of two such strings.
"""

from collections.abc import Callable, Iterator

from mu.model.facts import BindingKind, Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    DEFINITION,
    LOCAL,
    MODULE,
    VARIABLE,
    Value,
    Values,
    bounded,
    number_of,
    place_of,
)
from mu.resolve.limits import DEEPEST_STRING, MOST_STRINGS
from mu.resolve.program.file_symbols import VERSION, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import FIRST_KEY
from mu.resolve.solver.flow import Flow

_STRING, _NAME, _ATTRIBUTE, _CALL = map(int, (Op.STRING, Op.NAME, Op.ATTRIBUTE, Op.CALL))
_ELEMENT, _COLLECTION, _PAIR = map(int, (Op.ELEMENT, Op.COLLECTION, Op.PAIR))
_OPERATOR, _INDEX, _ITEM, _JOIN = int(Op.OPERATOR), int(Op.INDEX), int(Op.ITEM), "+"
_VARIABLES = frozenset((VARIABLE, LOCAL))
_VALUE, _DECLARED = int(BindingKind.VALUE), int(BindingKind.DECLARED)
_KNOWN = frozenset((_VALUE, _DECLARED))

_Rows = list[tuple[FileSymbols, int]]


class ConstantStrings:
    """Finds the strings that an expression may be, and the values of namespaces at these names."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def texts(self, unit: FileSymbols, number: int) -> tuple[str, ...]:
        """Return all strings that an expression may be; empty if it is not constant."""
        found = self._texts(unit, number, DEEPEST_STRING)
        return tuple(dict.fromkeys(found)) if found and len(found) <= MOST_STRINGS else ()

    def named(self, unit: FileSymbols, number: int) -> Values | None:
        """Return the values of a subscript of a namespace or module table; None for others."""
        _, place, base, args = unit.expressions[number]
        if place or len(args) != 1:
            return None
        if self._is_of_modules(unit, base):
            return bounded(list(self._modules(unit, args[0])))
        holders = self._holders(unit, base)
        if holders is None:
            return None
        names = self.texts(unit, args[0])
        return bounded(
            [
                v
                for one in holders
                for name in names
                for v in self._flow.attribute_loads.read(unit, one, name=name)
            ]
        )

    def _holders(self, unit: FileSymbols, row: int) -> Values | None:
        """Return the objects whose namespace an expression is; None if it is no namespace."""
        op, name, base, args = unit.expressions[row]
        if op == _ATTRIBUTE and name == unit.members.namespace_attribute:
            return self._flow.values(unit, base)
        if op != _CALL or unit.expressions[base][1] not in unit.library.namespace_functions:
            return None
        symbols = self._flow.symbols(unit, base)
        if len(symbols) != 1 or symbols[0][0] != DEFINITION:
            return None
        if not self._program.is_library(number_of(symbols[0][1])):
            return None
        return self._flow.values(unit, args[0]) if args else (_own_module(unit),)

    def _is_of_modules(self, unit: FileSymbols, row: int) -> bool:
        """Return whether a row names the table of all loaded modules."""
        op, name, _, _ = unit.expressions[row]
        table = unit.modules.module_table
        if op != _ATTRIBUTE or not table or name != table.rpartition(".")[2]:
            return False
        symbols = self._flow.symbols(unit, row)
        if len(symbols) != 1 or symbols[0][0] != VARIABLE:
            return False
        place = place_of(symbols[0][1])
        return place[0] >= FIRST_KEY and self._program.dotted_variable(place) == table

    def _modules(self, unit: FileSymbols, row: int) -> Iterator[Value]:
        op, name, _, _ = unit.expressions[row]
        if op == _NAME and name == unit.modules.module_name:
            yield _own_module(unit)
        for text in self.texts(unit, row):
            target = unit.finder.find(unit.key, text)
            yield from self._flow.meant(self._flow.names.of_module(unit, target))

    def _texts(self, unit: FileSymbols, row: int, depth: int) -> list[str]:
        op, text, base, args = unit.expressions[row]
        if op == _STRING:
            return [text]
        if op == _OPERATOR and text == _JOIN and len(args) == 2:
            left, right = (self._texts(unit, arg, depth) for arg in args)
            return [one + other for one in left for other in right][: MOST_STRINGS + 1]
        if op == _ELEMENT:
            return self._joined([(unit, base)], depth, self._elements)
        if op == _INDEX:
            return self._joined([(unit, base)], depth, self._held)
        if op == _ITEM and unit.expressions[base][0] == _ELEMENT and text != "*":
            _, _, whole, _ = unit.expressions[base]
            return self._columns(unit, whole, depth, int(text))
        return self._joined(self._bound(unit, row), depth - 1, self._texts) if depth else []

    def _columns(self, unit: FileSymbols, row: int, depth: int, place: int) -> list[str]:
        """Return the strings at a place of each element of a literal."""
        parts = self._parts(unit, row)
        if parts is None:

            def columns(unit: FileSymbols, row: int, depth: int) -> list[str]:
                return self._columns(unit, row, depth, place)

            return self._joined(self._bound(unit, row), depth - 1, columns) if depth else []
        rows = []
        for key, part in parts:
            _, _, _, args = unit.expressions[part]
            is_whole = key == part and self._parts(unit, part) is not None
            if not is_whole or not -len(args) <= place < len(args):
                return []
            rows.append((unit, args[place]))
        return self._joined(rows, depth, self._texts)

    def _elements(self, unit: FileSymbols, row: int, depth: int) -> list[str]:
        """Return the strings in a list literal, or the keys of a dictionary literal."""
        parts = self._parts(unit, row)
        if parts is None:
            return self._joined(self._bound(unit, row), depth - 1, self._elements) if depth else []
        return self._joined([(unit, key) for key, _ in parts], depth, self._texts)

    def _held(self, unit: FileSymbols, row: int, depth: int) -> list[str]:
        """Return the strings in a list literal, or the values of a dictionary literal."""
        parts = self._parts(unit, row)
        if parts is None:
            return self._joined(self._bound(unit, row), depth - 1, self._held) if depth else []
        return self._joined([(unit, value) for _, value in parts], depth, self._texts)

    def _parts(self, unit: FileSymbols, row: int) -> list[tuple[int, int]] | None:
        """Return (key, value) of each part of a literal, the same row twice in a list."""
        op, _, _, args = unit.expressions[row]
        if op != _COLLECTION:
            return None
        rows = unit.expressions
        return [
            (rows[arg][3][0], rows[arg][3][1]) if rows[arg][0] == _PAIR else (arg, arg)
            for arg in args
        ]

    def _joined(
        self, rows: _Rows, depth: int, of: Callable[[FileSymbols, int, int], list[str]]
    ) -> list[str]:
        """Return the strings of all rows; empty if one of them is not constant."""
        found: list[str] = []
        for unit, row in rows:
            texts = of(unit, row, depth)
            if not texts or len(found) > MOST_STRINGS:
                return []
            found += texts
        return found

    def _bound(self, unit: FileSymbols, row: int) -> _Rows:
        """Return all bindings of a variable; empty if it may hold other values."""
        if unit.expressions[row][0] not in (_NAME, _ATTRIBUTE):
            return []
        symbols = self._flow.symbols(unit, row)
        if len(symbols) != 1 or symbols[0][0] not in _VARIABLES:
            return []
        file, scope, name = place_of(symbols[0][1])
        if file >= FIRST_KEY:
            return []
        holder = self._program.unit(file)
        home = holder.scopes[scope].parent if holder.scopes[scope].kind == VERSION else scope
        if name in holder.parameters.get(home, ()) or holder.uses_of(home, name):
            return []
        bindings = [b for entry in holder.bound(scope, name) for b in entry.bindings]
        if any(b.kind not in _KNOWN or not b.value for b in bindings):
            return []
        return [(holder, b.value) for b in bindings if b.kind == _VALUE]


def _own_module(unit: FileSymbols) -> Value:
    return MODULE, unit.key, Rule.MODULE
