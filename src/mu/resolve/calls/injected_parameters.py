"""Dependency injection by parameter name, as of the fixtures of pytest.

Which functions are providers, and for which callers, is data of the language: `Injected`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from mu.model.facts import ASYNC, Flag, Op
from mu.model.kinds import Category
from mu.resolve.abstract_values import DEFINITION, EXTERNAL, Values, bounded
from mu.resolve.calls.parametrize import Parametrize
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow

_CALL, _KEYWORD, _STRING = int(Op.CALL), int(Op.KEYWORD), int(Op.STRING)
_COLLECTION = int(Op.COLLECTION)
_GENERATOR = int(Flag.GENERATOR)


class Provider(NamedTuple):
    """A function whose result is injected; if `is_automatic`, also where no parameter names it."""

    number: int
    name: str
    is_automatic: bool


class InjectedParameters:
    """Finds the provider of a parameter, and the values that it injects."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._parametrizing = Parametrize(program, flow)
        self._providers: dict[str, list[int]] = {}
        self._given: set[int] = set()
        self._plugins: set[int] = set()  # keys of files whose providers serve all files
        self._shared: list[FileSymbols] = []
        self._is_ready = False
        self.providers: list[Provider] = []

    def prepare(self) -> None:
        """Find the providers, once."""
        if not self._is_ready:
            self._is_ready = True
            files = [key for key in self._program.files if self._program.outline(key).is_providing]
            units = [self._program.units[key] for key in files]
            for unit in units:
                self._note_providers(unit)
            for unit in units if self.providers else ():
                self._note_file(unit)

    def provider(self, number: int, name: str) -> int:
        """Return the function that provides the parameter `name` of a function; -1 if none does."""
        self.prepare()
        if name not in self._providers or not self.is_given(number):
            return -1
        if self._has_default(number, name) or self._parametrizing.values(number, name) is not None:
            return -1
        return self.named(number, name)

    def named(self, number: int, name: str) -> int:
        """Return the nearest provider of `name` visible to a function or class; -1 if none is."""
        self.prepare()
        found = [
            (nearness, one)
            for one in self._providers.get(name, ())
            if one != number and (nearness := self._nearness(one, number)) is not None
        ]
        return max(found)[1] if found else -1

    def of(self, number: int, name: str) -> Values:
        """Return the values that are injected into the parameter `name` of a function."""
        provider = self.provider(number, name)
        if provider < 0:
            given = self._parametrizing.values(number, name) if self.is_given(number) else None
            return given or ()
        unit, row = self._program.unit_of[provider], self._program.definitions[provider]
        if row.flags & _GENERATOR and not row.returns:
            return bounded([v for given in row.yielded for v in self._flow.values(unit, given)])
        found = self._flow.iteration.awaited(unit, self._flow.call_results.result(provider))
        if not row.flags & _GENERATOR:
            return found
        elements = self._flow.iteration.elements
        return elements(unit, found) or elements(unit, found, how=ASYNC)

    def is_given(self, number: int) -> bool:
        """Return whether a framework injects the parameters of a function.

        It does so for providers, and in files of tests for functions with certain names.
        """
        row, unit = self._program.definitions[number], self._program.unit_of[number]
        if number in self._given:
            return True
        is_test = unit.file.category == Category.TEST
        return is_test and row.name.startswith(unit.entries.injected.receivers)

    def is_shared(self, file: int) -> bool:
        """Return whether the providers of a file serve other files."""
        self.prepare()
        return file in self._plugins or any(unit.key == file for unit in self._shared)

    def _note_providers(self, unit: FileSymbols) -> None:
        for number, row in enumerate(unit.facts.definitions, unit.first):
            if row.decorators and row.kind == "function":
                for args in self._providing(unit, row.decorators):
                    injected = unit.entries.injected
                    name = _text(unit, args, injected.named) or row.name
                    is_automatic = _has(unit, args, injected.automatic)
                    self.providers.append(Provider(number, name, is_automatic))
                    self._providers.setdefault(name, []).append(number)
                    self._given.add(number)

    def _providing(
        self, unit: FileSymbols, decorators: tuple[tuple[int, int, str], ...]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the arguments of each decorator that makes a function a provider."""
        ends = tuple(name.rpartition(".")[2] for name in unit.entries.injected.providers)
        for number, _, text in decorators:
            if any(end in text for end in ends):
                op, _, base, args = unit.expressions[number]
                for kind, key, _ in self._flow.symbols(unit, base if op == _CALL else number):
                    if kind == EXTERNAL and key in unit.entries.injected.providers:
                        yield args if op == _CALL else ()

    def _note_file(self, unit: FileSymbols) -> None:
        injected = unit.entries.injected
        if unit.file.path.rpartition("/")[2] in injected.shared:
            self._shared.append(unit)
        self._plugins |= plugins_of(unit)

    def _has_default(self, number: int, name: str) -> bool:
        parameters = self._program.definitions[number].parameters
        return any(parameter.name == name and parameter.default for parameter in parameters)

    def _nearness(self, provider: int, number: int) -> tuple[int, int] | None:
        """Rank how near a provider is, the greater the nearer; None if it is not visible."""
        there, here = self._program.unit_of[provider], self._program.unit_of[number]
        row = self._program.definitions[provider]
        if row.scope:
            owner = there.first + there.scopes[row.scope].definition
            order = self._flow.members.order(self._class_of(number))
            return (4, -order.index(owner)) if owner in order else None
        if there is here:
            return 3, 0
        if self._has(here, row.name, provider):
            return 2, 0
        depths = [
            unit.file.path.count("/")
            for unit in self._shared
            if _is_above(unit, here) and (unit is there or self._has(unit, row.name, provider))
        ]
        if depths:
            return 1, max(depths)
        return (0, 0) if there.file.key in self._plugins else None

    def _class_of(self, number: int) -> int:
        """Return the class that a function is a method of, or the class itself."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if row.kind == "class":
            return number
        owner = unit.scopes[row.scope].definition
        return unit.first + owner if owner >= 0 else number

    def _has(self, unit: FileSymbols, name: str, provider: int) -> bool:
        """Return whether a file binds `name` to a provider of another file."""
        entry = unit.names[0].get(name)
        if entry is None and not unit.wildcards:
            return False
        symbols = self._flow.names.member(unit.key, name)
        return any(kind == DEFINITION and key == provider for kind, key, _ in symbols)


def plugins_of(unit: FileSymbols) -> set[int]:
    """Return the keys of the files whose modules a file lists as plugins.

    Their providers serve all files.
    """
    plugins: set[int] = set()
    entry = unit.names[0].get(unit.entries.injected.plugins)
    for binding in entry.bindings if entry else ():
        op, text, _, args = unit.expressions[binding.value]
        rows = [unit.expressions[arg] for arg in args] if op == _COLLECTION else []
        names = [text] if op == _STRING else [row[1] for row in rows if row[0] == _STRING]
        plugins.update(unit.finder.find(unit.key, name).file for name in names)
    return plugins - {-1}


def _is_above(unit: FileSymbols, other: FileSymbols) -> bool:
    folder = unit.file.path.rpartition("/")[0]
    return not folder or other.file.path.startswith(f"{folder}/")


def _text(unit: FileSymbols, args: tuple[int, ...], keyword: str) -> str:
    for arg in args:
        op, name, value, _ = unit.expressions[arg]
        if op == _KEYWORD and name == keyword and unit.expressions[value][0] == _STRING:
            return unit.expressions[value][1]
    return ""


def _has(unit: FileSymbols, args: tuple[int, ...], keyword: str) -> bool:
    return any(unit.expressions[arg][:2] == (_KEYWORD, keyword) for arg in args)
