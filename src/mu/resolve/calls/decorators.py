"""Decorators: the value of a decorated name."""

from collections.abc import Iterator, Set

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLE,
    CLASS,
    CLASSES,
    DEFINITION,
    FUNCTION,
    INSTANCES,
    WRAPPER,
    Value,
    Values,
    bounded,
    class_of,
    number_of,
    parts_of,
)
from mu.resolve.limits import MOST_REPLACEMENTS
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.types.type_parameters import Environment, substitute

_CALL, _ATTRIBUTE = int(Op.CALL), int(Op.ATTRIBUTE)


class Decorators:
    """Computes the value of a decorated function or class."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._known: dict[int, tuple[Values, ...]] = {}

    def put_before(self, number: int, *, below: int = -1) -> Values:
        """Return the values that replace a decorated function, besides the function itself.

        They come from the outermost decorator that returns anything but the function. With `below`,
        only decorators inside the one at that place count.
        """
        for place, layer in enumerate(self._layers(number)):
            if place > below and layer:
                return layer
        return ()

    def changed(self, unit: FileSymbols, decorator: int, *, found: Values) -> Values:
        """Return the result of calls after a library decorator has changed the function's type.

        `found` is the result before. It is unified with what the decorator declares its argument to
        return.
        """
        for kind, key, _ in self._flow.values(unit, decorator):
            if kind == FUNCTION and self._program.is_library(number_of(key)):
                number = number_of(key)
                if not self._program.definitions[number].parameters:
                    continue
                environment: Environment = {}
                for pattern in self._flow.argument_binding.pattern(number, 0):
                    if pattern[0] == CALLABLE:
                        self._flow.argument_binding.unify(
                            unit, parts_of(pattern)[0], values=found, environment=environment
                        )
                changed = substitute(self._flow.return_summaries.of(number)[0], environment)
                results = [v for v in changed if v[0] == CALLABLE]
                if results:
                    return bounded([v for value in results for v in parts_of(value)[0]])
        return found

    def is_within(self, number: int, around: frozenset[int]) -> bool:
        """Return whether a function is defined inside one of the functions `around`."""
        unit, scope = self._program.unit_of[number], self._program.definitions[number].scope
        while scope > 0:
            _, parent, definition, _, _ = unit.scopes[scope]
            if definition >= 0 and unit.first + definition in around:
                return True
            scope = parent
        return False

    def _layers(self, number: int) -> tuple[Values, ...]:
        """Return the values by which each decorator replaces a function, outermost first."""
        known = self._known.get(number)
        if known is not None:
            return known
        found, is_final = self._flow.solver.solve(("decorated", number), self._find_layers, number)
        if is_final:
            self._known[number] = found
        return found

    def _find_layers(self, number: int) -> tuple[Values, ...]:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        return tuple(
            self._layer(unit, decorator, of=number) or self._added(unit, decorator, of=number)
            for decorator, _, _ in row.decorators
        )

    def _added(self, unit: FileSymbols, decorator: int, *, of: int) -> Values:
        """Return the implementations registered with a function by `singledispatch`."""
        for kind, key, _ in (
            self._flow.values(unit, decorator) if unit.calls.single_dispatch else ()
        ):
            dotted = str(key)
            if kind in (FUNCTION, CLASS) and self._program.is_library(number_of(key)):
                dotted = self._program.dotted(number_of(key))
            word = unit.calls.single_dispatch.get(dotted)
            if word:
                return tuple(self._find_added(of, word))
        return ()

    def _find_added(self, number: int, word: str) -> Iterator[Value]:
        """Yield the functions decorated with the attribute `word` of a function: `@f.register`."""
        for unit in self._marking(word):
            for function, added in self._added_in(unit, frozenset((word,))):
                if function == number:
                    yield FUNCTION, added, Rule.INFERRED

    def implementations_in(self, key: int) -> frozenset[tuple[int, int]]:
        """Return the implementations that a file of the repository registers, as pairs of the
        function that dispatches to them and the implementation.
        """
        words = frozenset(self._program.rules_of(key).calls.single_dispatch.values())
        if words.isdisjoint(self._program.outline(key).marks):
            return frozenset()
        return frozenset(self._added_in(self._program.units[key], words))

    def _added_in(self, unit: FileSymbols, words: Set[str]) -> Iterator[tuple[int, int]]:
        for local, row in enumerate(unit.facts.definitions):
            for decorator, _, _ in row.decorators:
                op, name, base, _ = unit.expressions[decorator]
                if op == _CALL:
                    op, name, base, _ = unit.expressions[base]
                if op == _ATTRIBUTE and name in words:
                    symbols = self._flow.symbols(unit, base)
                    functions = {s[1] for s in symbols if s[0] == DEFINITION}
                    yield from ((number_of(one), unit.first + local) for one in functions)

    def _marking(self, word: str) -> Iterator[FileSymbols]:
        """Yield the files in which a decorator is an attribute named `word`."""
        for key in self._program.files:
            if word in self._program.outline(key).marks:
                yield self._program.units[key]

    def _layer(self, unit: FileSymbols, decorator: int, *, of: int) -> Values:
        found: list[Value] = []
        others: list[Value] = []
        values = self._flow.values(unit, decorator)
        given = frozenset(value[:2] for value in values)  # with arguments, it may return itself
        for value in values:
            runs = self._runs(value)
            if self._stands_on_class(of) and not self._gives_one(runs):
                continue
            if value[0] == CALLABLE or runs:
                for made in self._flow.call_results.called(unit, (value,)):
                    if made[0] == FUNCTION:
                        if made[:2] in given:
                            continue
                        if self.is_within(number_of(made[1]), runs):
                            found.append((WRAPPER, made[1], made[2]))
                        elif self._is_other(number_of(made[1]), runs | {of}):
                            others.append(made)
                    elif made[0] in INSTANCES or self._is_other_class(made, of, runs=runs):
                        found.append(made)
            elif self._is_of_framework(value):
                found += self._put_by_framework(unit, value)
            elif value[0] in CLASSES and not self._program.is_library(class_of(value)):
                found.append(self._flow.call_results.made(value, None))
        if len(others) <= MOST_REPLACEMENTS:
            found += others
        return bounded(found)

    def _stands_on_class(self, number: int) -> bool:
        return self._program.definitions[number].kind == "class"

    def _is_other_class(self, made: Value, number: int, *, runs: frozenset[int]) -> bool:
        """Return whether a class replaces what is decorated.

        It is another class for a class, or is made in the decorator. Another class for a function
        is more likely called later, as a decorator.
        """
        if made[0] != CLASS or made[1] == number:
            return False
        return self._stands_on_class(number) or self.is_within(number_of(made[1]), runs)

    def _gives_one(self, functions: frozenset[int]) -> bool:
        """Return whether each function has one `return`; others may return themselves."""
        return all(len(self._program.definitions[number].returned) == 1 for number in functions)

    def _is_other(self, number: int, known: frozenset[int]) -> bool:
        """Return whether a function belongs to the repository and is not among the `known`."""
        return number not in known and not self._program.is_library(number)

    def _is_of_framework(self, value: Value) -> bool:
        """Return whether a value is a library function outside the language's standard library."""
        number = number_of(value[1]) if value[0] == FUNCTION else -1
        if number < 0 or not self._program.is_library(number):
            return False
        return not self._program.unit_of[number].modules.is_stdlib(self._program.dotted(number))

    def _put_by_framework(self, unit: FileSymbols, value: Value) -> Values:
        """Return the instances by which a decorator with optional arguments replaces a function.

        Such a decorator returns a callable, whose results these are.
        """
        given = self._flow.call_results.called(unit, (value,))
        made = self._flow.call_results.called(unit, tuple(v for v in given if v[0] == CALLABLE))
        return tuple(v for v in made if v[0] in INSTANCES)

    def _runs(self, value: Value) -> frozenset[int]:
        """Return the functions of the repository that run when a value is called."""
        kind, key, _ = value
        if kind == FUNCTION:
            numbers = [number_of(key)]
        elif kind in INSTANCES and class_of(value) >= 0:
            method = self._program.unit_of[class_of(value)].calls.call_method
            symbols = self._flow.members.of_class(value, method) if method else ()
            numbers = [number_of(k) for how, k, _ in symbols if how == DEFINITION]
        else:
            numbers = []
        return frozenset(n for n in numbers if not self._program.is_library(n))
