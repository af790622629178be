"""Type arguments against those of subclasses: which subclasses a generic receiver may be of.

`class Ages extends Adapter<Integer>` is no `Adapter<String>`. Only what is surely another type
excludes a subclass: a wildcard keeps its bound alone in the facts, so that classes which extend one
another may be the same argument, and nothing is known of type variables, raw types and what lies
outside.
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
    """Removes the methods of subclasses whose type arguments are others than the receiver's."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self._related: dict[tuple[Ancestor, Ancestor], bool] = {}

    def fitting(self, methods: Iterable[int], value: Value) -> list[int]:
        """Those of methods below the class of a receiver that may be its own."""
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
        """Tell whether two type arguments may be the same, as far as is known of both."""
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
        """Tell whether what does not extend a class may be taken for an instance of it."""
        if not isinstance(number, int):
            return False
        is_shape = self._program.unit_of[number].types.is_shape(self._program.definitions[number])
        return is_shape or self._evaluator.declared_types.is_open(number)

    def _extends(self, own: Ancestor, other: Ancestor) -> bool:
        """Tell whether an instance of a class may be one of another, too."""
        is_other_outside = not isinstance(other, int) or self._program.is_library(other)
        if not isinstance(own, int):
            return is_other_outside
        order = self._evaluator.members.order(own)
        if other in order or None in order:
            return True
        is_known = self._program.is_library(own) or all(isinstance(one, int) for one in order)
        return is_other_outside and not is_known


def _named(value: Value) -> Ancestor:
    """The class of a type argument; None where it may be any."""
    if value[0] == EXTERNAL_INSTANCE:
        return name_outside(value[1])
    return class_of(value) if value[0] in INSTANCES and class_of(value) >= 0 else None
