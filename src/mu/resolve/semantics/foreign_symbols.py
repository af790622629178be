"""Foreign symbols: what a file provides to other languages, and wants of them.

Languages do not know each other. Each reports what its files provide and want under the symbol
names that a linker or interpreter looks up at run time.
"""

from dataclasses import dataclass
from enum import StrEnum


class Linkage(StrEnum):
    """How a name is looked up."""

    SYMBOL = "symbol"  # in native libraries, by the name that linkers know
    EXTENSION = "extension"  # in a module that a native library is: the dotted name of a member


@dataclass(frozen=True, slots=True)
class Provided:
    """A definition, by its number in a file, that other languages may reach under a symbol.

    `libraries` are the names that a library with it may have, without what systems put around them
    (`lib`, `.so`).
    """

    file: int
    definition: int
    linkage: Linkage
    name: str
    libraries: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Wanted:
    """A symbol that a file looks up: in one of `libraries`; in any where that is None."""

    linkage: Linkage
    name: str
    libraries: frozenset[str] | None = None
