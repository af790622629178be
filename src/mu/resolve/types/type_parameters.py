"""Type parameters: declaration, substitution along bases, and unification at call sites.

A pattern is the value of an annotation with type variables in it; `unify` matches it with the
values of an argument and records the value of each variable.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLE,
    CLASS,
    CLASSES,
    FUNCTION,
    GENERIC,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    INSTANCES,
    SELF,
    SELF_CLASS,
    TUPLE,
    TYPE_VARIABLE,
    Parts,
    Place,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    is_open,
    parts_of,
    place_of,
    pruned,
)
from mu.resolve.lookup.mro import Ancestor
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.types.type_expressions import TYPE_OF, TypeExpressions

_INFERRED = Rule.INFERRED

Environment = dict[Place, Values]
"""A substitution: the values of each type variable."""


class AncestorFinder(Protocol):
    """The part of member lookup that type parameters use."""

    def order(self, number: int) -> tuple[Ancestor, ...]:
        """Return the MRO of a class, which begins with itself."""


class TypeParameters:
    """Finds the type parameters of classes, and substitutes type arguments."""

    def __init__(
        self, program: Program, annotations: TypeExpressions, orders: AncestorFinder
    ) -> None:
        self._program = program
        self._annotations = annotations
        self._orders = orders
        self._parameters: dict[int, tuple[Place, ...]] = {}
        self._bases: dict[int, Values] = {}
        self._bounds: dict[Place, Values] = {}
        self._embedded: dict[tuple[int, int], Parts | None] = {}

    def parameters(self, number: int) -> tuple[Place, ...]:
        """Return the type parameters of a class, in order."""
        known = self._parameters.get(number)
        if known is None:
            self._parameters[number] = ()  # provisional, in case of a cycle
            known = self._parameters[number] = self._find_parameters(number)
        return known

    def view(self, value: Value, number: int) -> Parts | None:
        """Return an instance's type arguments for its ancestor `number`; None if that is none."""
        own = class_of(value)
        if own < 0:
            return None
        embedded = self.embedded(own, number)
        if embedded is None:
            return None
        environment = self.environment(value)
        return tuple(substitute(part, environment) for part in embedded)

    def environment(self, value: Value) -> Environment:
        """Return the values of the type parameters of an instance's class."""
        parts = parts_of(value)
        if not parts:
            return {}
        if value[0] == TUPLE:
            parts = (bounded([v for part in parts for v in part]),)
        return dict(zip(self.parameters(class_of(value)), parts, strict=False))

    def seen_from(self, value: Value, number: int) -> Environment:
        """Return the values of the type parameters of the ancestor `number` in an instance."""
        if class_of(value) == number:
            return self.environment(value)
        parts = self.view(value, number)
        return {} if parts is None else dict(zip(self.parameters(number), parts, strict=False))

    def put_bounds(self, environment: Environment, number: int) -> None:
        """Set type parameters of a class without values in `environment` to their bounds."""
        for at, place in enumerate(self.parameters(number)):
            if not environment.get(place):
                bound = self._bounds.get(place)
                if bound is None:
                    bound = self._annotations.bound(place) or self._bound_outside(number, at)
                    self._bounds[place] = bound
                if bound:
                    environment[place] = bound

    def _bound_outside(self, number: int, at: int) -> Values:
        """Return the bounds that extensions of a repository class give its type parameter `at`."""
        found: list[Value] = []
        if self._program.is_library(number):  # there, such bounds are for one base alone
            return ()
        for unit, body in self._program.added.get(number, ()):
            itself = unit.facts.definitions[unit.scopes[body].definition].bases[0][0]
            for value in self._annotations.declared(unit, itself, scope=body):
                parts = parts_of(value)
                for variable in _variables(parts[at] if at < len(parts) else ()):
                    found += self._annotations.bound(variable)
        return bounded(found)

    def _find_parameters(self, number: int) -> tuple[Place, ...]:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        own = unit.type_parameters.get(row.body)
        if own:
            return tuple((unit.key, row.body, name) for name in own)
        listed: dict[Place, None] = {}
        for expression, _, keyword in row.bases:
            op, _, _, args = unit.expressions[expression]
            if keyword or op != Op.INDEX:
                continue
            found = [v for arg in args for v in self._declared(number, arg)]
            places = dict.fromkeys(_variables(found))
            if self._annotations.is_generic(unit, expression):
                return tuple(places)
            listed.update(places)
        return tuple(listed)

    def _declared(self, number: int, expression: int) -> Values:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        return self._annotations.declared(unit, expression, scope=row.scope)

    def _bases_of(self, number: int) -> Values:
        known = self._bases.get(number)
        if known is None:
            rows = self._program.definitions[number].bases
            found = [
                v for row, _, keyword in rows if not keyword for v in self._declared(number, row)
            ]
            found += self._given_bases(number)
            known = self._bases[number] = tuple(v for v in found if v[0] in INSTANCES)
        return known

    def _given_bases(self, number: int) -> Iterator[Value]:
        """Yield the bases that extensions give a class, in terms of its own type parameters."""
        own = self.parameters(number)
        for unit, body in self._program.added.get(number, ()):
            (itself, _, _), *given = unit.facts.definitions[unit.scopes[body].definition].bases
            environment: Environment = {}
            for value in self._annotations.declared(unit, itself, scope=body) if given else ():
                for place, part in zip(own, parts_of(value), strict=False):
                    for variable in _variables(part):
                        environment[variable] = ((TYPE_VARIABLE, place, _INFERRED),)
            for expression, _, _ in given:
                found = self._annotations.declared(unit, expression, scope=body)
                found = tuple([self._with_members(value, unit, body) for value in found])
                yield from substitute(found, environment)

    def _with_members(self, base: Value, unit: FileSymbols, body: int) -> Value:
        """Return a base with the type arguments that the body of an extension defines.

        They are types named like the type parameters: `type Item = Cart` in an `impl`.
        """
        places = self.parameters(class_of(base)) if base[0] == INSTANCE_OF_SUBTYPE else ()
        names = unit.names[body]
        if not any(name in names for _, _, name in places):
            return base
        parts = [self._annotations.alias((unit.key, body, name)) for _, _, name in places]
        return GENERIC, (class_of(base), pruned(tuple(parts))), base[2]

    def embedded(self, number: int, ancestor: int) -> Parts | None:
        """Return the type arguments of an ancestor, in terms of the class's own type parameters.

        They are None if it is no ancestor, or a cycle leads here again.
        """
        place = (number, ancestor)
        if place not in self._embedded:
            self._embedded[place] = None  # provisional, in case of a cycle
            if number == ancestor or ancestor in self._orders.order(number):
                self._embedded[place] = self._find_embedding(number, ancestor)
        return self._embedded[place]

    def _find_embedding(self, number: int, ancestor: int) -> Parts | None:
        if number == ancestor:
            return tuple(((TYPE_VARIABLE, place, _INFERRED),) for place in self.parameters(number))
        for base in self._bases_of(number):
            inner = self.embedded(class_of(base), ancestor) if class_of(base) >= 0 else None
            if inner is not None:
                environment = self.environment(base)
                return tuple(substitute(part, environment) for part in inner)
        return None


def _variables(values: Sequence[Value]) -> list[Place]:
    found: list[Place] = []
    for value in values:
        if value[0] == TYPE_VARIABLE:
            found.append(place_of(value[1]))
        for part in parts_of(value):
            found += _variables(part)
    return found


def substitute(values: Values, environment: Mapping[Place, Values]) -> Values:
    """Replace type variables by their values; those without values are removed."""
    if not is_open(values):
        return bounded(values)
    found: list[Value] = []
    for value in values:
        kind, key, rule = value
        if kind == TYPE_VARIABLE:
            found += by_rule(rule, environment.get(place_of(key), ()))
        elif parts := parts_of(value):
            new = tuple(substitute(part, environment) for part in parts)
            found.append((kind, (class_of(value), new), rule))
        else:
            found.append(value)
    return bounded(found)


def received(
    values: Values, receiver: Value | None, *, is_related: Callable[[int], bool]
) -> Values:
    """Replace `SELF` and `SELF_CLASS` by the receiver of the call or its class.

    `is_related` says whether the receiver's class is, or extends, a class. If not, or without a
    receiver, the class of the method takes its place.
    """
    if not is_open(values):
        return bounded(values)
    found: list[Value] = []
    for value in values:
        kind, _, rule = value
        if kind in (SELF, SELF_CLASS):
            number = class_of(value)
            own: Value = (INSTANCE_OF_SUBTYPE if kind == SELF else CLASS, number, rule)
            if receiver is not None and is_related(number):
                own = _as_received(receiver, is_class=kind == SELF_CLASS, rule=rule)
            found.append(own)
        elif parts := parts_of(value):
            new = tuple(received(part, receiver, is_related=is_related) for part in parts)
            found.append((kind, (class_of(value), new), rule))
        else:
            found.append(value)
    return bounded(found)


def _as_received(receiver: Value, *, is_class: bool, rule: Rule) -> Value:
    kind, key, _ = receiver
    if kind in CLASSES:
        if is_class:
            return kind, key, rule
        return (SELF if kind == SELF_CLASS else INSTANCE), key, rule
    if is_class:
        told = Rule.TYPED if kind == INSTANCE_OF_SUBTYPE else rule
        return (SELF_CLASS if kind == SELF else CLASS), class_of(receiver), told
    return kind, key, rule


def unify(
    pattern: Values,
    values: Values,
    *,
    environment: Environment,
    generics: TypeParameters,
    called: Callable[[Values], Values],
) -> None:
    """Unify `pattern` with `values`; add the values of its type variables to `environment`.

    `called` returns the results of calling values.
    """
    for value in pattern:
        kind, key, _ = value
        if kind == TYPE_VARIABLE:
            place = place_of(key)
            environment[place] = bounded((*environment.get(place, ()), *values))
        elif kind == CALLABLE:
            callables = tuple(v for v in values if v[0] not in INSTANCES or v[0] == FUNCTION)
            inner = parts_of(value)[0]
            if inner and callables:
                unify(
                    inner,
                    called(callables),
                    environment=environment,
                    generics=generics,
                    called=called,
                )
        elif kind in (GENERIC, TUPLE):
            _unify_parts(value, values, environment, generics=generics, called=called)


def _unify_parts(
    pattern: Value,
    values: Values,
    environment: Environment,
    *,
    generics: TypeParameters,
    called: Callable[[Values], Values],
) -> None:
    number, parts = class_of(pattern), parts_of(pattern)
    for value in values:
        found: Parts | None = None
        if number == TYPE_OF:
            if value[0] in CLASSES:
                found = (((INSTANCE, class_of(value), _INFERRED),),)
        elif pattern[0] == TUPLE and value[0] == TUPLE:
            found = parts_of(value)
        elif value[0] in INSTANCES:
            found = generics.view(value, number)
        for part, given in zip(parts, found or (), strict=False):
            if part and given:
                unify(part, given, environment=environment, generics=generics, called=called)
