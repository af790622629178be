"""Callback models: what higher-order library functions pass to their callbacks.

`sorted(jobs, key=rank)` calls `rank` with elements of `jobs`, as the declaration of `sorted` says;
`submit(work, job)`, `Thread(target=work, args=(job,))` and `partial(work, job)` pass the other
arguments on to the function.
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

HANDS_ON = -1
"""What stands for a function among those that take arguments of a call: it hands them on."""

_COLLECTION, _PAIR, _KEYWORD = int(Op.COLLECTION), int(Op.PAIR), int(Op.KEYWORD)
_SPREAD, _STRING, _FUNCTION = int(Op.SPREAD), int(Op.STRING), int(Op.FUNCTION)

_NUMBERED = CLASSES | {FUNCTION}

_Later = list[tuple[int | str, int]]
"""(place or name, row) of what a function is called with later."""

Given = tuple[tuple[ParameterKey, Value], ...]

Run = Callable[[FileSymbols, int, Value], Iterator[tuple[int, bool]]]
"""(function, whether its first parameter is taken) of what runs when a value is called."""


class CallbackModels:
    """Finds what a higher-order function passes to its callback, by (function, parameter)."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._callbacks = Callbacks(program, flow)
        self._takes: dict[object, bool] = {}  # by definition

    def takes(self, unit: FileSymbols, values: Values) -> bool:
        """Tell whether a call of some values hands on what it is passed."""
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
        """What a call hands over, for each parameter of the functions that are given it."""
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
            is_in_place = unit.expressions[arg][0] == _FUNCTION  # which asks by itself
            for place in range(0 if is_in_place else max(counts, default=0)):
                given = self._flow.contextual_typing.told(
                    (unit, args), called, receiver=receiver, pattern=pattern, place=place
                )
                handed.add(arg, place, given=given)
            if 0 in counts:
                handed.add_later(arg, self._beside(unit, called, args))
        return tuple(handed.found)

    def _is_taker(self, value: Value) -> bool:
        """Tell whether a function or class is the library's and calls what it is passed."""
        is_outside = self._program.is_library(number_of(value[1]))
        return is_outside and self._callbacks.is_caller((value,))

    def _beside(self, unit: FileSymbols, called: int, args: tuple[int, ...]) -> _Later:
        """The arguments of a call that a function of the library passes on as they are."""
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
    """Collects what one call hands over; `run` tells what a value that is called runs."""

    def __init__(self, program: Program, flow: Flow, unit: FileSymbols, run: Run) -> None:
        self._program = program
        self._flow = flow
        self._unit = unit
        self._run = run
        self.found: dict[tuple[ParameterKey, Value], None] = {}

    def add_later(self, arg: int, later: _Later) -> None:
        """Add arguments that stand in the text."""
        for at, row in later:
            self.add(arg, at, given=self._flow.values(self._unit, row))

    def add(self, arg: int, at: int | str, *, given: Values) -> None:
        """Add what the functions that an argument may be are called with at a place, or by name."""
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
    """The same of arguments that are put together as a tuple, a list or a table."""
    rows = unit.expressions
    op, kind, _, parts = rows[arg]
    if op != _COLLECTION:
        return []
    if kind != "dict":
        return [(place, part) for place, part in enumerate(parts) if rows[part][0] != _SPREAD]
    pairs = [rows[part][3] for part in parts if rows[part][0] == _PAIR]
    return [(rows[key][1], value) for key, value in pairs if rows[key][0] == _STRING]
