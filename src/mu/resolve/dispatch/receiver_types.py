"""Receiver types: the classes of all objects that a method can run on, as the text shows them.

A declared type allows a *cone*: instances of a class and of all its subclasses (Dean, Grove and
Chambers, "Optimization of Object-Oriented Programs Using Static Class Hierarchy Analysis", 1995).
The values that a variable is bound to or a function returns are often fewer: `Store store = open()`
where `open` makes a `Backup`. Such a set only restricts overrides, and only where it is complete:
if one binding or returned expression is unknown, the declared type is used.
"""

from collections.abc import Iterable
from typing import Final

from mu.model.facts import BindingKind, Definition, Flag, Op, ScopeKind
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    DEFINITION,
    INSTANCE,
    INSTANCES,
    LOCAL,
    MODULE,
    NAMESPACE,
    SELF,
    TUPLE,
    VARIABLE,
    Place,
    Symbol,
    Symbols,
    Value,
    Values,
    class_of,
    number_of,
    parts_of,
    place_of,
)
from mu.resolve.dispatch.complete_stores import CompleteStores, bound
from mu.resolve.dispatch.mock_objects import MockObjects
from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.evaluation.constant_keys import written_part
from mu.resolve.evaluator import Evaluator
from mu.resolve.limits import DEEPEST_RECEIVER, MOST_OVERRIDES
from mu.resolve.program.file_symbols import IN_PLACE, OBJECT, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.member_semantics import Inheritance, Scoping
from mu.resolve.types.type_expressions import NOTHING

_NAME, _ATTRIBUTE, _CALL, _INDEX = map(int, (Op.NAME, Op.ATTRIBUTE, Op.CALL, Op.INDEX))
_UNION, _CAST, _ITEM, _AWAIT = map(int, (Op.UNION, Op.CAST, Op.ITEM, Op.AWAIT))
_FUNCTION, _LITERAL, _COLLECTION = map(int, (Op.FUNCTION, Op.LITERAL, Op.COLLECTION))
_STRING, _NARROWED, _ELEMENT, _PAIR = map(int, (Op.STRING, Op.NARROWED, Op.ELEMENT, Op.PAIR))
_VALUE, _DECLARED = int(BindingKind.VALUE), int(BindingKind.DECLARED)
_ASYNC, _GENERATOR, _BODILESS = int(Flag.ASYNC), int(Flag.GENERATOR), int(Flag.BODILESS)
_IN_CLASS, _VERSION = int(ScopeKind.CLASS), int(ScopeKind.VERSION)
_TYPED = Rule.TYPED
_VARIABLES = frozenset((LOCAL, VARIABLE))
_DEFINED = frozenset((DEFINITION, MODULE, NAMESPACE))

EXACT: Final = 0
"""A sort of objects: instances of the class itself."""
BELOW: Final = 1
"""A sort of objects: instances of the class and of all its subclasses."""
OWN: Final = 2
"""A sort of objects: the receiver of the enclosing method, which the class defines."""

Cone = tuple[int, int]
"""(class, sort)."""
Cones = frozenset[Cone]

_NO_OBJECT: Cones = frozenset()
_MOCK: Cones = frozenset(((-1, EXACT),))  # an instance of no class of the repository
_WHOLE, _AWAITED, _EACH = "", "await", "each"  # parts of a value; else the position of an item


class ReceiverTypes:
    """The classes of the objects that an expression can evaluate to."""

    def __init__(self, program: Program, evaluator: Evaluator, dispatch: VirtualDispatch) -> None:
        self._program = program
        self._evaluator = evaluator
        self._dispatch = dispatch
        self._stores = CompleteStores(program, evaluator)
        self._mock_objects = MockObjects(program, evaluator)
        self._live = dispatch.live
        self._known: dict[tuple[int, int, str, int], Cones | None] = {}
        self._returned: dict[tuple[int, str, int], Cones | None] = {}
        self._of_objects: dict[tuple[int, int, str], frozenset[int]] = {}

    def restrict(
        self, unit: FileSymbols, receiver: int, *, overrides: tuple[int, ...], name: str
    ) -> tuple[int, ...]:
        """Return those `overrides` of `name` that an object of expression `receiver` can have."""
        if unit.members.inheritance is Inheritance.IMPLEMENTING:
            return overrides  # a type may have methods of one name for several traits
        self._forget()
        cones = self._of(unit, receiver, _WHOLE, DEEPEST_RECEIVER)
        if not cones:
            return overrides
        kept = frozenset().union(*(self._methods(cone, name) for cone in cones))
        return tuple([number for number in overrides if number in kept])

    def of_function(self, number: int) -> Cones | None:
        """Return the classes of a function's results; None if not all are known."""
        self._forget()
        return self._given(number, _WHOLE, DEEPEST_RECEIVER)

    def of_field(self, place: Place) -> Cones | None:
        """Return the classes of a class variable's values; None if not all are known."""
        self._forget()
        return self._of_field(place, DEEPEST_RECEIVER)

    def _methods(self, cone: Cone, name: str) -> frozenset[int]:
        """Return the methods that a name resolves to on any object of a cone."""
        number, sort = cone
        if number < 0:
            return frozenset()
        key = (*cone, name)
        known = self._of_objects.get(key)
        if known is None:
            below = () if sort == EXACT else self._evaluator.hierarchy.descendants(number)
            known = frozenset(
                number_of(key)
                for own in (number, *below)
                for kind, key, _ in self._evaluator.members.find((INSTANCE, own, _TYPED), name)
                if kind == DEFINITION
            )
            self._of_objects[key] = known
        return known

    def _forget(self) -> None:
        """Drop the caches if other classes have instances now."""
        if self._live is not self._dispatch.live:
            self._live = self._dispatch.live
            self._known.clear()
            self._returned.clear()

    def _of(self, unit: FileSymbols, row: int, part: str, depth: int) -> Cones | None:
        """Return the classes of a part of an expression's values, within `depth` steps."""
        if not depth:
            return None
        key = (unit.key, row, part, depth)
        if key not in self._known:
            self._known[key] = self._find(unit, row, part, depth - 1)
        return self._known[key]

    def _find(self, unit: FileSymbols, row: int, part: str, depth: int) -> Cones | None:
        op, text, base, args = unit.expressions[row]
        if self._mock_objects.is_made(unit, row):
            return _MOCK
        if op == _CALL:
            return self._of_call(unit, row, part, depth)
        if op == _UNION:
            return self._all_of(unit, args, part, depth)
        if op == _CAST:
            found = self._of(unit, base, part, depth) if base else None
            return found or self._declared_by(unit, args[0], 0, part)
        if op == _LITERAL and text == NOTHING:
            return _NO_OBJECT
        if part:
            return self._of_part(unit, row, part, depth)
        if op == _NAME:
            return self._of_name(unit, row, depth)
        if op == _ATTRIBUTE:
            return self._of_fields(self._evaluator.symbols(unit, row), depth)
        if op == _ITEM:
            return self._of(unit, base, text, depth)
        if (op == _ELEMENT and not text) or (op == _INDEX and not text.isidentifier()):
            return self._of(unit, base, _EACH, depth)
        if op == _AWAIT:
            return self._of(unit, base, _AWAITED, depth)
        if op == _NARROWED:
            return self._of(unit, base, _WHOLE, depth)
        if op == _FUNCTION:
            is_object = unit.facts.definitions[base].subkind == OBJECT
            return frozenset(((unit.first + base, EXACT),)) if is_object else None
        if op in (_LITERAL, _STRING, _COLLECTION):
            return self._cones(self._evaluator.values(unit, row))
        return None

    def _of_part(self, unit: FileSymbols, row: int, part: str, depth: int) -> Cones | None:
        """Return the classes of a part of a literal, or of each element of a variable."""
        op, _, _, args = unit.expressions[row]
        if part != _EACH:
            written = written_part(unit, row, place=part) if op == _COLLECTION else None
            return None if written is None else self._of(unit, written, _WHOLE, depth)
        if op == _COLLECTION:
            pairs = [unit.expressions[arg][3] for arg in args if unit.expressions[arg][0] == _PAIR]
            rows = [pair[1] for pair in pairs] if pairs else args
            return self._all_of(unit, rows, _WHOLE, depth)
        if op != _NAME:
            return None
        home, rows = self._stores.elements(unit, row)
        return self._all_of(home, rows, _EACH, depth) if rows else None

    def _of_name(self, unit: FileSymbols, row: int, depth: int) -> Cones | None:
        """Return the classes of a variable's values."""
        _, name, scope, _ = unit.expressions[row]
        received = unit.receivers.get(scope, {}).get(name)
        if received is not None:
            return self._cones(received)
        entry = unit.names[scope].get(name)
        is_parameter = name in unit.parameters.get(scope, ())
        if not is_parameter and (entry is None or not entry.is_local or scope in unit.shared):
            return self._of_fields(self._evaluator.symbols(unit, row), depth)
        place = (unit.key, scope, name)
        if is_parameter or entry is None or entry.definitions or entry.imports:
            return self._declared(place)
        found = self._all_of(unit, bound(entry.bindings), _WHOLE, depth)
        return found or self._declared(place)

    def _all_of(
        self, unit: FileSymbols, rows: Iterable[int], part: str, depth: int
    ) -> Cones | None:
        """Return the classes of several expressions' values; None if those of one are unknown."""
        found: set[Cone] = set()
        is_known = True
        for row in rows:  # evaluate all, so that no answer depends on earlier queries
            cones = self._of(unit, row, part, depth)
            is_known = is_known and cones is not None
            found.update(cones or ())
        return frozenset(found) if is_known else None

    def _of_fields(self, symbols: Symbols, depth: int) -> Cones | None:
        """Return the classes of the values of fields, from their stores or declarations."""
        found: set[Cone] = set()
        for kind, key, _ in symbols:
            place = place_of(key)
            cones = None
            if kind in _VARIABLES:
                cones = self._of_field(place, depth) or self._declared(place)
            if cones is None:
                return None
            found |= cones
        return frozenset(found) if symbols else None

    def _of_field(self, place: Place, depth: int) -> Cones | None:
        """Return the classes of all values stored in a field, where the text shows every store."""
        if self._mock_objects.is_field(place):
            return _MOCK
        rows = self._stores.field(place)
        return self._all_of(self._program.unit(place[0]), rows, _WHOLE, depth) if rows else None

    def _declared(self, place: Place) -> Cones | None:
        return self._cones(self._evaluator.points_to.declared(place))

    def _declared_by(self, unit: FileSymbols, row: int, scope: int, part: str) -> Cones | None:
        """Return the classes that a type expression declares for a part of a value."""
        if part.isdigit():
            op, _, _, args = unit.expressions[row]
            if op != _COLLECTION or int(part) >= len(args):
                return None
            row = args[int(part)]
        elif part:
            return None
        return self._cones(self._evaluator.type_expressions.declared(unit, row, scope=scope))

    def _cones(self, values: Values) -> Cones | None:
        """Return the cones of values; None if one is unknown.

        An interface that classes satisfy without naming it is unknown.
        """
        found: set[Cone] = set()
        for value in values:
            number = class_of(value) if value[0] in INSTANCES else -1
            if number < 0 or self._is_open(number):
                return None
            sort = EXACT if value[0] == INSTANCE else OWN if value[0] == SELF else BELOW
            found.add((number, sort))
        return frozenset(found) if values else None

    def _is_open(self, number: int) -> bool:
        """Return whether a class accepts instances of classes not known as its subclasses."""
        if self._program.unit_of[number].types.is_shape(self._program.definitions[number]):
            return not self._evaluator.hierarchy.descendants(number)  # none, or none known yet
        return self._evaluator.declared_types.is_open(number)

    def _of_call(self, unit: FileSymbols, row: int, part: str, depth: int) -> Cones | None:
        """Return the classes of a call's results."""
        _, _, function, args = unit.expressions[row]
        op, name, base, _ = unit.expressions[function]
        if op == _INDEX and name.isidentifier():  # a class with type arguments
            function = base
            op, name, base, _ = unit.expressions[function]
        if op == _ATTRIBUTE and self._is_instance(unit, base):
            return self._of_method(self._of(unit, base, _WHOLE, depth), name, part, depth)
        if op != _NAME and not (op == _ATTRIBUTE and self._is_definition(unit, base)):
            return None
        symbols = self._called(unit, function)
        holders = self._evaluator.implicit_this.holder(
            unit, unit.expressions[function], is_called=True
        )
        if holders and all(self._is_function(symbol) for symbol in symbols):
            return self._of_method(self._cones(holders), name, part, depth)
        found: set[Cone] = set()
        for symbol in symbols:
            cones = self._of_symbol(unit, symbol, args, part, depth)
            if cones is None:
                return None
            found |= cones
        return frozenset(found) if symbols else None

    def _is_instance(self, unit: FileSymbols, row: int) -> bool:
        """Return whether all values of an expression are instances."""
        values = self._evaluator.values(unit, row)
        return bool(values) and all(value[0] in INSTANCES for value in values)

    def _is_definition(self, unit: FileSymbols, row: int) -> bool:
        """Return whether an expression names definitions or modules, and no variable."""
        symbols = self._evaluator.symbols(unit, row)
        return bool(symbols) and all(symbol[0] in _DEFINED for symbol in symbols)

    def _called(self, unit: FileSymbols, function: int) -> Symbols:
        row = unit.expressions[function]
        if row[0] == _NAME and row[2] and unit.members.scoping is Scoping.CLASS:
            return self._evaluator.implicit_this.find_called(unit, row)
        return self._evaluator.symbols(unit, function)

    def _is_function(self, symbol: Symbol) -> bool:
        kind, key, _ = symbol
        return kind == DEFINITION and self._program.definitions[number_of(key)].kind == "function"

    def _of_symbol(
        self, unit: FileSymbols, symbol: Symbol, args: tuple[int, ...], part: str, depth: int
    ) -> Cones | None:
        """Return the classes of the results of calling one symbol."""
        if self._is_function(symbol):
            return self._as_given(self._given(number_of(symbol[1]), part, depth), None)
        if symbol[0] != DEFINITION or part not in (_WHOLE, _AWAITED):
            return None
        number = number_of(symbol[1])
        if self._program.is_library(number):
            return None if part else frozenset(((number, EXACT),))
        if self._gives_others(number):
            return None
        written = [  # calls that make an anonymous subclass look the same
            (child, EXACT)
            for child in self._evaluator.hierarchy.children.get(number, ())
            if self._program.unit_of[child] is unit
            and self._program.definitions[child].subkind in IN_PLACE
        ]
        if self._program.unit_of[number].types.is_interface(self._program.definitions[number]):
            if not written and len(args) == 1:  # a conversion
                return self._of(unit, args[0], part, depth)
            return frozenset(written) or None
        return frozenset((*written, (number, EXACT)))

    def _gives_others(self, number: int) -> bool:
        """Return whether a constructor of a class chooses its result, as `__new__` does."""
        own: Value = (INSTANCE, number, _TYPED)
        names = self._program.unit_of[number].calls.constructors
        return any(
            kind != DEFINITION or self._program.definitions[number_of(key)].returned
            for name in names
            for kind, key, _ in self._evaluator.members.of_class(own, name)
        )

    def _of_method(self, cones: Cones | None, name: str, part: str, depth: int) -> Cones | None:
        """Return the classes of a method's results, for all classes that it is called on."""
        if cones is None:
            return None
        found: set[Cone] = set()
        for cone in cones:
            callees = self._callees(cone, name)
            if callees is None:
                return None
            for number in callees:
                given = self._as_given(self._given(number, part, depth), cone)
                if given is None:
                    return None
                found |= given
        return frozenset(found)

    def _callees(self, cone: Cone, name: str) -> tuple[int, ...] | None:
        """Return the functions that a method call on a cone may run; None if not all are known."""
        if cone[0] < 0:
            return None
        symbols = self._evaluator.members.of_class((INSTANCE, cone[0], _TYPED), name)
        if not symbols or not all(self._is_function(symbol) for symbol in symbols):
            return None
        below = () if cone[1] == EXACT else self._dispatch.below_class(cone[0], name)
        if len(below) > MOST_OVERRIDES:
            return None
        return tuple(dict.fromkeys((*(number_of(key) for _, key, _ in symbols), *below)))

    def _as_given(self, cones: Cones | None, receiver: Cone | None) -> Cones | None:
        """Return the classes, with the receiver of the call substituted for those of sort `OWN`."""
        if cones is None or all(sort != OWN for _, sort in cones):
            return cones
        found = {cone for cone in cones if cone[1] != OWN}
        for number, sort in cones:
            if sort == OWN:
                found.add(receiver or (number, BELOW))
        return frozenset(found)

    def _given(self, number: int, part: str, depth: int) -> Cones | None:
        """Return the classes of a part of a function's results."""
        key = (number, part, depth)
        if key not in self._returned:
            self._returned[key] = self._find_given(number, part, depth)
        return self._returned[key]

    def _find_given(self, number: int, part: str, depth: int) -> Cones | None:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if self._program.is_library(number):
            return self._given_outside(number, part)
        if row.flags & _GENERATOR:
            return None
        if row.decorators and unit.calls.applied_decorators(row):
            return None
        inner = part
        if row.flags & _ASYNC:
            if part != _AWAITED:
                return None
            inner = _AWAITED
        if row.returned and not row.flags & _BODILESS and not _has_named_results(unit, row):
            found = self._all_of(unit, row.returned, inner, depth)
            if found is not None:
                return found
        return self._declared_by(unit, row.returns, row.body, part) if row.returns else None

    def _given_outside(self, number: int, part: str) -> Cones | None:
        """Return the classes of a library function's results, if none may be of a subclass."""
        values, _ = self._evaluator.return_summaries.of(number)
        if part.isdigit():
            parts = parts_of(values[0]) if len(values) == 1 and values[0][0] == TUPLE else ()
            values = parts[int(part)] if int(part) < len(parts) else ()
        elif part:
            return None
        return self._cones(values) if all(value[0] == INSTANCE for value in values) else None


def _has_named_results(unit: FileSymbols, row: Definition) -> bool:
    """Return whether a function may have named results, which it returns without naming them.

    These are variables that are declared in it with the type of a result and not bound there.
    """
    _, _, _, parts = unit.expressions[row.returns]
    types = {row.returns, *parts}
    for name, entry in unit.names[row.body].items():
        if name not in unit.parameters.get(row.body, ()):
            bound = {one.line for one in entry.bindings if one.kind == _VALUE}
            for one in entry.bindings:
                if one.kind == _DECLARED and one.value in types and one.line not in bound:
                    return True
    return False
