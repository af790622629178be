"""Nodes of symbols and abstract values: the targets of edges."""

from collections.abc import Iterable, Sequence

from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CLASS,
    CLASSES,
    DEFINITION,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    MODULE,
    NAMESPACE,
    SELF,
    SUPER,
    VARIABLE,
    WRAPPER,
    Symbol,
    Symbols,
    Value,
    Values,
    class_of,
    is_result,
    name_outside,
    number_of,
    place_of,
)
from mu.resolve.emit.foreign_functions import ForeignFunctions
from mu.resolve.emit.ledger import Hit
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import ENUMERATION, FileSymbols
from mu.resolve.program.file_symbols import NAMESPACE as OF_NAMES
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import FIRST_KEY
from mu.resolve.semantics.call_semantics import Overloading

_FUNCTIONS = frozenset((FUNCTION, WRAPPER))
_OWN_SIDES = frozenset((SELF, SUPER))


class ValueNodes:
    """The nodes of symbols and abstract values."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, nodes: NodeTable, foreign: ForeignFunctions
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._nodes = nodes
        self._foreign = foreign
        self._has_foreign = not foreign.is_empty

    def named(
        self, unit: FileSymbols, symbols: Symbols, *, with_modules: bool = False
    ) -> list[Hit]:
        """Return the nodes that a reference names; modules of the repository only if requested."""
        if len(symbols) == 1:
            hit = self._named(unit, symbols[0], with_modules)
            return [] if hit is None else [hit]
        found = [self._named(unit, symbol, with_modules) for symbol in symbols]
        return _inside_first([target for target in found if target is not None])

    def inner(self, unit: FileSymbols, symbols: Symbols, *, hits: list[Hit]) -> list[Hit]:
        """Return the hits of an expression whose attribute is read; of external ones, variables.

        The attribute tells more about an external module (`os` in `os.path`), but only the class
        of a variable (`os.environ.get`).
        """
        variables = tuple([symbol for symbol in symbols if symbol[0] == VARIABLE])
        outside = [hit for hit in self.named(unit, variables) if hit[2]]
        return [*(hit for hit in hits if not hit[2]), *outside]

    def declared(self, functions: Iterable[int]) -> list[Hit]:
        """Return the nodes of functions that a receiver is declared to have."""
        hits = [self._of_definition(number, Rule.TYPED) for number in sorted(functions)]
        return [hit for hit in hits if hit[0] >= 0]

    def stood_for(self, unit: FileSymbols, values: Values) -> list[Hit]:
        """Return the nodes of classes and external symbols that are used as values."""
        found: list[Hit] = []
        for kind, key, rule in values:
            if kind == CLASS:
                found.append(self._of_definition(number_of(key), rule))
            elif kind == EXTERNAL:
                found.append(self._of_external(unit, str(key), rule))
        return _inside_first([target for target in found if target[0] >= 0])

    def called(
        self, unit: FileSymbols, values: Values, *, args: tuple[int, ...] | None = None
    ) -> list[Hit]:
        """Return the nodes that run when `values` are called, with `args` where they matter."""
        if not values:
            return []
        if args is None and len(values) == 1 and values[0][0] == FUNCTION:  # most calls
            number = number_of(values[0][1])
            if self._program.definitions[number].kind != "class":
                hit = self._of_definition(number, values[0][2])
                return [hit] if hit[0] >= 0 else []
        found: list[Hit] = []
        are_apart = unit.members.namespaces.are_apart
        if are_apart and any(value[0] in _FUNCTIONS for value in values):
            values = tuple([value for value in values if value[0] not in INSTANCES])
        meant = None if args is None else self._functions(unit, values, args)
        for value in values:
            kind, key, rule = value
            if kind == FUNCTION and self._program.definitions[number_of(key)].kind == "class":
                kind = CLASS  # calling it makes an instance
            if kind in _FUNCTIONS:
                if meant is None or number_of(key) in meant or self._is_outside(value):
                    found.append(self._of_definition(number_of(key), rule))
            elif kind == EXTERNAL or is_result(value):
                found.append(self._of_external(unit, str(key), rule))
            elif kind in CLASSES:
                number = number_of(key)
                if len(values) > 1 and self._program.definitions[number].subkind == OF_NAMES:
                    continue  # the function of the same name is called
                found.append(self._of_definition(number, rule))
                metaclass = self._evaluator.members.metaclass(number)
                if metaclass >= 0:
                    instance: Value = (INSTANCE, metaclass, rule)
                    found += self._methods(unit, instance, unit.calls.call_method)
                for name in unit.calls.constructors:
                    found += self._methods(unit, (INSTANCE, number, rule), name, args)
                for name in unit.calls.completing_methods:
                    found += self._methods(unit, (INSTANCE, number, rule), name)
            elif kind in _OWN_SIDES and unit.members.this_name:
                made = [
                    hit
                    for name in unit.calls.constructors
                    for hit in self._methods(unit, value, name, args)
                ]
                found += made or self._parent(unit, value)
            elif kind == INSTANCE and self._is_member(value):
                found.append(self._of_definition(number_of(key), rule))
            elif kind in INSTANCES and class_of(value) >= 0:
                found += self._methods(unit, value, unit.calls.call_method)
        return _inside_first([target for target in found if target[0] >= 0])

    def _parent(self, unit: FileSymbols, value: Value) -> list[Hit]:
        """Return the base class that a call of `super` constructs, if it has no constructor."""
        bases = self._evaluator.members.bases(class_of(value)) if value[0] == SUPER else ()
        for base in bases[:1]:
            if isinstance(base, int):
                return [self._of_definition(base, value[2])]
            if base is not None:
                return [(self._nodes.of_external(base, unit.rules), value[2], True)]
        return []

    def _is_member(self, value: Value) -> bool:
        """Return whether a value is a member of an enumeration, constructed by a call of it."""
        return self._program.definitions[class_of(value)].subkind == ENUMERATION

    def _of_definition(self, number: int, rule: Rule) -> Hit:
        return self._nodes.of_definition(number), rule, self._program.is_library(number)

    def _of_external(self, unit: FileSymbols, dotted: str, rule: Rule) -> Hit:
        """Return the node of an external symbol, or of its definition in another language."""
        dotted = name_outside(dotted)
        if self._has_foreign:
            number = self._foreign.of_name(unit, dotted)
            if number >= 0:
                return self._nodes.of_definition(number), Rule.SYMBOL, False
        return self._nodes.of_external(dotted, unit.rules), rule, True

    def _named(self, unit: FileSymbols, symbol: Symbol, with_modules: bool) -> Hit | None:
        kind, key, rule = symbol
        if kind == DEFINITION:
            hit = self._of_definition(number_of(key), rule)
            return hit if hit[0] >= 0 else None
        if kind == EXTERNAL:
            return self._of_external(unit, str(key), rule)
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

    def foreign(self, unit: FileSymbols, function: int) -> list[Hit]:
        """Return the definition in another language that a callee names as a member."""
        number = self._foreign.of_member(unit, function) if self._has_foreign else -1
        return [(self._nodes.of_definition(number), Rule.SYMBOL, False)] if number >= 0 else []

    def told_apart(
        self, unit: FileSymbols, values: Values, *, args: tuple[int, ...] | None
    ) -> tuple[Values, tuple[int, ...] | None] | None:
        """Return those values that a call with `args` may run, and the arguments still needed.

        None if it runs one of several that the arguments do not distinguish.
        """
        if args is None or unit.calls.overloading is not Overloading.BY_IMPLEMENTATION:
            return values, args
        meant = self._evaluator.overload_resolution.implementing(unit, values, args=args)
        return None if meant is None else (meant, None)

    def chosen(
        self, unit: FileSymbols, functions: Sequence[int], *, args: tuple[int, ...] | None
    ) -> Sequence[int]:
        """Return those of the repository's functions that `args` fit, where arguments matter."""
        if args is None or not functions:
            return functions
        return self._evaluator.overload_resolution.fitting(unit, functions, args=args)

    def _is_outside(self, value: Value) -> bool:
        return self._program.is_library(number_of(value[1]))

    def _functions(
        self, unit: FileSymbols, values: Values, args: tuple[int, ...]
    ) -> frozenset[int]:
        """Return the functions of the repository among values that a call may run."""
        found = [
            number_of(key)
            for kind, key, _ in values
            if kind in _FUNCTIONS and not self._program.is_library(number_of(key))
        ]
        return frozenset(self.chosen(unit, found, args=args))

    def _methods(
        self, unit: FileSymbols, value: Value, name: str, args: tuple[int, ...] | None = None
    ) -> list[Hit]:
        """Return the methods of the repository that `name` resolves to on an instance."""
        if not name:
            return []
        rules = {
            number_of(key): rule
            for kind, key, rule in self._evaluator.members.of_class(value, name)
            if kind == DEFINITION and not self._program.is_library(number_of(key))
        }
        chosen = self.chosen(unit, list(rules), args=args)
        return [self._of_definition(number, rules[number]) for number in chosen]


def _inside_first(targets: list[Hit]) -> list[Hit]:
    """Return each node once, those inside the repository first."""
    if len(targets) < 2:
        return targets
    once: dict[int, Hit] = {}
    for target in targets:
        once.setdefault(target[0], target)
    return sorted(once.values(), key=_is_external)


def _is_external(target: Hit) -> bool:
    return target[2]
