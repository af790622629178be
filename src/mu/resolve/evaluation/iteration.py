"""Iteration, context manager, await and subscript protocols."""

from mu.model.facts import ASYNC, KEY, Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CLASSES,
    DEFINITION,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    TUPLE,
    Symbol,
    Symbols,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    collection,
    is_about_own,
    is_result,
    number_of,
    parts_of,
)
from mu.resolve.limits import DEEPEST_VALUE, MOST_VALUES
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow

_SLICES = frozenset(("slice", "range"))


class Iteration:
    """Computes the results of loops, `with`, `await` and subscripts from their methods."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def elements(self, unit: FileSymbols, values: Values, *, how: str = "") -> Values:
        """Return the elements of iterated values; `how` is the text of an `Op.ELEMENT`."""
        found: list[Value] = []
        methods = (
            unit.implicit.key_methods
            if how == KEY
            else unit.implicit.methods_of(unit.implicit.iterate_methods, how)
        )
        for value in values:
            if value[0] == TUPLE:
                found += [v for part in parts_of(value) for v in part]
            elif value[0] == EXTERNAL_INSTANCE:
                found += unit.library.unknown_result(str(value[1]), step="[]")
            elif value[0] in CLASSES:
                if self._is_enumeration(class_of(value)):  # its members are instances of it
                    found.append((INSTANCE, class_of(value), Rule.INFERRED))
                    continue
                instance = self._flow.members.of_metaclass(value)
                for iterator in self._by_method(instance, methods) if instance != value else ():
                    found += self._next(unit, iterator)
            elif value[0] in INSTANCES:
                iterators = self._by_method(value, methods)
                # An asynchronous generator expression has the class of a plain one.
                if how == ASYNC and not iterators and self._is_outside(value):
                    iterators = self._by_method(value, unit.implicit.iterate_methods)
                for iterator in iterators:
                    found += self._next(unit, iterator)
        if len(found) > MOST_VALUES:
            found = [*self._flow.widening.widened(found)]
        return by_rule(Rule.INFERRED, bounded(found))

    def _is_enumeration(self, number: int) -> bool:
        """Return whether a class of the repository extends an enumeration of the library."""
        types = self._program.unit_of[number].types
        return any(
            isinstance(ancestor, int)
            and self._program.is_library(ancestor)
            and types.is_enumeration(self._program.dotted(ancestor))
            for ancestor in self._flow.members.order(number)
        )

    def iterators(self, unit: FileSymbols, values: Values, *, how: str = "") -> Values:
        """Return the iterators of values; `how` is the text of an `Op.ELEMENT`."""
        methods = unit.implicit.methods_of(unit.implicit.iterate_methods, how)
        instances = [value for value in values if value[0] in INSTANCES]
        return bounded([v for value in instances for v in self._by_method(value, methods)])

    def _next(self, unit: FileSymbols, iterator: Value) -> Values:
        if iterator[0] not in INSTANCES:
            return ()
        methods, member = unit.implicit.next_methods, unit.implicit.next_member
        found = self.awaited(unit, self._by_method(iterator, methods[:1] if member else methods))
        if found or not member:
            return found
        steps = self.awaited(unit, self._by_method(iterator, methods[1:]))
        return bounded(
            [v for one in steps for v in self._flow.attribute_loads.read(unit, one, name=member)]
        )

    def entered(self, unit: FileSymbols, values: Values, *, how: str = "") -> Values:
        """Return what context managers return on entry; `how` is the text of an `Op.ENTERED`."""
        found: list[Value] = []
        methods = unit.implicit.methods_of(unit.implicit.enter_methods, how)
        for value in values:
            if value[0] in INSTANCES:
                found += self._by_method(value, methods)
        return self.awaited(unit, bounded(found))

    def awaited(self, unit: FileSymbols, values: Values, *, depth: int = 0) -> Values:
        """Return the results of awaiting values; a value that cannot be awaited is its own result.

        External instances with type arguments from the repository are left out: their results are
        unknown.
        """
        number = self._program.library_class(unit.rules, unit.implicit.awaitable_class)
        if number < 0:
            return values
        found: list[Value] = []
        for value in values:
            if is_about_own(value):
                continue
            parts = (
                self._flow.type_parameters.view(value, number) if value[0] in INSTANCES else None
            )
            if parts is None:
                found.append(value)
                continue
            given = tuple([v for part in parts[:1] for v in part])
            if depth < min(unit.implicit.await_depth - 1, DEEPEST_VALUE):
                given = self.awaited(unit, given, depth=depth + 1)
            found += given
        return bounded(found)

    def indexed(self, unit: FileSymbols, number: int) -> Values:
        """Return the points-to set of a subscript; a class with type arguments is itself."""
        if unit.expressions[number][1].isidentifier():
            return self._flow.values(unit, unit.expressions[number][2])
        listed = self._flow.constant_keys.listed(unit, number)
        if listed is None and unit.library.namespace_functions:
            listed = self._flow.constant_strings.named(unit, number)
        if listed is not None:
            return listed
        _, index, base, args = unit.expressions[number]
        found: list[Value] = []
        for value in self._flow.values(unit, base):
            if value[0] in CLASSES:
                found += self._of_class(unit, value, args)
            elif self._flow.object_literals.is_one(value):
                found += self._flow.object_literals.entries(unit, base, of=value)
            elif value[0] in INSTANCES and self._is_slice(unit, args) and self._is_outside(value):
                found.append(value)  # a slice has the type of its operand
            elif value[0] == TUPLE and index and _has_part(value, index):
                found += parts_of(value)[int(index)]
            elif value[0] in INSTANCES and self._is_keyed(value):
                for name in self._flow.constant_strings.texts(unit, args[0]) if args else ():
                    found += self._flow.attribute_loads.read(unit, value, name=name)
            elif value[0] in INSTANCES:
                given = self._by_method(value, (unit.implicit.index_method,), call=(unit, args))
                found += given or self._by_method(value, (unit.implicit.missing_method,))
            elif value[0] == EXTERNAL_INSTANCE:
                found += unit.library.unknown_result(str(value[1]), step="[]")
            elif value[0] == FUNCTION:  # with type arguments
                found.append(value)
        return bounded(found)

    def keyed(self, unit: FileSymbols, operation: int) -> tuple[str, Symbols]:
        """Return the constant key of a subscript, read or stored, and the members it names."""
        rows = unit.expressions
        stored, _, target, _ = rows[operation]
        op, _, base, args = rows[target if stored == Op.STORED else operation]
        if op != Op.INDEX or len(args) != 1 or rows[args[0]][0] != Op.STRING:
            return "", ()
        name = rows[args[0]][1]
        found = [
            symbol
            for value in self._flow.values(unit, base)
            if value[0] in INSTANCES and self._is_keyed(value)
            for symbol in self._flow.members.of_class(value, name)
        ]
        return name, tuple(dict.fromkeys(found))

    def _is_keyed(self, value: Value) -> bool:
        """Return whether an instance is a dictionary with declared members as keys: `TypedDict`."""
        return self._flow.declared_types.is_own(value) and self.is_keyed_class(class_of(value))

    def is_keyed_class(self, number: int) -> bool:
        """Return whether instances of a class are dictionaries with its members as keys."""
        unit = self._program.unit_of[number]
        keyed = self._program.library_class(unit.rules, unit.implicit.keyed_class)
        return keyed >= 0 and keyed in self._flow.members.order(number)

    def _of_class(self, unit: FileSymbols, value: Value, args: tuple[int, ...]) -> Values:
        """Return the result of subscripting a class: by its own method, else by its metaclass's.

        Without either it is a generic class with type arguments, and itself.
        """
        call, itself = (unit, args), (INSTANCE, class_of(value), value[2])
        number = self._flow.descriptors.method(itself, unit.implicit.class_index_method)
        if number >= 0:
            return self._flow.call_results.result(number, receiver=value, call=call) or (value,)
        instance = self._flow.members.of_metaclass(value)
        if instance == value:
            return (value,)
        return self._by_method(instance, (unit.implicit.index_method,), call=call) or (value,)

    def _is_slice(self, unit: FileSymbols, args: tuple[int, ...]) -> bool:
        op, text, _, _ = unit.expressions[args[0]] if args else (0, "", 0, ())
        return op == Op.COLLECTION and text in _SLICES

    def _is_outside(self, value: Value) -> bool:
        return class_of(value) >= 0 and self._program.is_library(class_of(value))

    def part(self, unit: FileSymbols, values: Values, *, place: str, whole: int) -> Values:
        """Return the part that an `Op.ITEM` takes from the values of the row `whole`."""
        if place == "*":
            return self.rest(unit, values, whole=whole)
        if "." in place:
            return self._of_variant(unit, values, place)
        return self.unpacked(unit, values, place=int(place))

    def _of_variant(self, unit: FileSymbols, values: Values, place: str) -> Values:
        """Return the member of a variant, or of the class itself if it has no variants."""
        found: list[Value] = []
        for value in values:
            if is_result(value):
                found.append(value)
            elif value[0] in INSTANCES:
                names = (place, place.rpartition(".")[2])
                held = (self._flow.attribute_loads.read(unit, value, name=name) for name in names)
                found += next(filter(None, held), ())
        return by_rule(Rule.INFERRED, bounded(found))

    def fields(self, values: Values, place: str) -> Symbols:
        """Return the members that a pattern names, given the values it is matched with."""
        found: list[Symbol] = []
        for value in values:
            if value[0] in INSTANCES:
                names = (place, place.rpartition(".")[2])
                meant = (self._flow.members.of_class(value, name) for name in names)
                found += next(filter(None, meant), ())
        return tuple(dict.fromkeys(found))

    def unpacked(self, unit: FileSymbols, values: Values, *, place: int) -> Values:
        """Return the part of unpacked values at a place, which is negative from the end."""
        found: list[Value] = []
        for value in values:
            parts = parts_of(value) if value[0] == TUPLE else ()
            if -len(parts) <= place < len(parts):
                found += parts[place]
            elif is_result(value):
                found.append(value)
            elif not parts:
                found += self.elements(unit, (value,))
        return bounded(found)

    def rest(self, unit: FileSymbols, values: Values, *, whole: int) -> Values:
        """Return a list of the parts of the row `whole` that no other target takes."""
        number = self._program.literal_class(unit, "list")
        if number < 0:
            return ()
        taken = [
            int(text)
            for op, text, base, _ in unit.expressions
            if op == Op.ITEM and base == whole and text != "*"
        ]
        found: list[Value] = []
        for value in values:
            if value[0] == TUPLE:
                parts = parts_of(value)
                named = {place % len(parts) for place in taken if parts}
                found += [v for at, part in enumerate(parts) if at not in named for v in part]
            else:
                found += (value,) if is_result(value) else self.elements(unit, (value,))
        return (collection(number, (bounded(found),)),)

    def _by_method(
        self,
        value: Value,
        methods: tuple[str, ...],
        *,
        call: tuple[FileSymbols, tuple[int, ...]] | None = None,
    ) -> Values:
        """Return the results of the first of `methods` that an instance has."""
        for method in methods:
            symbols = self._flow.members.of_class(value, method) if method else ()
            numbers = [number_of(key) for kind, key, _ in symbols if kind == DEFINITION]
            if numbers:
                found = [
                    v
                    for number in numbers
                    for v in self._flow.call_results.result(number, receiver=value, call=call)
                ]
                return bounded(found)
        return ()


def _has_part(value: Value, place: str) -> bool:
    """Return whether a tuple has a part at a place, which is negative from the end."""
    count = len(parts_of(value))
    return -count <= int(place) < count
