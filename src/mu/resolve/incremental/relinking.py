"""Relink the functions that an edit can alter, and no others, where that is sure to be enough.

The phases over the whole program are not run again: what they found before the edit is taken up.
Two programs are set up around it, with the old and with the new versions of the changed files, and
compared. What to link is found step by step, until no more comes (`linked_parts`):

- functions whose text changed, and text outside of functions in files that changed;
- functions with a name in their text that came or went (`naming_files`);
- functions that refer to a definition or variable which is something else than before: it takes
  other parameters, gives or holds other things (`visible_values`);
- functions that are passed something new by any of these;
- all of a file that sees that a class extends something else (`other_bases`), that calls run other
  members, or that frameworks are told something else (`altered_files`).

What was passed or made and is not any more may be passed by others, or be known from there alone
(`lost_reach`); where that cannot be told, nothing is relinked. The references of the files are
resolved in both programs. The old rows are given beside the new ones: a caller that finds them
other than those a build made knows that these files cannot be relinked alone, since their
references depend on the order in which they are asked for.
"""

import logging
from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Set
from functools import cache

from mu.resolve.emit.nodes import NodeNames
from mu.resolve.incremental.altered_attributes import AlteredAttributes
from mu.resolve.incremental.altered_classes.operation_members import files_asking
from mu.resolve.incremental.altered_classes.other_bases import (
    NO_OTHER_ORDERS,
    OtherOrders,
    other_orders,
)
from mu.resolve.incremental.altered_files import AlteredFiles
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.kept_text import grown_functions
from mu.resolve.incremental.comparison.linked_parts import (
    Functions,
    LinkedParts,
    joined_functions,
)
from mu.resolve.incremental.comparison.name_uses import FileFinder
from mu.resolve.incremental.file_set import (
    AlteredElsewhereError,
    LostElsewhereError,
    NoPartsError,
    add_all,
    importers_of,
)
from mu.resolve.incremental.lost_reach import LostReach
from mu.resolve.incremental.naming_files import NamingFiles
from mu.resolve.incremental.other_passers import handing_on_to
from mu.resolve.incremental.program_version import ProgramVersion, Relinked, more_limits
from mu.resolve.incremental.renumbering import (
    Renumbering,
    with_other_limits,
    without,
    without_passers,
)
from mu.resolve.incremental.state_match import adds_same
from mu.resolve.incremental.unfollowed_arguments import (
    check_early_arguments,
    check_first_arguments,
    left_out_arguments,
)
from mu.resolve.incremental.visible_values import Stored, VisibleValues
from mu.resolve.limits import (
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
    """Relink the files that a change of some files, by key, can alter; the others are as they were.

    `old` is the program before, which took up `state`, what was found of it; it serves once.
    The files of one program that are not in the other were added or removed. Raises
    AlteredElsewhereError where all files would have to be linked.
    """
    other, whole = {*changed} | (old.program.files.keys() ^ after.facts.keys()), set[int]()
    work = _Work()
    while True:
        outlines = {key: one for key, one in state.outlines.items() if key not in other | whole}
        text = after._replace(outlines=outlines)
        try:
            return _Relinking(old, text, other | whole, find, whole, work=work).relinked(state)
        except KeyError as error:
            raise AlteredElsewhereError("something that is gone is known elsewhere") from error
        except NoPartsError as error:
            if error.files <= whole:
                raise
            whole |= error.files


_Change = tuple[Mapping[int, FileDifference], Renumbering]
"""What others can see of the changes, by file, and what is what in the new program."""

_NOTHING: frozenset[int] = frozenset()


class _Work:
    """What linking files again has cost so far, in shares of the program."""

    def __init__(self) -> None:
        self._shares = 0.0

    def add(self, share: float, *, files: int) -> None:
        """Count that a share of the program, in so many files, is linked in one set up anew.

        Raises AlteredElsewhereError where it would be cheaper to link all.
        """
        self._shares += share + SET_UP_SHARE
        if files > FEWEST_RELINKED_FILES and self._shares > MOST_RELINKED_IN_ALL:
            raise AlteredElsewhereError(f"{files} files may be altered again and again")


class _Relinking:
    """Finds the files to link, and links them."""

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
        """The files in `whole` are compared as such, and not by what is in them."""
        self._old = old
        self._text = text
        self._changed = sorted(changed)
        self._find = find
        self._naming = NamingFiles(old, text, changed=self._changed, whole=whole, find=find)
        self._uses = self._naming.uses
        self._names: Mapping[int, NodeNames] = {}  # of nodes in the files that did not change
        self._lost: LostReach  # what files add no more
        self._work = work
        self._taken_up: frozenset[int] = frozenset()  # the files that the new program looked at
        self._others = NO_OTHER_ORDERS
        self._fields: set[str] = set()  # names of members that are something else
        self._stored: Stored = {}  # attributes that are set otherwise
        self._apart: Stored = {}  # those told apart by classes otherwise, or of objects in place
        self._patched: dict[int, set[str]] = {}  # what is set otherwise in modules, by file
        self._above: dict[str, set[int]] = {}  # files of classes above, by other members
        self._wholes: set[int] = set()  # modules that give out one thing, another one now
        self._keys: set[str] = set()  # those of them that stand at keys
        self._overloads: set[str] = set()  # by which calls choose among other functions
        self._rebased: set[int] = set()  # classes with other bases, as the old program has them
        self._compared: dict[tuple[int, frozenset[int]], set[int] | None] = {}  # nodes that differ
        self._orders: Callable[[frozenset[int]], OtherOrders]  # by the classes with other bases
        self._seeing: dict[frozenset[int], Functions] = {}  # those that see these, likewise
        self._parts = LinkedParts(old, changed=self._changed, find=find)

    def relinked(self, state: WholeProgramState) -> Relinked:
        """The links of the files, with what was found of the whole program before."""
        self._lost = LostReach(
            *(self._old, state),
            changed=self._changed,
            find=lambda ids, names: self._find.users(ids) | self._uses.of(names),
        )
        self._names = {k: one for k, one in state.names.items() if k in self._text.outlines}
        new = self._set_up()
        differences = self._naming.differences(new.program)
        files = {*self._changed} | self._naming.of(new, differences)
        handing = self._handing_on(differences, state)
        self._parts.compare(
            *(new, files | handing),
            differences=differences,
            named=(self._naming.names, self._naming.open),
            but=self._naming.whole | self._naming.altered | handing,
        )
        files |= handing
        self._check_size(new.program, files)
        self._rebased = {
            self._old.program.first_of[key] + local
            for key, difference in differences.items()
            for local in difference.rebased
        } | self._naming.operations.rebased
        try:
            return self._resumed(new, {*files}, differences, state)
        except (KeyError, LostElsewhereError) as error:
            failure = error
        if self._parts.kept:
            _logger.debug("files are linked as a whole: %s", failure)
            new = self._set_up()
            self._parts.link_whole(new)
            self._check_size(new.program, files)
            return self._resumed(new, {*files}, differences, state)
        raise failure

    def _handing_on(
        self, differences: Mapping[int, FileDifference], state: WholeProgramState
    ) -> set[int]:
        """The files with functions that hand arguments on to those that take others now, and the
        files that call these.
        """
        program, ways = self._old.program, state.propagation.ways
        reset = {
            program.first_of[key] + local
            for key, difference in differences.items()
            for local in difference.reset
        }
        if not reset.isdisjoint(state.propagation.spreading):
            raise AlteredElsewhereError("a function that hands arguments on takes others")
        handing = handing_on_to(reset, ways) if reset else set()
        return {program.file_of(one) for one in handing} | self._find.users(self._old.ids(handing))

    def _resumed(
        self,
        new: ProgramVersion,
        files: set[int],
        differences: Mapping[int, FileDifference],
        state: WholeProgramState,
    ) -> Relinked:
        """The links of the files, where all that was found before holds still."""
        change, left = self._take_up(new, files, differences, state)
        for _ in range(MOST_RELINKING_STEPS):
            renumbering = change[1]
            self._old.register_like(new, state, files=files)
            rebased = {*self._rebased}
            is_less = self._lost.find_more(
                *(new, files), renumbering=renumbering, moved=left, looked_at=self._taken_up
            )
            new.grown |= renumbering.less | self._lost.grown
            more = self._add_altered(new, files, change, state)
            if not more and not is_less and self._lost.withheld:
                self._link_more(new, dict.fromkeys(self._lost.give_back()), files=files)
                is_less = True
            if not more and not is_less:
                before = state.propagation
                for check in (check_early_arguments, check_first_arguments):
                    check(self._old, new, renumbering=renumbering, files=files, state=before)
                return self._link(new, sorted(files), before.relinked)
            is_same = not is_less and rebased == self._rebased and more.isdisjoint(differences)
            left_out = self._left_out(renumbering, files, state)
            if is_same and self._are_known(new, more, left_out, renumbering):
                new.resume_registrations(left, files)
                continue
            new = self._set_up()
            change, left = self._take_up(new, files, differences, state)
        raise AlteredElsewhereError("files are altered by one another, too many times")

    def _add_altered(
        self, new: ProgramVersion, files: set[int], change: "_Change", state: WholeProgramState
    ) -> set[int]:
        """Add to the files to link those that they alter, and that these alter in turn, as far as
        the new program tells; give those of which more is linked now.
        """
        added: set[int] = set()
        while more := self._link_more(new, self._altered(new, files, change, state), files=files):
            added |= more
        return added

    def _link_more(self, new: ProgramVersion, functions: Functions, *, files: set[int]) -> set[int]:
        """Add to the files to link, and to what is linked of them; give those of which more is
        linked now.
        """
        there = self._text.facts.keys()  # without documents, which name the same node
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
        """Have the new program go on from what was found before, without what is gone, with what
        some files add; give what is what there, and what it went on from. Functions that are passed
        more are added to what is linked.
        """
        self._parts.leave_out(new)
        kept = {key: one for key, one in self._parts.kept.items() if key in differences}
        both, library = (self._old.program, new.program), state.library_modules
        renumbering = Renumbering(*both, differences, kept=kept, library=library)
        self._forget_answers(new, renumbering)
        lost = self._lost
        left = without(renumbering.state(state), lost.arguments, classes=lost.dead)
        left = with_other_limits(without_passers(left, files), lost.freed, crowded=lost.crowded)

        def more(grown: Set[ParameterKey]) -> Set[Argument] | None:
            found = grown_functions(new.program, grown, kept=self._parts.kept).functions
            if not self._link_more(new, self._parts.holding(found), files=files):
                return None
            return self._left_out(renumbering, files, state)

        self._work.add(self._parts.share_of_all(new.program, files), files=len(files))
        left_out = self._left_out(renumbering, files, state)
        self._taken_up = frozenset(files)
        new.resume(left, files, left_out=left_out, more=more)
        return (differences, renumbering), left

    def _left_out(
        self, renumbering: Renumbering, files: set[int], state: WholeProgramState
    ) -> set[Argument]:
        """The arguments that files pass and that are not taken of them."""
        before = state.propagation
        found = left_out_arguments(self._old, renumbering, files=files, state=before)
        return found | self._lost.withheld

    def _are_known(
        self,
        new: ProgramVersion,
        files: Set[int],
        left_out: Set[Argument],
        renumbering: Renumbering,
    ) -> bool:
        """Tell whether files add nothing to what is known of the new program, so that what it was
        asked so far stands.
        """
        return all(
            new.knows(key, left_out)
            and adds_same(self._old.reach_of(key), new.reach_of(key), renumbering=renumbering)
            for key in files
        )

    def _set_up(self) -> ProgramVersion:
        version = ProgramVersion(self._text, self._names)
        version.linker.count_like(self._old.linker, but={*self._changed})
        return version

    def _check_size(self, program: Program, files: set[int]) -> None:
        """Make sure that it is cheaper to link some files than all."""
        share = self._parts.share_of_all(program, files)
        if len(files) > FEWEST_RELINKED_FILES and share > MOST_RELINKED_SHARE:
            raise AlteredElsewhereError(f"{len(files)} files may be altered")

    def _altered(
        self, new: ProgramVersion, files: set[int], change: "_Change", state: WholeProgramState
    ) -> Functions:
        """What may be altered by what those linked so far say."""
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
            self._seeing[rebased] = altered.seeing(others, state.propagation.shown)
        self._keys |= values.keys
        self._fields |= values.fields
        self._overloads |= values.overloads
        add_all(self._stored, values.stored)
        add_all(self._stored, attributes.set_otherwise())
        add_all(self._apart, attributes.told_apart(self._lost.told_apart))
        add_all(self._apart, values.in_place)
        self._wholes |= values.wholes
        add_all(self._patched, values.patched)
        add_all(self._patched, attributes.set_in_modules())
        add_all(self._above, values.above)
        whole |= importers_of(new.program, self._wholes) | files_asking(self._old, values.held)
        for name in self._parts.untold(map(node, nodes)):
            raise AlteredElsewhereError(f"{name} is called where nothing names it")
        return joined_functions(
            dict.fromkeys(whole),
            altered.running_others(),
            self._seeing.get(rebased, {}),
            attributes.readers(self._stored, apart=self._apart, uses=self._uses),
            self._parts.seeing(map(node, nodes)),
            self._parts.naming(self._keys, self._uses.told_in(self._keys)),
            self._parts.naming(self._fields, self._uses.taking(self._fields)),
            self._parts.naming(self._overloads, self._uses.of(self._overloads)),
            self._parts.holding(grown.functions),
            *(self._parts.naming({name}, above) for name, above in self._above.items()),
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
        """The nodes of some files that are something else in the new program; of those not `linked`
        as a whole without what is kept of them.

        Raises NoPartsError where something else has no node.
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
            raise NoPartsError(without_parts)
        return nodes

    def _reading_patched(self, new: ProgramVersion) -> Iterator[Functions]:
        """What may read members of modules that are set otherwise from outside."""
        for key in new.there(self._patched):
            readers = self._naming.readers(new.program, key, names=self._patched[key])
            for one, names in readers.items():
                yield self._parts.naming(names, (one,))

    def _forget_answers(self, new: ProgramVersion, renumbering: Renumbering) -> None:
        """Forget what was found out with another new program."""
        self._compared.clear()
        self._seeing.clear()
        self._orders = cache(
            lambda rebased: other_orders(self._old, new, renumbering=renumbering, rebased=rebased)
        )

    def _link(self, new: ProgramVersion, files: Sequence[int], before: Set[int]) -> Relinked:
        """The links of the files; `before` are those that were linked again before that."""
        links = self._old.link(files), new.link(files)
        more = more_limits(self._old, new, files=files, changed={*self._changed})
        if more.overrides or more.depth or more.rounds:
            raise AlteredElsewhereError("other bounds are reached")
        if self._old.has_failed or new.has_failed:
            raise AlteredElsewhereError("linking failed for a file")
        state = new.linker.whole_program.state()
        propagation = state.propagation._replace(relinked=before | {*files})
        state = state._replace(propagation=propagation)
        kept = {key: one.lines for key, one in self._parts.kept.items()}
        return Relinked(*links, state, more, kept, self._others.class_names)
