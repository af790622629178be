"""Find what classes with changed bases affect elsewhere.

Their instances, and those of their subclasses, have other members: values that are such a class or
an instance of it compare as different wherever they are held. Calls on their superclasses may
dispatch to other methods, of the names that these classes define or now inherit from elsewhere.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Final, NamedTuple

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    DEFINITION,
    INSTANCE,
    MEMBER,
    NESTED,
    NUMBERED,
    Value,
    Values,
    class_of,
    member_of,
    number_of,
    parts_of,
)
from mu.resolve.incremental.file_set import NeedsBuildError, constructors_of
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.limits import MOST_SUBCLASSES
from mu.resolve.lookup.mro import Ancestor
from mu.resolve.solver.solver import ParameterKey

_ATTRIBUTE = int(Op.ATTRIBUTE)


class MroChanges(NamedTuple):
    """The classes with a changed MRO, and what may depend on that.

    - `before`, `after`: these classes by old and by new number. Classes that got their first
      subclass or lost their last one are among them.
    - `users`, `callers`: nodes, by id, of which all references or all calls are affected.
    - `met`: nodes, by id, of which all references are affected, except those on the own receiver.
    - `names`, `outside`: references by one of `names` are affected if they are unresolved, or
      resolve to a member of a class outside the repository whose last name is in `outside`.
    - `classes`: classes whose text is affected, by file and number in it; an empty set is all of a
      file.
    - `above`: the superclasses, by old number.
    - `class_names`: the names of the classes in `before`.
    - `operating`: files with operations that may call methods on the superclasses.
    """

    before: frozenset[int]
    after: frozenset[int]
    users: Set[str]
    callers: Set[str]
    names: Set[str]
    met: Set[str]
    outside: Set[str]
    classes: Mapping[int, Set[int]]
    above: Set[int]
    class_names: Set[str]
    operating: Set[int]

    def is_of(self, values: Values, *, is_new: bool) -> bool:
        """Return whether any value is one of the classes, or is or contains an instance of one."""
        classes = self.after if is_new else self.before
        return bool(classes) and any(_is_of(value, classes) for value in values)

    def are_asked(self, old: ProgramVersion, key: int, *, names: Set[str]) -> bool:
        """Return whether a file may read any of some attributes on one of these classes.

        Superclasses and instances count, too. An empty name stands for references other than
        attributes, which may always do so.
        """
        return reads_attribute(old, key, names=names, classes=self.before | self.above)

    def passed(
        self, old: ProgramVersion, points_to: Mapping[ParameterKey, Values]
    ) -> dict[int, set[int]]:
        """Return the functions that are passed such values, by file and old number in it."""
        found: dict[int, set[int]] = {}
        for (number, _), values in points_to.items():
            if 0 <= number < old.program.size and self.is_of(values, is_new=False):
                unit = old.program.unit_of[number]
                found.setdefault(unit.file.key, set()).add(number - unit.first)
        return found


_NO_NUMBERS, _NO_TEXTS = frozenset[int](), frozenset[str]()
NO_MRO_CHANGES: Final = MroChanges(
    *(_NO_NUMBERS, _NO_NUMBERS),
    *(_NO_TEXTS, _NO_TEXTS, _NO_TEXTS, _NO_TEXTS, _NO_TEXTS),
    *({}, _NO_NUMBERS),
    class_names=_NO_TEXTS,
    operating=_NO_NUMBERS,
)


def find_mro_changes(
    old: ProgramVersion, new: ProgramVersion, *, renumbering: Renumbering, rebased: Set[int]
) -> MroChanges:
    """Find what classes with changed bases affect; `rebased` are these classes, by old number.

    Raises NeedsBuildError where the language may implicitly call one of their methods on a
    superclass and no reference shows it.
    """
    return _OtherBases(old, new, renumbering).orders(rebased) if rebased else NO_MRO_CHANGES


class _Above(NamedTuple):
    """The superclasses of the compared classes, by number in one program.

    `other` are those that are superclasses in this program alone, or at another place in the MRO.
    """

    every: set[int]
    other: set[int]


class _OtherBases:
    """A comparison of the MROs of classes in two programs."""

    def __init__(self, old: ProgramVersion, new: ProgramVersion, renumbering: Renumbering) -> None:
        self._versions = old, new
        self._renumbering = renumbering

    def orders(self, rebased: Set[int]) -> MroChanges:
        """Return all that the classes affect; see `find_mro_changes`."""
        pairs = dict(self._with_other_order(rebased))
        above = _Above(set(), set()), _Above(set(), set())
        for pair in pairs.items():
            self._note_above(pair, above)
        own = self._own_names(pairs.items())
        inherited: set[str] = set()
        for one, found in zip(self._versions, above, strict=True):
            inherited |= _names_that_run(one, found)
        if all(self._are_alike_live(pair) for pair in pairs.items()):
            inherited &= self._names_found_otherwise(pairs.items())
        own |= self._names_beside(pairs, above)
        operating = self._operating(own, inherited, above)
        old, _ = self._versions
        flipped = self._first_or_last(above)
        pairs |= flipped
        met = {
            *self._members(own, self._kin(above, is_other=True)),
            *self._members(inherited, self._kin(above, is_other=False)),
        }
        classes = {*pairs, *above[0].every} | self._before({*pairs.values(), *above[1].every})
        return MroChanges(
            frozenset(pairs),
            frozenset(pairs.values()),
            old.ids(pairs),
            {
                name
                for one, found in zip(self._versions, above, strict=True)
                for name in one.ids(_making(one, found.other))
            },
            own | inherited,
            met,
            self._outside(pairs),
            _by_file(old, classes),
            above[0].every | self._before(above[1].every),
            {old.program.definitions[number].name for number in pairs},
            operating,
        )

    def _with_other_order(self, rebased: Set[int]) -> Iterator[tuple[int, int]]:
        """Yield the classes with changed bases or a changed MRO, as (old, new) numbers."""
        old, new = self._versions
        renumbering = self._renumbering
        inheriting = old.linker.evaluator.hierarchy.inheriting
        candidates = {below for one in rebased for below in (one, *inheriting(one))}
        after = {renumbering.number(one) for one in rebased if renumbering.is_left(one)}
        inheriting = new.linker.evaluator.hierarchy.inheriting
        for below in {below for one in after for below in inheriting(one)}:
            candidates.update(renumbering.before(below))
        for number in sorted(candidates):
            if renumbering.is_left(number) and number < old.program.size:
                partner = renumbering.number(number)
                moved = [self._moved(one) for one in _order(old, number)]
                is_same = moved == [*_order(new, partner)] and self._lends_alike(number, partner)
                if number in rebased or not is_same:
                    yield number, partner

    def _lends_alike(self, number: int, partner: int) -> bool:
        """Return whether a class has the methods of the same ancestors in both programs."""
        (old, new), apart = self._versions, _without_methods
        return {*map(self._moved, apart(old, number))} == apart(new, partner)

    def _before(self, numbers: Iterable[int]) -> set[int]:
        """Return the old numbers of definitions of the new program, without added ones."""
        return {one for number in numbers for one in self._renumbering.before(number)}

    def _moved(self, ancestor: Ancestor) -> Ancestor:
        """Return the new number of an ancestor; -1 for a removed one."""
        if not isinstance(ancestor, int):
            return ancestor
        return self._renumbering.number(ancestor) if self._renumbering.is_left(ancestor) else -1

    def _note_above(self, pair: tuple[int, int], above: tuple[_Above, _Above]) -> None:
        """Note the superclasses of a class.

        All count as `other` if the class may have instances in one program alone, or if those of
        both programs are in another order.
        """
        orders = [_order(v, n)[1:] for v, n in zip(self._versions, pair, strict=True)]
        before, after = [self._moved(one) for one in orders[0]], [*orders[1]]
        both = {*before} & {*after}
        is_same = [one for one in before if one in both] == [one for one in after if one in both]
        is_same = is_same and self._are_alike_live(pair)
        for found, order, moved in zip(above, orders, (before, after), strict=True):
            for number, partner in zip(order, moved, strict=True):
                if isinstance(number, int):
                    found.every.add(number)
                    if partner not in both or not is_same:
                        found.other.add(number)

    def _are_alike_live(self, pair: tuple[int, int]) -> bool:
        """Return whether a class may have instances in both programs or in neither."""
        old, new = [
            one.linker.whole_program.dispatch.is_live(number)
            for one, number in zip(self._versions, pair, strict=True)
        ]
        return old == new

    def _names_found_otherwise(self, pairs: Iterable[tuple[int, int]]) -> set[str]:
        """Return the names that classes find in other superclasses, or in another order of these.

        An ancestor outside the repository and the library may have any name.
        """
        found: set[str] = set()
        for number, partner in pairs:
            before = self._holders(0, [*_order(self._versions[0], number)][1:])
            after = self._holders(1, [*_order(self._versions[1], partner)][1:])
            found |= {n for n in before.keys() | after.keys() if before[n] != after[n]}
        return found

    def _holders(
        self, version: int, order: Sequence[Ancestor]
    ) -> "defaultdict[str, list[Ancestor]]":
        """Return which classes of an MRO have each name, in order and by new number."""
        one, unknown = self._versions[version], list[Ancestor]()
        found = defaultdict[str, list[Ancestor]](lambda: [*unknown])
        for ancestor in order:
            moved = ancestor if version else self._moved(ancestor)
            if isinstance(ancestor, int):
                for name in member_names(one, ancestor):
                    found[name].append(moved)
            else:
                unknown.append(moved)
                for ancestors in found.values():
                    ancestors.append(moved)
        return found

    def _own_names(self, pairs: Iterable[tuple[int, int]]) -> set[str]:
        return {
            name
            for pair in pairs
            for one, number in zip(self._versions, pair, strict=True)
            for name in member_names(one, number)
        }

    def _names_beside(self, pairs: Mapping[int, int], above: tuple[_Above, _Above]) -> set[str]:
        """Return the names in classes that enter or leave the bounded search of subclasses.

        The added and removed subclasses displace them.
        """
        old, new = self._versions
        names: set[str] = set()
        for number in above[0].other | self._before(above[1].other):
            if not self._renumbering.is_left(number):
                continue
            before, after = _below(old, number), _below(new, self._renumbering.number(number))
            if max(len(before), len(after)) <= MOST_SUBCLASSES:
                continue
            first = {self._moved(one) for one in before[:MOST_SUBCLASSES]}
            for beside in first.symmetric_difference(after[:MOST_SUBCLASSES]) - {*pairs.values()}:
                for one in _order(new, beside) if isinstance(beside, int) and beside >= 0 else ():
                    if isinstance(one, int) and one < new.program.size:
                        names.update(member_names(new, one))
        return names

    def _operating(
        self, own: Set[str], inherited: Set[str], above: tuple[_Above, _Above]
    ) -> set[int]:
        """Return the files with operations that may call methods on superclasses.

        Raises NeedsBuildError for a method that the language calls implicitly elsewhere, if
        no references show those calls.
        """
        asked: set[int] = set()
        old = self._versions[0].linker.operations
        for one, found in zip(self._versions, above, strict=True):
            for names, classes in ((own, found.other), (inherited, found.every)):
                for number in classes:
                    asked.update(one.linker.operations.digest(number, n) for n in names & old.names)
                    for name in names - old.names:
                        if not (
                            has_recorded_calls(one, number, name=name)
                            or self._are_same_below(one, number, name=name)
                        ):
                            raise NeedsBuildError(f"{name} is called where nothing names it")
        return old.files_asking(asked)

    def _are_same_below(self, one: ProgramVersion, number: int, *, name: str) -> bool:
        """Return whether calls of instances of a class run the same methods in both programs.

        `number` is that of the class in program `one`; it has no call method, so that a call runs
        those of its subclasses.
        """
        is_generic = bool(one.linker.evaluator.type_parameters.parameters(number))
        pair = self._renumbering.in_both(number, is_new=one is self._versions[1])
        if name != one.program.unit_of[number].calls.call_method or is_generic or pair is None:
            return False
        before, after = [
            _methods_below(version, each, name=name)
            for version, each in zip(self._versions, pair, strict=True)
        ]
        are_left = all(map(self._renumbering.is_left, before))
        return are_left and [*map(self._renumbering.number, before)] == after

    def _first_or_last(self, above: tuple[_Above, _Above]) -> dict[int, int]:
        """Return the superclasses that got their first subclass or lost their last one.

        The result maps old numbers to new ones.
        """
        old, new = self._versions
        lost = {n for n in above[0].other if self._renumbering.is_left(n)}
        come = self._before(above[1].other)
        return {
            number: partner
            for number in lost | come
            if number < old.program.size
            and (partner := self._renumbering.number(number)) < new.program.size
            and bool(_below(old, number)) != bool(_below(new, partner))
        }

    def _kin(self, above: tuple[_Above, _Above], *, is_other: bool) -> set[int]:
        """Return the superclasses, by old number, with all their ancestors and descendants.

        A value of the class that all others extend tells nothing of its members.
        """
        old = self._versions[0]
        lost, come = (found.other if is_other else found.every for found in above)
        found: set[int] = set()
        for number in lost | self._before(come):
            found.update(one for one in _order(old, number) if isinstance(one, int))
            if not _is_root(old, number):
                found.update(_below(old, number))
        return found

    def _members(self, names: Set[str], classes: Set[int]) -> Iterator[str]:
        """Yield the nodes, by id, of members of some classes that have any of some names."""
        old = self._versions[0]
        for number in sorted(classes):
            is_own = number < old.program.size
            if is_own and old.linker.nodes.may_have(old.program.file_of(number), names):
                yield from old.ids_of_members(number, names)

    def _outside(self, pairs: Mapping[int, int]) -> set[str]:
        """Return the last names of all superclasses outside the repository."""
        found: set[str] = set()
        for pair in pairs.items():
            for one, number in zip(self._versions, pair, strict=True):
                for above in _order(one, number):
                    if isinstance(above, str):
                        found.add(above.rpartition(".")[2])
                    elif above is not None and above >= one.program.size:
                        found.add(one.program.definitions[above].name)
        return found


def reads_attribute(one: ProgramVersion, key: int, *, names: Set[str], classes: Set[int]) -> bool:
    """Return whether a file may read any of some attributes on classes or their instances.

    An empty name stands for references other than attributes, which may always do so.
    """
    if key not in one.program.units or "" in names:
        return True
    return any(True for _ in attribute_rows(one, key, names=names, classes=classes))


def attribute_rows(
    one: ProgramVersion, key: int, *, names: Set[str], classes: Set[int]
) -> Iterator[int]:
    """Yield the rows that read any of some attributes on classes or their instances."""
    unit, values = one.program.units[key], one.linker.evaluator.values
    for number, (op, name, base, _) in enumerate(unit.expressions):
        is_read = op == _ATTRIBUTE and name in names
        if is_read and any(_is_of(value, classes) for value in values(unit, base)):
            yield number


def member_names(one: ProgramVersion, number: int) -> set[str]:
    """Return the names of a class's own members, with those of blocks that extend it."""
    program = one.program
    unit, body = program.unit_of[number], program.definitions[number].body
    names = {*unit.names[body], *unit.fields.get(number - unit.first, ())}
    for block_unit, block in program.added.get(number, ()):
        names |= block_unit.names[block].keys()
    return names


def _names_that_run(one: ProgramVersion, above: _Above) -> set[str]:
    """Return the names of changed inherited members that calls may run.

    Members of library classes do not count, unless they may hide one of the repository.
    """
    size, names = one.program.size, set[str]()
    for number in above.other:
        if number < size:
            names |= member_names(one, number)
    outside = {name for n in above.other if n >= size for name in member_names(one, n)}
    inside = {name for n in above.every if n < size for name in member_names(one, n)}
    return names | (outside & inside)


def has_recorded_calls(one: ProgramVersion, number: int, *, name: str) -> bool:
    """Return whether references show where the language implicitly calls a method of a class."""
    program, members = one.program, one.linker.evaluator.members
    unit = program.unit_of[number]
    if name in unit.calls.constructors or not unit.rules.is_called_implicitly(name):
        return True
    if program.is_library(number):
        is_rare = unit.types.is_rarely_extended(program.dotted(number))
        return is_rare or _is_root(one, number)
    found = members.of_class((INSTANCE, number, Rule.VIRTUAL), name)
    return any(kind == DEFINITION and number_of(key) < program.size for kind, key, _ in found)


def _is_root(one: ProgramVersion, number: int) -> bool:
    """Return whether all classes of its language extend a class."""
    return number == one.program.root_class(one.program.unit_of[number].rules)


def _methods_below(one: ProgramVersion, number: int, *, name: str) -> list[int]:
    """Return the methods of subclasses that a call on a class may run, and all that they define."""
    run = one.linker.whole_program.dispatch.below_class(number, name)
    return [*run, *one.linker.evaluator.hierarchy.overriding(number, name)]


def _order(one: ProgramVersion, number: int) -> Sequence[Ancestor]:
    return one.linker.evaluator.members.order(number)


def _without_methods(one: ProgramVersion, number: int) -> frozenset[int]:
    members = one.linker.evaluator.members
    return members.without_methods(number, members.order(number))


def _below(one: ProgramVersion, number: int) -> Sequence[int]:
    return one.linker.evaluator.hierarchy.descendants(number)


def _making(one: ProgramVersion, classes: Iterable[int]) -> Iterator[int]:
    """Yield those of some classes that are in the repository, with the constructors of each."""
    for number in classes:
        if number < one.program.size:
            yield from (number, *constructors_of(one.program, number))


def _by_file(one: ProgramVersion, classes: Iterable[int]) -> dict[int, set[int]]:
    """Group classes by file and number in it; an empty set where blocks elsewhere extend one."""
    program = one.program
    found: dict[int, set[int]] = {}
    apart: set[int] = set()
    for number in classes:
        if number < program.size:
            unit = program.unit_of[number]
            found.setdefault(unit.key, set()).add(number - unit.first)
            if program.added.get(number):
                apart.add(unit.key)
    return found | {key: set() for key in apart}


def _is_of(value: Value, classes: Set[int]) -> bool:
    kind, key, _ = value
    if kind in NUMBERED:
        return number_of(key) in classes
    if kind == MEMBER:
        return member_of(key)[0] in classes
    if kind not in NESTED:
        return False
    parts = parts_of(value)
    return class_of(value) in classes or any(_is_of(v, classes) for part in parts for v in part)
