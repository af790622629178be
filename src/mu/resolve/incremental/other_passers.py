"""What files pass and make whatever parameters hold, so that it is known without what is gone.

An argument that a file passes no more may be passed by others; but these may do so only since the
first one did, as functions that call each other hand on what they are passed. It holds where one of
the files that passed it first is as it was (`argument_support`). Else the others are asked in
programs in which nothing is known of parameters: what they pass there, they pass by themselves.
Last, they are asked where parameters hold what they held by the time that the argument was found.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from typing import NamedTuple, cast

from mu.resolve.abstract_values import CALLABLES, NUMBERED, Key, Value, Values, as_passed, number_of
from mu.resolve.incremental.file_set import AlteredElsewhereError, LostElsewhereError
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.limits import (
    FEWEST_ASKED_FILES,
    MOST_ASKED_SHARE,
    MOST_HANDING_FILES,
    MOST_PASSERS,
    MOST_TOLD_FILES,
    MOST_VALUES,
)
from mu.resolve.program.file_symbols import CONSTRUCTOR
from mu.resolve.program.program import Program
from mu.resolve.solver.argument_support import (
    UNSUPPORTED,
    files_of,
    found_until,
    is_as_found,
    iteration_of,
)
from mu.resolve.solver.parameter_sets import Argument, Passers, value_digest
from mu.resolve.solver.propagation_state import PropagationState
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import FileReach, WholeProgramState

_Reach = Callable[[int], FileReach]


class ProgramReach(NamedTuple):
    """What files of a program add, by key: with all that its state tells that parameters hold, with
    nothing, and with anything else.
    """

    every: _Reach
    alone: _Reach
    given: Callable[[Mapping[ParameterKey, Values]], _Reach]
    state: PropagationState


def program_reach(
    version: ProgramVersion, state: WholeProgramState, *, changed: Iterable[int] = ()
) -> ProgramReach:
    """What the files of a program add that took up a state, since when some changed."""
    alone = cache(lambda: version.alone(state, changed))
    return ProgramReach(
        version.whole_reach_of,
        lambda key: alone().reach_of(key),
        lambda shown: version.alone(state, changed, shown=shown).reach_of,
        state.propagation,
    )


class OtherPassers:
    """Finds arguments and instances that files pass and make by themselves.

    `before` tells what files added in the old program, `after` what they add in the new one, for
    those that are linked again.
    """

    def __init__(
        self,
        old: ProgramVersion,
        renumbering: Renumbering,
        *,
        program: Program,
        find: Callable[[Set[str], Set[str]], set[int]],
        before: ProgramReach,
        after: ProgramReach,
    ) -> None:
        """`program` is the new one; `find` gives the files that refer to any of some nodes, by id,
        or name any of some names.
        """
        self._old = old
        self._renumbering = renumbering
        self._program = program
        self._find = find
        self._before = before
        self._after = after
        self._given = cache(self._reach_given)

    @cached_property
    def _ways(self) -> Sequence[tuple[int, int, str, int]]:
        """How functions of the old program hand arguments on."""
        return [*self._old.linker.whole_program.state().propagation.ways]

    def unpassed(self, lost: Set[Argument], files: Set[int]) -> dict[Argument, Sequence[int]]:
        """Those of some arguments, as the new program numbers them, that nothing passes any more,
        with the files, by key, that may do so only since they were passed.

        Raises LostElsewhereError where too many may.
        """
        altered = self._after.state.relinked | files
        missing = {one for one in lost if not is_as_found(self._support(one), altered)}
        if not missing:
            return {}
        handed: defaultdict[Argument, list[int]] = defaultdict(list)
        naming = self._find(set(), {*self._names_of(value for _, value in lost)})
        asked: set[int] = set()
        for number in sorted({need[0] for need, _ in missing}):
            told = [files_of(self._support(one)) for one in missing if one[0][0] == number]
            for key in self._asked({number}, files, naming, asked=asked, told=told):
                if all(need[0] != number for need, _ in missing):
                    break
                asked.add(key)
                by_itself, others = self._passed_by(key, missing, is_new=key in files)
                missing -= by_itself
                for argument in others:
                    handed[argument].append(key)
        found: dict[Argument, Sequence[int]] = {
            one: handed[one]
            for one in missing
            if one not in handed or not self._holds(one, handed[one], files)
        }
        if len({key for handing in found.values() for key in handing}) > MOST_HANDING_FILES:
            raise LostElsewhereError("an argument is passed no more")
        return found

    def _support(self, argument: Argument) -> int:
        """How an argument was found."""
        need, identity = argument
        state = self._after.state
        held = zip(state.shown.get(need, ()), state.supports.get(need, ()), strict=False)
        return next((support for value, support in held if value[:2] == identity), UNSUPPORTED)

    def _holds(self, argument: Argument, handing: Sequence[int], files: Set[int]) -> bool:
        """Tell whether a file passes an argument that is told only such as do not depend on it."""
        iteration = iteration_of(self._support(argument))
        for key in handing[:MOST_TOLD_FILES]:
            is_new = key in files
            reach = self._given(iteration, frozenset(files), is_new=is_new)(key)
            if argument in self._now(reach.passed.arguments, is_new=is_new):
                return True
        return False

    def _reach_given(self, iteration: int, files: frozenset[int], *, is_new: bool) -> _Reach:
        """What files pass where parameters hold what was found by the end of an iteration, and does
        not depend on what `files` pass.
        """
        asked = self._after if is_new else self._before
        shown, supports = asked.state.shown, asked.state.supports
        altered = asked.state.relinked | files
        return asked.given(found_until(iteration, shown, supports=supports, altered=altered))

    def _passed_by(
        self, file: int, arguments: Set[Argument], *, is_new: bool
    ) -> tuple[Set[Argument], Set[Argument]]:
        """Those of some arguments that a file passes by itself, and the others that it passes."""
        asked = self._after if is_new else self._before
        found = arguments & self._now(asked.every(file).passed.arguments, is_new=is_new)
        if not found:
            return set(), set()
        by_itself = found & self._now(asked.alone(file).passed.arguments, is_new=is_new)
        return by_itself, found - by_itself

    def freed(
        self,
        needs: Set[ParameterKey],
        limited: Passers,
        *,
        files: Set[int],
        looked_at: Set[int],
    ) -> dict[ParameterKey, Values]:
        """Those of some parameters that too much is not passed for any more, with what they hold.

        `limited` tells what was passed too many of; of the `files` that are linked the new program
        `looked_at` some. What such a parameter is passed is not seen: so nothing else is passed
        only since it is.
        """
        unknown, found = files - looked_at | {-1}, dict[ParameterKey, Values]()
        for need in needs & limited.keys():
            if sum(file not in unknown for file in limited[need].values()) <= MOST_VALUES:
                values = self._recounted(need, limited[need], files)
                if len(values) <= MOST_VALUES:
                    found[need] = values
        return found

    def _recounted(self, need: ParameterKey, passers: Mapping[int, int], files: Set[int]) -> Values:
        """The values that are passed for a parameter, of those that `passers` tell were passed too
        many of: all of them, or more than are kept.

        Raises LostElsewhereError where others may have been passed as well.
        """
        if len(passers) >= MOST_PASSERS:
            raise LostElsewhereError("an argument is passed no more, where too many are")
        found: dict[int, Value] = {}
        for key in self._asked({need[0]}, files):
            is_new = key in files
            asked = self._after if is_new else self._before
            arguments = asked.every(key).passed.arguments
            for taker, identity in self._now(arguments, is_new=is_new):
                if taker == need and identity[0] not in CALLABLES:
                    value = as_passed(cast(Value, (*identity, None)))
                    digest = value_digest(self._program, value)
                    if digest in passers:
                        found[digest] = value
            if len(found) > MOST_VALUES:
                break
        return tuple(sorted(found.values()))

    def unmade(self, classes: Set[int], files: Set[int]) -> set[int]:
        """Those of some classes, as the new program numbers them, that no other file makes
        instances of or passes on.

        Raises LostElsewhereError where others may do so only since they are passed the class.
        """
        missing, handed = {*classes}, set[int]()
        for key in self._asked(classes, files):
            if not missing:
                break
            asked = self._after if key in files else self._before
            made = missing & self._made(asked.every(key), is_new=key in files)
            known = made & self._made(asked.alone(key), is_new=key in files) if made else made
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
        self,
        numbers: Iterable[int],
        files: Set[int],
        first: Set[int] = frozenset(),
        *,
        asked: Set[int] = frozenset(),
        told: Sequence[tuple[int, ...] | None] = (None,),
    ) -> Iterator[int]:
        """The files that may call any of some definitions, in order, but for those `asked` before;
        of others than `files` only those that were `told` to pass something, where all are.

        Raises AlteredElsewhereError once too many others are asked.
        """
        passing = [some for some in told if some is not None]
        if len(passing) == len(told):
            known = {key for some in passing for key in some} & self._old.program.files.keys()
            asking = [*self._calling(numbers, files), *sorted(known - files)]
            yield from (key for key in asking if key not in asked)
            return
        others = asked - files
        count, share = len(others), sum(map(self._share, others))
        for key in self._in_order(numbers, files, first):
            if key in asked:
                continue
            if key not in files:
                count, share = count + 1, share + self._share(key)
                if count > FEWEST_ASKED_FILES and share > MOST_ASKED_SHARE:
                    raise AlteredElsewhereError("too many files may pass an argument")
            yield key

    def _share(self, file: int) -> float:
        """The part of the old program, by its expressions, that one of its files is."""
        return self._old.program.outline(file).expressions / self._expressions

    @cached_property
    def _expressions(self) -> int:
        program = self._old.program
        return sum(program.outline(key).expressions for key in program.files)

    def _calling(self, numbers: Iterable[int], files: Set[int]) -> list[int]:
        """Those of some files that may call any of some definitions: all for one without a name."""
        try:
            return [key for key in self._in_order(numbers, files, frozenset()) if key in files]
        except LostElsewhereError:
            return sorted(files)

    def _in_order(self, numbers: Iterable[int], files: Set[int], first: Set[int]) -> list[int]:
        """The files that may call any of some definitions, as the new program numbers them: those
        that are linked anyway, then those that are looked at `first`; of each those with less text
        first.
        """
        program = self._old.program
        called = {one for number in numbers for one in self._renumbering.before(number)}
        called |= handing_on_to(called, self._ways)
        named = {n for one in called for n in self._named(one) if n >= 0}
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
        if number < 0:
            raise LostElsewhereError("what is not named is passed an argument no more")
        yield number
        if self._old.program.is_library(number):
            return
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
