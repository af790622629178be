"""The references that may run other members, since classes came, went, or may have instances.

What is called on a class above may run the members that such a class defines, or inherits from
classes that had no instances. Those references lead to members of that name of the classes above
and of those below these, or to nothing known.
"""

from collections.abc import Iterable, Iterator, Set
from typing import Final, NamedTuple

from mu.resolve.incremental.comparison.name_uses import FileFinder
from mu.resolve.incremental.other_bases import member_names, reads_attribute
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.lookup.mro import Ancestor


class _Class(NamedTuple):
    """The names of members that may run otherwise, and the classes above one, in the repository and
    outside, as the old program numbers them; the class itself is among them where it has it.
    """

    names: Set[str]
    above: Set[int]


def files_running_others(
    old: ProgramVersion,
    new: ProgramVersion,
    *,
    renumbering: Renumbering,
    classes: Iterable[tuple[ProgramVersion, int]],
    find: FileFinder,
) -> set[int]:
    """Find the files with references that may run other members because of classes that came (in
    the new program), went (in the old one), or may have instances in that one alone; `find` looks
    into the graph of the old program.
    """
    return _Finder(old, new, renumbering, find).files(classes)


_NO_FILES: Final = frozenset[int]()


class _Finder:
    """Collects the classes above, and looks for references to their members in the old graph."""

    def __init__(
        self,
        old: ProgramVersion,
        new: ProgramVersion,
        renumbering: Renumbering,
        find: FileFinder,
    ) -> None:
        self._old = old
        self._new = new
        self._renumbering = renumbering
        self._find = find
        self._outside: set[str] = set()

    def files(self, classes: Iterable[tuple[ProgramVersion, int]]) -> set[int]:
        """The files with references that any of some classes alters."""
        found = [self._class(one, number) for one, number in classes]
        names = frozenset(name for one in found for name in one.names)
        above = frozenset(number for one in found for number in one.above)
        if not names or (not above and not self._outside):
            return set()
        at, asking = self._find.homes(names), self._find.asking(names)
        program = self._old.program
        met: set[str] = set()
        files: set[int] = set()
        for own, ancestors in found:
            homes = {program.file_of(number) for number in ancestors if number < program.size}
            for name in own:
                files |= homes & asking.get(name, _NO_FILES)
                met.update(self._met(name, ancestors, at.get(name, _NO_FILES)))
        referring = self._find.referring(names, (met, self._outside))
        files.update(
            key
            for key, read in referring.items()
            if key not in files and reads_attribute(self._old, key, names={*read}, classes=above)
        )
        return files

    def _class(self, one: ProgramVersion, number: int) -> _Class:
        """The names and the classes above of a class in one of the programs."""
        names: set[str] = set()
        above: set[int] = set()
        for ancestor in one.linker.evaluator.members.order(number):
            self._outside |= _names_outside(one, ancestor)
            if not isinstance(ancestor, int):
                continue
            above.update(self._renumbering.before(ancestor) if one is self._new else (ancestor,))
            is_own = ancestor < one.program.size
            if is_own and (ancestor == number or not self._has_instances(one, ancestor)):
                names |= member_names(one, ancestor)
        return _Class(names, above)

    def _has_instances(self, one: ProgramVersion, number: int) -> bool:
        """Tell whether a class may have instances before and after."""
        if one is self._new:
            before = self._renumbering.before(number)
            return self._new.is_live(number) and any(map(self._old.is_live, before))
        is_left = self._renumbering.is_left(number)
        is_live = is_left and self._new.is_live(self._renumbering.number(number))
        return is_live and self._old.is_live(number)

    def _met(self, name: str, above: Set[int], files: Set[int]) -> Iterator[str]:
        """The members of a name, by id, that classes above and those below them have in files."""
        if not files:
            return
        program, hierarchy = self._old.program, self._old.linker.evaluator.hierarchy
        having = {*hierarchy.defining(name), *hierarchy.having_variable(name)}
        below = {number for one in above for number in having & hierarchy.inside(one)}
        for number in above | below:
            if number < program.size and program.file_of(number) in files:
                yield from self._old.ids_of_members(number, {name})


def _names_outside(one: ProgramVersion, ancestor: Ancestor) -> set[str]:
    """The last name of a class outside the repository; none of another one."""
    if isinstance(ancestor, str):
        return {ancestor.rpartition(".")[2]}
    if ancestor is None or ancestor < one.program.size:
        return set()
    return {one.program.definitions[ancestor].name}
