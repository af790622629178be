"""The analyses of a program, and the linking of one file with them: its ledger rows and edges."""

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from mu.model.facts import RAISED, Op, ReferenceKind
from mu.model.graph import Limits
from mu.model.kinds import Reason, Rule, SiteKind
from mu.model.references import Reference
from mu.resolve.abstract_values import (
    CLASS,
    CLASSES,
    DEFINITION,
    EXTERNAL,
    LOCAL,
    MODULE,
    NAMESPACE,
    VARIABLE,
    Symbol,
    Symbols,
    number_of,
)
from mu.resolve.dispatch.abstract_methods import AbstractMethods
from mu.resolve.dispatch.operation_methods import OperationMethods
from mu.resolve.dispatch.receiver_types import ReceiverTypes
from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.call_edges import CallEdges, Parts
from mu.resolve.emit.definition_effects import DefinitionEffects
from mu.resolve.emit.foreign_functions import ForeignFunctions
from mu.resolve.emit.import_edges import ImportEdges
from mu.resolve.emit.ledger import (
    NOTHING,
    Hit,
    Ledger,
    Mention,
    Outcome,
    resolved,
    unresolved,
    without,
    without_loop,
)
from mu.resolve.emit.nodes import NodeNames, NodeTable
from mu.resolve.emit.operator_calls import OperatorCalls
from mu.resolve.emit.override_edges import OverrideEdges
from mu.resolve.emit.override_reachability import OverrideReachability
from mu.resolve.emit.passed_members import LiteralKeys
from mu.resolve.emit.property_calls import PropertyCalls
from mu.resolve.emit.string_uses import StringUses
from mu.resolve.emit.unresolved import UnresolvedSites
from mu.resolve.emit.value_nodes import ValueNodes
from mu.resolve.evaluator import Evaluator
from mu.resolve.lookup.label_constants import find_label
from mu.resolve.parallel.portable_values import PortableNumber, PortableValues
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.recursion_limit import make_room
from mu.resolve.program.reference_text import ReferenceText
from mu.resolve.semantics.member_semantics import Namespaces, Scoping
from mu.resolve.whole_program import FileContribution, WholeProgram

_CALL, _BASE, _ANNOTATION, _DECORATOR, _VALUE, _OPERATION, _KEYWORD = map(int, ReferenceKind)
_CALL_SITE, _VALUE_SITE = SiteKind.CALL, SiteKind.VALUE
_NAMING: dict[int, tuple[SiteKind, int]] = {
    _BASE: (SiteKind.BASE, sorts.INHERITS),
    _ANNOTATION: (SiteKind.ANNOTATION, sorts.USES_ANNOTATION),
    _DECORATOR: (SiteKind.DECORATOR, sorts.USES_DECORATOR),
    _VALUE: (SiteKind.VALUE, sorts.USES_VALUE),
}
_NAME, _ATTRIBUTE, _STORED = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.STORED)
_OPERATOR, _UNION, _ITEM = int(Op.OPERATOR), int(Op.UNION), int(Op.ITEM)
_QUIET = (MODULE, NAMESPACE)


class ReachedLimits(NamedTuple):
    """The variables and expressions with too many values, the methods (class, name) with too many
    overrides, the number of queries cut as too deep, and `is_order_relevant` as in `Solver`.
    """

    values: Set[tuple[object, ...]]
    overrides: Set[tuple[PortableNumber, str]]
    depth: int
    is_order_relevant: bool


def joined_limits(parts: Sequence[ReachedLimits]) -> ReachedLimits:
    """Return what the processes of a group reached, each once."""
    return ReachedLimits(
        {one for part in parts for one in part.values},
        {one for part in parts for one in part.overrides},
        sum(part.depth for part in parts),
        any(part.is_order_relevant for part in parts),
    )


class Linker:
    """The analyses that linking a file uses."""

    def __init__(
        self, program: Program, names: Mapping[int, NodeNames] = MappingProxyType({})
    ) -> None:
        make_room()
        self._program = program
        self.evaluator = evaluator = Evaluator(program)
        self.nodes = nodes = NodeTable(program, names)
        self.ledger = Ledger()
        self.foreign = ForeignFunctions(program, evaluator)
        self._targets = ValueNodes(program, evaluator, nodes=nodes, foreign=self.foreign)
        self._imports = ImportEdges(
            evaluator.names, nodes=nodes, targets=self._targets, ledger=self.ledger
        )
        self._dispatch = VirtualDispatch(program, evaluator)
        self.receiver_types = ReceiverTypes(program, evaluator, self._dispatch)
        self.abstract_methods = AbstractMethods(program, evaluator, self._dispatch)
        self._reachability = OverrideReachability(
            program, evaluator, dispatch=self._dispatch, nodes=nodes
        )
        self.operations = OperationMethods(program, evaluator.hierarchy)
        self._operator_calls = OperatorCalls(
            program,
            evaluator,
            dispatch=self._dispatch,
            abstract_methods=self.abstract_methods,
            operations=self.operations,
            nodes=nodes,
        )
        self._defining = DefinitionEffects(evaluator, nodes=nodes, targets=self._targets)
        self._property_calls = PropertyCalls(
            program,
            evaluator,
            dispatch=self._dispatch,
            abstract_methods=self.abstract_methods,
            nodes=nodes,
            targets=self._targets,
        )
        self._spelled = StringUses(program, nodes)
        self._literal_keys = LiteralKeys(evaluator, nodes=nodes, targets=self._targets)
        self._overrides = OverrideEdges(program, evaluator)
        self._unresolved_sites = UnresolvedSites(
            program, evaluator, targets=self._targets, nodes=nodes
        )
        parts = Parts(
            nodes=nodes,
            targets=self._targets,
            dispatch=self._dispatch,
            receiver_types=self.receiver_types,
            abstract_methods=self.abstract_methods,
            reachability=self._reachability,
            operator_calls=self._operator_calls,
            property_calls=self._property_calls,
            unresolved_sites=self._unresolved_sites,
        )
        self._calling = CallEdges(program, evaluator, parts)
        self.whole_program = WholeProgram(
            program, evaluator, dispatch=self._dispatch, operations=self.operations, nodes=nodes
        )

    def counts_named(self, name: str) -> tuple[int, int]:
        """Return how many nodes, and how many methods, have a name, up to `MOST_CANDIDATES`."""
        return self._unresolved_sites.counts_named(name)

    def count_like(self, other: "Linker", *, but: Set[int]) -> None:
        """Derive the counts of names from those of a program with the same files `but` some."""
        self._unresolved_sites.count_like(other._unresolved_sites, but=but)

    def dissolve(self) -> None:
        """Drop the evaluator's answers, once the graph is made."""
        self.evaluator.dissolve()

    def link(self, unit: FileSymbols) -> None:
        """Resolve every import and reference of one file.

        If that fails with an error, all of them are recorded as unresolved.
        """
        run, file = self._program.fence.run, unit.file
        self.ledger.note_parents(self.nodes.held_in(file.key))
        if not run(file, self._resolve, unit, otherwise=False):
            self.ledger.drop_file()
            self.ledger.note_parents(self.nodes.held_in(file.key))
            self.ledger.note(file.key, self._imports.leave_open(unit))
            self.ledger.note(file.key, self._left_open(unit))
        self.ledger.close_file()
        self.operations.close_file(file.key, is_part=bool(unit.left_out))
        run(file, self.whole_program.entries.note_file, unit, otherwise=None)

    def contribution_of(self, unit: FileSymbols) -> FileContribution:
        """Return a file's contribution to the whole-program facts, after the phases."""
        propagation = self.evaluator.parameter_propagation
        return FileContribution(
            propagation.passed_in(unit),
            {*self._dispatch.classes_as_values(unit)},
            self._reachability.supers_in(unit),
            propagation.forwarding_in(unit),
        )

    def _resolve(self, unit: FileSymbols) -> bool:
        """Write the rows and edges of a file; return True, as an error does not return."""
        self._link_overrides(unit)
        self._imports.link(unit)
        texts = ReferenceText(unit.expressions)
        self.ledger.note(unit.key, self._names(unit, texts))
        self.ledger.note(unit.key, self._calling.of(unit, texts))
        self.ledger.note(unit.key, self._defining.decorations(unit, texts))
        self.ledger.note(unit.key, self._defining.extensions(unit))
        self.ledger.note(unit.key, self._defining.named(unit))
        self.ledger.note(unit.key, self._operations(unit, texts))
        self.ledger.note(unit.key, self._spelled.of(unit))
        self.ledger.note(unit.key, self._literal_keys.of(unit))
        self.ledger.note(unit.key, self.whole_program.registration.mentions(unit, texts))
        if not self.foreign.is_empty:
            self.ledger.note(unit.key, self.foreign.mentions(unit, self.nodes))
        return True

    def _left_open(self, unit: FileSymbols) -> Iterator[Mention]:
        """Yield an unresolved row for each reference by a name, except local variables."""
        owners, rows, texts = (
            self.nodes.owners(unit),
            unit.expressions,
            ReferenceText(unit.expressions),
        )
        for kind, number, owner, line in unit.facts.references:
            is_local = kind == _VALUE and _is_local(unit, number)
            if kind in (_OPERATION, _KEYWORD) or is_local or owners[owner] < 0:
                continue
            site = _CALL_SITE if kind == _CALL else _NAMING[kind][0]
            named = rows[number][2] if kind == _CALL else number
            text = texts.of(named)
            outcome = unresolved(text, rows[named][1] or text, reason=Reason.UNKNOWN)
            yield site, owners[owner], line, outcome

    def limits(
        self, files: Container[int] | None = None, *, reached: ReachedLimits | None = None
    ) -> Limits:
        """Count how often bounds were reached; values and overrides only in `files`, if given.

        `reached` are those that all processes of a group reached, if several linked the program.
        """
        reached = reached or self.reached(files)
        propagation = self.evaluator.parameter_propagation
        return Limits(
            values=len(reached.values),
            arguments=len(propagation.over_limit),
            overrides=len(reached.overrides),
            depth=reached.depth,
            rounds=propagation.unfinished,
        )

    def reached(self, files: Container[int] | None = None) -> ReachedLimits:
        """Return what reached a bound: values and overrides only in `files`, if given."""
        values = self.evaluator.solver.over_limit
        file_of, portable = self._program.file_of, PortableValues(self._program)
        return ReachedLimits(
            {
                (portable.file(file), *rest)
                for file, *rest in values
                if files is None or file in files
            },
            {
                (portable.number(number), name)
                for number, name in self._dispatch.limited()
                if files is None or file_of(number) in files
            },
            self.evaluator.solver.depth_cuts,
            self.evaluator.solver.is_order_relevant,
        )

    def _link_overrides(self, unit: FileSymbols) -> None:
        """Add edges from methods to those they override, and from classes to structural types."""
        of_definition = self.nodes.of_definition
        for number, shape in self._overrides.shapes(unit):
            line = self._program.definitions[number].start_line
            ends = of_definition(number), of_definition(shape)
            if min(ends) >= 0:  # anonymous definitions have no node
                self.ledger.edge(*ends, sort=sorts.INHERITS_SHAPE, line=line, rule=Rule.SHAPE)
        for number, overridden, rule in self._overrides.of(unit):
            line = self._program.definitions[number].start_line
            ends = of_definition(number), of_definition(overridden)
            if min(ends) >= 0:
                self.ledger.edge(*ends, sort=sorts.OVERRIDES, line=line, rule=rule)

    def _operations(self, unit: FileSymbols, texts: ReferenceText) -> Iterator[Mention]:
        """Resolve the methods that operators, assignments and the like call."""
        owners = self.nodes.owners(unit)
        known: dict[int, list[tuple[SiteKind, Outcome]]] = {}
        for kind, number, owner, line in unit.facts.references:
            if kind == _OPERATION:
                outcomes = known.get(number)
                if outcomes is None:
                    outcomes = known[number] = self._operation(unit, texts, number)
                for site, outcome in outcomes:
                    yield site, owners[owner], line, self._reachability.met(unit, outcome, by=owner)

    def _operation(
        self, unit: FileSymbols, texts: ReferenceText, number: int
    ) -> list[tuple[SiteKind, Outcome]]:
        text = texts.of(number)
        op, how, base, args = unit.expressions[number]
        if op == _OPERATOR and how == RAISED:
            return self._raised(unit, texts, args[0])
        if op == _STORED and unit.expressions[base][0] == _ATTRIBUTE:
            return list(self._property_calls.of_storing(unit, number, text=text))
        key, fields = self.evaluator.iteration.keyed(unit, number)
        if fields:
            hits = self._targets.named(unit, fields)
            return [(_VALUE_SITE, resolved(text, key, hits=hits, sort=sorts.USES_VALUE))]
        found = self._operator_calls.of_operation(unit, number, text=text)
        return [(_CALL_SITE, outcome) for outcome in found]

    def _raised(
        self, unit: FileSymbols, texts: ReferenceText, row: int
    ) -> list[tuple[SiteKind, Outcome]]:
        """Resolve the instantiation of a repository class that is raised without being called."""
        values = self.evaluator.values(unit, row)
        own = [v for v in values if v[0] == CLASS and not self._program.is_library(number_of(v[1]))]
        hits = self._targets.called(unit, tuple(own))
        if not hits:
            return []
        text, name = texts.of(row), unit.expressions[row][1]
        return [(_CALL_SITE, resolved(text, name, hits=hits, sort=sorts.CALLS))]

    def _names(self, unit: FileSymbols, texts: ReferenceText) -> Iterator[Mention]:
        """Resolve each name that is not called; values without a node are omitted."""
        owners = self.nodes.owners(unit)
        inner = {base for op, _, base, _ in unit.expressions if op == _ATTRIBUTE}
        values: dict[int, Outcome] = {}
        variables: dict[int, Outcome] = {}
        for reference in unit.facts.references:
            kind, number, owner, line = reference
            if kind in (_CALL, _OPERATION, _KEYWORD):
                continue
            source = owners[owner]
            if source < 0:  # the base of an anonymous class, which its instantiation refers to
                continue
            if kind == _VALUE:
                outcome = values.get(number)
                if outcome is None:
                    outcome = self._value(unit, texts, number, is_inner=number in inner)
                    values[number] = outcome
                tails = outcome[0]
                if tails and outcome[1] and outcome[1][0][0] & sorts.SORT_MASK == sorts.CALLS:
                    if len(tails) > 1:
                        outcome = self._reachability.seen_from(
                            unit, outcome, row=number, owner=owner
                        )
                    yield _CALL_SITE, source, line, outcome
                    beside = variables.get(number)
                    if beside is None:
                        beside = variables[number] = self._variables(unit, texts, number)
                    if beside[0]:
                        yield _VALUE_SITE, source, line, beside
                    continue
                if tails:
                    if len(tails) > 1 or tails[0][2] == source:
                        outcome = without(outcome, (source,))
                    yield _VALUE_SITE, source, line, outcome
            else:
                if kind == _BASE and self.evaluator.members.has_only_fields(unit.first + owner):
                    kind = _ANNOTATION
                outcome = self._declared(unit, texts, (kind, number, owner, line), source)
                yield _NAMING[kind][0], source, line, outcome

    def _variables(self, unit: FileSymbols, texts: ReferenceText, number: int) -> Outcome:
        """Resolve the variables that an attribute names, where reading it also runs a function."""
        symbols = self.evaluator.symbols(unit, number)
        hits = self._targets.named(unit, tuple([s for s in symbols if s[0] == VARIABLE]))
        if not hits:
            return NOTHING if symbols else self._unresolved_sites.of_read(unit, texts, row=number)
        _, name, _, _ = unit.expressions[number]
        return resolved(texts.of(number), name, hits=hits, sort=sorts.USES_VALUE)

    def _value(
        self, unit: FileSymbols, texts: ReferenceText, number: int, *, is_inner: bool
    ) -> Outcome:
        op, name, _, marks = unit.expressions[number]
        if _is_local(unit, number):
            return NOTHING
        if op == _UNION:
            return self._label(unit, number)
        if op == _ITEM:
            return self._field(unit, number)
        meant = symbols = self.evaluator.symbols(unit, number)
        if op == _ATTRIBUTE:
            hits = self._property_calls.of_reading(unit, number, symbols=symbols)
            if hits:
                return resolved(texts.of(number), name, hits=hits, sort=sorts.CALLS)
        namespaces = unit.members.namespaces
        is_told = is_inner or op != _NAME or namespaces is not Namespaces.KINDS
        if is_told and namespaces.are_apart:
            symbols = self._told_by_place(unit, number, symbols, is_inner=is_inner)
        hits = self._targets.named(unit, symbols)
        if marks and name == unit.members.constructor_reference:
            hits = self._targets.called(unit, self.evaluator.values(unit, number)) or hits
        if is_inner and any(hit[2] for hit in hits):
            hits = self._targets.inner(unit, symbols if op == _ATTRIBUTE else (), hits=hits)
        if hits and op == _ATTRIBUTE:
            beside = self._unresolved_sites.of_read_outside(unit, texts, row=number, hits=hits)
            if beside is not None:
                return beside
        if hits:
            text = texts.of(number)
            return resolved(text, name or text, hits=hits, sort=sorts.USES_VALUE)
        if meant:
            return NOTHING
        if op == _ATTRIBUTE:
            return self._unresolved_sites.of_read(unit, texts, row=number)
        is_of_any = op == _NAME and unit.members.scoping is Scoping.CLASS  # as `case TEXT:` is
        return self._unresolved_sites.of_name(name, name) if is_of_any else NOTHING

    def _label(self, unit: FileSymbols, number: int) -> Outcome:
        """Resolve the label of a switch."""
        _, name, _, (_, plain) = unit.expressions[number]
        if _is_local(unit, plain):
            return NOTHING
        symbols = find_label(unit, number, program=self._program, evaluator=self.evaluator)
        constants = tuple([symbol for symbol in symbols if not self._is_function(symbol)])
        hits = self._targets.named(unit, constants)
        if not hits:
            return self._unresolved_sites.of_name(name, name)
        return resolved(name, name, hits=hits, sort=sorts.USES_VALUE)

    def _field(self, unit: FileSymbols, number: int) -> Outcome:
        """Resolve a field that a pattern reads."""
        name = unit.expressions[number][1].rpartition(".")[2]
        hits = self._targets.named(unit, self.evaluator.symbols(unit, number))
        if not hits:
            return self._unresolved_sites.of_name(name, name)
        return resolved(name, name, hits=hits, sort=sorts.USES_VALUE)

    def _told_by_place(
        self, unit: FileSymbols, number: int, symbols: Symbols, *, is_inner: bool
    ) -> Symbols:
        """Return the symbols that a read can mean in a language with separate function names.

        Functions are distinguished by marks in the text, or by the receiver: no field is read from
        a class.
        """
        op, _, base, marks = unit.expressions[number]
        if marks:
            return tuple([s for s in symbols if s[0] != VARIABLE])
        functions = tuple([s for s in symbols if self._is_function(s)])
        rest = tuple([s for s in symbols if s not in functions])
        if not functions:
            return rest
        if op != _ATTRIBUTE or is_inner or unit.members.namespaces is not Namespaces.KINDS:
            return rest
        is_of_class = rest and any(v[0] in CLASSES for v in self.evaluator.values(unit, base))
        return functions if is_of_class else rest or functions

    def _is_function(self, symbol: Symbol) -> bool:
        kind, key, _ = symbol
        return kind == DEFINITION and self._program.definitions[number_of(key)].kind == "function"

    def _declared(
        self, unit: FileSymbols, texts: ReferenceText, reference: Reference, source: int
    ) -> Outcome:
        """Resolve a base class, an annotation or a decorator."""
        kind, number, owner, _ = reference
        symbols = self.evaluator.symbols(unit, number)
        if kind == _BASE:
            hits = self._base_hits(unit, number, owner)
        else:
            hits = self._targets.named(unit, symbols)
        text = texts.of(number)
        name = unit.expressions[number][1] or text
        if hits:
            outcome = resolved(text, name, hits=hits, sort=_NAMING[kind][1])
            return without_loop(outcome, source)  # a class names itself inside
        if any(symbol[0] in _QUIET for symbol in symbols):
            return NOTHING
        if symbols and all(symbol[0] == LOCAL for symbol in symbols):
            return NOTHING
        return unresolved(text, name, reason=Reason.UNKNOWN)

    def _base_hits(self, unit: FileSymbols, number: int, owner: int) -> list[Hit]:
        """Return the hits of a base class, through aliases.

        If the base has the name of the class itself, those of the name's earlier meaning.
        """
        values = self.evaluator.values(unit, number)
        itself = unit.first + owner
        if any(value[0] == CLASS and value[1] == itself for value in values):
            return self._targets.named(unit, self.evaluator.names.before(unit, owner))
        classes = tuple((v[0], v[1], v[2]) for v in values if v[0] in (CLASS, EXTERNAL))
        return self._targets.stood_for(unit, classes)


def _is_local(unit: FileSymbols, number: int) -> bool:
    """Return whether an expression is the name of a local variable, which has no node."""
    op, name, scope, _ = unit.expressions[number]
    if op != _NAME or scope in unit.shared:
        return False
    entry = unit.names[scope].get(name)
    return entry is not None and entry.is_local
