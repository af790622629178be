"""Container stores: elements that methods and subscripts put into containers."""

from collections.abc import Sequence

from mu.model.facts import ScopeKind
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CLASS,
    DEFINITION,
    GENERIC,
    INSTANCE,
    SELF_CLASS,
    TUPLE,
    TYPE_VARIABLE,
    VAGUE,
    Parts,
    Place,
    Value,
    Values,
    bounded,
    class_of,
    collection,
    number_of,
    parts_of,
    place_of,
)
from mu.resolve.limits import MOST_SUBCLASSES
from mu.resolve.program.file_symbols import FileSymbols, Use
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.types.type_parameters import Environment, unify

_IN_CLASS = int(ScopeKind.CLASS)
_FILLED = frozenset((GENERIC, INSTANCE))

UsesOfFiles = Sequence[tuple[FileSymbols, Use]]
"""The uses of a variable (`Use`), each with its file."""


class ContainerStores:
    """Finds the elements of containers from the stores to them."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def uses(self, unit: FileSymbols, scope: int, *, name: str) -> UsesOfFiles:
        """Return the uses of a variable; of a field, also those by methods of subclasses."""
        found = [(unit, use) for use in unit.uses_of(scope, name)]
        kind, _, owner, _, _ = unit.scopes[scope]
        if kind == _IN_CLASS:
            for below in self._flow.hierarchy.descendants(unit.first + owner)[:MOST_SUBCLASSES]:
                holder, body = self._program.unit_of[below], self._program.definitions[below].body
                found += [(holder, use) for use in holder.uses_of(body, name)]
        return found

    def is_container(self, value: Value) -> bool:
        """Return whether a value is an instance of a generic library class."""
        if value[0] not in _FILLED:
            return False
        number = class_of(value)
        is_outside = number >= 0 and self._program.is_library(number)
        return is_outside and bool(self._flow.type_parameters.parameters(number))

    def may_be_filled(self, value: Value) -> bool:
        """Return whether a value is, or contains, a container whose contents are not known."""
        if not self.is_container(value):
            return False
        count = len(self._flow.type_parameters.parameters(class_of(value)))
        parts = parts_of(value)
        return len(parts) < count or any(
            self._is_open(part) or any(map(self.may_be_filled, part)) for part in parts
        )

    def _is_open(self, part: Values) -> bool:
        """Return whether a declaration leaves contents unknown, or is of a function type."""
        functional = self._flow.functional_interfaces
        if _is_vague(part) or functional.are_some(part) or any(map(functional.is_type, part)):
            return True
        tuples = [parts_of(value) for value in part if value[0] == TUPLE]
        return any(inner and self._is_open(inner) for parts in tuples for inner in parts)

    def filled(self, value: Value, uses: UsesOfFiles, *, is_told: bool = True) -> Value:
        """Return a container with the elements that are stored in it, and in its elements.

        If `is_told`, its contents are declared: stores count only where the declaration leaves them
        open.
        """
        if not (self.may_be_filled(value) if is_told else self.is_container(value)):
            return value
        number = class_of(value)
        variables = self._flow.type_parameters.parameters(number)
        environment = dict(self._flow.type_parameters.environment(value))
        told = {place for place, part in environment.items() if is_told and not self._is_open(part)}
        for unit, (method, args, steps) in uses:
            name = method or unit.implicit.set_index_method
            for filler in () if steps else self._methods(value, name):
                self._fill(unit, filler, value, args, environment, told=told)
        parts = tuple(environment.get(variable, ()) for variable in variables)
        within = [(unit, use) for unit, use in uses if use[2]]
        if within:
            parts = self._filled_within(value, parts, within, is_told=is_told)
        return collection(number, parts) if any(parts) else value

    def joined(self, value: Value, given: Values) -> Value:
        """Return a container with open contents, with the contents of those in `given` added."""
        if not self.may_be_filled(value):
            return value
        number, parts = class_of(value), parts_of(value)
        others = [parts_of(one) for one in given if class_of(one) == number and parts_of(one)]
        if not others:
            return value
        count = len(self._flow.type_parameters.parameters(number))
        joined = []
        for place in range(count):
            own = parts[place] if place < len(parts) else ()
            told = [other[place] for other in others if place < len(other)]
            found = [value for part in told for value in part if value[0] not in VAGUE]
            if found and not _is_vague(own):
                found = [*own, *found] if self._is_open(own) else []
            joined.append(bounded(found) if found else own)
        return collection(number, tuple(joined))

    def _filled_within(
        self, value: Value, parts: Parts, uses: UsesOfFiles, *, is_told: bool
    ) -> Parts:
        """Return the parts of a container, with what is stored in those that its methods return."""
        taken: dict[int, list[tuple[FileSymbols, Use]]] = {}
        for unit, (method, args, steps) in uses:
            place = self._place_given(value, steps[0] or unit.implicit.index_method)
            taken.setdefault(place, []).append((unit, (method, args, steps[1:])))
        return tuple(
            tuple([self.filled(one, taken[place], is_told=is_told) for one in part])
            if place in taken
            else part
            for place, part in enumerate(parts)
        )

    def _place_given(self, value: Value, method: str) -> int:
        """Return which type argument of a container a method returns; -1 if it returns none."""
        number = class_of(value)
        variables = self._flow.type_parameters.parameters(number)
        for giver in self._methods(value, method):
            given, _ = self._flow.return_summaries.of(giver)
            embedded = self._embedded(number, giver)
            for kind, key, _ in given:
                if kind == TYPE_VARIABLE and place_of(key) in embedded:
                    own = embedded[place_of(key)]
                    return variables.index(own) if own in variables else -1
        return -1

    def _methods(self, value: Value, name: str) -> list[int]:
        return [
            number_of(key)
            for kind, key, _ in self._flow.members.of_class(value, name)
            if kind == DEFINITION and self._program.is_library(number_of(key))
        ]

    def _embedded(self, number: int, method: int) -> dict[Place, Place]:
        """Return a class's own type variables, by those of the class that defines a method."""
        generics = self._flow.type_parameters
        unit, row = self._program.unit_of[method], self._program.definitions[method]
        owner = unit.owner(row.scope)
        embedded = generics.embedded(number, owner) or ()
        by_owner = {
            variable: place_of(key)
            for variable, part in zip(generics.parameters(owner), embedded, strict=False)
            for kind, key, _ in part
            if kind == TYPE_VARIABLE
        }
        for value in self._flow.argument_binding.receiver_patterns(method):
            for variable, part in zip(generics.parameters(owner), parts_of(value), strict=False):
                for kind, key, _ in part:
                    if kind == TYPE_VARIABLE and variable in by_owner:
                        by_owner[place_of(key)] = by_owner[variable]
        return by_owner

    def _fill(
        self,
        unit: FileSymbols,
        method: int,
        value: Value,
        args: tuple[int, ...],
        environment: Environment,
        *,
        told: set[Place],
    ) -> None:
        passing, generics = self._flow.argument_binding, self._flow.type_parameters
        found: Environment = {}
        is_bound = passing.is_bound(method, value)
        for place, arg in passing.passed(method, (unit, args), is_bound=is_bound):
            pattern = passing.pattern(method, place)
            if pattern:
                values = self._extending(unit, self._flow.values(unit, arg))
                unify(pattern, values, environment=found, generics=generics, called=_nothing)
        for variable, own in self._embedded(class_of(value), method).items():
            if variable in found and own not in told:
                environment[own] = bounded((*environment.get(own, ()), *found[variable]))

    def _extending(self, unit: FileSymbols, values: Values) -> Values:
        """Return all subclasses for the receiver of a method that runs for each of them.

        That is `cls` in a class with `__init_subclass__`; other values are returned unchanged.
        """
        if not values or values[0][0] != SELF_CLASS or not unit.implicit.subclass_hook:
            return values
        holder: Value = (INSTANCE, class_of(values[0]), Rule.INFERRED)
        if self._flow.descriptors.method(holder, unit.implicit.subclass_hook) < 0:
            return values
        below = self._flow.hierarchy.descendants(class_of(holder))
        return tuple([(CLASS, number, Rule.INFERRED) for number in below])


def _is_vague(values: Values) -> bool:
    return all(value[0] in VAGUE for value in values)


def _nothing(_values: Values) -> Values:
    return ()
