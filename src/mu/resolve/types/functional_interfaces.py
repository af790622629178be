"""Functional interfaces: functions as instances of types with a single abstract method.

Source: the Java language specification, section 9.8 ("Functional Interfaces").
"""

from collections.abc import Iterator

from mu.model.facts import Flag
from mu.resolve.abstract_values import (
    CALLABLE,
    FUNCTION,
    INSTANCES,
    NESTED,
    SELF,
    VAGUE,
    Value,
    Values,
    class_of,
    parts_of,
    pruned,
)
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import FunctionTypes
from mu.resolve.solver.flow import Flow
from mu.resolve.types.type_expressions import TYPE_OF
from mu.resolve.types.type_parameters import substitute

_ABSTRACT, _STATIC = int(Flag.BODILESS), int(Flag.STATIC)
_INTERFACE = FunctionTypes.INTERFACE


class FunctionalInterfaces:
    """Finds functional interfaces and function types, and the functions converted to them."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._methods: dict[int, int] = {}

    def method(self, value: Value) -> int:
        """Return the single abstract method of an instance's class, by number.

        It is -1 if the class is no functional interface.
        """
        number = class_of(value) if value[0] in INSTANCES else -1
        if number < 0:
            return -1
        if self._program.unit_of[number].calls.function_types is not _INTERFACE:
            return -1
        known = self._methods.get(number)
        if known is None:
            known = self._methods[number] = self._find_method(number)
        return known

    def are_some(self, values: Values) -> bool:
        """Return whether some of the values are instances of functional interfaces."""
        return any(self.method(value) >= 0 for value in values)

    def are_functions(self, pattern: Values) -> bool:
        """Return whether a declared type is callable, a type variable or contains functions."""
        for value in pattern:
            if value[0] in VAGUE:
                return True
            if value[0] in NESTED:
                for part in parts_of(value):
                    if any(one[0] == CALLABLE or self.is_type(one) for one in part):
                        return True
        return False

    def is_type(self, value: Value) -> bool:
        """Return whether a value is an instance of a function type of the repository."""
        number = class_of(value) if value[0] in INSTANCES else -1
        if not 0 <= number < self._program.size:
            return False
        return self.is_type_of_functions(number)

    def may_be_function(self, value: Value) -> bool:
        """Return whether a function may be an instance of the class that is declared.

        Where functions are converted, only function types allow that.
        """
        calls = self._program.unit_of[class_of(value)].calls
        return calls.function_types is not FunctionTypes.CONVERTED or self.is_type(value)

    def is_type_of_functions(self, number: int) -> bool:
        """Return whether a class is a function type, such as `type Handler func()` in Go."""
        unit = self._program.unit_of[number]
        return unit.calls.is_function_type(self._program.definitions[number])

    def with_converted(self, values: Values) -> Values:
        """Return the values and, for `SELF` of a function type, the functions converted to it."""
        found = [
            function
            for value in values
            if value[0] == SELF and self.is_type(value)
            for function in self._flow.parameter_propagation.of(class_of(value), 0)
            if function[0] == FUNCTION
        ]
        return (*values, *found) if found else values

    def called_by(self, unit: FileSymbols, values: Values, *, name: str) -> Values:
        """Remove functions from receivers of `name`, unless it is what calls a function.

        It calls one if it is the abstract method of a functional interface among the values.
        """
        if unit.calls.function_types is not _INTERFACE:
            return values
        for value in values:
            if value[0] == FUNCTION:
                break
        else:
            return values
        methods = [self.method(value) for value in values]
        is_called = any(n >= 0 and self._program.definitions[n].name == name for n in methods)
        return values if is_called else tuple([v for v in values if v[0] != FUNCTION])

    def with_signatures(self, pattern: Values) -> Values:
        """Add the call signature of each functional interface in a declared type."""
        found = list(pattern)
        for value in pattern:
            if self.method(value) >= 0:
                found.append(self._signature(value))
        return tuple(found)

    def _signature(self, value: Value) -> Value:
        """Return the call signature of a functional interface, as a `CALLABLE`."""
        number = self.method(value)
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        passing, annotations = self._flow.argument_binding, self._flow.type_expressions
        given = annotations.declared(unit, row.returns, scope=row.body) if row.returns else ()
        taken = [passing.pattern(number, place) for place in range(len(row.parameters))]
        environment = self._flow.type_parameters.seen_from(value, unit.owner(row.scope))
        signature = tuple([substitute(part, environment) for part in (given, *taken)])
        return CALLABLE, (TYPE_OF, pruned(signature)), value[2]

    def _find_method(self, number: int) -> int:
        row, unit = self._program.definitions[number], self._program.unit_of[number]
        if not unit.types.is_interface(row):
            return -1
        root = self._program.root_class(unit.rules)
        known = frozenset(name for name, _ in self._members(root)) if root >= 0 else frozenset()
        found: dict[str, int] = {}
        given: set[str] = set(known)
        for ancestor in self._flow.members.order(number):
            if isinstance(ancestor, int) and ancestor != root:
                for name, method in self._members(ancestor):
                    flags = self._program.definitions[method].flags
                    if flags & _ABSTRACT and name not in given:
                        found.setdefault(name, method)
                    elif not flags & _STATIC and name not in found:
                        given.add(name)
            elif ancestor is None:
                return -1
        is_told = len(found) == 1 and unit.members.fallback_member not in found
        return next(iter(found.values())) if is_told else -1

    def _members(self, number: int) -> Iterator[tuple[str, int]]:
        """Yield (name, number) of the methods that the body of a class defines."""
        unit, body = self._program.unit_of[number], self._program.definitions[number].body
        for name, entry in unit.names[body].items():
            for local in entry.definitions:
                if unit.facts.definitions[local].kind == "function":
                    yield name, unit.first + local
