"""Interprocedural propagation of arguments to parameters, by Jacobi iteration over call sites.

The callees of a call depend on the points-to sets of parameters, which depend on the callees of
calls. Each iteration evaluates the undecided call sites with the sets of the iteration before and
nothing of its own (Jacobi, not Gauss-Seidel), so that results do not depend on the order of call
sites. Until the last iteration has ended, whatever depends on a parameter is provisional. There are
at most `MOST_ITERATIONS`, so the work is a few times that of evaluating each call once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, repeat
from typing import TypeVar, TypeVarTuple

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLES,
    CLASSES,
    DEFINED,
    DEFINITION,
    MAY_BE_MORE,
    SUPER,
    Value,
    Values,
    as_passed,
    class_of,
    number_of,
)
from mu.resolve.calls.argument_forwarding import ArgumentForwarding, Delivered
from mu.resolve.calls.callback_models import FORWARDS_TO_CALLBACK, CallbackModels
from mu.resolve.calls.invoked_functions import InvokedFunctions
from mu.resolve.calls.operator_arguments import OperatorArguments
from mu.resolve.evaluation.decorator_arguments import DecoratorArguments
from mu.resolve.evaluation.propagation_exchange import PropagationExchange
from mu.resolve.evaluation.wanted_parameters import WantedParameters
from mu.resolve.limits import MOST_FUNCTIONS, MOST_ITERATIONS
from mu.resolve.program.file_part import calls_of, operations_of
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.parameter_sets import OWN_PLACE, Argument, ParameterSets
from mu.resolve.solver.propagation_state import Makers, Passed, PropagationState, Row, readable
from mu.resolve.solver.solver import NO_NEEDS, Needs, ParameterKey

_CALL, _ATTRIBUTE, _SPREAD = int(Op.CALL), int(Op.ATTRIBUTE), int(Op.SPREAD)
_CALLBACK = Rule.CALLBACK

_Passed = tuple[FileSymbols, int]
"""A call, operation or argument: its file and row; an assignment: its binding, down from -1."""

_Takers = tuple[tuple[int, bool], ...]
"""(function, whether the call binds its first parameter) of each possible callee of a call."""

_Made = tuple[int, ...]
"""The classes that a call instantiates."""

_Argument = tuple[ParameterKey, FileSymbols, int]
_Given = tuple[ParameterKey, Value]

Answer = TypeVar("Answer")
About = TypeVarTuple("About")


class ParameterPropagation:
    """Computes the points-to set of each parameter, by (function, place)."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._collected = ParameterSets(program, flow)
        self._points_to: dict[ParameterKey, Values] = {}  # the sets when the iteration began
        self._forwarding = ArgumentForwarding(program)
        self._handing = CallbackModels(program, flow)
        self._operands = OperatorArguments(program, flow)
        self._decorated = DecoratorArguments(program, flow)
        self._invoked = InvokedFunctions(program, flow)
        self._wanted = WantedParameters(program, flow, self._collected, self._forwarding)
        self._passed: dict[ParameterKey, set[tuple[int, int]]] = {}
        self._takers: dict[int, dict[int, _Takers]] = {}  # by file and row
        self._unread: list[_Argument] = []
        self._waiting: list[tuple[_Argument, Needs]] = []  # read, but the answer may change
        self._makers: Makers = {}
        self._exchange: PropagationExchange | None = None  # while a group of processes propagates
        self.unfinished = 0  # parameters still growing after `MOST_ITERATIONS`
        self.made: set[int] = set()  # the instantiated classes

    def of(self, number: int, place: int) -> Values:
        """Return a parameter's points-to set so far; over the limit, only the functions."""
        if self._program.is_library(number):
            return ()
        self._flow.solver.depend_on_parameter((number, place))
        held = self._points_to.get((number, place), ())
        return held if len(held) <= MOST_FUNCTIONS else readable(held)

    @property
    def over_limit(self) -> Set[ParameterKey]:
        """The parameters over the limit."""
        return self._collected.over_limit

    def makers(self, need: ParameterKey) -> Mapping[tuple[int, int], Set[int]]:
        """Map each argument of a constructor's parameter to the classes instantiated with it.

        Arguments are given by (file, row); the class -1 stands for any.
        """
        self._flow.solver.depend_on_parameter(need)
        return {
            argument: self._made_by_all(calls)
            for argument, calls in self._makers.get(need, {}).items()
        }

    def _made_by_all(self, calls: Iterable[Row]) -> frozenset[int]:
        unit = self._program.unit
        return frozenset(made for file, row in calls for made in self._made_by(unit(file), row))

    def _made_by(self, unit: FileSymbols, number: int) -> Iterator[int]:
        """Yield the classes that a constructor call instantiates, also by `super()`; -1 for any."""
        _, _, function, _ = unit.expressions[number]
        op, _, base, _ = unit.expressions[function]
        holders = self._flow.values(unit, base) if op == _ATTRIBUTE else ()
        found = [class_of(holder) for holder in holders if holder[0] == SUPER]
        found += [class_of(v) for v in self._flow.values(unit, function) if v[0] in CLASSES]
        yield from found or (-1,)

    def prepare(self) -> None:
        """Find the functions and operators of all files that are asked for in `propagate`."""
        self._forwarding.forwarders()
        self._operands.asked(self._wanted.wants)

    def propagate(self, exchange: PropagationExchange | None = None) -> None:
        """Evaluate all call sites of the repository in iterations; files in the order of paths.

        A process of a group evaluates those of its files, and has what all passed in the end.
        """
        units = self._program.units.values() if exchange is None else exchange.units
        self._exchange = exchange
        if exchange is not None:
            exchange.begin(self._collected, self._forwarding)
        self._iterate(sorted(units, key=lambda unit: unit.file.path))
        if exchange is not None:
            exchange.gather_makers(self._makers)
            self.made = exchange.gather_definitions(self.made)
        self._exchange = None
        self.finish()

    def extend(self, units: Sequence[FileSymbols], left_out: Set[Argument]) -> set[ParameterKey]:
        """Add the calls of some files to the resumed state; return the parameters that grew.

        To be called between `resume` and `finish`. `left_out` are arguments that these files passed
        before and that were not added: iterations end before numbers and strings have been
        forwarded everywhere.
        """
        before = dict(self._points_to)
        self._collected.left_out = left_out
        self._forwarding.extend(units)
        self._operands.extend(units, self._wanted.wants)
        self._iterate(units)
        return {
            need
            for need, values in self._points_to.items()
            if (known := before.get(need, ())) is not values
            and not {one[:2] for one in values} <= {one[:2] for one in known}
        }

    def _iterate(self, units: Sequence[FileSymbols]) -> None:
        search, collected = self._flow.solver, self._collected
        calls = self._look_at(call for unit in units for call in self._calls_in(unit))
        self._exchange_calls()
        self._apply_decorators(units)
        fresh: Iterable[tuple[_Argument, Needs]] = zip(self._unread, repeat(NO_NEEDS))
        for iteration in range(MOST_ITERATIONS):
            self._unread = []
            self._waiting += self._take(fresh)
            self._exchange_arguments()
            changed = collected.begin_iteration()
            if not changed:
                break
            if not iteration:  # later on, one more number or string would find no new callee
                changed |= collected.plain
                collected.plain = set()
            self._show(changed)
            search.invalidate(changed)
            again, calls = search.parted(calls)
            calls += self._look_at(again)
            self._exchange_calls()
            doubted, self._waiting = search.parted(self._waiting)
            fresh = chain(doubted, zip(self._unread, repeat(NO_NEEDS)))
        else:
            self._take(fresh)
            self._exchange_arguments()
            self.unfinished = len(collected.changed)
        search.invalidate(collected.changed | collected.plain)
        self._show(collected.changed | collected.plain)

    def _exchange_arguments(self) -> None:
        if self._exchange is not None:
            self._exchange.exchange_arguments(self._collected)

    def _exchange_calls(self) -> None:
        if self._exchange is not None:
            for delivered in self._exchange.exchange_forwarded(self._forwarding):
                if self._is_asked(delivered):
                    self._note_passed(delivered[:2], delivered[2])

    def finish(self) -> None:
        """End propagation: pending answers become final."""
        self._flow.solver.finish(self._program.units_there())
        self._forget_calls()
        self._collected.finish(self._points_to)
        self._forwarding.finish()

    def _forget_calls(self) -> None:
        for gathered in (self._passed, self._takers, self._unread, self._waiting):
            gathered.clear()

    def state(self) -> PropagationState:
        """Return the state of the propagation, for `resume`."""
        return PropagationState(
            self._points_to,
            self._collected.supports,
            self._collected.passers,
            self.unfinished,
            self._makers,
            self._forwarding.forwarders(),
            self._forwarding.known_forwardings,
            *self._operands.asked(self._wanted.wants),
            self._collected.read_before_limit,
        )

    def resume(self, state: PropagationState) -> None:
        """Restore an earlier state instead of `propagate`; to be followed by `finish`."""
        self._points_to, self._makers = dict(state.points_to), dict(state.makers)
        self.unfinished = state.unfinished
        collected, read = self._collected, state.read_before_limit
        collected.resume(state.points_to, state.over_limit, read=read, supports=state.supports)
        self._forwarding.resume(state.forwarders, state.forwardings)
        self._operands.resume(state.operators, state.setters)

    def asks_more(self, unit: FileSymbols) -> bool:
        """Return whether a file has operator methods or setters of names that none had before."""
        return self._operands.asks_more(unit, self._wanted.wants)

    def passed_in(self, unit: FileSymbols) -> Passed:
        """Return what the calls, operators and decorators of a file pass, after propagation.

        Only that file is evaluated; what was found for other files stays.
        """
        kept, over_limit = self._makers, {*self.over_limit}
        self._makers, self.made = {}, set()
        self._look_at(self._calls_in(unit))
        for local, row in enumerate(unit.facts.definitions):
            if row.decorators and local not in unit.left_out:
                for need, value in self._decorated_with(unit.first + local):
                    self._collected.add(need, value, file=unit.key)
        self._take(zip(self._unread, repeat(NO_NEEDS)))
        made_with = {
            (need, defined, self._made_by_all(calls))
            for need, arguments in self._makers.items()
            for argument, calls in arguments.items()
            if (defined := frozenset(o for o in self._identities(argument) if o[0] in DEFINED))
        }
        found = Passed(
            self._collected.take_held(),
            self._forwarding.take_forwardings(),
            *(self.made, made_with, self._makers),
            places={(need, row) for need, one, row in self._unread if one.key == unit.key},
        )
        self._makers, self._collected.over_limit = kept, over_limit
        self._forget_calls()
        return found

    def forwarding_in(self, unit: FileSymbols) -> set[int]:
        """Return the functions of a file that forward their arguments."""
        return {*self._forwarding.forwarders_in(unit)}

    def _identities(self, argument: Row) -> frozenset[tuple[int, object]]:
        """Return the values of an argument, by kind and key."""
        file, row = argument
        values = self._flow.values(self._program.unit(file), row)
        return frozenset(as_passed(value)[:2] for value in values)

    def _show(self, needs: Set[ParameterKey]) -> None:
        """Make the current points-to sets of some parameters visible to evaluation."""
        self._points_to.update(self._collected.of(needs))

    def _calls_in(self, unit: FileSymbols) -> Iterator[tuple[_Passed, Needs]]:
        """Yield the calls of a file, then its operators and assignments that may pass arguments."""
        yield from (((unit, number), NO_NEEDS) for number in calls_of(unit))
        find, run = self._operands.operations, self._program.fence.run
        found: Sequence[int] = run(unit.file, find, unit, self._wanted.wants, otherwise=[])
        yield from (((unit, number), NO_NEEDS) for number in operations_of(unit, found))

    def _look_at(self, calls: Iterable[tuple[_Passed, Needs]]) -> list[tuple[_Passed, Needs]]:
        """Record what calls pass and to what; return those with an answer that is not final."""
        waiting, run = [], self._program.fence.run
        for call, before in calls:
            if needs := run(call[0].file, self._look_at_call, call, before, otherwise=NO_NEEDS):
                waiting.append((call, needs))
        return waiting

    def _look_at_call(self, call: _Passed, before: Needs) -> Needs:
        """Record what a call or operation passes, unless its needs `before` hold; return needs."""
        if before and not self._flow.solver.has_changed(before):
            return before
        unit, number = call
        if number < 0 or unit.expressions[number][0] != _CALL:
            return self._look_at_operation(unit, number)
        _, _, function, args = unit.expressions[number]
        known = self._takers.setdefault(unit.key, {})
        takers, needs = known.get(function), NO_NEEDS
        if takers is None:
            (takers, made), needs = self._step(self._find_takers, unit, function)
            self.made.update(made)
            if not needs:
                known[function] = takers
        if args and unit.prototypes is not None:
            self._note_own(unit, function, args)
            args = self._flow.argument_binding.handed(unit, function, args=args)
        bindings = self._flow.argument_binding.bindings
        for taker, is_bound in bindings(takers, (unit, args)) if args else ():
            self._note_arguments(taker, call, args, is_bound=is_bound)
        return needs

    def _look_at_operation(self, unit: FileSymbols, number: int) -> Needs:
        """Record what an operator or assignment passes; return its needs."""
        given, needs = self._step(self._operands.given, unit, number)
        for taker, place, row in given:
            if self._wanted.is_wanted(taker, place):
                self._note_passed((taker, place), (unit, row))
        return needs

    def _note_own(self, unit: FileSymbols, function: int, args: tuple[int, ...]) -> None:
        """Record a receiver that is passed as an argument, as in `f.call(x)` or `f.bind(x)`."""
        op, name, base, _ = unit.expressions[function]
        words = unit.members.prototypes
        if op != _ATTRIBUTE or words is None:
            return
        if name not in words.callers and name not in words.binders:
            return
        for kind, key, _ in self._flow.values(unit, base):
            if kind in CALLABLES and not self._program.is_library(number_of(key)):
                self._note_passed((number_of(key), OWN_PLACE), (unit, args[0]))

    def _step(self, compute: Callable[[*About], Answer], *about: *About) -> tuple[Answer, Needs]:
        """Return the result of a computation, and its needs."""
        search = self._flow.solver
        search.needs.clear()
        answer = compute(*about)
        return answer, search.needed()

    def _find_takers(self, unit: FileSymbols, function: int) -> tuple[_Takers, _Made]:
        """Find the functions that calls of an expression pass to, and the instantiated classes."""
        found: dict[tuple[int, bool], None] = {}
        made = []
        values = self._flow.called(unit, function)
        if self._handing.takes(unit, values):
            found[FORWARDS_TO_CALLBACK, False] = None
        for value in values:
            if value[0] in CLASSES and self._flow.record_classes.fields(class_of(value)):
                found[class_of(value), True] = None
            if value[0] in CLASSES and value[2] is not Rule.TYPED:  # `type[X]` may be any subclass
                made.append(class_of(value))
            for number, is_bound in self._run(unit, function, value):
                found[number, is_bound] = None
        op, name, base, _ = unit.expressions[function]
        if op == _ATTRIBUTE:
            for holder in self._flow.values(unit, base):
                if holder[0] in MAY_BE_MORE:
                    below = self._flow.hierarchy.overriding(class_of(holder), name)
                    found.update(
                        ((number, True), None) for number in below if self._wanted.wants(number)
                    )
        return tuple(found), tuple(made)

    def _run(self, unit: FileSymbols, function: int, value: Value) -> Iterator[tuple[int, bool]]:
        """Find the functions that a call of a value runs, of those whose arguments are wanted."""
        return self._invoked.of(unit, function, value=value, wants=self._wanted.wants)

    def _note_arguments(
        self, number: int, call: _Passed, args: tuple[int, ...], *, is_bound: bool
    ) -> None:
        unit = call[0]
        if number == FORWARDS_TO_CALLBACK:
            self._note_passed((FORWARDS_TO_CALLBACK, 0), call)
            return
        if self._program.definitions[number].kind == "class":
            for need, arg in self._flow.record_classes.passed(number, (unit, args)):
                self._note_passed(need, (unit, arg))
            return
        wanted = self._wanted.of(number)
        calls = self._program.unit_of[number].calls
        is_maker = self._program.definitions[number].name in calls.constructors
        for taker, place, passed_on in self._go_on(number, call, args, is_bound=is_bound):
            self._note_passed((taker, place), passed_on)
        if not wanted:
            return
        parted = self._flow.variadic_parameters.parted
        for place, arg in parted(number, (unit, args), is_bound=is_bound, wanted=wanted):
            if is_maker:
                makers = self._makers.setdefault((number, place), {})
                makers.setdefault((unit.key, arg), set()).add((unit.key, call[1]))
            self._note_passed((number, place), (unit, arg))

    def _note_passed(self, need: ParameterKey, argument: _Passed) -> None:
        passed, (unit, row) = self._passed.setdefault(need, set()), argument
        if (unit.key, row) not in passed:
            passed.add((unit.key, row))
            self._unread.append((need, unit, row))

    def _go_on(
        self, number: int, call: _Passed, args: tuple[int, ...], *, is_bound: bool
    ) -> Iterator[tuple[int, int, _Passed]]:
        """Yield what variadic parameters forward, through this call, to wanted parameters."""
        unit, row = call
        is_spread = self._forwarding.forwards(number)
        give = self._forwarding.give
        found = list(give(number, (unit, args), is_bound=is_bound)) if is_spread else []
        for arg in args:
            if unit.expressions[arg][0] == _SPREAD:
                if self._is_named(unit, unit.expressions[row][2]):
                    found += self._forwarding.lead(number, (unit, args), is_bound=is_bound)
                break
        yield from filter(self._is_asked, found)

    def _is_asked(self, delivered: Delivered) -> bool:
        """Return whether an argument that is forwarded is of interest, and this process's."""
        taker, place, (unit, _) = delivered
        whole = self._flow.variadic_parameters.whole(taker, place)
        is_own = self._exchange is None or self._exchange.is_own(unit)
        return is_own and self._wanted.is_wanted(taker, whole)

    def _is_named(self, unit: FileSymbols, function: int) -> bool:
        """Return whether the callee is named at the call, and not a value that was passed there."""
        symbols = self._flow.symbols(unit, function)
        return bool(symbols) and all(symbol[0] == DEFINITION for symbol in symbols)

    def _apply_decorators(self, units: Iterable[FileSymbols]) -> None:
        """Record that each decorator is called with the function or class below it."""
        given, run = list[tuple[int, _Given]](), self._program.fence.run
        for unit in units:
            for local, row in enumerate(unit.facts.definitions):
                if row.decorators and local not in unit.left_out:
                    found = run(unit.file, self._decorated_with, unit.first + local, otherwise=[])
                    given += zip(repeat(unit.key), found)
        for file, (need, value) in given:
            self._collected.add(need, value, file=file)

    def _decorated_with(self, number: int) -> list[_Given]:
        """Return what the decorators of a definition are called with."""
        return self._decorated.given(number, self._run, wants=self._wanted.is_wanted)

    def _take(self, arguments: Iterable[tuple[_Argument, Needs]]) -> list[tuple[_Argument, Needs]]:
        """Evaluate arguments; return those with an answer that is not final."""
        waiting, run = [], self._program.fence.run
        for argument, before in arguments:
            file, take = argument[1].file, self._take_one
            if needs := run(file, take, argument, before, otherwise=NO_NEEDS):
                waiting.append((argument, needs))
        return waiting

    def _take_one(self, argument: _Argument, before: Needs) -> Needs:
        """Evaluate one argument, unless its needs `before` hold; return its needs."""
        if before and not self._flow.solver.has_changed(before):
            return before
        key, unit, row = argument
        if key[0] == FORWARDS_TO_CALLBACK:
            return self._hand_on(unit, row)
        known = unit.values[row]
        if known is not None:
            values, needs = known, NO_NEEDS
        else:
            values, needs = self._step(self._flow.values, unit, row)
        for value in values:
            self._collected.add(key, as_passed(value), file=unit.key)
        return needs

    def _hand_on(self, unit: FileSymbols, number: int) -> Needs:
        """Add the arguments that a library function passes to its callbacks; return the needs."""
        given, needs = self._step(self._handing.of, (unit, number), self._run)
        for need, value in given:
            if need[1] in self._wanted.of(need[0]):
                self._collected.add(need, as_passed(value), file=unit.key)
        return needs
