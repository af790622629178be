"""One of the two programs that an update compares, before an edit or after it, and what linking
gives of some of its files.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from mu.model.graph import Edge, Entry, Limits, Node, Site
from mu.model.packed_rows import End
from mu.resolve.abstract_values import (
    CLASSES,
    INSTANCES,
    MODULE,
    Place,
    Values,
    class_of,
    number_of,
)
from mu.resolve.emit.nodes import NodeNames, NodesOfFile, NodeTable
from mu.resolve.frameworks.registrations import Registering
from mu.resolve.pipeline import Linker
from mu.resolve.program.file_part import part_of
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.program.reference_text import ReferenceText
from mu.resolve.semantics.entry_rules import Declared
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.propagation_state import Passed, are_known
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import NO_CALLS, Calls, FileReach, WholeProgramState

_NO_REACH = FileReach(
    Passed(frozenset(), frozenset(), frozenset(), frozenset(), {}),
    frozenset(),
    frozenset(),
    frozenset(),
)
"""What a file adds that is not there."""


class FileLinks(NamedTuple):
    """What linking gives of one file, in its order; the keys are those of `ProgramLinks.nodes`."""

    edges: Sequence[Edge]
    sites: Sequence[Site]
    entries: Sequence[Entry]
    said: NodesOfFile


class ProgramLinks(NamedTuple):
    """What linking gives of some files of a program, by key, and the nodes of all of it."""

    nodes: NodeTable
    files: Mapping[int, FileLinks]


class Relinked(NamedTuple):
    """The links of some files, in the old program and in the new one, and its new state.

    `limits` tells how much more often each bound is reached. What starts at the nodes of `kept`, by
    file and id, is not among the links: it stays as it is, so many lines on. `rebased` are the
    names of classes with other ancestors.
    """

    before: ProgramLinks
    after: ProgramLinks
    state: WholeProgramState
    limits: Limits
    kept: Mapping[int, Mapping[str, int]]
    rebased: Set[str]


class ProgramVersion:
    """A program before an edit or after it, and what the phases over all of it find."""

    def __init__(self, text: ProgramText, names: Mapping[int, NodeNames]) -> None:
        self._text, self._names = text, names
        self.program = Program(text)
        self.linker = Linker(self.program, names)
        self.grown: set[ParameterKey] = set()  # the parameters that hold more than before
        self.crowded: frozenset[ParameterKey] = frozenset()  # those passed too many things
        self.left_out: Mapping[int, frozenset[int]] = {}  # definitions whose text is, by file
        self._reach: dict[tuple[int, frozenset[int]], FileReach] = {}

    def resume(
        self,
        state: WholeProgramState,
        files: Set[int] = frozenset(),
        *,
        left_out: Set[Argument] = frozenset(),
        more: Callable[[Set[ParameterKey]], Set[Argument] | None] = lambda _: None,
    ) -> None:
        """Take up what was found before, and add what the calls of some files pass but for what is
        `left_out`.

        `more` is told the parameters that hold more by that; it may add to the files, or to what is
        linked of them, and gives then what is left out of all that they pass.
        """

        def calls(left_out: Set[Argument] | None) -> Calls:
            return NO_CALLS if left_out is None else Calls([*self._units(files).values()], left_out)

        self.grown = self.linker.whole_program.resume(
            state, calls(left_out), more=lambda grown: calls(more(grown))
        )
        self.crowded = frozenset(self.linker.evaluator.parameter_propagation.limited)
        self.resume_registrations(state, files)

    def resume_registrations(self, state: WholeProgramState, files: Iterable[int]) -> None:
        """Take up what was registered before, and look at what some files register."""
        parts = self._units(files)
        self.linker.whole_program.resume_registrations(state, {*files}, parts=parts)

    def register_like(
        self, other: "ProgramVersion", state: WholeProgramState, *, files: Set[int]
    ) -> None:
        """Look at what files register as `other` did, which looked at all or at some `files`."""
        whole = self.linker.whole_program
        if other.linker.whole_program.has_registrations:
            whole.register(state)
        elif telling := files & state.registering.files:
            whole.resume_registrations(state, telling, parts={})

    def alone(
        self,
        state: WholeProgramState,
        files: Iterable[int] = (),
        *,
        shown: Mapping[ParameterKey, Values] = MappingProxyType({}),
    ) -> "ProgramVersion":
        """Set up the program once more with an earlier state, but parameters hold what is `shown`
        and nothing else; some files have changed since.
        """
        found = ProgramVersion(self._text, self._names)
        held = state.propagation._replace(shown={**shown}, supports={}, makers={}, limited={})
        found.linker.whole_program.resume(state._replace(propagation=held))
        units = (found.program.units[key] for key in found.there(files))
        changed = [n for u in units for n in range(u.first, u.first + len(u.facts.definitions))]
        found.linker.evaluator.hierarchy.resume(state.children, changed)
        return found

    def index_names(self) -> None:
        """Index by name over all files what is indexed when it is first asked."""
        self.linker.counts_named("")
        self.linker.evaluator.hierarchy.defining("")

    def there(self, files: Iterable[int]) -> list[int]:
        """Those of some files that are there, in order."""
        return [key for key in sorted(files) if key in self.program.units]

    @property
    def has_failed(self) -> bool:
        """True if linking ended in an error for any file."""
        return bool(self.program.fence.failures)

    def reach_of(self, key: int) -> FileReach:
        """What a file adds to what is known of the whole program, but for what is left out."""
        return self._reach_but(key, self.left_out.get(key, frozenset()))

    def whole_reach_of(self, key: int) -> FileReach:
        """What all of a file adds to what is known of the whole program."""
        return self._reach_but(key, frozenset())

    def _reach_but(self, key: int, left_out: frozenset[int]) -> FileReach:
        place = key, left_out
        found = self._reach.get(place)
        if found is None:
            unit = self.program.units.get(key)
            part = part_of(unit, left_out) if unit is not None and left_out else unit
            found = _NO_REACH if part is None else self.linker.reach_of(part)
            self._reach[place] = found
        return found

    def knows(self, key: int, left_out: Set[Argument]) -> bool:
        """Tell whether what a file passes and makes is known of the program; arguments that are
        `left_out` need not be.
        """
        reach, propagation = self.reach_of(key), self.linker.evaluator.parameter_propagation
        is_made = all(map(self.is_live, reach.passed.made | reach.named))
        return is_made and are_known(reach.passed, propagation.state(), left_out=left_out)

    def _units(self, files: Iterable[int]) -> dict[int, FileSymbols]:
        return {key: self._unit(key) for key in self.there(files)}

    def _unit(self, key: int) -> FileSymbols:
        """A file that is there, without the text of the definitions that are left out."""
        unit, left_out = self.program.units[key], self.left_out.get(key)
        return part_of(unit, left_out) if left_out else unit

    def asks_more(self, key: int) -> bool:
        """Tell whether operations pass arguments to methods of a file of a name that had none."""
        propagation, unit = self.linker.evaluator.parameter_propagation, self.program.units.get(key)
        return unit is not None and propagation.asks_more(unit)

    def is_filled(self, place: Place) -> bool:
        """Tell whether methods put something into what a variable holds."""
        evaluator = self.linker.evaluator
        return any(map(evaluator.container_stores.is_container, evaluator.points_to.held(place)))

    def modules_of(self, key: int, row: int) -> set[int]:
        """The files whose modules an attribute is set of."""
        values = self.linker.evaluator.values(self.program.units[key], row)
        return {number_of(module) for kind, module, _ in values if kind == MODULE}

    def is_passed_own(self, number: int, place: int) -> bool:
        """Tell whether calls pass classes of the repository, or instances of these, for a parameter
        of one of its functions.
        """
        if not 0 <= number < self.program.size:
            return False
        if place not in range(len(self.program.definitions[number].parameters)):
            return False
        passed = self.linker.evaluator.parameter_propagation.of(number, place)
        return any(
            value[0] in CLASSES | INSTANCES and class_of(value) < self.program.size
            for value in passed
        )

    def held_by_parameter(self, need: ParameterKey) -> set[tuple[int, object]]:
        """What the variable of a parameter holds, by kind and key; nothing if it has no name."""
        number, place = need
        unit, row = self.program.unit_of[number], self.program.definitions[number]
        if not 0 <= place < len(row.parameters):
            return set()
        of = unit.key, row.body, row.parameters[place].name
        return {value[:2] for value in self.linker.evaluator.points_to.held(of)}

    def entries_elsewhere(self, files: Iterable[int]) -> set[tuple[object, ...]]:
        """The entry points that frameworks make in other files than some."""
        paths = {self.program.files[key].path for key in self.there(files)}
        rows, nodes = self.linker.whole_program.entries.rows, self.linker.nodes
        return {(nodes.node(row.node).id, *row[1:]) for row in rows if row.path not in paths}

    def declared(self, rows: Sequence[Declared]) -> list[tuple[str, Entry]]:
        """The entry points that manifests name, as far as they are there, with their nodes' ids."""
        entries, nodes = self.linker.whole_program.entries, self.linker.nodes
        entries.note_declared(rows)
        paths = {row.path for row in rows}
        return [(nodes.node(row.node).id, row) for row in entries.rows if row.path in paths]

    def registered(self, files: Iterable[int]) -> dict[int, list[tuple[object, ...]]]:
        """What frameworks run, fill in and include, by those of some files whose references do
        that.
        """
        registration, nodes = self.linker.whole_program.registration, self.linker.nodes
        found = {}
        for key in self.there(files):
            unit = self.program.units[key]
            texts = ReferenceText(unit.expressions)
            rows = [
                (kind, nodes.node(source).id, line, *(_named(nodes, end) for end in ends))
                for kind, source, line, (ends, _) in registration.mentions(unit, texts)
            ]
            if rows:
                found[key] = rows
        return found

    @property
    def registering(self) -> Registering:
        """The files, by key, that tell frameworks something."""
        return self.linker.whole_program.registration.registering

    def ids(self, definitions: Iterable[int]) -> set[str]:
        """The nodes of some definitions of the repository, by id."""
        nodes = self.linker.nodes
        keys = map(nodes.of_definition, definitions)
        return {nodes.node(key).id for key in keys if key >= 0}

    def ids_of_members(self, number: int, names: Set[str]) -> Iterator[str]:
        """The nodes, by id, of what a class of the repository has itself by any of some names."""
        unit, body = self.program.unit_of[number], self.program.definitions[number].body
        nodes, fields = self.linker.nodes, unit.fields.get(number - unit.first, ())
        for holder, inner in ((unit, body), *self.program.added.get(number, ())):
            own = fields if holder is unit and inner == body else ()
            for name in names & (holder.names[inner].keys() | {*own}):
                entry = holder.names[inner].get(name)
                inside = entry.definitions if entry else ()
                keys = [nodes.of_definition(holder.first + local) for local in inside]
                keys.append(nodes.of_variable((holder.file.key, inner, name)))
                yield from (nodes.node(key).id for key in keys if key >= 0)

    def is_live(self, number: int) -> bool:
        """Tell whether instances of a class are made, or it is passed around."""
        return number in self.linker.whole_program.dispatch.live

    def nodes_of(self, key: int) -> Sequence[Node]:
        """The nodes of a file."""
        return self.linker.nodes.held_by_file(key) if key in self.program.units else ()

    def link(self, files: Sequence[int]) -> ProgramLinks:
        """Link those of some files that are there; edges are of the files that they start in."""
        found: dict[int, FileLinks] = {}
        ledger, entries = self.linker.ledger, self.linker.whole_program.entries
        edges: dict[int, list[Edge]] = {key: [] for key in self.there(files)}
        for key in edges:
            unit = self._unit(key)
            before, first = len(ledger.edges), len(ledger.sites)
            self.linker.link(unit)
            kept = self.ids(unit.first + local for local in unit.left_out)
            for edge in ledger.edges[before:]:
                source = self.linker.nodes.node(edge.source)
                if source.id not in kept:
                    edges[source.file if source.file in edges else key].append(edge)
            sites = ledger.sites[first:]
            if kept:
                sites = [row for row in sites if self.linker.nodes.node(row.source).id not in kept]
            own = [row for row in entries.rows if row.path == unit.file.path]
            said = self.linker.nodes.of_file(unit)
            found[key] = FileLinks(edges[key], sites, own, said)
        return ProgramLinks(self.linker.nodes, found)

    def extended_in(self, files: Iterable[int]) -> set[int]:
        """The files with the classes that extensions in some files belong to."""
        extended, size = self.program.extended, self.program.size
        numbers = {number for key in files for number in extended.get(key, {}).values()}
        return {self.program.file_of(number) for number in numbers if number < size}

    def limits(self, files: Set[int]) -> Limits:
        """How often a bound was reached, of values and overrides in some files alone."""
        return self.linker.limits(files)

    def crowded_variables(self, files: Set[int]) -> set[Place]:
        """The variables of some files for which more values were found than are kept."""
        crowded = self.linker.evaluator.solver.crowded
        return {of for of in crowded if len(of) == 3 and of[0] in files}

    def ask_for(self, variables: Iterable[Place]) -> None:
        """Find what some variables hold, if that was not asked."""
        for place in variables:
            self.linker.evaluator.points_to.held(place)


def more_limits(
    old: ProgramVersion, new: ProgramVersion, *, files: Iterable[int], changed: Set[int]
) -> Limits:
    """How much more often each bound is reached in the new program, in some files that were linked
    in both.

    A variable of a file that did not change may have been asked for in one of them alone.
    """
    linked, both = {*files}, (old, new)
    crowded = sorted(set().union(*(one.crowded_variables(linked - changed) for one in both)))
    for version in both:
        version.ask_for(crowded)
    counts = zip(old.limits(linked), new.limits(linked), strict=True)
    return Limits(*(after - before for before, after in counts))


def may_be_own(program: Program, values: Values) -> bool:
    """Tell whether anything among some values is no instance of a class of the library."""
    return any(value[0] not in INSTANCES or class_of(value) < program.size for value in values)


def _named(nodes: NodeTable, end: End) -> tuple[object, ...]:
    """What a reference leads to, by id."""
    text, name, target, *rest = end
    return text, name, nodes.node(target).id if target >= 0 else "", *rest
