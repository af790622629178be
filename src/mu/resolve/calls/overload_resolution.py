"""Overload resolution by number and types of the arguments.

Source: the Java language specification, sections 15.12.2.1 to 15.12.2.5, as far as types are known.
Overloads applicable without variable arity come before those with it; exact types before
supertypes; primitive widening before boxing. An argument of unknown type fits every parameter, so
that several overloads may be left.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mu.model.facts import Definition, Op, Parameter
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CLASS,
    DEFINITION,
    FUNCTION,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    INSTANCES,
    LOCAL,
    VAGUE,
    VARIABLE,
    Place,
    Symbols,
    Value,
    Values,
    class_of,
    collection,
    number_of,
    parts_of,
    place_of,
)
from mu.resolve.calls.argument_binding import Call
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import Overloading
from mu.resolve.semantics.type_forms import Subtyping
from mu.resolve.solver.flow import Flow
from mu.resolve.types.type_expressions import NOTHING

_FUNCTION, _LITERAL, _CALL = int(Op.FUNCTION), int(Op.LITERAL), int(Op.CALL)
_CAST, _COMPREHENSION = int(Op.CAST), int(Op.COMPREHENSION)
_INDEX, _STRING, _NAME = int(Op.INDEX), int(Op.STRING), int(Op.NAME)
_SAME, _BELOW, _OPEN, _NEVER = 300, 200, 100, 0
_BOXED, _ROOT = 150, 120
_VARIABLES = frozenset((LOCAL, VARIABLE))


class _Passed(NamedTuple):
    """The type of an argument, whichever function it is passed to."""

    plain: str  # its primitive type; empty for any other
    is_object: bool  # if not primitive: whether its type is declared
    values: Values
    is_function: bool  # an inline function


class OverloadResolution:
    """Chooses among functions of one name by the arguments."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._by_literals: dict[int, tuple[int, ...]] = {}

    def by_literals(self, number: int, call: Call, *, is_bound: bool) -> int:
        """Return the overload of a library function that the strings among the arguments select.

        That is the first whose `Literal[...]` parameters list them, else `number` itself: what
        `open` returns depends on its mode.
        """
        for one in self._told_apart(number):
            if self._takes_literals(one, call, is_bound=is_bound):
                return one
        return number

    def _told_apart(self, number: int) -> tuple[int, ...]:
        """Return all overloads of a library function, if one has a `Literal[...]` parameter."""
        known = self._by_literals.get(number)
        if known is None:
            known = ()
            unit, row = self._program.unit_of[number], self._program.definitions[number]
            if self._program.is_library(number) and unit.calls.literal_form:
                twins = [unit.facts.definitions[one] for one in _twins(unit, row)]
                if len(twins) > 1 and any(_literals(unit, p) for t in twins for p in t.parameters):
                    known = tuple([unit.first + one for one in _twins(unit, row)])
            self._by_literals[number] = known
        return known

    def _takes_literals(self, number: int, call: Call, *, is_bound: bool) -> bool:
        passed = dict(self._flow.argument_binding.passed(number, call, is_bound=is_bound))
        unit = self._program.unit_of[number]
        for place, parameter in enumerate(self._program.definitions[number].parameters):
            wanted = _literals(unit, parameter)
            if wanted and place in passed:
                op, text, _, _ = call[0].expressions[passed[place]]
                if op != _STRING or text not in wanted:
                    return False
            elif wanted and "=" not in parameter.text:
                return False
        return True

    def chosen(self, unit: FileSymbols, symbols: Symbols, *, args: tuple[int, ...]) -> Symbols:
        """Return the functions among `symbols` that a call may mean; all if none fits."""
        if len(symbols) < 2 or unit.calls.overloading is not Overloading.BY_SIGNATURE:
            return symbols
        if any(symbol[0] != DEFINITION for symbol in symbols):
            return symbols
        numbers = self.fitting(unit, [number_of(key) for _, key, _ in symbols], args=args)
        return tuple([symbol for symbol in symbols if symbol[1] in numbers]) or symbols

    def implementing(
        self, unit: FileSymbols, values: Values, *, args: tuple[int, ...]
    ) -> Values | None:
        """Select the best fitting method among those of several implementations in one class.

        They have one name, such as `from` of `impl From<A> for C` and `impl From<B> for C`. None if
        the arguments do not decide. Other values are returned unchanged.
        """
        numbers = [number_of(key) for kind, key, _ in values if kind == FUNCTION]
        if len(numbers) < 2 or len(numbers) < len(values) or not self._are_apart(numbers):
            return values
        best = self._best(unit, numbers, args)
        return tuple([v for v in values if v[1] == best[0]]) if len(best) == 1 else None

    def _are_apart(self, functions: Sequence[int]) -> bool:
        """Return whether functions of one name belong to one class, each in a body of its own."""
        rows = [(self._program.unit_of[n], self._program.definitions[n]) for n in functions]
        alike = {(unit.owner(row.scope), row.name) for unit, row in rows}
        bodies = {(unit.key, row.scope) for unit, row in rows}
        return len(alike) == 1 and len(bodies) == len(rows)

    def fitting(
        self, unit: FileSymbols, functions: Sequence[int], *, args: tuple[int, ...]
    ) -> list[int]:
        """Return the functions that accept `args`, of each class those that fit best.

        A class and its ancestors count as one.
        """
        taking = [one for one in functions if self._takes(one, len(args))]
        if len(taking) < 2:
            return taking
        return [one for group in self._groups(taking) for one in self._best(unit, group, args)]

    def overriding(
        self, unit: FileSymbols, functions: Sequence[int], *, args: tuple[int, ...]
    ) -> list[int]:
        """Return the overrides that accept `args`, of each class those that fit best.

        Classes are kept apart: an inherited method is no overload of one that the class defines.
        """
        groups: dict[int, list[int]] = {}
        for one in functions:
            if self._takes(one, len(args)):
                own = self._program.unit_of[one].owner(self._program.definitions[one].scope)
                groups.setdefault(own, []).append(one)
        return [one for group in groups.values() for one in self._best(unit, group, args)]

    def _groups(self, functions: list[int]) -> list[list[int]]:
        """Group functions by class; a class and its ancestors are one group."""
        groups: list[tuple[int, list[int]]] = []
        for number in functions:
            own = self._program.unit_of[number].owner(self._program.definitions[number].scope)
            for owner, group in groups:
                if owner == own or self._are_related(owner, own):
                    group.append(number)
                    break
            else:
                groups.append((own, [number]))
        return [group for _, group in groups]

    def _are_related(self, one: int, other: int) -> bool:
        if one < 0 or other < 0:
            return False
        order = self._flow.members.order
        return one in order(other) or other in order(one)

    def _best(self, unit: FileSymbols, functions: list[int], args: tuple[int, ...]) -> list[int]:
        if len(functions) < 2:
            return functions
        told = {arg: self._passed(unit, arg) for arg in args}
        ranked = [(one, self._rank(unit, one, args, told)) for one in functions]
        fits = [(one, rank) for one, rank in ranked if _NEVER not in rank]
        best = [(one, rank) for one, rank in fits if not self._is_open(one)] or fits
        kept = [one for one, rank in best if not any(_is_better(other, rank) for _, other in best)]
        return kept or functions

    def _takes(self, number: int, count: int) -> bool:
        rows = self._program.definitions[number].parameters
        needed = sum(not (row.kind or row.default) for row in rows)
        return needed <= count and (count <= len(rows) or self._is_open(number))

    def _is_open(self, number: int) -> bool:
        """Return whether a function has a variadic parameter."""
        return any(row.kind for row in self._program.definitions[number].parameters)

    def _rank(
        self, unit: FileSymbols, number: int, args: tuple[int, ...], told: dict[int, _Passed]
    ) -> tuple[int, ...]:
        """Rate how well each argument fits its parameter."""
        passing = self._flow.argument_binding
        return tuple(
            _NEVER
            if self._is_null(unit, arg) and self._plain_type_taken(number, place)
            else self._fit_declared(
                unit, arg, told.get(arg) or self._passed(unit, arg), number=number, place=place
            )
            for place, arg in passing.passed(number, (unit, args), is_bound=False)
        )

    def _fit_declared(
        self, unit: FileSymbols, arg: int, passed: _Passed, *, number: int, place: int
    ) -> int:
        """Rate how well an argument fits a parameter.

        Literals without a class in the library are compared with the declared type by its name.
        """
        pattern = self._pattern(number, place)
        op, kind, _, _ = unit.expressions[arg]
        types = unit.calls.types_of_literals.get("str" if op == _STRING else kind)
        if types is None or op not in (_LITERAL, _STRING):
            asked = self._plain_type_taken(number, place)
            if passed.plain:
                return self._fit_plain(unit, passed, asked, pattern)
            fit = self._fit(passed, pattern)
            return min(fit, _OPEN) if asked and passed.is_object else fit
        annotation = self._program.definitions[number].parameters[place].annotation
        form, name, _, _ = self._program.unit_of[number].expressions[annotation]
        if form != _NAME or any(value[0] in VAGUE for value in pattern):
            return self._fit(passed, pattern)
        return _SAME if name in types else _NEVER

    def _pattern(self, number: int, place: int) -> Values:
        """Return the declared type of a parameter."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        given = self._flow.argument_binding.pattern(number, place)
        annotation = row.parameters[place].annotation
        return self._with_root(unit, annotation, given) if annotation else given

    def _fit_plain(self, unit: FileSymbols, passed: _Passed, asked: str, pattern: Values) -> int:
        """Rate how well an argument of a primitive type fits a primitive type, or a class."""
        if asked:
            order = unit.calls.plain_types
            distance = order.index(asked) - order.index(passed.plain)
            is_wider = distance > 0 and passed.plain != order[0] and asked != "char"
            return _SAME - distance if not distance or is_wider else _NEVER
        fit = self._fit(passed, pattern)
        if fit == _SAME:
            return _BOXED
        is_number = all(self._is_plain(one) for one in pattern)
        return _NEVER if fit == _NEVER or (pattern and is_number) else _OPEN

    def _passed(self, unit: FileSymbols, arg: int) -> _Passed:
        if unit.expressions[arg][0] == _FUNCTION:
            return _Passed("", False, (), True)
        declared: Values = ()
        is_object, plain = False, ""
        if unit.calls.plain_types:
            plain = self._plain_type_passed(unit, arg)
            declared = () if plain else self._declared(unit, arg)
            is_object = not plain and self._is_object(unit, arg, declared)
        values = declared or self._flow.values(unit, arg)
        if unit.calls.overloading is Overloading.BY_IMPLEMENTATION:
            # The name of a class without fields denotes its instance.
            values = tuple([(INSTANCE, *v[1:]) if v[0] == CLASS else v for v in values])
        return _Passed(plain, is_object, values, False)

    def _plain_type_passed(self, unit: FileSymbols, arg: int) -> str:
        """Return the primitive type of an argument; empty if it has none or is unknown."""
        op, _, base, args = unit.expressions[arg]
        if op in (_LITERAL, _CAST):
            return _plain_type(unit, args[0] if args else arg)
        if op == _CALL:
            given = {_plain_type(home, row) for home, row in self._given(unit, base)}
            return given.pop() if len(given) == 1 else ""
        given = {
            _plain_type(self._program.unit(place[0]), row)
            for place in self._variables(unit, arg)
            for row in self._flow.points_to.annotations(place)
        }
        return given.pop() if len(given) == 1 else ""

    def _is_object(self, unit: FileSymbols, arg: int, declared: Values) -> bool:
        """Return whether an argument without a primitive type has a declared type."""
        op, _, base, _ = unit.expressions[arg]
        given = self._given(unit, base) if op == _CALL else []
        return all(row for _, row in given) if given else bool(declared)

    def _given(self, unit: FileSymbols, function: int) -> list[tuple[FileSymbols, int]]:
        """Return the declared result types of the callees: (file, row, 0 if undeclared) of each."""
        functions = [v for v in self._flow.called(unit, function) if v[0] == FUNCTION]
        numbers = [number_of(key) for _, key, _ in functions]
        return [(self._program.unit_of[n], self._program.definitions[n].returns) for n in numbers]

    def _variables(self, unit: FileSymbols, arg: int) -> list[Place]:
        """Return the variables that an argument names."""
        symbols = self._flow.symbols(unit, arg)
        return [place_of(key) for kind, key, _ in symbols if kind in _VARIABLES]

    def _is_null(self, unit: FileSymbols, arg: int) -> bool:
        op, text, _, _ = unit.expressions[arg]
        return op == _LITERAL and text == NOTHING

    def _plain_type_taken(self, number: int, place: int) -> str:
        """Return the primitive type that a parameter is declared with; empty if it is a class."""
        row = self._program.definitions[number]
        return _plain_type(self._program.unit_of[number], row.parameters[place].annotation)

    def _fit(self, passed: _Passed, pattern: Values) -> int:
        if passed.is_function:
            functional = self._flow.functional_interfaces
            taken = not pattern or functional.are_some(pattern)
            return _OPEN if taken or any(value[0] in VAGUE for value in pattern) else _NEVER
        if not pattern or not passed.values:
            return _OPEN
        return max(self._fit_value(value, one) for value in passed.values for one in pattern)

    def _declared(self, unit: FileSymbols, arg: int) -> Values:
        """Return the declared type of a variable or cast in an argument, if it is specific."""
        op, _, _, args = unit.expressions[arg]
        if op == _CAST:
            given = self._flow.type_expressions.declared(unit, args[0], scope=0)
            return self._with_root(unit, args[0], given)
        holding = self._flow.points_to
        declared: list[Value] = []
        for place in self._variables(unit, arg):
            rows = holding.annotations(place)
            found = holding.declared(place)
            home = self._program.unit(place[0])
            declared += self._with_root(home, rows[0], found) if len(rows) == 1 else found
        return () if any(value[0] in VAGUE for value in declared) else tuple(declared)

    def _with_root(self, unit: FileSymbols, row: int, values: Values) -> Values:
        """Return a declared type, also if it is the root class or an array of it.

        `values` lack the root class, which says nothing elsewhere.
        """
        if unit.types.subtyping is not Subtyping.NOMINAL:
            return values
        op, name, base, _ = unit.expressions[row]
        root: Values = ((INSTANCE_OF_SUBTYPE, self._program.root_class(unit.rules), Rule.TYPED),)
        last = unit.members.root_class.rpartition(".")[2]
        if op == _NAME and name == last and not values:
            return root
        if op == _COMPREHENSION and len(values) == 1 and not any(parts_of(values[0])):
            is_of_root = unit.expressions[base][:2] == (_NAME, last)
            return (collection(class_of(values[0]), (root,)),) if is_of_root else values
        return values

    def _fit_value(self, value: Value, one: Value) -> int:
        if value[0] not in INSTANCES or one[0] not in INSTANCES:
            is_same = value[:2] == one[:2] and value[0] not in VAGUE
            return _SAME if is_same else _OPEN
        own, asked = class_of(value), class_of(one)
        if own == asked:
            return self._fit_parts(value, one)
        order = self._flow.members.order(own)
        if asked in order:
            return _BELOW - min(order.index(asked), _BELOW - _BOXED - 1)
        if asked == self._program.root_class(self._program.unit_of[own].rules):
            return _ROOT
        is_open = None in order or any(isinstance(ancestor, str) for ancestor in order)
        return _OPEN if is_open or self._are_numbers(own, asked) else _NEVER

    def _fit_parts(self, value: Value, one: Value) -> int:
        """Rate how well the elements of an array fit; other type arguments are erased."""
        types = self._program.unit_of[class_of(one)].types
        if self._program.dotted(class_of(one)) != types.literal_type("array"):
            return _SAME
        held, asked = parts_of(value)[:1], parts_of(one)[:1]
        if not (held and asked and held[0] and asked[0]):
            return _OPEN
        fit = max(self._fit_value(part, other) for part in held[0] for other in asked[0])
        return _NEVER if fit == _OPEN and self._is_plain(asked[0][0]) else fit

    def _is_plain(self, value: Value) -> bool:
        return value[0] in INSTANCES and self._are_numbers(class_of(value), class_of(value))

    def _are_numbers(self, own: int, asked: int) -> bool:
        """Return whether both are library classes of numbers or truth values.

        One may convert to the other.
        """
        return all(
            self._program.is_library(number)
            and self._program.unit_of[number].types.is_plain(self._program.dotted(number))
            and not self._is_text(number)
            for number in (own, asked)
        )

    def _is_text(self, number: int) -> bool:
        types = self._program.unit_of[number].types
        return self._program.dotted(number) == types.literal_type("str")


def _is_better(rank: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether all arguments fit at least as well as in `other`, and some better."""
    return rank != other and all(a >= b for a, b in zip(rank, other, strict=False))


def _twins(unit: FileSymbols, row: Definition) -> Sequence[int]:
    return unit.names[row.scope][row.name].definitions


def _plain_type(unit: FileSymbols, row: int) -> str:
    """Return the primitive type of a literal, or that a type expression names; else empty."""
    op, text, _, _ = unit.expressions[row]
    return text if op == _LITERAL and text in unit.calls.plain_types else ""


def _literals(unit: FileSymbols, parameter: Parameter) -> frozenset[str]:
    """Return the strings that a `Literal[...]` annotation of a parameter lists."""
    op, _, base, args = unit.expressions[parameter.annotation]
    if op != _INDEX or unit.expressions[base][1] != unit.calls.literal_form:
        return frozenset()
    rows = [unit.expressions[arg] for arg in args]
    return frozenset([text for kind, text, _, _ in rows if kind == _STRING])
