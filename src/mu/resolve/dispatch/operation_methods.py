"""Methods that operations and library functions look up on classes: `__len__` for `len(x)`.

An operation on an object without the method has no row in the graph, but resolves to it once the
class gets such a method. For updates, lookups are therefore kept by file, as digests of (class,
method); those on objects of unknown class are kept by the names of the methods.
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
    """The method lookups of operations.

    `asked` has the digests of (class, method) by file key, 4 bytes each; `names` has the names of
    all methods looked up. `open` has the groups of names looked up on objects of unknown class; of
    a group, the first method that exists runs.
    """

    asked: Mapping[int, bytes]
    names: Set[str]
    open: Set[tuple[str, ...]]


class OperationMethods:
    """A collector of the method lookups of operations, one file after the other."""

    def __init__(self, program: Program, hierarchy: ClassHierarchy) -> None:
        self._program = program
        self._hierarchy = hierarchy
        self._digests: dict[tuple[int, str], int] = {}
        self._noted: set[int] = set()  # digests of the file being linked
        self._asked: dict[int, bytes] = {}
        self._counts: dict[tuple[str, ...], int] = {}
        self._names: set[str] = set()
        self._open: Set[tuple[str, ...]] = frozenset()  # groups looked up before the edit

    def asked_of(self, number: int, names: Iterable[str]) -> tuple[int, ...]:
        """Return the digests of methods looked up on a class.

        Empty for a library class whose calls never resolve to a subclass.
        """
        if self._is_final(number):
            return ()
        plain = [name.rpartition("::")[2] for name in names]
        self._names.update(plain)
        return tuple([self.digest(number, name) for name in plain])

    def digest(self, number: int, name: str) -> int:
        """Return the digest of a class and one of its methods."""
        place = number, name
        found = self._digests.get(place)
        if found is None:
            program = self._program
            path = dotted_path(program.unit_of[number], program.definitions[number])
            found = self._digests[place] = crc32(f"{path}\n{name}".encode("utf-8", "surrogatepass"))
        return found

    def note(self, digests: Iterable[int]) -> None:
        """Record lookups by an operation of the file being linked."""
        self._noted.update(digests)

    def close_file(self, key: int, *, is_part: bool) -> None:
        """Store the lookups of a linked file; add them to the earlier ones if a part was linked."""
        if is_part:
            self._noted.update(array("I", self._asked.get(key, b"")))
        self._asked[key] = array("I", sorted(self._noted)).tobytes()
        self._noted = set()

    def candidates(self, names: tuple[str, ...]) -> int:
        """Return how many classes define the last of `names` and none of those before it.

        At most `MOST_CANDIDATES`.
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
        """The names of all methods looked up."""
        return self._names

    @property
    def open(self) -> Set[tuple[str, ...]]:
        """The groups of names looked up on objects of unknown class."""
        return self._open | self._counts.keys()

    def state(self) -> Operations:
        """Return all lookups, for `resume`."""
        files = self._program.files
        asked = {key: found for key, found in self._asked.items() if key in files}
        return Operations(asked, self._names, self.open)

    def resume(self, state: Operations) -> None:
        """Restore the lookups recorded before an edit."""
        self._asked, self._names, self._open = dict(state.asked), {*state.names}, state.open

    def add_part(self, other: Operations) -> None:
        """Add the lookups of files that another process linked."""
        self._asked.update(other.asked)
        self._names.update(other.names)
        self._open = self._open | other.open

    def files_asking(self, digests: Set[int]) -> set[int]:
        """Return the files, by key, with an operation that looks up any of some methods."""
        return {
            key
            for key, found in (self._asked.items() if digests else ())
            if not digests.isdisjoint(array("I", found))
        }

    def _is_final(self, number: int) -> bool:
        """Return whether calls on instances of a library class never resolve to a subclass."""
        program = self._program
        if not program.is_library(number):
            return False
        unit = program.unit_of[number]
        is_root = number == program.root_class(unit.rules)
        return is_root or unit.types.is_rarely_extended(program.dotted(number))
