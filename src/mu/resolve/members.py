"""What an attribute means, by what its receiver is."""

from typing import Protocol

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.inheritance import Ancestor, linearise
from mu.resolve.names import Names
from mu.resolve.program import Program, Unit
from mu.resolve.rules import Target
from mu.resolve.search import Search
from mu.resolve.values import (
    CLASS,
    DEFINITION,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    MISSING,
    MODULE,
    NAMESPACE,
    SUPER,
    VARIABLE,
    Symbols,
    Value,
    Values,
    number_of,
)

_OUTSIDE = frozenset((EXTERNAL, EXTERNAL_INSTANCE))
_OF_CLASS = frozenset((INSTANCE, CLASS, SUPER))


class Evaluates(Protocol):
    """What the bases of classes are found with."""

    def values(self, unit: Unit, number: int) -> Values:
        """What expression `number` of a file may give."""


class Members:
    """Looks attributes up: in modules, along the order of a class's ancestors, outside."""

    def __init__(
        self, program: Program, names: Names, *, search: Search, evaluator: Evaluates
    ) -> None:
        self._program = program
        self._names = names
        self._search = search
        self._evaluator = evaluator
        self._orders: dict[int, tuple[Ancestor, ...]] = {}
        self._found: dict[tuple[object, str, Rule, bool], Symbols] = {}
        self._bases: dict[int, tuple[Ancestor, ...]] = {}

    def of(self, unit: Unit, value: Value, *, name: str) -> Symbols:
        """What `name` means as an attribute of `value`."""
        kind, key, rule = value
        if kind in _OUTSIDE:
            if unit.rules.lacks_member(str(key), name):
                return ()
            return ((EXTERNAL, f"{key}.{name}", rule),)
        if kind in _OF_CLASS:
            return self.of_class(value, name)
        if kind == MODULE:
            return self._of_module(unit, Target(file=number_of(key)), name)
        if kind == NAMESPACE:
            return self._of_module(unit, Target(namespace=str(key)), name)
        if kind == FUNCTION:
            return self._of_function(number_of(key), name, rule)
        return ()

    def of_class(self, value: Value, name: str) -> Symbols:
        """The member of a class, an instance or `super()`, by the order of the ancestors."""
        kind, key, rule = value
        place = (key, name, rule, kind == SUPER)
        known = self._found.get(place)
        if known is None:
            unsettled = self._search.unsettled
            known = self._find_member(number_of(key), name, rule, skip=kind == SUPER)
            if self._search.unsettled == unsettled:
                self._found[place] = known
        return known

    def _find_member(self, number: int, name: str, rule: Rule, *, skip: bool) -> Symbols:
        order = self.order(number)
        if self._program.unit_of[number].rules.is_private_to_class(name):
            return self._own(number, name, rule)
        further = _further(rule)
        for ancestor in order[1:] if skip else order:
            if isinstance(ancestor, int):
                found = self._own(ancestor, name, rule if ancestor == number else further)
                if found:
                    return found
        return self._outside(number, order, name, further)

    def order(self, number: int) -> tuple[Ancestor, ...]:
        """The class and its ancestors, in the order in which they are asked."""
        known = self._orders.get(number)
        return linearise(number, self.bases, known=self._orders) if known is None else known

    def bases(self, number: int) -> tuple[Ancestor, ...]:
        """The direct bases of a class, in the order they are written."""
        known = self._bases.get(number)
        if known is not None:
            return known
        found, is_final = self._search.solve(("bases", number), lambda: self._find_bases(number))
        if is_final:
            self._bases[number] = found
        return found

    def _find_bases(self, number: int) -> tuple[Ancestor, ...]:
        unit, definition = self._program.unit_of[number], self._program.definitions[number]
        found: list[Ancestor] = []
        for expression, _, keyword in definition.bases:
            if not keyword:
                base = self._base(unit, expression)
                if base == number:  # `class Client(Client)`: the one that was there before
                    base = self._replaced(unit, number)
                found.append(base)
        return tuple(dict.fromkeys(found))

    def _base(self, unit: Unit, expression: int) -> Ancestor:
        """The class an expression names; the last that fits, where several do."""
        op, _, base, _ = unit.expressions[expression]
        values = self._evaluator.values(unit, base if op == Op.INDEX else expression)
        for kind, key, _ in values:
            if kind == CLASS:
                return number_of(key)
        for kind, key, _ in values:
            if kind == EXTERNAL:
                return str(key)
        return None

    def _replaced(self, unit: Unit, number: int) -> Ancestor:
        for kind, key, _ in self._names.before(unit, number - unit.first):
            if kind == DEFINITION:
                return number_of(key)
            if kind == EXTERNAL:
                return str(key)
        return None

    def _of_function(self, number: int, name: str, rule: Rule) -> Symbols:
        """A property is an object of the language and has its members; a function's are unknown."""
        row, rules = self._program.definitions[number], self._program.unit_of[number].rules
        if not (row.decorators and rules.is_property(row)):
            return ()
        return ((EXTERNAL, f"{rules.literal_type('property')}.{name}", rule),)

    def _of_module(self, unit: Unit, target: Target, name: str) -> Symbols:
        found = self._names.of_target(unit, target, name=name)
        return tuple(symbol for symbol in found if symbol[0] != MISSING)

    def _own(self, number: int, name: str, rule: Rule) -> Symbols:
        """What the body of a class, or its methods, bind to `name`."""
        unit, body = self._program.unit_of[number], self._program.definitions[number].body
        symbols = self._names.in_class(unit, name, body=body)
        if symbols is not None:
            return tuple([(kind, key, rule) for kind, key, _ in symbols])
        fields = unit.fields.get(number - unit.first)
        if fields is not None and name in fields:
            return ((VARIABLE, (unit.file.key, body, name), rule),)
        return ()

    def _outside(self, number: int, order: tuple[Ancestor, ...], name: str, rule: Rule) -> Symbols:
        """A member that no class of the repository has: the one external ancestor's, or every
        object's; nothing when it could be either of several, or the ancestor is known not to have
        it.
        """
        if None in order:
            return ()
        rules = self._program.unit_of[number].rules
        outside = [a for a in order if isinstance(a, str) and not rules.has_no_members(a)]
        dotted = None
        if len(outside) == 1 and not rules.lacks_member(outside[0], name):
            dotted = f"{outside[0]}.{name}"
        elif not outside:
            dotted = rules.object_member(name)
        return () if dotted is None else ((EXTERNAL, dotted, rule),)


_DIRECT = (Rule.SELF, Rule.MODULE, Rule.IMPORT, Rule.LOCAL)
_INHERITED = Rule.INHERITED


def _further(rule: Rule) -> Rule:
    """How a member is found on an ancestor, given how it would have been on the class itself."""
    return _INHERITED if rule in _DIRECT else rule
