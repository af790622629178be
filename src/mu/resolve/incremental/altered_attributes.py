"""Attributes whose stores outside their class changed, and the functions that may read them.

With more or fewer stores, an attribute may have the same values: then its readers are unaffected.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set

from mu.model.facts import Op
from mu.model.kinds import Category
from mu.resolve.abstract_values import (
    CALLABLES,
    FUNCTION,
    MODULE,
    OF_CLASS,
    Value,
    Values,
    class_of,
    number_of,
)
from mu.resolve.evaluation.field_stores import FieldStores, reads, taking_first
from mu.resolve.incremental.altered_classes.other_bases import attribute_rows
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.linked_parts import (
    Functions,
    LinkedParts,
    joined_functions,
)
from mu.resolve.incremental.comparison.name_uses import NameUses
from mu.resolve.incremental.comparison.visible_names import class_around
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.incremental.visible_values import ANYTHING, Stored
from mu.resolve.limits import MOST_COMPARED_CLASSES
from mu.resolve.program.attribute_stores import FieldStore, stores_in
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.semantics.member_semantics import Scoping
from mu.resolve.solver.solver import ParameterKey

_NAME = int(Op.NAME)

_AreSame = Callable[[Values, Values], bool]
"""Returns whether points-to sets of the old and the new program are the same."""


class AlteredAttributes:
    """Comparison of what attributes are set to in the programs before and after an edit."""

    def __init__(
        self,
        old: ProgramVersion,
        new: ProgramVersion,
        change: tuple[Mapping[int, FileDifference], Renumbering],
        *,
        parts: LinkedParts,
        are_same: _AreSame,
    ) -> None:
        """`change` is the externally visible difference of each changed file, and the numbers in
        the new program; `parts` are the functions that are linked.
        """
        self._old, self._new = old, new
        self._differences, self._renumbering = change
        self._parts = parts
        self._are_same = are_same
        self._known: dict[tuple[int, str], bool] = {}  # by old class number and name

    def changed_stores(self) -> Stored:
        """Return the attributes with changed stores, by name, with the classes they are set on.

        A store changed if its text did, or if it is to a parameter whose points-to set did.
        """
        found: Stored = {}
        names: dict[tuple[LanguageRules, str], None] = {}
        for one, unit, store in (*self._in_other_text(), *self._of_parameters()):
            names[unit.rules, store.name] = None
            self._note(found, one, unit, store, self._classes(one, unit, store))
        for rules, name in names:
            for one, unit, store in self._followed_otherwise(name, rules):
                self._note(found, one, unit, store, self._set_of(one, unit, store))
        return found

    def _note(
        self,
        found: Stored,
        one: ProgramVersion,
        unit: FileSymbols,
        store: FieldStore,
        classes: Set[int],
    ) -> None:
        for name in _stores(one).names_of(unit, store) if classes else ():
            found.setdefault(name, set()).update(classes)

    def set_by_parameters(self, needs: Iterable[ParameterKey]) -> Stored:
        """Return the attributes set to some constructor parameters, by name, with their classes."""
        found: Stored = {}
        for number, place in needs:
            unit, row = self._new.program.unit_of[number], self._new.program.definitions[number]
            owner = class_around(unit, row.scope)
            whole = self._new.linker.evaluator.variadic_parameters.whole(number, place)
            own = (_NAME, row.parameters[whole].name, row.body)
            for name, entry in unit.fields.get(owner, {}).items():
                if any(unit.expressions[one.value][:3] == own for one in entry.bindings):
                    found.setdefault(name, set()).update(
                        self._renumbering.before(unit.first + owner)
                    )
        return found

    def set_in_modules(self) -> dict[int, set[str]]:
        """Return the module members with changed stores in changed files, by file of the module."""
        found: dict[int, set[str]] = {}
        for key, difference in self._differences.items():
            for is_new, store in difference.stores:
                for module in (self._new if is_new else self._old).modules_of(key, store.base):
                    found.setdefault(module, set()).add(store.name)
        return found

    def readers(self, stored: Stored, *, apart: Stored, uses: NameUses) -> Functions:
        """Return the functions that may read attributes with changed values: on the classes that
        they are set on, on classes above and below, or where no reference shows the receiver.

        Those in `stored` may still have the same values; those in `apart` count as changed.
        """
        other = [
            (name, {one for one in classes if not self._gives_same(one, name)})
            for name, classes in stored.items()
        ]
        return joined_functions(
            *(
                self._readers(name, classes, uses)
                for name, classes in (*other, *apart.items())
                if classes
            )
        )

    def _readers(self, name: str, classes: Set[int], uses: NameUses) -> Functions:
        """Return the functions that may read an attribute on some classes, or their kin."""
        old, parts, evaluator = self._old, self._parts, self._old.linker.evaluator
        near = uses.of_members({name})
        bare = {
            key
            for key in uses.of({name})
            if self._new.program.rules_of(key).members.scoping is Scoping.CLASS
        }
        if ANYTHING in classes:
            return parts.naming({name}, near | bare)
        kin = {n for one in classes for n in evaluator.hierarchy.inside(one)} | classes
        above = (n for one in classes for n in evaluator.members.order(one))
        kin |= {number for number in above if isinstance(number, int)}
        readers = uses.taking({name}) | uses.beginning({name})
        found = parts.naming({name}, (near | bare) & readers)
        for key in (near | bare) - readers:
            is_there = key in old.program.units
            rows = {*attribute_rows(old, key, names={name}, classes=kin)} if is_there else set()
            if rows or not is_there:
                found |= (
                    parts.naming({name}, (key,))
                    if key in bare or not is_there
                    else parts.having(key, rows)
                )
        return found

    def _in_other_text(self) -> Iterator[tuple[ProgramVersion, FileSymbols, FieldStore]]:
        """Yield the stores that differ between the two versions of changed files."""
        for key, difference in self._differences.items():
            for is_new, store in difference.stores:
                one = self._new if is_new else self._old
                yield one, one.program.units[key], store

    def _of_parameters(self) -> Iterator[tuple[ProgramVersion, FileSymbols, FieldStore]]:
        """Yield stores to attributes of parameters whose points-to sets differ."""
        for number, place in self._new.grown:
            pairs = [(self._new, number)]
            pairs += ((self._old, before) for before in self._renumbering.before(number))
            for one, each in pairs:
                if not one.is_passed_own(each, place):
                    continue
                unit, row = one.program.unit_of[each], one.program.definitions[each]
                own = (_NAME, row.parameters[place].name, row.body)
                for store in stores_in(unit):
                    if unit.expressions[store.base][:3] == own:
                        yield one, unit, store

    def _classes(self, one: ProgramVersion, unit: FileSymbols, store: FieldStore) -> set[int]:
        """Return the classes that a store sets an attribute on.

        `ANYTHING` where the value is a call that takes the attribute itself, as in `app.run =
        Timed(app.run)`: that affects all stores on objects from outside the repository.
        """
        is_read = unit.file.category != Category.TEST and reads(unit, store.value, name=store.name)
        return {ANYTHING} if is_read else self._set_of(one, unit, store)

    def _set_of(self, one: ProgramVersion, unit: FileSymbols, store: FieldStore) -> set[int]:
        """Return the classes that an attribute is set on, by old numbers.

        `ANYTHING` for the first parameter of a nested function, and for a module, function or
        external object whose attribute changed.
        """
        if taking_first(unit, store.base) >= 0:
            return {ANYTHING}
        found: set[int] = set()
        for value in one.linker.evaluator.values(unit, store.base):
            if value[0] in OF_CLASS:
                number = class_of(value)
                found.update((number,) if one is self._old else self._renumbering.before(number))
            elif not self._holds_same(one, unit, value, store.name):
                found.add(ANYTHING)
        return found

    def _followed_otherwise(
        self, name: str, rules: LanguageRules
    ) -> Iterator[tuple[ProgramVersion, FileSymbols, FieldStore]]:
        """Yield all stores of a name if there are so many that only one program follows them."""
        old, new = (_stores(one).bounds_of(name, rules) for one in self._both)
        for one in self._both if old != new else ():
            for unit, base, value in _stores(one).places(name, rules):
                yield one, unit, FieldStore(name, base, value, 0)

    @property
    def _both(self) -> tuple[ProgramVersion, ProgramVersion]:
        return self._old, self._new

    def _holds_same(self, one: ProgramVersion, unit: FileSymbols, value: Value, name: str) -> bool:
        """Return whether an attribute of a module, function or external object is unchanged."""
        try:
            pair = self._pair(one, value)
        except KeyError:  # only one program has it
            return False
        found = []
        for version, owner in zip(self._both, pair, strict=True):
            stores = _stores(version)
            if owner[0] == MODULE:
                found.append(stores.of_module(number_of(owner[1]), name))
            elif owner[0] in CALLABLES:
                number = number_of(owner[1])
                found.append(stores.of_function(number, name) if owner[0] == FUNCTION else ())
            else:
                found.append(stores.of_external(owner, name, rules=unit.rules))
        return self._are_same(*found)

    def _pair(self, one: ProgramVersion, value: Value) -> tuple[Value, Value]:
        """Return a value in both programs; raise KeyError where one does not have it."""
        if one is self._old:
            return value, self._renumbering.value(value)
        if value[0] not in CALLABLES:  # its key is no number of a definition
            return value, value
        before = self._renumbering.before(number_of(value[1]))
        if not before:
            raise KeyError(value)
        return (value[0], before[0], value[2]), value

    def _gives_same(self, number: int, name: str) -> bool:
        """Return whether an attribute has the same stored values on a class, by old number, and on
        all its subclasses.
        """
        if number == ANYTHING:
            return False
        place = number, name
        if place not in self._known:
            below = self._old.linker.evaluator.hierarchy.inside(number)
            self._known[place] = len(below) <= MOST_COMPARED_CLASSES and all(
                self._is_set_alike(one, name) for one in (number, *below)
            )
        return self._known[place]

    def _is_set_alike(self, number: int, name: str) -> bool:
        """Return whether an attribute of one class is set to the same values in both programs."""
        if not self._renumbering.is_left(number):
            return False
        old = _stores(self._old).stored_outside(number, name)
        new = _stores(self._new).stored_outside(self._renumbering.number(number), name)
        return old.is_past_methods == new.is_past_methods and all(
            map(self._are_same, old.values, new.values)
        )


def _stores(one: ProgramVersion) -> FieldStores:
    return one.linker.evaluator.field_stores
