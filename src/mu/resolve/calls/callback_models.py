"""Callback models: the arguments that higher-order library functions pass to their callbacks.

`sorted(jobs, key=rank)` calls `rank` with elements of `jobs`, as the declaration of `sorted` says;
`submit(work, job)`, `Thread(target=work, args=(job,))` and `partial(work, job)` forward the other
arguments to the function.
"""

from collections.abc import Callable, Iterator

from mu.model.facts import Op
from mu.resolve.abstract_values import (
    CALLABLE,
    CLASSES,
    EXTERNAL,
    FUNCTION,
    Value,
    Values,
    number_of,
    parts_of,
)
from mu.resolve.calls.argument_binding import ANY_NAMES, ANY_NUMBER
from mu.resolve.calls.callbacks import Callbacks
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.solver import ParameterKey

FORWARDS_TO_CALLBACK = -1
"""In place of a function's number: a callee that forwards arguments to callbacks."""

_COLLECTION, _PAIR, _KEYWORD = int(Op.COLLECTION), int(Op.PAIR), int(Op.KEYWORD)
_SPREAD, _STRING, _FUNCTION = int(Op.SPREAD), int(Op.STRING), int(Op.FUNCTION)

_NUMBERED = CLASSES | {FUNCTION}

_Later = list[tuple[int | str, int]]
"""(place or keyword, row) of the arguments that a callback receives later."""

Given = tuple[tuple[ParameterKey, Value], ...]

Run = Callable[[FileSymbols, int, Value], Iterator[tuple[int, bool]]]
"""Yields (function, whether its first parameter is bound) of what runs when a value is called."""


class CallbackModels:
    """Finds the arguments that library functions pass to callbacks, by (function, parameter)."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._callbacks = Callbacks(program, flow)
        self._takes: dict[object, bool] = {}  # by definition

    def takes(self, unit: FileSymbols, values: Values) -> bool:
        """Return whether a call of some values passes arguments to a callback."""
        for value in values:
            kind, key, _ = value
            if kind == EXTERNAL:
                if key in unit.library.partials:
                    return True
            elif kind in _NUMBERED:
                known = self._takes.get(key)
                if known is None:
                    known = self._takes[key] = self._is_taker(value)
                if known:
                    return True
        return False

    def of(self, call: tuple[FileSymbols, int], run: Run) -> Given:
        """Return the values that a call passes to the parameters of its callbacks."""
        unit, number = call
        _, _, function, args = unit.expressions[number]
        handed = _Handed(self._program, self._flow, unit, run)
        for kind, key, _ in self._flow.called(unit, function):
            if kind == EXTERNAL and key in unit.library.partials:
                handed.add_later(args[0], _as_given(unit, args[1:]))
        for called, at, arg, receiver in self._flow.contextual_typing.handed(
            unit, function, args=args
        ):
            if at not in self._callbacks.called_places(called):
                continue
            declared = self._flow.argument_binding.pattern(called, at)
            pattern = self._flow.functional_interfaces.with_signatures(declared)
            counts = [len(parts_of(v)) - 1 for v in pattern if v[0] == CALLABLE]
            is_in_place = unit.expressions[arg][0] == _FUNCTION  # typed by `ContextualTyping.of`
            for place in range(0 if is_in_place else max(counts, default=0)):
                given = self._flow.contextual_typing.told(
                    (unit, args), called, receiver=receiver, pattern=pattern, place=place
                )
                handed.add(arg, place, given=given)
            if 0 in counts:
                handed.add_later(arg, self._beside(unit, called, args))
        return tuple(handed.found)

    def _is_taker(self, value: Value) -> bool:
        """Return whether a value is a library function or class that calls its arguments."""
        is_outside = self._program.is_library(number_of(value[1]))
        return is_outside and self._callbacks.is_caller((value,))

    def _beside(self, unit: FileSymbols, called: int, args: tuple[int, ...]) -> _Later:
        """Return the arguments of a call that a library function forwards to its callback."""
        owner, row = self._program.unit_of[called], self._program.definitions[called]
        kinds = {parameter.kind for parameter in row.parameters}
        own = {parameter.name for parameter in row.parameters}
        is_bound = owner.takes_receiver(row)
        given = _as_given(unit, args)
        found: _Later = []
        if ANY_NUMBER in kinds:
            taken = [p.kind for p in row.parameters].index(ANY_NUMBER) - is_bound
            found += [(at - taken, one) for at, one in given if isinstance(at, int) and at >= taken]
        if ANY_NAMES in kinds:
            found += [one for one in given if isinstance(one[0], str) and one[0] not in own]
        for place, arg in self._flow.argument_binding.passed(
            called, (unit, args), is_bound=is_bound
        ):
            if row.parameters[place].name in unit.library.forwarded_parameters:
                found += _written(unit, arg)
        return found


class _Handed:
    """Collects the callback arguments of one call; `run` finds what runs when a value is called."""

    def __init__(self, program: Program, flow: Flow, unit: FileSymbols, run: Run) -> None:
        self._program = program
        self._flow = flow
        self._unit = unit
        self._run = run
        self.found: dict[tuple[ParameterKey, Value], None] = {}

    def add_later(self, arg: int, later: _Later) -> None:
        """Add arguments that are written at the call."""
        for at, row in later:
            self.add(arg, at, given=self._flow.values(self._unit, row))

    def add(self, arg: int, at: int | str, *, given: Values) -> None:
        """Add `given` as argument `at` (place or keyword) of the functions that `arg` may be."""
        for value in self._flow.values(self._unit, arg) if given else ():
            for number, is_bound in self._run(self._unit, arg, value):
                rows = self._program.definitions[number].parameters
                names = [row.name for row in rows if not row.kind]
                if isinstance(at, str):
                    place = names.index(at) if at in names else len(rows)
                else:
                    place = at + is_bound
                if place < len(rows) and not rows[place].kind:
                    self.found.update(dict.fromkeys(((number, place), one) for one in given))


def _as_given(unit: FileSymbols, args: tuple[int, ...]) -> _Later:
    found: _Later = []
    for place, arg in enumerate(args):
        op, name, value, _ = unit.expressions[arg]
        if op == _SPREAD:
            break
        found.append((name, value) if op == _KEYWORD else (place, arg))
    return found


def _written(unit: FileSymbols, arg: int) -> _Later:
    """Return the parts of a tuple, list or dictionary literal as arguments."""
    rows = unit.expressions
    op, kind, _, parts = rows[arg]
    if op != _COLLECTION:
        return []
    if kind != "dict":
        return [(place, part) for place, part in enumerate(parts) if rows[part][0] != _SPREAD]
    pairs = [rows[part][3] for part in parts if rows[part][0] == _PAIR]
    return [(rows[key][1], value) for key, value in pairs if rows[key][0] == _STRING]
