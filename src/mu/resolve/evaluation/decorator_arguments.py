"""Arguments that decorators pass: the function or class below them, its receiver to a wrapper."""

from collections.abc import Callable, Iterator

from mu.model.kinds import Rule
from mu.resolve.abstract_values import CLASS, FUNCTION, WRAPPER, Value, as_passed, number_of
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.solver import ParameterKey

_CALLBACK = Rule.CALLBACK

Run = Callable[[FileSymbols, int, Value], Iterator[tuple[int, bool]]]
"""Finds the functions that a call of a value runs, and whether it binds their first parameter."""

Wants = Callable[[int, int], bool]
"""Says whether the values of a parameter (function, place) are of interest."""


class DecoratorArguments:
    """Finds what the decorators of a definition are called with."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def given(self, number: int, run: Run, *, wants: Wants) -> list[tuple[ParameterKey, Value]]:
        """Return what the decorators of a definition, and what replaces it, are called with."""
        given: list[tuple[ParameterKey, Value]] = []
        row, unit = self._program.definitions[number], self._program.unit_of[number]
        kind = FUNCTION if row.kind == "function" else CLASS
        for order, (decorator, _, _) in enumerate(unit.calls.applied_decorators(row)):
            put_before = self._flow.decorators.put_before
            below = put_before(number, below=order) if kind == FUNCTION else ()
            passed = below or ((kind, number, _CALLBACK),)
            for value in self._flow.values(unit, decorator):
                for called, is_bound in run(unit, decorator, value):
                    place = int(is_bound)
                    if wants(called, place):
                        given += [((called, place), as_passed(one)) for one in passed]
        given += self._receivers_of_wrappers(unit, number, wants)
        return given

    def _receivers_of_wrappers(
        self, unit: FileSymbols, number: int, wants: Wants
    ) -> Iterator[tuple[ParameterKey, Value]]:
        """Yield a method's receiver as the first argument of the wrappers that replace it."""
        row = self._program.definitions[number]
        if not unit.takes_receiver(row):
            return
        (receiver,) = unit.receivers[row.body][row.parameters[0].name]
        for kind, key, _ in self._flow.decorators.put_before(number):
            wrapper = number_of(key) if kind == WRAPPER else -1
            if wrapper >= 0 and wants(wrapper, 0):
                yield (wrapper, 0), as_passed(receiver)
