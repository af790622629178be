"""What names definitions and scopes by numbers in an old program, by their numbers in a new one.

Definitions of files that did not change are as many places further on as more of them come before.
Those of changed files are the ones that they were paired with. A KeyError says that something is
named that is not there any more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import cast

from mu.resolve.abstract_values import (
    CALLABLES,
    MEMBER,
    NESTED,
    NUMBERED,
    TYPE_VARIABLE,
    Key,
    Value,
    Values,
    class_of,
    member_of,
    number_of,
    parts_of,
    place_of,
)
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.kept_text import KeptText
from mu.resolve.limits import MOST_FUNCTIONS
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import LibraryModule
from mu.resolve.solver.argument_support import carried
from mu.resolve.solver.parameter_sets import Argument, Passers
from mu.resolve.solver.propagation_state import (
    MadeWith,
    Makers,
    PropagationState,
    Row,
    falls_within_bound,
)
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import WholeProgramState

_GONE = -1

Identity = tuple[int, object]
"""The kind and key of a value."""
_Way = tuple[int, tuple[int, str, int]]


def without(
    state: WholeProgramState, arguments: Set[Argument], *, classes: Set[int]
) -> WholeProgramState:
    """A state in which some arguments are not passed, and some classes have no instances."""
    shown, supports = dict(state.propagation.shown), dict(state.propagation.supports)
    for need, identity in arguments:
        before = shown.get(need, ())
        shown[need] = tuple([one for one in before if one[:2] != identity])
        supports[need] = carried(supports.get(need, ()), before, after=shown[need])
    propagation = state.propagation._replace(shown=shown, supports=supports)
    return state._replace(propagation=propagation, live=state.live - classes)


def with_other_limits(
    state: WholeProgramState, freed: Mapping[ParameterKey, Values], *, crowded: Passers
) -> WholeProgramState:
    """A state in which some parameters hold what they did not, since too much was passed for them,
    and too much is passed for some others.
    """
    shown, limited = dict(state.propagation.shown), dict(state.propagation.limited)
    supports = dict(state.propagation.supports)
    for need, values in freed.items():
        del limited[need]
        before = shown.get(need, ())
        shown[need] = (*before, *values)
        supports[need] = carried(supports.get(need, ()), before, after=shown[need])
    for need in crowded:
        before = shown.get(need, ())
        shown[need] = tuple([one for one in before if one[0] in CALLABLES])
        supports[need] = carried(supports.get(need, ()), before, after=shown[need])
    limited |= crowded
    propagation = state.propagation._replace(shown=shown, supports=supports, limited=limited)
    return state._replace(propagation=propagation)


def without_passers(state: WholeProgramState, files: Set[int]) -> WholeProgramState:
    """A state that says nothing of what some files pass for parameters that hold too much."""
    limited = {
        need: {digest: -1 if file in files else file for digest, file in passers.items()}
        for need, passers in state.propagation.limited.items()
    }
    return state._replace(propagation=state.propagation._replace(limited=limited))


class Renumbering:
    """Gives the numbers in a new program of what has one in an old program.

    Both begin with the same modules of the library; what either reads besides has no number in the
    other, unless that read the same.
    """

    def __init__(
        self,
        old: Program,
        new: Program,
        differences: Mapping[int, FileDifference],
        *,
        kept: Mapping[int, KeptText],
        library: Sequence[LibraryModule],
    ) -> None:
        """`library` are the modules of the library that both have, or will have, first."""
        self._size = old.size
        self._further = new.size - old.size
        self._libraries = old.library_modules(), new.library_modules()  # they may become more
        self._shared = sum(module.definitions for module in library), len(library)
        self._numbers: list[int] = []
        self._scopes = {key: difference.scopes for key, difference in differences.items()}
        self._files: list[int] = []
        self._kept = kept
        self._keeps: set[int] = set()  # functions whose text is kept
        self._moved: dict[Value, Value | None] = {}  # parameters hold each of them eight times
        self.reset: set[int] = set()
        self.less: set[ParameterKey] = set()  # parameters, of the new program, passed what is gone
        for key in old.files:
            count = old.outline(key).definitions
            self._files += [key] * count
            if key not in new.files:
                self._numbers += [_GONE] * count
                continue
            first = new.first_of[key]
            difference = differences.get(key)
            if difference is None:
                self._numbers += range(first, first + count)
                continue
            pairs = difference.numbers
            self._numbers += [
                first + pairs[local] if local in pairs else _GONE for local in range(count)
            ]
            self.reset |= {old.first_of[key] + local for local in difference.reset}
            if key in kept:
                self._keeps |= {old.first_of[key] + local for local in kept[key].numbers}

        self._before = {number: place for place, number in enumerate(self._numbers)}
        self._before.pop(_GONE, None)

    def is_new(self, number: int) -> bool:
        """Tell whether a definition of the new program is in none of the old one's files."""
        if number >= self._size + self._further:
            return not self._is_shared(number - self._further)
        return number >= 0 and number not in self._before

    def _is_shared(self, number: int) -> bool:
        """Tell whether both programs have a definition of the library by the same number, as the
        old one counts.
        """
        count, modules = self._shared
        if number - self._size >= count and min(map(len, self._libraries)) > modules:
            for old, new in zip(*(one[modules:] for one in self._libraries), strict=False):
                if old != new:
                    break
                count, modules = count + old.definitions, modules + 1
            self._shared = count, modules
        return number - self._size < count

    def before(self, number: int) -> tuple[int, ...]:
        """The number in the old program of a definition of the new one; none of one that is new."""
        if number < 0:
            return (number,)
        if number >= self._size + self._further:
            old = number - self._further
            return (old,) if self._is_shared(old) else ()
        found = self._before.get(number)
        return () if found is None else (found,)

    def in_both(self, number: int, *, is_new: bool) -> tuple[int, int] | None:
        """The numbers in the old and the new program of a definition that has one in the new one,
        if `is_new`, or in the old one; None where the other does not have it.
        """
        if is_new:
            before = self.before(number)
            return (before[0], number) if before else None
        return (number, self.number(number)) if self.is_left(number) else None

    def number(self, number: int) -> int:
        """The number of a definition; those below 0 are none and stay."""
        if number < 0:
            return number
        if number >= self._size:
            if not self._is_shared(number):
                raise KeyError(number)
            return number + self._further
        found = self._numbers[number]
        if found == _GONE:
            raise KeyError(number)
        return found

    def keeps_ways(self, before: Set[_Way], after: Set[_Way]) -> bool:
        """Tell whether functions that are there still forward to the same ones as they did."""
        moved = {
            (self.number(number), (self.number(taker), *rest))
            for number, (taker, *rest) in before
            if self.is_left(number) and self.is_left(taker)
        }
        return moved <= after and all(self.is_new(number) for number, _ in after - moved)

    def is_here(self, number: int) -> bool:
        """Tell whether a definition is there still, and takes the parameters that it took."""
        if not 0 <= number < self._size:
            return True
        return self._numbers[number] != _GONE and number not in self.reset

    def values(self, values: Values) -> Values:
        """The same values."""
        return tuple([self.value(value) for value in values])

    def value(self, value: Value) -> Value:
        """The same value."""
        kind, key, rule = value
        return kind, self._key(kind, key), rule

    def _left_value(self, value: Value) -> Value | None:
        """Renumber a value; None where a definition that it names is gone."""
        found = self._moved.get(value)
        if found is None and value not in self._moved:
            found = self.value(value) if self.is_left_of(value[:2]) else None
            self._moved[value] = found
        return found

    def identity(self, identity: Identity) -> Identity:
        """The same kind and key of a value."""
        kind, key = identity
        return kind, self._key(kind, cast(Key, key))

    def is_left_of(self, identity: Identity) -> bool:
        """Tell whether nothing is gone of what a value is of."""
        try:
            self.identity(identity)
        except KeyError:
            return False
        return True

    def need(self, need: ParameterKey) -> ParameterKey:
        """The same parameter."""
        return self.number(need[0]), need[1]

    def _key(self, kind: int, key: Key) -> Key:
        if kind in NUMBERED:
            return self.number(number_of(key))
        if kind in NESTED:
            value = kind, key, None
            whole = cast(Value, value)
            parts = tuple([self.values(part) for part in parts_of(whole)])
            return self.number(class_of(whole)), parts
        if kind == TYPE_VARIABLE:
            file, scope, name = place_of(key)
            return (file, self._scopes[file][scope], name) if file in self._scopes else key
        if kind == MEMBER:
            number, begins = member_of(key)
            return self.number(number), begins
        return key

    def numbers(self, numbers: Set[int]) -> set[int]:
        """The same definitions, but those that are gone."""
        return {self.number(one) for one in numbers if self.is_left(one)}

    def left(self, members: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """The same members of classes, but of those that are gone."""
        return ((self.number(one), name) for one, name in members if self.is_left(one))

    def is_left(self, number: int) -> bool:
        """Tell whether a definition is there still."""
        if number >= self._size:
            return self._is_shared(number)
        return number < 0 or self._numbers[number] != _GONE

    def made_with(self, rows: Set[MadeWith]) -> tuple[set[MadeWith], set[ParameterKey]]:
        """Renumber `Passed.made_with`; give apart the parameters of rows that name what is gone."""
        found: set[MadeWith] = set()
        gone: set[ParameterKey] = set()
        for need, values, made in rows:
            if not self.is_here(need[0]):
                continue
            if all(map(self.is_left_of, values)) and all(map(self.is_left, made)):
                moved = frozenset(map(self.identity, values))
                found.add((self.need(need), moved, frozenset(map(self.number, made))))
            else:
                gone.add(self.need(need))
        return found, gone

    def state(self, state: WholeProgramState) -> WholeProgramState:
        """The state of the old program, in which nothing is said of what is gone, nor by rows of
        changed files.
        """
        found = state.propagation
        is_same = self._is_identity()
        shown, supports = (dict(found.shown), dict(found.supports)) if is_same else ({}, {})
        known: dict[int, Values] = {}  # many parameters hold the same, which is one object then
        for need, values in () if is_same else found.shown.items():
            if self.is_here(need[0]):
                moved, support = self.need(need), found.supports.get(need, ())
                left = known.get(id(values))
                if left is None:
                    left = tuple([one for value in values if (one := self._left_value(value))])
                    known[id(values)] = left
                if len(left) < len(values):
                    if falls_within_bound(values, left):
                        raise KeyError(need)
                    self.less.add(moved)
                    there = tuple([value for value in values if self._left_value(value)])
                    support = carried(support, values, after=there)
                if len(left) > MOST_FUNCTIONS:  # which of them are read depends on their order
                    ordered = tuple(sorted(left))
                    left, support = ordered, carried(support, left, after=ordered)
                shown[moved], supports[moved] = left, support
        limited = {
            self.need(need): passers
            for need, passers in found.limited.items()
            if self.is_here(need[0])
        }
        propagation = PropagationState(
            shown,
            supports,
            limited,
            found.unfinished,
            self._makers(found.makers),
            self.numbers(found.spreading),
            self._ways(found.ways),
            found.operators,
            found.setters,
            found.relinked,
        )
        children = {
            self.number(base): [self.number(one) for one in classes if self.is_left(one)]
            for base, classes in state.children.items()
            if self.is_left(base)
        }
        live = self.numbers(state.live)
        return state._replace(propagation=propagation, live=live, children=children)

    def _is_identity(self) -> bool:
        """Tell whether all that is numbered has the number that it had."""
        return (
            not self.reset
            and self._numbers == [*range(self._size)]
            and not self._further
            and all(old == new for found in self._scopes.values() for old, new in found.items())
        )

    def _ways(self, ways: Iterable[tuple[int, int, str, int]]) -> list[tuple[int, int, str, int]]:
        return [
            (self.number(number), self.number(taker), marker, first)
            for number, taker, marker, first in ways
            if self.is_left(taker)
            and (self._files[number] not in self._scopes or number in self._keeps)
        ]

    def _makers(self, makers: Makers) -> Makers:
        return {
            self.need(need): {
                row: calls for row, calls in arguments.items() if row[0] not in self._scopes
            }
            | self._kept_makers(arguments)
            for need, arguments in makers.items()
            if self.is_here(need[0])
        }

    def _kept_makers(self, arguments: Mapping[Row, set[Row]]) -> dict[Row, set[Row]]:
        """What calls in text that is kept pass, by their new rows."""
        found = {}
        for (key, row), calls in arguments.items() if self._kept else ():
            if key in self._kept:
                text = self._kept[key]
                left = text.calls([call for file, call in calls if file == key])
                if left:
                    found[key, text.row(row)] = {(key, call) for call in left}
        return found
