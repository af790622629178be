"""Values as one process of a group tells them to another.

Each process numbers the modules of the library in the order in which it reads them; so in values
that are passed between processes, a definition outside the repository is given by its module.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

from mu.resolve.abstract_values import (
    LOCAL,
    MEMBER,
    MODULE,
    NESTED,
    NUMBERED,
    TYPE_VARIABLE,
    VARIABLE,
    Key,
    Value,
    class_of,
    member_of,
    number_of,
    parts_of,
    place_of,
)
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import FIRST_KEY, LibraryModule

Outside: TypeAlias = tuple[str, str, int]
"""(language, module, number in it) of a definition of the library; of a file the number is 0."""

PortableNumber: TypeAlias = int | Outside
"""A definition, or a file: in the repository its number or key."""

_PLACES = frozenset((VARIABLE, LOCAL, TYPE_VARIABLE))


class PortableValues:
    """Converts numbers and values of a program to those that hold in any process, and back."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._rules = {rules.name: rules for rules in program.rules}

    def number(self, number: int) -> PortableNumber:
        """Convert the number of a definition."""
        program = self._program
        if number < program.size:  # also one below 0, which is none
            return number
        unit = program.unit_of[number]
        return unit.rules.name, unit.file.path, number - unit.first

    def own_number(self, number: PortableNumber) -> int:
        """Return the number in this process of a definition."""
        if isinstance(number, int):
            return number
        return self._unit(number).first + number[2]

    def file(self, key: int) -> PortableNumber:
        """Convert the key of a file."""
        if key < FIRST_KEY:
            return key
        unit = self._program.unit(key)
        return unit.rules.name, unit.file.path, 0

    def value(self, value: Value) -> Value:
        """Convert a value; of the result only `own_value` can make anything."""
        kind, key, rule = value
        found: object = key
        if kind in NUMBERED:
            found = self.number(number_of(key))
        elif kind in NESTED:
            parts = tuple([tuple(map(self.value, part)) for part in parts_of(value)])
            found = self.number(class_of(value)), parts
        elif kind in _PLACES:
            file, scope, name = place_of(key)
            found = self.file(file), scope, name
        elif kind == MEMBER:
            number, begins = member_of(key)
            found = self.number(number), begins
        elif kind == MODULE:
            found = self.file(number_of(key))
        return kind, cast(Key, found), rule

    def own_value(self, value: Value) -> Value:
        """Return the value in this process that another converted by `value`."""
        kind, key, rule = value
        found: object = key
        if kind in NUMBERED:
            found = self.own_number(cast(PortableNumber, key))
        elif kind in NESTED:
            number, parts = cast(tuple[PortableNumber, tuple[tuple[Value, ...], ...]], key)
            own = tuple([tuple(map(self.own_value, part)) for part in parts])
            found = self.own_number(number), own
        elif kind in _PLACES:
            file, scope, name = cast(tuple[PortableNumber, int, str], key)
            found = self._own_file(file), scope, name
        elif kind == MEMBER:
            number, begins = cast(tuple[PortableNumber, str], key)
            found = self.own_number(number), begins
        elif kind == MODULE:
            found = self._own_file(cast(PortableNumber, key))
        return kind, cast(Key, found), rule

    def extending_modules(self) -> Sequence[LibraryModule]:
        """Return the modules that were read and add members to classes of other modules."""
        return [module for module in self._program.library_modules() if module.is_extending]

    def read_modules(self, modules: Iterable[LibraryModule]) -> None:
        """Read modules that other processes have read."""
        for module in modules:
            self._program.library(self._rules[module.language], module.dotted)

    def _own_file(self, file: PortableNumber) -> int:
        return file if isinstance(file, int) else self._unit(file).key

    def _unit(self, outside: Outside) -> FileSymbols:
        language, dotted, _ = outside
        unit = self._program.library(self._rules[language], dotted)
        if unit is None:
            raise LookupError(dotted)
        return unit
