"""The methods that operations and library functions ask of classes: `len(x)` asks for `__len__`.

An operation on an object without the method leaves nothing in the graph, and yet it is another one
once a class has such a method. So what operations ask is kept by file, for updates: which methods
of which classes, as digests of both, and which ones of objects of which nothing is known.
"""

from array import array
from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple
from zlib import crc32

from mu.resolve.limits import MOST_CANDIDATES
from mu.resolve.lookup.class_hierarchy import ClassHierarchy
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import dotted_path


class Operations(NamedTuple):
    """What operations ask: digests of (class, method) by the keys of files, 4 bytes each, the names
    of all methods that they ask for, and the groups of these, the first of which that there is
    runs, of objects of which nothing is known.
    """

    asked: Mapping[int, bytes]
    names: Set[str]
    open: Set[tuple[str, ...]]


class OperationMethods:
    """Collects what the operations of one file after the other ask."""

    def __init__(self, program: Program, hierarchy: ClassHierarchy) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._digests: dict[tuple[int, str], int] = {}
        self._noted: set[int] = set()  # in the file that is linked
        self._asked: dict[int, bytes] = {}
        self._counts: dict[tuple[str, ...], int] = {}
        self._names: set[str] = set()
        self._open: Set[tuple[str, ...]] = frozenset()  # groups that were asked for before

    def asked_of(self, number: int, names: Iterable[str]) -> tuple[int, ...]:
        """The digests of methods that are asked for of a class; none of one of the library, where
        calls never lead below it.
        """
        if self._is_final(number):
            return ()
        plain = [name.rpartition("::")[2] for name in names]
        self._names.update(plain)
        return tuple([self.digest(number, name) for name in plain])

    def digest(self, number: int, name: str) -> int:
        """What stands for a method of a class."""
        place = number, name
        found = self._digests.get(place)
        if found is None:
            program = self._program
            path = dotted_path(program.unit_of[number], program.definitions[number])
            found = self._digests[place] = crc32(f"{path}\n{name}".encode("utf-8", "surrogatepass"))
        return found

    def note(self, digests: Iterable[int]) -> None:
        """Note that an operation of the file that is linked asks for methods."""
        self._noted.update(digests)

    def close_file(self, key: int, *, is_part: bool) -> None:
        """Keep what was noted; of a part of a file, beside what is known of the rest."""
        if is_part:
            self._noted.update(array("I", self._asked.get(key, b"")))
        self._asked[key] = array("I", sorted(self._noted)).tobytes()
        self._noted = set()

    def candidates(self, names: tuple[str, ...]) -> int:
        """How many classes define the last of some methods, and none of those tried before; no more
        than are counted.
        """
        known = self._counts.get(names)
        if known is None:
            defining = self._hierarchy.defining
            found = set(defining(names[-1]))
            for earlier in names[:-1]:
                found.difference_update(defining(earlier))
            known = self._counts[names] = min(len(found), MOST_CANDIDATES)
            self._names.update(names)
        return known

    @property
    def names(self) -> Set[str]:
        """The names of all methods that are asked for."""
        return self._names

    @property
    def open(self) -> Set[tuple[str, ...]]:
        """The groups of methods that were asked for of objects of which nothing is known."""
        return self._open | self._counts.keys()

    def state(self) -> Operations:
        """All that was asked, for `resume`."""
        files = self._program.files
        asked = {key: found for key, found in self._asked.items() if key in files}
        return Operations(asked, self._names, self.open)

    def resume(self, state: Operations) -> None:
        """Go on from what was asked before an edit."""
        self._asked, self._names, self._open = dict(state.asked), {*state.names}, state.open

    def files_asking(self, digests: Set[int]) -> set[int]:
        """The files, by key, with operations that ask for any of some methods of classes."""
        return {
            key
            for key, found in (self._asked.items() if digests else ())
            if not digests.isdisjoint(array("I", found))
        }

    def _is_final(self, number: int) -> bool:
        """Tell whether calls on instances of a class of the library never lead below it."""
        program = self._program
        if not program.is_library(number):
            return False
        unit = program.unit_of[number]
        is_root = number == program.root_class(unit.rules)
        return is_root or unit.types.is_rarely_extended(program.dotted(number))
