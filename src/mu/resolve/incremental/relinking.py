"""Relink the files that an edit can alter, and no others, where that is sure to be enough.

The phases over the whole program are not run again: what they found before the edit is taken up.
Two programs are set up around it, with the old and with the new versions of the changed files, and
compared. The files to link are found step by step, until no more come:

- those that changed;
- those in whose text is a name that came or went;
- those that refer to a definition or variable which is something else than before: it takes other
  parameters, gives or holds other things (`visible_values`);
- those that see that a class extends something else (`other_bases`);
- those with functions that are passed something new by any of these.

What was passed, made or registered and is not any more may be known elsewhere from there: then
nothing is relinked. The references of the files are resolved in both programs. The old rows are
given beside the new ones: a caller that finds them other than those a build made knows that these
files cannot be relinked alone, since their references depend on the order in which they are asked
for.
"""

import logging
from collections.abc import Callable, Mapping, Sequence, Set
from functools import cache

from mu.model.graph import Entry
from mu.resolve.abstract_values import CALLABLES
from mu.resolve.emit.nodes import NodeNames
from mu.resolve.incremental.comparison.file_match import FileDifference
from mu.resolve.incremental.comparison.kept_text import KeptText, grown_files, kept_texts
from mu.resolve.incremental.comparison.name_uses import FileFinder
from mu.resolve.incremental.file_set import (
    AlteredElsewhereError,
    ClassesBelow,
    LostElsewhereError,
    NoPartsError,
)
from mu.resolve.incremental.naming_files import NamingFiles
from mu.resolve.incremental.other_bases import NO_OTHER_ORDERS, OtherOrders, other_orders
from mu.resolve.incremental.other_passers import OtherPassers
from mu.resolve.incremental.outside_nodes import met_by_kept, unmet
from mu.resolve.incremental.program_version import ProgramVersion, Relinked
from mu.resolve.incremental.renumbering import Renumbering, without
from mu.resolve.incremental.state_match import (
    are_made_otherwise,
    files_above,
    find_loss,
    live_before,
    live_now,
    lost_arguments,
    other_parameters,
    other_supers,
    otherwise_live,
    passed_what_is_gone,
)
from mu.resolve.incremental.visible_values import VisibleValues
from mu.resolve.limits import (
    FEWEST_RELINKED_FILES,
    MOST_RELINKED_SHARE,
    MOST_RELINKING_STEPS,
)
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import FileReach, WholeProgramState

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

    `old` is the program before (see `resumed`), and `state` what was found of it; it serves once.
    The files of one program that are not in the other were added or removed. Raises
    AlteredElsewhereError where all files would have to be linked.
    """
    other, whole = {*changed} | (old.program.files.keys() ^ after.facts.keys()), set[int]()
    while True:
        outlines = {key: one for key, one in state.outlines.items() if key not in other | whole}
        text = after._replace(outlines=outlines)
        try:
            return _Relinking(old, text, other | whole, find, whole).relinked(state)
        except KeyError as error:
            raise AlteredElsewhereError("something that is gone is known elsewhere") from error
        except NoPartsError as error:
            if error.key in whole:
                raise
            whole.add(error.key)


_Change = tuple[Mapping[int, FileDifference], Renumbering]
"""What others can see of the changes, by file, and what is what in the new program."""

_PATH = Entry._fields.index("path")
_NOTHING: frozenset[int] = frozenset()


class _Relinking:
    """Finds the files to link, and links them."""

    def __init__(
        self,
        old: ProgramVersion,
        text: ProgramText,
        changed: Set[int],
        find: FileFinder,
        whole: Set[int],
    ) -> None:
        """The files in `whole` are compared as such, and not by what is in them."""
        self._old = old
        self._text = text
        self._changed = sorted(changed)
        self._find = find
        self._naming = NamingFiles(old, text, changed=self._changed, whole=whole, find=find)
        self._uses = self._naming.uses
        self._names: Mapping[int, NodeNames] = {}  # of nodes in the files that did not change
        self._reach: dict[int, FileReach] = {}  # of files in the old program
        self._alone: Callable[[], ProgramVersion]  # the old one, nothing known of parameters
        self._lost: set[Argument] = set()  # arguments that nothing passes any more
        self._many: set[ParameterKey] = set()  # parameters that too much is passed for, by less
        self._dead: set[int] = set()  # classes that nothing makes instances of any more
        self._others = NO_OTHER_ORDERS
        self._rebased: set[int] = set()  # classes with other bases, as the old program has them
        self._kept: dict[int, KeptText] = {}  # what is not linked of changed files

    def relinked(self, state: WholeProgramState) -> Relinked:
        """The links of the files: with what was found of the whole program before or, where
        something that it was found by is gone, with what is found anew.
        """
        self._alone = cache(lambda: self._old.alone(state))
        self._names = {k: one for k, one in state.names.items() if k in self._text.outlines}
        new = self._set_up()
        differences = self._naming.differences(new.program)
        files = {*self._changed} | self._naming.of(new, differences)
        self._kept = kept_texts(self._old, new, differences=differences, but=self._naming.whole)
        self._keep_no_more({key for key in self._kept if self._find.sharing({key})})
        self._check_size(new.program, files)
        self._rebased = {
            self._old.program.first_of[key] + local
            for key, difference in differences.items()
            for local in difference.rebased
        }
        if self._kept:
            try:
                return self._resumed(new, {*files}, differences, state)
            except (KeyError, LostElsewhereError) as error:
                _logger.debug("changed files are linked as a whole: %s", error)
                new = self._set_up()
                self._keep_no_more({*self._kept})
        try:
            return self._resumed(new, {*files}, differences, state)
        except (KeyError, LostElsewhereError) as error:
            if self._rebased:  # bounds differ nearly always then, which a build is made for
                raise AlteredElsewhereError(f"bases are others, and {error}") from error
            _logger.debug("analysed anew: %s", error)
            change = differences, Renumbering(self._old.program, new.program, differences)
            return self._analysed(files, change, state)

    def _keep_no_more(self, files: Set[int]) -> None:
        """Have some changed files linked as a whole."""
        for key in files:
            del self._kept[key]
            self._reach.pop(key, None)
        self._old.left_out = {key: one.before for key, one in self._kept.items()}

    def _resumed(
        self,
        new: ProgramVersion,
        files: set[int],
        differences: Mapping[int, FileDifference],
        state: WholeProgramState,
    ) -> Relinked:
        """The links of the files, where all that was found before holds still."""
        for _ in range(MOST_RELINKING_STEPS):
            self._check_size(new.program, files)
            new.left_out = {key: one.after for key, one in self._kept.items()}
            renumbering = Renumbering(self._old.program, new.program, differences, self._kept)
            change = differences, renumbering
            moved = renumbering.state(state)
            left = without(moved, self._lost, classes=self._dead)
            new.resume(left, files, left_out=self._left_out(files, state, renumbering))
            if new.linker.whole_program.has_registrations:
                self._old.linker.whole_program.register(state)
            is_less = self._check_reach(new, files, change, left)
            new.grown |= renumbering.less | {need for need, _ in self._lost}
            more = self._altered(new, files, change, state)
            seeing = more & self._kept.keys()
            if more <= files and not is_less and not seeing:
                return self._link(new, sorted(files))
            files |= more
            self._keep_no_more(seeing)
            new = self._set_up()
        raise AlteredElsewhereError("files are altered by one another, too many times")

    def _analysed(self, files: set[int], change: "_Change", state: WholeProgramState) -> Relinked:
        """The links of the files, with what the phases over the whole program find anew."""
        renumbering = change[1]
        self._old.linker.whole_program.register(state)
        new = ProgramVersion(self._text._replace(outlines={}), {})
        new.analyse(state)
        new.grown = other_parameters(
            state, new.linker.whole_program.state(), renumbering=renumbering
        )
        if are_made_otherwise(self._old, new, renumbering=renumbering, but=new.grown):
            raise AlteredElsewhereError("constructors are called with other arguments")
        while True:
            self._check_size(new.program, files)
            more = self._altered(new, files, change, state)
            if more <= files:
                return self._link(new, sorted(files))
            files |= more

    def _set_up(self) -> ProgramVersion:
        return ProgramVersion(self._text, self._names)

    def _left_out(
        self, files: set[int], state: WholeProgramState, renumbering: Renumbering
    ) -> set[Argument]:
        """The arguments that files passed before, and that parameters were not known to hold."""
        shown = state.propagation.shown
        return {
            (renumbering.need(need), renumbering.identity(value))
            for key in files
            for need, value in self._reach_before(key).passed.arguments
            if renumbering.is_here(need[0])
            and renumbering.is_left_of(value)
            and value not in {known[:2] for known in shown.get(need, ())}
        }

    def _reach_before(self, key: int) -> FileReach:
        found = self._reach.get(key)
        if found is None:
            found = self._reach[key] = self._old.reach_of(key)
        return found

    def _check_size(self, program: Program, files: set[int]) -> None:
        """Make sure that it is cheaper to link some files than all."""
        rows = {key: program.outline(key).expressions for key in program.files}
        share = sum(rows.get(key, 0) for key in files) / sum(rows.values())
        if len(files) > FEWEST_RELINKED_FILES and share > MOST_RELINKED_SHARE:
            raise AlteredElsewhereError(f"{len(files)} files may be altered")

    def _check_reach(
        self,
        new: ProgramVersion,
        files: set[int],
        change: "_Change",
        moved: WholeProgramState,
    ) -> bool:
        """Make sure that what the files passed, made and registered before is so still, or note
        that it is not; True if anything is gone that was not noted before.

        What is not any more might be known elsewhere from there.
        """
        renumbering = change[1]
        gone: set[int] = set()
        made: set[int] = set()
        lost: set[Argument] = set()
        fewer: set[ParameterKey] = set()
        for key in files:
            one = self._reach_before(key)
            other = new.reach_of(key)
            fewer |= passed_what_is_gone(one, renumbering=renumbering)
            gone |= renumbering.numbers(one.passed.made | one.named)
            made |= other.passed.made | other.named
            reason = find_loss(one, other, renumbering=renumbering)
            if reason:
                unit = (new if key in new.program.units else self._old).program.units[key]
                raise LostElsewhereError(f"{unit.file.path}: {reason}")
            lost |= lost_arguments(one, other, renumbering=renumbering)
        if any(new.asks_more(key) for key in self._changed):
            raise LostElsewhereError("operations may pass arguments to a method that had none")
        passers = self._passers(new, files, renumbering, moved)
        propagation = moved.propagation
        fewer |= {need for need, (kind, _) in lost if kind not in CALLABLES}
        fewer = (fewer & propagation.limited) - self._many
        lost = {
            (need, identity)
            for need, identity in lost - self._lost
            if any(one[:2] == identity for one in propagation.shown.get(need, ()))
        }
        if self._kept and (lost or fewer or gone - made):
            raise LostElsewhereError("a file does not pass or make by itself what it did")
        if fewer and not passers.are_too_many(fewer, files):
            raise LostElsewhereError("an argument is passed no more, where too many are")
        self._many |= fewer
        unpassed = passers.unpassed(lost, files) if lost else set()
        if len(self._old.crowded) != len(new.crowded):
            raise LostElsewhereError("other parameters are passed too many things")
        gone -= made | self._dead
        unmade = passers.unmade(gone, files) if gone else set()
        self._lost |= unpassed
        self._dead |= unmade
        return bool(unpassed or unmade)

    def _passers(
        self,
        new: ProgramVersion,
        files: set[int],
        renumbering: Renumbering,
        moved: WholeProgramState,
    ) -> OtherPassers:
        """What finds files that pass by themselves what others pass no more."""
        alone = cache(lambda: new.alone(moved, files))
        return OtherPassers(
            self._old,
            renumbering,
            find=lambda ids, names: self._find.users(ids) | self._uses.of(names),
            before=(self._reach_before, lambda key: self._alone().reach_of(key)),
            after=(new.reach_of, lambda key: alone().reach_of(key)),
        )

    def _altered(
        self, new: ProgramVersion, files: set[int], change: "_Change", state: WholeProgramState
    ) -> set[int]:
        """The files that may be altered by what those linked so far say."""
        differences, renumbering = change
        more, grown = grown_files(new, self._kept)
        others = other_orders(self._old, new, renumbering=renumbering, rebased=self._rebased)
        asked = (self._old.program, self._old.linker), (new.program, new.linker)
        values = VisibleValues(*asked, renumbering, others)
        nodes: set[int] = set()
        for key in files & self._old.program.units.keys() & new.program.units.keys():
            kept = self._kept[key].before if key in self._kept and key not in grown else _NOTHING
            found = values.changed(key, differences.get(key), kept=kept)
            if found is None:
                raise NoPartsError(key)
            nodes |= found
        if not values.rebased <= self._rebased:
            self._rebased |= values.rebased
            return self._altered(new, files, change, state)
        self._others = others
        if self._rebased:
            more |= self._seeing(others)
            more.update(others.files_passed(self._old, state.propagation.shown))
        ids = [self._old.linker.nodes.node(node).id for node in nodes]
        more |= self._find.users(ids) if ids else set()
        names = self._stored(new, differences) | otherwise_live(
            self._old, new, renumbering=renumbering
        )
        more |= self._uses.of(names)
        more |= files_above(new, self._asking_otherwise(new, files, renumbering))
        more |= self._registered_otherwise(new, files)
        below = self._classes_below_others(new, change, others)
        more |= below.files | (self._find.callers(below.callers) if below.callers else set())
        more |= self._find.users(below.used) if below.used else set()
        more |= {
            one for key in new.there(files) for one in new.linker.nodes.homes_of(key) if one != key
        }
        more |= self._find.sharing(files & self._old.program.files.keys())
        more |= new.extended_in(files)
        return more & self._text.facts.keys()  # without documents, which name the same node

    def _seeing(self, others: OtherOrders) -> set[int]:
        """The files that see that classes have other ancestors."""
        find = self._find
        files = {*others.files} | find.users(others.users)
        for key, names in find.referring(others.names, (others.met, others.outside)).items():
            if key not in files and others.are_asked(self._old, key, names=names):
                files.add(key)
        return files | (find.callers(others.callers) if others.callers else set())

    def _classes_below_others(
        self, new: ProgramVersion, change: "_Change", others: OtherOrders
    ) -> ClassesBelow:
        """What the classes alter that came, went, or may have instances now."""
        found, (differences, renumbering) = ClassesBelow(), change
        self._note_shapes(new, change, found, others)
        for one, is_other in (
            (self._old, lambda number: not renumbering.is_left(number)),
            (new, renumbering.is_new),
        ):
            for unit in (one.program.units[key] for key in one.there(differences)):
                for local, row in enumerate(unit.facts.definitions):
                    number = unit.first + local
                    if row.kind == "class" and is_other(number):
                        found.add(one.program, one.linker, number=number, is_other=True)
        for number in live_now(self._old, new, renumbering=renumbering):
            found.add(new.program, new.linker, number=number, is_other=False)
        for number in live_before(self._old, new, renumbering=renumbering):
            found.add(self._old.program, self._old.linker, number=number, is_other=False)
        return found

    def _asking_otherwise(
        self, new: ProgramVersion, files: set[int], renumbering: Renumbering
    ) -> set[int]:
        """The classes in the files that ask other members of those above them than before."""
        found: set[int] = set()
        for key in files:
            found |= other_supers(
                self._reach_before(key), new.reach_of(key), renumbering=renumbering
            )
        return found

    def _registered_otherwise(self, new: ProgramVersion, files: set[int]) -> set[int]:
        """The files in which frameworks run or fill in something else, or have other entry points,
        for what is registered in these files.
        """
        before, after = self._old.entries_elsewhere(files), new.entries_elsewhere(files)
        paths = {row[_PATH] for row in before ^ after}
        other = {key for key, file in new.program.files.items() if file.path in paths}
        telling = self._old.registering | new.registering
        if files.isdisjoint(telling):
            return other
        was, now = self._old.registered(telling), new.registered(telling)
        return other | {key for key in was.keys() | now.keys() if was.get(key) != now.get(key)}

    def _note_shapes(
        self, new: ProgramVersion, change: "_Change", found: ClassesBelow, others: OtherOrders
    ) -> None:
        """Note the members of classes with a method of a name that came, went or says something
        else, where others are of their shape now.
        """
        differences, renumbering = change
        names = {name for difference in differences.values() for name in difference.names}
        for key in self._old.there(differences):
            rows = self._old.program.units[key].facts.definitions
            names |= {rows[local].name for local in differences[key].changed}
        old, hierarchy = self._old.linker.evaluator.hierarchy, new.linker.evaluator.hierarchy
        asking = {number for name in names for number in old.defining(name)}
        asking |= {
            number
            for name in others.names - names
            for number in old.defining(name)
            if self._old.program.is_shape(number)
        }
        for number in asking | others.before:
            if not renumbering.is_left(number):
                continue
            before = renumbering.numbers({*old.descendants(number)})
            after = hierarchy.descendants(renumbering.number(number))
            differing = before ^ {one for one in after if not renumbering.is_new(one)}
            if number in others.above and differing <= others.after:
                continue  # they say so
            if differing:
                found.note_members(self._old.program, self._old.linker, number=number)
                units = new.program.unit_of
                found.files.update(units[one].file.key for one in differing)

    def _stored(self, new: ProgramVersion, differences: Mapping[int, FileDifference]) -> set[str]:
        """The names of attributes that are set otherwise, of what may be of the repository."""
        return {
            name
            for key, difference in differences.items()
            for is_new, row, name in difference.stores
            if (new if is_new else self._old).sets_own(key, row)
        }

    def _link(self, new: ProgramVersion, files: Sequence[int]) -> Relinked:
        links = self._old.link(files), new.link(files)
        before, after = self._old.limits(files), new.limits(files)
        if before._replace(arguments=0) != after._replace(arguments=0):
            raise AlteredElsewhereError("other bounds are reached")
        if self._old.has_failed or new.has_failed:
            raise AlteredElsewhereError("linking failed for a file")
        state = new.linker.whole_program.state()
        found = state.propagation._replace(limited={*new.crowded})
        state = state._replace(propagation=found)
        rules, uses = self._old.program.rules, self._uses
        met = met_by_kept(links, self._kept, rules=rules, uses=uses, find=self._find)
        gone = unmet(*links, rules=rules, uses=uses)
        kept = {key: one.lines for key, one in self._kept.items()}
        rebased = self._others.class_names
        return Relinked(*links, state, gone, len(new.crowded), kept, met, rebased)
