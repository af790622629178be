"""What an expression may give: values followed through names, attributes and calls.

Demand-driven and flow-insensitive: a name may hold whatever any of its bindings gives it. Sets of
values are bounded by `MOST_VALUES`.
"""

from collections.abc import Hashable, Iterable
from weakref import proxy

from mu.model.facts import BindingKind, Expression, Flag, Op, ScopeKind
from mu.model.kinds import Rule
from mu.resolve.annotations import declared
from mu.resolve.members import Members
from mu.resolve.names import Names
from mu.resolve.program import Name, Program, Unit
from mu.resolve.search import Search
from mu.resolve.values import (
    CLASS,
    DEFINITION,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    LOCAL,
    MISSING,
    SUPER,
    VARIABLE,
    Symbol,
    Symbols,
    Value,
    Values,
    number_of,
    place_of,
)

MOST_VALUES = 16

NOTHING = "none"  # the literal that stands for the absence of a value
_NAME, _ATTRIBUTE, _CALL = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.CALL)
_STRING, _INDEX, _AWAIT = int(Op.STRING), int(Op.INDEX), int(Op.AWAIT)
_LITERALS = frozenset(map(int, (Op.LITERAL, Op.COLLECTION)))
_IN_FUNCTION = frozenset(map(int, (ScopeKind.FUNCTION, ScopeKind.BLOCK)))
_ASYNC, _GENERATOR = int(Flag.ASYNC), int(Flag.GENERATOR)
_VALUE, _DECLARED = int(BindingKind.VALUE), int(BindingKind.DECLARED)
_HOLDING = frozenset((LOCAL, VARIABLE))
_BY_SELF, _INFERRED, _RETURNED = Rule.SELF, Rule.INFERRED, Rule.RETURNED

_CHAINED = frozenset(map(int, (Op.ATTRIBUTE, Op.CALL, Op.INDEX, Op.AWAIT)))
DEEPEST_CHAIN = 40


class Evaluator:
    """Answers what an expression row of a file names (`symbols`) and may give (`values`)."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._search = Search()
        self.names = Names(program, self._search)
        # A plain reference back would keep all that linking made until the collector runs.
        self.members = Members(program, self.names, search=self._search, evaluator=proxy(self))
        self._held: dict[Hashable, Values] = {}
        self._returned: dict[int, Values] = {}
        self._depth = 0

    @property
    def limited(self) -> int:
        """How many answers a bound cut short."""
        return self._search.limited

    def values(self, unit: Unit, number: int) -> Values:
        """What expression `number` may give when the program runs."""
        known = unit.values[number]
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
        row = unit.expressions[number]
        op, text, base, _ = row
        if op == _NAME:
            return self.names.find(unit, row)
        if op != _ATTRIBUTE:
            return ()
        values = unit.values[base]
        if values is None:
            values = self.values(unit, base)
        if len(values) == 1:
            return self.members.of(unit, values[0], name=text)
        found = [s for value in values for s in self.members.of(unit, value, name=text)]
        return tuple(dict.fromkeys(found))

    def meant(self, symbol: Symbol) -> Values:
        """What a symbol may hold."""
        kind, key, rule = symbol
        if kind == DEFINITION:
            is_class = self._program.definitions[number_of(key)].kind == "class"
            return ((CLASS if is_class else FUNCTION, key, rule),)
        if kind in _HOLDING:
            known = self._held.get(key)
            if known is not None:
                return known
            found, is_final = self._search.solve(key, lambda: self._find_held(place_of(key)))
            if is_final:
                self._held[key] = found
            return found
        return () if kind == MISSING else (symbol,)

    def returned(self, number: int, *, is_awaited: bool) -> Values:
        """What calling a function gives: as declared, else what it returns."""
        if bool(self._program.definitions[number].flags & _ASYNC) != is_awaited:
            return ()
        known = self._returned.get(number)
        if known is not None:
            return known
        found, is_final = self._search.solve(
            ("returns", number), lambda: self._find_returned(number)
        )
        if is_final:
            self._returned[number] = found
        return found

    def called(self, unit: Unit, values: Values, *, is_awaited: bool = False) -> Values:
        """What calling each of `values` in the file of `unit` gives."""
        found: list[Value] = []
        for kind, key, rule in values:
            if kind == CLASS:
                how = rule if rule == _BY_SELF else _INFERRED
                found.append((INSTANCE, key, how))
            elif kind == FUNCTION:
                found += self.returned(number_of(key), is_awaited=is_awaited)
            elif kind == EXTERNAL:
                found += _called_outside(unit, str(key))
            elif kind == INSTANCE:
                found += self._called_instance((kind, key, rule), is_awaited=is_awaited)
        return bounded(found)

    def _from_below(self, unit: Unit, number: int) -> Values:
        """The same for a long chain: what it stands on first, so that the stack stays short."""
        chain = [number]
        while unit.expressions[chain[-1]][0] in _CHAINED:
            base = unit.expressions[chain[-1]][2]
            if unit.values[base] is not None:
                break
            chain.append(base)
        depth, self._depth = self._depth, 0
        for part in reversed(chain):
            found = self.values(unit, part)
            unit.values[part] = found
        self._depth = depth
        return found

    def _evaluate(self, unit: Unit, number: int) -> Values:
        row = unit.expressions[number]
        op, text, base, args = row
        if op == _NAME:
            received = unit.receivers.get(base)
            if received is not None and text in received:
                return received[text]
            entry = unit.names[base].get(text)
            if entry is not None and entry.is_local:
                return self._of_local(unit, row, entry)
            symbols = self.names.find(unit, row)
            if len(symbols) == 1:
                return self.meant(symbols[0])
            return bounded([value for symbol in symbols for value in self.meant(symbol)])
        if op == _ATTRIBUTE:
            if text == unit.rules.class_attribute:
                return self._classes(unit, base)
            symbols = self.symbols(unit, number)
            if len(symbols) == 1 and symbols[0][0] == EXTERNAL:  # a third of them
                return symbols
            return bounded([value for symbol in symbols for value in self._read(symbol)])
        if op == _CALL:
            return self._call(unit, base, args, is_awaited=False)
        if op in _LITERALS:
            return () if text == NOTHING else _literal(unit, text)
        if op == _STRING:
            return _literal(unit, "str")
        return self._evaluate_rare(unit, number)

    def _of_local(self, unit: Unit, row: Expression, entry: Name) -> Values:
        """What a variable of a function may hold; kept with its name, as most are read there."""
        if entry.held is None:
            _, name, scope, _ = row
            place = (unit.file.key, scope, name)
            found, is_final = self._search.solve(place, lambda: self._find_held(place))
            if not is_final:
                return found
            entry.held = found
        return entry.held

    def _evaluate_rare(self, unit: Unit, number: int) -> Values:
        op, text, base, args = unit.expressions[number]
        if op == Op.UNION:
            return bounded(value for arg in args for value in self.values(unit, arg))
        if op == Op.FUNCTION:
            return ((FUNCTION, unit.first + base, Rule.LOCAL),)
        if op == _INDEX:
            return tuple(value for value in self.values(unit, base) if value[0] == CLASS)
        if op == _AWAIT:
            inner, _, function, arguments = unit.expressions[base]
            if inner == _CALL:
                return self._call(unit, function, arguments, is_awaited=True)
            return ()
        if op == Op.ENTERED:
            return self._entered(unit, base)
        if op == Op.CAUGHT:
            return self._caught(unit, base)
        if op == Op.ITEM:
            return self._item(unit, text, base)
        return ()

    def _read(self, symbol: Symbol) -> Values:
        """What reading an attribute gives."""
        kind, key, _ = symbol
        if kind == DEFINITION and self._is_property(number_of(key)):
            return self.returned(number_of(key), is_awaited=False)
        return self.meant(symbol)

    def _classes(self, unit: Unit, number: int) -> Values:
        """The classes of what an expression may give."""
        return tuple(
            (CLASS, key, rule) for kind, key, rule in self.values(unit, number) if kind == INSTANCE
        )

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
        """What calls give that are the language's own: `super()`, `type(x)`; None for any other."""
        if len(values) != 1 or values[0][0] != EXTERNAL:
            return None
        dotted = str(values[0][1])
        if unit.rules.is_super(dotted):
            _, _, scope, _ = unit.expressions[function]
            owner = unit.enclosing_class(scope)
            return ((SUPER, unit.first + owner, Rule.SUPER),) if owner >= 0 else ()
        if unit.rules.is_transparent(dotted) and args:
            return self.values(unit, args[0])
        if unit.rules.is_type_of(dotted) and len(args) == 1:
            return self._classes(unit, args[0])
        return None

    def _called_instance(self, value: Value, *, is_awaited: bool) -> Values:
        unit = self._program.unit_of[number_of(value[1])]
        method = unit.rules.call_method
        symbols = self.members.of_class(value, method) if method else ()
        return tuple(
            result
            for kind, key, _ in symbols
            if kind == DEFINITION
            for result in self.returned(number_of(key), is_awaited=is_awaited)
        )

    def _entered(self, unit: Unit, manager: int) -> Values:
        found: list[Value] = []
        for value in self.values(unit, manager):
            if value[0] != INSTANCE:
                continue
            for kind, key, _ in self.members.of_class(value, unit.rules.enter_method):
                if kind == DEFINITION:
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

    def _find_returned(self, number: int) -> Values:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if row.returns:
            given = declared(self.values, unit, number=row.returns, scope=row.body)
            return _as(_RETURNED, given)
        if row.flags & _GENERATOR:
            return ()
        return _as(
            _RETURNED, bounded([v for given in row.returned for v in self.values(unit, given)])
        )

    def _find_held(self, place: tuple[int, int, str]) -> Values:
        """What a variable may hold: what it is declared to, else what it is bound to."""
        file, scope, name = place
        unit = self._program.units[file]
        found: list[Value] = []
        if scope in unit.receivers and unit.scopes[scope].kind in _IN_FUNCTION:
            found += unit.receivers[scope].get(name, ())
        bindings = [b for entry in _entries(unit, scope, name) for b in entry.bindings]
        for how, _, _, _, value, _ in bindings:
            if how == _DECLARED:
                found += declared(self.values, unit, number=value, scope=scope)
        if not found:
            for how, _, _, _, value, _ in bindings:
                if how == _VALUE and value:
                    found += _as(_INFERRED, self.values(unit, value))
        return bounded(found)


def _entries(unit: Unit, scope: int, name: str) -> list[Name]:
    """Where a variable is bound: in its scope and, for a class, by its methods."""
    entries = [unit.names[scope].get(name)]
    definition = unit.scopes[scope].definition
    if definition in unit.fields:
        entries.append(unit.fields[definition].get(name))
    return [entry for entry in entries if entry is not None]


def _literal(unit: Unit, kind: str) -> Values:
    return ((EXTERNAL_INSTANCE, unit.rules.literal_type(kind), _INFERRED),)


def _called_outside(unit: Unit, dotted: str) -> Values:
    if unit.rules.is_class_name(dotted):
        return ((EXTERNAL_INSTANCE, dotted, Rule.INFERRED),)
    return ()


def bounded(values: Iterable[Value]) -> Values:
    """Each value once, by kind and key, at most `MOST_VALUES` of them."""
    listed = tuple(values)
    if len(listed) < 2:
        return listed
    found: dict[tuple[int, object], Value] = {}
    for value in listed:
        found.setdefault(value[:2], value)
    return tuple(found.values())[:MOST_VALUES]


def _as(rule: Rule, values: Values) -> Values:
    """The same values, reached by `rule`."""
    return tuple([(kind, key, rule) for kind, key, _ in values])
