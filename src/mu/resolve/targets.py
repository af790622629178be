"""From symbols and values to nodes: what a reference is an edge to."""

from mu.model.kinds import Rule
from mu.resolve.evaluate import Evaluator
from mu.resolve.ledger import Hit
from mu.resolve.nodes import NodeTable
from mu.resolve.program import Unit
from mu.resolve.values import (
    Symbol,
    SymbolKind,
    Symbols,
    Value,
    ValueKind,
    Values,
    number_of,
    place_of,
)


class Targets:
    """Finds the nodes that symbols and values stand for."""

    def __init__(self, evaluator: Evaluator, nodes: NodeTable) -> None:
        self._evaluator = evaluator
        self._nodes = nodes

    def named(self, unit: Unit, symbols: Symbols, *, with_modules: bool = False) -> list[Hit]:
        """The nodes that a reference names; modules among them only if asked for."""
        found = [self._named(unit, symbol, with_modules=with_modules) for symbol in symbols]
        return _inside_first([target for target in found if target is not None])

    def stood_for(self, unit: Unit, values: Values) -> list[Hit]:
        """The nodes of classes and external things that are passed around as values."""
        found: list[Hit] = []
        for kind, key, rule in values:
            if kind == ValueKind.CLASS:
                found.append((self._nodes.of_definition(number_of(key)), rule, False))
            elif kind == ValueKind.EXTERNAL:
                found.append((self._nodes.of_external(str(key), unit.rules), rule, True))
        return _inside_first(found)

    def called(self, unit: Unit, values: Values) -> list[Hit]:
        """The nodes that run when `values` are called."""
        found: list[Hit] = []
        for value in values:
            kind, key, rule = value
            if kind == ValueKind.CLASS:
                found.append((self._nodes.of_definition(number_of(key)), rule, False))
                found += self._constructors(unit, value)
            elif kind == ValueKind.FUNCTION:
                found.append((self._nodes.of_definition(number_of(key)), rule, False))
            elif kind == ValueKind.EXTERNAL:
                found.append((self._nodes.of_external(str(key), unit.rules), rule, True))
            elif kind == ValueKind.INSTANCE:
                found += self._methods(value, unit.rules.call_method)
        return _inside_first([target for target in found if target[0] >= 0])

    def _named(self, unit: Unit, symbol: Symbol, *, with_modules: bool) -> Hit | None:
        kind, key, rule = symbol
        node = -1
        if kind == SymbolKind.DEFINITION:
            node = self._nodes.of_definition(number_of(key))
        elif kind == SymbolKind.VARIABLE:
            node = self._nodes.of_variable(place_of(key))
        elif kind == SymbolKind.EXTERNAL:
            return self._nodes.of_external(str(key), unit.rules), rule, True
        elif kind == SymbolKind.MODULE and with_modules:
            node = self._nodes.of_module(number_of(key))
        elif kind == SymbolKind.NAMESPACE and with_modules:
            node = self._nodes.of_namespace(str(key), unit.file.language)
        return None if node < 0 else (node, rule, False)

    def _constructors(self, unit: Unit, value: Value) -> list[Hit]:
        """The methods of the repository that run when a class is called."""
        _, key, rule = value
        instance = (ValueKind.INSTANCE, key, rule)
        return [
            target for name in unit.rules.constructors for target in self._methods(instance, name)
        ]

    def _methods(self, instance: Value, name: str) -> list[Hit]:
        if not name:
            return []
        return [
            (self._nodes.of_definition(number_of(key)), rule, False)
            for kind, key, rule in self._evaluator.members.of_class(instance, name)
            if kind == SymbolKind.DEFINITION
        ]


def _inside_first(targets: list[Hit]) -> list[Hit]:
    """Each node once, those inside the repository first."""
    if len(targets) < 2:
        return targets
    once: dict[int, Hit] = {}
    for target in targets:
        once.setdefault(target[0], target)
    return sorted(once.values(), key=_is_external)


def _is_external(target: Hit) -> bool:
    return target[2]
