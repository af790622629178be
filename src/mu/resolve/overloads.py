"""Which of several functions of one name a call means, by the number and types of its arguments.

Source: the Java language specification, sections 15.12.2.1 to 15.12.2.5, as far as types are known:
what fits without taking the rest of the arguments comes before what takes them, and what names the
types of the arguments before what names some of their ancestors. An argument of unknown type fits
everything, so that several may be left.
"""

from collections.abc import Sequence

from mu.model.facts import Definition, Op, Parameter
from mu.resolve.annotations import NOTHING
from mu.resolve.flow import Flow
from mu.resolve.passing import Call
from mu.resolve.program import Program
from mu.resolve.unit import Unit
from mu.resolve.values import (
    CLASS,
    DEFINITION,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    VAGUE,
    Symbols,
    Value,
    Values,
    class_of,
    number_of,
    parts_of,
)

_FUNCTION, _LITERAL = int(Op.FUNCTION), int(Op.LITERAL)
_INDEX, _STRING, _NAME = int(Op.INDEX), int(Op.STRING), int(Op.NAME)
_SAME, _BELOW, _OPEN, _NEVER = 3, 2, 1, 0


class Overloads:
    """Chooses among functions of one name."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._by_literals: dict[int, tuple[int, ...]] = {}

    def by_literals(self, number: int, call: Call, *, is_bound: bool) -> int:
        """Of the library's functions of one name, the first whose parameters that are literals are
        passed one of them: what `open` gives depends on its mode.
        """
        for one in self._told_apart(number):
            if self._takes_literals(one, call, is_bound=is_bound):
                return one
        return number

    def _told_apart(self, number: int) -> tuple[int, ...]:
        """All functions of the name of one of the library, where literals tell them apart."""
        known = self._by_literals.get(number)
        if known is None:
            known = ()
            unit, row = self._program.unit_of[number], self._program.definitions[number]
            if self._program.is_library(number) and unit.rules.literal_form:
                twins = [unit.facts.definitions[one] for one in _twins(unit, row)]
                if len(twins) > 1 and any(_literals(unit, p) for t in twins for p in t.parameters):
                    known = tuple([unit.first + one for one in _twins(unit, row)])
            self._by_literals[number] = known
        return known

    def _takes_literals(self, number: int, call: Call, *, is_bound: bool) -> bool:
        passed = dict(self._flow.passing.passed(number, call, is_bound=is_bound))
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

    def chosen(self, unit: Unit, symbols: Symbols, *, args: tuple[int, ...]) -> Symbols:
        """Those of the functions that a call with these arguments may mean; all if none fits."""
        if len(symbols) < 2 or not unit.rules.has_overloads:
            return symbols
        if any(symbol[0] != DEFINITION for symbol in symbols):
            return symbols
        numbers = self.fitting(unit, [number_of(key) for _, key, _ in symbols], args=args)
        return tuple([symbol for symbol in symbols if symbol[1] in numbers]) or symbols

    def implementing(self, unit: Unit, values: Values, *, args: tuple[int, ...]) -> Values | None:
        """Of functions that one class has by implementing something for several types, the one that
        takes the arguments best; None where that is not told. Other values stay as they are.
        """
        numbers = [number_of(key) for kind, key, _ in values if kind == FUNCTION]
        if len(numbers) < 2 or len(numbers) < len(values) or not self._are_apart(numbers):
            return values
        best = self._best(unit, numbers, args)
        return tuple([v for v in values if v[1] == best[0]]) if len(best) == 1 else None

    def _are_apart(self, functions: Sequence[int]) -> bool:
        """Whether functions of one name belong to one class, each by a body of its own."""
        rows = [(self._program.unit_of[n], self._program.definitions[n]) for n in functions]
        alike = {(unit.owner(row.scope), row.name) for unit, row in rows}
        bodies = {(unit.file.key, row.scope) for unit, row in rows}
        return len(alike) == 1 and len(bodies) == len(rows)

    def fitting(self, unit: Unit, functions: Sequence[int], *, args: tuple[int, ...]) -> list[int]:
        """Those of the functions that take such arguments, and take them best of their class."""
        taking = [one for one in functions if self._takes(one, len(args))]
        if len(taking) < 2:
            return taking
        return [one for group in self._groups(taking) for one in self._best(unit, group, args)]

    def _groups(self, functions: list[int]) -> list[list[int]]:
        """The functions by their classes; a class and one that extends it are one."""
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

    def _best(self, unit: Unit, functions: list[int], args: tuple[int, ...]) -> list[int]:
        if len(functions) < 2:
            return functions
        ranked = [(one, self._rank(unit, one, args)) for one in functions]
        fits = [(one, rank) for one, rank in ranked if _NEVER not in rank]
        best = [(one, rank) for one, rank in fits if not self._is_open(one)] or fits
        kept = [one for one, rank in best if not any(_is_better(other, rank) for _, other in best)]
        return kept or functions

    def _takes(self, number: int, count: int) -> bool:
        rows = self._program.definitions[number].parameters
        needed = sum(not (row.kind or row.default) for row in rows)
        return needed <= count and (count <= len(rows) or self._is_open(number))

    def _is_open(self, number: int) -> bool:
        """Whether a function takes any number of arguments."""
        return any(row.kind for row in self._program.definitions[number].parameters)

    def _rank(self, unit: Unit, number: int, args: tuple[int, ...]) -> tuple[int, ...]:
        """How well each argument fits the parameter it is passed for."""
        passing = self._flow.passing
        return tuple(
            _NEVER
            if self._is_null(unit, arg) and self._is_never_null(number, place)
            else self._fit_declared(unit, arg, number=number, place=place)
            for place, arg in passing.passed(number, (unit, args), is_bound=False)
        )

    def _fit_declared(self, unit: Unit, arg: int, *, number: int, place: int) -> int:
        """How well an argument fits a parameter; a literal, one that is declared by a name."""
        pattern = self._flow.passing.pattern(number, place)
        op, kind, _, _ = unit.expressions[arg]
        types = unit.rules.types_of_literals.get("str" if op == _STRING else kind)
        if types is None or op not in (_LITERAL, _STRING):
            return self._fit(unit, arg, pattern)
        annotation = self._program.definitions[number].parameters[place].annotation
        asked, name, _, _ = self._program.unit_of[number].expressions[annotation]
        if asked != _NAME or any(value[0] in VAGUE for value in pattern):
            return self._fit(unit, arg, pattern)
        return _SAME if name in types else _NEVER

    def _is_null(self, unit: Unit, arg: int) -> bool:
        op, text, _, _ = unit.expressions[arg]
        return op == _LITERAL and text == NOTHING

    def _is_never_null(self, number: int, place: int) -> bool:
        """Whether a parameter takes values that are no references."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        annotation = row.parameters[place].annotation
        return unit.expressions[annotation][1] in unit.rules.plain_types

    def _fit(self, unit: Unit, arg: int, pattern: Values) -> int:
        if unit.expressions[arg][0] == _FUNCTION:
            functional = self._flow.functional
            taken = not pattern or functional.are_some(pattern)
            return _OPEN if taken or any(value[0] in VAGUE for value in pattern) else _NEVER
        values = self._flow.values(unit, arg)
        if unit.rules.has_implementations:  # the name of a class without parts is its instance
            values = tuple([(INSTANCE, *v[1:]) if v[0] == CLASS else v for v in values])
        if not pattern or not values:
            return _OPEN
        return max(self._fit_value(value, one) for value in values for one in pattern)

    def _fit_value(self, value: Value, one: Value) -> int:
        if value[0] not in INSTANCES or one[0] not in INSTANCES:
            is_same = value[:2] == one[:2] and value[0] not in VAGUE
            return _SAME if is_same else _OPEN
        own, asked = class_of(value), class_of(one)
        if own == asked:
            return self._fit_parts(value, one)
        order = self._flow.members.order(own)
        if asked in order:
            return _BELOW
        is_open = None in order or any(isinstance(ancestor, str) for ancestor in order)
        return _OPEN if is_open or self._are_numbers(own, asked) else _NEVER

    def _fit_parts(self, value: Value, one: Value) -> int:
        """How well what an array holds fits; what else holds something is erased."""
        rules = self._program.unit_of[class_of(one)].rules
        if self._program.dotted(class_of(one)) != rules.literal_type("array"):
            return _SAME
        held, asked = parts_of(value)[:1], parts_of(one)[:1]
        if not (held and asked and held[0] and asked[0]):
            return _OPEN
        fit = max(self._fit_value(part, other) for part in held[0] for other in asked[0])
        return _NEVER if fit == _OPEN and self._is_plain(asked[0][0]) else fit

    def _is_plain(self, value: Value) -> bool:
        return value[0] in INSTANCES and self._are_numbers(class_of(value), class_of(value))

    def _are_numbers(self, own: int, asked: int) -> bool:
        """Whether both are classes of texts and numbers, of which one may become the other."""
        return all(
            self._program.is_library(number)
            and self._program.unit_of[number].rules.is_plain(self._program.dotted(number))
            and not self._is_text(number)
            for number in (own, asked)
        )

    def _is_text(self, number: int) -> bool:
        rules = self._program.unit_of[number].rules
        return self._program.dotted(number) == rules.literal_type("str")


def _is_better(rank: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether all arguments fit as well as in another, and some better."""
    return rank != other and all(a >= b for a, b in zip(rank, other, strict=False))


def _twins(unit: Unit, row: Definition) -> Sequence[int]:
    return unit.names[row.scope][row.name].definitions


def _literals(unit: Unit, parameter: Parameter) -> frozenset[str]:
    """The texts that a parameter is declared to be one of."""
    op, _, base, args = unit.expressions[parameter.annotation]
    if op != _INDEX or unit.expressions[base][1] != unit.rules.literal_form:
        return frozenset()
    rows = [unit.expressions[arg] for arg in args]
    return frozenset([text for kind, text, _, _ in rows if kind == _STRING])
