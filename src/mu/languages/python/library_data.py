"""The lists of Python's names that are shipped as data."""

from functools import cache
from importlib.resources import files

import msgspec

from mu.languages.library_calls import LibraryCalls


class PythonData(LibraryCalls, frozen=True):
    """Builtins, those of them that are classes, the standard library's modules, and classes of the
    library that stand for all that have their methods.
    """

    builtins: frozenset[str]
    classes: frozenset[str]
    stdlib: frozenset[str]
    structural: frozenset[str]


@cache
def python_data() -> PythonData:
    """Read the data file, once in a process."""
    text = files("mu.languages").joinpath("data/python.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=PythonData)
