"""Incremental relinking: find the functions that an edit can affect, and relink only these.

The whole-program phases are not run again: their results from before the edit are restored into two
programs, one with the old and one with the new versions of the changed files, which are then
compared. The functions to relink are found in steps, up to a fixpoint (`linked_parts`):

- functions whose text changed, and the text of changed files outside functions;
- functions that name something that was added or removed (`naming_files`);
- functions that refer to a definition or variable whose parameters, results or values changed
  (`visible_values`);
- functions with parameters whose points-to sets grew because of any of these;
- functions that see changed bases of a class (`other_bases`) or may dispatch to different members,
  and files affected by changed framework registrations (`altered_files`).

Arguments and instantiations that an edit removed are retracted, unless other files support them
(`retractions`); where that cannot be decided, nothing is relinked. The references of the affected
files are resolved in both programs, and the old rows are returned with the new ones: a caller that
finds them different from those of a build knows that these files cannot be relinked alone, since
their references depend on the order of evaluation.
"""

import logging
from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Set
from functools import cache

from mu.resolve.emit.nodes import NodeNames
from mu.resolve.incremental.altered_attributes import AlteredAttributes
from mu.resolve.incremental.altered_classes.operation_members import files_asking
from mu.resolve.incremental.altered_classes.other_bases import (
    NO_MRO_CHANGES,
    MroChanges,
    find_mro_changes,
)
from mu.resolve.incremental.altered_files import AlteredFiles, files_forwarding
from mu.resolve.incremental.arguments.limit_checks import (
    check_first_forwarded,
    check_forwarding_to_new_signatures,
    omitted_arguments,
)
from mu.resolve.incremental.arguments.program_contributions import Spending
from mu.resolve.incremental.arguments.retractions import Retractions
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.kept_text import grown_functions
from mu.resolve.incremental.comparison.linked_parts import (
    Functions,
    LinkedParts,
    joined_functions,
)
from mu.resolve.incremental.comparison.name_uses import FileFinder
from mu.resolve.incremental.file_set import (
    ChangeWithoutNodeError,
    NeedsBuildError,
    OtherForwardingError,
    add_all,
    importers_of,
)
from mu.resolve.incremental.naming_files import NamingFiles
from mu.resolve.incremental.program_version import ProgramVersion, Relinked, more_limits
from mu.resolve.incremental.renumbering import (
    Renumbering,
    with_other_limits,
    without,
    without_passers,
)
from mu.resolve.incremental.state_match import contributes_same
from mu.resolve.incremental.visible_values import AlteredValues, VisibleValues
from mu.resolve.limits import (
    DERIVATION_SHARE,
    FEWEST_RELINKED_FILES,
    MOST_RELINKED_IN_ALL,
    MOST_RELINKED_SHARE,
    MOST_RELINKING_STEPS,
    SET_UP_SHARE,
)
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import WholeProgramState

_logger = logging.getLogger(__name__)


def relink(
    old: ProgramVersion,
    after: ProgramText,
    *,
    changed: Sequence[int],
    state: WholeProgramState,
    find: FileFinder,
) -> Relinked:
    """Relink what a change of some files, by key, can affect; all other rows stay as they were.

    `old` is the program before the edit, with its whole-program facts restored from `state`; it can
    be used only once. Files that only one of the programs has were added or removed. Raises
    NeedsBuildError where all files would have to be linked.
    """
    other, whole = {*changed} | (old.program.files.keys() ^ after.facts.keys()), set[int]()
    work, forwarding = _Work(), set[int]()
    while True:
        outlines = {key: one for key, one in state.outlines.items() if key not in other | whole}
        text = after._replace(outlines=outlines)
        try:
            one = _Relinking(old, text, other | whole, find, whole, work=work)
            return one.relinked(state, forwarding)
        except KeyError as error:
            raise NeedsBuildError("something that is gone is known elsewhere") from error
        except ChangeWithoutNodeError as error:
            if error.files <= whole:
                raise
            whole |= error.files
        except OtherForwardingError as error:
            if error.functions <= forwarding:
                raise
            forwarding |= error.functions


_Change = tuple[Mapping[int, FileDifference], Renumbering]
"""The externally visible difference of each changed file, and the numbers of old definitions in the
new program.
"""

_NOTHING: frozenset[int] = frozenset()


class _Work:
    """The cost of relinking so far, in shares of the program."""

    def __init__(self) -> None:
        self._shares = 0.0

    def add(self, share: float, *, files: int) -> None:
        """Add the cost of a step that concerns a number of files.

        Raises NeedsBuildError where linking all files would be cheaper.
        """
        self._shares += share
        if files > FEWEST_RELINKED_FILES and self._shares > MOST_RELINKED_IN_ALL:
            raise NeedsBuildError(f"{files} files may be altered again and again")


class _Relinking:
    """The search for the functions to link, and their linking."""

    def __init__(
        self,
        old: ProgramVersion,
        text: ProgramText,
        changed: Set[int],
        find: FileFinder,
        whole: Set[int],
        *,
        work: _Work,
    ) -> None:
        """Files in `whole` count as changed altogether: their definitions are not paired."""
        self._old = old
        self._text = text
        self._changed = sorted(changed)
        self._find = find
        self._naming = NamingFiles(old, text, changed=self._changed, whole=whole, find=find)
        self._uses = self._naming.uses
        self._names: Mapping[int, NodeNames] = {}  # of nodes, in unchanged files
        self._lost: Retractions  # what files no longer pass or instantiate
        self._work = work
        self._taken_up: frozenset[int] = frozenset()  # files propagated first in the new program
        self._others = NO_MRO_CHANGES
        self._altered_values = AlteredValues()
        self._rebased: set[int] = set()  # classes with changed bases, by old number
        self._compared: dict[tuple[int, frozenset[int]], set[int] | None] = {}  # changed nodes
        self._orders: Callable[[frozenset[int]], MroChanges]  # changed MROs, by `_rebased`
        self._seeing: dict[frozenset[int], Functions] = {}  # affected functions, by `_rebased`
        self._parts = LinkedParts(old, changed=self._changed, find=find)

    def relinked(self, state: WholeProgramState, forwarding: Set[int]) -> Relinked:
        """Relink the affected functions, given the whole-program facts from before the edit, and
        all that call the functions `forwarding`.

        With functions kept, KeyError has whole files linked instead.
        """
        self._lost = Retractions(
            *(self._old, state),
            changed=self._changed,
            forwarding=forwarding,
            find=lambda ids, names: self._find.users(ids) | self._uses.of(names),
            spend=Spending(
                lambda new, files: self._spend(new, files, part=DERIVATION_SHARE), self._work.add
            ),
        )
        self._names = {k: one for k, one in state.names.items() if k in self._text.outlines}
        new = self._set_up()
        differences = self._naming.differences(new.program)
        self._lost.note_early_readers(new, differences)
        files = {*self._changed} | self._naming.of(new, differences)
        forwarder_files = files_forwarding(
            *(self._old, state.propagation),
            differences=differences,
            forwarding=forwarding,
            find=self._find,
        )
        self._parts.compare(
            *(new, files | forwarder_files),
            differences=differences,
            named=(self._naming.names, self._naming.unresolved),
            but=self._naming.whole | self._naming.altered | forwarder_files,
        )
        files |= forwarder_files
        self._check_size(new.program, files)
        # The first step would find these as well, and make a second one necessary.
        self._link_more(new, self._parts.referring_to_changed(differences), files=files)
        self._rebased = {
            self._old.program.first_of[key] + local
            for key, difference in differences.items()
            for local in difference.rebased
        } | self._naming.operations.rebased
        try:
            return self._resumed(new, {*files}, differences, state)
        except KeyError as error:
            if not self._parts.kept:
                raise
            _logger.debug("files are linked as a whole: %s", error)
        new = self._set_up()
        self._parts.link_whole(new)
        self._check_size(new.program, files)
        return self._resumed(new, {*files}, differences, state)

    def _resumed(
        self,
        new: ProgramVersion,
        files: set[int],
        differences: Mapping[int, FileDifference],
        state: WholeProgramState,
    ) -> Relinked:
        """Link the files, and all that they affect, from the facts found before the edit.

        Raises NeedsBuildError if no fixpoint is reached in `MOST_RELINKING_STEPS`.
        """
        change, left = self._take_up(new, files, differences, state)
        for _ in range(MOST_RELINKING_STEPS):
            renumbering = change[1]
            self._old.register_like(new, state, files=files)
            rebased = {*self._rebased}
            were_values_lost = self._may_values_be_lost
            is_less = self._find_lost(new, files, renumbering, left)
            more = self._add_altered(new, files, change, state)
            if self._may_values_be_lost and not (more or is_less or were_values_lost):
                is_less = self._find_lost(new, files, renumbering, left)
            if not more and not is_less and self._lost.withheld:
                self._link_more(new, dict.fromkeys(self._lost.stop_withholding()), files=files)
                is_less = True
            if not more and not is_less:
                before = state.propagation
                for check in (check_forwarding_to_new_signatures, check_first_forwarded):
                    check(self._old, new, renumbering=renumbering, files=files, state=before)
                self._lost.check_early_readers(new, files, change=change, moved=left)
                return self._link(new, sorted(files), before.relinked)
            is_same = not is_less and rebased == self._rebased and more.isdisjoint(differences)
            left_out = self._left_out(renumbering, files, state)
            if is_same and self._are_known(new, more, left_out, renumbering):
                new.resume_registrations(left, files)
                continue
            new = self._set_up()
            change, left = self._take_up(new, files, differences, state)
        raise NeedsBuildError("files are altered by one another, too many times")

    def _find_lost(
        self,
        new: ProgramVersion,
        files: set[int],
        renumbering: Renumbering,
        left: WholeProgramState,
    ) -> bool:
        """Retract what the files pass no more; return whether that is anything new."""
        is_less = self._lost.find_more(
            *(new, files),
            renumbering=renumbering,
            moved=left,
            looked_at=self._taken_up,
            are_values_lost=self._may_values_be_lost,
        )
        new.grown |= renumbering.less | self._lost.grown
        return is_less

    @property
    def _may_values_be_lost(self) -> bool:
        """True if functions may read less than before from attributes, variables or results."""
        return bool(self._rebased) or self._altered_values.is_any

    def _add_altered(
        self, new: ProgramVersion, files: set[int], change: "_Change", state: WholeProgramState
    ) -> set[int]:
        """Add what the files affect, transitively, as far as the new program shows it; return the
        files of which more is linked now.
        """
        added: set[int] = set()
        while more := self._link_more(new, self._altered(new, files, change, state), files=files):
            added |= more
        return added

    def _link_more(self, new: ProgramVersion, functions: Functions, *, files: set[int]) -> set[int]:
        """Add functions to those to link; return the files of which more is linked now."""
        there = self._text.facts.keys()  # no documents, which may refer to the same nodes
        functions = {key: functions[key] for key in functions.keys() & there}
        more = self._parts.add(functions, linked=files)
        if more:
            files |= more
            self._parts.leave_out(new)
            self._check_size(new.program, files)
        return more

    def _take_up(
        self,
        new: ProgramVersion,
        files: set[int],
        differences: Mapping[int, FileDifference],
        state: WholeProgramState,
    ) -> tuple["_Change", WholeProgramState]:
        """Restore the old state in the new program, without what is gone, and propagate the calls
        of some files; return the change and the restored state.

        Functions with parameters that grow are added to those to link.
        """
        self._parts.leave_out(new)
        kept = {key: one for key, one in self._parts.kept.items() if key in differences}
        both, library = (self._old.program, new.program), state.library_modules
        renumbering = Renumbering(*both, differences, kept=kept, library=library)
        self._forget_answers(new, renumbering)
        lost = self._lost
        left = without(renumbering.state(state), lost.arguments, classes=lost.dead)
        left = with_other_limits(
            without_passers(left, files), lost.freed, newly_over_limit=lost.newly_over_limit
        )

        def more(grown: Set[ParameterKey]) -> Set[Argument] | None:
            found = grown_functions(new.program, grown, kept=self._parts.kept).functions
            if not self._link_more(new, self._parts.holding(found), files=files):
                return None
            return self._left_out(renumbering, files, state)

        self._spend(new, files)
        left_out = self._left_out(renumbering, files, state)
        self._taken_up = frozenset(files)
        new.resume(left, files, left_out=left_out, more=more)
        return (differences, renumbering), left

    def _left_out(
        self, renumbering: Renumbering, files: set[int], state: WholeProgramState
    ) -> set[Argument]:
        """Return the arguments that are ignored though the files pass them."""
        before, freed = state.propagation, self._lost.freed.keys()
        found = omitted_arguments(self._old, renumbering, files=files, state=before, freed=freed)
        return found | self._lost.withheld

    def _are_known(
        self,
        new: ProgramVersion,
        files: Set[int],
        left_out: Set[Argument],
        renumbering: Renumbering,
    ) -> bool:
        """Return whether files add nothing to the whole-program facts of the new program, so that
        its cached answers remain valid.
        """
        return all(
            new.knows(key, left_out)
            and contributes_same(
                self._old.contribution_of(key), new.contribution_of(key), renumbering=renumbering
            )
            for key in files
        )

    def _set_up(self) -> ProgramVersion:
        version = ProgramVersion(self._text, self._names)
        version.linker.count_like(self._old.linker, but={*self._changed})
        return version

    def _spend(self, new: ProgramVersion, files: Set[int], *, part: float = 1.0) -> None:
        """Count the work of setting up a program and linking some files, or a part of this work."""
        share = self._parts.share_of_all(new.program, files)
        self._work.add(part * (share + SET_UP_SHARE), files=len(files))

    def _check_size(self, program: Program, files: set[int]) -> None:
        """Raise NeedsBuildError if linking all files would be cheaper than linking some."""
        share = self._parts.share_of_all(program, files)
        if len(files) > FEWEST_RELINKED_FILES and share > MOST_RELINKED_SHARE:
            raise NeedsBuildError(f"{len(files)} files may be altered")

    def _altered(
        self, new: ProgramVersion, files: set[int], change: "_Change", state: WholeProgramState
    ) -> Functions:
        """Return the functions that the files linked so far may affect."""
        differences, renumbering = change
        grown = grown_functions(new.program, new.grown, kept=self._parts.kept)
        altered = AlteredFiles(self._old, new, change, find=self._find, parts=self._parts)
        others = self._orders(frozenset(self._rebased))
        asked = (self._old.program, self._old.linker), (new.program, new.linker)
        values = VisibleValues(*asked, renumbering, others)
        attributes = AlteredAttributes(
            *(self._old, new, change), parts=self._parts, are_same=values.are_same
        )
        nodes = self._differing_nodes(new, files, differences, values, linked=grown.linked)
        if not values.rebased <= self._rebased:
            self._rebased |= values.rebased
            self._compared.clear()
            return self._altered(new, files, change, state)
        self._others, rebased = others, frozenset(self._rebased)
        whole, node = altered.by(files, others), self._old.linker.nodes.node
        if rebased and rebased not in self._seeing:
            self._seeing[rebased] = altered.seeing(others, state.propagation.points_to)
        found = self._altered_values
        found.add(values)
        add_all(found.stored, attributes.changed_stores())
        add_all(found.apart, attributes.set_by_parameters(self._lost.per_class_changes))
        add_all(found.patched, attributes.set_in_modules())
        whole |= importers_of(new.program, found.wholes) | files_asking(self._old, values.held)
        for name in self._parts.untold(map(node, nodes)):
            raise NeedsBuildError(f"{name} is called where nothing names it")
        return joined_functions(
            dict.fromkeys(whole),
            altered.running_others(),
            self._seeing.get(rebased, {}),
            attributes.readers(found.stored, apart=found.apart, uses=self._uses),
            self._parts.seeing(map(node, nodes)),
            self._parts.naming(found.keys, self._uses.with_strings(found.keys)),
            self._parts.naming(found.fields, self._uses.taking(found.fields)),
            self._parts.naming(found.overloads, self._uses.of(found.overloads)),
            self._parts.holding(grown.functions),
            *(self._parts.naming({name}, above) for name, above in found.above.items()),
            *self._reading_patched(new),
        )

    def _differing_nodes(
        self,
        new: ProgramVersion,
        files: Set[int],
        differences: Mapping[int, FileDifference],
        values: VisibleValues,
        *,
        linked: Container[int],
    ) -> set[int]:
        """Return the nodes of some files whose values differ in the new program.

        Kept functions are not compared, except in the files that are `linked`: those with functions
        to link whose parameters grew. Raises ChangeWithoutNodeError where what differs has no node.
        """
        nodes: set[int] = set()
        without_parts: set[int] = set()
        for key in files & self._old.program.units.keys() & new.program.units.keys():
            is_kept = key in self._parts.kept and key not in linked
            kept = self._parts.kept[key].before if is_kept else _NOTHING
            if (key, kept) not in self._compared:
                difference = differences.get(key)
                self._compared[key, kept] = values.changed(key, difference, kept=kept)
            found = self._compared[key, kept]
            if found is None:
                without_parts.add(key)
            else:
                nodes |= found
        if without_parts:
            raise ChangeWithoutNodeError(without_parts)
        return nodes

    def _reading_patched(self, new: ProgramVersion) -> Iterator[Functions]:
        """Yield the functions that may read members of modules whose stores changed."""
        for key in new.there(self._altered_values.patched):
            readers = self._naming.readers(
                new.program, key, names=self._altered_values.patched[key]
            )
            for one, names in readers.items():
                yield self._parts.naming(names, (one,))

    def _forget_answers(self, new: ProgramVersion, renumbering: Renumbering) -> None:
        """Clear the caches of comparisons with the previous new program."""
        self._compared.clear()
        self._seeing.clear()
        self._orders = cache(
            lambda rebased: find_mro_changes(
                self._old, new, renumbering=renumbering, rebased=rebased
            )
        )

    def _link(self, new: ProgramVersion, files: Sequence[int], before: Set[int]) -> Relinked:
        """Link the files in both programs; `before` are those relinked by earlier updates.

        Raises NeedsBuildError where linking fails, or where a bound on overrides, depth or
        iterations is reached more or less often.
        """
        links = self._old.link(files), new.link(files)
        more = more_limits(self._old, new, files=files, changed={*self._changed})
        if more.overrides or more.depth or more.rounds:
            raise NeedsBuildError("other bounds are reached")
        if self._old.has_failed or new.has_failed:
            raise NeedsBuildError("linking failed for a file")
        state = new.linker.whole_program.state()
        propagation = state.propagation._replace(relinked=before | {*files})
        state = state._replace(propagation=propagation)
        kept = {key: one.lines for key, one in self._parts.kept.items()}
        return Relinked(*links, state, more, kept, self._others.class_names)
