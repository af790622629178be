"""Which functions run when a value is called, and whether the call binds their first parameter."""

from collections.abc import Callable, Iterator, Sequence

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLES,
    CLASS,
    CLASSES,
    DEFINITION,
    INSTANCE,
    INSTANCES,
    WRAPPER,
    Value,
    class_of,
    number_of,
)
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import Receiver
from mu.resolve.solver.flow import Flow

_ATTRIBUTE = int(Op.ATTRIBUTE)


class InvokedFunctions:
    """Finds the functions that a call runs."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def of(
        self, unit: FileSymbols, function: int, *, value: Value, wants: Callable[[int], bool]
    ) -> Iterator[tuple[int, bool]]:
        """Yield (function, whether its first parameter is bound) of what calling `value` runs.

        `value` is one of the row `function`; `wants` selects functions by number.
        """
        kind, key, _ = value
        if kind in CALLABLES:
            number = number_of(key)
            if wants(number):
                if kind == WRAPPER and self._is_on_instance(unit, function):
                    yield number, True
                else:
                    yield from ((number, one) for one in self._bindings(unit, function, number))
        elif kind in CLASSES or (kind in INSTANCES and class_of(value) >= 0):
            owner = class_of(value)
            calls = self._program.unit_of[owner].calls
            names = calls.constructors if kind in CLASSES else (calls.call_method,)
            for name in names:
                instance: Value = (INSTANCE, owner, Rule.INFERRED)
                for found, method, _ in self._flow.members.of_class(instance, name):
                    if found == DEFINITION and wants(number_of(method)):
                        yield number_of(method), self._has_receiver(number_of(method))

    def _has_receiver(self, number: int) -> bool:
        """Return whether the first parameter of a function is its receiver."""
        row = self._program.definitions[number]
        return self._program.unit_of[number].takes_receiver(row)

    def _is_on_instance(self, unit: FileSymbols, function: int) -> bool:
        """Return whether an expression is an attribute of an instance."""
        op, _, base, _ = unit.expressions[function]
        return op == _ATTRIBUTE and any(v[0] in INSTANCES for v in self._flow.values(unit, base))

    def _bindings(self, unit: FileSymbols, function: int, number: int) -> Sequence[bool]:
        """Return whether a call of a function binds its first parameter: both if what it is an
        attribute of may be a class or an instance.
        """
        owner, row = self._program.unit_of[number], self._program.definitions[number]
        if not owner.takes_receiver(row):
            return (False,)
        op, _, base, _ = unit.expressions[function]
        if op != _ATTRIBUTE or owner.calls.receiver(row) is Receiver.CLASS:
            return (True,)
        holders = {value[0] == CLASS for value in self._flow.values(unit, base)}
        return [not is_class for is_class in sorted(holders)] or (True,)
