"""A program before or after an edit, of which an update compares two, and the links of some of its
files.
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
from mu.resolve.linker import Linker
from mu.resolve.program.file_part import part_of
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.program.reference_text import ReferenceText
from mu.resolve.semantics.entry_rules import Declared
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.propagation_state import Passed, are_known
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import NO_CALLS, Calls, FileContribution, WholeProgramState

_NO_CONTRIBUTION = FileContribution(
    Passed(*(frozenset(),) * 4, makers={}, places=frozenset()),
    frozenset(),
    frozenset(),
    frozenset(),
)
"""The contribution of a file that the program does not have."""


class FileLinks(NamedTuple):
    """The rows of one linked file, in its order; the keys are those of `ProgramLinks.nodes`."""

    edges: Sequence[Edge]
    sites: Sequence[Site]
    entries: Sequence[Entry]
    said: NodesOfFile


class ProgramLinks(NamedTuple):
    """The links of some files of a program, by key, and the nodes of all of it."""

    nodes: NodeTable
    files: Mapping[int, FileLinks]


class Relinked(NamedTuple):
    """The links of some files, in the old program and in the new one, and its new state.

    `limits` is how much more often each bound is reached. Rows that start at the nodes in `kept`,
    by file and id, are not among the links: they stay as they are, moved by that number of lines.
    `rebased` are the names of classes with changed ancestors.
    """

    before: ProgramLinks
    after: ProgramLinks
    state: WholeProgramState
    limits: Limits
    kept: Mapping[int, Mapping[str, int]]
    rebased: Set[str]


class ProgramVersion:
    """A program before or after an edit, with its whole-program facts."""

    def __init__(self, text: ProgramText, names: Mapping[int, NodeNames]) -> None:
        self._text, self._names = text, names
        self.program = Program(text)
        self.linker = Linker(self.program, names)
        self.grown: set[ParameterKey] = set()  # parameters that changed
        self.over_limit: frozenset[ParameterKey] = frozenset()  # parameters
        self.left_out: Mapping[int, frozenset[int]] = {}  # definitions not linked, by file
        self._reach: dict[tuple[int, frozenset[int]], FileContribution] = {}

    def resume(
        self,
        state: WholeProgramState,
        files: Set[int] = frozenset(),
        *,
        left_out: Set[Argument] = frozenset(),
        more: Callable[[Set[ParameterKey]], Set[Argument] | None] = lambda _: None,
    ) -> None:
        """Restore what was found before, and propagate the calls of some files except the arguments
        that are `left_out`.

        `more` is called with the parameters that grew. If it adds files, or functions to link in
        them, it returns the arguments to leave out of all their calls; otherwise None.
        """

        def calls(left_out: Set[Argument] | None) -> Calls:
            return NO_CALLS if left_out is None else Calls([*self._units(files).values()], left_out)

        self.grown = self.linker.whole_program.resume(
            state, calls(left_out), more=lambda grown: calls(more(grown))
        )
        self.over_limit = frozenset(self.linker.evaluator.parameter_propagation.over_limit)
        self.resume_registrations(state, files)

    def resume_registrations(self, state: WholeProgramState, files: Iterable[int]) -> None:
        """Restore the registrations from before, and scan those of some files."""
        parts = self._units(files)
        self.linker.whole_program.resume_registrations(state, {*files}, parts=parts)

    def register_like(
        self, other: "ProgramVersion", state: WholeProgramState, *, files: Set[int]
    ) -> None:
        """Scan the registrations that `other` scanned: those of all files, or of some `files`."""
        whole = self.linker.whole_program
        if other.linker.whole_program.has_registrations:
            whole.register(state)
        elif registering_files := files & state.registering.files:
            whole.resume_registrations(state, registering_files, parts={})

    def alone(
        self,
        state: WholeProgramState,
        files: Iterable[int] = (),
        *,
        points_to: Mapping[ParameterKey, Values] = MappingProxyType({}),
    ) -> "ProgramVersion":
        """Return the same program restored from a state, with points-to sets of parameters from
        `points_to` alone; some files have changed since that state.
        """
        found = ProgramVersion(self._text, self._names)
        held = state.propagation._replace(
            points_to={**points_to}, supports={}, makers={}, over_limit={}
        )
        found.linker.whole_program.resume(state._replace(propagation=held))
        units = (found.program.units[key] for key in found.there(files))
        changed = [n for u in units for n in range(u.first, u.first + len(u.facts.definitions))]
        found.linker.evaluator.hierarchy.resume(state.children, changed)
        return found

    def index_names(self) -> None:
        """Build the indexes by name over all files that are otherwise built on first use."""
        self.linker.counts_named("")
        self.linker.evaluator.hierarchy.defining("")

    def there(self, files: Iterable[int]) -> list[int]:
        """Return those of some files that the program has, in order."""
        return [key for key in sorted(files) if key in self.program.units]

    @property
    def has_failed(self) -> bool:
        """True if linking ended in an error for any file."""
        return bool(self.program.fence.failures)

    def is_linked(self, number: int, files: Set[int]) -> bool:
        """Return whether a definition is in one of some linked files, and not `left_out`."""
        program = self.program
        key = program.file_of(number) if 0 <= number < program.size else -1
        return key in files and number - program.first_of[key] not in self.left_out.get(key, ())

    def contribution_of(self, key: int) -> FileContribution:
        """Return a file's contribution to the whole-program facts, without what is `left_out`."""
        return self._contribution_but(key, self.left_out.get(key, frozenset()))

    def whole_contribution_of(self, key: int) -> FileContribution:
        """Return the contribution of all of a file to the whole-program facts."""
        return self._contribution_but(key, frozenset())

    @property
    def evaluated(self) -> set[int]:
        """The files of which the whole contribution was asked for."""
        return {key for key, left_out in self._reach if not left_out}

    def _contribution_but(self, key: int, left_out: frozenset[int]) -> FileContribution:
        place = key, left_out
        found = self._reach.get(place)
        if found is None:
            unit = self.program.units.get(key)
            part = part_of(unit, left_out) if unit is not None and left_out else unit
            found = _NO_CONTRIBUTION if part is None else self.linker.contribution_of(part)
            self._reach[place] = found
        return found

    def knows(self, key: int, left_out: Set[Argument]) -> bool:
        """Return whether the program knows all that a file passes, except arguments that are
        `left_out`, and all that it instantiates.
        """
        reach, propagation = self.contribution_of(key), self.linker.evaluator.parameter_propagation
        is_made = all(map(self.is_live, reach.passed.made | reach.named))
        return is_made and are_known(reach.passed, propagation.state(), left_out=left_out)

    def _units(self, files: Iterable[int]) -> dict[int, FileSymbols]:
        return {key: self._unit(key) for key in self.there(files)}

    def _unit(self, key: int) -> FileSymbols:
        """Return a file of the program without the text of definitions that are left out."""
        unit, left_out = self.program.units[key], self.left_out.get(key)
        return part_of(unit, left_out) if left_out else unit

    def operations_among(self, names: Set[str]) -> set[str]:
        """Return those of some names that are methods of operations, which have their own index."""
        rules = self.program.rules
        return {name for name in names if any(one.is_operation(name) for one in rules)}

    def asks_more(self, key: int) -> bool:
        """Return whether operations pass arguments to methods of a file under names that had none
        before.
        """
        propagation, unit = self.linker.evaluator.parameter_propagation, self.program.units.get(key)
        return unit is not None and propagation.asks_more(unit)

    def is_filled(self, place: Place) -> bool:
        """Return whether a variable may hold a container that methods fill."""
        evaluator = self.linker.evaluator
        return any(map(evaluator.container_stores.is_container, evaluator.points_to.held(place)))

    def modules_of(self, key: int, row: int) -> set[int]:
        """Return the files whose modules an expression, by row, may be."""
        values = self.linker.evaluator.values(self.program.units[key], row)
        return {number_of(module) for kind, module, _ in values if kind == MODULE}

    def is_passed_own(self, number: int, place: int) -> bool:
        """Return whether calls pass classes of the repository, or their instances, to a parameter
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
        """Return what a parameter's variable holds, by kind and key; nothing without a name."""
        number, place = need
        unit, row = self.program.unit_of[number], self.program.definitions[number]
        if not 0 <= place < len(row.parameters):
            return set()
        of = unit.key, row.body, row.parameters[place].name
        return {value[:2] for value in self.linker.evaluator.points_to.held(of)}

    def entries_elsewhere(self, files: Iterable[int]) -> set[tuple[object, ...]]:
        """Return the framework entry points in other files than some."""
        paths = {self.program.files[key].path for key in self.there(files)}
        rows, nodes = self.linker.whole_program.entries.rows, self.linker.nodes
        return {(nodes.node(row.node).id, *row[1:]) for row in rows if row.path not in paths}

    def declared(self, rows: Sequence[Declared]) -> list[tuple[str, Entry]]:
        """Return the existing entry points that manifests name, with the ids of their nodes."""
        entries, nodes = self.linker.whole_program.entries, self.linker.nodes
        entries.note_declared(rows)
        paths = {row.path for row in rows}
        return [(nodes.node(row.node).id, row) for row in entries.rows if row.path in paths]

    def registered(self, files: Iterable[int]) -> dict[int, list[tuple[object, ...]]]:
        """Return what frameworks call, inject and include for references of some files, by file."""
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
        """The files, by key, that register something with frameworks."""
        return self.linker.whole_program.registration.registering

    def ids(self, definitions: Iterable[int]) -> set[str]:
        """Return the ids of the nodes of some definitions of the repository."""
        nodes = self.linker.nodes
        keys = map(nodes.of_definition, definitions)
        return {nodes.node(key).id for key in keys if key >= 0}

    def ids_of_members(self, number: int, names: Set[str]) -> Iterator[str]:
        """Yield the ids of the nodes of a repository class's own members with any of some names."""
        unit, body = self.program.unit_of[number], self.program.definitions[number].body
        nodes, fields = self.linker.nodes, unit.fields.get(number - unit.first, ())
        for owner, inner in ((unit, body), *self.program.added.get(number, ())):
            own = fields if owner is unit and inner == body else ()
            for name in names & (owner.names[inner].keys() | {*own}):
                entry = owner.names[inner].get(name)
                inside = entry.definitions if entry else ()
                keys = [nodes.of_definition(owner.first + local) for local in inside]
                keys.append(nodes.of_variable((owner.file.key, inner, name)))
                yield from (nodes.node(key).id for key in keys if key >= 0)

    def is_live(self, number: int) -> bool:
        """Return whether a class is instantiated, or used as a value."""
        return number in self.linker.whole_program.dispatch.live

    def nodes_of(self, key: int) -> Sequence[Node]:
        """Return the nodes of a file; none if the program does not have it."""
        return self.linker.nodes.held_by_file(key) if key in self.program.units else ()

    def link(self, files: Sequence[int]) -> ProgramLinks:
        """Link those of some files that the program has; an edge belongs to its source's file."""
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
        """Return the files of the classes that extensions in some files add to."""
        extended, size = self.program.extended, self.program.size
        numbers = {number for key in files for number in extended.get(key, {}).values()}
        return {self.program.file_of(number) for number in numbers if number < size}

    def limits(self, files: Set[int]) -> Limits:
        """Return how often each bound was reached, those on values and overrides in some files."""
        return self.linker.limits(files)

    def reaches_bound(self, key: int) -> bool:
        """Return whether a bound was reached on values or overrides in a file, or on depth."""
        reached = self.linker.reached({key})
        return bool(reached.values or reached.overrides or reached.depth)

    def variables_over_limit(self, files: Set[int]) -> set[Place]:
        """Return the variables of some files whose points-to sets are over the limit."""
        over_limit = self.linker.evaluator.solver.over_limit
        return {of for of in over_limit if len(of) == 3 and of[0] in files}

    def ask_for(self, variables: Iterable[Place]) -> None:
        """Evaluate some variables, if that was not done yet."""
        for place in variables:
            self.linker.evaluator.points_to.held(place)


def more_limits(
    old: ProgramVersion, new: ProgramVersion, *, files: Iterable[int], changed: Set[int]
) -> Limits:
    """Return how much more often the new program reaches each bound, in files linked in both.

    Only one of them may have evaluated a variable of an unchanged file, or all that a file passes.
    If it reached a bound, both evaluate these first.
    """
    linked, both = {*files}, (old, new)
    for key in sorted(linked):
        if any(key in version.evaluated and version.reaches_bound(key) for version in both):
            for version in both:
                version.whole_contribution_of(key)
    over_limit = sorted(set().union(*(one.variables_over_limit(linked - changed) for one in both)))
    for version in both:
        version.ask_for(over_limit)
    counts = zip(old.limits(linked), new.limits(linked), strict=True)
    return Limits(*(after - before for before, after in counts))


def may_be_own(program: Program, values: Values) -> bool:
    """Return whether any of some values is not an instance of a library class."""
    return any(value[0] not in INSTANCES or class_of(value) < program.size for value in values)


def _named(nodes: NodeTable, end: End) -> tuple[object, ...]:
    """Return the target of a reference, with the id of its node for the key."""
    text, name, target, *rest = end
    return text, name, nodes.node(target).id if target >= 0 else "", *rest
