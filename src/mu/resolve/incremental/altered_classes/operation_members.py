"""Find operations that may call other methods because class members were added or removed.

`len(x)` calls a method of the class of `x`, of a superclass or of a subclass, and its text does not
name that method.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set

from mu.model.facts import ScopeKind
from mu.resolve.incremental.altered_classes.other_bases import has_recorded_calls
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.visible_names import variables_of
from mu.resolve.incremental.file_set import NeedsBuildError
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.program.file_symbols import CONSTRUCTOR


class OperationMembers:
    """A collector of added and removed members that operations may look up.

    `called` are the names of such methods that operations call; `rebased` the classes, by old
    number, whose instances have other elements; `overridden` the names of methods of subclasses
    that override an added or removed one, by file.
    """

    def __init__(self, old: ProgramVersion) -> None:
        self._old = old
        self._asked: set[int] = set()  # digests of (class, member)
        self.called: set[str] = set()
        self.rebased: set[int] = set()
        self.overridden: defaultdict[int, set[str]] = defaultdict(set)

    def compare(self, new: ProgramVersion, key: int, *, difference: FileDifference) -> None:
        """Note the members of a file's classes that only one of the programs has.

        Raises NeedsBuildError for a method that the language calls implicitly outside
        operations, unless its class is added or removed with it, and references show the calls of
        this method on the superclasses.
        """
        scopes = {other: one for one, other in difference.scopes.items()}
        numbers = {other: one for one, other in difference.numbers.items()}
        for one, paired, others in (
            (self._old, {*difference.numbers}, (difference.scopes, new)),
            (new, {*numbers}, (scopes, self._old)),
        ):
            if key not in one.program.units:
                continue
            found = (*_methods(one, key, paired), *_variables(one, key, *others))
            for home, name, is_method in found:
                local = (home if one is self._old else numbers[home]) if home in paired else -1
                before = self._old.program.first_of[key] + local if local >= 0 else -1
                number = one.program.first_of[key] + home
                if is_method:
                    self._note_method(one, number, name, before=before)
                if name in self._old.linker.operations.names:
                    self._note_asked(one, number, name, before=before)

    def files(self) -> set[int]:
        """Return the files with operations that may look up an added or removed member."""
        return self._old.linker.operations.files_asking(self._asked)

    def counted_otherwise(self, new: ProgramVersion) -> set[str]:
        """Return the methods with a changed number of candidates for operations on unknown objects.

        Raises NeedsBuildError if the first candidate was added or the last one removed:
        operations without candidates leave no row in the graph.
        """
        found: set[str] = set()
        old, now = self._old.linker.operations, new.linker.operations
        for names in old.open:
            if self.called.isdisjoint(names):
                continue
            counts = old.candidates(names), now.candidates(names)
            if counts[0] != counts[1]:
                if not all(counts):
                    raise NeedsBuildError(f"{names[-1]} is called where nothing names it")
                found.add(names[-1])
        return found

    def _note_method(self, one: ProgramVersion, number: int, name: str, *, before: int) -> None:
        rules = one.program.unit_of[number].rules
        if rules.is_operation(name) or name in self._old.linker.operations.names:
            self.called.add(name)
        elif rules.is_called_implicitly(name):
            above = [
                n for n in one.linker.evaluator.members.order(number)[1:] if isinstance(n, int)
            ]
            if before >= 0 or not all(
                has_recorded_calls(one, ancestor, name=name) for ancestor in above
            ):
                raise NeedsBuildError(f"{name} is called where nothing names it")
        if before < 0:
            return
        hierarchy = self._old.linker.evaluator.hierarchy
        for below in hierarchy.inside(before).intersection(hierarchy.defining(name)):
            self.overridden[self._old.program.file_of(below)].add(name)
        if rules.implicit.gives_value(name):
            self.rebased |= {before, *hierarchy.inside(before)}

    def _note_asked(self, one: ProgramVersion, number: int, name: str, *, before: int) -> None:
        """Note that operations may look up a member on a class, its superclasses and subclasses."""
        self._asked.update(_digests_above(one, number, name))
        if before >= 0:
            self._asked.update(_digests_below(self._old, before, name))


def files_asking(one: ProgramVersion, members: Iterable[tuple[int, str]]) -> set[int]:
    """Return the files with operations that may look up any of some members, as (class, name)."""
    found: set[int] = set()
    for number, name in members:
        found.update(_digests_above(one, number, name))
        found.update(_digests_below(one, number, name))
    return one.linker.operations.files_asking(found)


def _digests_above(one: ProgramVersion, number: int, name: str) -> Iterator[int]:
    for ancestor in one.linker.evaluator.members.order(number):
        if isinstance(ancestor, int):
            yield one.linker.operations.digest(ancestor, name)


def _digests_below(one: ProgramVersion, number: int, name: str) -> Iterator[int]:
    for below in one.linker.evaluator.hierarchy.descendants(number):
        yield one.linker.operations.digest(below, name)


_Member = tuple[int, str, bool]
"""The number of a class in its file, the name of a member, and whether that is a method."""


def _methods(one: ProgramVersion, key: int, paired: Set[int]) -> Iterator[_Member]:
    """Yield the methods in classes of a file that are not `paired`, except constructors."""
    unit = one.program.units[key]
    for local, row in enumerate(unit.facts.definitions):
        scope = unit.scopes[row.scope]
        is_maker = row.name in unit.calls.constructors or row.subkind == CONSTRUCTOR
        if scope.kind == ScopeKind.CLASS and local not in paired and row.name and not is_maker:
            yield scope.definition, row.name, True


def _variables(
    one: ProgramVersion, key: int, scopes: Mapping[int, int], other: ProgramVersion
) -> Iterator[_Member]:
    """Yield the class variables of a file that the other program lacks.

    `scopes` maps the scopes of the file in program `one` to those in `other`.
    """
    unit, partner = one.program.units[key], other.program.units.get(key)
    there = {place for place, _ in variables_of(partner)} if partner is not None else set()
    for (scope, name), _ in variables_of(unit):
        found = unit.scopes[scope]
        if found.kind == ScopeKind.CLASS and (scopes.get(scope, -1), name) not in there:
            yield found.definition, name, False
