"""Call edges: from a call site to its callees, and to the callbacks that these run.

Each distinct callee expression of a file is evaluated once; in languages with overloads or trait
implementations, once for each distinct list of arguments.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from mu.model.facts import IMPLIED, Definition, Expression, Op, ReferenceKind
from mu.model.kinds import NodeKind, Reason, Rule, SiteKind
from mu.resolve.abstract_values import (
    CLASS,
    DEFINITION,
    FUNCTION,
    INSTANCE_OF_SUBTYPE,
    VARIABLE,
    Symbols,
    Values,
    number_of,
)
from mu.resolve.calls.callbacks import Callbacks
from mu.resolve.dispatch.abstract_methods import AbstractMethods
from mu.resolve.dispatch.awaited_callees import AwaitedCallees
from mu.resolve.dispatch.receiver_fields import ReceiverFields
from mu.resolve.dispatch.receiver_types import ReceiverTypes
from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.ledger import (
    NOTHING,
    Hit,
    Mention,
    Outcome,
    also_open,
    is_use,
    resolved,
    without,
)
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.emit.operator_calls import OperatorCalls
from mu.resolve.emit.override_reachability import OverrideReachability
from mu.resolve.emit.passed_members import NAMING, PassedMembers, SetFields
from mu.resolve.emit.property_calls import PropertyCalls
from mu.resolve.emit.unresolved import UnresolvedSites
from mu.resolve.emit.value_nodes import ValueNodes
from mu.resolve.evaluator import Evaluator
from mu.resolve.limits import MOST_OVERRIDES
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.reference_text import ReferenceText
from mu.resolve.semantics.call_semantics import Overloading

_CALL, _KEYWORD_REFERENCE = int(ReferenceKind.CALL), int(ReferenceKind.KEYWORD)
_CALL_SITE, _VALUE_SITE = SiteKind.CALL, SiteKind.VALUE
_ATTRIBUTE, _FUNCTION, _INDEX = int(Op.ATTRIBUTE), int(Op.FUNCTION), int(Op.INDEX)
_THROUGH_VARIABLES = (Rule.INFERRED, Rule.TYPED, Rule.RETURNED, Rule.CALLBACK)

_Beside = tuple[SiteKind, Outcome] | None
_Found = tuple[SiteKind, Outcome, _Beside, bool]
"""The kind of site and the outcome of a call, the outcome of reading its callee, and whether it may
call its arguments.
"""


@dataclass(frozen=True, slots=True)
class Parts:
    """The analyses that choose callees, besides the evaluator."""

    nodes: NodeTable
    targets: ValueNodes
    dispatch: VirtualDispatch
    receiver_types: ReceiverTypes
    abstract_methods: AbstractMethods
    reachability: OverrideReachability
    operator_calls: OperatorCalls
    property_calls: PropertyCalls
    unresolved_sites: UnresolvedSites


class _Called(NamedTuple):
    """A called expression: row, name, text, receivers, and functions found there that never run."""

    function: int
    name: str
    text: str
    holders: Values
    hidden: Set[int]


class CallEdges:
    """A resolver of calls, one file at a time."""

    def __init__(self, program: Program, evaluator: Evaluator, parts: Parts) -> None:
        self._program, self._evaluator = program, evaluator
        self._nodes, self._targets = parts.nodes, parts.targets
        self._dispatch, self._abstract_methods = parts.dispatch, parts.abstract_methods
        self._reachability = parts.reachability
        self._operator_calls, self._property_calls = parts.operator_calls, parts.property_calls
        self._callbacks = Callbacks(program, evaluator)
        self._awaited_callees = AwaitedCallees(program, evaluator)
        self._receiver_fields = ReceiverFields(program, evaluator)
        self._receiver_types = parts.receiver_types
        self._unresolved_sites = parts.unresolved_sites
        self._passed_members = PassedMembers(program, evaluator, parts.nodes)
        self._set_fields = SetFields(
            program, evaluator, targets=parts.targets, of_name=parts.unresolved_sites.of_name
        )

    def of(self, unit: FileSymbols, texts: ReferenceText) -> Iterator[Mention]:
        """Yield each call of a file with its outcome."""
        rows, owners = unit.expressions, self._nodes.owners(unit)
        known: dict[int | tuple[int, int | tuple[int, ...]], _Found] = {}
        are_apart = unit.calls.overloading is not Overloading.NONE
        waited = self._awaited_callees.calls(unit)
        handed: dict[int, list[Outcome]] = {}
        below: dict[str, int] = {}  # lines of the next call's keywords, by their names
        for kind, number, owner, line in unit.facts.references:
            if kind != _CALL:
                if kind == _KEYWORD_REFERENCE:
                    below[rows[number][1]] = line
                continue
            _, how, function, args = rows[number]
            function = _without_types(rows, function)
            place = self._place(unit, function, args) if are_apart else function
            if number in waited:
                place = -function, 0
            found = known.get(place)
            if found is None:
                given = args if are_apart else None
                is_awaited = number in waited
                found = self._found(unit, texts, function, args=given, is_awaited=is_awaited)
                known[place] = found
            site, called, beside, runs_callbacks = found
            if how == IMPLIED:
                called = self._written(called)
            if len(called[0]) > 1:
                called = self._reachability.seen_from(unit, called, row=function, owner=owner)
            yield site, owners[owner], line, called
            if beside is not None:
                yield beside[0], owners[owner], line, beside[1]
            if runs_callbacks:
                if number not in handed:
                    handed[number] = self._handed_over(unit, texts, number)
                for outcome in handed[number]:
                    met = self._reachability.handed(unit, outcome, by=owner)
                    yield _CALL_SITE, owners[owner], line, met
            for outcome in self._passed_members.of(unit, called, args=args):
                yield _VALUE_SITE, owners[owner], line, outcome
            if args and (  # all arguments of up to three
                rows[args[0]][0] in NAMING
                or rows[args[-1]][0] in NAMING
                or rows[args[len(args) // 2]][0] in NAMING
            ):
                for name, sort, outcome in self._set_fields.of(unit, function, args=args):
                    yield sort, owners[owner], below.get(name, line), outcome
            below.clear()

    def _written(self, called: Outcome) -> Outcome:
        """Return the outcome of a call without all that is not a function of the repository."""
        nodes = [tail[2] for tail in called[0] if tail[5] is None]
        written = {node for node in nodes if self._nodes.node(node).kind is NodeKind.FUNCTION}
        return without(called, {tail[2] for tail in called[0]} - written) if written else NOTHING

    def _place(
        self, unit: FileSymbols, function: int, args: tuple[int, ...]
    ) -> tuple[int, int | tuple[int, ...]]:
        """Return the cache key of a call: its callee, and the number of arguments or these."""
        values = self._evaluator.called(unit, function)
        is_one = len(values) == 1 and values[0][0] == FUNCTION
        return function, len(args) if is_one or not values else args

    def _found(
        self,
        unit: FileSymbols,
        texts: ReferenceText,
        function: int,
        *,
        args: tuple[int, ...] | None,
        is_awaited: bool,
    ) -> _Found:
        """Return the outcome of calls of an expression, with these arguments if they matter."""
        values = self._evaluator.called(unit, function)
        meant = self._awaited_callees.meant(values) if is_awaited else values
        name, holders = unit.expressions[function][1], self._holders(unit, function)
        hidden = self._abstract_methods.never_run(meant, holders, name=name)
        asked = _Called(function, name, texts.of(function), holders, hidden)
        called = self._callee(unit, asked, meant, args)
        is_used = is_use(called)  # a component of a record is read, though it is called
        beside = None if is_used else self._beside(unit, asked, called)
        is_read = is_used and called[0][0][5] is not Reason.EXTERNAL
        is_caller = self._operator_calls.is_caller(values) or self._callbacks.is_caller(values)
        return _VALUE_SITE if is_read else _CALL_SITE, called, beside, is_caller

    def _holders(self, unit: FileSymbols, function: int) -> Values:
        """Return the receivers of a callee: explicit, or implied by the class around it."""
        row = unit.expressions[function]
        if row[0] == _ATTRIBUTE:
            return self._evaluator.values(unit, row[2])
        return self._evaluator.implicit_this.holder(unit, row, is_called=True)

    def _callee(
        self, unit: FileSymbols, asked: _Called, values: Values, args: tuple[int, ...] | None
    ) -> Outcome:
        """Return the outcome of calls of an expression that may be `values`."""
        function, attribute, text, holders, hidden = asked
        op, _, base, _ = unit.expressions[function]
        name = text if op == _INDEX else attribute or text
        if op == _FUNCTION and not _is_told(unit.facts.definitions[base]):
            return NOTHING  # called immediately: part of the definition around it
        foreign = self._targets.foreign(unit, function)
        if foreign:
            return resolved(text, name, hits=foreign, sort=sorts.CALLS)
        if op == _ATTRIBUTE and len(values) > 1:
            values = self._receiver_fields.without(unit, values, base=base, name=attribute)
        if hidden:
            values = tuple([v for v in values if v[0] != FUNCTION or v[1] not in hidden])
            values += self._abstract_methods.outside(holders, attribute)
        told = self._targets.told_apart(unit, values, args=args)
        if told is None:
            return self._unresolved_sites.ambiguous(text, name)
        values, args = told
        hits = self._hits(unit, values, asked, name=attribute, args=args)
        if holders and self._unresolved_sites.stand_for_others(
            unit, holders, hits=hits, name=attribute
        ):
            return self._unresolved_sites.ambiguous(text, name)
        if not hits and self._evaluator.attribute_loads.components(unit, function):
            hits = self._targets.named(unit, self._evaluator.symbols(unit, function))
            return resolved(text, name, hits=hits, sort=sorts.USES_VALUE)
        names = self._unresolved_sites.members_called(values)
        if hits:
            is_path = self._is_path(unit, holders, hits, name=attribute)
            sort = sorts.USES_VALUE if is_path else sorts.CALLS
            found = resolved(text, name, hits=hits, sort=sort)
        elif names:
            found = NOTHING
        elif hidden:
            return self._unresolved_sites.of_declared(text, name, declared=hidden)
        else:
            found = self._unresolved_sites.of_unresolved(unit, function, text=text, holders=holders)
        if not names and op != _ATTRIBUTE:
            any_members = self._unresolved_sites.any_members
            names = any_members(unit, function, is_resolved=bool(hits))
        return also_open(found, text, names=names) if names else found

    def _hits(
        self,
        unit: FileSymbols,
        values: Values,
        asked: _Called,
        *,
        name: str,
        args: tuple[int, ...] | None,
    ) -> list[Hit]:
        """Return the nodes that run when `values` are called, including overrides."""
        hits = self._targets.called(unit, values, args=args)
        below = self._dispatch.made(values)
        if below and len(below) <= MOST_OVERRIDES:
            made: Values = tuple((CLASS, number, Rule.VIRTUAL) for number in below)
            known = {hit[0] for hit in hits}
            hits += [hit for hit in self._targets.called(unit, made) if hit[0] not in known]
        holders = asked.holders
        if not holders:
            return self._with_overrides(hits, self._below_bound(unit, values))
        below = self._dispatch.overrides(holders, name)
        op, _, receiver, _ = unit.expressions[asked.function]
        if below and op == _ATTRIBUTE:
            below = self._receiver_types.restrict(unit, receiver, overrides=below, name=name)
        if not unit.members.inheritance.makes_subtypes:
            below += self._dispatch.promoted(holders, name)
        if below and unit.calls.overloading is Overloading.BY_SIGNATURE:
            below = self._in_place_of_hit(below, values, hits)
        if below:
            overrides: Sequence[int] = below
            if args is not None:
                fitting = self._evaluator.overload_resolution.overriding
                overrides = fitting(unit, below, args=args)
            hits = self._with_overrides(hits, overrides)
        beside = self._dispatch.beside(holders, name)
        if beside:
            hits = self._with_overrides(hits, beside, rule=Rule.SUPER)
        return hits

    def _below_bound(self, unit: FileSymbols, values: Values) -> tuple[int, ...]:
        """Return the overrides of methods that were read from a receiver and then called."""
        found: dict[int, None] = {}
        for kind, key, _ in values if unit.prototypes is not None else ():
            row = self._program.definitions[number_of(key)] if kind == FUNCTION else None
            if row is None or row.kind != "function" or unit.members.is_static(row):
                continue
            home = self._program.unit_of[number_of(key)]
            owner = home.owner(row.scope)
            if home.rules is unit.rules and owner >= 0:
                holder = ((INSTANCE_OF_SUBTYPE, owner, Rule.SELF),)
                found.update(dict.fromkeys(self._dispatch.overrides(holder, row.name)))
        return tuple(found)

    def _in_place_of_hit(
        self, below: tuple[int, ...], values: Values, hits: Sequence[Hit]
    ) -> tuple[int, ...]:
        """Return those overrides `below` that override the overload which is called.

        If that is one of the library, of which not every overload is known, return all.
        """
        nodes = {hit[0] for hit in hits}
        numbers = [number_of(key) for kind, key, _ in values if kind == FUNCTION]
        if any(map(self._program.is_library, numbers)):
            return below
        called = [n for n in numbers if self._nodes.of_definition(n) in nodes]
        above = [(DEFINITION, number, Rule.VIRTUAL) for number in called]
        return self._dispatch.in_place_of(above, below) if above else below

    def _is_path(
        self, unit: FileSymbols, holders: Values, hits: Sequence[Hit], *, name: str
    ) -> bool:
        """Return whether a callee is external, known only by a path from an external instance."""
        if not holders:
            return False
        for hit in hits:
            if not hit[2]:
                return False
        return self._abstract_methods.is_path(unit, holders, name=name)

    def _with_overrides(
        self, hits: list[Hit], overrides: Sequence[int], *, rule: Rule = Rule.VIRTUAL
    ) -> list[Hit]:
        """Return the hits with methods of subclasses, or of other bases of these, that may run."""
        if not overrides:
            return hits
        known = {hit[0] for hit in hits}
        nodes = [self._nodes.of_definition(number) for number in overrides]
        return [*hits, *((node, rule, False) for node in nodes if node not in known)]

    def _beside(self, unit: FileSymbols, asked: _Called, called: Outcome) -> _Beside:
        """Return what a call reads: a variable, or a getter that returns the callee.

        Reading a variable is a use of it, running a getter a call.
        """
        function, name, text, _, hidden = asked
        if hidden:
            hits = self._targets.declared(hidden)
            return _VALUE_SITE, resolved(text, name, hits=hits, sort=sorts.USES_VALUE)
        rule = called[0][0][4] if called[0] else None
        if rule is not None and rule not in _THROUGH_VARIABLES:
            return None
        symbols = self._evaluator.symbols(unit, function)
        if unit.members.namespaces.are_apart and not (rule and _are_variables(symbols)):
            return None  # a variable of the same name as a function is not called
        if unit.expressions[function][0] == _ATTRIBUTE:
            reading = self._property_calls.of_reading
            gotten = reading(unit, function, symbols=symbols, is_called=True)
            if gotten:
                return _CALL_SITE, resolved(text, name, hits=gotten, sort=sorts.CALLS)
        variables = tuple([symbol for symbol in symbols if symbol[0] == VARIABLE])
        hits = self._targets.named(unit, variables) if variables else []
        if not hits:
            return None
        return _VALUE_SITE, resolved(text, name or text, hits=hits, sort=sorts.USES_VALUE)

    def _handed_over(self, unit: FileSymbols, texts: ReferenceText, number: int) -> list[Outcome]:
        """Return the outcomes of what a library function calls: methods of arguments, callbacks."""
        _, _, function, args = unit.expressions[number]
        text = texts.of(function)
        found = self._operator_calls.of_call(unit, number, text=text)
        values = self._callbacks.of(unit, function, args=args)
        for hit in self._targets.called(unit, values):
            name = self._nodes.node(hit[0]).name
            found.append(resolved(text, name, hits=[hit], sort=sorts.CALLS))
        return found


def _are_variables(symbols: Symbols) -> bool:
    return bool(symbols) and all(kind == VARIABLE for kind, _, _ in symbols)


def _is_told(row: Definition) -> bool:
    """Return whether an inline definition is a class or a named function, not an anonymous one."""
    return row.kind == "class" or bool(row.name)


def _without_types(rows: Sequence[Expression], function: int) -> int:
    """Return the row of a callee, without type arguments."""
    op, name, base, _ = rows[function]
    return base if op == _INDEX and name.isidentifier() else function
