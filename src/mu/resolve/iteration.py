"""What comes out of values by the language's own protocols: loops, `with`, `await`, subscripts."""

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.flow import Flow
from mu.resolve.program import Program
from mu.resolve.unit import Unit
from mu.resolve.values import (
    CLASSES,
    DEEPEST_PARTS,
    DEFINITION,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    TUPLE,
    VARIABLE,
    Place,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    collection,
    is_result,
    number_of,
    parts_of,
    place_of,
    result_of,
)


class Iteration:
    """Follows values through the methods that the language calls by itself."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._filling: set[Place] = set()  # tables whose uses are being looked at

    def elements(self, unit: Unit, values: Values) -> Values:
        """What iterating over values gives."""
        found: list[Value] = []
        for value in values:
            if value[0] == TUPLE:
                found += [v for part in parts_of(value) for v in part]
            elif value[0] == EXTERNAL_INSTANCE and unit.rules.results_are_outside:
                found.append(result_of(str(value[1]), "[]"))
            elif value[0] in CLASSES:
                if self._is_enumeration(class_of(value)):  # its members are instances of it
                    found.append((INSTANCE, class_of(value), Rule.INFERRED))
            elif value[0] in INSTANCES:
                iterators = self._by_method(value, unit.rules.iterate_methods)
                for iterator in iterators:
                    found += self._next(unit, iterator)
        return by_rule(Rule.INFERRED, bounded(found))

    def _is_enumeration(self, number: int) -> bool:
        """Whether a class of the repository extends one of the library's enumerations."""
        rules = self._program.unit_of[number].rules
        return any(
            isinstance(ancestor, int)
            and self._program.is_library(ancestor)
            and rules.is_enumeration(self._program.dotted(ancestor))
            for ancestor in self._flow.members.order(number)
        )

    def iterators(self, unit: Unit, values: Values) -> Values:
        """What values give to iterate with."""
        methods = unit.rules.iterate_methods
        instances = [value for value in values if value[0] in INSTANCES]
        return bounded([v for value in instances for v in self._by_method(value, methods)])

    def _next(self, unit: Unit, iterator: Value) -> Values:
        if iterator[0] not in INSTANCES:
            return ()
        return self.awaited(unit, self._by_method(iterator, unit.rules.next_methods))

    def entered(self, unit: Unit, values: Values) -> Values:
        """What entering values as context managers gives."""
        found: list[Value] = []
        for value in values:
            if value[0] in INSTANCES:
                found += self._by_method(value, unit.rules.enter_methods)
        return self.awaited(unit, bounded(found))

    def awaited(self, unit: Unit, values: Values, *, depth: int = 0) -> Values:
        """What awaiting values gives; what cannot be awaited is given as it is."""
        number = self._program.library_class(unit.rules, unit.rules.awaitable_class)
        if number < 0:
            return values
        found: list[Value] = []
        for value in values:
            parts = self._flow.generics.view(value, number) if value[0] in INSTANCES else None
            if parts is None:
                found.append(value)
                continue
            given = tuple([v for part in parts[:1] for v in part])
            if unit.rules.flattens_awaited and depth < DEEPEST_PARTS:
                given = self.awaited(unit, given, depth=depth + 1)
            found += given
        return bounded(found)

    def indexed(self, unit: Unit, base: int, *, args: tuple[int, ...]) -> Values:
        """What `base[args]` gives."""
        listed = self._listed(unit, base, args)
        if listed is not None:
            return listed
        found: list[Value] = []
        for value in self._flow.values(unit, base):
            if value[0] in CLASSES:  # a generic class with its arguments
                found.append(value)
            elif value[0] in INSTANCES and self._is_slice(unit, args) and self._is_outside(value):
                found.append(value)  # a slice is of the sort it is taken from
            elif value[0] in INSTANCES:
                methods = (unit.rules.index_method,)
                found += self._by_method(value, methods, call=(unit, args))
            elif value[0] == EXTERNAL_INSTANCE and unit.rules.results_are_outside:
                found.append(result_of(str(value[1]), "[]"))
            elif value[0] == FUNCTION:  # with type arguments
                found.append(value)
        return bounded(found)

    def _is_slice(self, unit: Unit, args: tuple[int, ...]) -> bool:
        op, text, _, _ = unit.expressions[args[0]] if args else (0, "", 0, ())
        return op == Op.COLLECTION and text == "slice"

    def _is_outside(self, value: Value) -> bool:
        return class_of(value) >= 0 and self._program.is_library(class_of(value))

    def unpacked(self, unit: Unit, values: Values, *, place: str) -> Values:
        """The part at a place of what is unpacked; `*` is a list of any."""
        found: list[Value] = []
        for value in values:
            parts = parts_of(value) if value[0] == TUPLE else ()
            if place != "*" and -len(parts) <= int(place) < len(parts):
                found += parts[int(place)]
            elif is_result(value):
                found.append(value)
            elif not parts:
                found += self.elements(unit, (value,))
        given = bounded(found)
        if place != "*":
            return given
        number = self._program.library_class(unit.rules, unit.rules.literal_type("list"))
        return (collection(number, (given,)),) if number >= 0 else ()

    def _by_method(
        self,
        value: Value,
        methods: tuple[str, ...],
        *,
        call: tuple[Unit, tuple[int, ...]] | None = None,
    ) -> Values:
        """What the first of the methods that an instance has gives."""
        for method in methods:
            symbols = self._flow.members.of_class(value, method) if method else ()
            numbers = [number_of(key) for kind, key, _ in symbols if kind == DEFINITION]
            if numbers:
                found = [
                    v
                    for number in numbers
                    for v in self._flow.calls.result(number, receiver=value, call=call)
                ]
                return bounded(found)
        return ()

    def _is_filled(self, holder: Unit, place: Place) -> bool:
        """Whether something may be put into a table by assignment, or by a method called on it.

        So it is taken while that is being found out: `T.setdefault("c", T["a"])` asks for itself.
        """
        _, scope, name = place
        uses = holder.uses_of(scope, name)
        is_assigned = any(not method for method, *_ in uses)
        if not uses or is_assigned or place in self._filling:
            return bool(uses)
        value = holder.names[scope][name].bindings[0].value
        held = self._flow.values(holder, value)
        filling = self._flow.filling
        there = [(holder, use) for use in uses]
        self._filling.add(place)
        is_filled = any(filling.filled(one, there, is_told=False) != one for one in held)
        self._filling.remove(place)
        return is_filled

    def _listed(self, unit: Unit, base: int, args: tuple[int, ...]) -> Values | None:
        """What a table written in the text holds for a key that is; None where that is not so."""
        if len(args) != 1 or unit.expressions[args[0]][0] != Op.STRING:
            return None
        key = unit.expressions[args[0]][1]
        symbols = self._flow.symbols(unit, base)
        if len(symbols) != 1 or symbols[0][0] != VARIABLE:
            return None
        file, scope, name = place = place_of(symbols[0][1])
        holder = self._program.unit(file)
        entry = holder.names[scope].get(name)
        if entry is None or len(entry.bindings) != 1 or self._is_filled(holder, place):
            return None
        op, kind, _, pairs = holder.expressions[entry.bindings[0].value]
        if op != Op.COLLECTION or kind != "dict":
            return None
        rows = holder.expressions
        for pair in pairs:
            if rows[pair][0] != Op.PAIR or rows[rows[pair][3][0]][0] != Op.STRING:
                return None
        for pair in pairs:
            if rows[rows[pair][3][0]][1] == key:
                return self._flow.values(holder, rows[pair][3][1])
        return ()
