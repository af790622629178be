"""Type expressions: from an annotation to abstract values.

Unions, optional and generic forms, `type[X]`, callables, tuples, type variables and aliases are
evaluated; any other form is unknown.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Protocol, TypeVarTuple

from mu.model.facts import Binding, BindingKind, Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLE,
    CLASS,
    DEFINITION,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    GENERIC,
    INSTANCE_OF_SUBTYPE,
    INSTANCES,
    LOCAL,
    SELF,
    SELF_CLASS,
    TUPLE,
    TYPE_VARIABLE,
    VARIABLE,
    Place,
    Symbol,
    Symbols,
    Value,
    Values,
    bounded,
    class_of,
    generic_outside,
    name_outside,
    number_of,
    place_of,
    pruned,
)
from mu.resolve.limits import DEEPEST_TYPE
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.member_semantics import Inheritance
from mu.resolve.semantics.type_forms import TypeForm
from mu.resolve.solver.solver import Solver

About = TypeVarTuple("About")


NOTHING = "none"  # the literal that stands for the absence of a value
TYPE_OF = -1
"""The class of a `GENERIC` value that stands for classes: `type[X]` where X is a type variable."""

_NAMED = frozenset(map(int, (Op.NAME, Op.ATTRIBUTE)))
_COLLECTION = int(Op.COLLECTION)
_VALUE, _TYPE_PARAMETER = int(BindingKind.VALUE), int(BindingKind.TYPE_PARAMETER)
_TYPED = Rule.TYPED


class TypeEvaluator(Protocol):
    """The part of the evaluator that type expressions use."""

    solver: Solver

    def values(self, unit: FileSymbols, number: int) -> Values:
        """Return the values of expression `number` of a file."""

    def symbols(self, unit: FileSymbols, number: int) -> Symbols:
        """Return the symbols that expression `number` of a file names."""


class TypeExpressions:
    """Evaluates annotations to the values of what they annotate."""

    def __init__(self, program: Program, reader: TypeEvaluator) -> None:
        self._program = program
        self._reader = reader
        self._is_type_variable: dict[Place, bool] = {}
        self._declared: dict[tuple[int, int, int], Values] = {}
        self._aliases: dict[tuple[Place, int], Values] = {}  # of the read in progress

    def declared(self, unit: FileSymbols, number: int, *, scope: int) -> Values:
        """Return the values that an annotation allows: expression `number`, used in `scope`."""
        place = (unit.key, number, scope)
        known = self._declared.get(place)
        if known is None:
            search = self._reader.solver
            unsettled = search.unsettled
            found = self._read_afresh(self._read, unit, number, scope, 0)
            known = search.bounded(found, of=(unit.key, number))
            if search.unsettled == unsettled:
                self._declared[place] = known
        return known

    def _read(self, unit: FileSymbols, number: int, scope: int, depth: int) -> Values:
        op, text, base, args = unit.expressions[number]
        if depth > DEEPEST_TYPE:
            return ()
        if op == Op.NAME and text in unit.receivers.get(base, ()):
            own = unit.receivers[base][text]
            return tuple([(SELF if k == SELF_CLASS else k, key, _TYPED) for k, key, _ in own])
        if op in _NAMED:
            symbols = self._reader.symbols(unit, number) or self._in_full(unit, number)
            return tuple(v for s in symbols for v in self._named(unit, s, scope, depth))
        if op == Op.INDEX:
            return self._generic(unit, number, scope, depth)
        if op == Op.UNION or (op == Op.OPERATOR and text == "|"):
            return tuple(v for arg in args for v in self._read(unit, arg, scope, depth + 1))
        if op == _COLLECTION and text == "tuple":
            return self._together(unit, [self._read(unit, arg, scope, depth + 1) for arg in args])
        if op == Op.COMPREHENSION:  # a variadic parameter
            keys = tuple(v for arg in args for v in self._read(unit, arg, scope, depth + 1))
            return self._rest(unit, text, keys, self._read(unit, base, scope, depth + 1))
        if op == Op.CALLABLE:
            return self._callable(unit, base, args, scope, depth)
        if op == Op.COLLECTION:
            return self._tuple(unit, args, scope, depth)
        if op == Op.LITERAL and text != NOTHING:  # a type that is no class
            dotted = unit.types.literal_type(text)
            return tuple(
                (INSTANCE_OF_SUBTYPE, number, _TYPED) for number in self._library(unit, dotted)
            )
        if op == Op.FUNCTION:  # an anonymous class, used as a type
            return ((INSTANCE_OF_SUBTYPE, unit.first + base, _TYPED),)
        return ()

    def _in_full(self, unit: FileSymbols, number: int) -> Symbols:
        """Resolve an external type written with its package, which the file does not import."""
        names: list[str] = []
        op, text, base, _ = unit.expressions[number]
        while op == Op.ATTRIBUTE:
            names.append(text)
            number = base
            op, text, base, _ = unit.expressions[number]
        if op != Op.NAME or not names or self._reader.symbols(unit, number):
            return ()
        dotted = ".".join((text, *reversed(names)))
        is_outside = unit.finder.is_type_in_full(dotted)
        return ((EXTERNAL, dotted, Rule.IMPORT),) if is_outside else ()

    def _library(self, unit: FileSymbols, dotted: str) -> Iterator[int]:
        number = self._program.library_class(unit.rules, dotted)
        if number >= 0:
            yield number

    def _callable(
        self, unit: FileSymbols, given: int, args: tuple[int, ...], scope: int, depth: int
    ) -> Values:
        rows = (given, *args)
        signature = tuple(bounded(self._read(unit, row, scope, depth + 1)) for row in rows)
        return ((CALLABLE, (TYPE_OF, pruned(signature)), _TYPED),)

    def _named(self, unit: FileSymbols, symbol: Symbol, scope: int, depth: int) -> Values:
        kind, key, _ = symbol
        if kind == DEFINITION:
            number = number_of(key)
            is_class = self._program.definitions[number].kind == "class"
            is_telling = is_class and number != self._program.root_class(unit.rules)
            return ((INSTANCE_OF_SUBTYPE, number, _TYPED),) if is_telling else ()
        if kind == EXTERNAL:
            return self._special(unit, str(key), scope)
        if kind in (VARIABLE, LOCAL):
            return self._alias(place_of(key), depth)
        return ()

    def _special(self, unit: FileSymbols, dotted: str, scope: int) -> Values:
        form = unit.types.type_form(dotted)
        if form == TypeForm.SELF:
            owner = unit.enclosing_class(scope)
            return ((SELF, owner, _TYPED),) if owner >= 0 else ()
        if form == TypeForm.CALLABLE:
            return ((CALLABLE, (TYPE_OF, ((),)), _TYPED),)
        alike = unit.types.aliases.get(dotted.rpartition(".")[2], "")
        if alike:
            return tuple(
                (INSTANCE_OF_SUBTYPE, number, _TYPED) for number in self._library(unit, alike)
            )
        if form is None and not unit.library.is_special(dotted):
            return ((EXTERNAL_INSTANCE, dotted, _TYPED),)
        return ()

    def alias(self, place: Place) -> Values:
        """Return the values that a type alias or type variable allows."""
        return bounded(self._read_afresh(self._alias, place, 0))

    def _read_afresh(self, read: Callable[[*About], Values], *about: *About) -> Values:
        """Call `read` so that each alias is expanded once at each depth.

        Aliases that name each other, or themselves several times, would be expanded along each path
        through them.
        """
        before, self._aliases = self._aliases, {}
        try:
            return read(*about)
        finally:
            self._aliases = before

    def _alias(self, place: Place, depth: int) -> Values:
        """Return a type variable itself, or the values of the types that an alias is bound to."""
        if self.is_type_variable(place):
            return ((TYPE_VARIABLE, place, _TYPED),)
        known = self._aliases.get((place, depth))
        if known is None:
            file, scope, name = place
            unit = self._program.unit(file)
            entry = unit.names[scope].get(name)
            bound = () if entry is None else entry.bindings
            rows = [row.value for row in bound if row.kind == _VALUE and row.value]
            read = [v for row in rows for v in self._read(unit, row, scope, depth + 1)]
            known = self._aliases[place, depth] = tuple(dict.fromkeys(read))
        return known

    def is_type_variable(self, place: Place) -> bool:
        """Return whether a variable is a type parameter, or made by a call such as `TypeVar`."""
        known = self._is_type_variable.get(place)
        if known is None:
            self._is_type_variable[place] = False  # provisional, in case of a cycle
            known = self._is_type_variable[place] = self._find_type_variable(place)
        return known

    def _find_type_variable(self, place: Place) -> bool:
        file, scope, name = place
        unit = self._program.unit(file)
        entry = unit.names[scope].get(name)
        for row in () if entry is None else entry.bindings:
            if row.kind == _TYPE_PARAMETER:
                return True
            op, _, function, _ = unit.expressions[row.value]
            if op == Op.CALL:
                for symbol in self._reader.symbols(unit, function):
                    if unit.types.is_type_variable(self._dotted(symbol)):
                        return True
        return False

    def _dotted(self, symbol: Symbol) -> str:
        """Return the dotted name of an external symbol; empty for others.

        A definition of the library counts as external, though its symbol is no `EXTERNAL`.
        """
        kind, key, _ = symbol
        if kind == DEFINITION and self._program.is_library(number_of(key)):
            return self._program.dotted(number_of(key))
        return str(key) if kind == EXTERNAL else ""

    def is_generic(self, unit: FileSymbols, expression: int) -> bool:
        """Return whether a base class only names the type parameters of the class: `Generic[T]`."""
        _, _, base, _ = unit.expressions[expression]
        symbols = self._reader.symbols(unit, base)
        return any(k == EXTERNAL and unit.types.is_generic_base(str(key)) for k, key, _ in symbols)

    def bound(self, place: Place) -> Values:
        """Return the values of a type variable's bound, or of all its constraints.

        They stand for it where its type argument is unknown.
        """
        file, scope, name = place
        unit = self._program.unit(file)
        entry = unit.names[scope].get(name)
        rows = () if entry is None else entry.bindings
        types = [number for row in rows for number in _limits(unit, row)]
        found = tuple(v for number in types for v in self.declared(unit, number, scope=scope))
        if len(found) > 1 and unit.members.inheritance is Inheritance.IMPLEMENTING:
            # A value has all bounds at once.
            return tuple([v for v in found if v[0] != EXTERNAL_INSTANCE]) or found[:1]
        return found

    def _generic(self, unit: FileSymbols, number: int, scope: int, depth: int) -> Values:
        _, _, base, args = unit.expressions[number]
        form = self.form(unit, base)
        if form in (TypeForm.UNION, TypeForm.FIRST):
            used = args if form == TypeForm.UNION else args[:1]
            return tuple(v for arg in used for v in self._read(unit, arg, scope, depth + 1))
        if form == TypeForm.TYPE and args:
            return _types(self._read(unit, args[0], scope, depth + 1))
        if form == TypeForm.CALLABLE and args:
            signature = pruned(self._signature(unit, args, scope, depth))
            return ((CALLABLE, (TYPE_OF, signature), _TYPED),)
        if form == TypeForm.TUPLE:
            return self._tuple(unit, args, scope, depth)
        if form is not None:
            return ()
        found = self._read(unit, base, scope, depth + 1)
        parts = tuple(bounded(self._read(unit, arg, scope, depth + 1)) for arg in args)
        if any(map(self._program.is_own, chain(*parts))):
            found = tuple([_about_own(value) for value in found])
        return tuple(
            (GENERIC, (class_of(value), pruned(parts)), _TYPED)
            if value[0] == INSTANCE_OF_SUBTYPE
            else value
            for value in found
        )

    def _signature(
        self, unit: FileSymbols, args: tuple[int, ...], scope: int, depth: int
    ) -> tuple[Values, ...]:
        """Return the result of a callable type, then its parameters if they are listed."""
        given = bounded(self._read(unit, args[-1], scope, depth + 1))
        op, _, _, taken = unit.expressions[args[0]]
        if op != Op.COLLECTION:
            return (given,)
        return (given, *(bounded(self._read(unit, arg, scope, depth + 1)) for arg in taken))

    def _tuple(self, unit: FileSymbols, args: tuple[int, ...], scope: int, depth: int) -> Values:
        number = self._program.literal_class(unit, "tuple")
        if number < 0:
            return ()
        parts = pruned(tuple(bounded(self._read(unit, a, scope, depth + 1)) for a in args))
        if len(args) == 2 and not args[1]:  # `tuple[X, ...]`: the rest is no expression
            return ((GENERIC, (number, parts[:1]), _TYPED),)
        return ((TUPLE, (number, parts), _TYPED),)

    def _together(self, unit: FileSymbols, parts: Sequence[Values]) -> Values:
        """Return a tuple with the values of each part."""
        number = self._program.literal_class(unit, "tuple")
        return ((TUPLE, (number, pruned(tuple(map(bounded, parts)))), _TYPED),)

    def _rest(self, unit: FileSymbols, kind: str, keys: Values, inner: Values) -> Values:
        """Return the values of a variadic parameter: a dictionary of arguments, or a sequence."""
        number = self._program.literal_class(unit, kind)
        if number < 0:
            return ((EXTERNAL_INSTANCE, unit.types.literal_type(kind), _TYPED),)
        return ((GENERIC, (number, (keys, inner) if kind == "dict" else (inner,)), _TYPED),)

    def form(self, unit: FileSymbols, base: int) -> TypeForm | None:
        """Return the special form that a generic type names, such as a union; None for a class."""
        for kind, key, _ in self._reader.symbols(unit, base):
            if kind == EXTERNAL:
                return unit.types.type_form(str(key))
            if kind == DEFINITION and self._program.is_library(number_of(key)):
                return unit.types.type_form(self._program.dotted(number_of(key)))
        return None


def _about_own(value: Value) -> Value:
    """Mark an external instance as one with type arguments from the repository."""
    return generic_outside(str(value[1])) if value[0] == EXTERNAL_INSTANCE else value


def _limits(unit: FileSymbols, row: Binding) -> Iterator[int]:
    """Yield the rows of a type variable's bound or constraints, from its binding."""
    op, _, _, args = unit.expressions[row.value]
    if row.kind == _TYPE_PARAMETER:
        yield row.value
    elif op == Op.CALL:
        for arg in args[1:]:
            kind, keyword, value, _ = unit.expressions[arg]
            if kind != Op.KEYWORD:
                yield arg
            elif keyword == "bound":
                yield value


def _types(values: Values) -> Values:
    """Return the classes of instances, for `type[X]`."""
    found: list[Value] = []
    for value in values:
        if value[0] == TYPE_VARIABLE:
            found.append((GENERIC, (TYPE_OF, ((value,),)), _TYPED))
        elif value[0] in INSTANCES:
            found.append((CLASS, class_of(value), _TYPED))
        elif value[0] == EXTERNAL_INSTANCE:
            found.append((EXTERNAL, name_outside(value[1]), _TYPED))
    return tuple(found)
