"""Expected types of object literals: the declared type of what a literal is written for.

In `const user: User = { name: "" }` it is `User`. A literal is written for a declared variable,
field or parameter, as the result of a function, behind `as`, or as an element or a member of
another such literal. This is the contextual typing of TypeScript, of literals as written: what a
variable holds is not followed. Source: the TypeScript handbook, "Contextual Typing".
"""

from collections import defaultdict
from collections.abc import Iterator

from mu.model.facts import BindingKind, Flag, Op
from mu.resolve.abstract_values import (
    CALLABLE,
    GENERIC,
    INSTANCES,
    TUPLE,
    TYPE_VARIABLE,
    VARIABLE,
    Symbols,
    Value,
    Values,
    bounded,
    class_of,
    parts_of,
    place_of,
)
from mu.resolve.limits import DEEPEST_VALUE
from mu.resolve.program.file_symbols import OBJECT, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.types.type_parameters import substitute

_DECLARED, _VALUE = int(BindingKind.DECLARED), int(BindingKind.VALUE)
_CALL, _CAST, _FUNCTION, _COLLECTION = map(int, (Op.CALL, Op.CAST, Op.FUNCTION, Op.COLLECTION))
_UNION, _ASYNC = int(Op.UNION), int(Flag.ASYNC)
_HOLDING = frozenset((_UNION, _COLLECTION, _FUNCTION))

Expected = dict[int, Values]
"""The expected types of object literals, by their number in the file."""


class ExpectedTypes:
    """Finds the expected types of the object literals of a file."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def of(self, unit: FileSymbols) -> Expected:
        """Return the types of those that have one."""
        found: defaultdict[int, Values] = defaultdict(tuple)
        for row, types in self._contexts(unit):
            self._expect(unit, row, types, found)
        return found

    def of_argument(self, unit: FileSymbols, function: int, *, args: tuple[int, ...]) -> Values:
        """Return the declared type of what the first argument of a call is passed for."""
        handed = self._flow.contextual_typing.handed(unit, function, args=args)
        found = [
            value
            for called, place, arg, receiver in handed
            if arg == args[0]
            for value in self._parameter(called, place, receiver)
        ]
        return bounded(found)

    def members(self, types: Values, name: str) -> Symbols:
        """Return the members of types that a key of a literal sets."""
        found = [
            symbol
            for value in types
            if value[0] in INSTANCES
            for symbol in self._flow.members.of_class(value, name)
        ]
        return tuple(dict.fromkeys(found))

    def _contexts(self, unit: FileSymbols) -> Iterator[tuple[int, Values]]:
        """Yield the row of each expression that may hold literals, with what its place declares."""
        rows = unit.expressions
        holding = {
            number
            for number, (op, _, inner, _) in enumerate(rows)
            if op == _FUNCTION and self._is_literal(unit, inner)
        }
        if not holding:
            return
        for number, (op, _, inner, args) in enumerate(rows):  # operands have lower numbers
            is_around = op in (_COLLECTION, _UNION) and not holding.isdisjoint(args)
            if is_around or (op == _FUNCTION and not holding.isdisjoint(_given(unit, inner))):
                holding.add(number)
        declared = self._flow.type_expressions.declared
        for how, scope, base, name, value, _ in unit.facts.bindings:
            if how == _VALUE and value in holding:
                yield value, self._of_target(unit, scope, base, name)
        for definition in unit.facts.definitions:
            given = holding.intersection(definition.returned) if definition.returns else ()
            if given:
                types = declared(unit, definition.returns, scope=definition.body)
                if definition.flags & _ASYNC:
                    types = self._flow.iteration.awaited(unit, types)
                yield from ((row, types) for row in sorted(given))
        for number, (op, _, base, args) in enumerate(rows):
            if op == _FUNCTION and number in holding and not self._is_literal(unit, base):
                definition = unit.facts.definitions[base]
                yield number, self._of_target(unit, definition.scope, 0, definition.name)
            elif op == _CAST and base in holding:
                yield base, declared(unit, args[0], scope=0)
            elif op == _CALL and not holding.isdisjoint(args):
                handed = self._flow.contextual_typing.handed(unit, base, args=args)
                for called, place, arg, receiver in handed:
                    if arg in holding:
                        yield arg, self._parameter(called, place, receiver)

    def _parameter(self, called: int, place: int, receiver: Value | None) -> Values:
        """Return the declared type of a parameter, as a receiver has it."""
        types = self._flow.argument_binding.pattern(called, place)
        owner = self._program.unit_of[called].owner(self._program.definitions[called].scope)
        if receiver is None or owner < 0 or receiver[0] not in INSTANCES:
            return types
        return substitute(types, self._flow.type_parameters.seen_from(receiver, owner))

    def _is_literal(self, unit: FileSymbols, number: int) -> bool:
        return unit.facts.definitions[number].subkind == OBJECT

    def _of_target(self, unit: FileSymbols, scope: int, base: int, name: str) -> Values:
        """Return the declared type of a variable, or of a field of the row `base`."""
        if not base:
            entry = unit.names[scope].get(name)
            rows = [b for b in entry.bindings if b.kind == _DECLARED] if entry is not None else ()
            declared = self._flow.type_expressions.declared
            return bounded([v for b in rows for v in declared(unit, b.value, scope=b.scope)])
        held = self._flow.values(unit, base)
        return self._of_members(self.members(held, name)) if name else ()

    def _of_members(self, symbols: Symbols) -> Values:
        declared = self._flow.points_to.declared
        places = [place_of(key) for kind, key, _ in symbols if kind == VARIABLE]
        return bounded([value for place in places for value in declared(place)])

    def _expect(
        self,
        unit: FileSymbols,
        row: int,
        types: Values,
        found: dict[int, Values],
        *,
        depth: int = 0,
    ) -> None:
        """Give an expression its types, and what is written in it those of elements and members."""
        types = tuple([value for value in types if value[0] != TYPE_VARIABLE])
        op, _, inner, args = unit.expressions[row]
        if not types or depth > DEEPEST_VALUE:
            return
        if op == _UNION:
            for arg in args:
                self._expect(unit, arg, types, found, depth=depth + 1)
        elif op == _COLLECTION:
            for place, arg in enumerate(args):
                self._expect(unit, arg, _elements(types, place), found, depth=depth + 1)
        elif op == _FUNCTION and self._is_literal(unit, inner):
            found[inner] = bounded([*found[inner], *types])
            table = self._program.literal_class(unit, "dict")
            entries = [v for value in types if class_of(value) == table for v in _last(value)]
            for name, entry in unit.names[unit.facts.definitions[inner].body].items():
                for binding in entry.bindings:
                    if binding.value and unit.expressions[binding.value][0] in _HOLDING:
                        of_member = (*self._of_members(self.members(types, name)), *entries)
                        self._expect(unit, binding.value, of_member, found, depth=depth + 1)
        elif op == _FUNCTION:
            results = [v for value in types if value[0] == CALLABLE for v in _first(value)]
            for given in _given(unit, inner):
                self._expect(unit, given, tuple(results), found, depth=depth + 1)


def _given(unit: FileSymbols, number: int) -> tuple[int, ...]:
    """Return what a function that declares no result returns."""
    definition = unit.facts.definitions[number]
    return () if definition.returns or definition.kind != "function" else definition.returned


def _first(value: Value) -> Values:
    """Return the first part of a value: of a callable, its result."""
    return next(iter(parts_of(value)), ())


def _last(value: Value) -> Values:
    return next(reversed(parts_of(value)), ())


def _elements(types: Values, place: int) -> Values:
    """Return the types of the element of a list, or of a tuple at a place."""
    found = []
    for value in types:
        parts = parts_of(value)
        if value[0] == TUPLE:
            found += [v for part in parts[place : place + 1] for v in part]
        elif value[0] == GENERIC and len(parts) == 1:
            found += parts[0]
    return tuple(found)
