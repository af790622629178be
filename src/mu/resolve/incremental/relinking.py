"""Relink the files that an edit can alter, and no others, where that is sure to be enough.

The phases over the whole program are not run again: what they found before the edit is taken up.
Two programs are set up around it, with the old and with the new versions of the changed files, and
compared. The files to link are found step by step, until no more come:

- those that changed;
- those in whose text is a name that came or went;
- those that refer to a definition or variable which is something else than before: it takes other
  parameters, gives or holds other things (`visible_values`);
- those with functions that are passed something new by any of these.

What was passed, made or registered and is not any more may be known elsewhere from there: then
nothing is relinked. The references of the files are resolved in both programs. The old rows are
given beside the new ones: a caller that finds them other than those a build made knows that these
files cannot be relinked alone, since their references depend on the order in which they are asked
for.
"""

import logging
from collections.abc import Mapping, Sequence, Set

from mu.model.facts import ScopeKind
from mu.model.graph import Entry
from mu.model.kinds import NodeKind
from mu.resolve.emit.nodes import NodeNames
from mu.resolve.incremental.file_match import FileDifference, find_difference
from mu.resolve.incremental.file_set import (
    AlteredElsewhereError,
    ClassesBelow,
    LostElsewhereError,
    NoPartsError,
    difference_of_all,
    found_otherwise,
    is_named,
    other_names,
    whole_difference,
)
from mu.resolve.incremental.name_uses import FileFinder, NameUses
from mu.resolve.incremental.program_links import ProgramLinks, Relinked
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.reach_match import find_loss, other_supers
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.incremental.state_match import (
    are_made_otherwise,
    files_above,
    live_before,
    live_now,
    other_parameters,
    otherwise_live,
)
from mu.resolve.incremental.visible_values import VisibleValues
from mu.resolve.limits import (
    FEWEST_RELINKED_FILES,
    MOST_RELINKED_SHARE,
    MOST_RELINKING_STEPS,
)
from mu.resolve.program.file_symbols import CONSTRUCTOR
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.solver.parameter_sets import Argument
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
        self._whole = whole
        self._uses = NameUses(text.facts, text.outlines, find.mentioning)
        self._names: Mapping[int, NodeNames] = {}  # of nodes in the files that did not change
        self._reach: dict[int, FileReach] = {}  # of files in the old program
        self._giving: set[int] = set()  # those that came or went and give out names of others

    def relinked(self, state: WholeProgramState) -> Relinked:
        """The links of the files: with what was found of the whole program before or, where
        something that it was found by is gone, with what is found anew.
        """
        self._names = {k: one for k, one in state.names.items() if k in self._text.outlines}
        new = self._set_up()
        differences = self._differences(new.program)
        renumbering = Renumbering(self._old.program, new.program, differences)
        files = {*self._changed} | self._naming(new, differences)
        self._check_size(new.program, files)
        change = differences, renumbering
        try:
            return self._resumed(new, {*files}, change, state)
        except (KeyError, LostElsewhereError) as error:
            _logger.debug("analysed anew: %s", error)
            return self._analysed(files, change, state)

    def _resumed(
        self, new: ProgramVersion, files: set[int], change: "_Change", state: WholeProgramState
    ) -> Relinked:
        """The links of the files, where all that was found before holds still."""
        differences, renumbering = change
        moved = renumbering.state(state)
        for _ in range(MOST_RELINKING_STEPS):
            self._check_size(new.program, files)
            new.resume(moved, files, left_out=self._left_out(files, state, renumbering))
            if new.linker.whole_program.has_registrations:
                self._old.linker.whole_program.register(state)
            self._check_reach(new, files, renumbering)
            more = self._altered(new, files, differences, renumbering)
            if more <= files:
                return self._link(new, sorted(files))
            files |= more
            new = self._set_up()
        raise AlteredElsewhereError("files are altered by one another, too many times")

    def _analysed(self, files: set[int], change: "_Change", state: WholeProgramState) -> Relinked:
        """The links of the files, with what the phases over the whole program find anew."""
        differences, renumbering = change
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
            more = self._altered(new, files, differences, renumbering)
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

    def _differences(self, program: Program) -> dict[int, FileDifference]:
        """What others can see of the changes, by file."""
        found = {}
        possible = self._old.linker.whole_program.registration.possible_in
        for key in self._changed:
            old, new = self._old.program.units.get(key), program.units.get(key)
            only = new if old is None else old if new is None else None
            if only is not None:
                home = program if only is new else self._old.program
                named = is_named(home, key, uses=self._uses)
                found[key] = whole_difference(only, is_new=only is new, is_named=named)
                if named and only.wildcards:
                    self._giving.add(key)
            if old is None or new is None:
                continue
            rows = possible(old), possible(new)
            is_filled, difference = self._old.is_filled, None
            if key not in self._whole:
                difference = find_difference(old, new, rows=rows, is_filled=is_filled)
            if difference is None:
                _logger.debug("%s is compared as a whole", new.file.path)
                named = self._is_used(program, key)
                difference = difference_of_all(old, new, is_named=named)
            found[key] = difference
        return found

    def _is_used(self, program: Program, key: int) -> bool:
        """Whether another file may name, or refers to, anything in a file of both programs."""
        if any(is_named(one, key, uses=self._uses) for one in (self._old.program, program)):
            return True
        return bool(self._find.users([node.id for node in self._old.nodes_of(key)]) - {key})

    def _naming(self, new: ProgramVersion, differences: Mapping[int, FileDifference]) -> set[int]:
        """The files that name what came or went, by their own names or by those of imports."""
        files: set[int] = set()
        program, gone = new.program, set[str]()
        if self._old.program.files.keys() != program.files.keys():
            files |= found_otherwise(self._old.program, program)
        for key, difference in differences.items():
            is_in_both = key in self._old.program.units and key in program.units
            unit = (program if key in program.units else self._old.program).units[key]
            nodes = self._other_nodes(new, key)
            names = difference.names | self._made_otherwise(program, key, difference)
            if is_in_both:
                names |= {name for name, is_seen in nodes.items() if is_seen}
            modules = {*unit.finder.name_of(key).split(".")[-1:]}
            gone |= names
            used = self._uses.of(names - {*unit.calls.constructors}, is_meant=not is_in_both)
            if key in self._giving and used - {key}:
                raise AlteredElsewhereError(f"{unit.file.path} gives out names of others")
            files |= used | self._find.open(names | nodes.keys())
            files |= {
                one
                for one in self._uses.of_both(difference.imported - names, modules)
                if program.rules_of(one) is unit.rules
            }
            if difference.imported and unit.finder.is_package(key):
                folder = unit.file.path.rpartition("/")[0]
                files |= {
                    one
                    for one in self._uses.of(difference.imported)
                    if program.files[one].path.startswith(f"{folder}/")
                }
        while True:
            named = other_names((program.units[key] for key in new.there(files)), gone) - gone
            if not named:
                return files & self._text.facts.keys()
            gone |= named
            files |= self._uses.of(named, is_meant=True)

    def _made_otherwise(self, program: Program, key: int, difference: FileDifference) -> set[str]:
        """The names of the classes whose constructors came or went.

        Raises AlteredElsewhereError where the language calls a method that came or went by itself.
        """
        names: set[str] = set()
        for one, paired in (
            (self._old.program, difference.numbers.keys()),
            (program, {*difference.numbers.values()}),
        ):
            unit = one.units.get(key)
            if unit is None:
                continue
            for local, row in enumerate(unit.facts.definitions):
                home = unit.scopes[row.scope].definition
                if local in paired or unit.scopes[row.scope].kind != ScopeKind.CLASS:
                    continue
                is_new_class = home not in paired and not unit.facts.definitions[home].bases
                if row.name in unit.calls.constructors or row.subkind == CONSTRUCTOR:
                    names |= self._classes_below(one, unit.first + home)
                elif not is_new_class and row.name and unit.rules.is_called_implicitly(row.name):
                    raise AlteredElsewhereError(f"{row.name} is called where nothing names it")
        return names

    def _classes_below(self, program: Program, number: int) -> set[str]:
        """The names of a class and of those that extended it before."""
        names = {program.definitions[number].name}
        if program is self._old.program:
            hierarchy = self._old.linker.evaluator.hierarchy
            below = hierarchy.descendants(number)
            names.update(program.definitions[one].name for one in below)
        return names

    def _other_nodes(self, new: ProgramVersion, key: int) -> dict[str, bool]:
        """The names of the nodes that a file has in one program alone, and whether one is seen
        outside of the function that it is defined in.
        """
        before, after = self._old.nodes_of(key), new.nodes_of(key)
        both = {row.id for row in before} & {row.id for row in after}
        found: dict[str, bool] = {}
        for rows in (before, after):
            inner = {row.key for row in rows if row.kind == NodeKind.FUNCTION}
            for row in rows:
                if row.id not in both:
                    found[row.name] = found.get(row.name, False) or row.parent not in inner
        return found

    def _check_reach(self, new: ProgramVersion, files: set[int], renumbering: Renumbering) -> None:
        """Make sure that what the files passed, made and registered before is so still.

        What is not any more might be known elsewhere from there.
        """
        gone: set[int] = set()
        made: set[int] = set()
        for key in files:
            one = self._reach_before(key)
            other = new.reach_of(key)
            gone |= renumbering.numbers(one.passed.made | one.named)
            made |= other.passed.made | other.named
            reason = find_loss(one, other, renumbering=renumbering)
            if reason:
                unit = (new if key in new.program.units else self._old).program.units[key]
                raise LostElsewhereError(f"{unit.file.path}: {reason}")
        if any(new.asks_more(key) for key in self._changed):
            raise LostElsewhereError("operations may pass arguments to a method that had none")
        if gone - made:
            raise LostElsewhereError("a class may have no instances any more")
        if len(self._old.crowded) != len(new.crowded):
            raise LostElsewhereError("other parameters are passed too many things")

    def _altered(
        self,
        new: ProgramVersion,
        files: set[int],
        differences: Mapping[int, FileDifference],
        renumbering: Renumbering,
    ) -> set[int]:
        """The files that may be altered by what those linked so far say."""
        definitions = new.program.unit_of
        more = {definitions[number].file.key for number, _ in new.grown if number >= 0}
        values = VisibleValues(
            (self._old.program, self._old.linker), (new.program, new.linker), renumbering
        )
        nodes: set[int] = set()
        for key in files & self._old.program.units.keys() & new.program.units.keys():
            found = values.changed(key, differences.get(key))
            if found is None:
                raise NoPartsError(key)
            nodes |= found
        ids = [self._old.linker.nodes.node(node).id for node in nodes]
        more |= self._find.users(ids) if ids else set()
        names = self._stored(new, differences) | otherwise_live(
            self._old, new, renumbering=renumbering
        )
        more |= self._uses.of(names)
        more |= files_above(new, self._asking_otherwise(new, files, renumbering))
        more |= self._registered_otherwise(new, files)
        below = self._classes_below_others(new, differences, renumbering)
        more |= below.files | (self._find.callers(below.callers) if below.callers else set())
        more |= self._find.users(below.used) if below.used else set()
        more |= {one for key in new.there(files) for one in new.linker.nodes.homes_of(key)}
        more |= self._find.sharing(files & self._old.program.files.keys())
        more |= new.extended_in(files)
        return more & self._text.facts.keys()  # without documents, which name the same node

    def _classes_below_others(
        self,
        new: ProgramVersion,
        differences: Mapping[int, FileDifference],
        renumbering: Renumbering,
    ) -> ClassesBelow:
        """What the classes alter that came, went, or may have instances now."""
        found = ClassesBelow()
        self._note_shapes(new, differences, renumbering, found)
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
        self,
        new: ProgramVersion,
        differences: Mapping[int, FileDifference],
        renumbering: Renumbering,
        found: ClassesBelow,
    ) -> None:
        """Note the members of classes with a method of a name that came, went or says something
        else, where others are of their shape now.
        """
        names = {name for difference in differences.values() for name in difference.names}
        for key in self._old.there(differences):
            rows = self._old.program.units[key].facts.definitions
            names |= {rows[local].name for local in differences[key].changed}
        old, hierarchy = self._old.linker.evaluator.hierarchy, new.linker.evaluator.hierarchy
        asking = {number for name in names for number in old.defining(name)}
        for number in asking:
            if not renumbering.is_left(number):
                continue
            before = renumbering.numbers({*old.descendants(number)})
            after = {*hierarchy.descendants(renumbering.number(number))}
            if {one for one in after if not renumbering.is_new(one)} != before:
                found.note_members(self._old.program, self._old.linker, number=number)

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
        return Relinked(*links, state, self._unmet(*links), len(new.crowded))

    def _unmet(self, before: ProgramLinks, after: ProgramLinks) -> set[str]:
        """The nodes outside the repository that no file leads to any more, as no other one has
        their names; operations lead to what is not named.
        """
        met = {node.id for node in after.nodes.outside()}
        return {
            node.id
            for node in before.nodes.outside()
            if node.id not in met
            and not any(_is_unnamed(rules, node.name) for rules in self._old.program.rules)
            and self._uses.of({node.name}, is_meant=True) <= after.files.keys()
        }


def _is_unnamed(rules: LanguageRules, name: str) -> bool:
    """Whether what has a name may be called where nothing names it."""
    return name in rules.calls.constructors or rules.is_called_implicitly(name)
