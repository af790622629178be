"""Callees of awaited calls: coroutine functions, where any callee is one."""

from mu.model.facts import Flag, Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import CALLABLES, INSTANCES, Value, Values, class_of, number_of
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_AWAIT = int(Op.AWAIT)
_ASYNC, _GENERATOR = int(Flag.ASYNC), int(Flag.GENERATOR)


class AwaitedCallees:
    """A filter of awaited calls, which drops callees whose results cannot be awaited."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self._known: dict[tuple[int, bool], bool] = {}

    def calls(self, unit: FileSymbols) -> frozenset[int]:
        """Return the rows of a file's awaited expressions; none if anything may be awaited."""
        if not unit.implicit.await_method:
            return frozenset()
        return frozenset([base for op, _, base, _ in unit.expressions if op == _AWAIT])

    def meant(self, values: Values) -> Values:
        """Return those of several callees whose results can be awaited; all if there are none."""
        if len(values) < 2:
            return values
        kept = tuple([value for value in values if self._may_be_awaited(value)])
        return kept or values

    def _may_be_awaited(self, value: Value) -> bool:
        """Return whether calling a value may return an awaitable object."""
        if value[0] not in CALLABLES:
            return True
        place = number_of(value[1]), value[2] is Rule.CALLBACK
        known = self._known.get(place)
        if known is None:
            known = self._gives_awaitable(*place)
            self._known[place] = known
        return known

    def _gives_awaitable(self, number: int, is_passed: bool) -> bool:
        row = self._program.definitions[number]
        if self._program.is_library(number) or row.flags & _ASYNC:
            return True
        # An external decorator may return anything. The repository's own are passed the
        # undecorated function, which is what they call as a callback.
        if row.decorators and not (is_passed and self._is_known(number)):
            return True
        if row.flags & _GENERATOR or not (row.returned or row.returns):
            return False
        given, _ = self._evaluator.return_summaries.of(number)
        return not given or any(map(self._is_awaitable, given))

    def _is_known(self, number: int) -> bool:
        """Return whether all decorators of a function are defined in the repository."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        return all(
            any(self._is_own(value) for value in self._evaluator.values(unit, decorator))
            for decorator, _, _ in row.decorators
        )

    def _is_own(self, value: Value) -> bool:
        number = class_of(value) if value[0] in CALLABLES or value[0] in INSTANCES else -1
        return number >= 0 and not self._program.is_library(number)

    def _is_awaitable(self, value: Value) -> bool:
        """Return whether a value can be awaited; true if its class is unknown."""
        if value[0] not in INSTANCES or class_of(value) < 0:
            return True
        members, unit = self._evaluator.members, self._program.unit_of[class_of(value)]
        symbols = members.of_class(value, unit.implicit.await_method)
        return bool(symbols) or None in members.order(class_of(value))
