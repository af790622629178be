"""What files passed and made before an edit and do not any more, so that it is gone, or may be.

Others may pass it as well (`other_passers`). An argument that others only hand on may hold itself
through them: it is withheld, so that all that depends on it is found and gone as well, and then
given back where files still pass it. This is "delete and rederive" (Gupta, Mumick, Subrahmanian
1993) for arguments, in steps of relinking.
"""

from collections.abc import Callable, Collection, Mapping, Sequence, Set

from mu.resolve.abstract_values import CALLABLES, Values
from mu.resolve.incremental.file_set import LostElsewhereError
from mu.resolve.incremental.other_passers import OtherPassers, ProgramReach, program_reach
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering, without
from mu.resolve.incremental.state_match import (
    find_loss,
    has_several,
    lost_arguments,
    made_otherwise,
    passed_what_is_gone,
)
from mu.resolve.incremental.unfollowed_arguments import check_still_handed_on
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.propagation_state import PropagationState, falls_within_bound
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import WholeProgramState


class LostReach:
    """Collects it, as the new program numbers it: `arguments` that nothing passes any more, classes
    of which nothing makes instances (`dead`), what parameters hold for which too much is not passed
    any more (`freed`), or is now (`crowded`), and those that tell fields of classes apart otherwise
    (`told_apart`).

    `withheld` are those of the arguments that files hand on, which are not passed for now.
    """

    def __init__(
        self,
        old: ProgramVersion,
        state: WholeProgramState,
        *,
        changed: Collection[int],
        find: Callable[[Set[str], Set[str]], set[int]],
    ) -> None:
        """`find` gives the files that refer to any of some nodes, by id, or name any of some names;
        `state` is what was found before the edit, of which some files are `changed`.
        """
        self._old = old
        self._changed = changed
        self._find = find
        self._before: ProgramReach = program_reach(old, state)
        self._handing: set[int] = set()  # files that hand on what is withheld
        self._limited_otherwise: set[ParameterKey] = set()  # for any time
        self.arguments: set[Argument] = set()
        self.withheld: set[Argument] = set()
        self.dead: set[int] = set()
        self.freed: dict[ParameterKey, Values] = {}
        self.crowded: dict[ParameterKey, Mapping[int, int]] = {}
        self.told_apart: set[ParameterKey] = set()

    @property
    def grown(self) -> set[ParameterKey]:
        """The parameters that hold or tell something else by all that."""
        return {need for need, _ in self.arguments} | self.told_apart | self._limited_otherwise

    def give_back(self) -> set[int]:
        """Withhold nothing any more; give the files that may pass what was withheld."""
        handing, self._handing = self._handing, set()
        self.withheld.clear()
        return handing

    def find_more(
        self,
        new: ProgramVersion,
        files: Set[int],
        *,
        renumbering: Renumbering,
        moved: WholeProgramState,
        looked_at: Set[int],
    ) -> bool:
        """Compare what some files add in both programs; True if anything is gone that was not known
        to be. `moved` is what the new program went on from with the calls of those `looked_at`.

        Raises LostElsewhereError where it cannot be told what else is gone.
        """
        now = new.linker.whole_program.state().propagation
        lost, fewer, gone = self._compared(
            new, files, renumbering=renumbering, states=(moved.propagation, now)
        )
        if any(new.asks_more(key) for key in self._changed):
            raise LostElsewhereError("operations may pass arguments to a method that had none")
        passers = OtherPassers(
            self._old,
            renumbering,
            program=new.program,
            find=self._find,
            before=self._before,
            after=program_reach(new, moved, changed=files),
        )
        propagation = moved.propagation
        fewer |= {need for need, (kind, _) in lost if kind not in CALLABLES}
        lost = {
            (need, identity)
            for need, identity in lost - self.arguments
            if any(one[:2] == identity for one in propagation.shown.get(need, ()))
        }
        unpassed = passers.unpassed(lost, files) if lost else {}
        left = without(moved, unpassed.keys(), classes=set()).propagation.shown
        shown = propagation.shown
        if any(falls_within_bound(shown.get(need, ()), left[need]) for need, _ in unpassed):
            raise LostElsewhereError("a function is passed no more, where too many were")
        fewer &= propagation.limited.keys()
        freed = passers.freed(fewer, now.limited, files=files, looked_at=looked_at)
        crowded = {need: now.limited[need] for need in new.crowded - propagation.limited.keys()}
        gone -= self.dead
        unmade = passers.unmade(gone, files) if gone else set()
        self.arguments |= unpassed.keys()
        self.withheld |= {argument for argument, handing in unpassed.items() if handing}
        self._handing.update(*unpassed.values())
        self.dead |= unmade
        self._note_limits(freed, crowded)
        return bool(unpassed or unmade or freed or crowded)

    def _note_limits(
        self,
        freed: Mapping[ParameterKey, Values],
        crowded: Mapping[ParameterKey, Mapping[int, int]],
    ) -> None:
        """Note parameters for which too much is passed no more, or is now; one that was noted the
        other way before is as it was before the edit.
        """
        self._limited_otherwise |= freed.keys() | crowded.keys()
        before = self.freed.keys() | self.crowded.keys()
        for need, values in freed.items():
            self.crowded.pop(need, None)
            if need not in before:
                self.freed[need] = values
        for need, passers in crowded.items():
            self.freed.pop(need, None)
            if need not in before:
                self.crowded[need] = passers

    def _compared(
        self,
        new: ProgramVersion,
        files: Set[int],
        *,
        renumbering: Renumbering,
        states: Sequence[PropagationState],
    ) -> tuple[set[Argument], set[ParameterKey], set[int]]:
        """The arguments that files pass no more, the parameters for which they passed what is gone
        itself, and the classes that they do not make any more.
        """
        gone: set[int] = set()
        made: set[int] = set()
        lost: dict[int, set[Argument]] = {}
        fewer: set[ParameterKey] = set()
        for key in files:
            one = self._old.reach_of(key)
            other = new.reach_of(key)
            fewer |= passed_what_is_gone(one, renumbering=renumbering)
            gone |= renumbering.numbers(one.passed.made | one.named)
            made |= other.passed.made | other.named
            reason = find_loss(one, other, renumbering=renumbering)
            if reason:
                unit = (new if key in new.program.units else self._old).program.units[key]
                raise LostElsewhereError(f"{unit.file.path}: {reason}")
            lost[key] = lost_arguments(one, other, renumbering=renumbering)
            self.told_apart |= {
                need
                for need in made_otherwise(one, other, renumbering=renumbering)
                if any(has_several(state.shown.get(need, ())) for state in states)
            }
        unchanged = {key: some for key, some in lost.items() if some and key not in self._changed}
        if unchanged:
            check_still_handed_on(
                *(self._old, new),
                lost=unchanged,
                gone=self.arguments,
                state=self._before.state,
                renumbering=renumbering,
            )
        return set[Argument]().union(*lost.values()), fewer, gone - made
