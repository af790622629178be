"""Element loads with a constant key: `TABLE["add"]`, `handlers[0]`.

The key selects one element only if the text shows the whole container: a literal, directly, behind
a variable bound once, or as the only result of a function, with stores of constant keys. With any
other store to the variable, every key may have any element.
"""

from collections.abc import Sequence

from mu.model.facts import Flag, Op
from mu.resolve.abstract_values import (
    FUNCTION,
    LOCAL,
    MAY_BE_MORE,
    VARIABLE,
    Place,
    Values,
    bounded,
    class_of,
    number_of,
    place_of,
)
from mu.resolve.limits import DEEPEST_LITERAL
from mu.resolve.program.file_symbols import VERSION, FileSymbols, Use
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.solver import LISTED

_STRING, _PAIR, _SPREAD, _COLLECTION = map(int, (Op.STRING, Op.PAIR, Op.SPREAD, Op.COLLECTION))
_NAME, _ATTRIBUTE, _CALL, _INDEX = map(int, (Op.NAME, Op.ATTRIBUTE, Op.CALL, Op.INDEX))
_VARIABLES = frozenset((VARIABLE, LOCAL))
_DEFERRED = int(Flag.ASYNC) | int(Flag.GENERATOR)

Given = list[tuple[FileSymbols, int]]
"""(file, row) of the values that a container may hold at a key."""


class ConstantKeys:
    """Finds the element that a constant key selects from a literal."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._filling: set[Place] = set()  # containers whose uses are being evaluated

    def listed(self, unit: FileSymbols, number: int) -> Values | None:
        """Return the values of the subscript `number`; None if its element is not known."""
        given = self._given(unit, number, DEEPEST_LITERAL)
        if given is None:
            return None
        key = (LISTED, unit.key, number)  # `table["a"] = [table["a"]]` is recursive
        return self._flow.solver.solve(key, self._values, given)[0]

    def _values(self, given: Given) -> Values:
        return bounded([value for one, row in given for value in self._flow.values(one, row)])

    def _given(self, unit: FileSymbols, number: int, depth: int) -> Given | None:
        key = _key(unit, number)
        if not key:
            return None
        _, _, base, _ = unit.expressions[number]
        return self._at(unit, base, key, depth)

    def _at(self, unit: FileSymbols, row: int, key: str, depth: int) -> Given | None:
        """Return the rows that the container in `row` holds at a key; None if not known."""
        op, kind, _, args = unit.expressions[row]
        if not depth:
            return None
        if op == _COLLECTION:
            return _of_literal(unit, kind, args, key)
        if op == _CALL:
            return self._of_call(unit, row, key, depth)
        if op == _INDEX:
            inner = self._given(unit, row, depth - 1)
            if inner is None or len(inner) != 1:
                return None
            return self._at(*inner[0], key, depth - 1)
        return self._of_variable(unit, row, key, depth) if op in (_NAME, _ATTRIBUTE) else None

    def _of_call(self, unit: FileSymbols, row: int, key: str, depth: int) -> Given | None:
        """Return the rows at a key of a call's result, if the function has a single `return`."""
        _, _, function, _ = unit.expressions[row]
        asked = (LISTED, unit.key, function, _CALL)  # `a = a["b"].c()["d"]` is recursive
        values, _ = self._flow.solver.solve(asked, self._flow.called, unit, function)
        if len(values) != 1 or values[0][0] != FUNCTION:
            return None
        number = number_of(values[0][1])
        definition, own = self._program.definitions[number], self._program.unit_of[number]
        if self._program.is_library(number) or definition.flags & _DEFERRED:
            return None
        if len(definition.returned) != 1:
            return None
        return self._at(own, definition.returned[0], key, depth - 1)

    def _of_variable(self, unit: FileSymbols, row: int, key: str, depth: int) -> Given | None:
        symbols = self._flow.symbols(unit, row)
        if len(symbols) != 1 or symbols[0][0] not in _VARIABLES:
            return None
        file, scope, name = place = place_of(symbols[0][1])
        holder = self._program.unit(file)
        entry = holder.names[scope].get(name)
        if entry is None or len(entry.bindings) != 1 or entry.bindings[0].kind:
            return None
        if self._is_held_below(unit, row, name):
            return None
        home = holder.scopes[scope]
        uses = holder.uses_of(home.parent if home.kind == VERSION else scope, name)
        set_to = _set_at(holder, uses, key)
        if set_to is None or self._is_filled(holder, entry.bindings[0].value, place, uses):
            return None
        written = self._at(holder, entry.bindings[0].value, key, depth - 1)
        return None if written is None else [*written, *set_to]

    def close(self) -> None:
        """Forget the open containers, after an error."""
        self._filling.clear()

    def _is_held_below(self, unit: FileSymbols, row: int, name: str) -> bool:
        """Return whether a row is an attribute that subclasses bind, too."""
        op, _, base, _ = unit.expressions[row]
        holding = self._flow.hierarchy.holding
        holders = self._flow.values(unit, base) if op == _ATTRIBUTE else ()
        return any(v[0] in MAY_BE_MORE and holding(class_of(v), name) for v in holders)

    def _is_filled(
        self, holder: FileSymbols, value: int, place: Place, uses: Sequence[Use]
    ) -> bool:
        """Return whether a method that is called on a container may add elements to it.

        While that is being evaluated, it is assumed: `T.setdefault("c", T["a"])` depends on itself.
        """
        there = [(holder, use) for use in uses if use[0] or use[2]]
        if not there:
            return False
        if place in self._filling:
            return True
        self._filling.add(place)
        filling = self._flow.container_stores
        held = self._flow.values(holder, value)
        is_filled = any(filling.filled(one, there, is_told=False) != one for one in held)
        self._filling.remove(place)
        return is_filled


def written_part(unit: FileSymbols, whole: int, *, place: str) -> int | None:
    """Return the row at a place of an unpacked literal; None if the literal is not known.

    0 if it has no such place.
    """
    op, text, base, args = unit.expressions[whole]
    if op == Op.ITEM and text != "*":
        inner = written_part(unit, base, place=text)
        return None if inner is None else written_part(unit, inner, place=place)
    if op != _COLLECTION or any(unit.expressions[arg][0] == _SPREAD for arg in args):
        return None
    if not place.removeprefix("-").isdecimal():  # a member of a variant, which no collection is
        return None
    index = int(place)
    return args[index] if -len(args) <= index < len(args) else 0


def _key(unit: FileSymbols, number: int) -> str:
    """Return the constant key of a subscript, a string with `'` before it; else empty."""
    _, place, _, args = unit.expressions[number]
    if place or len(args) != 1:
        return place
    op, text, _, _ = unit.expressions[args[0]]
    return f"'{text}" if op == _STRING else ""


def _set_at(unit: FileSymbols, uses: Sequence[Use], key: str) -> Given | None:
    """Return the rows of what subscripts store at a key; None if one has no constant key."""
    found: Given = []
    for method, args, steps in uses:
        if not method and not steps:
            _, value, subscript = args
            own = _key(unit, subscript)
            if not own:
                return None
            if own == key:
                found.append((unit, value))
    return found


def _of_literal(unit: FileSymbols, kind: str, args: tuple[int, ...], key: str) -> Given | None:
    rows = unit.expressions
    if kind == "dict":
        for pair in args:
            if rows[pair][0] != _PAIR or rows[rows[pair][3][0]][0] != _STRING:
                return None
        return [(unit, rows[p][3][1]) for p in args if f"'{rows[rows[p][3][0]][1]}" == key]
    if kind not in ("list", "tuple") or key[0] == "'" or any(rows[a][0] == _SPREAD for a in args):
        return None
    index = int(key)
    return [(unit, args[index])] if -len(args) <= index < len(args) else None
