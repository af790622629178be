"""What names mean and what expressions may give, as small tuples.

A *symbol* is what a reference names: a definition, a variable, a module, something external. A
*value* is what it may hold when the program runs. Both are plain tuples `(kind, key, rule)`, where
`rule` is how the last step to it was resolved. Linking django makes a million of them and looks at
each kind several times, so kinds are plain numbers: reading a member of an enumeration takes ten
times as long (60 ns). What a module, a namespace and an external thing mean is what they hold, so
those kinds are the same for both, and such a symbol is used as the value.
"""

from typing import Final, cast

from mu.model.kinds import Rule

DEFINITION: Final = 0
"""A symbol: a class or function; its key is its program-wide number."""
VARIABLE: Final = 1
"""A symbol: a variable of a module or class; its key is (file, scope, name)."""
LOCAL: Final = 2
"""A symbol: a variable of a function; its key is (file, scope, name)."""
MISSING: Final = 3
"""A symbol: something that should be in the repository and is not; its key is the dotted name."""
MODULE: Final = 4
"""A symbol or value: a module; its key is the file's."""
NAMESPACE: Final = 5
"""A symbol or value: a folder of modules without a file; its key is its path."""
EXTERNAL: Final = 6
"""A symbol or value: something outside the repository; its key is the dotted name."""
CLASS: Final = 7
"""A value: a class itself; its key is the number of its definition."""
FUNCTION: Final = 8
"""A value: a function or bound method; its key is the number of its definition."""
INSTANCE: Final = 9
"""A value: an instance of a class; its key is the number of the class."""
EXTERNAL_INSTANCE: Final = 10
"""A value: an instance of an external class; its key is the dotted name of the class."""
SUPER: Final = 11
"""A value: what follows a class in the order of an instance's class; its key is that class."""

Key = int | str | tuple[int, int, str]
Symbol = tuple[int, Key, Rule]
Value = tuple[int, Key, Rule]

Symbols = tuple[Symbol, ...]
Values = tuple[Value, ...]


def number_of(key: Key) -> int:
    """The key of a symbol or value whose kind says that it is a number."""
    return cast(int, key)


def place_of(key: Key) -> tuple[int, int, str]:
    """The key of a variable: (file, scope, name)."""
    return cast(tuple[int, int, str], key)
