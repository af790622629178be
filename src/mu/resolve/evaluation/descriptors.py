"""Descriptor protocol: `__get__`, `__set__`, `__delete__`.

A property made by a call in the class body (`x = property(get, set)`) has the methods passed to it.
Only bindings in the class body count; a descriptor stored on an instance is an ordinary object. See
"Implementing Descriptors" in the Python language reference (3.3.2.2).
"""

from collections.abc import Iterator
from operator import itemgetter

from mu.model.facts import BindingKind, Op, ScopeKind
from mu.resolve.abstract_values import (
    CALLABLES,
    DEFINITION,
    EXTERNAL,
    FUNCTION,
    INSTANCES,
    SUPER,
    VARIABLE,
    Place,
    Symbol,
    Value,
    Values,
    bounded,
    class_of,
    number_of,
    place_of,
)
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow

_VALUE, _IN_CLASS = int(BindingKind.VALUE), int(ScopeKind.CLASS)
_NOWHERE: Place = (0, 0, "")
_CALL, _KEYWORD, _NAME = int(Op.CALL), int(Op.KEYWORD), int(Op.NAME)


class Descriptors:
    """Finds the attributes of classes that are descriptors, and their methods."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._defined: frozenset[str] | None = None

    def given(self, symbol: Symbol, holder: Value, *, method: str) -> Values | None:
        """Return what `method` of an attribute's descriptors returns; None if it has none.

        `holder` is the receiver. Functions are those that were passed to the descriptor at hand,
        not to others of its class.
        """
        described, accessors = self.of(symbol, method), self.accessors(symbol, method)
        if not described and not accessors:
            return None
        found: list[Value] = []
        for number in accessors:
            found += self._flow.call_results.result(number, receiver=holder)
        for value, number in described:
            given = self._flow.call_results.result(number, receiver=value)
            found += self._of_one(symbol, value, given)
        return bounded(found)

    def of(self, symbol: Symbol, method: str) -> list[tuple[Value, int]]:
        """Return (descriptor, its function for `method`) of each descriptor of an attribute."""
        if not method or not self.is_defined(method):
            return []
        if symbol[0] == DEFINITION:
            return self._with_method(self._put_by_decorators(number_of(symbol[1])), method)
        file, scope, name = place_of(symbol[1]) if symbol[0] == VARIABLE else _NOWHERE
        if not scope:  # a variable of a module, as most are
            return []
        unit = self._program.unit(file)
        entry = unit.names[scope].get(name)
        if entry is None or unit.scopes[scope][0] != _IN_CLASS:
            return []
        rows = [b.value for b in entry.bindings if b.kind == _VALUE and b.value]
        bound = tuple([value for row in rows for value in self._flow.values(unit, row)])
        return self._with_method(bound, method)

    def accessors(self, symbol: Symbol, method: str) -> list[int]:
        """Return the functions that a property in a class body calls for `method`.

        They are the repository's functions passed in `size = property(get_size, set_size)`.
        """
        if symbol[0] != VARIABLE:
            return []
        file, scope, name = place_of(symbol[1])
        unit = self._program.unit(file)
        entry = unit.names[scope].get(name)
        if entry is None or unit.scopes[scope][0] != _IN_CLASS:
            return []
        rows = [b.value for b in entry.bindings if unit.expressions[b.value][0] == _CALL]
        return [one for row in rows for one in self._handed(unit, row, method)]

    def _handed(self, unit: FileSymbols, row: int, method: str) -> Iterator[int]:
        """Yield the functions that a call of the property class is passed for `method`."""
        _, _, function, args = unit.expressions[row]
        _, _, last = unit.implicit.property_class.rpartition(".")
        if unit.expressions[function][:2] != (_NAME, last):
            return
        maker = EXTERNAL, unit.implicit.property_class
        if not any(value[:2] == maker for value in self._flow.values(unit, function)):
            return
        place = (
            unit.implicit.get_method,
            unit.implicit.set_method,
            unit.implicit.delete_method,
        ).index(method)
        for at, arg in enumerate(args):
            op, name, inner, _ = unit.expressions[arg]
            is_meant = (
                name == unit.implicit.accessor_arguments[place] if op == _KEYWORD else at == place
            )
            for kind, key, _ in self._flow.values(unit, inner if op == _KEYWORD else arg):
                if is_meant and kind == FUNCTION and not self._program.is_library(number_of(key)):
                    yield number_of(key)

    def _with_method(self, values: Values, method: str) -> list[tuple[Value, int]]:
        found = [(value, self.method(value, method)) for value in values]
        return [(value, number) for value, number in found if number >= 0]

    def _put_by_decorators(self, number: int) -> Values:
        """Return the values that replace a decorated method."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if not row.decorators or row.kind != "function" or unit.scopes[row.scope][0] != _IN_CLASS:
            return ()
        return self._flow.decorators.put_before(number)

    def _of_one(self, symbol: Symbol, value: Value, given: Values) -> Values:
        """Return `given` without the functions that were passed only to other descriptors."""
        if not any(one[0] in CALLABLES for one in given):
            return given
        passed: set[tuple[int, object]] = set()
        for name in self._program.unit_of[class_of(value)].calls.constructors:
            number = self.method(value, name)
            count = len(self._program.definitions[number].parameters) if number >= 0 else 0
            for place in range(count):
                passed.update(v[:2] for v in self._flow.parameter_propagation.of(number, place))
        file, scope, name = place_of(symbol[1])
        unit = self._program.unit(file)
        for binding in unit.names[scope][name].bindings:
            for arg in unit.expressions[binding.value][3]:
                passed.difference_update(v[:2] for v in self._flow.values(unit, arg))
        return tuple([one for one in given if one[0] not in CALLABLES or one[:2] not in passed])

    def method(self, value: Value, name: str) -> int:
        """Return the repository's method of an instance or `super()` by name; -1 if it has none."""
        if (value[0] in INSTANCES or value[0] == SUPER) and self.is_defined(name):
            for kind, key, _ in self._flow.members.of_class(value, name):
                if kind == DEFINITION and not self._program.is_library(number_of(key)):
                    return number_of(key)
        return -1

    def is_defined(self, method: str) -> bool:
        """Return whether any class of the repository has a member of this name."""
        if self._defined is None:
            names: set[str] = set()
            for outline in map(self._program.outline, self._program.files):
                names.update(map(itemgetter(0), outline.methods))
                names.update(outline.constructors, outline.attributes)
            self._defined = frozenset(names)
        return method in self._defined
