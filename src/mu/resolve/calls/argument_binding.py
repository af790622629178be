"""Argument binding: from the arguments of a call to parameters."""

from collections.abc import Iterator, Sequence

from mu.model.facts import Expression, Op, Parameter
from mu.resolve.abstract_values import (
    CALLABLES,
    CLASSES,
    LOCAL,
    VARIABLE,
    Value,
    Values,
    bounded,
    place_of,
)
from mu.resolve.limits import MOST_VARIADIC_ARGUMENTS
from mu.resolve.program.file_symbols import EXTENSION, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import Receiver
from mu.resolve.solver.flow import Flow
from mu.resolve.types.type_parameters import Environment, unify

_KEYWORD, _SPREAD = int(Op.KEYWORD), int(Op.SPREAD)
_ATTRIBUTE, _COLLECTION = int(Op.ATTRIBUTE), int(Op.COLLECTION)
_NAME, _PAIR, _STRING = int(Op.NAME), int(Op.PAIR), int(Op.STRING)
_VARIABLES = frozenset((VARIABLE, LOCAL))
_NOT_PLACED = frozenset((_KEYWORD, _SPREAD))
ANY_NUMBER = "*"  # the marker of a parameter for the remaining positional arguments
ANY_NAMES = "**"  # the marker of a parameter for the remaining keyword arguments
_PLACED = frozenset(("list", "tuple"))  # the literals with ordered parts

Call = tuple[FileSymbols, tuple[int, ...]]
"""The file of a call and the expression rows of its arguments."""


class ArgumentBinding:
    """Binds the arguments of a call to the parameters of a function."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def is_bound(self, number: int, receiver: Value | None) -> bool:
        """Return whether a call binds the first parameter of a function to `receiver`."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if receiver is None or not unit.takes_receiver(row):
            return False
        is_instance = receiver[0] not in CLASSES
        return is_instance or unit.calls.receiver(row) is Receiver.CLASS

    def bindings(
        self, takers: Sequence[tuple[int, bool]], call: Call
    ) -> Iterator[tuple[int, bool]]:
        """Yield the functions that a call runs, each with whether its first parameter is bound, as
        far as the number of arguments fits.

        A method of what may be a class or an instance is among `takers` in both ways.
        """
        for number, is_bound in takers:
            if is_bound:
                yield number, not self._is_too_much(number, call)
            elif (number, True) not in takers or not self._is_too_few(number, call):
                yield number, False

    def _is_too_few(self, number: int, call: Call) -> bool:
        """Return whether a call passes fewer arguments than a function takes that is not bound."""
        unit, args = call
        rows = self._program.definitions[number].parameters
        needed = sum(not row.kind and not row.default for row in rows)
        return len(args) < needed and not any(unit.expressions[arg][0] == _SPREAD for arg in args)

    def _is_too_much(self, number: int, call: Call) -> bool:
        """Return whether a call passes more arguments than a method takes besides its receiver.

        Then the first argument is the receiver, as where a function of a class's body is put into a
        table there.
        """
        unit, args = call
        row = self._program.definitions[number]
        if len(args) < len(row.parameters) or row.kind != "function":
            return False
        if unit.members.this_name or any(parameter[1] for parameter in row.parameters):
            return False
        return not any(unit.expressions[arg][0] in _NOT_PLACED for arg in args)

    def passed(self, number: int, call: Call, *, is_bound: bool) -> list[tuple[int, int]]:
        """Return (place of the parameter, argument row) of each argument that the text shows."""
        unit, args = call
        parameters = self._program.definitions[number].parameters
        found: list[tuple[int, int]] = []
        place = int(is_bound)
        for arg in args:
            row = unit.expressions[arg]
            op = row[0]
            if op == _SPREAD:
                spread, place = self._spread(unit, row, parameters, place=place)
                found += spread
            elif op == _KEYWORD:
                found += _named(parameters, row)
            elif place < len(parameters):
                found.append((place, arg))
                if not parameters[place][1]:
                    place += 1
        return found

    def _spread(
        self, unit: FileSymbols, spread: Expression, parameters: Sequence[Parameter], *, place: int
    ) -> tuple[list[tuple[int, int]], int]:
        """Bind the parts of a spread literal; also return the place of the next argument.

        That is beyond the last parameter if the number of parts is unknown.
        """
        _, marker, base, _ = spread
        rows, found = unit.expressions, list[tuple[int, int]]()
        _, kind, _, args = rows[self._written(unit, base)]
        if marker == ANY_NAMES and kind == "dict":
            for arg in args:
                op, _, _, pair = rows[arg]
                if op == _PAIR and rows[pair[0]][0] == _STRING:
                    found += _named(parameters, (_KEYWORD, rows[pair[0]][1], pair[1], ()))
            return found, len(parameters)
        if marker != ANY_NUMBER or kind not in _PLACED:
            return found, len(parameters)
        for arg in args:
            if rows[arg][0] == _SPREAD:
                return found, len(parameters)
            if place < len(parameters):
                found.append((place, arg))
                place += not parameters[place][1]
        return found, place

    def _written(self, unit: FileSymbols, row: int) -> int:
        """Return the collection literal that an expression is, or that its variable is bound to.

        0 if there is none. The variable is one of the file with a single binding.
        """
        op = unit.expressions[row][0]
        if op == _NAME:
            symbols = self._flow.symbols(unit, row)
            if len(symbols) == 1 and symbols[0][0] in _VARIABLES:
                file, scope, name = place_of(symbols[0][1])
                entry = unit.names[scope].get(name) if file == unit.key else None
                bindings = entry.bindings if entry is not None else ()
                if len(bindings) == 1 and not bindings[0].kind:
                    row = bindings[0].value
                    op = unit.expressions[row][0]
        return row if op == _COLLECTION else 0

    def handed(self, unit: FileSymbols, function: int, *, args: tuple[int, ...]) -> tuple[int, ...]:
        """Return the arguments that a function receives, also through a method of all functions.

        `f.call(x, a)` passes `a`; any other call passes its own arguments.
        """
        words = unit.members.prototypes
        op, name, base, _ = unit.expressions[function]
        if words is None or op != _ATTRIBUTE or name not in words.callers:
            return args
        if not any(value[0] in CALLABLES for value in self._flow.values(unit, base)):
            return args
        if not words.callers[name]:
            return args[1:]
        is_written = len(args) > 1 and unit.expressions[args[1]][0] == _COLLECTION
        return unit.expressions[args[1]][3] if is_written else ()

    def pattern(self, number: int, place: int) -> Values:
        """Return the declared type of a parameter, with its type variables."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        annotation = row.parameters[place].annotation
        if not annotation:
            return ()
        return self._flow.type_expressions.declared(unit, annotation, scope=row.body)

    def take(
        self, number: int, receiver: Value | None, *, call: Call, environment: Environment
    ) -> None:
        """Add the arguments of a call to `environment`, by parameter and type variable."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        is_bound = self.is_bound(number, receiver)
        for place, arg in self.passed(number, call, is_bound=is_bound):
            values = self._flow.values(call[0], arg)
            if not values:
                continue
            parameter = row.parameters[place]
            if parameter.annotation:
                pattern = self.pattern(number, place)
                given = self._flow.object_literals.as_tables(
                    call, arg, values=values, pattern=pattern
                )
                self.unify(unit, pattern, values=given, environment=environment)
            variable = (unit.key, row.body, parameter.name)
            environment[variable] = bounded((*environment.get(variable, ()), *values))

    def receive(self, number: int, receiver: Value, *, environment: Environment) -> None:
        """Add the values of type variables in a function's receiver type to `environment`."""
        unit = self._program.unit_of[number]
        pattern = self.receiver_patterns(number, is_bound=self.is_bound(number, receiver))
        self.unify(unit, pattern, values=(receiver,), environment=environment)

    def receiver_patterns(self, number: int, *, is_bound: bool = True) -> Values:
        """Return the declared types of a function's receiver, with its type variables.

        An extension declares one by the class that it extends, an annotated first parameter
        another.
        """
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        holder = unit.facts.definitions[unit.scopes[row.scope].definition]
        found: Values = ()
        if holder.kind == EXTENSION:
            expression, _, _ = holder.bases[0]
            found = self._flow.type_expressions.declared(unit, expression, scope=holder.body)
        if is_bound and row.body in unit.receivers and row.parameters[0].annotation:
            found += self.pattern(number, 0)
        return found

    def unify(
        self, unit: FileSymbols, pattern: Values, *, values: Values, environment: Environment
    ) -> None:
        """Add the values of a pattern's type variables, as found in `values`, to `environment`."""

        def called(callables: Values) -> Values:
            return self._flow.call_results.called(unit, callables)

        generics, pattern = (
            self._flow.type_parameters,
            self._flow.functional_interfaces.with_signatures(pattern),
        )
        unify(pattern, values, environment=environment, generics=generics, called=called)


def part_of_rest(parameters: Sequence[Parameter], place: int, *, index: int) -> int:
    """Return the place of argument `index` of those that the variadic parameter at `place` takes.

    Such places follow those of the parameters, `MOST_VARIADIC_ARGUMENTS` of them; further arguments
    share `place`.
    """
    return len(parameters) + index if index < MOST_VARIADIC_ARGUMENTS else place


def _named(parameters: Sequence[Parameter], row: Expression) -> tuple[tuple[int, int], ...]:
    """Bind an argument that is passed by name, to `**kwargs` if no parameter has the name."""
    _, name, value, _ = row
    for index, parameter in enumerate(parameters):
        if parameter[0] == name and not parameter[1]:
            return ((index, value),)
    for index, parameter in enumerate(parameters):
        if parameter[1] == ANY_NAMES:
            return ((index, value),)
    return ()
