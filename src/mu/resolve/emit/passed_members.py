"""Members that object literals and arguments name: functions that are passed, fields that are set.

`setup({ onDone() {} })` passes `onDone`, although nothing names it: the callee may call it. A
literal counts if it is written in the arguments, and also if a variable holds it where the callee
is external.

`Point(x=1)` sets the field `x` of a class without a constructor, as `Point{x: 1}` does. A key of an
object literal sets a field of the type that the literal is written for.
"""

from collections.abc import Callable, Iterator, Sequence

from mu.model.facts import Definition, Expression, Op
from mu.model.kinds import Rule, SiteKind
from mu.resolve.abstract_values import (
    CLASS,
    DEFINITION,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    VARIABLE,
    Symbols,
    Value,
    Values,
    class_of,
    number_of,
)
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.ledger import Mention, Outcome, resolved, without
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.emit.value_nodes import ValueNodes
from mu.resolve.evaluator import Evaluator
from mu.resolve.limits import DEEPEST_VALUE, MOST_LITERALS
from mu.resolve.program.file_symbols import FileSymbols, NameEntry
from mu.resolve.program.program import Program

_COLLECTION, _FUNCTION, _NAME, _SPREAD = map(int, (Op.COLLECTION, Op.FUNCTION, Op.NAME, Op.SPREAD))
_ATTRIBUTE, _STRING = int(Op.ATTRIBUTE), int(Op.STRING)
_KEYWORD, _PAIR, _COMPREHENSION = int(Op.KEYWORD), int(Op.PAIR), int(Op.COMPREHENSION)
_FILLING = frozenset((_KEYWORD, _PAIR, _COLLECTION))  # arguments that set fields or elements
NAMING = _FILLING | {_FUNCTION, _STRING}
"""Sorts of arguments by which a call may name fields."""

_NO_TYPE: Expression = (0, "", 0, ())
_OF_KEYS = (
    (SiteKind.VALUE, sorts.USES_VALUE),
    (SiteKind.ANNOTATION, sorts.USES_ANNOTATION),
)
"""The sorts of sites and edges of keys that set variables, and of those that set methods."""


class PassedMembers:
    """The functions in object literals that calls pass."""

    def __init__(self, program: Program, evaluator: Evaluator, nodes: NodeTable) -> None:
        self._program, self._evaluator, self._nodes = program, evaluator, nodes

    def of(self, unit: FileSymbols, called: Outcome, *, args: tuple[int, ...]) -> Iterator[Outcome]:
        """Yield a use of each such function."""
        if unit.prototypes is None or not args:
            return
        is_inside = any(tail[5] is None for tail in called[0])
        for arg in args:
            literals = self._literals(unit, arg, is_written=is_inside)
            for function, name in self._functions(literals, DEEPEST_VALUE):
                node = self._nodes.of_definition(function)
                if node >= 0:
                    hits = [(node, Rule.INFERRED, False)]
                    yield resolved(name, name, hits=hits, sort=sorts.USES_VALUE)

    def _literals(self, unit: FileSymbols, row: int, *, is_written: bool = False) -> list[int]:
        """Return the object literals that an expression may be, or that a list contains, by number.

        Empty for an expression with more than `MOST_LITERALS` of them, or a variable where the
        literal has to be written (`is_written`). The receiver is ignored: it is passed all the
        time.
        """
        op, name, base, args = unit.expressions[row]
        if op in (_COLLECTION, _SPREAD):
            inner = args if op == _COLLECTION else (base,)
            return [n for one in inner for n in self._literals(unit, one, is_written=is_written)]
        is_by_name = op == _NAME and name != unit.members.this_name and not is_written
        if op != _FUNCTION and not is_by_name:
            return []
        values = self._evaluator.values(unit, row)
        found = [class_of(v) for v in values if self._evaluator.object_literals.is_one(v)]
        return found if len(found) <= MOST_LITERALS else []

    def _functions(self, literals: list[int], levels: int) -> Iterator[tuple[int, str]]:
        """Yield the functions written in literals and in those nested in them."""
        for number in literals if levels else ():
            unit, body = self._program.unit_of[number], self._program.definitions[number].body
            for name, entry in unit.names[body].items():
                for local in entry.definitions:
                    if unit.facts.definitions[local].kind == "function":
                        yield unit.first + local, name
                for binding in entry.bindings:
                    inner = self._literals(unit, binding.value)
                    yield from self._functions(inner, levels - 1)


SetField = tuple[str, SiteKind, Outcome]
"""(name in the text, sort of site, outcome) of what arguments set."""


class SetFields:
    """The fields that instantiations set by their names."""

    def __init__(
        self,
        program: Program,
        evaluator: Evaluator,
        *,
        targets: ValueNodes,
        of_name: Callable[[str, str], Outcome],
    ) -> None:
        self._program, self._evaluator, self._targets = program, evaluator, targets
        self._of_name = of_name  # the outcome of a reference to any node of a name
        self._expected = evaluator.expected_types

    def of(self, unit: FileSymbols, function: int, *, args: tuple[int, ...]) -> Iterator[SetField]:
        """Yield the fields that a call sets, and the calls that inner literals are."""
        rows = unit.expressions
        if len(args) == 1 and rows[args[0]][0] == _FUNCTION and unit.prototypes is not None:
            if not unit.prototypes.is_written(rows[args[0]][2]):
                yield from self._of_element(unit, function, args)
            return
        op, name, _, _ = rows[function]
        if op == _NAME and name in unit.library.attribute_functions:
            yield from self._of_attribute(unit, args)
        if not any(rows[arg][0] in _FILLING for arg in args):
            return
        for value in self._copied(unit, function, args):
            yield from self._of_instance(unit, value, args)
        for value in self._evaluator.called(unit, function):
            if value[0] == CLASS:
                if self._is_set_by_names(class_of(value)):
                    made = INSTANCE, value[1], Rule.INFERRED
                    yield from self._of_instance(unit, made, args)
                yield from self._of_container(unit, value, args)

    def _of_attribute(self, unit: FileSymbols, args: tuple[int, ...]) -> Iterator[SetField]:
        """Yield a use of the field that a builtin is given by its name: `getattr(x, "name")`."""
        op, name, _, _ = unit.expressions[args[1]] if len(args) > 1 else _NO_TYPE
        holders = self._evaluator.values(unit, args[0]) if op == _STRING else ()
        symbols = [s for one in holders for s in self._evaluator.members.of(unit, one, name=name)]
        fields = tuple(dict.fromkeys([s for s in symbols if s[0] == VARIABLE]))
        hits = [hit for hit in self._targets.named(unit, fields) if not hit[2]]
        if hits:
            yield name, SiteKind.VALUE, resolved(name, name, hits=hits, sort=sorts.USES_VALUE)
        elif op == _STRING and not holders:
            yield name, SiteKind.VALUE, self._of_name(name, name)

    def _copied(self, unit: FileSymbols, function: int, args: tuple[int, ...]) -> Values:
        """Return the objects that a call copies, with other values in some fields."""
        op, name, base, _ = unit.expressions[function]
        library = unit.library
        if op == _ATTRIBUTE and name == library.copying_method:
            return self._evaluator.values(unit, base)
        if not any(name == dotted.rpartition(".")[2] for dotted in library.copying_functions):
            return ()
        dotted = map(self._dotted, self._evaluator.called(unit, function))
        is_copying = not library.copying_functions.isdisjoint(dotted)
        return self._evaluator.values(unit, args[0]) if is_copying else ()

    def _dotted(self, value: Value) -> str:
        """Return the dotted name of a function of a library; empty for any other value."""
        if value[0] == EXTERNAL:
            return str(value[1])
        is_known = value[0] == FUNCTION and self._program.is_library(number_of(value[1]))
        return self._program.dotted(number_of(value[1])) if is_known else ""

    def _of_instance(
        self, unit: FileSymbols, value: Value, args: tuple[int, ...]
    ) -> Iterator[SetField]:
        """Yield a use of each field of an object that arguments set."""
        for arg in args if value[0] in INSTANCES else ():
            kind, name, _, _ = unit.expressions[arg]
            symbols = self._evaluator.members.of_class(value, name) if kind == _KEYWORD else ()
            hits = self._targets.named(unit, tuple([s for s in symbols if s[0] == VARIABLE]))
            if hits:
                outcome = resolved(name, name, hits=hits, sort=sorts.USES_VALUE)
                yield name, SiteKind.VALUE, outcome

    def _of_container(
        self, unit: FileSymbols, value: Value, args: tuple[int, ...]
    ) -> Iterator[SetField]:
        """Yield the calls and fields of elements without a type, if the class is a container.

        `type Points []Point` is one, and `Points{{X: 1}}` makes a `Point`. Keys of it are names.
        """
        number = class_of(value)
        home, bases = self._program.unit_of[number], self._program.definitions[number].bases
        base = home.expressions[bases[0][0]] if len(bases) == 1 else _NO_TYPE
        if base[0] != _COMPREHENSION:
            return
        classes = tuple([v for v in self._evaluator.values(home, base[2]) if v[0] == CLASS])
        hits = self._targets.called(unit, classes)
        for arg in args:
            kind, name, inner, parts = unit.expressions[arg]
            if kind == _KEYWORD:
                symbols = self._evaluator.names.find(unit, (_NAME, name, 0, ()))
                named = self._targets.named(unit, symbols)
                if named:
                    outcome = resolved(name, name, hits=named, sort=sorts.USES_VALUE)
                    yield name, SiteKind.VALUE, outcome
            element = inner if kind == _KEYWORD else parts[1] if kind == _PAIR else arg
            held, _, _, fields = unit.expressions[element]
            if held == _COLLECTION and hits:
                of = self._program.definitions[class_of(classes[0])].name
                yield name, SiteKind.CALL, resolved(of, of, hits=hits, sort=sorts.CALLS)
                for _, key, _ in classes:
                    yield from self._of_instance(unit, (INSTANCE, key, Rule.INFERRED), fields)

    def _of_element(
        self, unit: FileSymbols, function: int, args: tuple[int, ...]
    ) -> Iterator[SetField]:
        """Yield a use of each field that an attribute of a JSX element sets."""
        types = self._expected.of_argument(unit, function, args=args)
        body = unit.facts.definitions[unit.expressions[args[0]][2]].body
        for name in unit.names[body] if types else ():
            symbols = self._expected.members(types, name)
            for kind, outcome in _set_by_key(unit, name, symbols, self._targets):
                yield name, kind, outcome

    def _is_set_by_names(self, number: int) -> bool:
        """Return whether a class of the repository has no constructor that is written there.

        What it is called with then are fields: a base, a decorator or the language takes them.
        """
        if self._program.is_library(number):
            return False
        made = INSTANCE, number, Rule.INFERRED
        return all(
            kind != DEFINITION or self._program.is_library(number_of(key))
            for name in self._program.unit_of[number].calls.constructors
            for kind, key, _ in self._evaluator.members.of_class(made, name)
        )


def _set_by_key(
    unit: FileSymbols, name: str, symbols: Symbols, targets: ValueNodes
) -> Iterator[tuple[SiteKind, Outcome]]:
    """Yield (sort of site, outcome) of a key of a literal, given the members that it sets.

    A method is named like a type: the literal implements it, and does not pass it on.
    """
    for are_methods, (kind, sort) in enumerate(_OF_KEYS):
        of_sort = tuple([one for one in symbols if (one[0] == DEFINITION) == are_methods])
        hits = [hit for hit in targets.named(unit, of_sort) if not hit[2]]
        if hits:
            yield kind, resolved(name, name, hits=hits, sort=sort)


class LiteralKeys:
    """The fields that keys of object literals set."""

    def __init__(self, evaluator: Evaluator, *, nodes: NodeTable, targets: ValueNodes) -> None:
        self._nodes, self._targets = nodes, targets
        self._expected = evaluator.expected_types

    def of(self, unit: FileSymbols) -> Iterator[Mention]:
        """Yield a use of each field that a literal of a file sets."""
        if unit.prototypes is None:
            return
        definitions = unit.facts.definitions
        for literal, types in self._expected.of(unit).items():
            if not unit.prototypes.is_written(literal):  # JSX: see `SetFields`
                continue
            source = self._source(unit, definitions[literal].scope)
            for name, entry in unit.names[definitions[literal].body].items():
                symbols = self._expected.members(types, name)
                line = min(_lines(entry, definitions), default=0)
                for kind, outcome in _set_by_key(unit, name, symbols, self._targets):
                    yield kind, source, line, without(outcome, (source,))

    def _source(self, unit: FileSymbols, scope: int) -> int:
        """Return the node that code in a scope belongs to."""
        owners = self._nodes.owners(unit)
        while scope:
            _, parent, definition, _, _ = unit.scopes[scope]
            if definition >= 0 and owners[definition] >= 0:
                return owners[definition]
            scope = parent
        return owners[-1]


def _lines(entry: NameEntry, definitions: Sequence[Definition]) -> Iterator[int]:
    """Yield the lines on which a key of a literal is written."""
    for binding in entry.bindings:
        yield binding.line
    for local in entry.definitions:
        yield definitions[local].start_line
