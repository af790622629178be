"""Declared types without instances of their own, and values that refine them.

A value declared as `typing.IO`, `Iterable` or `Mapping` is always an instance of some other class.
Where that class is in the repository, it is more precise than the declaration.
"""

from collections.abc import Callable, Iterator

from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLES,
    DEFINITION,
    INSTANCE,
    INSTANCES,
    MEMBER,
    Value,
    Values,
    bounded,
    class_of,
    is_result,
    number_of,
)
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import FunctionTypes
from mu.resolve.semantics.type_forms import Subtyping
from mu.resolve.solver.flow import Flow


class DeclaredTypes:
    """Classifies declared types as abstract or structural, and finds the values that refine them.

    All values of an abstract type are instances of other classes: interfaces, protocols, abstract
    library classes.
    """

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._known: dict[int, tuple[bool, bool]] = {}
        self._fitting: dict[tuple[int, int], bool] = {}

    def are_abstract(self, values: Values) -> bool:
        """Return whether all values are of abstract types; False if there are none."""
        for value in values:
            if not self._kind(value)[0]:
                return False
        return bool(values)

    def are_structural(self, values: Values) -> bool:
        """Return whether all values are of structural types, or results of unknown class."""
        for value in values:
            if not self._kind(value)[1]:
                return False
        return bool(values)

    def is_open(self, number: int) -> bool:
        """Return whether a class accepts instances of classes that do not extend it."""
        unit = self._program.unit_of[number]
        dotted = self._program.dotted(number) if self._program.is_library(number) else ""
        return unit.types.is_open(dotted) or self.are_structural(((INSTANCE, number, Rule.TYPED),))

    def refinements(self, declared: Values, values: Values) -> Values:
        """Return the values that fit a declaration and are more precise than it."""
        return tuple([value for value in values if self.refines(declared, value)])

    def with_refinements(self, declared: Values, values: Values) -> Values:
        """Return declared values with their refinements; over the limit, the declared alone."""
        found = bounded([*declared, *self.refinements(declared, values)])
        return found if declared[0] in found else declared

    def given(self, receivers: Values, give: Callable[[Value], Values]) -> Values:
        """Return the union of `give` over all receivers.

        If that is empty, as it may be over the limit, it is the union over the abstract ones.
        """
        if len(receivers) == 1:
            return bounded(give(receivers[0]))
        found = bounded([value for one in receivers for value in give(one)])
        if found:
            return found
        abstract = [one for one in receivers if self._kind(one)[0]]
        return bounded([value for one in abstract for value in give(one)])

    def refines(self, declared: Values, value: Value) -> bool:
        """Return whether a value fits a declaration and is more precise than it.

        That is a function where the declared type allows one, or an instance of a repository class
        that is not abstract, or that a conversion made.
        """
        if value[0] in CALLABLES or value[0] == MEMBER:
            may_be = self._flow.functional_interfaces.may_be_function
            is_taken = any(self.is_own(one) and may_be(one) for one in declared)
            return is_taken or self._flow.functional_interfaces.are_some(declared)
        is_own = self.is_own(value) and (not self._kind(value)[0] or self._is_converted(value))
        return is_own and any(self._fits(class_of(value), one) for one in declared)

    def _is_converted(self, value: Value) -> bool:
        """Return whether a value may come from a conversion to a type that is not structural."""
        unit = self._program.unit_of[class_of(value)]
        is_made = value[0] == INSTANCE and unit.calls.function_types is FunctionTypes.CONVERTED
        return is_made and not unit.types.is_shape(self._program.definitions[class_of(value)])

    def is_own(self, value: Value) -> bool:
        """Return whether a value is an instance of a class of the repository."""
        return value[0] in INSTANCES and 0 <= class_of(value) < self._program.size

    def without_structural(self, values: Values) -> Values:
        """Remove structural types, if a value is of a repository class that is not structural."""
        if len(values) > 1 and any(self.is_own(v) and not self._kind(v)[1] for v in values):
            return tuple([value for value in values if not self._kind(value)[1]])
        return values

    def _fits(self, number: int, declared: Value) -> bool:
        """Return whether instances of a class may fit a declaration by a library class.

        They do not if a library method of both returns another plain type, such as a string: text
        streams are not binary streams.
        """
        if declared[0] not in INSTANCES or not self._program.is_library(class_of(declared)):
            return True
        place = (number, class_of(declared))
        known = self._fitting.get(place)
        if known is None:
            self._fitting[place] = True  # provisional, in case of a cycle
            known = self._fitting[place] = self._find_fitting(number, declared)
        return known

    def _find_fitting(self, number: int, declared: Value) -> bool:
        own: Value = (INSTANCE, number, Rule.INFERRED)
        for name in self._methods(class_of(declared)):
            theirs, ours = self._plain_result(declared, name), self._plain_result(own, name)
            if theirs and ours and theirs.isdisjoint(ours):
                return False
        return True

    def _methods(self, number: int) -> Iterator[str]:
        """Yield the names of the methods of a class and of its ancestors."""
        for ancestor in self._flow.members.order(number):
            if isinstance(ancestor, int):
                names = self._program.unit_of[ancestor].names
                of_class = names[self._program.definitions[ancestor].body]
                yield from (name for name, entry in of_class.items() if entry.definitions)

    def _plain_result(self, value: Value, name: str) -> frozenset[int]:
        """Return the result classes of a library method if all are plain: strings or numbers."""
        found: list[Value] = []
        for kind, key, _ in self._flow.members.of_class(value, name):
            number = number_of(key) if kind == DEFINITION else -1
            if number < 0 or not self._program.is_library(number):
                return frozenset()
            found += self._flow.call_results.result(number, receiver=value)
        is_plain = all(one[0] in INSTANCES and self._is_plain(class_of(one)) for one in found)
        return frozenset(map(class_of, found)) if is_plain else frozenset()

    def _is_plain(self, number: int) -> bool:
        if number < 0 or not self._program.is_library(number):
            return False
        return self._program.unit_of[number].types.is_plain(self._program.dotted(number))

    def _kind(self, value: Value) -> tuple[bool, bool]:
        """Return (is abstract, is structural) of the class of an instance."""
        if is_result(value):
            return False, True
        number = class_of(value) if value[0] in INSTANCES else -1
        if number < 0:
            return False, False
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = self._find_kind(number)
        return known

    def _find_kind(self, number: int) -> tuple[bool, bool]:
        types = self._program.unit_of[number].types
        if not self._program.is_library(number):
            bases = self._flow.members.bases(number)
            is_protocol = any(isinstance(base, str) and types.is_protocol(base) for base in bases)
            is_interface = types.is_interface(self._program.definitions[number])
            return is_protocol or is_interface, is_protocol
        if types.is_interface(self._program.definitions[number]):
            return True, types.subtyping is Subtyping.STRUCTURAL
        dotted = self._program.dotted(number)
        return types.is_abstract_class(dotted), types.is_structural(dotted)
