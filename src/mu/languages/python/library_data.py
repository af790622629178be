"""Names of Python's builtins and standard library, as data."""

from functools import cache
from importlib.resources import files

import msgspec

from mu.languages.library_calls import LibraryCalls


class PythonData(LibraryCalls, frozen=True):
    """The content of the data file.

    `builtins` are names; `classes` are those of them that are classes with a lower-case name.
    `stdlib` are top-level modules, `structural` the dotted names of structural types: abstract
    classes of the library that a value satisfies by having their methods.
    """

    builtins: frozenset[str]
    classes: frozenset[str]
    stdlib: frozenset[str]
    structural: frozenset[str]


@cache
def python_data() -> PythonData:
    """Return the content of the data file, which is read once per process."""
    text = files("mu.languages").joinpath("data/python.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=PythonData)
