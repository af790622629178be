"""Object literals, and objects that functions make.

`x[key]` on an object literal may be any member written in it, and any value stored by another key.
"""

from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CLASSES,
    GENERIC,
    INSTANCE,
    INSTANCES,
    LOCAL,
    VARIABLE,
    Place,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    collection,
    place_of,
)
from mu.resolve.calls.argument_binding import Call
from mu.resolve.evaluation.container_stores import UsesOfFiles
from mu.resolve.limits import MOST_LITERALS
from mu.resolve.program.file_symbols import OBJECT, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.parameter_sets import OWN_PLACE

_HELD = frozenset((LOCAL, VARIABLE))

_INFERRED = Rule.INFERRED


class ObjectLiterals:
    """Finds the members of object literals, and of objects that functions return."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def made(self, unit: FileSymbols, values: Values) -> Values:
        """Return the prototypes of functions and classes, as instances of what these make."""
        root = self._program.root_class(unit.rules)  # whose members all objects have
        found: list[Value] = []
        for value in values:
            made = class_of(value) if value[0] in CLASSES else self._flow.members.made_by(value)
            if made not in (-1, root) and value[0] not in INSTANCES:
                found.append((INSTANCE, made, value[2]))
        return tuple(found)

    def received(self, unit: FileSymbols, scope: int) -> Values:
        """Return the receiver of a function that is no method.

        That is the object that the function is set on, else what `call`, `apply` and `bind` pass.
        """
        held = unit.prototypes.held.get(scope, 0) if unit.prototypes is not None else 0
        if held:
            return self._flow.values(unit, held)
        number = unit.scopes[scope].definition
        return (
            self._flow.parameter_propagation.of(unit.first + number, OWN_PLACE)
            if number >= 0
            else ()
        )

    def is_one(self, value: Value) -> bool:
        """Return whether a value is an object literal of a language that uses them as tables."""
        number = class_of(value) if value[0] in INSTANCES else -1
        if number < 0 or self._program.definitions[number].subkind != OBJECT:
            return False
        unit = self._program.unit_of[number]
        return unit.prototypes is not None and unit.prototypes.is_written(number - unit.first)

    def entries(self, unit: FileSymbols, base: int, *, of: Value) -> Values:
        """Return the values that `of`, an object that `base` evaluates to, may hold at any key."""
        written: Values = self._written(of)
        found: list[Value] = []
        for kind, key, _ in self._flow.symbols(unit, base):
            if kind in _HELD:
                place = place_of(key)
                written = self._filled(place, written)
                found += self._flow.solver.solve(("table", place), self._put, place)[0]
        found += written
        return by_rule(_INFERRED, bounded(found))

    def as_tables(self, call: Call, arg: int, *, values: Values, pattern: Values) -> Values:
        """Return an argument's values; object literals as dictionaries if `pattern` is one."""
        unit = call[0]
        if unit.prototypes is None or len(pattern) != 1 or pattern[0][0] != GENERIC:
            return values
        table = self._program.literal_class(unit, "dict")
        if class_of(pattern[0]) != table:
            return values
        if not 0 < sum(map(self.is_one, values)) <= MOST_LITERALS:
            return values
        text = self._program.literal_class(unit, "str")
        keys: Values = ((INSTANCE, text, _INFERRED),)
        return tuple(
            [
                collection(table, (keys, self.entries(unit, arg, of=value)))
                if self.is_one(value)
                else value
                for value in values
            ]
        )

    def _written(self, value: Value) -> Values:
        """Return the values of the members that an object literal lists."""
        number = class_of(value)
        unit, body = self._program.unit_of[number], self._program.definitions[number].body
        found: list[Value] = []
        for name in unit.names[body]:
            for symbol in self._flow.members.own(number, name, rule=_INFERRED):
                found += self._flow.meant(symbol)
        return tuple(found)

    def _put(self, place: Place) -> Values:
        """Return the values that are stored in a variable by keys, with what is stored in those."""
        put = [
            value
            for unit, (method, args, steps) in self._uses(place)
            if not method and not steps and len(args) > 1
            for value in self._flow.values(unit, args[1])
        ]
        return bounded(self._filled(place, tuple(put)))

    def _filled(self, place: Place, values: Values) -> Values:
        """Return `values`, held by a variable at keys, with the elements stored in them."""
        within = [
            (unit, (method, args, steps[1:]))
            for unit, (method, args, steps) in self._uses(place)
            if steps and not steps[0]
        ]
        filled = self._flow.container_stores.filled
        return tuple([filled(one, within, is_told=False) for one in values]) if within else values

    def _uses(self, place: Place) -> UsesOfFiles:
        file, scope, name = place
        return self._flow.container_stores.uses(self._program.unit(file), scope, name=name)
