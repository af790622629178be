"""Find the definitions and variables of a file whose externally visible values changed.

The old and the new program are compared: what functions return, what decorators replace them with,
the declared types of parameters, and the points-to sets of variables. An unchanged file can differ,
too, where it names something that changed.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLES,
    CLASSES,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    MODULE,
    OF_CLASS,
    RECEIVERS,
    TUPLE,
    TYPE_VARIABLE,
    Value,
    Values,
    class_of,
    number_of,
    parts_of,
)
from mu.resolve.dispatch.receiver_types import Cones
from mu.resolve.incremental.altered_classes.other_bases import MroChanges
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.visible_names import (
    Variable,
    class_around,
    parts_written,
    rebound_in,
    stores_by_name,
    variables_of,
)
from mu.resolve.incremental.file_set import add_all
from mu.resolve.incremental.program_version import may_be_own
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.linker import Linker
from mu.resolve.program.attribute_stores import stores_in
from mu.resolve.program.file_part import home_of, operations_of, part_of
from mu.resolve.program.file_symbols import CONSTRUCTOR, FileSymbols, NameEntry
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import Overloading

_NAMING = frozenset(map(int, (Op.NAME, Op.ATTRIBUTE, Op.OPERATOR, Op.INDEX)))
_PLAIN = RECEIVERS | CLASSES | CALLABLES | {INSTANCE, INSTANCE_OF_SUBTYPE, TYPE_VARIABLE}

Stored = dict[str, set[int]]
"""The classes on which an attribute is set, or on whose instances, by the attribute's name."""
ANYTHING: Final = -1
"""In place of a class: the receiver of the store is unknown."""

Asked = tuple[Program, Linker]
"""A program and its linker."""


class AlteredValues:
    """What has other values in the new program, collected over the steps of relinking.

    `apart` are attributes whose separation by class changed, and changed members of object
    literals. All others are those of `VisibleValues`.
    """

    def __init__(self) -> None:
        self.fields: set[str] = set()
        self.keys: set[str] = set()
        self.stored: Stored = {}
        self.apart: Stored = {}
        self.wholes: set[int] = set()
        self.above: dict[str, set[int]] = {}
        self.overloads: set[str] = set()
        self.patched: dict[int, set[str]] = {}
        self._are_values_changed = False

    @property
    def is_any(self) -> bool:
        """True if anything is read otherwise."""
        found = self.fields, self.stored, self.apart, self.wholes, self.patched
        return self._are_values_changed or any(found)

    def add(self, values: "VisibleValues") -> None:
        """Add what a comparison found."""
        self._are_values_changed |= values.are_values_changed
        self.fields |= values.fields
        self.keys |= values.keys
        self.wholes |= values.wholes
        self.overloads |= values.overloads
        add_all(self.stored, values.stored)
        add_all(self.apart, values.in_place)
        add_all(self.patched, values.patched)
        add_all(self.above, values.above)


class VisibleValues:
    """A comparison of what files show to others in two programs.

    `changed` compares one file at a time and adds to these, all numbered as in the old program:

    - `rebased`: classes with other bases, or whose method as a functional interface changed.
    - `fields`: names of variables and members that changed.
    - `keys`: those of `fields` in classes whose members are keys, such as typed dictionaries.
    - `stored`: attributes that are set on another receiver or to other values.
    - `wholes`: files whose module, read as a value (`module.exports`), changed.
    - `above`: by the name of a changed member, the files of superclasses, whose methods may read it
      from their own receiver.
    - `overloads`: names by which calls choose among overloads of which one changed.
    - `held`: (class, name) of changed class variables.
    - `in_place`: those of `held` without a node: members of object literals.
    - `patched`: attributes that are set on other modules or to other values, by the module's file.
    - `are_values_changed`: whether a function gives other results, a variable has other values, or
      a class changed.
    """

    def __init__(
        self, old: Asked, new: Asked, renumbering: Renumbering, others: MroChanges
    ) -> None:
        """The classes in `others` and their instances always compare as different."""
        self._old, self._old_linker = old
        self._new, self._new_linker = new
        self._renumbering = renumbering
        self._others = others
        self.rebased: set[int] = set()
        self.fields: set[str] = set()
        self.keys: set[str] = set()
        self.stored: Stored = {}
        self.wholes: set[int] = set()
        self.above: dict[str, set[int]] = {}
        self.overloads: set[str] = set()
        self.held: set[tuple[int, str]] = set()
        self.in_place: Stored = {}
        self.patched: dict[int, set[str]] = {}
        self.are_values_changed = False

    def changed(
        self, key: int, difference: FileDifference | None, *, kept: frozenset[int] = frozenset()
    ) -> set[int] | None:
        """Return the changed nodes of a file, by old key; None if anything changed has no node.

        Functions that are `kept`, by number in the file, and variables bound in their text alone
        are taken as unchanged.
        """
        found: set[int] = set()
        old, new = self._old.units[key], self._new.units[key]
        for local, partner in self._pairs(old, difference):
            number, other = old.first + local, new.first + partner
            if old.facts.definitions[local].kind != "function":
                if not self._are_bases_same(number, other):
                    self.rebased.add(number)
                if not self._is_method_same(number, other):
                    self._note_interface(number)
                is_changed = difference is not None and local in difference.changed
                is_changed = is_changed or not self._is_same_outside(number, other)
                if not is_changed and self._is_same_in_place(number, other):
                    continue
                self.are_values_changed = True
            elif local in kept:
                continue
            else:
                is_plain = difference is not None and local in difference.results
                gives_same = self._gives_same(number, other, is_plain=is_plain)
                is_changed = difference is not None and local in difference.changed
                if gives_same and not is_changed and self._are_parameters_same(number, other):
                    continue
                self.are_values_changed |= not gives_same
                owner = class_around(old, old.facts.definitions[local].scope)
                if owner >= 0 and _method_of(self._old_linker, old.first + owner) >= 0:
                    self._note_interface(old.first + owner)
                if self._old.definitions[number].decorators:  # may be read as an attribute
                    self.fields.add(self._old.definitions[number].name)
                if old.calls.overloading is not Overloading.NONE:
                    self._note_overload(old, number)
            found.add(self._old_linker.nodes.of_definition(number))
        found |= self._changed_variables(old, new, difference, kept)
        self._note_stores(old, new, kept)
        self._note_fillings(old, new, difference)
        module = MODULE, key, Rule.MODULE
        meant, means = self._old_linker.evaluator.meant, self._new_linker.evaluator.meant
        if not self.are_same(meant(module), means(module)):
            self.wholes.add(key)
        return None if -1 in found else found

    def _changed_variables(
        self,
        old: FileSymbols,
        new: FileSymbols,
        difference: FileDifference | None,
        kept: frozenset[int],
    ) -> set[int]:
        """Note the variables of a file whose values changed; return their nodes, -1 for none."""
        found: set[int] = set()
        for scope, name in self._other_variables(old, new, difference, kept):
            owner = class_around(old, scope)
            self.fields.add(name)
            self.are_values_changed = True
            self._note_above(old, owner, name)
            if owner >= 0:
                self.held.add((old.first + owner, name))
            if owner >= 0 and self._old_linker.evaluator.iteration.is_keyed_class(
                old.first + owner
            ):
                self.keys.add(name)
            nodes = self._nodes_of_variable(old, scope, name)
            if owner >= 0 and -1 in nodes:
                self.in_place.setdefault(name, set()).add(old.first + owner)
            else:
                found |= nodes
        return found

    def _nodes_of_variable(self, unit: FileSymbols, scope: int, name: str) -> set[int]:
        """Return the node of a variable, or of the definitions that it is bound to; -1 for none."""
        nodes, entry = self._old_linker.nodes, unit.names[scope].get(name)
        node = nodes.of_variable((unit.key, scope, name))
        if node >= 0 or entry is None or not entry.definitions:
            return {node}
        return {nodes.of_definition(unit.first + local) for local in entry.definitions}

    def _note_overload(self, unit: FileSymbols, number: int) -> None:
        """Note the names by which a function is called.

        A constructor is called by the names of its class and of the subclasses.
        """
        row = self._old.definitions[number]
        if row.name not in unit.calls.constructors and row.subkind != CONSTRUCTOR:
            self.overloads.add(row.name)
            return
        owner = unit.first + class_around(unit, row.scope)
        below = self._old_linker.evaluator.hierarchy.descendants(owner)
        self.overloads |= {self._old.definitions[one].name for one in (owner, *below)}

    def _note_above(self, unit: FileSymbols, owner: int, name: str) -> None:
        """Note the files of the superclasses of a class, for a changed member."""
        order = self._old_linker.evaluator.members.order(unit.first + owner) if owner >= 0 else ()
        files = {
            self._old.file_of(number)
            for number in order[1:]
            if isinstance(number, int) and number < self._old.size
        }
        if files:
            self.above.setdefault(name, set()).update(files)

    def _note_fillings(
        self, old: FileSymbols, new: FileSymbols, difference: FileDifference | None
    ) -> None:
        """Note inherited members into which the methods of a class put other values."""
        old.uses_of(0, "")
        for (scope, name), uses in (old.uses or {}).items():
            owner = class_around(old, scope)
            partner = scope if difference is None else difference.scopes.get(scope, -1)
            if owner < 0 or partner < 0 or old.bound(scope, name):
                continue  # bound variables are compared elsewhere
            if name in old.receivers.get(scope, ()):
                continue  # the receiver itself, not a member
            rows = [row for _, args, _ in uses for row in args]
            others = [row for _, args, _ in new.uses_of(partner, name) for row in args]
            if not self._are_rows_same((old, new), (rows, others)):
                self._note_above(old, owner, name)

    def _note_stores(self, old: FileSymbols, new: FileSymbols, kept: frozenset[int]) -> None:
        """Note attributes that are set on other receivers or to other values.

        Only stores that both versions of a file have, outside kept text, are compared.
        """
        part, after = part_of(old, kept) if kept else old, stores_by_name(new)
        held = self._old_linker.evaluator.values
        linked = {*operations_of(part, [one.place for one in stores_in(old)])}
        for place, stores in stores_by_name(old).items():
            others = after.get(place, ())
            if len(stores) != len(others):
                continue  # the comparison of the texts finds these
            for store, other in zip(stores, others, strict=True):
                if store.place not in linked:
                    continue
                if self._are_rows_same((old, new), (store[1:3], other[1:3])):
                    continue
                values = held(old, store.base)
                given = self._new_linker.evaluator.values(new, other.base)
                for module in {key for kind, key, _ in (*values, *given) if kind == MODULE}:
                    self.patched.setdefault(number_of(module), set()).add(store.name)
                is_same = self._are_rows_same((old, new), ((store.base,), (other.base,)))
                if may_be_own(self._old, values) or not is_same:
                    classes = {class_of(v) if v[0] in OF_CLASS else ANYTHING for v in values}
                    for name in self._old_linker.evaluator.field_stores.names_of(old, store):
                        self.stored.setdefault(name, set()).update(
                            classes if is_same else {ANYTHING}
                        )

    def _are_rows_same(
        self, units: tuple[FileSymbols, FileSymbols], rows: tuple[Iterable[int], Iterable[int]]
    ) -> bool:
        """Return whether expressions of a file have the same values in both programs."""
        one, other = [*rows[0]], [*rows[1]]
        old, new = self._old_linker.evaluator, self._new_linker.evaluator
        return len(one) == len(other) and all(
            self.are_same(old.values(units[0], row), new.values(units[1], its))
            for row, its in zip(one, other, strict=True)
        )

    def _note_interface(self, number: int) -> None:
        """Note that a class and its subclasses changed as functional interfaces."""
        below = self._old_linker.evaluator.hierarchy.descendants(number)
        self.rebased |= {number, *below}

    def _is_method_same(self, number: int, other: int) -> bool:
        """Return whether a class has the same method as a functional interface, or none in both."""
        before, after = _method_of(self._old_linker, number), _method_of(self._new_linker, other)
        try:
            return self._renumbering.number(before) == after
        except KeyError:  # the method was removed
            return False

    def _pairs(
        self, unit: FileSymbols, difference: FileDifference | None
    ) -> Iterator[tuple[int, int]]:
        if difference is not None:
            yield from difference.numbers.items()
        else:
            yield from ((local, local) for local in range(len(unit.facts.definitions)))

    def _are_bases_same(self, number: int, other: int) -> bool:
        """Return whether a class has the same bases."""
        old, new = self._old_linker.evaluator.members, self._new_linker.evaluator.members
        moved = self._renumbering.number
        try:
            bases = [moved(one) if isinstance(one, int) else one for one in old.bases(number)]
        except KeyError:  # a base was removed
            return False
        return bases == [*new.bases(other)]

    def _is_same_outside(self, number: int, other: int) -> bool:
        """Return whether a class has the same bases and ancestors outside the repository.

        These determine what kind of class it is, such as a protocol.
        """
        old, new = self._old_linker.evaluator.members, self._new_linker.evaluator.members
        moved, sizes = self._renumbering.number, (self._old.size, self._new.size)
        for before, after in (
            (old.bases(number), new.bases(other)),
            (old.order(number), new.order(other)),
        ):
            was = [one for one in before if not isinstance(one, int) or one >= sizes[0]]
            has = [one for one in after if not isinstance(one, int) or one >= sizes[1]]
            try:
                if [moved(one) if isinstance(one, int) else one for one in was] != has:
                    return False
            except KeyError:
                return False
        return True

    def _gives_same(self, number: int, other: int, *, is_plain: bool) -> bool:
        """Return whether a function gives the same results, and stands for the same function; with
        `is_plain` as in `are_same`.
        """
        old, new = self._old_linker.evaluator, self._new_linker.evaluator
        given, gives = old.return_summaries.of(number)[0], new.return_summaries.of(other)[0]
        if not self.are_same(given, gives, is_plain=is_plain):
            return False
        objects, others = self._old_linker.receiver_types, self._new_linker.receiver_types
        if not self._are_objects_same(objects.of_function(number), others.of_function(other)):
            return False
        if not self._is_same_in_place(number, other):
            return False
        row, its = self._old.definitions[number], self._new.definitions[other]
        units = self._old.unit_of[number], self._new.unit_of[other]
        parts = parts_written(units[0], row.returned), parts_written(units[1], its.returned)
        return self._are_rows_same(units, parts)

    def _are_parameters_same(self, number: int, other: int) -> bool:
        """Return whether the parameters of a function have the same declared types."""
        old, new = self._old_linker.evaluator, self._new_linker.evaluator
        return all(
            self.are_same(
                old.argument_binding.pattern(number, place),
                new.argument_binding.pattern(other, place),
            )
            for place in range(len(self._old.definitions[number].parameters))
        )

    def _is_same_in_place(self, number: int, other: int) -> bool:
        """Return whether decorators replace a definition with the same values."""
        old, new = self._old_linker.evaluator, self._new_linker.evaluator
        return not self._old.definitions[number].decorators or self.are_same(
            old.decorators.put_before(number), new.decorators.put_before(other)
        )

    def _are_objects_same(self, old: Cones | None, new: Cones | None) -> bool:
        """Return whether objects are of the same classes, given as cones (see `ReceiverTypes`)."""
        if old is None or new is None:
            return old is new
        moved, others = self._renumbering.number, self._others
        if any(own in others.before for own, _ in old) or any(n in others.after for n, _ in new):
            return False
        try:
            return {(moved(own), sort) for own, sort in old} == new
        except KeyError:
            return False

    def are_same(self, old: Values, new: Values, *, is_plain: bool = False) -> bool:
        """Return whether values are the same in both programs.

        With `is_plain`, for changed expressions, values that are not plain count as changed:
        constant keys and routers are followed to the expression where they are written.
        """
        if is_plain and not all(map(_is_plain, old)):
            return False
        if self._others.is_of(old, is_new=False) or self._others.is_of(new, is_new=True):
            return False
        try:
            return self._renumbering.values(old) == new
        except KeyError:
            return False

    def _other_variables(
        self,
        old: FileSymbols,
        new: FileSymbols,
        difference: FileDifference | None,
        kept: frozenset[int],
    ) -> Iterator[tuple[int, str]]:
        """Yield the variables of a file whose values changed, as (scope, name)."""
        there = _variables(new)
        for (scope, name), entries in _variables(old).items():
            if (
                kept
                and all(
                    home_of(old, row.scope) in kept for entry in entries for row in entry.bindings
                )
                and not (difference is not None and (scope, name) in difference.variables)
            ):
                continue
            partner = scope if difference is None else difference.scopes.get(scope, -1)
            if (partner, name) not in there:
                continue  # its name counts as removed
            is_other = difference is not None and (scope, name) in difference.variables
            held, holds = self._old_linker.evaluator.points_to, self._new_linker.evaluator.points_to
            place, partner_place = (old.file.key, scope, name), (old.file.key, partner, name)
            objects, others = self._old_linker.receiver_types, self._new_linker.receiver_types
            if (
                is_other
                or not self.are_same(held.held(place), holds.held(partner_place))
                or not self._are_objects_same(
                    objects.of_field(place), others.of_field(partner_place)
                )
                or not self._are_rows_same(
                    (old, new), (_put(old, scope, name), _put(new, partner, name))
                )
                or self._texts(self._old_linker, old, entries)
                != self._texts(self._new_linker, new, new.bound(partner, name))
            ):
                yield scope, name

    def _texts(
        self, linker: Linker, unit: FileSymbols, entries: Iterable[NameEntry]
    ) -> list[tuple[str, ...]]:
        """Return the strings that a variable, and parts of the literals bound to it, may be.

        Only names, attributes, operators and subscripts are evaluated: their string is elsewhere.
        """
        bound = [row.value for entry in entries for row in entry.bindings]
        rows = [row for row in bound if unit.expressions[row][0] in _NAMING]
        rows += [r for r in parts_written(unit, bound) if unit.expressions[r][0] in _NAMING]
        return [linker.evaluator.constant_strings.texts(unit, row) for row in rows]


def _is_plain(value: Value) -> bool:
    """Return whether a value says all that is read from it; a tuple if its elements do."""
    if value[0] == TUPLE:
        return all(_is_plain(one) for part in parts_of(value) for one in part)
    return value[0] in _PLAIN


def _method_of(linker: Linker, number: int) -> int:
    """Return the one abstract method of a functional interface, by number; -1 for other classes."""
    return linker.evaluator.functional_interfaces.method((INSTANCE, number, Rule.TYPED))


def _variables(unit: FileSymbols) -> dict[Variable, list[NameEntry]]:
    """Return the variables of a file, and the definitions that are variables as well, such as a
    function that is assigned to a variable with a declared type.
    """
    rebound = {place: unit.bound(*place) for place, entry in rebound_in(unit) if entry.definitions}
    return rebound | dict(variables_of(unit))


def _put(unit: FileSymbols, scope: int, name: str) -> Iterator[int]:
    """Yield the rows of parts of a variable's literals, and of values stored at its keys.

    These are compared one by one since a subscript with a constant key reads a single one.
    """
    bindings = [row for entry in unit.bound(scope, name) for row in entry.bindings]
    yield from parts_written(unit, [row.value for row in bindings])
    for method, args, steps in unit.uses_of(scope, name):
        if not method and not steps:
            yield args[1]
