"""What calls give: what functions return, for the receiver and the arguments of the call at hand."""

from collections.abc import Iterator
from typing import Protocol

from mu.model.facts import Definition, Expression, Flag, Op
from mu.model.kinds import Rule
from mu.resolve.annotations import Annotations
from mu.resolve.generics import (
    Environment,
    Generics,
    received,
    substitute,
    unify,
)
from mu.resolve.hierarchy import Hierarchy
from mu.resolve.members import Members
from mu.resolve.names import Names
from mu.resolve.program import Program
from mu.resolve.rules import Receiver
from mu.resolve.search import Search
from mu.resolve.unit import Unit
from mu.resolve.values import (
    CALLABLE,
    CALLABLES,
    CLASSES,
    DEFINITION,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    GENERIC,
    INSTANCE,
    INSTANCES,
    OF_CLASS,
    OWN,
    OWN_CLASS,
    SOME,
    SUPER,
    TYPE_VARIABLE,
    VAGUE,
    WRAPPER,
    Place,
    Symbol,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    collection,
    is_open,
    number_of,
    parts_of,
)

_NAME, _ATTRIBUTE, _STRING = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.STRING)
_KEYWORD, _SPREAD = int(Op.KEYWORD), int(Op.SPREAD)
_ASYNC, _GENERATOR = int(Flag.ASYNC), int(Flag.GENERATOR)
_BY_SELF, _INFERRED, _RETURNED = Rule.SELF, Rule.INFERRED, Rule.RETURNED

Call = tuple[Unit, tuple[int, ...]]
"""The file of a call and the expression rows of its arguments."""


class Flow(Protocol):
    """What values are found with."""

    members: Members
    names: Names
    generics: Generics
    annotations: Annotations
    search: Search
    hierarchy: Hierarchy

    @property
    def arguments(self) -> "Passed":
        """What calls pass for parameters."""

    def values(self, unit: Unit, number: int) -> Values:
        """What expression `number` of a file may give."""

    def meant(self, symbol: Symbol) -> Values:
        """What a symbol may hold."""

    def read(self, unit: Unit, value: Value, name: str) -> Values:
        """What reading the attribute `name` of a value gives."""

    def classes(self, unit: Unit, number: int) -> Values:
        """The classes of what an expression may give."""

    def getter(self, symbol: Symbol) -> int:
        """The function that runs when what a symbol names is read, or -1."""


class Passed(Protocol):
    """What calls pass for parameters."""

    def of(self, number: int, place: int) -> Values:
        """What calls pass for a parameter, as far as is known."""


class Calls:
    """Follows values through calls."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._returned: dict[int, tuple[Values, bool]] = {}
        self._before: dict[int, Values] = {}

    def of_row(self, unit: Unit, function: int, args: tuple[int, ...]) -> Values:
        """What a call in the text gives."""
        op, text, base, _ = unit.expressions[function]
        if op != _ATTRIBUTE:
            return self._of_values(unit, function, args)
        holders = self._flow.values(unit, base)
        if not any(value[0] in OF_CLASS for value in holders):
            return self._of_values(unit, function, args)
        found: list[Value] = []
        for holder in holders:
            for symbol in self._flow.members.of(unit, holder, name=text):
                found += self._of_member(unit, holder, symbol, args)
        return bounded(found)

    def _of_member(
        self, unit: Unit, holder: Value, symbol: Symbol, args: tuple[int, ...]
    ) -> Values:
        kind, key, _ = symbol
        call = (unit, args)
        if kind == DEFINITION and holder[0] in OF_CLASS and self._flow.getter(symbol) < 0:
            number = number_of(key)
            row = self._program.definitions[number]
            if row.kind == "function":
                is_maker = self._program.is_library(number) and args
                if is_maker and unit.rules.is_instance_maker(row.name):
                    classes = [v for v in self._flow.values(unit, args[0]) if v[0] in CLASSES]
                    return bounded([self._made(value, None) for value in classes])
                receiver = (OWN, class_of(holder), holder[2]) if holder[0] == SUPER else holder
                given = self.result(number, receiver=receiver, call=call)
                return given or self._of_overrides(holder, row.name, call)
        getter = self._flow.getter(symbol)
        held = self.result(getter, receiver=holder) if getter >= 0 else self._flow.meant(symbol)
        return self.called(unit, held, call=call)

    def _of_overrides(self, holder: Value, name: str, call: Call) -> Values:
        """What the methods of subclasses give, where the method itself gives nothing."""
        if holder[0] not in (OWN, OWN_CLASS, SOME) or class_of(holder) < 0:
            return ()
        found: list[Value] = []
        for number in self._flow.hierarchy.overriding(class_of(holder), name):
            found += self.result(number, receiver=holder, call=call)
        return bounded(found)

    def _of_values(self, unit: Unit, function: int, args: tuple[int, ...]) -> Values:
        values = self._flow.values(unit, function)
        if len(values) == 1 and values[0][0] == EXTERNAL:
            special = self._special(unit, function, str(values[0][1]), args)
            if special is not None:
                return special
        return self.called(unit, values, call=(unit, args))

    def _special(
        self, unit: Unit, function: int, dotted: str, args: tuple[int, ...]
    ) -> Values | None:
        """What calls give that are the language's own: `super()`, `type(x)`; None for any other."""
        rules = unit.rules
        if not rules.is_special(dotted):
            return None
        if rules.is_super(dotted):
            _, _, scope, _ = unit.expressions[function]
            owner = unit.enclosing_class(scope)
            return ((SUPER, unit.first + owner, Rule.SUPER),) if owner >= 0 else ()
        if rules.is_transparent(dotted) and args:
            return self._flow.values(unit, args[0])
        if rules.is_type_of(dotted) and len(args) == 1:
            return self._flow.classes(unit, args[0])
        if len(args) >= 2 and rules.is_cast(dotted):
            _, _, scope, _ = unit.expressions[function]
            given = self._flow.annotations.declared(unit, args[0], scope=scope)
            is_vague = all(value[0] in VAGUE for value in given)
            return self._flow.values(unit, args[1]) if is_vague else given
        if len(args) >= 2 and rules.is_attribute_read(dotted):
            op, name, _, _ = unit.expressions[args[1]]
            holders = self._flow.values(unit, args[0]) if op == _STRING else ()
            return bounded([v for value in holders for v in self._flow.read(unit, value, name)])
        if args and rules.is_module_load(dotted):
            op, name, _, _ = unit.expressions[args[0]]
            if op == _STRING and not name.startswith("."):
                target = unit.finder.find(unit.file.key, name)
                return self._flow.meant(self._flow.names.of_module(unit, target))
        return None

    def called(self, unit: Unit, values: Values, *, call: Call | None = None) -> Values:
        """What calling each of `values` in the file of `unit` gives."""
        found: list[Value] = []
        for value in values:
            kind, key, rule = value
            if kind in CLASSES:
                if key != self._program.root_class(unit.rules):  # which says nothing
                    found.append(self._made(value, call))
            elif kind == FUNCTION:
                found += self.result(number_of(key), call=call)
            elif kind == EXTERNAL:
                found += _called_outside(unit, str(key))
            elif kind in INSTANCES and class_of(value) >= 0:
                found += self._called_instance(unit, value, call)
            elif kind == GENERIC:
                found += [
                    (INSTANCE, class_of(v), rule) for v in parts_of(value)[0] if v[0] in INSTANCES
                ]
            elif kind == CALLABLE:
                found += parts_of(value)[0]
        return bounded(found)

    def of_operator(self, unit: Unit, operator: str, sides: tuple[int, ...]) -> Values:
        """What an infix operator gives, by the method of its left side."""
        method = unit.rules.operator_method(operator)
        found: list[Value] = []
        for value in self._flow.values(unit, sides[0]) if method else ():
            if value[0] in INSTANCES:
                for kind, key, _ in self._flow.members.of_class(value, method):
                    if kind == DEFINITION:
                        call = (unit, sides[1:])
                        found += self.result(number_of(key), receiver=value, call=call)
        return bounded(found)

    def result(
        self, number: int, *, receiver: Value | None = None, call: Call | None = None
    ) -> Values:
        """What a call of a function gives on a receiver, with the arguments of a call."""
        found, opened = self.returned(number)
        if not opened:
            return found
        environment: Environment = {}
        definition, unit = self._program.definitions[number], self._program.unit_of[number]
        owner = unit.scopes[definition.scope].definition
        if receiver is not None and owner >= 0:
            environment.update(self._flow.generics.seen_from(receiver, unit.first + owner))
        if call is not None:
            self._take_arguments(number, receiver, call, environment)
        given = substitute(found, environment)
        return by_rule(_RETURNED, received(given, receiver, self._is_related(receiver)))

    def as_seen(self, values: Values, receiver: Value, place: Place) -> Values:
        """The values of an attribute as those of a receiver, whose type arguments are known."""
        if not is_open(values):
            return values
        unit = self._program.unit(place[0])
        owner = unit.scopes[place[1]].definition
        if owner < 0:
            return values
        environment = self._flow.generics.seen_from(receiver, unit.first + owner)
        return received(substitute(values, environment), receiver, self._is_related(receiver))

    def returned(self, number: int) -> tuple[Values, bool]:
        """What calling a function gives, in terms of its type variables, parameters and receiver;
        and whether there are such terms in it.
        """
        known = self._returned.get(number)
        if known is not None:
            return known
        found, is_final = self._flow.search.solve(
            ("returns", number), lambda: self._find_returned(number)
        )
        answer = found, is_open(found)
        if is_final:
            self._returned[number] = answer
        return answer

    def put_before(self, number: int) -> Values:
        """What decorators put in the place of a function, beside the function itself."""
        known = self._before.get(number)
        if known is not None:
            return known
        found, is_final = self._flow.search.solve(
            ("decorated", number), lambda: self._find_before(number)
        )
        if is_final:
            self._before[number] = found
        return found

    def is_bound(self, number: int, receiver: Value | None) -> bool:
        """Whether the first parameter of a function is taken by what it is called on."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if row.body not in unit.receivers or receiver is None:
            return False
        is_instance = receiver[0] not in CLASSES
        return is_instance or unit.rules.receiver(row) is Receiver.CLASS

    def passed(self, number: int, call: Call, *, is_bound: bool) -> Iterator[tuple[int, int]]:
        """(place of the parameter, expression row of the argument), where the text tells."""
        unit, args = call
        parameters = self._program.definitions[number].parameters
        place = int(is_bound)
        for arg in args:
            row = unit.expressions[arg]
            op = row[0]
            if op == _SPREAD:
                place = len(parameters)
            elif op == _KEYWORD:
                for index, parameter in enumerate(parameters):
                    if parameter[0] == row[1] and not parameter[1]:
                        yield index, row[2]
            elif place < len(parameters):
                yield place, arg
                if not parameters[place][1]:
                    place += 1

    def pattern(self, number: int, place: int) -> Values:
        """What a parameter is declared to hold, with type variables in it."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        annotation = row.parameters[place].annotation
        if not annotation:
            return ()
        return self._flow.annotations.declared(unit, annotation, scope=row.body)

    def _take_arguments(
        self, number: int, receiver: Value | None, call: Call, environment: Environment
    ) -> None:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        is_bound = self.is_bound(number, receiver)
        for place, arg in self.passed(number, call, is_bound=is_bound):
            values = self._flow.values(call[0], arg)
            if not values:
                continue
            parameter = row.parameters[place]
            if parameter.annotation:
                self._unify(unit, self.pattern(number, place), values, environment)
            variable = (unit.file.key, row.body, parameter.name)
            environment[variable] = bounded((*environment.get(variable, ()), *values))

    def _unify(self, unit: Unit, pattern: Values, values: Values, environment: Environment) -> None:
        def called(callables: Values) -> Values:
            return self.called(unit, callables)

        generics = self._flow.generics
        unify(pattern, values, environment, generics=generics, called=called)

    def _is_related(self, receiver: Value | None) -> "_Related":
        return _Related(self._flow.members, -1 if receiver is None else class_of(receiver))

    def _made(self, value: Value, call: Call | None) -> Value:
        """The instance that calling a class makes."""
        kind, key, rule = value
        number = number_of(key)
        how = rule if rule == _BY_SELF else _INFERRED
        if kind == OWN_CLASS:
            return OWN, number, how
        parameters = self._flow.generics.parameters(number)
        if not parameters or call is None:
            return INSTANCE, number, how
        environment: Environment = {}
        instance: Value = (INSTANCE, number, how)
        for name in self._program.unit_of[number].rules.constructors:
            for found, method, _ in self._flow.members.of_class(instance, name):
                if found == DEFINITION:
                    self._take_arguments(number_of(method), instance, call, environment)
        parts = tuple(environment.get(place, ()) for place in parameters)
        return collection(number, parts) if any(parts) else instance

    def _called_instance(self, unit: Unit, value: Value, call: Call | None) -> Values:
        rules = self._program.unit_of[class_of(value)].rules
        symbols = self._flow.members.of_class(value, rules.call_method) if rules.call_method else ()
        return tuple(
            result
            for kind, key, _ in symbols
            if kind == DEFINITION
            for result in self.result(number_of(key), receiver=value, call=call)
        )

    def _find_returned(self, number: int) -> Values:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        found = self._given(unit, row)
        if row.flags & _ASYNC and not row.flags & _GENERATOR:
            found = self._wrapped(unit, unit.rules.coroutine_class, found, last=True)
        for decorator, _, _ in reversed(row.decorators):
            found = self._changed(unit, decorator, found)
        return by_rule(_RETURNED, found)

    def _given(self, unit: Unit, row: Definition) -> Values:
        declared: Values = ()
        if row.returns:
            declared = self._flow.annotations.declared(unit, row.returns, scope=row.body)
            if not any(value[0] in VAGUE for value in declared):
                return declared
        if row.flags & _GENERATOR:
            values = bounded([v for given in row.yielded for v in self._flow.values(unit, given)])
            return self._wrapped(unit, unit.rules.generator_class, values, last=False)
        found: list[Value] = [*declared]
        for given in row.returned:
            expression = unit.expressions[given]
            if _is_passed_on(unit, row, expression):
                found.append((TYPE_VARIABLE, (unit.file.key, row.body, expression[1]), _RETURNED))
            else:
                found += self._flow.values(unit, given)
        if any(value[0] not in VAGUE for value in declared):  # it says all but which callables
            found = [*declared, *(value for value in found if value[0] in CALLABLES)]
        return bounded(self._passed_on(unit, row, found))

    def _passed_on(self, unit: Unit, row: Definition, found: list[Value]) -> list[Value]:
        """The same, but functions that callers passed are those of the caller at hand."""
        if not any(value[0] in CALLABLES for value in found):
            return found
        number = self._number_of(unit, row)
        for place, parameter in enumerate(row.parameters):
            passed = {value[:2] for value in self._flow.arguments.of(number, place)}
            rest = [v for v in found if v[0] not in CALLABLES or v[:2] not in passed]
            if len(rest) < len(found):
                variable = (unit.file.key, row.body, parameter.name)
                found = [*rest, (TYPE_VARIABLE, variable, _RETURNED)]
        return found

    def _number_of(self, unit: Unit, row: Definition) -> int:
        return unit.first + unit.scopes[row.body].definition

    def _wrapped(self, unit: Unit, dotted: str, values: Values, *, last: bool) -> Values:
        """An instance of a generic class outside that is given values by and by."""
        number = self._program.library_class(unit.rules, dotted)
        if number < 0:
            return values
        count = len(self._flow.generics.parameters(number))
        rest: tuple[Values, ...] = ((),) * (count - 1)
        return (collection(number, (*rest, values) if last else (values, *rest)),)

    def _changed(self, unit: Unit, decorator: int, found: Values) -> Values:
        """What calls give once a decorator from outside has changed the function."""
        for kind, key, _ in self._flow.values(unit, decorator):
            if kind == FUNCTION and self._program.is_library(number_of(key)):
                number = number_of(key)
                if not self._program.definitions[number].parameters:
                    continue
                environment: Environment = {}
                for pattern in self.pattern(number, 0):
                    if pattern[0] == CALLABLE:
                        self._unify(unit, parts_of(pattern)[0], found, environment)
                changed = substitute(self.returned(number)[0], environment)
                results = [v for v in changed if v[0] == CALLABLE]
                if results:
                    return bounded([v for value in results for v in parts_of(value)[0]])
        return found

    def _find_before(self, number: int) -> Values:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        found: list[Value] = []
        for decorator, _, _ in row.decorators:
            for value in self._flow.values(unit, decorator):
                runs = self._runs(value)
                for made in self.called(unit, (value,)) if runs else ():
                    kind, key, rule = made
                    if kind == FUNCTION:
                        if self._is_within(number_of(key), runs):
                            found.append((WRAPPER, key, rule))
                    elif kind in INSTANCES and value[0] not in CLASSES:
                        found.append(made)
                if value[0] in CLASSES and not self._program.is_library(class_of(value)):
                    found.append(self._made(value, None))
        return bounded(found)

    def _runs(self, value: Value) -> frozenset[int]:
        """The functions of the repository that run when a value is called."""
        kind, key, _ = value
        if kind == FUNCTION:
            numbers = [number_of(key)]
        elif kind in INSTANCES and class_of(value) >= 0:
            method = self._program.unit_of[class_of(value)].rules.call_method
            symbols = self._flow.members.of_class(value, method) if method else ()
            numbers = [number_of(k) for how, k, _ in symbols if how == DEFINITION]
        else:
            numbers = []
        return frozenset(n for n in numbers if not self._program.is_library(n))

    def _is_within(self, number: int, around: frozenset[int]) -> bool:
        """Whether a function is defined inside one of others."""
        unit, scope = self._program.unit_of[number], self._program.definitions[number].scope
        while scope > 0:
            _, parent, definition, _, _ = unit.scopes[scope]
            if definition >= 0 and unit.first + definition in around:
                return True
            scope = parent
        return False


class _Related:
    """Tells whether the class of a receiver is another, or extends it."""

    def __init__(self, members: Members, number: int) -> None:
        self._members = members
        self._number = number

    def __call__(self, number: int) -> bool:
        own = self._number
        return own == number or (own >= 0 and number in self._members.order(own))


def _is_passed_on(unit: Unit, row: Definition, expression: Expression) -> bool:
    """Whether a function returns a parameter as it came."""
    op, name, scope, _ = expression
    if op != _NAME or scope != row.body or name in unit.names[scope]:
        return False
    place = unit.parameters.get(scope, {}).get(name)
    return place is not None and not row.parameters[place].kind


def _called_outside(unit: Unit, dotted: str) -> Values:
    if unit.rules.is_class_name(dotted):
        return ((EXTERNAL_INSTANCE, dotted, Rule.INFERRED),)
    return ()
