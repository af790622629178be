"""Points-to sets of variables, attributes and parameters."""

from collections.abc import Hashable

from mu.model.facts import BindingKind, Op, ScopeKind
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLE,
    CALLABLES,
    CLASS,
    DEFINITION,
    GENERIC,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    INSTANCES,
    SELF,
    SELF_CLASS,
    TYPE_VARIABLE,
    VAGUE,
    Place,
    Value,
    Values,
    are_outside,
    as_bound,
    by_rule,
    class_of,
    collection,
    parts_of,
    place_of,
)
from mu.resolve.program.file_symbols import ENUMERATION, FileSymbols, NameEntry
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.types.narrowing import narrowed
from mu.resolve.types.type_expressions import TYPE_OF

_IN_FUNCTION = frozenset(map(int, (ScopeKind.FUNCTION, ScopeKind.BLOCK)))
_IN_CLASS, _VERSION = int(ScopeKind.CLASS), int(ScopeKind.VERSION)
_VALUE, _DECLARED = int(BindingKind.VALUE), int(BindingKind.DECLARED)
_TYPE_PARAMETER = int(BindingKind.TYPE_PARAMETER)
_CALL, _NAME, _ATTRIBUTE = int(Op.CALL), int(Op.NAME), int(Op.ATTRIBUTE)
_CHAINED = frozenset(map(int, (Op.ATTRIBUTE, Op.CALL, Op.INDEX, Op.AWAIT)))
_INFERRED = Rule.INFERRED


class PointsTo:
    """Computes the points-to set of a variable from its bindings."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._held: dict[Hashable, Values] = {}

    def held(self, place: Place) -> Values:
        """Return the points-to set of a variable, by its declarations, bindings and arguments."""
        known = self._held.get(place)
        if known is not None:
            return known
        found, is_final = self._flow.solver.solve(place, self._find, place)
        if is_final:
            self._held[place] = found = self._flow.solver.shared(found, found)
        return found

    def declared(self, place: Place) -> Values:
        """Return the declared type of a variable; empty if it has none."""
        unit, scope, name = self._home(place)
        return self._declared(unit, scope, unit.bound(scope, name))

    def annotations(self, place: Place) -> list[int]:
        """Return the rows of a variable's declared types, in its file."""
        unit, scope, name = self._home(place)
        bindings = [one for entry in unit.bound(scope, name) for one in entry.bindings]
        return [row.value for row in bindings if row.kind == _DECLARED]

    def _home(self, place: Place) -> tuple[FileSymbols, int, str]:
        """Return file, scope and name of a variable; of a version of it, those of the variable."""
        file, scope, name = place
        unit = self._program.unit(file)
        is_version = unit.scopes[scope][0] == _VERSION
        return unit, unit.scopes[scope].parent if is_version else scope, name

    def _find(self, place: Place) -> Values:
        file, scope, name = place
        unit = self._program.unit(file)
        entries = unit.bound(scope, name)
        if _calls_itself(unit, entries, name):
            is_field = unit.scopes[scope].kind == _IN_CLASS
            settle, goes_on = self._flow.solver.settle, self._is_own if is_field else _are_functions
            return settle(place, self._find_once, unit, place, entries, goes_on=goes_on)
        return self._find_once(unit, place, entries)

    def _is_own(self, values: Values) -> bool:
        """Return whether instances of the repository's classes are among values."""
        return any(v[0] in INSTANCES and self._program.is_own(v) for v in values)

    def _find_once(self, unit: FileSymbols, place: Place, entries: list[NameEntry]) -> Values:
        file, scope, name = place
        if unit.scopes[scope][0] == _VERSION:
            return self._reaching(unit, scope, name)
        found: list[Value] = []
        is_inner = unit.scopes[scope].kind in _IN_FUNCTION
        if is_inner and scope in unit.receivers:
            found += unit.receivers[scope].get(name, ())
        declared = self._declared(unit, scope, entries)
        found += declared
        if not declared:
            found += self._passed(unit, scope, name)
            found += self._bound(unit, scope, name, entries)
            for value in found if is_inner else ():
                if value[0] == TYPE_VARIABLE:  # an element of a declared container
                    found += self._without_variables(value)
                    break
            if not scope:
                found += self._flow.field_stores.of_module(file, name)
            if all(value[0] in CALLABLES for value in found):  # a hook that others set
                found += self._set(unit, scope, name, but_tests=True)
        elif are_outside(declared) and is_inner:  # nothing is known but the arguments
            found += self._passed(unit, scope, name)
        elif any(value[0] in VAGUE for value in declared):
            given = self._given(unit, scope, name, entries)
            is_all = all(value[0] in VAGUE for value in declared)  # else only callables are open
            found += given if is_all else [v for v in given if v[0] in CALLABLES]
        else:
            narrower = self._narrower(unit, declared, entries, place=place)
            found = [*narrower] or found
            filling, standing = self._flow.container_stores, self._flow.declared_types
            is_filled = any(filling.may_be_filled(value) for value in found)
            is_refined = not narrower and standing.are_abstract(declared)
            given = self._given(unit, scope, name, entries) if is_filled or is_refined else ()
            if is_filled:
                uses = filling.uses(unit, scope, name=name)
                found = [filling.filled(filling.joined(value, given), uses) for value in found]
            if is_refined:
                is_known = unit.prototypes is None or self._is_passed(unit, scope, name)
                told = given if is_known else _told(given)
                found = [*standing.with_refinements(tuple(found), told)] if found else found
        if not is_inner:
            found = [(INSTANCE_OF_SUBTYPE if v[0] == SELF else v[0], v[1], v[2]) for v in found]
        kept = self._flow.solver.bounded(found, of=place)
        return self._as_members(unit, scope, name, kept)

    def _reaching(self, unit: FileSymbols, scope: int, name: str) -> Values:
        """Return the values of a version of a variable, by the bindings that reach it.

        If there are none and no test narrows it, these are its declared type.
        """
        home, entry = unit.scopes[scope].parent, unit.names[scope][name]
        found = self._bound(unit, home, name, [entry])
        if not found and not narrowed(unit, scope, name=name):
            declared = self._declared(unit, home, unit.bound(home, name))
            found = tuple([value for value in declared if value[0] not in VAGUE])
        return self._flow.solver.bounded(found, of=(unit.key, scope, name))

    def _given(self, unit: FileSymbols, scope: int, name: str, entries: list[NameEntry]) -> Values:
        """Return the values that are passed, bound and stored to a variable, also if declared."""
        is_inner = unit.scopes[scope].kind in _IN_FUNCTION
        return (
            *self._passed(unit, scope, name),
            *(() if is_inner else self._flow.record_classes.held(unit, scope, name=name)),
            *self._bound(unit, scope, name, entries),
            *(self._set(unit, scope, name) if unit.calls.literal_fields else ()),
        )

    def _set(self, unit: FileSymbols, scope: int, name: str, *, but_tests: bool = False) -> Values:
        """Return the values that code outside a class stores in its field `name`."""
        if unit.scopes[scope].kind != _IN_CLASS:
            return ()
        return self._flow.field_stores.of(unit.owner(scope), name, but_tests=but_tests)

    def _declared(self, unit: FileSymbols, scope: int, entries: list[NameEntry]) -> Values:
        found: list[Value] = []
        for entry in entries:
            for how, _, _, _, value, _ in entry.bindings:
                if how == _DECLARED:
                    found += self._flow.type_expressions.declared(unit, value, scope=scope)
        if not found:
            return ()
        is_inner = unit.scopes[scope].kind in _IN_FUNCTION
        if not is_inner:
            return tuple(found)  # with the type variables of the class
        return tuple(v for value in found for v in self._without_variables(value))

    def _narrower(
        self, unit: FileSymbols, declared: Values, entries: list[NameEntry], *, place: Place
    ) -> Values:
        """Return the values of a declared variable assigned once, to an instance of a subclass."""
        rows = [b.value for entry in entries for b in entry.bindings if b.kind == _VALUE]
        assigned = unit.types.only_assigned(rows)
        if not assigned:
            return ()
        _, scope, name = place
        if name in unit.parameters.get(scope, ()):  # the binding is its default
            return ()
        held = self._flow.values(unit, assigned)
        bases = [class_of(value) for value in declared if value[0] in INSTANCES]
        if len(held) == 1 and held[0][0] == INSTANCE and held[0][1] in bases:
            is_plain = not any(map(parts_of, declared))
            if is_plain and self._is_made_on_the_spot(unit, assigned):  # of no subclass
                return by_rule(declared[0][2], held)
        if held and all(value[0] == CLASS for value in (*declared, *held)):  # `type[X]`
            bases = [class_of(value) for value in declared]
            fits = [value for value in held if self._extends(value, bases)]
            return by_rule(_INFERRED, held) if len(fits) == len(held) else ()
        fits = [value for value in held if value[0] in INSTANCES and self._extends(value, bases)]
        if not held or len(fits) != len(held):
            return ()
        if any(map(parts_of, declared)):  # the declaration alone has the type arguments
            return self._with_parts(declared, held)
        elsewhere = [value for value in self._set(unit, scope, name) if value[0] in INSTANCES]
        others = [value for value in elsewhere if self._extends(value, bases)]
        return by_rule(_INFERRED, (*held, *others))

    def _is_made_on_the_spot(self, unit: FileSymbols, number: int) -> bool:
        """Return whether an expression calls a class by name, and not what a variable holds."""
        op, _, function, _ = unit.expressions[number]
        symbols = self._flow.symbols(unit, function) if op == _CALL else ()
        return bool(symbols) and all(symbol[0] == DEFINITION for symbol in symbols)

    def _with_parts(self, declared: Values, held: Values) -> Values:
        """Return an instance of the held class with the declared type arguments."""
        if len(declared) != 1 or len(held) != 1:
            return ()
        own, parts = class_of(held[0]), parts_of(declared[0])
        if len(self._flow.type_parameters.parameters(own)) != len(parts):
            return ()
        return (collection(own, parts),)

    def _extends(self, value: Value, bases: list[int]) -> bool:
        own = class_of(value)
        return (
            own >= 0
            and own not in bases
            and not set(bases).isdisjoint(
                b for b in self._flow.members.order(own) if isinstance(b, int)
            )
        )

    def _without_variables(self, value: Value) -> Values:
        """Return a value as seen inside a function: type variables are replaced by their bounds."""
        if value[0] == TYPE_VARIABLE:
            return self._flow.type_expressions.bound(place_of(value[1]))
        if value[0] == GENERIC and class_of(value) == TYPE_OF:
            inner = [v for part in parts_of(value) for v in part]
            given = [v for one in inner for v in self._without_variables(one)]
            return tuple((SELF_CLASS, class_of(v), v[2]) for v in given if v[0] in INSTANCES)
        return (value,)

    def _is_passed(self, unit: FileSymbols, scope: int, name: str) -> bool:
        """Return whether a variable is a parameter."""
        return name in unit.parameters.get(scope, ())

    def _passed(self, unit: FileSymbols, scope: int, name: str) -> Values:
        """Return the points-to set of a parameter; empty for any other variable."""
        place = unit.parameters.get(scope, {}).get(name)
        if place is None:
            return ()
        number = unit.first + unit.scopes[scope].definition
        given = self._flow.injected_parameters.of(number, name) or self._flow.contextual_typing.of(
            number, place
        )
        if not given and self._program.definitions[number].parameters[place].kind:
            return self._flow.variadic_parameters.held(unit, number, place=place)
        if given and not all(value[0] == CALLABLE for value in given):
            return given
        return (
            *given,
            *self._flow.parameter_propagation.of(number, place),
        )  # the type does not say which functions

    def _bound(self, unit: FileSymbols, scope: int, name: str, entries: list[NameEntry]) -> Values:
        found: list[Value] = []
        for entry in entries:
            for how, _, _, _, value, _ in entry.bindings:
                if how == _VALUE and value:
                    found += as_bound(self._flow.values(unit, value))
                elif how == _TYPE_PARAMETER and value:  # `T::new()`: the bound stands for `T`
                    bounds = self._flow.values(unit, value)
                    found += [(SELF_CLASS, v[1], Rule.TYPED) for v in bounds if v[0] == CLASS]
        filling = self._flow.container_stores
        for held in found:
            if filling.is_container(held):
                break
        else:
            return tuple(found)
        uses = filling.uses(unit, scope, name=name)
        if not uses:
            return tuple(found)
        return tuple([filling.filled(value, uses, is_told=False) for value in found])

    def _as_members(self, unit: FileSymbols, scope: int, name: str, values: Values) -> Values:
        """Return members of an enumeration as its instances, whatever they are bound to."""
        kind, _, definition, _, _ = unit.scopes[scope]
        if kind != _IN_CLASS:
            return values
        number = unit.first + definition
        if not values:
            entry = unit.names[scope].get(name)
            is_told = unit.facts.definitions[definition].subkind == ENUMERATION
            bindings = entry.bindings if is_told and entry is not None else ()
            is_member = bool(bindings) and not any(b.value or b.kind for b in bindings)
            return ((INSTANCE, number, _INFERRED),) if is_member else ()
        for ancestor in self._flow.members.order(number)[1:]:
            if isinstance(ancestor, int) and self._is_enumeration(unit, ancestor):
                return ((INSTANCE, number, _INFERRED),)
        return values

    def _is_enumeration(self, unit: FileSymbols, number: int) -> bool:
        is_outside = self._program.is_library(number)
        return is_outside and unit.types.is_enumeration(self._program.dotted(number))


def _calls_itself(unit: FileSymbols, entries: list[NameEntry], name: str) -> bool:
    """Return whether a variable is bound to a call on itself: `x.state = x.state.next()`."""
    for entry in entries:
        for how, _, _, _, value, _ in entry.bindings:
            op, text, base, _ = unit.expressions[value]
            if op != _CALL or how != _VALUE:
                continue
            while op == _CALL or (op in _CHAINED and text != name):
                op, text, base, _ = unit.expressions[base]
            if text == name and op in (_NAME, _ATTRIBUTE):
                return True
    return False


def _are_functions(values: Values) -> bool:
    return all(value[0] in CALLABLES for value in values)


def _told(given: Values) -> Values:
    """Return the values of a variable, without functions if there are several.

    Where functions are classes, one function may store many in as many variables, and which is
    where is unknown.
    """
    is_one = sum(value[0] in CALLABLES for value in given) < 2
    return given if is_one else tuple([v for v in given if v[0] not in CALLABLES])
