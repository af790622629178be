"""Argument syntax: constants and names as written in a registration call."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mu.model.facts import BindingKind, Op
from mu.resolve.abstract_values import (
    EXTERNAL,
    INSTANCES,
    LOCAL,
    VARIABLE,
    Place,
    class_of,
    place_of,
)
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.framework_models import Argument, Reach

_CALL, _STRING, _COLLECTION = int(Op.CALL), int(Op.STRING), int(Op.COLLECTION)
_KEYWORD, _SPREAD = int(Op.KEYWORD), int(Op.SPREAD)
_NAME, _ATTRIBUTE = int(Op.NAME), int(Op.ATTRIBUTE)
_VALUE = int(BindingKind.VALUE)
_HELD = frozenset((VARIABLE, LOCAL))
_SHARED = frozenset((VARIABLE, LOCAL, EXTERNAL))


class RegistrationCall(NamedTuple):
    """A call or decorator that registers something with a framework.

    `call` is the row of the call, 0 for a decorator without arguments; `function` is the row of
    the callee. `owner` is the definition whose text contains the call, `decorated` the one that it
    decorates (numbered within the file; -1: none). `is_of_framework` says that it is in a package
    of the framework itself, where a parameter that is registered is no handler.
    """

    unit: FileSymbols
    call: int
    function: int
    owner: int
    decorated: int
    line: int
    is_of_framework: bool = False

    @property
    def args(self) -> tuple[int, ...]:
        """The rows of the arguments."""
        return self.unit.expressions[self.call][3]

    @property
    def receiver(self) -> int:
        """The row of the receiver; 0 if the callee is no method."""
        op, _, base, _ = self.unit.expressions[self.function]
        return base if op == _ATTRIBUTE else 0


class ArgumentSyntax:
    """Reads constants and names out of the arguments of a call."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self.own: set[int] = set()  # classes of frameworks, which do not identify their instances

    def argument(self, unit: FileSymbols, args: Sequence[int], *, wanted: Argument | None) -> int:
        """Return the row of an argument; 0 if it is missing, or may be in an unpacked one."""
        if wanted is None:
            return 0
        if wanted.reach is not Reach.ONE:
            rows = self.arguments(unit, args, wanted=wanted)
            return rows[-1] if rows else 0
        is_open = False
        for place, arg in enumerate(args):
            op, text, base, _ = unit.expressions[arg]
            if op == _KEYWORD:
                if text and text in (wanted.keyword, *wanted.others):
                    return base
            elif op == _SPREAD:
                is_open = True
            elif place == wanted.place and not is_open:
                return arg
        return 0

    def arguments(
        self, unit: FileSymbols, args: Sequence[int], *, wanted: Argument
    ) -> Sequence[int]:
        """Return the rows of all wanted arguments, except unpacked ones."""
        if wanted.reach is Reach.ONE:
            row = self.argument(unit, args, wanted=wanted)
            return (row,) if row else ()
        rows = args[wanted.place :]
        if wanted.reach is Reach.LAST:
            rows = rows[-1:]
        elif wanted.reach is Reach.BEFORE_LAST:
            rows = rows[:-1]
        return [row for row in rows if unit.expressions[row][0] != _SPREAD]

    def is_open(self, unit: FileSymbols, args: Sequence[int]) -> bool:
        """Return whether an argument is unpacked, so that any other may be in it."""
        return any(unit.expressions[arg][0] == _SPREAD for arg in args)

    def text(self, unit: FileSymbols, row: int) -> str | None:
        """Return the string of a literal or of the constant that is named; None if it has none."""
        op, text, _, _ = unit.expressions[row]
        if op == _STRING:
            return text
        if op in (_NAME, _ATTRIBUTE):
            for holder, value in self.bound(unit, row):
                op, text, _, _ = holder.expressions[value]
                return text if op == _STRING else None
        return None

    def texts(self, unit: FileSymbols, row: int) -> Iterator[tuple[int, str]]:
        """Yield (row, string) of the string literals in a list, or of the literal itself."""
        op, text, _, args = unit.expressions[row]
        if op == _STRING:
            yield row, text
        elif op == _COLLECTION:
            for arg in args:
                if unit.expressions[arg][0] == _STRING:
                    yield arg, unit.expressions[arg][1]

    def place(self, unit: FileSymbols, row: int) -> Place | None:
        """Return the variable of a module or class that an expression names, if it is just one."""
        op = unit.expressions[row][0]
        if op not in (_NAME, _ATTRIBUTE):
            return None
        symbols = self._evaluator.symbols(unit, row)
        return place_of(symbols[0][1]) if len(symbols) == 1 and symbols[0][0] == VARIABLE else None

    def identity(self, unit: FileSymbols, row: int) -> tuple[object, ...] | None:
        """Return a key that identifies the object an expression evaluates to; None if none does.

        Two objects are the same if they are in one variable, or of one class of the repository.
        """
        own = {
            class_of(value)
            for value in self._evaluator.values(unit, row)
            if value[0] in INSTANCES and 0 <= class_of(value) < self._program.size
        }
        if len(own) == 1 and own.isdisjoint(self.own):
            return "class", own.pop()
        op, name, scope, _ = unit.expressions[row]
        if op == _NAME and scope and name in unit.parameters.get(scope, ()):
            return "place", (unit.key, scope, name)
        symbols = self._evaluator.symbols(unit, row)
        if len(symbols) == 1 and symbols[0][0] in _SHARED:
            return "place", symbols[0][1]
        return None

    def bound(self, unit: FileSymbols, row: int) -> Iterator[tuple[FileSymbols, int]]:
        """Yield (file, row) of the value of the variable that is named, if it is assigned once."""
        if unit.expressions[row][0] not in (_NAME, _ATTRIBUTE):
            return
        symbols = self._evaluator.symbols(unit, row)
        if len(symbols) == 1 and symbols[0][0] in _HELD:
            yield from self.set_to(place_of(symbols[0][1]))

    def set_to(self, place: Place) -> Iterator[tuple[FileSymbols, int]]:
        """Yield (file, row) of the value of a variable, if it is assigned once."""
        holder = self._program.unit(place[0])
        entry = holder.names[place[1]].get(place[2])
        owner = holder.scopes[place[1]].definition
        if entry is None and owner in holder.fields:
            entry = holder.fields[owner].get(place[2])
        values = [b.value for b in entry.bindings if b.kind == _VALUE] if entry else []
        if len(values) == 1 and values[0]:
            yield holder, values[0]

    def call(self, unit: FileSymbols, row: int) -> tuple[FileSymbols, int] | None:
        """Return (file, row) of the call that an expression is, or that its variable is set to."""
        if unit.expressions[row][0] == _CALL:
            return unit, row
        for holder, value in self.bound(unit, row):
            if holder.expressions[value][0] == _CALL:
                return holder, value
        return None
