"""Selection of trait implementations by type arguments.

A type may have methods of one name for several traits, and may implement one trait several times,
with different type arguments (the Rust reference, "Implementations").
"""

from collections.abc import Iterable

from mu.resolve.abstract_values import (
    EXTERNAL_INSTANCE,
    GENERIC,
    INSTANCES,
    TYPE_VARIABLE,
    Parts,
    Value,
    Values,
    class_of,
    name_outside,
    parts_of,
)
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import EXTENSION
from mu.resolve.program.program import Program


class ImplSelection:
    """A filter of methods by the trait that they implement and its type arguments."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self._bases: dict[int, tuple[int, Parts]] = {}

    def of_trait(self, methods: Iterable[int], number: int) -> set[int]:
        """Return those of `methods` that belong to or implement trait `number` or a supertrait."""
        order = self._evaluator.members.order(number)
        return {method for method in methods if self._base(method)[0] in order}

    def of_value(self, methods: Iterable[int], value: Value) -> list[int]:
        """Return those of the trait `methods` that fit the type arguments of a value."""
        if value[0] != GENERIC:
            return list(methods)
        number, parts = class_of(value), parts_of(value)
        found: list[int] = []
        for method in methods:
            base, given = self._base(method)
            pairs = zip(parts, given, strict=False) if base == number else ()
            if all(_may_be_one(part, own) for part, own in pairs):
                found.append(method)
        return found

    def _base(self, method: int) -> tuple[int, Parts]:
        """Return the trait that a method belongs to or implements, and its type arguments.

        The trait is -1 for a method of none.
        """
        known = self._bases.get(method)
        if known is None:
            known = self._find_base(method)
            self._bases[method] = known
        return known

    def _find_base(self, method: int) -> tuple[int, Parts]:
        unit, row = self._program.unit_of[method], self._program.definitions[method]
        number = unit.scopes[row.scope].definition
        if number < 0:
            return -1, ()
        holder = unit.facts.definitions[number]
        if holder.kind != EXTENSION:
            return unit.first + number, ()
        for expression, _, _ in holder.bases[1:]:
            for value in self._evaluator.type_expressions.declared(
                unit, expression, scope=holder.body
            ):
                if value[0] in INSTANCES:
                    return class_of(value), parts_of(value)
        return -1, ()


def _may_be_one(values: Values, others: Values) -> bool:
    """Return whether two type arguments may be equal; an unknown one may equal any."""
    first, second = _types(values), _types(others)
    return first is None or second is None or not first.isdisjoint(second)


def _types(values: Values) -> set[object] | None:
    """Return the classes of a type argument; None if it may be any."""
    found: set[object] = set()
    for value in values:
        if value[0] == EXTERNAL_INSTANCE:
            found.add(name_outside(value[1]))
        elif value[0] in INSTANCES and value[0] != TYPE_VARIABLE and class_of(value) >= 0:
            found.add(class_of(value))
        else:
            return None
    return found or None
