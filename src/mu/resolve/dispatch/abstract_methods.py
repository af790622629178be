"""Abstract methods: declarations that never run on the receivers at hand.

Where the class of a receiver has no instances of its own (it is abstract, a protocol, or never
instantiated), its method runs only if some subclass inherits it. Instantiated classes are those of
`VirtualDispatch`; a leaf class counts as instantiated, as code may create it by a computed name.
"""

from collections.abc import Iterator, Set

from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    DEFINITION,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    MAY_BE_MORE,
    OF_CLASS,
    Symbols,
    Value,
    Values,
    class_of,
    number_of,
)
from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.evaluator import Evaluator
from mu.resolve.limits import MOST_SUBCLASSES
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.type_forms import DeclaredMethods

_FROM_INSTANCES = frozenset((Rule.TYPED, Rule.INFERRED, Rule.RETURNED))
_NOTHING: frozenset[int] = frozenset()
_Keys = frozenset[tuple[int, object]]


class AbstractMethods:
    """The methods of a name that cannot run on a receiver."""

    def __init__(self, program: Program, evaluator: Evaluator, dispatch: VirtualDispatch) -> None:
        self._program = program
        self._evaluator = evaluator
        self._dispatch = dispatch
        self._hidden: dict[tuple[int, str], bool] = {}
        self._abstract: dict[int, bool] = {}
        self._hiding: dict[int, bool] = {}  # by class: may any of its methods be hidden
        self._left_open: dict[int, tuple[int, ...]] = {}  # by class, see `_declared_in`

    def never_run(self, values: Values, holders: Values, *, name: str) -> Set[int]:
        """Return those functions among `values`, found as `name` on receivers, that never run."""
        if holders:
            return self.hidden(holders, name)
        return self.read_off(values) if values else _NOTHING

    def hidden(self, holders: Values, name: str) -> frozenset[int]:
        """Return the functions that receivers declare as `name` but that never run on them."""
        hiding = [
            value
            for value in holders
            if self._may_be_hidden(value) and self._is_hidden(class_of(value), name)
        ]
        if not hiding:
            return _NOTHING
        hidden = {number for value in hiding for number in self._functions(value, name)}
        for value in holders:
            if value not in hiding and value[0] in OF_CLASS and class_of(value) >= 0:
                hidden.difference_update(self._functions(value, name))
        return frozenset(hidden)

    def read_off(self, values: Values) -> frozenset[int]:
        """Return the library methods among `values` that belong to structural types.

        They were read before they are called, and no instance has them as its own.
        """
        read = [number_of(v[1]) for v in values if v[0] == FUNCTION and v[2] in _FROM_INSTANCES]
        return frozenset(filter(self._is_of_protocol, filter(self._program.is_library, read)))

    def outside(self, holders: Values, name: str) -> Values:
        """Return the external methods that run instead of hidden ones."""
        found: dict[object, Value] = {}
        for value in holders:
            if not self._may_be_hidden(value) or self._program.is_library(class_of(value)):
                continue
            if self._is_hidden(class_of(value), name):
                for below in self._running(class_of(value)):
                    for kind, key, _ in self._members(below, name):
                        if kind == EXTERNAL:
                            found[key] = (kind, key, Rule.VIRTUAL)
                        elif kind == DEFINITION and self._program.is_library(number_of(key)):
                            found[key] = (FUNCTION, key, Rule.VIRTUAL)
        return tuple(found.values())

    def is_path(self, unit: FileSymbols, holders: Values, *, name: str) -> bool:
        """Return whether `name` is known only as a path from an instance of an external class.

        It is an attribute of a value that such an instance holds, or one that its class computes;
        which class defines it is unknown.
        """
        return any(self._is_way(unit, value, name) for value in holders)

    def _is_way(self, unit: FileSymbols, value: Value, name: str) -> bool:
        """Return whether a value lies on such a path."""
        if value[0] == EXTERNAL:
            return value[2] in _FROM_INSTANCES
        if value[0] == EXTERNAL_INSTANCE:
            return unit.types.is_abstract_class(str(value[1]))
        if value[0] not in INSTANCES or not self._program.is_library(class_of(value)):
            return False
        return any(symbol[0] == EXTERNAL for symbol in self._members(class_of(value), name))

    def _may_be_hidden(self, value: Value) -> bool:
        kind = value[0]
        if kind not in INSTANCES:
            return False
        number = class_of(value)
        known = self._hiding.get(number)
        if known is None:
            known = number >= 0 and self._may_hide(number)
            self._hiding[number] = known
        return known and (kind in MAY_BE_MORE or self._program.is_library(number))

    def _may_hide(self, number: int) -> bool:
        """Return whether a class declares methods that never run on its instances."""
        if self._program.unit_of[number].types.declared_methods is DeclaredMethods.CALLEES:
            return False
        if self._program.is_library(number):
            return self._evaluator.declared_types.are_abstract(((INSTANCE, number, Rule.TYPED),))
        return self.is_abstract(number) or not self._dispatch.is_live(number)

    def _is_hidden(self, number: int, name: str) -> bool:
        known = self._hidden.get((number, name))
        if known is None:
            known = self._find_hidden(number, name)
            self._hidden[number, name] = known
        return known

    def _find_hidden(self, number: int, name: str) -> bool:
        value: Value = (INSTANCE, number, Rule.TYPED)
        if self._program.is_library(number):
            return True
        if self._program.unit_of[number].members.is_private_to_class(name):
            return False
        own = self._keys(number, name)
        if not own or len(self._evaluator.hierarchy.descendants(number)) > MOST_SUBCLASSES:
            return False
        running = self._running(number)
        if not any(map(self._dispatch.is_live, running)):  # no instances are known
            declared = any(map(self._is_declared, self._functions(value, name)))
            return declared or self._is_protocol(number)
        return all(own.isdisjoint(self._keys(below, name)) for below in running)

    def _running(self, number: int) -> list[int]:
        """Return the subclasses that may have instances of their own."""
        hierarchy = self._evaluator.hierarchy
        return [
            below
            for below in hierarchy.descendants(number)[:MOST_SUBCLASSES]
            if not self.is_abstract(below)
            and (self._dispatch.is_live(below) or not hierarchy.descendants(below))
        ]

    def is_abstract(self, number: int) -> bool:
        """Return whether a class of the repository has no instances of its own."""
        known = self._abstract.get(number)
        if known is None:
            known = self._is_protocol(number) or self._lacks_some(number)
            self._abstract[number] = known
        return known

    def _is_of_protocol(self, number: int) -> bool:
        """Return whether a function belongs to a structural type whose methods never run."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        owner = unit.owner(row.scope)
        is_hidden = unit.types.declared_methods is DeclaredMethods.HIDDEN
        return owner >= 0 and is_hidden and self._is_protocol(owner)

    def _is_protocol(self, number: int) -> bool:
        return self._evaluator.declared_types.are_structural(((INSTANCE, number, Rule.TYPED),))

    def _lacks_some(self, number: int) -> bool:
        """Return whether a class has abstract methods that it leaves to its subclasses."""
        for ancestor in self._evaluator.members.order(number):
            if isinstance(ancestor, int) and not self._program.is_library(ancestor):
                for one in self._declared_in(ancestor):
                    name = self._program.definitions[one].name
                    if (DEFINITION, one) in self._keys(number, name):
                        return True
        return False

    def _declared_in(self, number: int) -> tuple[int, ...]:
        """Return the abstract methods that a class declares."""
        known = self._left_open.get(number)
        if known is None:
            unit, row = self._program.unit_of[number], self._program.definitions[number]
            known = self._left_open[number] = tuple(
                unit.first + one
                for entry in unit.names[row.body].values()
                for one in entry.definitions
                if self._is_declared(unit.first + one)
            )
        return known

    def _is_declared(self, number: int) -> bool:
        row = self._program.definitions[number]
        return row.kind == "function" and self._program.unit_of[number].members.is_abstract(row)

    def _functions(self, value: Value, name: str) -> Iterator[int]:
        for kind, key, _ in self._evaluator.members.of_class(value, name):
            if kind == DEFINITION and self._program.definitions[number_of(key)].kind == "function":
                yield number_of(key)

    def _keys(self, number: int, name: str) -> _Keys:
        return frozenset((kind, key) for kind, key, _ in self._members(number, name))

    def _members(self, number: int, name: str) -> Symbols:
        return self._evaluator.members.of_class((INSTANCE, number, Rule.TYPED), name)
