"""What names mean and what expressions may give, as small tuples.

A *symbol* is what a reference names: a definition, a variable, a module, something external. A
*value* is what it may hold when the program runs. Both are plain tuples `(kind, key, rule)`: linking
django makes a million of them. `rule` is how the last step to it was resolved.
"""

from enum import IntEnum
from typing import cast

from mu.model.kinds import Rule


class SymbolKind(IntEnum):
    """What a symbol is; in brackets what its key holds."""

    DEFINITION = 0  # [definition number, program-wide]
    VARIABLE = 1  # of a module or class [(file, scope, name)]
    MODULE = 2  # [file key]
    NAMESPACE = 3  # [dotted name of a folder of modules]
    EXTERNAL = 4  # [dotted name]
    LOCAL = 5  # of a function [(file, scope, name)]
    MISSING = 6  # [dotted name that should be in the repository and is not]


class ValueKind(IntEnum):
    """What a value is; in brackets what its key holds."""

    CLASS = 0  # the class object [definition number]
    FUNCTION = 1  # a function or bound method [definition number]
    INSTANCE = 2  # an instance of a class [definition number]
    MODULE = 3  # [file key]
    NAMESPACE = 4  # [dotted name]
    EXTERNAL = 5  # what an external name means [dotted name]
    EXTERNAL_INSTANCE = 6  # an instance of an external class [its dotted name]
    SUPER = 7  # the next class after this one in the order of an instance's class [class number]
    COROUTINE = 8  # what calling an async function gives: await it for its values [number]


Key = int | str | tuple[int, int, str]
Symbol = tuple[SymbolKind, Key, Rule]
Value = tuple[ValueKind, Key, Rule]

Symbols = tuple[Symbol, ...]
Values = tuple[Value, ...]


def number_of(key: Key) -> int:
    """The key of a symbol or value whose kind says that it is a number."""
    return cast(int, key)


def place_of(key: Key) -> tuple[int, int, str]:
    """The key of a variable: (file, scope, name)."""
    return cast(tuple[int, int, str], key)
