"""Widening: replace many instances by one of their nearest common ancestor in the repository.

A table of twenty commands has instances of twenty classes, more than `MOST_VALUES`. An instance of
their common base class is kept instead, and a call on it dispatches to the overrides of the twenty.
"""

from collections.abc import Iterable

from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    COUNTED_APART,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    SELF,
    Value,
    Values,
    class_of,
)
from mu.resolve.limits import MOST_VALUES
from mu.resolve.lookup.member_lookup import MemberLookup
from mu.resolve.lookup.mro import Ancestor
from mu.resolve.program.program import Program
from mu.resolve.solver.solver import Solver

_PLAIN = frozenset((INSTANCE, INSTANCE_OF_SUBTYPE, SELF))


class Widening:
    """Replaces many instances by one of their nearest common ancestor."""

    def __init__(self, program: Program, members: MemberLookup, search: Solver) -> None:
        self._program = program
        self._members = members
        search.widen = self.widened
        self._common: dict[frozenset[int], int] = {}

    def widened(self, values: Iterable[Value]) -> Values:
        """Return the values; too many instances become one of their common ancestor."""
        found = tuple({value[:2]: value for value in values}.values())
        others = [value for value in found if value[0] not in COUNTED_APART]
        if len(others) <= MOST_VALUES:
            return found
        if any(value[0] not in _PLAIN or class_of(value) < 0 for value in others):
            return found
        common = self.common(frozenset(class_of(value) for value in others))
        if common < 0:
            return found
        apart = [value for value in found if value[0] in COUNTED_APART]
        return (*apart, (INSTANCE_OF_SUBTYPE, common, Rule.INFERRED))

    def common(self, numbers: frozenset[int]) -> int:
        """Return the nearest class of the repository that all of some are or extend; else -1."""
        known = self._common.get(numbers)
        if known is None:
            known = self._common[numbers] = self._find_common(numbers)
        return known

    def _find_common(self, numbers: frozenset[int]) -> int:
        orders = [self._members.order(number) for number in sorted(numbers)]
        shared: set[Ancestor] = set(orders[0]).intersection(*orders[1:])
        for ancestor in orders[0]:
            if not isinstance(ancestor, int) or ancestor not in shared:
                continue
            if not self._program.is_library(ancestor):
                return ancestor
        return -1
