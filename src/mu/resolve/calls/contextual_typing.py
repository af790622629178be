"""Contextual typing of lambdas: types of parameters from the function a lambda is passed to.

In `items.forEach((item) => item.close())` the parameter of `forEach` is declared as a function of
an element, so `item` is an element. Declared parameter types of the lambda itself take precedence.
"""

from collections import defaultdict
from collections.abc import Iterator

from mu.model.facts import Binding, BindingKind, Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLE,
    CALLABLES,
    CLASSES,
    DEFINITION,
    FUNCTION,
    INSTANCE,
    TYPE_VARIABLE,
    Value,
    Values,
    bounded,
    number_of,
    parts_of,
)
from mu.resolve.calls.argument_binding import Call
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.types.type_parameters import Environment, substitute

_DECLARED, _VALUE = int(BindingKind.DECLARED), int(BindingKind.VALUE)
_CALL, _FUNCTION, _ATTRIBUTE = int(Op.CALL), int(Op.FUNCTION), int(Op.ATTRIBUTE)
_CAST = int(Op.CAST)


class ContextualTyping:
    """Finds the parameter types of a lambda from where it is passed."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._placed: dict[int, dict[int, int]] = {}
        self._types: dict[int, dict[int, list[tuple[int, int]]]] = {}

    def of(self, number: int, place: int) -> Values:
        """Return the type that context declares for a parameter of a function; empty if none."""
        unit = self._program.unit_of[number]
        call = self._calls(unit).get(number - unit.first)
        if call is None:
            return self._declared(unit, number, place)
        _, _, function, args = unit.expressions[call]
        found: list[Value] = []
        for called, receiver in self._called(unit, function):
            is_bound = self._flow.argument_binding.is_bound(called, receiver)
            for at, arg in self._flow.argument_binding.passed(
                called, (unit, args), is_bound=is_bound
            ):
                op, _, written, _ = unit.expressions[arg]
                if op == _FUNCTION and written == number - unit.first:
                    declared = self._flow.argument_binding.pattern(called, at)
                    pattern = self._flow.functional_interfaces.with_signatures(declared)
                    found += self.told(
                        (unit, args), called, receiver=receiver, pattern=pattern, place=place
                    )
        return bounded(found)

    def handed(
        self, unit: FileSymbols, function: int, *, args: tuple[int, ...]
    ) -> Iterator[tuple[int, int, int, Value | None]]:
        """Yield (callee, place of the parameter, argument row, receiver) of a call's arguments."""
        for called, receiver in self._called(unit, function):
            is_bound = self._flow.argument_binding.is_bound(called, receiver)
            for place, arg in self._flow.argument_binding.passed(
                called, (unit, args), is_bound=is_bound
            ):
                yield called, place, arg, receiver

    def _declared(self, unit: FileSymbols, number: int, place: int) -> Values:
        """Return the type from the declaration of what a function is assigned to or returned as."""
        found: list[Value] = []
        for expected, scope in self._expected(unit).get(number - unit.first, ()):
            declared = self._flow.type_expressions.declared(unit, expected, scope=scope)
            for value in self._flow.functional_interfaces.with_signatures(declared):
                if value[0] == CALLABLE:
                    found += [v for part in parts_of(value)[1 + place : 2 + place] for v in part]
        return bounded(found)

    def _expected(self, unit: FileSymbols) -> dict[int, list[tuple[int, int]]]:
        """Return the declared types of functions, by definition: (row of the type, its scope)."""
        known = self._types.get(unit.key)
        if known is not None:
            return known
        found: dict[int, list[tuple[int, int]]] = defaultdict(list)
        rows = unit.expressions
        for number, row in enumerate(unit.facts.definitions):
            types = [b for b in self._bindings(unit, row.scope, row.name) if row.name]
            found[number] += [(b.value, b.scope) for b in types]
            for given in row.returned if row.returns else ():
                if rows[given][0] == _FUNCTION:
                    found[rows[given][2]].append((row.returns, row.body))
        for kind, scope, base, name, value, _ in unit.facts.bindings:
            if kind == _VALUE and not base and rows[value][0] == _FUNCTION:
                types = self._bindings(unit, scope, name)
                found[rows[value][2]] += [(b.value, b.scope) for b in types]
        for op, _, value, args in rows:
            if op == _CAST and rows[value][0] == _FUNCTION:
                found[rows[value][2]].append((args[0], 0))
        self._types[unit.key] = found
        return found

    def _bindings(self, unit: FileSymbols, scope: int, name: str) -> list[Binding]:
        """Return the declarations of a variable."""
        entry = unit.names[scope].get(name)
        return [b for b in entry.bindings if b.kind == _DECLARED] if entry is not None else []

    def told(
        self, call: Call, called: int, *, receiver: Value | None, pattern: Values, place: int
    ) -> Values:
        """Return the types that a callee passes at `place` to its callback.

        `pattern` is the declared type of the callee's parameter for the callback.
        """
        told = [parts_of(value)[1:] for value in pattern if value[0] == CALLABLE]
        values = [value for parts in told for value in parts[place : place + 1]]
        flat = tuple([value for part in values for value in part])
        owner_unit, row = self._program.unit_of[called], self._program.definitions[called]
        owner = owner_unit.owner(row.scope)
        environment: Environment = {}
        if receiver is not None and owner >= 0:
            environment.update(self._flow.type_parameters.seen_from(receiver, owner))
            self._flow.argument_binding.receive(called, receiver, environment=environment)
            self._flow.type_parameters.put_bounds(environment, owner)
        if any(value[0] == TYPE_VARIABLE for value in flat):
            self._add_passed(called, call, environment)
        return substitute(flat, environment)

    def _add_passed(self, called: int, call: Call, environment: Environment) -> None:
        """Add the values of a callee's type variables, as found in a call's other arguments."""
        unit, args = call
        owner, row = self._program.unit_of[called], self._program.definitions[called]
        is_bound = owner.takes_receiver(row)
        for place, arg in self._flow.argument_binding.passed(
            called, (unit, args), is_bound=is_bound
        ):
            if unit.expressions[arg][0] != _FUNCTION:
                # Results of named functions are not evaluated: there may be hundreds.
                values = [v for v in self._flow.values(unit, arg) if v[0] not in CALLABLES]
                pattern = self._flow.argument_binding.pattern(called, place)
                self._flow.argument_binding.unify(
                    owner, pattern, values=tuple(values), environment=environment
                )

    def _called(self, unit: FileSymbols, function: int) -> Iterator[tuple[int, Value | None]]:
        """Yield (function, receiver) of the functions that a call may run."""
        op, name, base, _ = unit.expressions[function]
        if op == _ATTRIBUTE:
            for holder in self._flow.values(unit, base):
                for kind, key, _ in self._flow.members.of(unit, holder, name=name):
                    if kind == DEFINITION:
                        yield from self._run(number_of(key), holder)
            return
        for kind, key, _ in self._flow.called(unit, function):
            if kind == FUNCTION:
                yield number_of(key), None
            elif kind in CLASSES:
                yield from self._run(number_of(key), None)

    def _run(self, number: int, receiver: Value | None) -> Iterator[tuple[int, Value | None]]:
        if self._program.definitions[number].kind == "function":
            yield number, receiver
            return
        made: Value = (INSTANCE, number, Rule.INFERRED)
        for name in self._program.unit_of[number].calls.constructors:
            for kind, key, _ in self._flow.members.of_class(made, name):
                if kind == DEFINITION:
                    yield number_of(key), made

    def _calls(self, unit: FileSymbols) -> dict[int, int]:
        """Return the call that each inline function is an argument of, by function."""
        found = self._placed.get(unit.key)
        if found is None:
            found = self._placed[unit.key] = {}
            rows = unit.expressions
            for call, (op, _, _, args) in enumerate(rows):
                for arg in args if op == _CALL else ():
                    if rows[arg][0] == _FUNCTION:
                        found[rows[arg][2]] = call
        return found
