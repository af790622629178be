"""Which operations call something else since members of classes came or went: `len(x)` runs a
method of the class of `x`, of one above or below it, and nothing names it there.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set

from mu.model.facts import ScopeKind
from mu.resolve.incremental.altered_classes.other_bases import is_told
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.visible_names import variables_of
from mu.resolve.incremental.file_set import AlteredElsewhereError
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.program.file_symbols import CONSTRUCTOR


class OperationMembers:
    """Collects the members that came or went with which operations may have to do.

    `called` are the names of methods of classes that operations call; `rebased` the classes, by
    their old numbers, of which instances have other elements; `overridden` the names of methods
    that may override others now, or no more, by file.
    """

    def __init__(self, old: ProgramVersion) -> None:
        self._old = old
        self._asked: set[int] = set()  # digests of members and classes
        self.called: set[str] = set()
        self.rebased: set[int] = set()
        self.overridden: defaultdict[int, set[str]] = defaultdict(set)

    def compare(self, new: ProgramVersion, key: int, *, difference: FileDifference) -> None:
        """Note the members of the classes of a file that are in one program alone.

        Raises AlteredElsewhereError where calls or reads of members run such a method by
        themselves, unless it came or went with its class, and references tell where it is called
        as a method of a class above.
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
        """The files with operations that may call a member which came or went."""
        return self._old.linker.operations.files_asking(self._asked)

    def counted_otherwise(self, new: ProgramVersion) -> set[str]:
        """The methods, other numbers of which operations on unknown objects could call now.

        Raises AlteredElsewhereError where it is the first one, or the last: nothing tells of these
        operations.
        """
        found: set[str] = set()
        old, now = self._old.linker.operations, new.linker.operations
        for names in old.open:
            if self.called.isdisjoint(names):
                continue
            counts = old.candidates(names), now.candidates(names)
            if counts[0] != counts[1]:
                if not all(counts):
                    raise AlteredElsewhereError(f"{names[-1]} is called where nothing names it")
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
            if before >= 0 or not all(is_told(one, ancestor, name=name) for ancestor in above):
                raise AlteredElsewhereError(f"{name} is called where nothing names it")
        if before < 0:
            return
        hierarchy = self._old.linker.evaluator.hierarchy
        for below in hierarchy.inside(before).intersection(hierarchy.defining(name)):
            self.overridden[self._old.program.file_of(below)].add(name)
        if rules.implicit.gives_value(name):
            self.rebased |= {before, *hierarchy.inside(before)}

    def _note_asked(self, one: ProgramVersion, number: int, name: str, *, before: int) -> None:
        """Note that operations may ask for a member of a class, and of those above and below."""
        self._asked.update(_digests_above(one, number, name))
        if before >= 0:
            self._asked.update(_digests_below(self._old, before, name))


def files_asking(one: ProgramVersion, members: Iterable[tuple[int, str]]) -> set[int]:
    """The files with operations that may ask for any of some members of classes."""
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
"""The number of a class in its file, a name that it has, and whether that is a method."""


def _methods(one: ProgramVersion, key: int, paired: Set[int]) -> Iterator[_Member]:
    """The methods of classes of a file that are in one program alone, but for constructors."""
    unit = one.program.units[key]
    for local, row in enumerate(unit.facts.definitions):
        scope = unit.scopes[row.scope]
        is_maker = row.name in unit.calls.constructors or row.subkind == CONSTRUCTOR
        if scope.kind == ScopeKind.CLASS and local not in paired and row.name and not is_maker:
            yield scope.definition, row.name, True


def _variables(
    one: ProgramVersion, key: int, scopes: Mapping[int, int], other: ProgramVersion
) -> Iterator[_Member]:
    """The variables of classes of a file that the other program does not have, the scopes of which
    are given by those of the one.
    """
    unit, partner = one.program.units[key], other.program.units.get(key)
    there = {place for place, _ in variables_of(partner)} if partner is not None else set()
    for (scope, name), _ in variables_of(unit):
        found = unit.scopes[scope]
        if found.kind == ScopeKind.CLASS and (scopes.get(scope, -1), name) not in there:
            yield found.definition, name, False
