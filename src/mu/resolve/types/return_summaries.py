"""Return summaries: results of functions in terms of parameters, type variables and receiver."""

from mu.model.facts import Definition, Expression, Flag, Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLES,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    TUPLE,
    TYPE_VARIABLE,
    VAGUE,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    collection,
    is_open,
    number_of,
    parts_of,
    place_of,
)
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.types.narrowing import narrowed
from mu.resolve.types.type_expressions import NOTHING

_CALL, _LITERAL, _NAME = map(int, (Op.CALL, Op.LITERAL, Op.NAME))
_ASYNC, _GENERATOR = int(Flag.ASYNC), int(Flag.GENERATOR)
_RETURNED = Rule.RETURNED


class ReturnSummaries:
    """Computes the results of functions from their return statements and declarations."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._known: dict[int, tuple[Values, bool]] = {}

    def of(self, number: int) -> tuple[Values, bool]:
        """Return (result, is open) of a function.

        The result is in terms of its type variables, parameters and receiver; it is open if it has
        such terms.
        """
        known = self._known.get(number)
        if known is not None:
            return known
        found, is_final = self._flow.solver.solve(("returns", number), self._find, number)
        answer = found, is_open(found)
        if is_final:
            self._known[number] = answer
        return answer

    def _find(self, number: int) -> Values:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        found = self._given(unit, row)
        if row.flags & _ASYNC and not row.flags & _GENERATOR:
            coroutine = unit.types.coroutine_of(is_declared=bool(row.returns))
            found = self._wrapped(unit, coroutine, found, last=True)
        for decorator, _, _ in reversed(row.decorators):
            found = self._flow.decorators.changed(unit, decorator, found=found)
        return by_rule(_RETURNED, found)

    def _given(self, unit: FileSymbols, row: Definition) -> Values:
        declared: Values = ()
        if row.returns:
            declared = self._flow.type_expressions.declared(unit, row.returns, scope=row.body)
            if self._program.is_library(unit.first):
                declared = self._as_made_outside(unit, declared)
            if not any(value[0] in VAGUE for value in declared):
                return self._or_own(unit, row, declared)
        if row.flags & _GENERATOR:
            values = bounded([v for given in row.yielded for v in self._flow.values(unit, given)])
            types, is_async = unit.types, row.flags & _ASYNC
            made = (is_async and types.async_generator_class) or types.generator_class
            return self._wrapped(unit, made, values, last=False)
        found: list[Value] = [*declared]
        for given in row.returned:
            expression = unit.expressions[given]
            name = expression[1] if _is_passed_on(unit, row, expression) else ""
            if name := name or self._passed_through(unit, row, given):
                found.append((TYPE_VARIABLE, (unit.key, row.body, name), _RETURNED))
            else:
                found += self._flow.values(unit, given)
        if any(value[0] not in VAGUE for value in declared):  # complete except for callables
            found = [*declared, *(value for value in found if value[0] in CALLABLES)]
        return bounded(self._passed_on(unit, row, self._without_bounds(declared, found)))

    def _without_bounds(self, declared: Values, found: list[Value]) -> list[Value]:
        """Remove the bounds of type variables that the declared result has.

        Inside the function, the bound is all that is known of a value of such a type; the caller
        knows more.
        """
        bounds = {
            value[:2]
            for kind, key, _ in declared
            if kind == TYPE_VARIABLE
            for value in self._flow.type_expressions.bound(place_of(key))
        }
        return [value for value in found if value[:2] not in bounds]

    def _passed_through(self, unit: FileSymbols, row: Definition, given: int) -> str:
        """Return the name of a parameter that a returned call returns: `return wrap(function)`.

        That is inferred if the parameter has several values, and the call returns just these. The
        name is empty if there is none.
        """
        op, _, _, args = unit.expressions[given]
        for arg in args if op == _CALL else ():
            if _is_passed_on(unit, row, unit.expressions[arg]):
                passed = {value[:2] for value in self._flow.values(unit, arg)}
                if len(passed) > 1 and passed == {v[:2] for v in self._flow.values(unit, given)}:
                    return unit.expressions[arg][1]
        return ""

    def _as_made_outside(self, unit: FileSymbols, declared: Values) -> Values:
        """Restrict results of a library function to instances of just the declared classes.

        The library does not instantiate subclasses of the repository. Abstract types stay open.
        """
        return tuple([self._made_outside(unit, value) for value in declared])

    def _made_outside(self, unit: FileSymbols, value: Value) -> Value:
        kind, key, rule = value
        if kind != INSTANCE_OF_SUBTYPE or self._flow.declared_types.are_abstract((value,)):
            return value
        if unit.types.is_rarely_extended(self._program.dotted(number_of(key))):
            return value  # the same value as of an annotation: subclasses are rare
        return INSTANCE, key, rule

    def _or_own(self, unit: FileSymbols, row: Definition, declared: Values) -> Values:
        """Return the declared values and, if they are abstract, returned ones that refine them."""
        standing = self._flow.declared_types
        if row.flags & _GENERATOR or not row.returned or not declared:
            return declared
        if declared[0][0] == TUPLE and self._flow.functional_interfaces.are_functions(declared):
            return self._with_functions(unit, row, declared)
        if not standing.are_abstract(declared):
            return declared
        found = [v for given in row.returned for v in self._flow.values(unit, given)]
        return standing.with_refinements(declared, tuple(found))

    def _with_functions(self, unit: FileSymbols, row: Definition, declared: Values) -> Values:
        """Add to the parts of a declared tuple the functions that are returned in them."""
        parts = [list(part) for part in parts_of(declared[0])]
        for given in row.returned:
            for value in self._flow.values(unit, given):
                found = parts_of(value) if value[0] == TUPLE else ()
                for own, part in zip(parts, found, strict=False):
                    own += [one for one in part if one[0] in CALLABLES]
        kept = tuple([bounded(part) for part in parts])
        return (collection(class_of(declared[0]), kept, kind=TUPLE),)

    def _passed_on(self, unit: FileSymbols, row: Definition, found: list[Value]) -> list[Value]:
        """Replace functions that callers passed to a parameter by the parameter itself.

        So each call returns the functions of its own arguments.
        """
        number = unit.first + unit.scopes[row.body].definition
        outer = {v[:2] for v in found if v[0] in CALLABLES and not self._is_own(v, number)}
        if not outer:
            return found
        for place, parameter in enumerate(row.parameters):
            passed = {
                value[:2] for value in self._flow.parameter_propagation.of(number, place)
            } & outer
            if passed:
                variable = (unit.key, row.body, parameter.name)
                found = [v for v in found if v[:2] not in passed]
                found.append((TYPE_VARIABLE, variable, _RETURNED))
        return found

    def _is_own(self, value: Value, number: int) -> bool:
        """Return whether a function is defined inside another."""
        return self._flow.decorators.is_within(number_of(value[1]), frozenset((number,)))

    def _wrapped(self, unit: FileSymbols, dotted: str, values: Values, *, last: bool) -> Values:
        """Return an instance of a generic library class, with `values` as a type argument.

        They are the first one, such as what a generator yields, or with `last` the last one, such
        as what a coroutine returns.
        """
        number = self._program.library_class(unit.rules, dotted)
        if number < 0:
            return values
        count = len(self._flow.type_parameters.parameters(number))
        rest: tuple[Values, ...] = ((),) * (count - 1)
        return (collection(number, (*rest, values) if last else (values, *rest)),)


def _is_passed_on(unit: FileSymbols, row: Definition, expression: Expression) -> bool:
    """Return whether an expression is a parameter that the function does not rebind.

    Narrowing and a default of None are no rebinding.
    """
    op, name, scope, _ = expression
    while op == _NAME and (whole := narrowed(unit, scope, name=name)):
        op, name, scope, _ = unit.expressions[whole]
    place = unit.parameters.get(scope, {}).get(name) if op == _NAME and scope == row.body else None
    if place is None or row.parameters[place].kind:
        return False
    entry, default = unit.names[scope].get(name), row.parameters[place].default
    if entry is None:
        return True
    if not default or unit.expressions[default][:2] != (_LITERAL, NOTHING):
        return False
    is_default = len(entry.bindings) == 1 and entry.bindings[0].value == default
    return is_default and not entry.definitions and not entry.imports
