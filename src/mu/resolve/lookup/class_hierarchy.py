"""Class hierarchy: subclasses and implementers of each class."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from mu.model.kinds import Rule
from mu.resolve.abstract_values import DEFINITION, number_of
from mu.resolve.limits import MOST_SUBCLASSES
from mu.resolve.lookup.member_lookup import MemberLookup
from mu.resolve.lookup.name_lookup import NameLookup
from mu.resolve.lookup.structural_types import StructuralTypes
from mu.resolve.program.program import Program
from mu.resolve.solver.solver import ParameterKey, Solver

_SUBCLASSES: ParameterKey = (-3, 0)
"""The dependency of answers that were found before subclasses were known."""


class ClassHierarchy:
    """The subclasses of each class of the repository."""

    def __init__(
        self, program: Program, names: NameLookup, members: MemberLookup, *, search: Solver
    ) -> None:
        self._program = program
        self._members = members
        self._search = search
        self._is_ready = False
        self._children: dict[int, list[int]] = {}
        self._below: dict[int, tuple[int, ...]] = {}
        self._shapes = StructuralTypes(program, names, members)
        self._holding: dict[str, list[int]] | None = None
        self._overriding: dict[tuple[int, str], tuple[int, ...]] = {}
        self._inside: dict[int, frozenset[int]] = {}
        self._names: list[str] = []  # of all methods, sorted; on demand
        self._beginning: dict[tuple[int, str], tuple[str, ...]] = {}

    def prepare(self) -> None:
        """Find the subclasses of all classes; until then there are none, and no answer is final."""
        self.resume({}, range(self._program.size))

    def resume(self, children: Mapping[int, Sequence[int]], others: Iterable[int]) -> None:
        """Restore the known subclasses, and find the bases of the definitions `others` again.

        These are evaluated in the order of their paths: where classes extend each other by names
        that they inherit, the bases of the first one are found.
        """
        new = frozenset(others)
        found = {
            base: [number for number in classes if number not in new]
            for base, classes in children.items()
        }
        for base, number in self._find_extending(sorted(new, key=self._program.place_of)):
            found.setdefault(base, []).append(number)
        self._children = found
        self._is_ready = True
        self._search.invalidate({_SUBCLASSES})

    @property
    def children(self) -> Mapping[int, Sequence[int]]:
        """The declared direct subclasses of each class."""
        return self._children

    def descendants(self, number: int) -> tuple[int, ...]:
        """Return all subclasses of a class, and the classes that satisfy it if it is a protocol."""
        known = self._below.get(number)
        if known is None:
            if not self._is_ready:
                self._search.depend_on_parameter(_SUBCLASSES)
                return ()
            children = self._children
            seen: dict[int, None] = {}
            waiting = [*self._of_shape(number)]
            if not self._program.unit_of[number].members.inheritance.makes_subtypes:
                children = {}
            waiting += children.get(number, ())
            while waiting:
                current = waiting.pop()
                if current not in seen:
                    seen[current] = None
                    waiting += children.get(current, ())
            seen.pop(number, None)
            known = self._below[number] = tuple(sorted(seen, key=self._program.place_of))
        return known

    def inheriting(self, number: int) -> set[int]:
        """Return all classes that inherit the members of a class, subtypes or not."""
        return self._with_extending(self._children.get(number, ()))

    def extends(self, number: int, ancestor: int) -> bool:
        """Return whether a class is among the descendants of another."""
        return number in self.inside(ancestor)

    def inside(self, number: int) -> frozenset[int]:
        """Return the descendants of a class, as a set."""
        inside = self._inside.get(number)
        if inside is None:
            inside = self._inside[number] = frozenset(self.descendants(number))
        return inside

    def shapes(self) -> Mapping[int, Sequence[int]]:
        """Return the structural types that each class satisfies."""
        found: dict[int, list[int]] = {}
        for key in self._program.files:
            for local in self._program.outline(key).shapes:
                number = self._program.first_of[key] + local
                for below in self.descendants(number):
                    found.setdefault(below, []).append(number)
        return found

    def defining(self, name: str) -> Sequence[int]:
        """Return the classes whose bodies define a method, in order."""
        return self._methods.get(name, ())

    def beginning(self, number: int, begins: str) -> tuple[str, ...]:
        """Return the method names with a prefix, of a class, its ancestors and its descendants."""
        place = (number, begins)
        known = self._beginning.get(place)
        if known is None:
            order = frozenset(self._members.order(number))
            known = self._beginning[place] = tuple(
                name
                for name in self._names_beginning(begins)
                if any(own in order or self.extends(own, number) for own in self._methods[name])
            )
        return known

    def _names_beginning(self, begins: str) -> Iterator[str]:
        """Yield the names with a prefix among those of all methods, sorted."""
        names = self._names = self._names or sorted(self._methods)
        for place in range(bisect_left(names, begins), len(names)):
            if not names[place].startswith(begins):
                return
            yield names[place]

    def overriding(self, number: int, name: str) -> tuple[int, ...]:
        """Return the methods of a name that the descendants of a class define."""
        place = (number, name)
        known = self._overriding.get(place)
        if known is None:
            if not self._is_ready:
                self._search.depend_on_parameter(_SUBCLASSES)
                return ()
            inside = self.inside(number)
            below = [own for own in self.defining(name) if own in inside]
            known = self._overriding[place] = tuple(
                self._method(own, name) for own in below[:MOST_SUBCLASSES]
            )
        return known

    def holding(self, number: int, name: str) -> tuple[int, ...]:
        """Return the descendants of a class that have a variable of a name."""
        if not self._is_ready:
            self._search.depend_on_parameter(_SUBCLASSES)
            return ()
        found = self.having_variable(name)
        if not found:
            return ()
        inside = self.inside(number)
        return tuple([own for own in found if own in inside])[:MOST_SUBCLASSES]

    def having_variable(self, name: str) -> Sequence[int]:
        """Return the classes with a variable of a name, in their body or set by their methods."""
        if self._holding is None:
            self._holding = self._find_holding()
        return self._holding.get(name, ())

    def _method(self, owner: int, name: str) -> int:
        found = self._members.own(owner, name, rule=Rule.VIRTUAL)
        return next((number_of(key) for kind, key, _ in reversed(found) if kind == DEFINITION), -1)

    def _having(self, name: str) -> set[int]:
        """Return the classes that define a method or extend a class that does."""
        return self._with_extending(self._methods.get(name, ()))

    def _with_extending(self, numbers: Iterable[int]) -> set[int]:
        """Return some classes, and all that extend them, directly or not."""
        found: set[int] = set()
        waiting = [*numbers]
        while waiting:
            current = waiting.pop()
            if current not in found:
                found.add(current)
                waiting += self._children.get(current, ())
        return found

    def _find_holding(self) -> dict[str, list[int]]:
        """Return the classes that have a variable, by its name."""
        holding: dict[str, list[int]] = {}
        for key in self._program.files:
            first = self._program.first_of[key]
            for owner, names in self._program.outline(key).held:
                for name in names:
                    holding.setdefault(name, []).append(first + owner)
        return holding

    def _find_extending(self, numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield (base, class) for each base of those definitions that are classes."""
        for number in numbers:
            if self._is_class(number):
                file = self._program.unit_of[number].file
                bases = self._program.fence.run(file, self._members.bases, number, otherwise=())
                for base in bases:
                    if isinstance(base, int):
                        yield base, number

    def _is_class(self, number: int) -> bool:
        is_class = self._program.definitions[number].kind == "class"
        return is_class or self._program.blankets.base(number) >= 0

    @cached_property
    def _methods(self) -> dict[str, list[int]]:
        """The classes that define a method, by its name."""
        methods: dict[str, list[int]] = {}
        for key in self._program.files:
            first, extended = self._program.first_of[key], self._program.extended.get(key, {})
            for name, local in self._program.outline(key).methods:
                number = extended.get(local, first + local) if extended else first + local
                if name in methods:
                    methods[name].append(number)
                else:
                    methods[name] = [number]
        for key in self._program.files:
            first = self._program.first_of[key]
            for name, local in self._program.outline(key).given:
                methods.setdefault(name, []).append(first + local)
        return methods

    def _of_shape(self, number: int) -> set[int]:
        """Return the classes that satisfy a structural type, or a protocol (by its external base).

        None for a protocol that requires only what objects of all sorts have, such as
        `__getitem__`: the classes that satisfy it are found where instances are passed.
        """
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if unit.types.is_shape(row):
            return self._shapes.of(number, self._having)
        outside = [base for base in self._members.bases(number) if isinstance(base, str)]
        if not any(unit.types.is_protocol(base) for base in outside):
            return set()
        names = {
            definition.name
            for definition in unit.facts.definitions
            if definition.scope == row.body and definition.kind == "function"
        }
        if all(map(unit.implicit.is_common_method, names)):
            return set()
        found: set[int] | None = None
        for name in names:
            having = set(self._methods.get(name, ()))
            found = having if found is None else found & having
        return found or set()
