"""Member lookup on a receiver: through the MRO, modules and metaclasses."""

from collections.abc import Container
from typing import Protocol

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CLASS,
    CLASSES,
    DEFINITION,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    LAST_KIND,
    MISSING,
    MODULE,
    NAMESPACE,
    NESTED,
    OF_CLASS,
    SUPER,
    VARIABLE,
    Symbol,
    Symbols,
    Value,
    Values,
    class_of,
    member_outside,
    number_of,
)
from mu.resolve.lookup.defined_types import has_only_fields, without_methods
from mu.resolve.lookup.dynamic_bases import DynamicBases
from mu.resolve.lookup.member_choice import Found, choose
from mu.resolve.lookup.mro import Ancestor, linearise
from mu.resolve.lookup.name_lookup import NameLookup
from mu.resolve.program.file_symbols import CONSTANT, OBJECT, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import FunctionTypes
from mu.resolve.semantics.member_semantics import Inheritance
from mu.resolve.semantics.module_resolver import Target
from mu.resolve.solver.solver import Solver

_OUTSIDE = frozenset((EXTERNAL, EXTERNAL_INSTANCE))
_DIRECT = (Rule.SELF, Rule.MODULE, Rule.IMPORT, Rule.LOCAL)
_INHERITED = Rule.INHERITED
_SIDES = tuple(
    kind if kind == SUPER or kind in CLASSES else -1 for kind in range(LAST_KIND + 1)
)  # by kind of value, what members depend on in addition to the class


class CallEvaluator(Protocol):
    """The part of the evaluator that returns results of calls."""

    def result(self, number: int, *, receiver: Value | None = None) -> Values:
        """Return the result of a call of a function, on a receiver if there is one."""


class BaseEvaluator(Protocol):
    """The part of the evaluator that member lookup uses, for bases and smart pointers."""

    call_results: CallEvaluator

    def values(self, unit: FileSymbols, number: int) -> Values:
        """Return the values of expression `number` of a file."""


class MemberLookup:
    """Looks up members of modules, classes, instances and external values."""

    def __init__(
        self, program: Program, names: NameLookup, *, search: Solver, evaluator: BaseEvaluator
    ) -> None:
        self._program = program
        self._names = names
        self._search = search
        self._evaluator = evaluator
        self._orders: dict[int, tuple[Ancestor, ...]] = {}
        self._found: dict[int, dict[tuple[str, Rule, int], Symbols]] = {}  # by class
        self._further: dict[int, str | None] = {}
        self._bases: dict[int, tuple[Ancestor, ...]] = {}
        self._metaclasses: dict[int, int] = {}
        self._mixins = DynamicBases(program, evaluator)
        self._tables: dict[int, tuple[Container[str], Container[str]]] = {}
        self._pointers: dict[int, int] = {}

    def of(self, unit: FileSymbols, value: Value, *, name: str) -> Symbols:
        """Resolve `name` as an attribute of `value`."""
        kind, key, rule = value
        if kind in OF_CLASS:
            return self.of_class(value, name)
        if kind == EXTERNAL_INSTANCE:
            found = self._of_every_object(unit, name)
            if found:
                return found
        if kind in _OUTSIDE:
            if f"{str(key).rpartition('.')[2]}.{name}" in unit.modules.export_objects:
                return ((MODULE, unit.key, rule),)
            is_class = kind == EXTERNAL and unit.library.is_class_name(str(key))
            if is_class and unit.library.is_special(str(key)):
                return ()  # special to the language: its values may have any member
            return ((EXTERNAL, member_outside(key, name), rule),)
        if kind == MODULE:
            return self._of_module(unit, Target(file=number_of(key)), name)
        if kind == NAMESPACE:
            return self._of_module(unit, Target(namespace=str(key)), name)
        if kind == FUNCTION:
            return self._of_function(number_of(key), name, rule)
        return ()

    def _of_every_object(self, unit: FileSymbols, name: str) -> Symbols:
        """Return a variable that every object has, such as the dictionary of its attributes."""
        root = self._program.root_class(unit.rules)
        found = self.own(root, name, rule=Rule.INHERITED) if root >= 0 else ()
        return tuple(symbol for symbol in found if symbol[0] == VARIABLE)

    def of_class(self, value: Value, name: str) -> Symbols:
        """Return the member of a class, an instance or `super()` by the MRO: `find`, cached."""
        kind, key, rule = value
        number: int = key[0] if kind in NESTED else key  # type: ignore[index,assignment]
        place = (name, rule, _SIDES[kind])
        of_class = self._found.get(number)
        if of_class is None:
            of_class = self._found[number] = {}
        known = of_class.get(place)
        if known is None:
            unsettled = self._search.unsettled
            known = self.find(value, name)
            is_seen_through = kind in NESTED and self._pointers.get(number, -1) >= 0
            if self._search.unsettled == unsettled and not is_seen_through:
                of_class[place] = known = self._search.shared(known, known)
        return known

    def find(self, value: Value, name: str) -> Symbols:
        """Look up a member like `of_class`, without the cache: for lookups made once."""
        kind, _, rule = value
        number = class_of(value)
        if number < 0:  # the class is not known, as in `type[T]`
            return ()
        order = self.order(number)
        tables, added = self._tables, self._program.added
        unit = self._program.unit_of[number]
        members = unit.members
        if members.is_private_to_class(name):
            return self.own(number, name, rule=rule)
        if name in unit.modules.module_words:
            return self._names.around(number, name)
        further = _further(rule)
        is_beyond = False  # whether a class with unknown members came before
        asked = order[1:] if kind == SUPER else order
        apart = self.without_methods(number, order)
        for ancestor in asked:
            if isinstance(ancestor, int):
                if is_beyond and self._program.is_library(ancestor):
                    break
                table = tables.get(ancestor)
                if table is None:
                    table = tables[ancestor] = self._names_of(ancestor)
                if name not in table[0] and name not in table[1] and ancestor not in added:
                    continue
                found = self.own(ancestor, name, rule=rule if ancestor == number else further)
                if found and ancestor in apart:
                    found = tuple([symbol for symbol in found if symbol[0] != DEFINITION])
                if found:
                    at = Found(
                        found,
                        ancestor,
                        name,
                        asked,
                        further,
                        is_static=kind in CLASSES,
                        is_virtual=rule is Rule.VIRTUAL,
                    )
                    return choose(members.choice, at, program=self._program, own=self.own)
            elif ancestor is not None:
                is_beyond = is_beyond or not unit.types.is_generic_base(ancestor)
        if kind in CLASSES:
            found = self._of_metaclass(order, name, further, unit)
            if found:
                return found
        elif members.deref_method and name != members.deref_method:
            found = self._behind(value, name, members.deref_method)
            if found:
                return found
        for one in self._program.blankets.giving(number, name, order=order):
            found = self.of_class((INSTANCE, one, further), name)
            if found:
                return found
        return self._beyond(number, order, name, further)

    def without_methods(self, number: int, order: tuple[Ancestor, ...]) -> frozenset[int]:
        """Return the ancestors of a class, of which `order` is the MRO, that lend it no methods."""
        inheritance = self._program.unit_of[number].members.inheritance
        if len(order) < 2 or inheritance.makes_subtypes:
            return frozenset()
        return without_methods(self._program, order, bases_of=self.bases)

    def has_only_fields(self, number: int) -> bool:
        """Return whether a class has the fields of its base, but not the methods."""
        return has_only_fields(self._program, number, bases_of=self.bases)

    def _behind(self, value: Value, name: str, deref: str) -> Symbols:
        """Return the member of what the dereferencing method of an instance returns."""
        number = class_of(value)
        method = self._pointers.get(number)
        if method is None:
            unsettled = self._search.unsettled
            found = self.of_class((INSTANCE, number, Rule.INFERRED), deref)
            method = next((number_of(key) for kind, key, _ in found if kind == DEFINITION), -1)
            if self._search.unsettled == unsettled:
                self._pointers[number] = method
        key = ("behind", value, name)  # the result may be dereferenced, too, in cycles
        solve = self._search.solve
        return solve(key, self._find_behind, value, name, method)[0] if method >= 0 else ()

    def _find_behind(self, value: Value, name: str, method: int) -> Symbols:
        behind = self._evaluator.call_results.result(method, receiver=value)
        inner = [v for v in behind if v[0] in INSTANCES and class_of(v) != class_of(value)]
        return tuple([symbol for one in inner for symbol in self.of_class(one, name)])

    def _names_of(self, number: int) -> tuple[Container[str], Container[str]]:
        """Return the names that the body of a class binds, and those that its methods set."""
        unit, body = self._program.unit_of[number], self._program.definitions[number].body
        return unit.names[body], unit.fields.get(number - unit.first, ())

    def _of_metaclass(
        self, order: tuple[Ancestor, ...], name: str, rule: Rule, unit: FileSymbols
    ) -> Symbols:
        """Return the member of a metaclass: of the declared one, else of the language's."""
        metaclass = self._nearest_metaclass(order)
        if metaclass >= 0:
            return self.of_class((INSTANCE, metaclass, rule), name)
        root = self._program.library_class(unit.rules, unit.members.metaclass)
        return self.own(root, name, rule=rule) if root >= 0 else ()

    def metaclass(self, number: int) -> int:
        """Return the metaclass that a class or an ancestor declares; else -1."""
        known = self._metaclasses.get(number)
        if known is None:
            known = self._metaclasses[number] = self._nearest_metaclass(self.order(number))
        return known

    def of_metaclass(self, value: Value) -> Value:
        """Return a class as an instance of its declared metaclass; any other value unchanged."""
        number = self.metaclass(class_of(value)) if value[0] in CLASSES else -1
        return (INSTANCE, number, value[2]) if number >= 0 else value

    def _nearest_metaclass(self, order: tuple[Ancestor, ...]) -> int:
        found = (self._metaclass(one) for one in order if isinstance(one, int))
        return next((one for one in found if one >= 0), -1)

    def _metaclass(self, number: int) -> int:
        unit, definition = self._program.unit_of[number], self._program.definitions[number]
        for expression, _, keyword in definition.bases:
            if keyword and keyword == unit.members.metaclass_keyword:
                base = self._base(unit, expression)
                return base if isinstance(base, int) else -1
        return -1

    def order(self, number: int) -> tuple[Ancestor, ...]:
        """Return the MRO of a class: the class and its ancestors, in the order of lookup."""
        known = self._orders.get(number)
        if known is None:
            orders, unsettled = self._orders, self._search.unsettled
            final = len(orders)
            known = linearise(number, self.bases, known=orders)
            if self._search.unsettled != unsettled:  # a base may be a parameter, whose set grows
                while len(orders) > final:
                    orders.popitem()
        return known

    def bases(self, number: int) -> tuple[Ancestor, ...]:
        """Return the direct bases of a class, in the order they are written."""
        known = self._bases.get(number)
        if known is not None:
            return known
        blanket = self._program.blankets.base(number)
        if blanket >= 0:
            return (blanket,)
        found, is_final = self._search.solve(("bases", number), self._find_bases, number)
        if is_final:
            self._bases[number] = found
        return found

    def _find_bases(self, number: int) -> tuple[Ancestor, ...]:
        unit, definition = self._program.unit_of[number], self._program.definitions[number]
        found: list[Ancestor] = []
        for expression, _, keyword in definition.bases:
            if not keyword:
                handed = self._mixins.bases(unit, expression)
                if handed:
                    found += [number_of(key) for _, key, _ in handed if key != number]
                    continue
                base = self._base(unit, expression)
                if base == number and definition.subkind == OBJECT:
                    continue  # an object that is assigned its own members
                if base == number:  # `class Client(Client)`: the earlier one
                    base = self._replaced(unit, number)
                found.append(base)
        for holder, body in self._program.added.get(number, ()):
            given = holder.facts.definitions[holder.scopes[body].definition].bases[1:]
            found += (self._base(holder, expression) for expression, _, _ in given)
        found += self.merged(number)
        if definition.subkind == CONSTANT:
            found.append(unit.owner(definition.scope))
        implied = unit.members.implied_bases.get(definition.subkind)
        if implied is not None:
            found.append(self._program.library_class(unit.rules, implied))
        return tuple(dict.fromkeys([*found, *self._program.blankets.given(number, found)]))

    def merged(self, number: int) -> list[int]:
        """Return the earlier classes of the same name and scope that a class is merged with."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        entry, rows = unit.names[row.scope].get(row.name), unit.facts.definitions
        earlier = [one for one in (entry.definitions if entry else ()) if unit.first + one < number]
        merged = [one for one in earlier if unit.members.merges_with(row, rows[one])]
        return [unit.first + one for one in merged if rows[one].kind == "class"]

    def _base(self, unit: FileSymbols, expression: int) -> Ancestor:
        """Return the class that an expression names; the first of several."""
        op, _, base, _ = unit.expressions[expression]
        values = self._evaluator.values(unit, base if op == Op.INDEX else expression)
        if op == Op.COMPREHENSION:  # a type that is written with brackets
            return next((class_of(value) for value in values if value[0] in INSTANCES), None)
        for kind, key, _ in values:
            if kind == CLASS:
                return number_of(key)
        if unit.prototypes is not None and op != Op.INDEX:
            made = next((n for n in map(self.made_by, values) if n >= 0), -1)
            if made >= 0:
                return made
        for kind, key, _ in values:
            if kind == EXTERNAL:
                known = key == unit.members.metaclass  # special to the language, but it has a stub
                number = self._program.library_class(unit.rules, str(key)) if known else -1
                return number if number >= 0 else str(key)
        return None

    def made_by(self, value: Value) -> int:
        """Return the class of an instance, or of what `new` makes of a function; else -1."""
        kind, key, _ = value
        if kind in INSTANCES:
            return class_of(value)
        if kind != FUNCTION:
            return -1
        unit = self._program.unit_of[number_of(key)]
        made = {} if unit.prototypes is None else unit.prototypes.made
        local = made.get(number_of(key) - unit.first, -1)
        return unit.first + local if local >= 0 else -1

    def _replaced(self, unit: FileSymbols, number: int) -> Ancestor:
        for kind, key, _ in self._names.before(unit, number - unit.first):
            if kind == DEFINITION:
                return number_of(key)
            if kind == EXTERNAL:
                return str(key)
        return None

    def _of_function(self, number: int, name: str, rule: Rule) -> Symbols:
        """Return a member of a function: set on it, of its interface, or of the property class.

        The other members of functions are unknown.
        """
        unit = self._program.unit_of[number]
        row, words = self._program.definitions[number], unit.members.prototypes
        if unit.prototypes is not None and words is not None:
            own = unit.prototypes.own.get(number - unit.first, -1)
            found = self.of_class((INSTANCE, unit.first + own, rule), name) if own >= 0 else ()
            if found and (own := found[0][0]) in (DEFINITION, VARIABLE):
                return found
            if name in words.callers:
                return ((DEFINITION, number, rule),)
        if unit.calls.function_types is FunctionTypes.INTERFACE:
            return ((DEFINITION, number, rule),)  # the method of its interface, whatever its name
        if not ((row.decorators or row.subkind) and unit.members.is_property(row)):
            return ()
        dotted = unit.types.literal_type("property")
        known = self._program.library_class(unit.rules, dotted)
        if known >= 0:
            return self.of_class((INSTANCE, known, rule), name)
        return ((EXTERNAL, f"{dotted}.{name}", rule),)

    def _of_module(self, unit: FileSymbols, target: Target, name: str) -> Symbols:
        return tuple([s for s in self._names.of_target(unit, target, name=name) if s[0] != MISSING])

    def own(self, number: int, name: str, *, rule: Rule) -> Symbols:
        """Return what the body of a class, or its methods, bind to `name`."""
        unit, body = self._program.unit_of[number], self._program.definitions[number].body
        symbols = self._names.in_class(unit, name, body=body)
        if symbols is not None and not unit.members.namespaces.are_apart:
            if len(symbols) == 1:
                kind, key, _ = symbols[0]
                return ((kind, key, rule),)
            return tuple([(kind, key, rule) for kind, key, _ in symbols])
        found = list(symbols or ())
        for holder, added in self._program.added.get(number, ()):
            found += self._names.in_class(holder, name, body=added) or ()
        if found:
            return tuple([(kind, key, rule) for kind, key, _ in found])
        fields = unit.fields.get(number - unit.first)
        if fields is not None and name in fields:
            return ((VARIABLE, (unit.key, body, name), rule),)
        return ()

    def _beyond(self, number: int, order: tuple[Ancestor, ...], name: str, rule: Rule) -> Symbols:
        """Return a member that no class of known text in the MRO has; none if it is ambiguous.

        That is a derived one, one of the only ancestor with unknown members, or the root class's.
        """
        if number in self._further:
            further = self._further[number]
        else:
            unsettled = self._search.unsettled
            further = self._find_further(number, order)
            if self._search.unsettled == unsettled and self._orders.get(number) is order:
                self._further[number] = further
        unit = self._program.unit_of[number]
        root = self._program.root_class(unit.rules)
        found = self.own(root, name, rule=rule) if root >= 0 else ()
        implements = unit.members.inheritance is Inheritance.IMPLEMENTING
        is_derived = found and implements and not self._program.is_library(number)
        if further is None or is_derived:
            return found
        told = self._told_of_others(number)
        return told or (((EXTERNAL, f"{further}.{name}", rule),) if further else ())

    def _find_further(self, number: int, order: tuple[Ancestor, ...]) -> str | None:
        """Return the dotted name of the ancestor in an MRO whose members are not all known.

        Empty if there are several or one of which nothing is known, None if there is none.
        """
        if None in order:
            return ""
        if self._is_open(number):
            return self._program.dotted(number)
        types = self._program.unit_of[number].types
        outside = [ancestor for ancestor in order if isinstance(ancestor, str)]
        outside = [dotted for dotted in outside if not types.is_generic_base(dotted)]
        if outside:
            return outside[0] if len(outside) == 1 else ""
        known = (one for one in order if isinstance(one, int) and self._is_open(one))
        return next((self._program.dotted(one) for one in known), None)

    def _is_open(self, number: int) -> bool:
        """Return whether a library class may have members that its stub does not list."""
        return bool(self._fallback(number))

    def _told_of_others(self, number: int) -> Symbols:
        """Return the property by which a library class declares its unlisted members."""
        return tuple(
            [s for s in self._fallback(number) if s[0] == DEFINITION and self._is_property(s)]
        )

    def _fallback(self, number: int) -> Symbols:
        """Return the member of a library class that computes those its stub does not list."""
        name = self._program.unit_of[number].members.fallback_member
        is_asked = name and self._program.is_library(number)
        return self.own(number, name, rule=_INHERITED) if is_asked else ()

    def _is_property(self, symbol: Symbol) -> bool:
        number = number_of(symbol[1])
        return self._program.unit_of[number].members.is_property(self._program.definitions[number])


def _further(rule: Rule) -> Rule:
    """Return the rule for members of an ancestor, given that for members of the class itself."""
    return _INHERITED if rule in _DIRECT else rule
