"""Receiver-sensitive fields: values that a constructor stored for another subclass are dropped.

`self.run = run` in a base constructor stores what any subclass passes. For a receiver of one
subclass, only values passed for instances of it, its ancestors or its descendants remain.
"""

from mu.model.facts import Op
from mu.resolve.abstract_values import (
    DEFINED,
    OF_CLASS,
    VARIABLE,
    Place,
    Value,
    Values,
    class_of,
    place_of,
)
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.solver import ParameterKey

_NAME = int(Op.NAME)


class ReceiverFields:
    """A filter of field values, which drops those that only other subclasses store."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self._known: dict[tuple[ParameterKey, int], frozenset[tuple[int, object]]] = {}

    def without(self, unit: FileSymbols, values: Values, *, base: int, name: str) -> Values:
        """Return values of member `name` without functions and classes stored by other classes."""
        if sum(value[0] in DEFINED for value in values) < 2:
            return values
        holders = self._evaluator.values(unit, base)
        if len(holders) != 1 or holders[0][0] not in OF_CLASS or class_of(holders[0]) < 0:
            return values
        symbols = self._evaluator.members.of_class(holders[0], name)
        if len(symbols) != 1 or symbols[0][0] != VARIABLE:
            return values
        need = self._parameter(place_of(symbols[0][1]))
        if need is None:
            return values
        others = self._of_others(need, class_of(holders[0]))
        return tuple([v for v in values if v[0] not in DEFINED or v[:2] not in others])

    def _parameter(self, place: Place) -> ParameterKey | None:
        """Return the constructor parameter (function, position) that alone sets a field."""
        unit = self._program.unit(place[0])
        owner = unit.scopes[place[1]].definition
        entry = unit.fields.get(owner, {}).get(place[2])
        if entry is None or place[2] in unit.names[place[1]] or len(entry.bindings) != 1:
            return None
        op, name, scope, _ = unit.expressions[entry.bindings[0].value]
        index = unit.parameters.get(scope, {}).get(name) if op == _NAME else None
        if index is None or name in unit.names[scope]:
            return None
        number = unit.first + unit.scopes[scope].definition
        is_own = self._program.definitions[number].name in unit.calls.constructors
        return (number, index) if is_own else None

    def _of_others(self, need: ParameterKey, number: int) -> frozenset[tuple[int, object]]:
        """Return the values passed to a parameter for other classes, and not for this one."""
        known = self._known.get((need, number))
        if known is None:
            here: set[tuple[int, object]] = set()
            elsewhere: set[tuple[int, object]] = set()
            for (file, row), makers in self._evaluator.parameter_propagation.makers(need).items():
                is_here = any(self._is_related(maker, number) for maker in makers)
                passed = self._evaluator.values(self._program.unit(file), row)
                (here if is_here else elsewhere).update(map(_identity, passed))
            known = frozenset(elsewhere - here)
            self._known[need, number] = known
        return known

    def _is_related(self, one: int, other: int) -> bool:
        """Return whether a class is, extends or is extended by another; -1 may be any."""
        order = self._evaluator.members.order
        return one < 0 or one in order(other) or other in order(one)


def _identity(value: Value) -> tuple[int, object]:
    return value[0], value[1]
