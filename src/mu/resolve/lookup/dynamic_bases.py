"""Dynamic bases, which are parameters: `const Flying = (Base) => class extends Base {}`.

The bases are the arguments of calls of the function. Calls are found by the last part of the
callee's name and not by propagated points-to sets, since those need the ancestors of all classes
first.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from mu.model.facts import Op
from mu.resolve.abstract_values import CLASS, FUNCTION, Value, Values, number_of
from mu.resolve.limits import MOST_CALLS_OF_MIXIN
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_NAME, _CALL = int(Op.NAME), int(Op.CALL)


class _Evaluates(Protocol):
    """The part of the evaluator that dynamic bases use."""

    def values(self, unit: FileSymbols, number: int) -> Values:
        """Return the values of expression `number`."""


class DynamicBases:
    """Finds the classes that are passed as bases to functions that return a class."""

    def __init__(self, program: Program, evaluator: _Evaluates) -> None:
        self._program = program
        self._evaluator = evaluator
        self._files: Mapping[str, Sequence[int]] | None = None  # by the names that they call
        self._calls: dict[str, list[tuple[FileSymbols, int]]] = {}

    def bases(self, unit: FileSymbols, expression: int) -> Values:
        """Return the classes passed to a parameter that is a base; none for any other expression.

        Only in languages where functions are classes, too.
        """
        op, name, scope, _ = unit.expressions[expression]
        if op != _NAME or unit.prototypes is None:
            return ()
        place = unit.parameters.get(scope, {}).get(name)
        if place is None:
            return ()
        number = unit.first + unit.scopes[scope].definition
        found: dict[object, Value] = {}
        calls = self._calls_of(self._program.definitions[number].name)
        for other, row in calls[:MOST_CALLS_OF_MIXIN]:
            _, _, function, args = other.expressions[row]
            if place >= len(args):
                continue
            called = self._evaluator.values(other, function)
            if any(kind == FUNCTION and number_of(key) == number for kind, key, _ in called):
                for value in self._evaluator.values(other, args[place]):
                    if value[0] == CLASS:
                        found.setdefault(value[1], value)
        return tuple(found.values())

    def _calls_of(self, name: str) -> list[tuple[FileSymbols, int]]:
        """Return the calls by a name that have arguments, in file order."""
        found = self._calls.get(name)
        if found is None:
            if self._files is None:
                self._files = self._program.files_by(lambda outline: outline.calls)
            units = [self._program.units[key] for key in self._files.get(name, ())]
            found = self._calls[name] = [
                (unit, number)
                for unit in units
                for number, (op, _, function, args) in enumerate(unit.expressions)
                if op == _CALL and args and unit.expressions[function][1] == name
            ]
        return found
