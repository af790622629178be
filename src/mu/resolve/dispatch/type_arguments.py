"""Filter of overrides by type arguments: which subclasses a generic receiver may be an instance of.

`class Ages extends Adapter<Integer>` is not an `Adapter<String>`. A subclass is excluded only where
a type argument certainly differs. The facts keep only the bound of a wildcard, so classes of which
one extends the other may be the same argument; nothing is known of type variables, raw types and
the hierarchy of external types.
"""

from collections.abc import Iterable

from mu.resolve.abstract_values import (
    EXTERNAL_INSTANCE,
    INSTANCES,
    Value,
    Values,
    class_of,
    name_outside,
    parts_of,
)
from mu.resolve.evaluator import Evaluator
from mu.resolve.lookup.mro import Ancestor
from mu.resolve.program.program import Program


class TypeArgumentFilter:
    """A filter of subclass methods, which drops those with type arguments unlike the receiver's."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self._related: dict[tuple[Ancestor, Ancestor], bool] = {}

    def fitting(self, methods: Iterable[int], value: Value) -> list[int]:
        """Return those methods of subclasses whose type arguments may be the receiver's."""
        parts = parts_of(value)
        if not any(parts):
            return list(methods)
        return [method for method in methods if self._fits(method, class_of(value), parts)]

    def _fits(self, method: int, number: int, parts: tuple[Values, ...]) -> bool:
        unit, row = self._program.unit_of[method], self._program.definitions[method]
        owner = unit.owner(row.scope)
        given = self._evaluator.type_parameters.embedded(owner, number) if owner >= 0 else None
        pairs = zip(parts, given or (), strict=False)
        return all(self._may_be_one(part, own) for part, own in pairs)

    def _may_be_one(self, values: Values, others: Values) -> bool:
        """Return whether two type arguments may be equal; an unknown one may equal any."""
        if not values or not others:
            return True
        return any(self._may_be(_named(one), _named(other)) for one in values for other in others)

    def _may_be(self, one: Ancestor, other: Ancestor) -> bool:
        if one is None or other is None or one == other:
            return True
        known = self._related.get((one, other))
        if known is None:
            known = self._is_open(one) or self._is_open(other)
            known = known or self._extends(one, other) or self._extends(other, one)
            self._related[one, other] = known
        return known

    def _is_open(self, number: Ancestor) -> bool:
        """Return whether a class accepts instances of classes that do not extend it."""
        if not isinstance(number, int):
            return False
        is_shape = self._program.unit_of[number].types.is_shape(self._program.definitions[number])
        return is_shape or self._evaluator.declared_types.is_open(number)

    def _extends(self, own: Ancestor, other: Ancestor) -> bool:
        """Return whether an instance of a class may also be an instance of another."""
        is_other_outside = not isinstance(other, int) or self._program.is_library(other)
        if not isinstance(own, int):
            return is_other_outside
        order = self._evaluator.members.order(own)
        if other in order or None in order:
            return True
        is_known = self._program.is_library(own) or all(isinstance(one, int) for one in order)
        return is_other_outside and not is_known


def _named(value: Value) -> Ancestor:
    """Return the class of a type argument; None if it may be any."""
    if value[0] == EXTERNAL_INSTANCE:
        return name_outside(value[1])
    return class_of(value) if value[0] in INSTANCES and class_of(value) >= 0 else None
