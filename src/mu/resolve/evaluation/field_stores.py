"""Field stores outside the class: `app.clock = Clock()`.

Code does not set attributes of another language's objects, so only files of the class's language
are read.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from mu.model.facts import Op, ScopeKind
from mu.model.kinds import Category, Rule
from mu.resolve.abstract_values import (
    CALLABLES,
    CLASSES,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    MODULE,
    WRAPPER,
    Symbol,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    number_of,
)
from mu.resolve.limits import MOST_FIELD_STORES
from mu.resolve.program.attribute_stores import (
    ON_IMPORT,
    PAST_METHODS,
    PLACE,
    FieldStore,
    stores_in,
)
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import FieldKey
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.solver.flow import Flow

_CALL, _KEYWORD, _NAME, _STRING = map(int, (Op.CALL, Op.KEYWORD, Op.NAME, Op.STRING))
_FUNCTION, _ATTRIBUTE = int(Op.FUNCTION), int(Op.ATTRIBUTE)

_IN_FUNCTION = int(ScopeKind.FUNCTION)
_OF_CLASSES = INSTANCES | CLASSES

_Place = tuple[FileSymbols, int, int]
"""A file, the row of the receiver of a store, and the row of the value."""

_Stored = tuple[_Place, str]
"""A place, and how it sets the attribute (`FieldStore.how`)."""


class StoredOutside(NamedTuple):
    """The values that code outside a class stores in an attribute of its instances.

    `values` are those of all files, those of files without tests, and those stored on the class
    itself, outside tests. `is_past_methods`: some stores bypass the methods of the class.
    """

    values: tuple[Values, Values, Values]
    is_past_methods: bool


class FieldStores:
    """Finds the values that code outside a class stores in fields of its instances."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._stores: dict[int, dict[str, list[_Stored]]] = {}  # of files, by key
        self._setting: Mapping[str, Sequence[int]] | None = None  # files by the attributes they set
        self._files: dict[tuple[str, LanguageRules], list[int]] = {}  # the same, of one language
        self._places: dict[tuple[str, LanguageRules, str | None], list[_Place]] = {}
        self._external: dict[tuple[str, LanguageRules], Sequence[_Place]] = {}
        self._found: dict[tuple[int, str, bool], Values] = {}
        self._set: dict[tuple[int, object, str], Values] = {}  # by kind, key, attribute
        self._wrappers: dict[int, frozenset[int]] = {}  # by class

    def of(self, number: int, name: str, *, but_tests: bool = False) -> Values:
        """Return the values that code elsewhere stores in an attribute of a class's instances.

        Tests often replace what the class sets itself: `but_tests` leaves their stores out.
        """
        unit = self._program.unit_of[number]
        if unit.prototypes is not None and self._program.is_library(number):
            return ()  # any object can be given members: one list's are not another's
        if len(self._files_of(name, unit.rules)) > MOST_FIELD_STORES:
            return ()
        places = self._places_of(name, unit.rules)
        if FieldKey.PLACE in unit.calls.literal_fields:
            places = [*places, *self._listed(unit, number, name)]
        if not places:
            return ()
        place = (number, name, but_tests)
        known = self._found.get(place)
        if known is not None:
            return known
        if but_tests and unit.file.category != Category.TEST:
            places = _but_tests(places)
        key = ("outside", *place)
        found, is_final = self._flow.solver.solve(key, self._find, number, places)
        if is_final:
            self._found[place] = found
        return found

    def stored_outside(self, number: int, name: str) -> StoredOutside:
        """Return the values stored outside a class that its attribute `name` may depend on."""
        anywhere = self.of(number, name)
        but_tests = self.of(number, name, but_tests=True)
        on_class = self._put_on_class(number, name)
        return StoredOutside((anywhere, but_tests, on_class), self.is_set(number, name))

    def bounds_of(self, name: str, rules: LanguageRules) -> tuple[bool, ...]:
        """Return, for each set of stores to a name, whether it is too large to be followed."""
        counts = [len(self._files_of(name, rules)), self._count_but_tests(name, rules), 0, 0]
        if counts[0] > MOST_FIELD_STORES:
            counts[2:] = (
                len(self._places_of(name, rules, how)) for how in (ON_IMPORT, PAST_METHODS)
            )
        return tuple(count > MOST_FIELD_STORES for count in counts)

    def places(self, name: str, rules: LanguageRules) -> Sequence[tuple[FileSymbols, int, int]]:
        """Return (file, row of the receiver, row of the value) of a language's stores to a name."""
        return self._places_of(name, rules)

    def is_set(self, number: int, name: str) -> bool:
        """Return whether code sets an attribute of a class's instances past methods of the class.

        It does so by `object.__setattr__` or in `__dict__`.
        """
        places = self._places_of(name, self._program.unit_of[number].rules, PAST_METHODS)
        if len(places) > MOST_FIELD_STORES:
            return False
        return any(self._is_on(number, unit, base, INSTANCES) for unit, base, _ in places)

    def _listed(self, unit: FileSymbols, number: int, name: str) -> Sequence[_Place]:
        """Return where positional literals of a class set its field `name`."""
        row, names = self._program.definitions[number], self._listed_fields(number)
        if name not in names:
            return ()
        local = "" if row.name else f"{unit.key}:{number - unit.first}"
        places = self._places_of(f"{row.name}{local}{PLACE}{names.index(name)}", unit.rules)
        return () if len(places) > MOST_FIELD_STORES else places

    def _listed_fields(self, number: int) -> list[str]:
        """Return the fields of a class that its literals may set by position, in order."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        names = unit.names[row.body].items()
        # Bases have positions, too.
        return [] if row.bases else [own for own, one in names if one.bindings]

    def names_of(self, unit: FileSymbols, store: FieldStore) -> set[str]:
        """Return the names that a store sets.

        For a position in a literal, these are the fields at that position.
        """
        _, is_listed, place = store.name.rpartition(PLACE)
        if not is_listed:
            return {store.name}
        made = self._flow.values(unit, store.base)
        classes = [self._listed_fields(class_of(one)) for one in made if one[0] in CLASSES]
        return {names[int(place)] for names in classes if int(place) < len(names)}

    def of_function(self, number: int, name: str) -> Values:
        """Return the values that an attribute of a function is set to."""
        places = self._places_of(name, self._program.unit_of[number].rules)
        return self._set_on(FUNCTION, number, name, places) if places else ()

    def of_module(self, file: int, name: str) -> Values:
        """Return the values that other modules set a name of a module to."""
        places = self._places_of(name, self._program.unit(file).rules, ON_IMPORT)
        return self._set_on(MODULE, file, name, places) if places else ()

    def of_external(self, holder: Value, name: str, *, rules: LanguageRules) -> Values:
        """Return the repository's instances that code stores on an external object, tests left out.

        Such objects are `flask.g` or a `click.Context`. Functions are left out, and all values
        where one is made from the attribute itself, as in `app.run = Timed(app.run)`: its former
        value is read, too.
        """
        places = self._external_places(name, rules)
        if not places:
            return ()
        if holder[0] in _OF_CLASSES:
            found = self.of(class_of(holder), name, but_tests=True)
        else:
            found = self._set_on(holder[0], holder[1], name, places)
        return tuple([value for value in found if value[0] in INSTANCES])

    def in_place_of(self, holder: Value, name: str, *, method: Symbol) -> Values:
        """Return the functions by which code outside tests replaces a method of a class.

        A function stored on one instance says nothing of others.
        """
        if holder[0] not in INSTANCES:
            return ()
        given = self._put_on_class(class_of(holder), name)
        return tuple([v for v in given if v[0] in CALLABLES and v[1] != method[1]])

    def _put_on_class(self, number: int, name: str) -> Values:
        """Return the values that code outside tests stores in an attribute of a class itself."""
        places = _but_tests(self._places_of(name, self._program.unit_of[number].rules))
        if not places or len(places) > MOST_FIELD_STORES:
            return ()
        solve = self._flow.solver.solve
        return solve(("patched", number, name), self._find, number, places, CLASSES)[0]

    def _set_on(self, kind: int, key: object, name: str, places: Sequence[_Place]) -> Values:
        """Return the values of an attribute of an object that is no instance of a class here."""
        if len(places) > MOST_FIELD_STORES:
            return ()
        thing = (kind, key, name)
        known = self._set.get(thing)
        if known is not None:
            return known
        asked = ("set", *thing)
        found, is_final = self._flow.solver.solve(asked, self._find_set, kind, key, places)
        if is_final:
            self._set[thing] = found
        return found

    def _find_set(self, kind: int, key: object, places: Sequence[_Place]) -> Values:
        found: list[Value] = []
        for unit, base, value in places:
            if any(v[0] == kind and v[1] == key for v in self._flow.values(unit, base)):
                found += self._flow.values(unit, value)
        return by_rule(Rule.INFERRED, bounded(found))

    def _find(
        self,
        number: int,
        places: Sequence[_Place],
        holders: Set[int] = _OF_CLASSES,
    ) -> Values:
        found: list[Value] = []
        for unit, base, value in places:
            if self._is_on(number, unit, base, holders):
                found += self._flow.values(unit, value)
        return by_rule(Rule.INFERRED, bounded(found))

    def _is_on(self, number: int, unit: FileSymbols, base: int, holders: Set[int]) -> bool:
        """Return whether expression `base` may be a class or an instance of it.

        `holders` are the kinds of values that count. A class is also an instance of its metaclass,
        and the first parameter of a function by which a decorator replaces its methods is its
        instance.
        """
        members = self._flow.members
        for holder in self._flow.values(unit, base):
            owner = class_of(holder) if holder[0] in _OF_CLASSES else -1
            if owner < 0:
                continue
            if holder[0] in holders and (owner == number or owner in members.order(number)):
                return True
            if holder[0] in INSTANCES and not self._program.is_library(owner):
                metaclass = members.metaclass(number)
                if metaclass >= 0 and owner in members.order(metaclass):
                    return True
        taker = taking_first(unit, base) if INSTANCE in holders else -1
        return taker >= 0 and taker in self._wrappers_of(number)

    def _wrappers_of(self, number: int) -> frozenset[int]:
        """Return the functions by which decorators replace methods of a class and its ancestors.

        Each is called on an instance, whatever the number of classes.
        """
        known = self._wrappers.get(number)
        if known is None:
            unsettled = self._flow.solver.unsettled
            known = frozenset(
                number_of(key)
                for owner in self._flow.members.order(number)
                if isinstance(owner, int) and not self._program.is_library(owner)
                for method in self._decorated_in(owner)
                for kind, key, _ in self._flow.decorators.put_before(method)
                if kind == WRAPPER
            )
            if self._flow.solver.unsettled == unsettled:
                self._wrappers[number] = known
        return known

    def _decorated_in(self, number: int) -> Iterator[int]:
        """Yield the decorated methods in the body of a class that take a receiver."""
        unit, body = self._program.unit_of[number], self._program.definitions[number].body
        rows = unit.facts.definitions
        for entry in unit.names[body].values():
            for local in entry.definitions:
                row = rows[local]
                if row.decorators and row.kind == "function" and unit.takes_receiver(row):
                    yield unit.first + local

    def _places_of(
        self, name: str, rules: LanguageRules, how: str | None = None
    ) -> Sequence[_Place]:
        """Return where a language sets attributes of a name, in one way if `how` is given."""
        place = name, rules, how
        found = self._places.get(place)
        if found is None:
            files = dict.fromkeys(self._files_of(name, rules))
            stored = [one for key in files for one in self._stores_of(key)[name]]
            found = [one for one, way in stored if how is None or way == how]
            self._places[place] = found
        return found

    def _external_places(self, name: str, rules: LanguageRules) -> Sequence[_Place]:
        """Return the places outside tests that may set attributes of a name on external objects.

        There are none if they are too many, or if one stores what is made of the attribute itself.
        """
        place = name, rules
        found = self._external.get(place)
        if found is None:
            found = ()
            if self._count_but_tests(name, rules) <= MOST_FIELD_STORES:
                found = _but_tests(self._places_of(name, rules))
            if any(reads(unit, value, name=name) for unit, _, value in found):
                found = ()
            self._external[place] = found
        return found

    def _count_but_tests(self, name: str, rules: LanguageRules) -> int:
        """Return how many stores outside tests set attributes of a name."""
        files = self._program.files
        return sum(files[key].category != Category.TEST for key in self._files_of(name, rules))

    def _files_of(self, name: str, rules: LanguageRules) -> Sequence[int]:
        """Return the files of a language that set attributes of a name, once for each store."""
        found = self._files.get((name, rules))
        if found is None:
            if self._setting is None:
                self._setting = self._program.files_by(lambda outline: outline.stores)
            rules_of = self._program.rules_of
            found = [key for key in self._setting.get(name, ()) if rules_of(key) is rules]
            self._files[name, rules] = found
        return found

    def _stores_of(self, key: int) -> Mapping[str, Sequence[_Stored]]:
        """Return where a file sets attributes, by name."""
        stores = self._stores.get(key)
        if stores is None:
            stores = self._stores[key] = {}
            unit = self._program.units[key]
            for name, base, value, _, how in stores_in(unit):
                stores.setdefault(name, []).append(((unit, base, value), how))
        return stores


def reads(unit: FileSymbols, row: int, *, name: str) -> bool:
    """Return whether a row is a call with an attribute of this name as argument."""
    op, _, _, args = unit.expressions[row]
    return op == _CALL and any(unit.expressions[arg][:2] == (_ATTRIBUTE, name) for arg in args)


def taking_first(unit: FileSymbols, base: int) -> int:
    """Return the nested function whose first parameter a row names; -1 for any other row."""
    op, name, scope, _ = unit.expressions[base]
    if op != _NAME:
        return -1
    kind, parent, local, _, _ = unit.scopes[scope]
    if kind != _IN_FUNCTION or local < 0 or unit.scopes[parent][0] != _IN_FUNCTION:
        return -1
    rows = unit.facts.definitions[local].parameters
    return unit.first + local if rows and rows[0].name == name else -1


def _but_tests(places: Sequence[_Place]) -> Sequence[_Place]:
    return [one for one in places if one[0].file.category != Category.TEST]
