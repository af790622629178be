"""The first iterations of a build after an edit, evaluated again for some files.

A parameter hands on its first values until it exceeds the limit, so some arguments were passed in
an early iteration only. Whether a file would pass such an argument in a build after the edit shows
where it is evaluated with what parameters hold in that iteration: what unaltered files passed until
then, and what the altered ones pass in each iteration before it.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from functools import cached_property
from typing import cast

from mu.resolve.abstract_values import CALLABLES, INSTANCE, Value, Values, as_passed, number_of
from mu.resolve.incremental.altered_classes.other_bases import NO_MRO_CHANGES
from mu.resolve.incremental.arguments.program_contributions import (
    ProgramContributions,
)
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.incremental.visible_values import AlteredValues, VisibleValues
from mu.resolve.limits import MOST_VALUES
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.solver.argument_support import (
    NO_PASSER,
    UNKNOWN,
    exceeding_iteration,
    is_as_found,
    iteration_of,
    passing_file,
    passing_iteration,
)
from mu.resolve.solver.parameter_sets import Argument, value_digest
from mu.resolve.solver.propagation_state import PropagationState
from mu.resolve.solver.solver import ParameterKey

_Found = dict[ParameterKey, dict[Value, int]]
"""By parameter, the values that calls pass, with the iterations in which they do so first."""


class EarlyIterations:
    """The first iterations of propagation before and after an edit."""

    def __init__(
        self,
        before: ProgramContributions,
        after: ProgramContributions,
        *,
        renumbering: Renumbering,
        files: Set[int],
        spend: Callable[[], None],
    ) -> None:
        """`files` were relinked; `spend` is called before they are all evaluated once more."""
        self._before = before
        self._after = after
        self._renumbering = renumbering
        self._files = files
        self._spend = spend

    def passes(self, argument: Argument, file: int, *, iteration: int) -> bool:
        """Return whether an unchanged file passes an argument in an iteration, after the edit.

        Evaluation does not always find what it found in the build, as cycles begin elsewhere. So it
        is enough that the file passes the same to the parameter as before the edit.
        """
        need, identity = argument
        passed = self._iterations_after.passing(iteration, file)
        now = {value for taker, value in passed if taker == need}
        return identity in now or now == self._passed_before(need, file, iteration=iteration)

    def are_alike(self, file: int, *, difference: FileDifference, until: int) -> bool:
        """Return whether an edited file passes the same in each iteration up to one, and its edited
        functions give the same and leave the same in variables.
        """
        old, new = self._before.program.units[file], self._after.program.units[file]
        kept, rules = _unedited(old, new, difference), (self._renumbering, NO_MRO_CHANGES)
        for iteration in range(1, until + 1):
            before, after = self._iterations_before, self._iterations_after
            passed = self._moved(before.passing(iteration, file))
            if passed is None or passed != after.passing(iteration, file):
                return False
            was, now = before.version(iteration), after.version(iteration)
            asked = (was.program, was.linker), (now.program, now.linker)
            values, altered = VisibleValues(*asked, *rules), AlteredValues()
            nodes = values.changed(file, difference, kept=kept)
            altered.add(values)
            if nodes is None or nodes or values.rebased or altered.is_any:
                return False
        return True

    def _passed_before(
        self, need: ParameterKey, file: int, *, iteration: int
    ) -> set[tuple[int, object]] | None:
        """Return what a file passed to a parameter in an iteration before the edit; None if any of
        it is gone.
        """
        moved = self._renumbering
        passed = self._iterations_before.passing(iteration, file)
        found = self._moved(
            {one for one in passed if moved.is_here(one[0][0]) and moved.need(one[0]) == need}
        )
        return found if found is None else {value for _, value in found}

    def _moved(self, arguments: Set[Argument]) -> set[Argument] | None:
        """Renumber arguments; return None if a parameter or value is gone."""
        moved = self._renumbering
        if not all(moved.is_here(need[0]) and moved.is_left_of(v) for need, v in arguments):
            return None
        return {(moved.need(need), moved.identity(value)) for need, value in arguments}

    @cached_property
    def _iterations_before(self) -> "_Iterations":
        state = self._before.state
        read = _first_read(self._before, altered=state.relinked)
        found = _found(state, read, altered=state.relinked)
        return _Iterations(self._before, found, _exceeding(state))

    @cached_property
    def _iterations_after(self) -> "_Iterations":
        """What relinked files passed in the build counts only where they pass it again."""
        moved, state = self._renumbering, self._before.state
        altered = state.relinked | self._files
        first = _first_read(self._before, altered=altered)
        read = {
            moved.need(need): {
                moved.value(value): iteration
                for value, iteration in values.items()
                if moved.is_left_of(value[:2])
            }
            for need, values in first.items()
            if moved.is_here(need[0])
        }
        exceeding = {
            moved.need(need): iteration
            for need, iteration in _exceeding(state).items()
            if moved.is_here(need[0])
        }
        now = self._after.state
        exceeding.update((need, 0) for need in now.over_limit if need not in exceeding)
        found = _found(now, read, altered=altered)
        return _Iterations(self._after, found, exceeding, again=self._files, spend=self._spend)


class _Iterations:
    """The iterations of one program, of which the files `again` are evaluated again."""

    def __init__(
        self,
        asked: ProgramContributions,
        found: _Found,
        exceeding: Mapping[ParameterKey, int],
        *,
        again: Iterable[int] = (),
        spend: Callable[[], None] = lambda: None,
    ) -> None:
        """`exceeding` has the iterations in which parameters exceed the limit."""
        self._asked = asked
        self._found = found
        self._exceeding = exceeding
        self._again = sorted(again)
        self._spend = spend
        self._versions: list[ProgramVersion] = []  # from the second iteration on

    def passing(self, iteration: int, file: int) -> Set[Argument]:
        """Return what a file passes in an iteration; in the first, 0, parameters hold nothing."""
        if not iteration:
            return self._asked.alone(file).passed.arguments
        return self.version(iteration).contribution_of(file).passed.arguments

    def version(self, iteration: int) -> ProgramVersion:
        """Return the program as it is in an iteration after the first."""
        for known in range(len(self._versions) + 1, iteration + 1):
            if self._again:
                self._spend()
            for key in self._again:
                for need, identity in self.passing(known - 1, key):
                    value = as_passed(cast(Value, (*identity, None)))
                    self._found.setdefault(need, {}).setdefault(value, known - 1)
            shown = {need: self._shown(need, known) for need in self._found}
            self._versions.append(self._asked.given(shown))
        return self._versions[iteration - 1]

    def _shown(self, need: ParameterKey, iteration: int) -> Values:
        """Return what a parameter holds in an iteration: what was found before it.

        A value that is an instance of a library class is shown after the first iteration, or with
        another one that is not.
        """
        found = {v: known for v, known in self._found[need].items() if known < iteration}
        functions = tuple([value for value in found if value[0] in CALLABLES])
        count = len(found) - len(functions)
        if count > MOST_VALUES or self._exceeding.get(need, UNKNOWN) < iteration:
            return functions
        latest = max((known for v, known in found.items() if not self._is_plain(v)), default=0)
        return tuple(sorted(v for v, known in found.items() if known <= latest))

    def _is_plain(self, value: Value) -> bool:
        return value[0] == INSTANCE and self._asked.program.is_library(number_of(value[1]))


def _found(state: PropagationState, read: _Found, *, altered: Set[int]) -> _Found:
    """Return what files but the `altered` ones passed in a build, with what was `read` of
    parameters that exceeded the limit.
    """
    found = {
        need: {
            value: iteration_of(support)
            for value, support in zip(values, state.supports.get(need, ()), strict=False)
            if is_as_found(support, altered)
        }
        for need, values in state.points_to.items()
    }
    for need, values in read.items():
        found.setdefault(need, {}).update(values)
    return found


def _first_read(before: ProgramContributions, *, altered: Set[int]) -> _Found:
    """Return the values that were read of parameters before they exceeded the limit, but for those
    passed by `altered` files.
    """
    found: _Found = {}
    state, program = before.state, before.program
    for need, values in state.read_before_limit.items():
        passers = state.over_limit.get(need, {})
        known = {value: passers.get(value_digest(program, value), NO_PASSER) for value in values}
        found[need] = {
            value: passing_iteration(one)
            for value, one in known.items()
            if one != NO_PASSER and passing_file(one) not in altered
        }
    return found


def _exceeding(state: PropagationState) -> dict[ParameterKey, int]:
    """Return the iterations in which parameters exceeded the limit; the first, if not known."""
    found = {}
    for need, passers in state.over_limit.items():
        iteration = exceeding_iteration(passers.values())
        is_read = need in state.read_before_limit and iteration < UNKNOWN
        found[need] = iteration if is_read else 0
    return found


def _unedited(old: FileSymbols, new: FileSymbols, difference: FileDifference) -> frozenset[int]:
    """Return the definitions with the same text in both versions of a file, by number in the old
    one.
    """
    before, after = old.facts.definitions, new.facts.definitions
    return frozenset(
        local
        for local, partner in difference.numbers.items()
        if before[local].digest == after[partner].digest
    )
