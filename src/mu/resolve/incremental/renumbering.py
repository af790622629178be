"""Translate definition and scope numbers of the old program into those of the new program.

Definitions of an unchanged file all shift by the same offset: by how many more definitions precede
the file. Definitions of a changed file get the numbers of the ones that they were paired with. A
KeyError says that a value or fact names a removed definition.
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
from mu.resolve.solver.argument_support import NO_PASSER, carried, passing_file
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
_Forwarding = tuple[int, tuple[int, str, int]]
"""A function that forwards arguments, and (function it forwards to, marker, first parameter)."""


def without(
    state: WholeProgramState, arguments: Set[Argument], *, classes: Set[int]
) -> WholeProgramState:
    """Return the state without some arguments, and without instances of some classes."""
    points_to, supports = dict(state.propagation.points_to), dict(state.propagation.supports)
    for need, identity in arguments:
        before = points_to.get(need, ())
        points_to[need] = tuple([one for one in before if one[:2] != identity])
        supports[need] = carried(supports.get(need, ()), before, after=points_to[need])
    propagation = state.propagation._replace(points_to=points_to, supports=supports)
    return state._replace(propagation=propagation, live=state.live - classes)


def with_other_limits(
    state: WholeProgramState, freed: Mapping[ParameterKey, Values], *, newly_over_limit: Passers
) -> WholeProgramState:
    """Return the state with other parameters over the limit.

    Those in `freed` are no longer over it and get these values; those in `newly_over_limit` are
    over it now and keep only functions.
    """
    points_to, over_limit = dict(state.propagation.points_to), dict(state.propagation.over_limit)
    supports = dict(state.propagation.supports)
    for need, values in freed.items():
        del over_limit[need]
        before = points_to.get(need, ())
        points_to[need] = (*before, *values)
        supports[need] = carried(supports.get(need, ()), before, after=points_to[need])
    for need in newly_over_limit:
        before = points_to.get(need, ())
        points_to[need] = tuple([one for one in before if one[0] in CALLABLES])
        supports[need] = carried(supports.get(need, ()), before, after=points_to[need])
    over_limit |= newly_over_limit
    propagation = state.propagation._replace(
        points_to=points_to,
        supports=supports,
        over_limit=over_limit,
        read_before_limit={
            **state.propagation.read_before_limit,
            **dict.fromkeys(newly_over_limit, ()),
        },
    )
    return state._replace(propagation=propagation)


def without_passers(state: WholeProgramState, files: Set[int]) -> WholeProgramState:
    """Return the state without knowledge of what some files pass to parameters over the limit."""
    over_limit = {
        need: {
            digest: NO_PASSER if passing_file(one) in files else one
            for digest, one in passers.items()
        }
        for need, passers in state.propagation.over_limit.items()
    }
    return state._replace(propagation=state.propagation._replace(over_limit=over_limit))


class Renumbering:
    """A mapping of the numbers of an old program to those of a new one.

    Both programs load the same library modules first. Of modules that they load later, those before
    the first difference have numbers in both.
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
        """`library` are the library modules that both programs load first, now or later."""
        self._size = old.size
        self._further = new.size - old.size
        self._libraries = old.library_modules(), new.library_modules()  # these may grow
        self._shared = sum(module.definitions for module in library), len(library)
        self._numbers: list[int] = []
        self._scopes = {key: difference.scopes for key, difference in differences.items()}
        self._files: list[int] = []
        self._kept = kept
        self._keeps: set[int] = set()  # definitions in kept text, by old number
        self._moved: dict[Value, Value | None] = {}  # a value is in some eight points-to sets
        self.reset: set[int] = set()  # functions with changed parameters, by old number
        self.less: set[ParameterKey] = set()  # parameters (new numbers) that lost removed values
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
        """Return whether a definition of the new program has no counterpart in the old one."""
        if number >= self._size + self._further:
            return not self._is_shared(number - self._further)
        return number >= 0 and number not in self._before

    def _is_shared(self, number: int) -> bool:
        """Return whether both programs have a library definition, given by its old number."""
        count, modules = self._shared
        if number - self._size >= count and min(map(len, self._libraries)) > modules:
            for old, new in zip(*(one[modules:] for one in self._libraries), strict=False):
                if old != new:
                    break
                count, modules = count + old.definitions, modules + 1
            self._shared = count, modules
        return number - self._size < count

    def before(self, number: int) -> tuple[int, ...]:
        """Return the old number of a definition of the new program; empty for an added one."""
        if number < 0:
            return (number,)
        if number >= self._size + self._further:
            old = number - self._further
            return (old,) if self._is_shared(old) else ()
        found = self._before.get(number)
        return () if found is None else (found,)

    def in_both(self, number: int, *, is_new: bool) -> tuple[int, int] | None:
        """Return the old and the new number of a definition; None if one program lacks it.

        `number` is the new number if `is_new`, else the old one.
        """
        if is_new:
            before = self.before(number)
            return (before[0], number) if before else None
        return (number, self.number(number)) if self.is_left(number) else None

    def number(self, number: int) -> int:
        """Return the new number of a definition; negative numbers name none and are unchanged.

        Raises KeyError for a removed definition, as do `value`, `values`, `identity` and `need`.
        """
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

    def forwarding_otherwise(self, before: Set[_Forwarding], after: Set[_Forwarding]) -> set[int]:
        """Return the functions that remain, by new number, and forward to other functions."""
        moved = {
            (self.number(number), (self.number(taker), *rest))
            for number, (taker, *rest) in before
            if self.is_left(number) and self.is_left(taker)
        }
        return {number for number, _ in moved ^ after if not self.is_new(number)}

    def is_here(self, number: int) -> bool:
        """Return whether a definition still exists and has the same parameters."""
        if not 0 <= number < self._size:
            return True
        return self._numbers[number] != _GONE and number not in self.reset

    def values(self, values: Values) -> Values:
        """Renumber values."""
        return tuple([self.value(value) for value in values])

    def value(self, value: Value) -> Value:
        """Renumber a value."""
        kind, key, rule = value
        return kind, self._key(kind, key), rule

    def _left_value(self, value: Value) -> Value | None:
        """Renumber a value; return None if a definition that it names was removed."""
        found = self._moved.get(value)
        if found is None and value not in self._moved:
            found = self.value(value) if self.is_left_of(value[:2]) else None
            self._moved[value] = found
        return found

    def identity(self, identity: Identity) -> Identity:
        """Renumber the kind and key of a value."""
        kind, key = identity
        return kind, self._key(kind, cast(Key, key))

    def is_left_of(self, identity: Identity) -> bool:
        """Return whether all definitions that a value names still exist."""
        try:
            self.identity(identity)
        except KeyError:
            return False
        return True

    def need(self, need: ParameterKey) -> ParameterKey:
        """Renumber a parameter."""
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
        """Renumber definitions, without removed ones."""
        return {self.number(one) for one in numbers if self.is_left(one)}

    def left(self, members: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Renumber (class, member name) pairs, without those of removed classes."""
        return ((self.number(one), name) for one, name in members if self.is_left(one))

    def is_left(self, number: int) -> bool:
        """Return whether a definition of the old program still exists."""
        if number >= self._size:
            return self._is_shared(number)
        return number < 0 or self._numbers[number] != _GONE

    def made_with(self, rows: Set[MadeWith]) -> tuple[set[MadeWith], set[ParameterKey]]:
        """Renumber `Passed.made_with`.

        Returns the rows, and the parameters of rows that are left out as they name removed
        definitions.
        """
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
        """Renumber the old state, without removed definitions and rows of changed files.

        Rows in kept text remain. Raises KeyError where a parameter held more functions than are
        read and no longer does.
        """
        found = state.propagation
        is_same = self._is_identity()
        points_to, supports = (dict(found.points_to), dict(found.supports)) if is_same else ({}, {})
        known: dict[int, Values] = {}  # by id: many parameters share one points-to set object
        for need, values in () if is_same else found.points_to.items():
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
                if len(left) > MOST_FUNCTIONS:  # only the first are read, so their order matters
                    ordered = tuple(sorted(left))
                    left, support = ordered, carried(support, left, after=ordered)
                points_to[moved], supports[moved] = left, support
        over_limit = {
            self.need(need): passers
            for need, passers in found.over_limit.items()
            if self.is_here(need[0])
        }
        propagation = PropagationState(
            points_to,
            supports,
            over_limit,
            found.unfinished,
            self._makers(found.makers),
            self.numbers(found.forwarders),
            self._forwardings(found.forwardings),
            found.operators,
            found.setters,
            {
                self.need(need): tuple([one for v in values if (one := self._left_value(v))])
                for need, values in found.read_before_limit.items()
                if self.is_here(need[0])
            },
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
        """Return whether every definition and scope keeps its number."""
        return (
            not self.reset
            and self._numbers == [*range(self._size)]
            and not self._further
            and all(old == new for found in self._scopes.values() for old, new in found.items())
        )

    def _forwardings(
        self, forwardings: Iterable[tuple[int, int, str, int]]
    ) -> list[tuple[int, int, str, int]]:
        return [
            (self.number(number), self.number(taker), marker, first)
            for number, taker, marker, first in forwardings
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
        """Return the arguments that calls in kept text pass, by their new rows."""
        found = {}
        for (key, row), calls in arguments.items() if self._kept else ():
            if key in self._kept:
                text = self._kept[key]
                left = text.calls([call for file, call in calls if file == key])
                if left:
                    found[key, text.row(row)] = {(key, call) for call in left}
        return found
