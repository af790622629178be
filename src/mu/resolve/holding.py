"""What variables, attributes and parameters may hold."""

from collections.abc import Hashable, Sequence

from mu.model.facts import BindingKind, ScopeKind
from mu.model.kinds import Rule
from mu.resolve.annotations import TYPE_OF
from mu.resolve.flow import Flow
from mu.resolve.generics import Environment, unify
from mu.resolve.hierarchy import MOST_CLASSES
from mu.resolve.program import Program
from mu.resolve.unit import Name, Unit, Use
from mu.resolve.values import (
    CALLABLES,
    DEFINITION,
    GENERIC,
    INSTANCE,
    INSTANCES,
    OWN,
    OWN_CLASS,
    SOME,
    TYPE_VARIABLE,
    VAGUE,
    Place,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    collection,
    number_of,
    parts_of,
    place_of,
)

_IN_FUNCTION = frozenset(map(int, (ScopeKind.FUNCTION, ScopeKind.BLOCK)))
_IN_CLASS = int(ScopeKind.CLASS)
_VALUE, _DECLARED = int(BindingKind.VALUE), int(BindingKind.DECLARED)
_INFERRED = Rule.INFERRED
_FILLED = frozenset((GENERIC, INSTANCE))

ENUMERATION = "enum"
"""The subkind of classes whose undeclared members without a value are their instances."""


class Holding:
    """Finds what the bindings of a variable give it."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._held: dict[Hashable, Values] = {}

    def held(self, place: Place) -> Values:
        """What a variable may hold: what it is declared to, else what it is bound to."""
        known = self._held.get(place)
        if known is not None:
            return known
        found, is_final = self._flow.search.solve(place, lambda: self._find(place))
        if is_final:
            self._held[place] = found
        return found

    def _find(self, place: Place) -> Values:
        file, scope, name = place
        unit = self._program.unit(file)
        entries = _entries(unit, scope, name)
        found: list[Value] = []
        is_inner = unit.scopes[scope].kind in _IN_FUNCTION
        if is_inner and scope in unit.receivers:
            found += unit.receivers[scope].get(name, ())
        declared = self._declared(unit, scope, entries)
        found += declared
        is_vague = any(value[0] in VAGUE for value in declared)
        if is_vague or not declared:
            given = (
                *self._passed(unit, scope, name),
                *self._bound(unit, scope, name, entries),
            )
            is_all = all(value[0] in VAGUE for value in declared)  # else all but which callables
            found += given if is_all else [v for v in given if v[0] in CALLABLES]
        elif narrower := self._narrower(unit, declared, entries, place=place):
            found = [*narrower]
        else:
            if any(self._may_be_filled(value) for value in declared):
                uses = self._uses(unit, scope, name)
                found = [self._filled(value, uses) for value in found]
            if self._flow.standing.are_abstract(declared):
                given = (
                    *self._passed(unit, scope, name),
                    *self._bound(unit, scope, name, entries),
                )
                found += self._flow.standing.own(given)
        if not is_inner:
            found = [(SOME if v[0] == OWN else v[0], v[1], v[2]) for v in found]
        kept = self._flow.search.bounded(found, of=place)
        return self._as_members(unit, scope, name, kept)

    def _declared(self, unit: Unit, scope: int, entries: list[Name]) -> Values:
        found: list[Value] = []
        for entry in entries:
            for how, _, _, _, value, _ in entry.bindings:
                if how == _DECLARED:
                    found += self._flow.annotations.declared(unit, value, scope=scope)
        is_inner = unit.scopes[scope].kind in _IN_FUNCTION
        if not is_inner:
            return tuple(found)  # type variables stand for those of the class
        return tuple(v for value in found for v in self._without_variables(value))

    def _narrower(
        self, unit: Unit, declared: Values, entries: list[Name], *, place: Place
    ) -> Values:
        """What a declared variable holds that is set once, to something of a class further down."""
        rows = [b.value for entry in entries for b in entry.bindings if b.kind == _VALUE]
        if len(rows) != 1 or not rows[0] or not unit.rules.knows_assignments:
            return ()
        _, scope, name = place
        if name in unit.parameters.get(scope, ()):  # what is set is what it is if not passed
            return ()
        held = self._flow.values(unit, rows[0])
        bases = [class_of(value) for value in declared if value[0] in INSTANCES]
        fits = [value for value in held if value[0] in INSTANCES and self._extends(value, bases)]
        if not held or len(fits) != len(held):
            return ()
        if any(map(parts_of, declared)):  # what is in it is said by the declaration alone
            return self._with_parts(declared, held)
        return by_rule(_INFERRED, held)

    def _with_parts(self, declared: Values, held: Values) -> Values:
        """An instance of the class that is held, with the contents that are declared."""
        if len(declared) != 1 or len(held) != 1:
            return ()
        own, parts = class_of(held[0]), parts_of(declared[0])
        if len(self._flow.generics.parameters(own)) != len(parts):
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
        """A value inside a function: type variables stand for what they are bound by."""
        if value[0] == TYPE_VARIABLE:
            return self._flow.annotations.bound(place_of(value[1]))
        if value[0] == GENERIC and class_of(value) == TYPE_OF:
            inner = [v for part in parts_of(value) for v in part]
            given = [v for one in inner for v in self._without_variables(one)]
            return tuple((OWN_CLASS, class_of(v), v[2]) for v in given if v[0] in INSTANCES)
        return (value,)

    def _passed(self, unit: Unit, scope: int, name: str) -> Values:
        """What calls pass for a parameter."""
        place = unit.parameters.get(scope, {}).get(name)
        if place is None:
            return ()
        number = unit.first + unit.scopes[scope].definition
        given = self._flow.injection.of(number, name)
        return given or self._flow.arguments.of(number, place)

    def _bound(self, unit: Unit, scope: int, name: str, entries: list[Name]) -> Values:
        found: list[Value] = []
        for entry in entries:
            for how, _, _, _, value, _ in entry.bindings:
                if how == _VALUE and value:
                    found += by_rule(_INFERRED, self._flow.values(unit, value))
        if not any(self._may_be_filled(value) for value in found):
            return tuple(found)
        uses = self._uses(unit, scope, name)
        return tuple([self._filled(value, uses) if uses else value for value in found])

    def _uses(self, unit: Unit, scope: int, name: str) -> list[tuple[Unit, Use]]:
        """What is done with a variable; with a field, by the methods of subclasses too."""
        found = [(unit, use) for use in unit.uses_of(scope, name)]
        kind, _, owner, _, _ = unit.scopes[scope]
        if kind == _IN_CLASS:
            for below in self._flow.hierarchy.descendants(unit.first + owner)[:MOST_CLASSES]:
                holder, body = self._program.unit_of[below], self._program.definitions[below].body
                found += [(holder, use) for use in holder.uses_of(body, name)]
        return found

    def _may_be_filled(self, value: Value) -> bool:
        """Whether it is an instance of a generic class outside whose contents are not known."""
        if value[0] not in _FILLED:
            return False
        number = class_of(value)
        if number < 0 or not self._program.is_library(number):
            return False
        count = len(self._flow.generics.parameters(number))
        parts = parts_of(value)
        return bool(count) and (len(parts) < count or any(map(_is_vague, parts)))

    def _filled(self, value: Value, uses: Sequence[tuple[Unit, Use]]) -> Value:
        """The same with what is put into it by the methods that are called on it."""
        if not self._may_be_filled(value):
            return value
        number = class_of(value)
        environment: Environment = dict(self._flow.generics.environment(value))
        for unit, (method, args) in uses:
            name = method or unit.rules.set_index_method
            for kind, key, _ in self._flow.members.of_class(value, name):
                if kind == DEFINITION and self._program.is_library(number_of(key)):
                    self._fill(unit, number_of(key), value, args, environment)
        variables = self._flow.generics.parameters(number)
        parts = tuple(environment.get(variable, ()) for variable in variables)
        return collection(number, parts) if any(parts) else value

    def _fill(
        self,
        unit: Unit,
        method: int,
        value: Value,
        args: tuple[int, ...],
        environment: Environment,
    ) -> None:
        passing, generics = self._flow.passing, self._flow.generics
        owner_unit, row = self._program.unit_of[method], self._program.definitions[method]
        owner = owner_unit.first + owner_unit.scopes[row.scope].definition
        found: Environment = {}
        is_bound = passing.is_bound(method, value)
        for place, arg in passing.passed(method, (unit, args), is_bound=is_bound):
            pattern = passing.pattern(method, place)
            if pattern:
                values = self._flow.values(unit, arg)
                unify(pattern, values, environment=found, generics=generics, called=_nothing)
        embedded = generics.embedded(class_of(value), owner) or ()
        for variable, part in zip(generics.parameters(owner), embedded, strict=False):
            for kind, key, _ in part:
                if kind == TYPE_VARIABLE and variable in found:
                    own = place_of(key)
                    environment[own] = bounded((*environment.get(own, ()), *found[variable]))

    def _as_members(self, unit: Unit, scope: int, name: str, values: Values) -> Values:
        """Members of an enumeration are instances of it, whatever is written behind them."""
        kind, _, definition, _, _ = unit.scopes[scope]
        if kind != _IN_CLASS:
            return values
        number = unit.first + definition
        if not values:
            is_told = unit.facts.definitions[definition].subkind == ENUMERATION
            bindings = unit.names[scope][name].bindings if is_told else ()
            is_member = bool(bindings) and not any(b.value or b.kind for b in bindings)
            return ((INSTANCE, number, _INFERRED),) if is_member else ()
        for ancestor in self._flow.members.order(number)[1:]:
            if isinstance(ancestor, int) and self._is_enumeration(unit, ancestor):
                return ((INSTANCE, number, _INFERRED),)
        return values

    def _is_enumeration(self, unit: Unit, number: int) -> bool:
        is_outside = self._program.is_library(number)
        return is_outside and unit.rules.is_enumeration(self._program.dotted(number))


def _is_vague(values: Values) -> bool:
    return all(value[0] in VAGUE for value in values)


def _nothing(_values: Values) -> Values:
    return ()


def _entries(unit: Unit, scope: int, name: str) -> list[Name]:
    """Where a variable is bound: in its scope and, for a class, by its methods."""
    entries = [unit.names[scope].get(name)]
    definition = unit.scopes[scope].definition
    if definition in unit.fields:
        entries.append(unit.fields[definition].get(name))
    return [entry for entry in entries if entry is not None]
