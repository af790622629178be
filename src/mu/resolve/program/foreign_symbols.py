"""Foreign symbols: what a file provides to other languages, and wants of them.

No language knows another. One says what its files provide, another what it wants, both by names
that a linker or an interpreter looks up when the program runs.
"""

from dataclasses import dataclass
from enum import StrEnum


class Linkage(StrEnum):
    """How a name is looked up."""

    SYMBOL = "symbol"  # in native libraries, by the name that linkers know
    EXTENSION = "extension"  # in a module that a native library is: the dotted name of a member


@dataclass(frozen=True, slots=True)
class Provided:
    """A definition, by its number in a file, that other languages may reach under a name.

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
    """A name that is looked up: in one of `libraries`, or anywhere where the name alone tells."""

    linkage: Linkage
    name: str
    libraries: frozenset[str] | None = None
