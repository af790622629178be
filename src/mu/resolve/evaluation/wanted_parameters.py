"""Parameters whose arguments are collected: those whose types leave open what they may be."""

from collections.abc import Iterator

from mu.resolve.abstract_values import are_outside
from mu.resolve.calls.argument_forwarding import ArgumentForwarding
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.parameter_sets import ParameterSets


class WantedParameters:
    """The places of the wanted parameters of each function.

    Those with abstract or external types are told to the `sets`, which add only what these admit.
    """

    def __init__(
        self, program: Program, flow: Flow, sets: ParameterSets, forwarding: ArgumentForwarding
    ) -> None:
        self._program = program
        self._flow = flow
        self._sets = sets
        self._forwarding = forwarding
        self._places: dict[int, frozenset[int]] = {}

    def of(self, number: int) -> frozenset[int]:
        """Return the places of a function's wanted parameters."""
        places = self._places.get(number)
        if places is None:
            places = self._places[number] = frozenset(self._find(number))
        return places

    def wants(self, number: int) -> bool:
        """Return whether a function has wanted parameters, or forwards its arguments."""
        return bool(self.of(number)) or self._forwarding.forwards(number)

    def is_wanted(self, number: int, place: int) -> bool:
        """Return whether a parameter of a function is wanted."""
        return self.wants(number) and place in self.of(number)

    def _find(self, number: int) -> Iterator[int]:
        if self._program.is_library(number):
            return
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        skipped = int(unit.takes_receiver(row))
        for place, parameter in enumerate(row.parameters[skipped:], skipped):
            if parameter.kind:
                if self._flow.variadic_parameters.is_wanted(number, place):
                    yield place
                continue
            pattern = self._flow.argument_binding.pattern(number, place)
            if not pattern or self._flow.functional_interfaces.are_functions(pattern):
                yield place
            elif self._flow.declared_types.are_abstract(pattern):
                self._sets.standing[number, place] = pattern
                yield place
            elif are_outside(pattern):
                self._sets.outside.add((number, place))
                yield place
