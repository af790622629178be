"""Parameters that a framework fills by their name with what a provider gives (pytest's fixtures).

Which functions are providers, and for whom, is data of the language; see `Injected`.
"""

from collections.abc import Iterator

from mu.model.facts import Flag, Op
from mu.model.kinds import Category
from mu.resolve.flow import Flow
from mu.resolve.program import Program
from mu.resolve.unit import Unit
from mu.resolve.values import EXTERNAL, Values, bounded

_CALL = int(Op.CALL)
_GENERATOR = int(Flag.GENERATOR)


class Injection:
    """Finds the provider of a parameter, and what it gives."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._providers: dict[str, list[int]] | None = None
        self._given: set[int] = set()

    def provider(self, number: int, name: str) -> int:
        """The function that provides the parameter `name` of a function; -1: none does."""
        if self._providers is None:
            self._providers = {}
            self._note_providers(self._providers)
        found = self._providers.get(name)
        if found is None or not self._is_given(number) or self._has_default(number, name):
            return -1
        visible = [one for one in found if one != number and self._serves(one, number)]
        return max(visible, key=lambda one: self._nearness(one, number), default=-1)

    def of(self, number: int, name: str) -> Values:
        """What the parameter `name` of a function is given."""
        provider = self.provider(number, name)
        if provider < 0:
            return ()
        unit, row = self._program.unit_of[provider], self._program.definitions[provider]
        if row.flags & _GENERATOR and not row.returns:
            return bounded([v for given in row.yielded for v in self._flow.values(unit, given)])
        found = self._flow.iteration.awaited(unit, self._flow.calls.result(provider))
        return self._flow.iteration.elements(unit, found) if row.flags & _GENERATOR else found

    def _note_providers(self, providers: dict[str, list[int]]) -> None:
        for number in range(self._program.size):
            row = self._program.definitions[number]
            if row.decorators and row.kind == "function":
                unit = self._program.unit_of[number]
                names = set(self._dotted(unit, row.decorators))
                if names & unit.rules.injected.providers:
                    providers.setdefault(row.name, []).append(number)
                    self._given.add(number)

    def _dotted(self, unit: Unit, decorators: tuple[tuple[int, int, str], ...]) -> Iterator[str]:
        ends = tuple(name.rpartition(".")[2] for name in unit.rules.injected.providers)
        for number, _, text in decorators:
            if any(end in text for end in ends):
                op, _, base, _ = unit.expressions[number]
                for kind, key, _ in self._flow.symbols(unit, base if op == _CALL else number):
                    if kind == EXTERNAL:
                        yield str(key)

    def _is_given(self, number: int) -> bool:
        """Whether the parameters of a function are filled in."""
        row, unit = self._program.definitions[number], self._program.unit_of[number]
        if number in self._given:
            return True
        is_test = unit.file.category == Category.TEST
        return is_test and row.name.startswith(unit.rules.injected.receivers)

    def _has_default(self, number: int, name: str) -> bool:
        parameters = self._program.definitions[number].parameters
        return any(parameter.name == name and parameter.default for parameter in parameters)

    def _serves(self, provider: int, number: int) -> bool:
        there, here = self._program.unit_of[provider], self._program.unit_of[number]
        if there is here:
            scope = self._program.definitions[provider].scope
            return scope == 0 or scope == self._program.definitions[number].scope
        folder, _, name = there.file.path.rpartition("/")
        is_below = not folder or here.file.path.startswith(f"{folder}/")
        return name in there.rules.injected.shared and is_below

    def _nearness(self, provider: int, number: int) -> tuple[bool, int, int]:
        there = self._program.unit_of[provider]
        row = self._program.definitions[provider]
        is_here = there is self._program.unit_of[number]
        return is_here, there.file.path.count("/"), row.scope
