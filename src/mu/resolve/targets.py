"""From symbols and values to nodes: what a reference is an edge to."""

from mu.model.kinds import Rule
from mu.resolve.evaluate import Evaluator
from mu.resolve.ledger import Hit
from mu.resolve.library import FIRST_KEY
from mu.resolve.nodes import NodeTable
from mu.resolve.program import Program
from mu.resolve.unit import ENUMERATION, Unit
from mu.resolve.values import (
    CLASS,
    CLASSES,
    DEFINITION,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    MODULE,
    NAMESPACE,
    OWN,
    SUPER,
    VARIABLE,
    WRAPPER,
    Symbol,
    Symbols,
    Value,
    Values,
    class_of,
    is_result,
    number_of,
    place_of,
)

_FUNCTIONS = frozenset((FUNCTION, WRAPPER))
_OWN_SIDES = frozenset((OWN, SUPER))


class Targets:
    """Finds the nodes that symbols and values stand for."""

    def __init__(self, program: Program, evaluator: Evaluator, nodes: NodeTable) -> None:
        self._program = program
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
                found.append(self._of_definition(number_of(key), rule))
            elif kind == EXTERNAL:
                found.append((self._nodes.of_external(str(key), unit.rules), rule, True))
        return _inside_first([target for target in found if target[0] >= 0])

    def called(self, unit: Unit, values: Values, *, count: int = -1) -> list[Hit]:
        """The nodes that run when `values` are called, with `count` arguments if that matters."""
        if not values:
            return []
        found: list[Hit] = []
        if unit.rules.has_function_names and any(value[0] in _FUNCTIONS for value in values):
            values = tuple([value for value in values if value[0] not in INSTANCES])
        for value in values:
            kind, key, rule = value
            if kind in _FUNCTIONS:
                if self.takes(number_of(key), count):
                    found.append(self._of_definition(number_of(key), rule))
            elif kind == EXTERNAL or is_result(value):
                found.append((self._nodes.of_external(str(key), unit.rules), rule, True))
            elif kind in CLASSES:
                number = number_of(key)
                found.append(self._of_definition(number, rule))
                for name in unit.rules.constructors:
                    found += self._methods((INSTANCE, number, rule), name, count)
                for name in unit.rules.completing_methods:
                    found += self._methods((INSTANCE, number, rule), name)
            elif kind in _OWN_SIDES and unit.rules.own_name:
                for name in unit.rules.constructors:
                    found += self._methods(value, name, count)
            elif kind == INSTANCE and self._is_member(value):
                found.append(self._of_definition(number_of(key), rule))
            elif kind in INSTANCES and class_of(value) >= 0:
                found += self._methods(value, unit.rules.call_method)
        return _inside_first([target for target in found if target[0] >= 0])

    def _is_member(self, value: Value) -> bool:
        """Whether a value is a member of an enumeration, which is called to be made."""
        return self._program.definitions[class_of(value)].subkind == ENUMERATION

    def _of_definition(self, number: int, rule: Rule) -> Hit:
        return self._nodes.of_definition(number), rule, self._program.is_library(number)

    def _named(self, unit: Unit, symbol: Symbol, with_modules: bool) -> Hit | None:
        kind, key, rule = symbol
        if kind == DEFINITION:
            hit = self._of_definition(number_of(key), rule)
            return hit if hit[0] >= 0 else None
        if kind == EXTERNAL:
            return self._nodes.of_external(str(key), unit.rules), rule, True
        node, is_external = -1, False
        if kind == VARIABLE:
            place = place_of(key)
            node, is_external = self._nodes.of_variable(place), place[0] >= FIRST_KEY
        elif kind == MODULE:
            is_external = number_of(key) >= FIRST_KEY
            if with_modules or is_external:
                node = self._nodes.of_module(number_of(key))
        elif kind == NAMESPACE and with_modules:
            node = self._nodes.of_namespace(str(key), unit)
        return None if node < 0 else (node, rule, is_external)

    def takes(self, number: int, count: int) -> bool:
        """Whether a function may be called with `count` arguments; -1: that does not matter."""
        if count < 0 or self._program.is_library(number):
            return True
        parameters = self._program.definitions[number].parameters
        needed = sum(not (row.kind or row.default) for row in parameters)
        is_open = any(row.kind for row in parameters)
        return needed <= count and (is_open or count <= len(parameters))

    def _methods(self, value: Value, name: str, count: int = -1) -> list[Hit]:
        """The methods of the repository that `name` means on an instance of a class."""
        if not name:
            return []
        return [
            self._of_definition(number_of(key), rule)
            for kind, key, rule in self._evaluator.members.of_class(value, name)
            if kind == DEFINITION
            and not self._program.is_library(number_of(key))
            and self.takes(number_of(key), count)
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
