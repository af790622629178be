"""Calls by attribute access: properties, descriptors, `__getattr__`, `__setattr__`.

A store to a variable is also a use of it.
"""

from collections.abc import Iterator

from mu.model.kinds import Rule, SiteKind
from mu.resolve.abstract_values import (
    CLASSES,
    DEFINITION,
    INSTANCES,
    SUPER,
    Symbol,
    Symbols,
    Values,
    class_of,
    number_of,
)
from mu.resolve.dispatch.abstract_methods import AbstractMethods
from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.ledger import Hit, Outcome, resolved
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.emit.value_nodes import ValueNodes
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_SET = "="


class PropertyCalls:
    """The functions that attribute access calls."""

    def __init__(
        self,
        program: Program,
        evaluator: Evaluator,
        *,
        dispatch: VirtualDispatch,
        abstract_methods: AbstractMethods,
        nodes: NodeTable,
        targets: ValueNodes,
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._dispatch = dispatch
        self._abstract_methods = abstract_methods
        self._nodes = nodes
        self._targets = targets

    def of_reading(
        self, unit: FileSymbols, number: int, *, symbols: Symbols, is_called: bool = False
    ) -> list[Hit]:
        """Return the functions that run when an attribute that resolves to `symbols` is read.

        A descriptor that a decorator substitutes for a function runs; the function itself does,
        too, unless what is read `is_called`.
        """
        _, name, base, _ = unit.expressions[number]
        described = self._of_descriptors(symbols, unit.implicit.get_method)
        getters = tuple([s for s in symbols if self._is_run(s)]) if symbols else ()
        if getters:
            holders = self._evaluator.values(unit, base)
            overrides = self._dispatch.overrides(holders, name)
            hidden = self._abstract_methods.hidden(holders, name) if overrides else ()
            running = tuple([symbol for symbol in getters if symbol[1] not in hidden])
            hits = self._with_virtual(self._targets.named(unit, running), overrides)
            return [*hits, *described]
        if described and not is_called:
            behind = tuple([symbol for symbol in symbols if symbol[0] == DEFINITION])
            return [*self._targets.named(unit, behind), *described]
        if symbols:
            return described
        return self.made_up(unit, self._evaluator.values(unit, base), name=name)

    def _is_run(self, symbol: Symbol) -> bool:
        """Return whether reading a symbol runs a function of the repository."""
        number = self._evaluator.attribute_loads.getter(symbol)
        return number >= 0 and not self._program.is_library(number)

    def made_up(self, unit: FileSymbols, holders: Values, *, name: str) -> list[Hit]:
        """Return the functions that compute an attribute which receivers' classes lack.

        Empty if the attribute is set on instances.
        """
        method, of_metaclass = (
            self._evaluator.descriptors.method,
            self._evaluator.members.of_metaclass,
        )
        asked = [of_metaclass(value) if value[0] in CLASSES else value for value in holders]
        found = {method(value, unit.members.fallback_member): value[2] for value in asked}
        is_set = self._evaluator.field_stores.is_set
        if any(n >= 0 for n in found) and any(
            value[0] in INSTANCES and class_of(value) >= 0 and is_set(class_of(value), name)
            for value in asked
        ):
            return []
        return [(self._nodes.of_definition(n), rule, False) for n, rule in found.items() if n >= 0]

    def of_storing(
        self, unit: FileSymbols, number: int, *, text: str
    ) -> Iterator[tuple[SiteKind, Outcome]]:
        """Yield the outcomes of setting or deleting an attribute: functions run, variables used."""
        _, how, attribute, _ = unit.expressions[number]
        _, name, base, _ = unit.expressions[attribute]
        symbols = self._evaluator.symbols(unit, attribute)
        holders = self._evaluator.values(unit, base)
        hits = self._of_hooks(unit, holders, how)
        if not hits:
            hits = self._of_accessors(symbols, holders, name=name, how=how)
        if not hits:
            method = unit.implicit.set_method if how == _SET else unit.implicit.delete_method
            hits = self._of_descriptors(symbols, method)
        if hits:
            shown = self._nodes.node(hits[0][0]).name
            yield SiteKind.CALL, resolved(text, shown, hits=hits, sort=sorts.CALLS)
        used = self._targets.named(unit, tuple(s for s in symbols if s[0] != DEFINITION))
        if used:
            yield SiteKind.VALUE, resolved(text, name, hits=used, sort=sorts.USES_VALUE)

    def _of_hooks(self, unit: FileSymbols, holders: Values, how: str) -> list[Hit]:
        """Return the methods by which receivers intercept every attribute store or deletion."""
        name = (
            unit.implicit.set_attribute_method
            if how == _SET
            else unit.implicit.delete_attribute_method
        )
        method = self._evaluator.descriptors.method
        found = {method(value, name): value[2] for value in holders if value[0] != SUPER}
        return [(self._nodes.of_definition(n), rule, False) for n, rule in found.items() if n >= 0]

    def _of_accessors(self, symbols: Symbols, holders: Values, *, name: str, how: str) -> list[Hit]:
        """Return the functions of properties that set or delete them."""
        properties = [s for s in symbols if self._evaluator.attribute_loads.getter(s) >= 0]
        if not properties:
            return []
        hits: list[Hit] = []
        for _, key, rule in properties:
            found = self._accessor(number_of(key), how)
            if found >= 0:
                hits.append((self._nodes.of_definition(found), rule, False))
        overrides = self._dispatch.overrides(holders, name)
        accessors = tuple(self._accessor(number, how) for number in overrides)
        return self._with_virtual(hits, tuple(n for n in accessors if n >= 0))

    def _accessor(self, number: int, how: str) -> int:
        """Return the function that sets or deletes the property a function belongs to, or -1."""
        if self._program.is_library(number):
            return -1
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        for one in reversed(unit.names[row.scope][row.name].definitions):
            if unit.members.accessor(unit.facts.definitions[one]) == how:
                return unit.first + one
        return -1

    def _of_descriptors(self, symbols: Symbols, method: str) -> list[Hit]:
        found: dict[int, Hit] = {}
        for symbol in symbols:
            descriptors = self._evaluator.descriptors
            running = [number for _, number in descriptors.of(symbol, method)]
            for number in (*running, *descriptors.accessors(symbol, method)):
                node = self._nodes.of_definition(number)
                if node >= 0:  # an anonymous function has none
                    found[number] = node, symbol[2], False
        return list(found.values())

    def _with_virtual(self, hits: list[Hit], overrides: tuple[int, ...]) -> list[Hit]:
        """Return the hits with the overrides in subclasses that may run instead."""
        if not overrides:
            return hits
        known = {hit[0] for hit in hits}
        nodes = dict.fromkeys(self._nodes.of_definition(number) for number in overrides)
        return [*hits, *((node, Rule.VIRTUAL, False) for node in nodes if node not in known)]
