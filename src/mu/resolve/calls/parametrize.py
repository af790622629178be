"""Parametrized tests: a decorator lists the values of parameters, one set for each run."""

from collections.abc import Iterator

from mu.model.facts import Definition, Op
from mu.resolve.abstract_values import EXTERNAL, Value, Values, bounded
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow

_CALL, _KEYWORD, _STRING = int(Op.CALL), int(Op.KEYWORD), int(Op.STRING)
_COLLECTION = int(Op.COLLECTION)
_INDIRECT = "indirect"


class Parametrize:
    """Finds the values that a decorator passes to a parameter."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def values(self, number: int, name: str) -> Values | None:
        """Return the values that a parameter is parametrized with; None if no decorator names it.

        Decorators of the function come first, then those of its class.
        """
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        found = self._of(unit, row, name)
        owner = unit.scopes[row.scope].definition
        if found is None and owner >= 0:
            found = self._of(unit, unit.facts.definitions[owner], name)
        return found

    def _of(self, unit: FileSymbols, row: Definition, name: str) -> Values | None:
        for decorator, _, text in row.decorators:
            if name not in text:
                continue
            names, listed = self._read(unit, decorator)
            if name in names:
                place = names.index(name) if len(names) > 1 else -1
                return bounded(list(self._given(unit, listed, place)))
        return None

    def _given(self, unit: FileSymbols, listed: int, place: int) -> Iterator[Value]:
        """Yield the values of one parameter: at `place` in each set, or (-1) the sets."""
        if unit.expressions[listed][0] == _COLLECTION:
            for part in self._rows(unit, listed, place):
                yield from self._flow.values(unit, part)
            return
        sets = self._flow.iteration.elements(unit, self._flow.values(unit, listed))
        if place < 0:
            yield from sets
        else:
            yield from self._flow.iteration.unpacked(unit, sets, place=place)

    def _read(self, unit: FileSymbols, decorator: int) -> tuple[list[str], int]:
        """Return (names of the parameters, row of the list of values) of a decorator."""
        op, _, function, args = unit.expressions[decorator]
        wanted = unit.entries.injected.parametrized
        if op != _CALL or not any(
            kind == EXTERNAL and key in wanted
            for kind, key, _ in self._flow.symbols(unit, function)
        ):
            return [], 0
        given = [unit.expressions[arg] for arg in args]
        if len(args) < 2 or any(row[:2] == (_KEYWORD, _INDIRECT) for row in given):
            return [], 0
        op, text, _, parts = given[0]
        if op == _STRING:
            return [part.strip() for part in text.split(",")], args[1]
        if op == _COLLECTION:
            return [unit.expressions[part][1] for part in parts], args[1]
        return [], 0

    def _rows(self, unit: FileSymbols, listed: int, place: int) -> Iterator[int]:
        """Yield the rows of the values of one parameter; `place` as in `_given`."""
        for part in unit.expressions[listed][3]:
            kind, _, function, args = unit.expressions[part]
            is_set = kind == _CALL and unit.expressions[function][1] == "param"
            if is_set or (place >= 0 and kind == _COLLECTION):
                if max(place, 0) < len(args):
                    yield args[max(place, 0)]
            elif place < 0:
                yield part
