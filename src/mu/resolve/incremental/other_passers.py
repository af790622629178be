"""What files pass and make whatever parameters hold, so that it is known without what is gone.

An argument that a file passes no more may be passed by others; but these may do so only since the
first one did, as functions that call each other hand on what they are passed. So the others are
asked in programs in which nothing is known of parameters: what they pass there, they pass by
themselves.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Set
from typing import cast

from mu.resolve.abstract_values import (
    CALLABLES,
    INSTANCE,
    NESTED,
    Key,
    Value,
    number_of,
    parts_of,
)
from mu.resolve.incremental.file_set import LostElsewhereError
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import NUMBERED, Renumbering
from mu.resolve.limits import MOST_ASKED_PASSERS, MOST_VALUES
from mu.resolve.program.file_symbols import CONSTRUCTOR
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import FileReach

_Reach = Callable[[int], FileReach]


class OtherPassers:
    """Finds arguments and instances that files pass and make by themselves.

    `before` tells what a file added in the old program, and what it did with nothing known of
    parameters; `after` tells that of the new program, for the `files` that are linked again.
    """

    def __init__(
        self,
        old: ProgramVersion,
        renumbering: Renumbering,
        *,
        find: Callable[[Set[str], Set[str]], set[int]],
        before: tuple[_Reach, _Reach],
        after: tuple[_Reach, _Reach],
    ) -> None:
        """`find` gives the files that refer to any of some nodes, by id, or name any of some
        names.
        """
        self._old = old
        self._renumbering = renumbering
        self._find = find
        self._before = before
        self._after = after

    def unpassed(self, lost: Set[Argument], files: Set[int]) -> set[Argument]:
        """Those of some arguments, as the new program numbers them, that nothing passes any more.

        Raises LostElsewhereError where others pass one that may do so only since it was passed.
        """
        missing, handed = {*lost}, set[Argument]()
        naming = self._find(set(), {*self._names_of(value for _, value in lost)})
        for key in self._asked({need[0] for need, _ in lost}, files, naming):
            if not missing:
                break
            every, alone = self._after if key in files else self._before
            found = missing & self._now(every(key).passed.arguments, is_new=key in files)
            if found:
                known = found & self._now(alone(key).passed.arguments, is_new=key in files)
                missing -= known
                handed |= found - known
        if missing & handed:
            raise LostElsewhereError("an argument is passed no more")
        return missing

    def are_too_many(self, needs: Set[ParameterKey], files: Set[int]) -> bool:
        """Tell whether more is passed for each of some parameters, as the new program numbers
        them, than is kept, functions apart.

        What it is passed for shows none of that: so nothing is passed only since this is. But what
        is of the library counts only where it is passed by itself: iterations end before numbers
        and texts have been handed on everywhere.
        """
        orders = {need: self._in_order({need[0]}, files, frozenset()) for need in needs}
        return all(
            self._is_passed_too_much(need, self._bounded(orders[need], files), files)
            for need in sorted(needs, key=lambda need: (len(orders[need]), need))
        )

    def _is_passed_too_much(
        self, need: ParameterKey, asked: Iterable[int], files: Set[int]
    ) -> bool:
        found: set[object] = set()
        for key in asked:
            is_new = key in files
            every, alone = self._after if is_new else self._before
            passed = [one for one in every(key).passed.arguments if one[1][0] not in CALLABLES]
            values = {one for one in self._now(passed, is_new=is_new) if one[0] == need} - found
            plain = {one for one in values if self._is_plain((*one[1], None))}
            if plain:
                values -= plain - self._now(alone(key).passed.arguments, is_new=is_new)
            found |= values
            if len(found) > MOST_VALUES:
                return True
        return False

    def _is_plain(self, value: tuple[int, object, object]) -> bool:
        """Tell whether a value of the new program is an instance of the library, or holds one."""
        known = cast(Value, value)
        if known[0] in NESTED:
            return any(self._is_plain(one) for part in parts_of(known) for one in part)
        return known[0] == INSTANCE and self._renumbering.is_library(number_of(known[1]))

    def unmade(self, classes: Set[int], files: Set[int]) -> set[int]:
        """Those of some classes, as the new program numbers them, that no other file makes
        instances of or passes on.

        Raises LostElsewhereError where others may do so only since they are passed the class.
        """
        missing, handed = {*classes}, set[int]()
        for key in self._asked(classes, files):
            if not missing:
                break
            every, alone = self._after if key in files else self._before
            made = missing & self._made(every(key), is_new=key in files)
            known = made & self._made(alone(key), is_new=key in files) if made else made
            missing -= known
            handed |= made - known
        if missing & handed:
            raise LostElsewhereError("a class may have no instances any more")
        return missing

    def _made(self, reach: FileReach, *, is_new: bool) -> set[int]:
        made = {*reach.passed.made, *reach.named}
        return made if is_new else self._renumbering.numbers(made)

    def _now(self, arguments: Iterable[Argument], *, is_new: bool) -> set[Argument]:
        if is_new:
            return {*arguments}
        moved = self._renumbering
        return {
            (moved.need(need), moved.identity(value))
            for need, value in arguments
            if moved.is_here(need[0]) and moved.is_left_of(value)
        }

    def _names_of(self, identities: Iterable[tuple[int, object]]) -> Iterator[str]:
        """The names of the definitions of the repository that some values are of."""
        program = self._old.program
        for kind, key in identities:
            before = self._renumbering.before(number_of(cast(Key, key))) if kind in NUMBERED else ()
            yield from (program.definitions[one].name for one in before if 0 <= one < program.size)

    def _asked(
        self, numbers: Iterable[int], files: Set[int], first: Set[int] = frozenset()
    ) -> Iterator[int]:
        """The files that may call any of some definitions, in order.

        Raises LostElsewhereError once too many others than `files` are asked for.
        """
        return self._bounded(self._in_order(numbers, files, first), files)

    def _bounded(self, keys: Iterable[int], files: Set[int]) -> Iterator[int]:
        """Some files in turn, until there are too many others than `files` among them."""
        asked = 0
        for key in keys:
            asked += key not in files
            if asked > MOST_ASKED_PASSERS:
                raise LostElsewhereError("too many files may pass an argument")
            yield key

    def _in_order(self, numbers: Iterable[int], files: Set[int], first: Set[int]) -> list[int]:
        """The files that may call any of some definitions, as the new program numbers them: those
        that are linked anyway, then those that are looked at `first`; of each those with less text
        first.
        """
        program = self._old.program
        called = {one for number in numbers for one in self._renumbering.before(number)}
        ways = self._old.linker.whole_program.state().propagation.ways
        called |= handing_on_to(called, ways)
        named = {n for one in called for n in self._named(one) if 0 <= n < program.size}
        names = {program.definitions[number].name for number in named} - {""}
        constructors = {name for unit in program.rules for name in unit.calls.constructors}
        ids = self._old.ids(named)
        there = self._find(ids, names - constructors) | {program.file_of(one) for one in named}
        there &= program.files.keys()
        return sorted(
            there,
            key=lambda key: (
                *(key not in files, key not in first),
                *(program.outline(key).expressions, key),
            ),
        )

    def _named(self, number: int) -> Iterator[int]:
        """The definitions by which one is called: a constructor by its class and those below."""
        if not 0 <= number < self._old.program.size:
            raise LostElsewhereError("what is not named is passed an argument no more")
        yield number
        unit, row = self._old.program.unit_of[number], self._old.program.definitions[number]
        is_maker = row.name in unit.calls.constructors or row.subkind == CONSTRUCTOR
        owner = number if row.kind == "class" else unit.owner(row.scope) if is_maker else -1
        if owner >= 0:
            yield from (owner, *self._old.linker.evaluator.hierarchy.descendants(owner))
        elif not row.name:
            raise LostElsewhereError("what is not named is passed an argument no more")


def handing_on_to(numbers: Set[int], ways: Iterable[tuple[int, int, str, int]]) -> set[int]:
    """The functions that hand arguments on to some functions, by themselves or by others.

    `ways` are those of `PropagationState`.
    """
    handing: defaultdict[int, list[int]] = defaultdict(list)
    for number, taker, _, _ in ways:
        handing[taker].append(number)
    found: set[int] = set()
    waiting = [*numbers]
    while waiting:
        for one in handing[waiting.pop()]:
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found
