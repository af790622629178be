"""Calls made by executing a definition: decorators, `__init_subclass__`, `__set_name__`."""

from collections.abc import Iterator

from mu.model.facts import ScopeKind
from mu.model.kinds import Rule, SiteKind
from mu.resolve.abstract_values import (
    CALLABLES,
    CLASS,
    DEFINITION,
    INSTANCE,
    SUPER,
    VARIABLE,
    Symbol,
    Value,
)
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.ledger import Mention, resolved
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.emit.value_nodes import ValueNodes
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.reference_text import ReferenceText

_IN_CLASS = int(ScopeKind.CLASS)
_CALL_SITE, _INHERITED = SiteKind.CALL, Rule.INHERITED
_NAMED = CALLABLES | {CLASS}  # what a decorator names, not its replacement


class DefinitionEffects:
    """The calls that executing definitions makes."""

    def __init__(self, evaluator: Evaluator, *, nodes: NodeTable, targets: ValueNodes) -> None:
        self._evaluator = evaluator
        self._nodes = nodes
        self._targets = targets

    def decorations(self, unit: FileSymbols, texts: ReferenceText) -> Iterator[Mention]:
        """Yield the calls of decorators, made by the definition around the decorated one."""
        for row in unit.facts.definitions:
            for number, line, _ in unit.calls.applied_decorators(row):
                values = self._evaluator.values(unit, number)
                named = tuple(value for value in values if value[0] in _NAMED)
                hits = self._targets.called(unit, named or values)
                hits = [hit for hit in hits if not hit[2]]
                if hits:
                    text = texts.of(number)
                    name = unit.expressions[number][1] or text
                    outcome = resolved(text, name, hits=hits, sort=sorts.CALLS)
                    yield _CALL_SITE, self._around(unit, row.scope), line, outcome

    def extensions(self, unit: FileSymbols) -> Iterator[Mention]:
        """Yield the calls of subclass hooks, and of the constructors of metaclasses."""
        for local, row in enumerate(unit.facts.definitions if unit.implicit.subclass_hook else ()):
            if row.kind == "class" and row.bases:
                for receiver, name in self._makers(unit, unit.first + local):
                    method = self._evaluator.descriptors.method(receiver, name)
                    if method >= 0:
                        hits = [(self._nodes.of_definition(method), _INHERITED, False)]
                        outcome = resolved(row.name, name, hits=hits, sort=sorts.CALLS)
                        yield _CALL_SITE, self._around(unit, row.scope), row.start_line, outcome

    def named(self, unit: FileSymbols) -> Iterator[Mention]:
        """Yield the calls of the hooks of objects in a class that run when the class is created."""
        method = unit.implicit.set_name_method
        descriptors = self._evaluator.descriptors
        if not method or not descriptors.is_defined(method):
            return
        for symbol, scope, name, line in _in_classes(unit):
            for _, number in descriptors.of(symbol, method):
                hits = [(self._nodes.of_definition(number), _INHERITED, False)]
                outcome = resolved(name, method, hits=hits, sort=sorts.CALLS)
                yield _CALL_SITE, self._around(unit, unit.scopes[scope].parent), line, outcome

    def _makers(self, unit: FileSymbols, number: int) -> Iterator[tuple[Value, str]]:
        """Yield the methods that may run when a class is created, with their receivers."""
        yield (SUPER, number, _INHERITED), unit.implicit.subclass_hook
        metaclass = self._evaluator.members.metaclass(number)
        if metaclass >= 0:
            for name in unit.calls.constructors:
                yield (INSTANCE, metaclass, _INHERITED), name

    def _around(self, unit: FileSymbols, scope: int) -> int:
        """Return the node of the definition that executes a scope."""
        while scope > 0:
            _, parent, definition, _, _ = unit.scopes[scope]
            node = self._nodes.of_definition(unit.first + definition) if definition >= 0 else -1
            if node >= 0:
                return node
            scope = parent
        return self._nodes.of_module(unit.key)


def _in_classes(unit: FileSymbols) -> Iterator[tuple[Symbol, int, str, int]]:
    """Yield the members of classes that may be objects, as (symbol, scope, name, line).

    These are variables, and methods that decorators may replace.
    """
    for scope, name in unit.variables:
        if unit.scopes[scope][0] == _IN_CLASS and unit.names[scope][name].bindings:
            line = unit.names[scope][name].bindings[0].line
            yield (VARIABLE, (unit.key, scope, name), _INHERITED), scope, name, line
    for local, row in enumerate(unit.facts.definitions):
        if row.decorators and unit.scopes[row.scope][0] == _IN_CLASS:
            symbol = DEFINITION, unit.first + local, _INHERITED
            yield symbol, row.scope, row.name, row.start_line
