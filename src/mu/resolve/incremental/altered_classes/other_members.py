"""Find references that dispatch to other members because the instantiated classes changed.

A class that is added, removed, or instantiated in one program alone affects calls on its
superclasses, and on protocols whose methods it has: they may run the members that it defines, or
inherits from classes without instances. In the old graph, such references resolve to members of the
same name of the superclasses or their subclasses, or to nothing known.
"""

from collections.abc import Iterable, Iterator, Set
from typing import Final, NamedTuple

from mu.resolve.incremental.altered_classes.other_bases import attribute_rows, member_names
from mu.resolve.incremental.comparison.linked_parts import (
    Functions,
    LinkedParts,
    joined_functions,
)
from mu.resolve.incremental.comparison.name_uses import FileFinder
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.limits import MOST_CLASSES_BESIDE
from mu.resolve.lookup.mro import Ancestor


class _Class(NamedTuple):
    """The names of the members of a class that calls on its superclasses may run.

    `above` are the superclasses by old number, with library classes, protocols whose methods it
    has, and the class itself if the old program has it.
    """

    names: Set[str]
    above: Set[int]


def functions_running_others(
    old: ProgramVersion,
    new: ProgramVersion,
    *,
    renumbering: Renumbering,
    classes: Iterable[tuple[ProgramVersion, int]],
    find: FileFinder,
    parts: LinkedParts,
) -> Functions:
    """Find the functions with references that may dispatch to other members because of `classes`.

    Each class comes with the program that alone has it, or alone may make instances of it. `find`
    searches the graph of the old program.
    """
    return _Finder(old, new, renumbering, find, parts).functions(classes)


_NO_FILES: Final = frozenset[int]()


class _Finder:
    """A search of the old graph for references to members of the superclasses."""

    def __init__(
        self,
        old: ProgramVersion,
        new: ProgramVersion,
        renumbering: Renumbering,
        find: FileFinder,
        parts: LinkedParts,
    ) -> None:
        self._old = old
        self._new = new
        self._renumbering = renumbering
        self._find = find
        self._parts = parts
        self._outside: set[str] = set()

    def functions(self, classes: Iterable[tuple[ProgramVersion, int]]) -> Functions:
        """Return the functions with references that any of the classes affects."""
        found = [self._class(one, number) for one, number in classes]
        names = frozenset(name for one in found for name in one.names)
        above = frozenset(number for one in found for number in one.above)
        if not names or (not above and not self._outside):
            return {}
        at, asking = self._find.homes(names), self._find.asking(names)
        program = self._old.program
        met: set[str] = set()
        files: set[int] = set()
        for own, ancestors in found:
            homes = {program.file_of(number) for number in ancestors if number < program.size}
            for name in own:
                files |= homes & asking.get(name, _NO_FILES)
                met.update(self._met(name, ancestors, at.get(name, _NO_FILES)))
        operations = self._old.operations_among(names)
        files |= self._open_operations(found, operations)
        referring = self._find.referring(names, (names, met, self._outside, operations))
        return joined_functions(
            dict.fromkeys(files),
            self._parts.sources({key: read[""] for key, read in referring.items() if "" in read}),
            *(
                self._reading(key, read.keys() - {""}, above)
                for key, read in referring.items()
                if key not in files
            ),
        )

    def _open_operations(self, classes: Iterable[_Class], names: Set[str]) -> set[int]:
        """Return the files with unresolved operations that may look up members on the superclasses.

        Of the object of such an operation, only what it can do is known.
        """
        operations = self._old.linker.operations
        asking = operations.files_asking(
            {
                operations.digest(number, name)
                for own, above in classes
                for name in own & names
                for number in above
            }
        )
        return asking & self._find.unresolved(names).keys() if asking else set()

    def _reading(self, key: int, names: Set[str], classes: Set[int]) -> Functions:
        """Return the functions of a file that read any of the attributes on some classes."""
        if not names or key not in self._old.program.units:
            return dict.fromkeys((key,)) if names else {}
        rows = {*attribute_rows(self._old, key, names=names, classes=classes)}
        return self._parts.having(key, rows) if rows else {}

    def _class(self, one: ProgramVersion, number: int) -> _Class:
        """Collect the members and superclasses of a class in one of the programs."""
        names, inherited = set[str](), set[str]()
        above: set[int] = set()
        for ancestor in one.linker.evaluator.members.order(number):
            self._outside |= _names_outside(one, ancestor)
            if not isinstance(ancestor, int):
                continue
            above.update(self._renumbering.before(ancestor) if one is self._new else (ancestor,))
            if ancestor == number:
                names = member_names(one, number)
            elif ancestor < one.program.size and not self._has_instances(one, ancestor):
                inherited |= member_names(one, ancestor)
        for shape in _shapes_of(one, number, names | inherited):
            above.update(self._renumbering.before(shape) if one is self._new else (shape,))
        return _Class(names | self._not_run_beside(one, number, inherited - names), above)

    def _not_run_beside(self, one: ProgramVersion, number: int, names: Set[str]) -> Set[str]:
        """Return the inherited names that no earlier sibling with the same superclasses runs.

        A sibling counts if it has instances of its own and the same superclasses in both programs;
        names that it defines itself in either program remain.
        """
        program, members = one.program, one.linker.evaluator.members
        order = members.order(number)[1:]
        first = order[0] if order else None
        if not names or not isinstance(first, int) or first >= program.size or None in order:
            return names
        place = program.place_of(number)
        below = one.linker.evaluator.hierarchy.children.get(first, ())
        beside = [n for n in below if n != number and program.place_of(n) < place]
        for other in beside[:MOST_CLASSES_BESIDE]:
            partner = self._partner(one, other)
            if not names or partner is None or members.order(other)[1:] != order:
                continue
            if _has_own_instances(one, other) and _has_own_instances(*partner):
                names = names & (member_names(one, other) | member_names(*partner))
        return names

    def _partner(self, one: ProgramVersion, number: int) -> tuple[ProgramVersion, int] | None:
        """Return a class with the other program; None if its MRO is not the same in both."""
        renumbering = self._renumbering
        pair = renumbering.in_both(number, is_new=one is self._new)
        if pair is None:
            return None
        orders = [
            version.linker.evaluator.members.order(each)
            for version, each in zip((self._old, self._new), pair, strict=True)
        ]
        moved = [
            (renumbering.number(each) if renumbering.is_left(each) else None)
            if isinstance(each, int)
            else each
            for each in orders[0]
        ]
        if moved != [*orders[1]]:
            return None
        return (self._new, pair[1]) if one is self._old else (self._old, pair[0])

    def _has_instances(self, one: ProgramVersion, number: int) -> bool:
        """Return whether a class may have instances in both programs."""
        if one is self._new:
            before = self._renumbering.before(number)
            return self._new.is_live(number) and any(map(self._old.is_live, before))
        is_left = self._renumbering.is_left(number)
        is_live = is_left and self._new.is_live(self._renumbering.number(number))
        return is_live and self._old.is_live(number)

    def _met(self, name: str, above: Set[int], files: Set[int]) -> Iterator[str]:
        """Yield the ids of the members of a name that superclasses and subclasses have in files."""
        if not files:
            return
        program, hierarchy = self._old.program, self._old.linker.evaluator.hierarchy
        having = {*hierarchy.defining(name), *hierarchy.having_variable(name)}
        below = {number for one in above for number in having & hierarchy.inside(one)}
        for number in above | below:
            if number < program.size and program.file_of(number) in files:
                yield from self._old.ids_of_members(number, {name})


def _shapes_of(one: ProgramVersion, number: int, names: Set[str]) -> set[int]:
    """Return the structural types of a class that define any of some names."""
    hierarchy = one.linker.evaluator.hierarchy
    defining = {other for name in names for other in hierarchy.defining(name)}
    defining.difference_update(one.linker.evaluator.members.order(number))
    return {other for other in defining if hierarchy.extends(number, other)}


def _has_own_instances(one: ProgramVersion, number: int) -> bool:
    """Return whether a class may have instances that are not of a subclass."""
    linker = one.linker
    is_live = linker.whole_program.dispatch.is_live(number)
    return is_live and not linker.abstract_methods.is_abstract(number)


def _names_outside(one: ProgramVersion, ancestor: Ancestor) -> set[str]:
    """Return the last part of the name of a class outside the repository; empty for others."""
    if isinstance(ancestor, str):
        return {ancestor.rpartition(".")[2]}
    if ancestor is None or ancestor < one.program.size:
        return set()
    return {one.program.definitions[ancestor].name}
