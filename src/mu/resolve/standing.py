"""Declared types that have no instances of their own, and what stands behind them.

`typing.IO`, `Iterable`, `Mapping`: what is declared so is always an instance of some other class,
and where that is one of the repository's, it says more than the declaration.
"""

from mu.resolve.program import Program
from mu.resolve.values import INSTANCES, Value, Values, class_of, is_result


class Standing:
    """Tells declarations that stand for other classes from those that name the class itself."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[int, tuple[bool, bool]] = {}

    def are_abstract(self, values: Values) -> bool:
        """Whether all of some values are instances of abstract classes of the library."""
        return bool(values) and all(self._kind(value)[0] for value in values)

    def are_structural(self, values: Values) -> bool:
        """The same of classes that stand for all that have their methods."""
        return bool(values) and all(self._kind(value)[1] for value in values)

    def own(self, values: Values) -> Values:
        """Those of the values that are instances of the repository's classes."""
        return tuple([value for value in values if self.is_own(value)])

    def is_own(self, value: Value) -> bool:
        """Whether a value is an instance of a class of the repository."""
        return value[0] in INSTANCES and 0 <= class_of(value) < self._program.size

    def without_structural(self, values: Values) -> Values:
        """The values less those that only say what the repository's own among them can do."""
        if len(values) > 1 and any(map(self.is_own, values)):
            return tuple([value for value in values if not self._kind(value)[1]])
        return values

    def _kind(self, value: Value) -> tuple[bool, bool]:
        """Whether the class of an instance is abstract, and whether it is structural."""
        if is_result(value):
            return False, True
        number = class_of(value) if value[0] in INSTANCES else -1
        if number < self._program.size:  # the repository's, or none
            return False, False
        known = self._known.get(number)
        if known is None:
            rules, dotted = self._program.unit_of[number].rules, self._program.dotted(number)
            known = rules.is_abstract_class(dotted), rules.is_structural(dotted)
            self._known[number] = known
        return known
