"""Foreign symbols: what a file provides to other languages, and wants from them.

Languages do not know each other. Each reports what its files provide and want, under the symbol
names that a linker or interpreter looks up at run time.
"""

from dataclasses import dataclass
from enum import StrEnum


class Linkage(StrEnum):
    """How a symbol is looked up."""

    SYMBOL = "symbol"  # in native libraries, by the name that linkers use
    EXTENSION = "extension"  # in a native library that is a module: by the dotted name of a member


@dataclass(frozen=True, slots=True)
class Provided:
    """A definition, by its number in a file, that other languages can refer to by a symbol.

    `libraries` are the possible names of its library, without the affixes of systems (`lib`,
    `.so`).
    """

    file: int
    definition: int
    linkage: Linkage
    name: str
    libraries: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Wanted:
    """A symbol that a file looks up in one of `libraries`; in any if that is None."""

    linkage: Linkage
    name: str
    libraries: frozenset[str] | None = None
