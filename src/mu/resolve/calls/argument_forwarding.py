"""Argument forwarding through variadic parameters: `super().__init__(*args, **kwargs)`.

An argument bound to a variadic parameter is forwarded, by position or keyword, to the function that
the parameter is spread over. Only functions named at that call are followed: a wrapper calls
another function with other arguments each time it is used.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from mu.model.facts import Op
from mu.resolve.calls.argument_binding import ANY_NAMES, ANY_NUMBER, Call, part_of_rest
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_NAME, _SPREAD, _KEYWORD = int(Op.NAME), int(Op.SPREAD), int(Op.KEYWORD)

Passed = tuple[FileSymbols, int]
"""One argument: the file and its expression row."""

_Key = int | str  # the index among the variadic arguments, or the keyword
Delivered = tuple[int, int, Passed]
"""(function, place of the parameter, argument) that an argument is forwarded to."""


class _Forwarding(NamedTuple):
    """How a function forwards its variadic arguments to a callee."""

    taker: int
    marker: str
    first: int  # the parameter that the first of the arguments is passed to


class Recorded(NamedTuple):
    """Variadic arguments as (function, marker, index or keyword, file, row), and how functions
    forward them: (function, callee, marker, first parameter).
    """

    given: list[tuple[int, str, int | str, int, int]]
    forwardings: list[tuple[int, int, str, int]]


class ArgumentForwarding:
    """Follows arguments through functions that forward them."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._given: dict[int, dict[tuple[str, _Key, int, int], Passed]] = {}
        self._forwardings: dict[int, dict[_Forwarding, None]] = {}
        self._known_forwardings: dict[int, list[_Forwarding]] = {}  # all, after `finish`
        self._forwarders: set[int] | None = None
        self._recorded: Recorded | None = None  # since `take_recorded`, if any process asks for it

    def forwards(self, number: int) -> bool:
        """Return whether a function forwards its variadic arguments."""
        forwarders = self._forwarders
        return number in (self.forwarders() if forwarders is None else forwarders)

    def forwarders(self) -> set[int]:
        """Return all functions that forward their variadic arguments."""
        if self._forwarders is None:
            units = self._program.units.values()
            self._forwarders = {one for unit in units for one in self.forwarders_in(unit)}
        return self._forwarders

    def resume(
        self, forwarders: set[int], forwardings: Iterable[tuple[int, int, str, int]]
    ) -> None:
        """Restore the results of `forwarders` and `known_forwardings`.

        Arguments recorded before are not restored.
        """
        self._forwarders = {*forwarders}
        for number, taker, marker, first in forwardings:
            self._forwardings.setdefault(number, {})[_Forwarding(taker, marker, first)] = None

    def extend(self, units: Iterable[FileSymbols]) -> None:
        """Add the functions of some files that forward their arguments."""
        self.forwarders().update(one for unit in units for one in self.forwarders_in(unit))

    def finish(self) -> None:
        """Forget the recorded arguments, and keep how functions forward them (`known_forwardings`).

        Arguments recorded later are forwarded along all of these; `take_forwardings` returns new
        ones.
        """
        self._known_forwardings = {
            number: [*forwardings] for number, forwardings in self._forwardings.items()
        }
        self._clear()

    @property
    def known_forwardings(self) -> list[tuple[int, int, str, int]]:
        """(function, callee, marker, first parameter) of all forwardings, after `finish`."""
        return [
            (number, *forwarding)
            for number, forwardings in self._known_forwardings.items()
            for forwarding in forwardings
        ]

    def _clear(self) -> None:
        self._given.clear()
        self._forwardings.clear()

    def take_forwardings(self) -> set[tuple[int, tuple[int, str, int]]]:
        """Return and forget the forwardings recorded since `finish`, each with its function."""
        forwardings: set[tuple[int, tuple[int, str, int]]] = {
            (number, forwarding)
            for number, found in self._forwardings.items()
            for forwarding in found
        }
        self._clear()
        return forwardings

    def lead(self, taker: int, call: Call, *, is_bound: bool) -> Iterator[Delivered]:
        """Record that a call spreads a variadic parameter of its function.

        Yields the parameters that arguments recorded before reach by that call, as `give` does.
        """
        unit, args = call
        place = int(is_bound)
        for arg in args:
            op, marker, base, _ = unit.expressions[arg]
            if op == _SPREAD:
                number = self._rest_of(unit, base)
                if number >= 0 and number != taker:
                    yield from self._lead(number, _Forwarding(taker, marker, place))
            elif op != _KEYWORD:
                place += 1

    def _lead(self, number: int, forwarding: _Forwarding) -> Iterator[Delivered]:
        forwardings = self._forwardings.setdefault(number, {})
        if forwarding in forwardings:
            return
        forwardings[forwarding] = None
        if self._recorded is not None:
            self._recorded.forwardings.append((number, *forwarding))
        for (marker, key, _, _), passed in list(self._given.get(number, {}).items()):
            if marker == forwarding.marker:
                yield from _run(self._deliver(forwarding, key, passed))

    def take_recorded(self) -> Recorded:
        """Return what was recorded since the last time, to `record` it in another process."""
        found, self._recorded = self._recorded or Recorded([], []), Recorded([], [])
        return found

    def record(self, other: Recorded) -> list[Delivered]:
        """Record what another process has found; return the parameters that arguments reach by it,
        as `give` does.
        """
        recorded, self._recorded = self._recorded, None
        found: list[Delivered] = []
        for number, marker, key, file, row in other.given:
            passed = self._program.unit(file), row
            found += _run(self._note(number, marker, key, passed))
        for number, *forwarding in other.forwardings:
            found += self._lead(number, _Forwarding._make(forwarding))
        self._recorded = recorded
        return found

    def give(self, number: int, call: Call, *, is_bound: bool) -> Iterator[Delivered]:
        """Record the variadic arguments of a call of a function that forwards them (`forwards`).

        Yields (function, place of the parameter, argument) of each parameter that they reach.
        """
        unit, args = call
        place = int(is_bound)
        rows = self._program.definitions[number].parameters
        count = next((i for i, row in enumerate(rows) if row.kind), len(rows))
        names = {row.name for row in rows if not row.kind}
        for arg in args:
            op, name, base, _ = unit.expressions[arg]
            if op == _SPREAD:
                place = len(rows)
            elif op == _KEYWORD:
                if name not in names:
                    yield from _run(self._note(number, ANY_NAMES, name, (unit, base)))
            elif place < len(rows):
                if place >= count:
                    yield from _run(self._note(number, ANY_NUMBER, place - count, (unit, arg)))
                place += 1

    def _note(self, number: int, marker: str, key: _Key, passed: Passed) -> "_Steps":
        given = self._given.setdefault(number, {})
        place = (marker, key, passed[0].file.key, passed[1])
        if place in given:
            return
        given[place] = passed
        if self._recorded is not None:
            self._recorded.given.append((number, *place))
        for forwarding in (
            *self._known_forwardings.get(number, ()),
            *self._forwardings.get(number, ()),
        ):
            if forwarding.marker == marker:
                yield self._deliver(forwarding, key, passed)

    def _deliver(self, forwarding: _Forwarding, key: _Key, passed: Passed) -> "_Steps":
        """Yield the callee's parameter for an argument, and those that it is forwarded to."""
        rows = self._program.definitions[forwarding.taker].parameters
        for place, row in enumerate(rows):
            if isinstance(key, str):
                if row.name == key and not row.kind:
                    yield forwarding.taker, place, passed
                    return
                if row.kind == ANY_NAMES:
                    yield forwarding.taker, place, passed
                    yield self._note(forwarding.taker, ANY_NAMES, key, passed)
            elif row.kind == ANY_NUMBER:
                yield (
                    forwarding.taker,
                    part_of_rest(rows, place, index=forwarding.first + key - place),
                    passed,
                )
                yield self._note(
                    forwarding.taker, ANY_NUMBER, forwarding.first + key - place, passed
                )
                return
            elif not row.kind and place == forwarding.first + key:
                yield forwarding.taker, place, passed
                return

    def _rest_of(self, unit: FileSymbols, row: int) -> int:
        """Return the function whose variadic parameter an expression names; -1 if it names none."""
        op, text, scope, _ = unit.expressions[row]
        place = unit.parameters.get(scope, {}).get(text) if op == _NAME else None
        if place is None:
            return -1
        number = unit.first + unit.scopes[scope].definition
        return number if self._program.definitions[number].parameters[place].kind else -1

    def forwarders_in(self, unit: FileSymbols) -> Iterator[int]:
        """Yield the functions of one file that forward their arguments."""
        for op, _, base, _ in unit.expressions:
            if op == _SPREAD:
                number = self._rest_of(unit, base)
                if number >= 0:
                    yield number


_Steps = Iterator[Delivered | Iterator[object]]
"""Deliveries, and iterators of more of them."""


def _run(steps: Iterator[object]) -> Iterator[Delivered]:
    """Yield all deliveries, in order.

    Chains of functions that forward arguments are longer than the interpreter's stack.
    """
    stack = [steps]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
        elif isinstance(step, Iterator):
            stack.append(step)
        else:
            yield cast(Delivered, step)
