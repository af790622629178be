"""What a function written in place is called with, as told by what it is handed to.

`items.forEach((item) => item.close())`: the parameter of `forEach` is declared as something that is
called with an element, so `item` is one. Only functions without a declaration of their own ask.
"""

from collections.abc import Iterator

from mu.model.facts import BindingKind, Op
from mu.model.kinds import Rule
from mu.resolve.flow import Flow
from mu.resolve.generics import Environment, substitute
from mu.resolve.passing import Call
from mu.resolve.program import Program
from mu.resolve.unit import Unit
from mu.resolve.values import (
    CALLABLE,
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

_DECLARED = int(BindingKind.DECLARED)
_CALL, _FUNCTION, _ATTRIBUTE = int(Op.CALL), int(Op.FUNCTION), int(Op.ATTRIBUTE)


class Placing:
    """Finds what the declarations of those who are handed a function say of its parameters."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._placed: dict[int, dict[int, int]] = {}

    def of(self, number: int, place: int) -> Values:
        """What the parameter at a place of a function is told to hold; nothing where none tells."""
        unit = self._program.unit_of[number]
        call = self._calls(unit).get(number - unit.first)
        if call is None:
            return self._declared(unit, number, place)
        _, _, function, args = unit.expressions[call]
        found: list[Value] = []
        for called, receiver in self._called(unit, function):
            is_bound = self._flow.passing.is_bound(called, receiver)
            for at, arg in self._flow.passing.passed(called, (unit, args), is_bound=is_bound):
                op, _, written, _ = unit.expressions[arg]
                if op == _FUNCTION and written == number - unit.first:
                    pattern = self._flow.passing.pattern(called, at)
                    found += self._told(
                        (unit, args), called, receiver, pattern=pattern, place=place
                    )
        return bounded(found)

    def _declared(self, unit: Unit, number: int, place: int) -> Values:
        """What the declared type of the variable says that a function is bound to."""
        row = self._program.definitions[number]
        entry = unit.names[row.scope].get(row.name) if row.name else None
        found: list[Value] = []
        for kind, scope, _, _, declared, _ in () if entry is None else entry.bindings:
            if kind == _DECLARED:
                for value in self._flow.annotations.declared(unit, declared, scope=scope):
                    if value[0] == CALLABLE:
                        found += [
                            v for part in parts_of(value)[1 + place : 2 + place] for v in part
                        ]
        return bounded(found)

    def _told(
        self, call: Call, called: int, receiver: Value | None, *, pattern: Values, place: int
    ) -> Values:
        """What a declared parameter says that it calls a function with."""
        told = [parts_of(value)[1:] for value in pattern if value[0] == CALLABLE]
        values = [value for parts in told for value in parts[place : place + 1]]
        flat = tuple([value for part in values for value in part])
        owner_unit, row = self._program.unit_of[called], self._program.definitions[called]
        owner = owner_unit.scopes[row.scope].definition
        environment: Environment = {}
        if receiver is not None and owner >= 0:
            environment.update(self._flow.generics.seen_from(receiver, owner_unit.first + owner))
            self._flow.generics.put_bounds(environment, owner_unit.first + owner)
        if any(value[0] == TYPE_VARIABLE for value in flat):
            self._add_passed(called, call, environment)
        return substitute(flat, environment)

    def _add_passed(self, called: int, call: Call, environment: Environment) -> None:
        """Add what the other arguments of a call say of a function's type variables."""
        unit, args = call
        owner, row = self._program.unit_of[called], self._program.definitions[called]
        is_bound = row.body in owner.receivers
        for place, arg in self._flow.passing.passed(called, (unit, args), is_bound=is_bound):
            if unit.expressions[arg][0] != _FUNCTION:
                self._flow.passing.unify(
                    owner,
                    self._flow.passing.pattern(called, place),
                    values=self._flow.values(unit, arg),
                    environment=environment,
                )

    def _called(self, unit: Unit, function: int) -> Iterator[tuple[int, Value | None]]:
        """The functions that a call may run, and what each is called on."""
        op, name, base, _ = unit.expressions[function]
        if op == _ATTRIBUTE:
            for holder in self._flow.values(unit, base):
                for kind, key, _ in self._flow.members.of(unit, holder, name=name):
                    if kind == DEFINITION:
                        yield from self._run(number_of(key), holder)
            return
        for kind, key, _ in self._flow.values(unit, function):
            if kind == FUNCTION:
                yield number_of(key), None
            elif kind in CLASSES:
                yield from self._run(number_of(key), None)

    def _run(self, number: int, receiver: Value | None) -> Iterator[tuple[int, Value | None]]:
        if self._program.definitions[number].kind == "function":
            yield number, receiver
            return
        made: Value = (INSTANCE, number, Rule.INFERRED)
        for name in self._program.unit_of[number].rules.constructors:
            for kind, key, _ in self._flow.members.of_class(made, name):
                if kind == DEFINITION:
                    yield number_of(key), made

    def _calls(self, unit: Unit) -> dict[int, int]:
        """The calls that are handed functions written in place, by the functions."""
        found = self._placed.get(unit.file.key)
        if found is None:
            found = self._placed[unit.file.key] = {}
            rows = unit.expressions
            for call, (op, _, _, args) in enumerate(rows):
                for arg in args if op == _CALL else ():
                    if rows[arg][0] == _FUNCTION:
                        found[rows[arg][2]] = call
        return found
