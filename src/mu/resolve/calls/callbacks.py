"""Callbacks: functions passed to external code, which calls them.

Bodies of external functions are not analysed, so the call is an edge of the definition that passes
the callback: `sorted(xs, key=rank)` calls `rank`. Only parameters declared as callable count.
"""

from collections.abc import Iterator

from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLE,
    CALLABLES,
    CLASSES,
    DEFINITION,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    Value,
    Values,
    class_of,
    number_of,
)
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow

_CALLED = CLASSES | INSTANCES


class Callbacks:
    """Finds the parameters of external functions that are callbacks."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._called: dict[int, frozenset[int]] = {}

    def is_caller(self, values: Values) -> bool:
        """Return whether a library function among `values` calls one of its arguments."""
        outside = self._outside(values)
        return bool(outside) and any(self.called_places(number) for number, _ in outside)

    def of(self, unit: FileSymbols, function: int, *, args: tuple[int, ...]) -> Values:
        """Return the callbacks of the repository that a call passes to library functions.

        Of an instance that cannot be called, these are the methods that implement the parameter's
        functional interface.
        """
        found: dict[tuple[int, object], Value] = {}
        passing = self._flow.argument_binding
        for number, is_bound in self._outside(self._flow.called(unit, function)):
            called = self.called_places(number)
            if not called:
                continue
            for place, arg in passing.passed(number, (unit, args), is_bound=is_bound):
                if place in called:
                    for value in self._flow.values(unit, arg):
                        if self._is_called(value):
                            found[value[:2]] = (value[0], value[1], Rule.CALLBACK)
                        elif value[0] in INSTANCES and 0 <= class_of(value) < self._program.size:
                            for method in self._methods(value, number, place):
                                found[FUNCTION, method] = (FUNCTION, method, Rule.CALLBACK)
        return tuple(found.values())

    def called_places(self, number: int) -> frozenset[int]:
        """Return the places of the parameters that a library function calls."""
        known = self._called.get(number)
        if known is None:
            parameters = self._program.definitions[number].parameters
            if self._program.unit_of[number].library.keeps_callables(self._program.dotted(number)):
                parameters = ()
            told = self._flow.functional_interfaces.with_signatures
            pattern = self._flow.argument_binding.pattern
            patterns = (told(pattern(number, place)) for place in range(len(parameters)))
            known = self._called[number] = frozenset(
                place
                for place, pattern in enumerate(patterns)
                if any(value[0] == CALLABLE for value in pattern)
            )
        return known

    def _is_called(self, value: Value) -> bool:
        """Return whether calling a value runs code of the repository."""
        kind, key, _ = value
        if kind not in CALLABLES and (kind not in _CALLED or class_of(value) < 0):
            return False
        number = number_of(key) if kind in CALLABLES else class_of(value)
        if self._program.is_library(number):
            return False
        return kind in CALLABLES or bool(self._program.unit_of[number].calls.call_method)

    def _methods(self, value: Value, number: int, place: int) -> Iterator[int]:
        """Yield the methods of an instance that implement a parameter's functional interfaces."""
        for one in self._flow.argument_binding.pattern(number, place):
            opened = self._flow.functional_interfaces.method(one)
            name = self._program.definitions[opened].name if opened >= 0 else ""
            for how, key, _ in self._flow.members.of_class(value, name) if name else ():
                if how == DEFINITION and not self._program.is_library(number_of(key)):
                    yield number_of(key)

    def _outside(self, values: Values) -> list[tuple[int, bool]]:
        """Return (function, whether its first parameter is bound) of library functions called."""
        found: list[tuple[int, bool]] = []
        for kind, key, rule in values:
            if kind == FUNCTION and self._program.is_library(number_of(key)):
                found.append((number_of(key), self._takes_receiver(number_of(key))))
            elif kind in CLASSES and self._program.is_library(number_of(key)):
                for name in self._program.unit_of[number_of(key)].calls.constructors:
                    value: Value = (INSTANCE, key, rule)
                    symbols = self._flow.members.of_class(value, name)
                    numbers = [number_of(k) for how, k, _ in symbols if how == DEFINITION]
                    found += [(number, self._takes_receiver(number)) for number in numbers]
        return found

    def _takes_receiver(self, number: int) -> bool:
        """Return whether the first parameter of a function is its receiver."""
        return self._program.unit_of[number].takes_receiver(self._program.definitions[number])
