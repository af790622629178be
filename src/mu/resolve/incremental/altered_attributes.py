"""Attributes that code outside a class sets otherwise, and the functions that may read them.

Where one is set more, or less, it may give what it gave: then its readers stay as they are.
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
"""Tells whether values are the same in the two programs."""


class AlteredAttributes:
    """Compares what attributes are set to in the programs before and after a change."""

    def __init__(
        self,
        old: ProgramVersion,
        new: ProgramVersion,
        change: tuple[Mapping[int, FileDifference], Renumbering],
        *,
        parts: LinkedParts,
        are_same: _AreSame,
    ) -> None:
        """`change` is what others can see of the changes, by file, and the numbers in the new
        program; `parts` are the functions that are linked.
        """
        self._old, self._new = old, new
        self._differences, self._renumbering = change
        self._parts = parts
        self._are_same = are_same
        self._known: dict[tuple[int, str], bool] = {}  # of classes, by old number

    def set_otherwise(self) -> Stored:
        """The classes of what attributes are set of otherwise, by name: by other text, or of
        parameters that are passed something else.
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

    def told_apart(self, needs: Iterable[ParameterKey]) -> Stored:
        """The attributes that are set to some parameters of constructors, with their classes."""
        found: Stored = {}
        for number, place in needs:
            unit, row = self._new.program.unit_of[number], self._new.program.definitions[number]
            owner = class_around(unit, row.scope)
            own = (_NAME, row.parameters[place].name, row.body)
            for name, entry in unit.fields.get(owner, {}).items():
                if any(unit.expressions[one.value][:3] == own for one in entry.bindings):
                    found.setdefault(name, set()).update(
                        self._renumbering.before(unit.first + owner)
                    )
        return found

    def set_in_modules(self) -> dict[int, set[str]]:
        """The names of what the text of changed files sets otherwise in modules, by their files."""
        found: dict[int, set[str]] = {}
        for key, difference in self._differences.items():
            for is_new, store in difference.stores:
                for module in (self._new if is_new else self._old).modules_of(key, store.base):
                    found.setdefault(module, set()).add(store.name)
        return found

    def readers(self, stored: Stored, *, apart: Stored, uses: NameUses) -> Functions:
        """The functions that may read attributes which give something else: of instances of the
        classes that these are set of, of those above and below, or where nothing tells of what.

        Those that are `stored` otherwise may give what they gave; those that are told `apart`
        otherwise do not.
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
        """The functions that may read an attribute that is set otherwise."""
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
        told = uses.taking({name}) | uses.beginning({name})
        found = parts.naming({name}, (near | bare) & told)
        for key in (near | bare) - told:
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
        """What the text of changed files sets, where it differs from what the other text does."""
        for key, difference in self._differences.items():
            for is_new, store in difference.stores:
                one = self._new if is_new else self._old
                yield one, one.program.units[key], store

    def _of_parameters(self) -> Iterator[tuple[ProgramVersion, FileSymbols, FieldStore]]:
        """Stores to attributes of parameters whose arguments differ in the two programs."""
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
        """The classes of the objects that a store sets an attribute of; anything where it reads the
        attribute itself, which concerns all that is set outside the repository.
        """
        is_read = unit.file.category != Category.TEST and reads(unit, store.value, name=store.name)
        return {ANYTHING} if is_read else self._set_of(one, unit, store)

    def _set_of(self, one: ProgramVersion, unit: FileSymbols, store: FieldStore) -> set[int]:
        """The classes, by their old numbers, of what an attribute is set of."""
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
        """All that sets attributes of a name, where that is so much that one program alone follows
        it.
        """
        old, new = (_stores(one).bounds_of(name, rules) for one in self._both)
        for one in self._both if old != new else ():
            for unit, base, value in _stores(one).places(name, rules):
                yield one, unit, FieldStore(name, base, value, 0)

    @property
    def _both(self) -> tuple[ProgramVersion, ProgramVersion]:
        return self._old, self._new

    def _holds_same(self, one: ProgramVersion, unit: FileSymbols, value: Value, name: str) -> bool:
        """Tell whether an attribute of what is no instance of a class gives the same."""
        try:
            pair = self._pair(one, value)
        except KeyError:  # it is in one program alone
            return False
        found = []
        for version, holder in zip(self._both, pair, strict=True):
            stores = _stores(version)
            if holder[0] == MODULE:
                found.append(stores.of_module(number_of(holder[1]), name))
            elif holder[0] in CALLABLES:
                number = number_of(holder[1])
                found.append(stores.of_function(number, name) if holder[0] == FUNCTION else ())
            else:
                found.append(stores.of_external(holder, name, rules=unit.rules))
        return self._are_same(*found)

    def _pair(self, one: ProgramVersion, value: Value) -> tuple[Value, Value]:
        """A value in the old program and in the new one."""
        if one is self._old:
            return value, self._renumbering.value(value)
        if value[0] not in CALLABLES:  # its key is no number of a definition
            return value, value
        before = self._renumbering.before(number_of(value[1]))
        if not before:
            raise KeyError(value)
        return (value[0], before[0], value[2]), value

    def _gives_same(self, number: int, name: str) -> bool:
        """Tell whether an attribute that is set of instances of a class, by its old number, gives
        the same for all that have it by that.
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
        """Tell whether instances of a class have an attribute set to the same in both programs."""
        if not self._renumbering.is_left(number):
            return False
        old = _stores(self._old).told(number, name)
        new = _stores(self._new).told(self._renumbering.number(number), name)
        return old.is_past_methods == new.is_past_methods and all(
            map(self._are_same, old.values, new.values)
        )


def _stores(one: ProgramVersion) -> FieldStores:
    return one.linker.evaluator.field_stores
