"""Find support for removed arguments and instantiations that does not depend on these themselves.

An argument that a file passes no more may be passed by others, but these may do so only because the
first one did, as mutually recursive functions forward what they are passed. It has support if one
of the files that passed it in the iteration that found it was not relinked (`argument_support`).
Else the others are evaluated in programs where parameters hold nothing: what they pass there, they
pass by themselves. Last, they are evaluated where parameters hold what was found by that iteration.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from typing import cast

from mu.resolve.abstract_values import CALLABLES, NUMBERED, Key, Value, Values, as_passed, number_of
from mu.resolve.incremental.arguments.early_iterations import EarlyIterations
from mu.resolve.incremental.arguments.program_contributions import (
    ContributionOf,
    CountShare,
    ProgramContributions,
)
from mu.resolve.incremental.file_set import NeedsBuildError
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.limits import (
    DERIVATION_SHARE,
    FEWEST_ASKED_FILES,
    MOST_ASKED_SHARE,
    MOST_FORWARDING_FILES,
    MOST_PASSERS,
    MOST_RECHECKED_FILES,
    MOST_VALUES,
    SET_UP_SHARE,
)
from mu.resolve.program.file_symbols import CONSTRUCTOR
from mu.resolve.program.program import Program
from mu.resolve.solver.argument_support import (
    files_of,
    found_until,
    is_as_found,
    iteration_of,
    passed_at_once,
    passing_file,
    passing_iteration,
)
from mu.resolve.solver.parameter_sets import Argument, Passers, value_digest
from mu.resolve.solver.propagation_state import support_of
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import FileContribution


class SupportSearch:
    """Search for files that pass an argument, or instantiate a class, by themselves.

    `before` has the contributions of files in the old program, `after` those of relinked files in
    the new one.
    """

    def __init__(
        self,
        old: ProgramVersion,
        renumbering: Renumbering,
        *,
        find: Callable[[Set[str], Set[str]], set[int]],
        before: ProgramContributions,
        after: ProgramContributions,
        spend: CountShare,
    ) -> None:
        """`find` returns the files that refer to any of some nodes, by id, or have any of some
        names. `spend` is called before whole files are evaluated.
        """
        self._old = old
        self._renumbering = renumbering
        self._program = after.program
        self._find = find
        self._before = before
        self._after = after
        self._spend = spend
        self._given = cache(self._reach_given)

    @cached_property
    def _forwardings(self) -> Sequence[tuple[int, int, str, int]]:
        """How functions of the old program forward arguments; see `PropagationState`."""
        return [*self._old.linker.whole_program.state().propagation.forwardings]

    def unpassed(self, lost: Set[Argument], files: Set[int]) -> dict[Argument, Sequence[int]]:
        """Return those of the `lost` arguments without support, with the files that forward them.

        Arguments are as the new program numbers them. The files, by key, pass the argument, but
        maybe only because others did. Raises NeedsBuildError where there are too many.
        """
        altered = self._after.state.relinked | files
        missing = {one for one in lost if not is_as_found(self._support(one), altered)}
        if not missing:
            return {}
        forwarded: defaultdict[Argument, list[int]] = defaultdict(list)
        naming = self._find(set(), {*self._names_of(value for _, value in lost)})
        asked: set[int] = set()
        for number in sorted({need[0] for need, _ in missing}):
            passers = [files_of(self._support(one)) for one in missing if one[0][0] == number]
            for key in self._asked({number}, files, naming, asked=asked, passers=passers):
                if all(need[0] != number for need, _ in missing):
                    break
                asked.add(key)
                self._spend(self._share_of((key,)), files=len(asked))
                by_itself, others = self._passed_by(key, missing, is_new=key in files)
                missing -= by_itself
                for argument in others:
                    forwarded[argument].append(key)
        found: dict[Argument, Sequence[int]] = {
            one: forwarded[one]
            for one in missing
            if one not in forwarded or not self._holds(one, forwarded[one], files)
        }
        if len({key for keys in found.values() for key in keys}) > MOST_FORWARDING_FILES:
            raise NeedsBuildError("an argument is no longer passed")
        return found

    def _support(self, argument: Argument) -> int:
        """Return the support of an argument in the new program."""
        return support_of(argument, self._after.state)

    def _holds(self, argument: Argument, files_passing: Sequence[int], files: Set[int]) -> bool:
        """Return whether a file passes an argument, given only others that do not depend on it."""
        iteration = iteration_of(self._support(argument))
        for key in files_passing[:MOST_RECHECKED_FILES]:
            is_new = key in files
            self._spend(self._share_in_other_state((key,)), files=len(files))
            reach = self._given(iteration, frozenset(files), is_new=is_new)(key)
            if argument in self._now(reach.passed.arguments, is_new=is_new):
                return True
        return False

    def _reach_given(
        self, iteration: int, files: frozenset[int], *, is_new: bool
    ) -> ContributionOf:
        """Return what files pass where parameters hold what was found by the end of an iteration
        and does not depend on what `files` pass.
        """
        asked = self._after if is_new else self._before
        points_to, supports = asked.state.points_to, asked.state.supports
        altered = asked.state.relinked | files
        found = found_until(iteration, points_to, supports=supports, altered=altered)
        return asked.given(found).contribution_of

    def _passed_by(
        self, file: int, arguments: Set[Argument], *, is_new: bool
    ) -> tuple[Set[Argument], Set[Argument]]:
        """Return which of some arguments a file passes by itself, and which others it passes."""
        asked = self._after if is_new else self._before
        found = arguments & self._now(asked.every(file).passed.arguments, is_new=is_new)
        if not found:
            return set(), set()
        by_itself = found & self._now(asked.alone(file).passed.arguments, is_new=is_new)
        return by_itself, found - by_itself

    def freed(
        self,
        needs: Set[ParameterKey],
        over_limit: Passers,
        *,
        files: Set[int],
        looked_at: Set[int],
    ) -> dict[ParameterKey, Values]:
        """Return those of some parameters that are no longer over the limit, with what they hold.

        `over_limit` has the passers of parameters over the limit. Of the linked `files`, the new
        program propagated those `looked_at`. Values passed to a parameter over the limit are not
        read, so that no other argument depends on them.
        """
        unknown, found = files - looked_at | {-1}, dict[ParameterKey, Values]()
        for need in needs & over_limit.keys():
            passing = map(passing_file, over_limit[need].values())
            if sum(file not in unknown for file in passing) <= MOST_VALUES:
                values = self._recounted(need, over_limit[need], files)
                if len(values) <= MOST_VALUES:
                    found[need] = values
        return found

    def _recounted(self, need: ParameterKey, passers: Mapping[int, int], files: Set[int]) -> Values:
        """Return the values that are passed to a parameter over the limit, of those in `passers`:
        all of them, or more than `MOST_VALUES`.

        Raises NeedsBuildError where values not in `passers` may have been passed as well,
        and where one of those was forwarded before another limit was reached.
        """
        if len(passers) >= MOST_PASSERS:
            raise NeedsBuildError("an argument is no longer passed, where too many are")
        found: dict[int, Value] = {}
        early = {*passers}
        for key in self._asked({need[0]}, files):
            is_new = key in files
            arguments = (self._after if is_new else self._before).every(key).passed.arguments
            now = _passed_to(need, self._now(arguments, is_new=is_new), self._program)
            found.update((digest, value) for digest, value in now.items() if digest in passers)
            early -= self._passed_before(need, key)
            if len(found) > MOST_VALUES:
                break
        else:
            if early:
                raise NeedsBuildError(
                    "an argument that was forwarded early may no longer be passed"
                )
        return tuple(sorted(found.values()))

    def _passed_before(self, need: ParameterKey, file: int) -> Set[int]:
        """Return the digests of what a file passed to a parameter before the edit."""
        moved = self._renumbering
        arguments = [
            (need, value)
            for taker, value in self._before.every(file).passed.arguments
            if moved.is_here(taker[0]) and moved.need(taker) == need
        ]
        return _passed_to(need, arguments, self._old.program).keys()

    def check_passed_early(self, lost: Set[Argument], files: Set[int]) -> None:
        """Check that no file passed a value that is lost elsewhere to a parameter over the limit,
        which it read from a parameter before that exceeded the limit: it may read it no more.

        What a file passed in the first iteration it read from no parameter. Raises NeedsBuildError.
        """
        state = self._after.state
        values = {as_passed(cast(Value, (*identity, None))) for _, identity in lost}
        digests = {value_digest(self._program, one): one[:2] for one in values}
        share = self._share_in_other_state(files)
        early = EarlyIterations(
            *(self._before, self._after),
            renumbering=self._renumbering,
            files=files,
            spend=lambda: self._spend(share, files=len(files)),
        )
        for need in state.read_before_limit:
            passers = state.over_limit.get(need, {})  # none if it is freed
            for digest in digests.keys() & passers.keys():
                argument, file = (need, digests[digest]), passing_file(passers[digest])
                if file < 0 or file in files or passed_at_once(passers[digest]):
                    continue
                if argument in self._now(self._before.every(file).passed.arguments, is_new=False):
                    continue
                iteration = passing_iteration(passers[digest])
                if not early.passes(argument, file, iteration=iteration):
                    raise NeedsBuildError(
                        "an argument that was forwarded early may no longer be passed"
                    )

    def unmade(self, classes: Set[int], files: Set[int]) -> set[int]:
        """Return those of some classes that no file instantiates or uses as a value.

        Classes are as the new program numbers them. Raises NeedsBuildError where files may
        do so only because the class is passed to them.
        """
        missing, forwarded = {*classes}, set[int]()
        for key in self._asked(classes, files):
            if not missing:
                break
            asked = self._after if key in files else self._before
            made = missing & self._made(asked.every(key), is_new=key in files)
            known = made & self._made(asked.alone(key), is_new=key in files) if made else made
            missing -= known
            forwarded |= made - known
        if missing & forwarded:
            raise NeedsBuildError("a class may have no instances any more")
        return missing

    def _made(self, reach: FileContribution, *, is_new: bool) -> set[int]:
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
        """Yield the names of the repository's definitions that some values refer to."""
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
        passers: Sequence[tuple[int, ...] | None] = (None,),
    ) -> Iterator[int]:
        """Yield the files that may call any of some definitions, in order, without those `asked`.

        `passers` has the known passers of each argument, None for unknown ones; if all are known,
        no others outside `files` are yielded. Raises NeedsBuildError once there are too many
        outside `files`.
        """
        passing = [some for some in passers if some is not None]
        if len(passing) == len(passers):
            known = {key for some in passing for key in some} & self._old.program.files.keys()
            asking = [*self._calling(numbers, files), *sorted(known - files)]
            yield from (key for key in asking if key not in asked)
            return
        others = asked - files
        count, share = len(others), self._share_of(others)
        for key in self._in_order(numbers, files, first):
            if key in asked:
                continue
            if key not in files:
                count, share = count + 1, share + self._share_of((key,))
                if count > FEWEST_ASKED_FILES and share > MOST_ASKED_SHARE:
                    raise NeedsBuildError("too many files may pass an argument")
            yield key

    def _share_in_other_state(self, files: Iterable[int]) -> float:
        """Return the cost of evaluating some files where parameters hold something else."""
        return SET_UP_SHARE * DERIVATION_SHARE + self._share_of(files)

    def _share_of(self, files: Iterable[int]) -> float:
        """Return the share of some files in the expressions of the old program."""
        program = self._old.program
        there = [key for key in files if key in program.files]
        return sum(program.outline(key).expressions for key in there) / self._expressions

    @cached_property
    def _expressions(self) -> int:
        program = self._old.program
        return sum(program.outline(key).expressions for key in program.files)

    def _calling(self, numbers: Iterable[int], files: Set[int]) -> list[int]:
        """Return those of some files that may call any of some definitions; all, for an unnamed
        one.
        """
        try:
            return [key for key in self._in_order(numbers, files, frozenset()) if key in files]
        except NeedsBuildError:
            return sorted(files)

    def _in_order(self, numbers: Iterable[int], files: Set[int], first: Set[int]) -> list[int]:
        """Return the files that may call any of some definitions, by their new numbers.

        Linked `files` are before others, then those in `first`, then those with fewer expressions.
        """
        program = self._old.program
        called = {one for number in numbers for one in self._renumbering.before(number)}
        called |= forwarders_of(called, self._forwardings)
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
        """Yield the definitions by which one is called: a constructor by its class and subclasses.

        Raises NeedsBuildError for a definition without a name.
        """
        if number < 0:
            raise NeedsBuildError("what is not named is passed an argument no more")
        yield number
        if self._old.program.is_library(number):
            return
        unit, row = self._old.program.unit_of[number], self._old.program.definitions[number]
        is_maker = row.name in unit.calls.constructors or row.subkind == CONSTRUCTOR
        owner = number if row.kind == "class" else unit.owner(row.scope) if is_maker else -1
        if owner >= 0:
            yield from (owner, *self._old.linker.evaluator.hierarchy.descendants(owner))
        elif not row.name:
            raise NeedsBuildError("what is not named is passed an argument no more")


def _passed_to(
    need: ParameterKey, arguments: Iterable[Argument], program: Program
) -> dict[int, Value]:
    """Return the arguments of one parameter, but for functions, by the digests of the values."""
    values = (
        as_passed(cast(Value, (*identity, None)))
        for taker, identity in arguments
        if taker == need and identity[0] not in CALLABLES
    )
    return {value_digest(program, value): value for value in values}


def forwarders_of(numbers: Set[int], forwardings: Iterable[tuple[int, int, str, int]]) -> set[int]:
    """Return the functions that forward arguments to some functions, directly or transitively.

    `forwardings` are those of `PropagationState`.
    """
    forwarders: defaultdict[int, list[int]] = defaultdict(list)
    for number, taker, _, _ in forwardings:
        forwarders[taker].append(number)
    found: set[int] = set()
    waiting = [*numbers]
    while waiting:
        for one in forwarders[waiting.pop()]:
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found
