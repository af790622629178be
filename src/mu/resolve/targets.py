"""From symbols and values to nodes: what a reference is an edge to."""

from mu.model.kinds import Rule
from mu.resolve.evaluate import Evaluator
from mu.resolve.ledger import Hit
from mu.resolve.nodes import NodeTable
from mu.resolve.program import Unit
from mu.resolve.values import (
    CLASS,
    DEFINITION,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    MODULE,
    NAMESPACE,
    VARIABLE,
    Symbol,
    Symbols,
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
        if len(symbols) == 1:
            hit = self._named(unit, symbols[0], with_modules)
            return [] if hit is None else [hit]
        found = [self._named(unit, symbol, with_modules) for symbol in symbols]
        return _inside_first([target for target in found if target is not None])

    def stood_for(self, unit: Unit, values: Values) -> list[Hit]:
        """The nodes of classes and external things that are passed around as values."""
        found: list[Hit] = []
        for kind, key, rule in values:
            if kind == CLASS:
                found.append((self._nodes.of_definition(number_of(key)), rule, False))
            elif kind == EXTERNAL:
                found.append((self._nodes.of_external(str(key), unit.rules), rule, True))
        return _inside_first(found)

    def called(self, unit: Unit, values: Values) -> list[Hit]:
        """The nodes that run when `values` are called."""
        if not values:
            return []
        found: list[Hit] = []
        for kind, key, rule in values:
            if kind == FUNCTION:
                found.append((self._nodes.of_definition(number_of(key)), rule, False))
            elif kind == EXTERNAL:
                found.append((self._nodes.of_external(str(key), unit.rules), rule, True))
            elif kind == CLASS:
                number = number_of(key)
                found.append((self._nodes.of_definition(number), rule, False))
                for name in unit.rules.constructors:
                    found += self._methods(number, rule, name)
            elif kind == INSTANCE:
                found += self._methods(number_of(key), rule, unit.rules.call_method)
        return _inside_first([target for target in found if target[0] >= 0])

    def _named(self, unit: Unit, symbol: Symbol, with_modules: bool) -> Hit | None:
        kind, key, rule = symbol
        node = -1
        if kind == DEFINITION:
            node = self._nodes.of_definition(number_of(key))
        elif kind == EXTERNAL:
            return self._nodes.of_external(str(key), unit.rules), rule, True
        elif kind == VARIABLE:
            node = self._nodes.of_variable(place_of(key))
        elif kind == MODULE and with_modules:
            node = self._nodes.of_module(number_of(key))
        elif kind == NAMESPACE and with_modules:
            node = self._nodes.of_namespace(str(key), unit.file.language)
        return None if node < 0 else (node, rule, False)

    def _methods(self, number: int, rule: Rule, name: str) -> list[Hit]:
        """The methods of the repository that `name` means on an instance of a class."""
        if not name:
            return []
        return [
            (self._nodes.of_definition(number_of(key)), rule, False)
            for kind, key, rule in self._evaluator.members.of_class((INSTANCE, number, rule), name)
            if kind == DEFINITION
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
