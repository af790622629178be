"""Retract the arguments and instantiations that an edit removed (delete and rederive).

Other files may pass a removed argument as well (`support_search`). If they only forward it, it may
support itself through them: it is withheld, so that all that depends on it is found and retracted,
and rederived afterwards where files still pass it. This is "delete and rederive" (Gupta, Mumick,
Subrahmanian 1993) for arguments, in steps of relinking.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set

from mu.resolve.abstract_values import CALLABLES, Values
from mu.resolve.incremental.arguments.early_iterations import EarlyIterations
from mu.resolve.incremental.arguments.limit_checks import (
    check_handed_on_before_limit,
    check_limits_of_unchanged_files,
    edited_early_readers,
)
from mu.resolve.incremental.arguments.program_contributions import (
    ProgramContributions,
    Spending,
    program_contributions,
)
from mu.resolve.incremental.arguments.support_search import SupportSearch
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.file_set import NeedsBuildError, OtherForwardingError
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering, without
from mu.resolve.incremental.state_match import (
    changed_constructor_arguments,
    forwarding_otherwise,
    has_several,
    lost_arguments,
    lost_in_places,
    passed_what_is_gone,
)
from mu.resolve.limits import MOST_DERIVATION_STEPS
from mu.resolve.solver.argument_support import UNKNOWN, is_as_found, iteration_of
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.propagation_state import (
    PropagationState,
    falls_within_bound,
    support_of,
)
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import WholeProgramState


class Retractions:
    """The retracted facts, as the new program numbers them.

    `arguments` are no longer passed, and `dead` classes no longer instantiated. `freed` are the
    parameters that are no longer over the limit, with their points-to sets; `newly_over_limit` are
    those that are now, with their passers. `per_class_changes` are the constructor parameters whose
    per-class arguments changed. `withheld` are those of `arguments` that files forward: they are
    not passed until `stop_withholding`.
    """

    def __init__(
        self,
        old: ProgramVersion,
        state: WholeProgramState,
        *,
        changed: Collection[int],
        forwarding: Set[int],
        find: Callable[[Set[str], Set[str]], set[int]],
        spend: Spending,
    ) -> None:
        """`find` returns the files that refer to any of some nodes, by id, or have any of some
        names; `state` is from before the edit, and `changed` are the files that it changed. All
        that call the functions `forwarding`, by old number, are linked.
        """
        self._old = old
        self._changed = changed
        self._forwarding = forwarding
        self._find = find
        self._spend = spend
        self._readers: Mapping[int, int] = {}  # files of edited functions that read early
        self._before: ProgramContributions = program_contributions(old, state)
        self._forwarding_files: set[int] = set()  # files that forward what is withheld
        self._limit_changes: set[ParameterKey] = set()  # in any step
        self._first = UNKNOWN  # the iteration that found the first of the retracted arguments
        self.arguments: set[Argument] = set()
        self.withheld: set[Argument] = set()
        self.dead: set[int] = set()
        self.freed: dict[ParameterKey, Values] = {}
        self.newly_over_limit: dict[ParameterKey, Mapping[int, int]] = {}
        self.per_class_changes: set[ParameterKey] = set()

    @property
    def grown(self) -> set[ParameterKey]:
        """Parameters whose points-to sets or per-class arguments the retractions changed."""
        return {need for need, _ in self.arguments} | self.per_class_changes | self._limit_changes

    def stop_withholding(self) -> set[int]:
        """Stop withholding arguments; return the files that may pass them."""
        forwarding_files, self._forwarding_files = self._forwarding_files, set()
        self.withheld.clear()
        return forwarding_files

    def note_early_readers(
        self, new: ProgramVersion, differences: Mapping[int, FileDifference]
    ) -> None:
        """Note the files with edited functions for `check_early_readers`.

        Raises NeedsBuildError where what they passed on cannot be compared.
        """
        self._readers = edited_early_readers(
            *(self._old, new),
            differences=differences,
            changed=self._changed,
            state=self._before.state,
        )

    def check_early_readers(
        self,
        new: ProgramVersion,
        files: Set[int],
        *,
        change: tuple[Mapping[int, FileDifference], Renumbering],
        moved: WholeProgramState,
    ) -> None:
        """Check that edited functions hand on the same as before of what they read before a limit
        was exceeded; see `find_more` for the arguments.

        Raises NeedsBuildError.
        """
        differences, renumbering = change
        early = EarlyIterations(
            self._before,
            program_contributions(new, moved, changed=files),
            renumbering=renumbering,
            files=files,
            spend=lambda: self._spend.linked(new, {*files}),
        )
        for key, iteration in self._readers.items():
            if not early.are_alike(key, difference=differences[key], until=iteration):
                raise NeedsBuildError(
                    "an edited function read arguments before the limit was exceeded"
                )

    def find_more(
        self,
        new: ProgramVersion,
        files: Set[int],
        *,
        renumbering: Renumbering,
        moved: WholeProgramState,
        looked_at: Set[int],
        are_values_lost: bool,
    ) -> bool:
        """Retract what some files add in the old program only; return whether that is anything new.

        `moved` is the state that the new program restored; from there it propagated the calls of
        the files `looked_at`. With `are_values_lost`, attributes, variables or results may hold
        less than before, and what is passed of them may support itself. Raises
        NeedsBuildError where it cannot be decided what else is gone.
        """
        now = new.linker.whole_program.state().propagation
        after = program_contributions(new, moved, changed=files)
        lost, fewer, gone = self._compared(
            *(new, files), renumbering=renumbering, states=(moved.propagation, now), after=after
        )
        if any(new.asks_more(key) for key in self._changed):
            raise NeedsBuildError("operations may pass arguments to a method that had none")
        passers = SupportSearch(
            self._old,
            renumbering,
            find=self._find,
            before=self._before,
            after=after,
            spend=self._spend.whole,
        )
        propagation = moved.propagation
        if are_values_lost:
            lost.update(self._not_derived(new, files, moved))
        elif self.arguments:
            lost.update(self._forwarded_in_cycles(new, files, moved.propagation))
        lost = {one for one in lost - self.arguments if _is_held(one, propagation)}
        unpassed = passers.unpassed(lost, files) if lost else {}
        early = unpassed.keys() - self.arguments
        passers.check_passed_early(early, files)
        left = without(moved, unpassed.keys(), classes=set()).propagation.points_to
        points_to = propagation.points_to
        if any(falls_within_bound(points_to.get(need, ()), left[need]) for need, _ in unpassed):
            raise NeedsBuildError("a function is passed no more, where too many were")
        fewer &= propagation.over_limit.keys()
        freed = passers.freed(fewer, now.over_limit, files=files, looked_at=looked_at)
        newly_over_limit = {
            need: now.over_limit[need] for need in new.over_limit - propagation.over_limit.keys()
        }
        gone -= self.dead
        unmade = passers.unmade(gone, files) if gone else set()
        self.arguments |= unpassed.keys()
        found = [iteration_of(support_of(one, propagation)) for one in unpassed]
        self._first = min([self._first, *(-1 if one == UNKNOWN else one for one in found)])
        self.withheld |= {argument for argument, keys in unpassed.items() if keys}
        self._forwarding_files.update(*unpassed.values())
        self.dead |= unmade
        self._note_limits(freed, newly_over_limit)
        return bool(unpassed or unmade or freed or newly_over_limit)

    def _not_derived(
        self, new: ProgramVersion, files: Set[int], moved: WholeProgramState
    ) -> set[Argument]:
        """Return the arguments that relinked functions pass only because of one another.

        `Box(self.items)` passes what the attribute held before, if the constructor puts it there,
        though nothing else does any more. The functions are evaluated where parameters hold
        nothing of this kind, and again with what they pass then, until they pass no more of it.
        """
        altered = moved.propagation.relinked | files
        passed = {
            key: {
                argument
                for argument in new.contribution_of(key).passed.arguments
                if _is_held(argument, moved.propagation)
                and not is_as_found(support_of(argument, moved.propagation), altered)
            }
            for key in files & new.program.units.keys()
        }
        left = set[Argument]().union(*passed.values())
        for _ in range(MOST_DERIVATION_STEPS):
            if not left:
                break
            keys = {key for key, some in passed.items() if not left.isdisjoint(some)}
            self._spend.linked(new, keys)
            points_to = without(moved, left, classes=set()).propagation.points_to
            version = new.alone(moved, files, points_to=points_to)
            version.left_out = new.left_out
            found = {
                one
                for key in keys
                for one in version.contribution_of(key).passed.arguments
                if one in left
            }
            if not found:
                break
            left -= found
        return left

    def _forwarded_in_cycles(
        self, new: ProgramVersion, files: Set[int], state: PropagationState
    ) -> Iterator[Argument]:
        """Yield arguments that relinked functions pass to one another, and that may support
        themselves in a cycle: those found after one that is retracted.
        """
        for key in files & new.program.units.keys():
            for need, identity in new.contribution_of(key).passed.arguments:
                if new.is_linked(need[0], files):
                    iteration = iteration_of(support_of((need, identity), state))
                    if iteration > self._first:
                        yield need, identity

    def _note_limits(
        self,
        freed: Mapping[ParameterKey, Values],
        newly_over_limit: Mapping[ParameterKey, Mapping[int, int]],
    ) -> None:
        """Note the parameters that are no longer over the limit, and those that are now.

        A parameter that an earlier step noted as the opposite is as it was before the edit.
        """
        self._limit_changes |= freed.keys() | newly_over_limit.keys()
        before = self.freed.keys() | self.newly_over_limit.keys()
        for need, values in freed.items():
            self.newly_over_limit.pop(need, None)
            if need not in before:
                self.freed[need] = values
        for need, passers in newly_over_limit.items():
            self.freed.pop(need, None)
            if need not in before:
                self.newly_over_limit[need] = passers

    def _compared(
        self,
        new: ProgramVersion,
        files: Set[int],
        *,
        renumbering: Renumbering,
        states: Sequence[PropagationState],
        after: ProgramContributions,
    ) -> tuple[set[Argument], set[ParameterKey], set[int]]:
        """Return the arguments that files pass no more, or in fewer places, the parameters to which
        they pass fewer values that are not functions, and the classes that they no longer
        instantiate.
        """
        gone: set[int] = set()
        made: set[int] = set()
        lost: dict[int, set[Argument]] = {}
        in_places: set[Argument] = set()
        early: set[Argument] = set()  # passed maybe before the fixpoint, by calls that are gone
        fewer: set[ParameterKey] = set()
        for key in files:
            one = self._old.contribution_of(key)
            other = new.contribution_of(key)
            fewer |= passed_what_is_gone(one, renumbering=renumbering)
            gone |= renumbering.numbers(one.passed.made | one.named)
            made |= other.passed.made | other.named
            others = forwarding_otherwise(one, other, renumbering=renumbering) - self._forwarding
            if others:
                raise OtherForwardingError(others)
            lost[key] = lost_arguments(one, other, renumbering=renumbering)
            passed_to = {need for need, _ in other.passed.arguments}
            unused = {need for need, _ in lost[key]} - passed_to
            early |= {(need, v[:2]) for need in unused for v in states[0].points_to.get(need, ())}
            is_changed = key in self._changed
            in_places |= lost_in_places(
                *(self._old, new), file=key, is_changed=is_changed, renumbering=renumbering
            )
            self.per_class_changes |= {
                need
                for need in changed_constructor_arguments(one, other, renumbering=renumbering)
                if any(has_several(state.points_to.get(need, ())) for state in states)
            }
        unchanged = {key: some for key, some in lost.items() if some and key not in self._changed}
        if unchanged:
            check_limits_of_unchanged_files(
                *(self._old, new),
                lost=unchanged,
                gone=self.arguments,
                state=self._before.state,
                renumbering=renumbering,
            )
        check_handed_on_before_limit(
            *(new, lost),
            state=self._before.state,
            renumbering=renumbering,
            alone=after.alone,
        )
        passed = set[Argument]().union(*lost.values())
        fewer |= {need for need, (kind, _) in passed if kind not in CALLABLES}
        return in_places | early | passed, fewer, gone - made


def _is_held(argument: Argument, state: PropagationState) -> bool:
    """Return whether a parameter holds an argument."""
    need, identity = argument
    return any(one[:2] == identity for one in state.points_to.get(need, ()))
