"""Attribute loads: the value of `x.name` for each receiver."""

from functools import partial

from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLES,
    CLASS,
    CLASSES,
    DEFINITION,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    INSTANCES,
    OF_CLASS,
    RECEIVERS,
    SELF,
    SELF_CLASS,
    VARIABLE,
    Symbol,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    number_of,
    place_of,
)
from mu.resolve.limits import MOST_SUBCLASSES
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow


class AttributeLoads:
    """Computes the points-to set of an attribute of modules, classes, instances and functions."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._known: dict[tuple[Value, str], Values] = {}  # for values in `OF_CLASS`

    def attribute(self, unit: FileSymbols, base: int, *, name: str, of: Values) -> Values:
        """Return the values of the attribute `name` of expression `base`, whose values are `of`."""
        if name == unit.members.class_attribute:
            return self.classes(unit, base)
        if name in unit.members.class_words:
            return _by_word(unit, name, of)
        if unit.members.prototypes is not None and name == unit.members.prototypes.attribute:
            made = self._flow.object_literals.made(unit, of)
            if made:
                return made
        if len(of) == 1 and of[0][0] not in OF_CLASS:
            symbols = self._flow.members.of(unit, of[0], name=name)
            if len(symbols) == 1 and symbols[0][0] == EXTERNAL:  # a third of all
                return self._flow.field_stores.of_external(of[0], name, rules=unit.rules) or symbols
        if len(of) < 2:
            return bounded(self.read(unit, of[0], name=name)) if of else ()
        of = self._flow.declared_types.without_structural(
            self._flow.functional_interfaces.called_by(unit, of, name=name)
        )
        return self._flow.declared_types.given(of, partial(self.read, unit, name=name))

    def read(self, unit: FileSymbols, value: Value, *, name: str) -> Values:
        """Return the values of the attribute `name` of a value.

        Answers that do not depend on the file are cached.
        """
        if value[0] not in OF_CLASS:
            return self._find(unit, value, name)
        place = value, name
        known = self._known.get(place)
        if known is None:
            solver = self._flow.solver
            unsettled = solver.unsettled
            known = self._find(unit, value, name)
            if solver.unsettled == unsettled:
                self._known[place] = known = solver.shared(known, known)
        return known

    def _find(self, unit: FileSymbols, value: Value, name: str) -> Values:
        found: list[Value] = []
        symbols = self._flow.members.of(unit, value, name=name)
        if not symbols and value[0] in CALLABLES:
            return self._flow.field_stores.of_function(number_of(value[1]), name)
        if not symbols and value[0] in OF_CLASS and class_of(value) >= 0:
            return self._set_elsewhere(value, name)
        if len(symbols) == 1 and symbols[0][0] == EXTERNAL and value[0] in OF_CLASS:
            return self._flow.field_stores.of_external(value, name, rules=unit.rules) or symbols
        for symbol in symbols:
            number = self.getter(symbol)
            if number >= 0:
                found += self._flow.call_results.result(number, receiver=value)
            elif symbol[0] == VARIABLE and value[0] in OF_CLASS:
                implicit = self._program.unit_of[class_of(value)].implicit
                given = self._flow.descriptors.given(symbol, value, method=implicit.get_method)
                if given is not None:
                    found += given
                    continue
                found += self._flow.call_results.as_seen(
                    self._flow.meant(symbol), value, place=place_of(symbol[1])
                )
                found += self._held_below(value, name)
            else:
                found += self._flow.meant(symbol)
                if symbol[0] == DEFINITION:
                    found += self._described(symbol, value)
                    found += self._flow.field_stores.in_place_of(value, name, method=symbol)
        return tuple(found)

    def _described(self, symbol: Symbol, holder: Value) -> Values:
        """Return the results of the descriptor by which a decorator replaces a method.

        If results of the method itself are among them, only these count.
        """
        number = number_of(symbol[1])
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        described = holder[0] in INSTANCES and row.decorators and unit.implicit.get_method
        if not described:
            return ()
        descriptors, result = self._flow.descriptors, self._flow.call_results.result
        found: list[Value] = []
        for value, method in descriptors.of(symbol, unit.implicit.get_method):
            found += result(method, receiver=value)
        own = {value[:2] for value in result(number, receiver=holder)} if found else set()
        return tuple([value for value in found if value[:2] in own]) or tuple(found)

    def _set_elsewhere(self, value: Value, name: str) -> Values:
        """Return the values of an attribute that the class of a value does not define.

        They are stored outside the class, else returned by its fallback method, else (for a
        receiver) defined in subclasses.
        """
        number = class_of(value)
        found = list(self._flow.field_stores.of(number, name))
        if not found and not self._flow.field_stores.is_set(number, name):
            members = self._program.unit_of[number].members
            method = self._flow.descriptors.method(
                self._flow.members.of_metaclass(value), members.fallback_member
            )
            found = (
                list(self._flow.call_results.result(method, receiver=value)) if method >= 0 else []
            )
        if value[0] in RECEIVERS and not found:
            for below in self._flow.hierarchy.descendants(number)[:MOST_SUBCLASSES]:
                for symbol in self._flow.members.of_class((INSTANCE, below, Rule.INFERRED), name):
                    found += self._flow.meant(symbol)
        return bounded(found)

    def _held_below(self, value: Value, name: str) -> Values:
        """Return the values that subclasses of the receiver's class bind to an attribute."""
        if value[0] not in RECEIVERS:
            return ()
        found: list[Value] = []
        for below in self._flow.hierarchy.holding(class_of(value), name):
            unit, body = self._program.unit_of[below], self._program.definitions[below].body
            found += self._flow.points_to.held((unit.key, body, name))
        return by_rule(Rule.VIRTUAL, bounded(found))

    def getter(self, symbol: Symbol) -> int:
        """Return the function that runs when a symbol is read; -1 if none does."""
        kind, key, _ = symbol
        if kind != DEFINITION:
            return -1
        number = number_of(key)
        row = self._program.definitions[number]
        is_property = (row.decorators or row.subkind) and self._program.unit_of[
            number
        ].members.is_property(row)
        return number if is_property else -1

    def components(self, unit: FileSymbols, function: int) -> bool:
        """Return whether all callees are record components, which a call only reads."""
        symbols = self._flow.symbols(unit, function)
        return bool(symbols) and all(map(self.is_component, symbols))

    def is_component(self, symbol: Symbol) -> bool:
        """Return whether a symbol is a component that the head of its class lists."""
        if symbol[0] != VARIABLE:
            return False
        file, scope, name = place_of(symbol[1])
        owner = self._program.unit(file).owner(scope)
        rows = self._program.definitions[owner].parameters if owner >= 0 else ()
        return any(row.name == name for row in rows)

    def classes(self, unit: FileSymbols, number: int) -> Values:
        """Return the classes of an expression's instances."""
        return tuple(
            _class_of_instance(value)
            for value in self._flow.values(unit, number)
            if value[0] in INSTANCES and class_of(value) >= 0
        )


def _class_of_instance(value: Value) -> Value:
    kind, _, rule = value
    if kind == SELF:
        return SELF_CLASS, class_of(value), rule
    return CLASS, class_of(value), Rule.TYPED if kind == INSTANCE_OF_SUBTYPE else rule


def _by_word(unit: FileSymbols, name: str, values: Values) -> Values:
    """Return the value of a keyword behind a class: its constructor, or the enclosing instance."""
    classes = tuple([value for value in values if value[0] in CLASSES])
    if name == unit.members.constructor_reference:
        return tuple([(FUNCTION, class_of(value), value[2]) for value in classes])
    return tuple([(SELF, class_of(value), Rule.SELF) for value in classes])
