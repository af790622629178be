"""Virtual dispatch by rapid type analysis: overrides in subclasses that have instances.

Rapid type analysis (Bacon and Sweeney, "Fast Static Analysis of C++ Virtual Function Calls", 1996)
considers only classes that the program instantiates. Here, those that it uses as values count as
well.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain

from mu.model.facts import Flag, ReferenceKind
from mu.model.kinds import Category, Rule
from mu.resolve.abstract_values import (
    DEFINITION,
    GENERIC,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    MAY_BE_MORE,
    OF_CLASS,
    SELF_CLASS,
    SUPER,
    Symbol,
    Symbols,
    Value,
    Values,
    class_of,
    number_of,
)
from mu.resolve.dispatch.impl_selection import ImplSelection
from mu.resolve.dispatch.type_arguments import TypeArgumentFilter
from mu.resolve.evaluation.propagation_exchange import PropagationExchange
from mu.resolve.evaluator import Evaluator
from mu.resolve.limits import MOST_OVERRIDES, MOST_SUBCLASSES
from mu.resolve.lookup.mro import Ancestor
from mu.resolve.lookup.signatures import may_be_same, taken
from mu.resolve.program.file_symbols import IN_PLACE, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import Overloading
from mu.resolve.semantics.member_semantics import Inheritance
from mu.resolve.semantics.type_forms import Subtyping

_BODILESS = int(Flag.BODILESS)
_VALUE = int(ReferenceKind.VALUE)
_TYPED = Rule.TYPED
_MAYBE_BELOW = MAY_BE_MORE | {GENERIC}


class VirtualDispatch:
    """The overrides in subclasses that a call on a receiver may run."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self._fitting = ImplSelection(program, evaluator)
        self._type_arguments = TypeArgumentFilter(program, evaluator)
        self._live: Set[int] = set()
        self._found: dict[tuple[int, str], tuple[int, ...]] = {}
        self._next: dict[tuple[int, str], tuple[int, ...]] = {}
        self._is_living: dict[int, bool] = {}

    def prepare(self, exchange: PropagationExchange | None = None) -> None:
        """Find the classes that may have instances; drop the caches if they changed.

        A process of a group looks at its files, and has what all found in the end.
        """
        made = self._evaluator.parameter_propagation.made
        if exchange is None:
            self.resume(made | {*self._passed_around(self._program.units.values())})
        else:
            self.resume(made | exchange.gather_definitions({*self._passed_around(exchange.units)}))

    def resume(self, live: Set[int]) -> None:
        """Restore the classes that may have instances; drop the caches if they changed."""
        if live != self._live:
            self._live = live
            for found in (self._found, self._next, self._is_living):
                found.clear()

    @property
    def live(self) -> Set[int]:
        """The classes that the repository instantiates or uses as values."""
        return self._live

    def limited(self) -> list[tuple[int, str]]:
        """Return the methods (class, name) with more overrides than a call is linked to."""
        return [place for place, found in self._found.items() if len(found) > MOST_OVERRIDES]

    def made(self, values: Values) -> tuple[int, ...]:
        """Return the subclasses that a call of `values` may instantiate, by number."""
        for value in values:
            if value[0] == SELF_CLASS:
                break
        else:
            return ()
        made = [self.live_below(class_of(value)) for value in values if value[0] == SELF_CLASS]
        return tuple(dict.fromkeys(chain.from_iterable(made)))

    def overrides(self, holders: Values, name: str) -> tuple[int, ...]:
        """Return the methods of subclasses that `name` may resolve to on receivers, by number.

        A receiver with more than `MOST_OVERRIDES` of them adds none: the bound is that of one
        method, however many callees a call has, as in
        `mu.analysis.completeness.unlinked_overrides`.
        """
        for value in holders:
            if value[0] in _MAYBE_BELOW:
                break
        else:  # three calls in four
            return ()
        found: dict[int, None] = {}
        standing = self._evaluator.declared_types
        for value in holders:
            is_shape = standing.are_abstract((value,)) and not self._is_nominal(value)
            if is_shape and standing.refinements(holders, holders):  # another says more
                continue
            if value[0] == INSTANCE_OF_SUBTYPE and self._evaluator.object_literals.is_one(value):
                continue  # objects with the same members are other objects
            if value[0] in MAY_BE_MORE or self._is_declared_generic(value):
                below: Sequence[int] = self._below_class(value, name)
                if len(below) > MOST_OVERRIDES:
                    continue
                if below and self._implements(class_of(value)):
                    below = self._fitting.of_value(below, value)
                elif below:
                    below = self._type_arguments.fitting(below, value)
                found.update(dict.fromkeys(below))
        return tuple(found)

    def below_class(self, number: int, name: str) -> tuple[int, ...]:
        """Return the methods of a name that subclasses of a class may run."""
        return self._below_class((INSTANCE, number, _TYPED), name)

    def _is_declared_generic(self, value: Value) -> bool:
        """Return whether a value's declared type is a generic class of the repository."""
        is_generic = value[0] == GENERIC and value[2] is _TYPED
        return is_generic and not self._program.is_library(class_of(value))

    def beside(self, holders: Values, name: str) -> tuple[int, ...]:
        """Return the methods that `super()` resolves to in subclasses with further bases."""
        found: dict[int, None] = {}
        for value in holders:
            if value[0] == SUPER:
                found.update(dict.fromkeys(self._beside_class(class_of(value), name)))
        return tuple(found)

    def is_live(self, number: int) -> bool:
        """Return whether the repository may instantiate a class, or a framework may."""
        known = self._is_living.get(number)
        if known is None:
            known = self._find_living(number)
            self._is_living[number] = known
        return known

    def _is_nominal(self, value: Value) -> bool:
        """Return whether only classes that extend a declared class can be its subtypes."""
        return self._program.unit_of[class_of(value)].types.subtyping is Subtyping.NOMINAL

    def _below_class(self, value: Value, name: str) -> tuple[int, ...]:
        number = class_of(value)
        place = (number, name)
        known = self._found.get(place)
        if known is None:
            known = self._find_below(number, name)
            self._found[place] = known
        return known

    def _find_below(self, number: int, name: str) -> tuple[int, ...]:
        hierarchy = self._evaluator.hierarchy
        is_private = self._program.unit_of[number].members.is_private_to_class(name)
        if is_private or self._is_rarely_extended(number) or not hierarchy.descendants(number):
            return ()
        base = set(self._methods(number, name))
        if base:
            base = {method for method in base if self._is_overridable(method)}
            if not base:
                return ()
        inheritance = self._program.unit_of[number].members.inheritance
        if base and inheritance.makes_subtypes:
            inside = hierarchy.inside(number)
            looked_at = [own for own in hierarchy.defining(name) if own in inside]
            looked_at = [own for own in looked_at[:MOST_SUBCLASSES] if self._may_run(own, name)]
        else:  # a subclass may get it from another base
            looked_at = list(self.live_below(number))
            if not self._has(number, name):  # drop structural subtypes
                if self._implements(number):  # type bounds declare all methods
                    return ()
                order = self._evaluator.members.order
                looked_at = [own for own in looked_at if number in order(own)]
        found = {method for below in looked_at for method in self._methods(below, name)}
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if self._implements(number) and unit.types.is_interface(row):
            found = self._fitting.of_trait(found, number)
        if base and unit.calls.overloading is Overloading.BY_SIGNATURE:
            found = set(self.in_place_of(self._declared(number, name), found))
        return tuple(sorted(found - base, key=self._program.place_of))

    def _implements(self, number: int) -> bool:
        """Return whether a class overrides only methods of the traits that it names."""
        return self._program.unit_of[number].members.inheritance is Inheritance.IMPLEMENTING

    def _declared(self, number: int, name: str) -> Symbols:
        """Return the members of a class by a name, including functions that are only declared."""
        return self._evaluator.members.of_class((INSTANCE, number, Rule.VIRTUAL), name)

    def in_place_of(self, above: Iterable[Symbol], found: Iterable[int]) -> tuple[int, ...]:
        """Return those of the `found` methods whose parameter types may be those of one `above`."""
        known = [types for one in above if (types := taken(self._program, one)) is not None]
        kept: list[int] = []
        for number in found:
            own = taken(self._program, (DEFINITION, number, Rule.VIRTUAL)) or ()
            if any(may_be_same(own, types) for types in known):
                kept.append(number)
        return tuple(kept)

    def _is_overridable(self, number: int) -> bool:
        members = self._program.unit_of[number].members
        return members.is_overridable(self._program.definitions[number])

    def _beside_class(self, number: int, name: str) -> tuple[int, ...]:
        place = (number, name)
        known = self._next.get(place)
        if known is None:
            found = {one for below in self.live_below(number) for one in self._after(below, *place)}
            known = tuple(sorted(found, key=self._program.place_of))
            self._next[place] = known
        return known

    def _after(self, below: int, number: int, name: str) -> Iterator[int]:
        """Yield the method that follows a class in the MRO of a subclass, if it is a function."""
        order = self._evaluator.members.order(below)
        for ancestor in order[order.index(number) + 1 :] if number in order else ():
            if ancestor is None:
                return
            symbols = (
                self._evaluator.members.own(ancestor, name, rule=Rule.SUPER)
                if isinstance(ancestor, int)
                else ()
            )
            for kind, key, _ in symbols:
                if kind == DEFINITION and self._is_method(number_of(key)):
                    yield number_of(key)
            if symbols:
                return

    def _has(self, number: int, name: str) -> bool:
        """Return whether a class has a member that not every object has."""
        for kind, key, _ in self._evaluator.members.of_class((INSTANCE, number, _TYPED), name):
            if kind != DEFINITION:
                return True
            unit, row = (
                self._program.unit_of[number_of(key)],
                self._program.definitions[number_of(key)],
            )
            if unit.owner(row.scope) != self._program.root_class(unit.rules):
                return True
        return False

    def _is_rarely_extended(self, number: int) -> bool:
        """Return whether a class is a library class of strings, numbers or plain containers.

        A value that is declared as one is seldom an instance of a subclass, and where a subclass of
        the repository is passed, points-to sets show it.
        """
        if not self._program.is_library(number):
            return False
        types = self._program.unit_of[number].types
        return types.is_rarely_extended(self._program.dotted(number))

    def _may_run(self, number: int, name: str) -> bool:
        """Return whether a method may run on instances of its class or of one that inherits it."""
        if self.is_live(number):
            return True
        own = set(self._methods(number, name))
        below = self.live_below(number)
        return any(not own.isdisjoint(self._methods(one, name)) for one in below)

    def _is_declared(self, number: int) -> bool:
        """Return whether a method is only declared, so that it never runs."""
        return bool(self._program.definitions[number].flags & _BODILESS)

    def _methods(self, number: int, name: str) -> Iterator[int]:
        value: Value = (INSTANCE, number, Rule.VIRTUAL)
        for kind, key, _ in self._evaluator.members.of_class(value, name):
            number = number_of(key) if kind == DEFINITION else -1
            if number >= 0 and self._is_method(number) and not self._is_declared(number):
                yield number

    def _is_method(self, number: int) -> bool:
        """Return whether a member is a function of the repository."""
        is_own = not self._program.is_library(number)
        return is_own and self._program.definitions[number].kind == "function"

    def live_below(self, number: int) -> tuple[int, ...]:
        """Return those of the first `MOST_SUBCLASSES` subclasses that may have instances."""
        below = self._evaluator.hierarchy.descendants(number)[:MOST_SUBCLASSES]
        return tuple(found for found in below if self.is_live(found))

    def _find_living(self, number: int) -> bool:
        row = self._program.definitions[number]
        if number in self._live or row.decorators or row.subkind in IN_PLACE:
            return True
        unit = self._program.unit_of[number]
        if unit.file.category == Category.TEST or not unit.calls.constructors:
            return True
        order = self._evaluator.members.order(number)
        return None in order or any(self._is_of_framework(one, unit) for one in order)

    def _is_of_framework(self, ancestor: Ancestor, unit: FileSymbols) -> bool:
        """Return whether a class is external and not of the standard library."""
        if not isinstance(ancestor, int):
            return ancestor is None or not unit.types.is_generic_base(ancestor)
        if not self._program.is_library(ancestor):
            return False
        return not unit.modules.is_stdlib(self._program.dotted(ancestor))

    def _passed_around(self, units: Iterable[FileSymbols]) -> Iterator[int]:
        run = self._program.fence.run
        for unit in units:
            yield from run(unit.file, self.classes_as_values, unit, otherwise=())

    def classes_as_values(self, unit: FileSymbols) -> Sequence[int]:
        """Return the classes that a file uses as values, by number."""
        definitions, found = self._program.definitions, list[int]()
        rows = dict.fromkeys(row for kind, row, _, _ in unit.facts.references if kind == _VALUE)
        for number in rows:
            for how, key, _ in self._evaluator.symbols(unit, number):
                if how == DEFINITION and definitions[number_of(key)].kind == "class":
                    found.append(number_of(key))
        return found

    def promoted(self, holders: Values, name: str) -> tuple[int, ...]:
        """Return the methods of `name` on receivers that get it from an embedded interface."""
        found: dict[int, None] = {}
        for value in holders:
            number = class_of(value) if value[0] in OF_CLASS else -1
            if not 0 <= number < self._program.size or not self._program.definitions[number].bases:
                continue
            for kind, key, _ in self._evaluator.members.of_class(value, name):
                declaring = self._shape_of(number_of(key)) if kind == DEFINITION else -1
                for field in self._embedded(number, declaring):
                    unit = self._program.unit_of[number]
                    held = self._evaluator.attribute_loads.read(unit, value, name=field)
                    found.update(dict.fromkeys(self._run_on(held, name)))
        return tuple(found)

    def _embedded(self, number: int, declaring: int) -> list[str]:
        """Return the embedded fields by which a class has the methods that an interface declares.

        That may be one of an interface which embeds this one in turn.
        """
        if declaring in (-1, number):
            return []
        members, fields = self._evaluator.members, list[str]()
        waiting, seen = [number], {number}
        while waiting:
            for base in members.bases(waiting.pop()):
                if not isinstance(base, int) or base in seen:
                    continue
                seen.add(base)
                row = self._program.definitions[base]
                if not self._program.unit_of[base].types.is_shape(row):
                    waiting.append(base)
                elif declaring in members.order(base):
                    fields.append(row.name)
        return fields

    def _shape_of(self, method: int) -> int:
        """Return the class that declares a method without a body; -1 for a method that has one."""
        row = self._program.definitions[method]
        return self._program.unit_of[method].owner(row.scope) if row.flags & _BODILESS else -1

    def _run_on(self, held: Values, name: str) -> tuple[int, ...]:
        """Return the methods of the known concrete values; if there are none, of all subtypes."""
        known = self._evaluator.declared_types.refinements(held, held)
        if not known:
            return self.overrides(held, name)
        members = self._evaluator.members
        symbols = [symbol for value in known for symbol in members.of_class(value, name)]
        return tuple([number_of(key) for kind, key, _ in symbols if kind == DEFINITION])
