"""What an expression may give: values followed through names, attributes and calls.

Demand-driven and flow-insensitive: a name may hold whatever any of its bindings gives it. Sets of
values are bounded by `MOST_VALUES`.
"""

from collections.abc import Hashable, Iterable

from mu.model.facts import Binding, BindingKind, Flag, Op
from mu.model.kinds import Rule
from mu.resolve.annotations import Annotations
from mu.resolve.members import Members
from mu.resolve.names import Names
from mu.resolve.program import Name, Program, Unit
from mu.resolve.rules import Receiver
from mu.resolve.search import Search
from mu.resolve.values import (
    Symbol,
    SymbolKind,
    Symbols,
    Value,
    ValueKind,
    Values,
    number_of,
    place_of,
)

MOST_VALUES = 16

NOTHING = "none"  # the literal that stands for the absence of a value
_NAME, _ATTRIBUTE, _CALL = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.CALL)
_ASYNC, _GENERATOR = int(Flag.ASYNC), int(Flag.GENERATOR)

_CHAINED = frozenset(map(int, (Op.ATTRIBUTE, Op.CALL, Op.INDEX, Op.AWAIT)))
DEEPEST_CHAIN = 40

_FROM_SYMBOL = {
    SymbolKind.MODULE: ValueKind.MODULE,
    SymbolKind.NAMESPACE: ValueKind.NAMESPACE,
    SymbolKind.EXTERNAL: ValueKind.EXTERNAL,
}


class Evaluator:
    """Answers what an expression row of a file names (`symbols`) and may give (`values`)."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._search = Search()
        self.names = Names(program, self._search)
        self.members = Members(program, self.names, self._search, self.values)
        self._annotations = Annotations(self)
        self._given: dict[Hashable, Values] = {}
        self._depth = 0

    @property
    def limited(self) -> int:
        """How many answers a bound cut short."""
        return self._search.limited

    def values(self, unit: Unit, number: int) -> Values:
        """What expression `number` may give when the program runs."""
        known = unit.values.get(number)
        if known is not None:
            return known
        if self._depth > DEEPEST_CHAIN:
            return self._from_below(unit, number)
        unsettled = self._search.unsettled
        self._depth += 1
        found = self._evaluate(unit, number)
        self._depth -= 1
        if self._search.unsettled == unsettled:
            unit.values[number] = found
        return found

    def symbols(self, unit: Unit, number: int) -> Symbols:
        """What expression `number`, a name or an attribute, names; empty for any other."""
        op, text, base, _ = unit.expressions[number]
        if op == _NAME:
            return self.names.find(unit, base, text)
        if op != _ATTRIBUTE:
            return ()
        values = self.values(unit, base)
        if len(values) == 1:
            return self.members.of(unit, values[0], text)
        found = [s for value in values for s in self.members.of(unit, value, text)]
        return tuple(dict.fromkeys(found))

    def meant(self, symbol: Symbol) -> Values:
        """What a symbol may hold."""
        kind, key, rule = symbol
        if kind == SymbolKind.DEFINITION:
            row = self._program.definitions[number_of(key)]
            is_class = row.kind == "class"
            return ((ValueKind.CLASS if is_class else ValueKind.FUNCTION, key, rule),)
        if kind in (SymbolKind.VARIABLE, SymbolKind.LOCAL):
            return self._search.solve(self._given, key, key, lambda: self._held(symbol))
        value_kind = _FROM_SYMBOL.get(kind)
        return () if value_kind is None else ((value_kind, key, rule),)

    def returned(self, number: int, *, is_awaited: bool) -> Values:
        """What calling a function gives: as declared, else what it returns."""
        row = self._program.definitions[number]
        if bool(row.flags & _ASYNC) != is_awaited:
            return ()
        return self._search.solve(
            self._given, number, ("returns", number), lambda: self._returned(number)
        )

    def called(self, unit: Unit, values: Values, *, is_awaited: bool = False) -> Values:
        """What calling each of `values` in the file of `unit` gives."""
        found: list[Value] = []
        for kind, key, rule in values:
            if kind == ValueKind.CLASS:
                how = rule if rule == Rule.SELF else Rule.INFERRED
                found.append((ValueKind.INSTANCE, key, how))
            elif kind == ValueKind.FUNCTION:
                found += self.returned(number_of(key), is_awaited=is_awaited)
            elif kind == ValueKind.EXTERNAL:
                found += _called_outside(unit, str(key))
            elif kind == ValueKind.INSTANCE:
                found += self._called_instance((kind, key, rule), is_awaited=is_awaited)
        return bounded(found)

    def _from_below(self, unit: Unit, number: int) -> Values:
        """The same for a long chain: what it stands on first, so that the stack stays short."""
        chain = [number]
        while unit.expressions[chain[-1]][0] in _CHAINED:
            base = unit.expressions[chain[-1]][2]
            if base in unit.values:
                break
            chain.append(base)
        depth, self._depth = self._depth, 0
        for part in reversed(chain):
            found = self.values(unit, part)
            unit.values[part] = found
        self._depth = depth
        return found

    def _evaluate(self, unit: Unit, number: int) -> Values:
        op, text, base, args = unit.expressions[number]
        if op == _NAME:
            received = unit.receivers.get((base, text))
            if received is not None:
                return self._received(unit, base, text)
            symbols = self.names.find(unit, base, text)
            if len(symbols) == 1:
                return self.meant(symbols[0])
            return bounded([value for symbol in symbols for value in self.meant(symbol)])
        if op == _ATTRIBUTE:
            return self._attribute(unit, number)
        if op == _CALL:
            return self._call(unit, base, args, is_awaited=False)
        if op == Op.AWAIT:
            inner, _, function, arguments = unit.expressions[base]
            if inner == Op.CALL:
                return self._call(unit, function, arguments, is_awaited=True)
            return ()
        if op in (Op.LITERAL, Op.COLLECTION):
            if text == NOTHING:
                return ()
            dotted = unit.rules.literal_type(text)
            return ((ValueKind.EXTERNAL_INSTANCE, dotted, Rule.INFERRED),)
        if op == Op.STRING:
            dotted = unit.rules.literal_type("str")
            return ((ValueKind.EXTERNAL_INSTANCE, dotted, Rule.INFERRED),)
        return self._evaluate_rare(unit, number)

    def _evaluate_rare(self, unit: Unit, number: int) -> Values:
        op, text, base, args = unit.expressions[number]
        if op == Op.UNION:
            return bounded(value for arg in args for value in self.values(unit, arg))
        if op == Op.FUNCTION:
            return ((ValueKind.FUNCTION, unit.first + base, Rule.LOCAL),)
        if op == Op.INDEX:
            kept = (ValueKind.CLASS,)
            return tuple(value for value in self.values(unit, base) if value[0] in kept)
        if op == Op.ENTERED:
            return self._entered(unit, base)
        if op == Op.CAUGHT:
            return self._caught(unit, base)
        if op == Op.ITEM:
            return self._item(unit, text, base)
        return ()

    def _attribute(self, unit: Unit, number: int) -> Values:
        found: list[Value] = []
        for symbol in self.symbols(unit, number):
            kind, key, _ = symbol
            if kind == SymbolKind.DEFINITION and self._is_property(number_of(key)):
                found += self.returned(number_of(key), is_awaited=False)
            else:
                found += self.meant(symbol)
        return bounded(found)

    def _is_property(self, number: int) -> bool:
        row = self._program.definitions[number]
        return bool(row.decorators) and self._program.unit_of[number].rules.is_property(row)

    def _call(
        self, unit: Unit, function: int, args: tuple[int, ...], *, is_awaited: bool
    ) -> Values:
        values = self.values(unit, function)
        special = self._special_call(unit, function, values, args)
        if special is not None:
            return special
        return self.called(unit, values, is_awaited=is_awaited)

    def _special_call(
        self, unit: Unit, function: int, values: Values, args: tuple[int, ...]
    ) -> Values | None:
        """The calls whose meaning is the language's own: `super()`, `type(x)`; None for any other."""
        if len(values) != 1 or values[0][0] != ValueKind.EXTERNAL:
            return None
        dotted = str(values[0][1])
        if unit.rules.is_super(dotted):
            _, _, scope, _ = unit.expressions[function]
            owner = unit.enclosing_class(scope)
            return ((ValueKind.SUPER, unit.first + owner, Rule.SUPER),) if owner >= 0 else ()
        if unit.rules.is_transparent(dotted) and args:
            return self.values(unit, args[0])
        if unit.rules.is_type_of(dotted) and len(args) == 1:
            return tuple(
                (ValueKind.CLASS, key, rule)
                for kind, key, rule in self.values(unit, args[0])
                if kind == ValueKind.INSTANCE
            )
        return None

    def _called_instance(self, value: Value, *, is_awaited: bool) -> Values:
        unit = self._program.unit_of[number_of(value[1])]
        method = unit.rules.call_method
        symbols = self.members.of_class(value, method) if method else ()
        return tuple(
            result
            for kind, key, _ in symbols
            if kind == SymbolKind.DEFINITION
            for result in self.returned(number_of(key), is_awaited=is_awaited)
        )

    def _entered(self, unit: Unit, manager: int) -> Values:
        found: list[Value] = []
        for value in self.values(unit, manager):
            if value[0] != ValueKind.INSTANCE:
                continue
            for kind, key, _ in self.members.of_class(value, unit.rules.enter_method):
                if kind == SymbolKind.DEFINITION:
                    found += self.returned(number_of(key), is_awaited=False)
        return bounded(found)

    def _caught(self, unit: Unit, classes: int) -> Values:
        op, _, _, args = unit.expressions[classes]
        each = args if op == Op.COLLECTION else (classes,)
        return self.called(unit, bounded(v for arg in each for v in self.values(unit, arg)))

    def _item(self, unit: Unit, place: str, whole: int) -> Values:
        """A part of what is unpacked, where the parts stand in the text."""
        op, _, _, args = unit.expressions[whole]
        is_plain = op == Op.COLLECTION and place != "*"
        if not is_plain or any(unit.expressions[arg][0] == Op.SPREAD for arg in args):
            return ()
        index = int(place)
        return self.values(unit, args[index]) if -len(args) <= index < len(args) else ()

    def _returned(self, number: int) -> Values:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if row.returns:
            return _as(Rule.RETURNED, self._annotations.declared(unit, row.returns, row.body))
        if row.flags & _GENERATOR:
            return ()
        return _as(
            Rule.RETURNED, bounded(v for given in row.returned for v in self.values(unit, given))
        )

    def _held(self, symbol: Symbol) -> Values:
        """What a variable may hold: what it is declared to, else what it is bound to."""
        kind, key, _ = symbol
        file, scope, name = place_of(key)
        unit = self._program.units[file]
        found: list[Value] = []
        if kind == SymbolKind.LOCAL:
            found += self._received(unit, scope, name)
        entries = self._entries(unit, scope, name)
        bindings = [binding for entry in entries for binding in entry.bindings]
        declared = [b for b in bindings if b.kind == BindingKind.DECLARED]
        for binding in declared:
            found += self._annotations.declared(unit, binding.value, scope)
        if not found:
            for binding in bindings:
                if binding.kind == BindingKind.VALUE and binding.value:
                    found += _as(Rule.INFERRED, self._bound(unit, binding))
        return bounded(found)

    def _entries(self, unit: Unit, scope: int, name: str) -> list[Name]:
        """Where a variable is bound: in its scope and, for a class, by its methods."""
        entries = [unit.names.get((scope, name))]
        definition = unit.facts.scopes[scope].definition
        if definition in unit.fields:
            entries.append(unit.fields[definition].get(name))
        return [entry for entry in entries if entry is not None]

    def _bound(self, unit: Unit, binding: Binding) -> Values:
        return self.values(unit, binding.value)

    def _received(self, unit: Unit, scope: int, name: str) -> Values:
        found = unit.receivers.get((scope, name))
        if found is None:
            return ()
        kind = ValueKind.INSTANCE if found[1] == Receiver.INSTANCE else ValueKind.CLASS
        return ((kind, unit.first + found[0], Rule.SELF),)


def _called_outside(unit: Unit, dotted: str) -> Values:
    if unit.rules.is_class_name(dotted):
        return ((ValueKind.EXTERNAL_INSTANCE, dotted, Rule.INFERRED),)
    return ()


def bounded(values: Iterable[Value]) -> Values:
    """Each value once, by kind and key, at most `MOST_VALUES` of them."""
    listed = tuple(values)
    if len(listed) < 2:
        return listed
    found: dict[tuple[ValueKind, object], Value] = {}
    for value in listed:
        found.setdefault(value[:2], value)
    return tuple(found.values())[:MOST_VALUES]


def _as(rule: Rule, values: Iterable[Value]) -> Values:
    """The same values, reached by `rule`, unless by their own class's receiver."""
    return tuple((kind, key, rule) for kind, key, _ in values)
