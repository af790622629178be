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

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from mu.errors import MuError
from mu.model.facts import ScopeKind
from mu.model.graph import Edge, Entry, Limits, Node, Site
from mu.resolve.abstract_values import INSTANCES, Place, class_of
from mu.resolve.emit.nodes import NodesOfFile, NodeTable
from mu.resolve.incremental.file_match import FileDifference, find_difference
from mu.resolve.incremental.name_uses import NameUses
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.incremental.visible_values import VisibleValues
from mu.resolve.limits import (
    FEWEST_RELINKED_FILES,
    MOST_RELINKED_SHARE,
    MOST_RELINKING_STEPS,
)
from mu.resolve.pipeline import Linker
from mu.resolve.program.file_symbols import CONSTRUCTOR
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import FileReach, WholeProgramState

FindFiles = Callable[[Iterable[str]], set[int]]
"""Gives files, by key."""


class FileFinder(NamedTuple):
    """Finds files in the graph of the old program: those that refer to any of some nodes, by id;
    and those with a reference by any of some names that means nothing known.
    """

    users: FindFiles
    open: FindFiles


class AlteredElsewhereError(MuError):
    """An edit may alter files in ways that only linking all of them shows."""


class FileLinks(NamedTuple):
    """What linking gives of one file, in its order; the keys are places in `ProgramLinks.nodes`."""

    edges: Sequence[Edge]
    sites: Sequence[Site]
    entries: Sequence[Entry]
    said: NodesOfFile


class ProgramLinks(NamedTuple):
    """What linking gives of some files of a program, by key, and the nodes of all of it."""

    nodes: Sequence[Node]
    files: Mapping[int, FileLinks]


class Relinked(NamedTuple):
    """The links of some files, in the old program and in the new one, and its new state."""

    before: ProgramLinks
    after: ProgramLinks
    state: WholeProgramState


def relink(
    before: ProgramText,
    after: ProgramText,
    *,
    changed: Sequence[int],
    state: WholeProgramState,
    find: FileFinder,
) -> Relinked:
    """Relink the files that a change of some files, by key, can alter; the others are as they were.

    `state` is what the whole program said `before`. Raises AlteredElsewhereError where all files
    would have to be linked.
    """
    old = _Resumed(before)
    old.resume(state)
    try:
        return _Relinking(old, after, changed, find).relinked(state)
    except KeyError as error:
        raise AlteredElsewhereError("something that is gone is known elsewhere") from error


class _Resumed:
    """A program that goes on with what was found of it, or of one that is alike, before."""

    def __init__(self, text: ProgramText, known: NodeTable | None = None) -> None:
        self.program = Program.of(text)
        self.linker = Linker(self.program, known)
        self.grown: set[ParameterKey] = set()  # the parameters that hold more than before

    def resume(
        self,
        state: WholeProgramState,
        files: Iterable[int] = (),
        *,
        left_out: Set[Argument] = frozenset(),
    ) -> None:
        """Take up what was found before, and add what the calls of some files pass."""
        units = [self.program.units[key] for key in sorted(files)]
        self.grown = self.linker.whole_program.resume(state, units, left_out=left_out)

    @property
    def has_failed(self) -> bool:
        """Whether linking ended in an error for any file."""
        return bool(self.program.fence.failures)

    def reach_of(self, key: int) -> FileReach:
        """What a file adds to what is known of the whole program."""
        return self.linker.reach_of(self.program.units[key])

    def asks_more(self, key: int) -> bool:
        """Whether operations pass something to methods of a file that none of that name wanted."""
        propagation = self.linker.evaluator.parameter_propagation
        return propagation.asks_more(self.program.units[key])

    def is_filled(self, place: Place) -> bool:
        """Whether methods put something into what a variable holds."""
        evaluator = self.linker.evaluator
        return any(map(evaluator.container_stores.is_container, evaluator.points_to.held(place)))

    def sets_own(self, key: int, row: int) -> bool:
        """Whether what an attribute is set of may be something of the repository."""
        values = self.linker.evaluator.values(self.program.units[key], row)
        return not all(
            value[0] in INSTANCES and class_of(value) >= self.program.size for value in values
        )

    def entries_elsewhere(self, files: Iterable[int]) -> set[tuple[object, ...]]:
        """The entry points that frameworks make in other files than some."""
        paths = {self.program.units[key].file.path for key in files}
        rows, nodes = self.linker.whole_program.entries.rows, self.linker.nodes.rows
        return {(nodes[row.node].id, *row[1:]) for row in rows if row.path not in paths}

    def link(self, files: Sequence[int]) -> ProgramLinks:
        """Link some files."""
        found = {}
        ledger, entries = self.linker.ledger, self.linker.whole_program.entries
        for key in files:
            unit = self.program.units[key]
            edges, sites = len(ledger.edges), len(ledger.sites)
            self.linker.link(unit)
            own = [row for row in entries.rows if row.path == unit.file.path]
            said = self.linker.nodes.of_file(unit)
            found[key] = FileLinks(ledger.edges[edges:], ledger.sites[sites:], own, said)
        return ProgramLinks(self.linker.nodes.rows, found)

    def limits(self, files: Sequence[int]) -> Limits:
        """How often a bound was reached, of values and overrides in some files alone."""
        return self.linker.limits(files)


class _Relinking:
    """Finds the files to link, and links them."""

    def __init__(
        self,
        old: _Resumed,
        text: ProgramText,
        changed: Sequence[int],
        find: FileFinder,
    ) -> None:
        self._old = old
        self._text = text
        self._changed = changed
        self._find = find
        self._uses = NameUses(text.facts)
        self._reach: dict[int, FileReach] = {}  # of files in the old program

    def relinked(self, state: WholeProgramState) -> Relinked:
        """The links of the files."""
        new = self._set_up()
        differences = self._differences(new.program)
        renumbering = Renumbering(self._old.program, new.program, differences)
        moved = renumbering.state(state)
        files = {*self._changed} | self._naming(new, differences)
        for _ in range(MOST_RELINKING_STEPS):
            self._check_size(files)
            new.resume(moved, files, left_out=self._left_out(files, state, renumbering))
            self._check_reach(new, files, renumbering)
            more = self._altered(new, files, differences, renumbering)
            if more <= files:
                return self._link(new, sorted(files))
            files |= more
            new = self._set_up()
        raise AlteredElsewhereError("files are altered by one another, too many times")

    def _set_up(self) -> _Resumed:
        return _Resumed(self._text, self._old.linker.nodes)

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

    def _check_size(self, files: set[int]) -> None:
        """Make sure that it is cheaper to link some files than all."""
        rows = {key: len(facts.expressions) for key, facts in self._text.facts.items()}
        share = sum(rows[key] for key in files) / sum(rows.values())
        if len(files) > FEWEST_RELINKED_FILES and share > MOST_RELINKED_SHARE:
            raise AlteredElsewhereError(f"{len(files)} files may be altered")

    def _differences(self, program: Program) -> dict[int, FileDifference]:
        """What others can see of the changes, by file."""
        found = {}
        possible = self._old.linker.whole_program.registration.possible_in
        for key in self._changed:
            old, new = self._old.program.units[key], program.units[key]
            rows = possible(old), possible(new)
            difference = find_difference(old, new, rows=rows, is_filled=self._old.is_filled)
            if difference is None:
                raise AlteredElsewhereError("what differs cannot be told apart")
            found[key] = difference
        return found

    def _naming(self, new: _Resumed, differences: Mapping[int, FileDifference]) -> set[int]:
        """The files that name what came or went."""
        files: set[int] = set()
        program = new.program
        for key, difference in differences.items():
            unit = program.units[key]
            names = difference.names | self._other_nodes(new, key)
            names |= self._made_otherwise(program, key, difference)
            modules = {*unit.finder.name_of(key).split(".")[-1:]}
            files |= self._uses.of(names - {*unit.calls.constructors})
            files |= self._find.open(names)
            files |= self._uses.of_both(difference.imported - names, modules)
            if difference.imported and unit.finder.is_package(key):
                folder = unit.file.path.rpartition("/")[0]
                files |= {
                    one
                    for one in self._uses.of(difference.imported)
                    if program.units[one].file.path.startswith(f"{folder}/")
                }
        return files & self._text.facts.keys()

    def _made_otherwise(self, program: Program, key: int, difference: FileDifference) -> set[str]:
        """The names of the classes whose constructors came or went.

        Raises AlteredElsewhereError where the language calls a method that came or went by itself.
        """
        names: set[str] = set()
        for one, paired in (
            (self._old.program, difference.numbers.keys()),
            (program, {*difference.numbers.values()}),
        ):
            unit = one.units[key]
            for local, row in enumerate(unit.facts.definitions):
                home = unit.scopes[row.scope].definition
                if local in paired or unit.scopes[row.scope].kind != ScopeKind.CLASS:
                    continue
                is_new_class = home not in paired and not unit.facts.definitions[home].bases
                if row.name in unit.calls.constructors or row.subkind == CONSTRUCTOR:
                    names |= self._classes_below(one, unit.first + home)
                elif unit.rules.is_called_implicitly(row.name) and not is_new_class:
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

    def _other_nodes(self, new: _Resumed, key: int) -> set[str]:
        """The names of the nodes that a file has in one program alone."""
        before = self._old.linker.nodes.held_by_file(key)
        after = new.linker.nodes.held_by_file(key)
        other = {row.id: row.name for row in (*before, *after)}
        both = {row.id for row in before} & {row.id for row in after}
        return {name for node, name in other.items() if node not in both}

    def _check_reach(self, new: _Resumed, files: set[int], renumbering: Renumbering) -> None:
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
            reason = _lost(one, other, renumbering)
            if reason:
                raise AlteredElsewhereError(f"{new.program.units[key].file.path}: {reason}")
        if any(new.asks_more(key) for key in self._changed):
            raise AlteredElsewhereError("operations may pass arguments to a method that had none")
        if gone - made:
            raise AlteredElsewhereError("a class may have no instances any more")
        if self._old.entries_elsewhere(files) != new.entries_elsewhere(files):
            raise AlteredElsewhereError("entry points of other files are others")

    def _altered(
        self,
        new: _Resumed,
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
        for key in files:
            found = values.changed(key, differences.get(key))
            if found is None:
                raise AlteredElsewhereError("what is altered has no node, or other bases")
            nodes |= found
        ids = [self._old.linker.nodes.rows[node].id for node in nodes]
        more |= self._find.users(ids) if ids else set()
        names = self._stored(new, differences) | _newly_live(self._old, new, renumbering)
        more |= self._uses.of(names)
        more |= {one for key in files for one in new.linker.nodes.homes_of(key)}
        return more & self._text.facts.keys()  # without documents, which name the same node

    def _stored(self, new: _Resumed, differences: Mapping[int, FileDifference]) -> set[str]:
        """The names of attributes that are set otherwise, of what may be of the repository."""
        return {
            name
            for key, difference in differences.items()
            for is_new, row, name in difference.stores
            if (new if is_new else self._old).sets_own(key, row)
        }

    def _link(self, new: _Resumed, files: Sequence[int]) -> Relinked:
        links = self._old.link(files), new.link(files)
        if self._old.limits(files) != new.limits(files):
            raise AlteredElsewhereError("other bounds are reached")
        if self._old.has_failed or new.has_failed:
            raise AlteredElsewhereError("linking failed for a file")
        return Relinked(*links, new.linker.whole_program.state())


def _lost(old: FileReach, new: FileReach, renumbering: Renumbering) -> str:
    """What a file does not add any more to what is known of the whole program, in words; or adds
    that only propagation over all calls can follow.
    """
    one, other = old.passed, new.passed
    arguments = {
        (renumbering.need(need), renumbering.identity(value))
        for need, value in one.arguments
        if renumbering.is_here(need[0])
    }
    if arguments - other.arguments:
        return "an argument is passed no more"
    if renumbering.forwarded(one.forwarded) != other.forwarded:
        return "arguments are forwarded otherwise"
    if renumbering.made_with(one.made_with) != other.made_with:
        return "constructors are called with other arguments"
    if {(renumbering.number(number), name) for number, name in old.supers} != new.supers:
        return "super() is asked for other members"
    if renumbering.numbers(old.forwarding) - new.forwarding:
        return "a function does not forward its arguments any more"
    return ""


def _newly_live(old: _Resumed, new: _Resumed, renumbering: Renumbering) -> set[str]:
    """The names of the methods that calls may run now since classes may have instances that could
    have none.
    """
    dispatch = new.linker.whole_program.dispatch
    before = renumbering.numbers(old.linker.whole_program.dispatch.live)
    names: set[str] = set()
    for number in dispatch.live - before:
        for ancestor in new.linker.evaluator.members.order(number):
            if not isinstance(ancestor, int) or ancestor >= new.program.size:
                continue
            if ancestor == number or ancestor not in before:
                unit = new.program.unit_of[ancestor]
                names |= unit.names[new.program.definitions[ancestor].body].keys()
    return names
