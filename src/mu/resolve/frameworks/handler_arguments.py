"""Handler arguments of registrations: functions, classes and callable objects."""

from collections.abc import Iterator

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CLASS,
    CLASSES,
    DEFINITION,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    WRAPPER,
    Key,
    Value,
    Values,
    class_of,
    number_of,
)
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.argument_syntax import ArgumentSyntax, RegistrationCall
from mu.resolve.frameworks.framework_detection import FrameworkDetection
from mu.resolve.limits import DEEPEST_WRAPPING
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.framework_models import Argument, Taken

_NAME, _COLLECTION = int(Op.NAME), int(Op.COLLECTION)
HTTP_METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")
"""The names of the methods with which a class handles the HTTP methods."""
_ANSWERED = frozenset(("head", "options", "trace"))


class HandlerArguments:
    """Finds the definitions that a call registers as handlers."""

    def __init__(self, program: Program, evaluator: Evaluator, written: ArgumentSyntax) -> None:
        self._program = program
        self._evaluator = evaluator
        self._written = written
        self._makers: frozenset[Key] = frozenset()
        self._wrappers: frozenset[Key] = frozenset()
        self._handling: set[str] = set()  # methods that make an object a handler

    def prepare(self, known: FrameworkDetection) -> None:
        """Record the functions that make a handler of a class or wrap one, and handler methods."""
        for framework in known.used:
            self._makers |= known.keys(framework.makers)
            self._wrappers |= known.keys(framework.wrappers)
            self._handling |= {framework.handling_method} - {""}

    def of(self, told: RegistrationCall, takes: tuple[Taken | Argument, ...]) -> list[int]:
        """Return the definitions, by number, that a call registers by any of `takes`."""
        found: dict[int, None] = {}
        for way in takes:
            found.update(dict.fromkeys(self._by(told, way)))
        return list(found)

    def given(self, unit: FileSymbols, row: int, *, depth: int = 0) -> Iterator[int]:
        """Yield the handlers, by number, that an expression or each element of a list names."""
        if unit.expressions[row][0] == _COLLECTION:
            for arg in unit.expressions[row][3]:
                yield from self.given(unit, arg, depth=depth)
            return
        called = self._written.call(unit, row)
        if called is not None and depth < DEEPEST_WRAPPING:
            holder, number = called
            _, _, function, args = holder.expressions[number]
            keys = {key for _, key, _ in self._evaluator.values(holder, function)}
            if keys & self._makers:
                base = holder.expressions[function][2]
                for value in self._evaluator.values(holder, base):
                    if value[0] in CLASSES and not self._program.is_library(class_of(value)):
                        yield class_of(value)
                return
            if keys & self._wrappers and args:
                for arg in args:
                    yield from self.given(holder, arg, depth=depth + 1)
                return
        yield from self._of_values(self._evaluator.values(unit, row))

    def methods(self, number: int) -> list[str]:
        """Return the HTTP methods that a class handles, by the names of its methods.

        Those that a framework handles by itself count only if the repository defines them.
        """
        if self._program.definitions[number].kind != "class":
            return []
        value: Value = (INSTANCE, number, Rule.REGISTERED)
        return [
            name
            for name in HTTP_METHODS
            for kind, key, _ in self._evaluator.members.of_class(value, name)
            if kind == DEFINITION
            and not (name in _ANSWERED and self._program.is_library(number_of(key)))
        ]

    def _by(self, told: RegistrationCall, way: Taken | Argument) -> Iterator[int]:
        if isinstance(way, Argument):
            for row in self._written.arguments(told.unit, told.args, wanted=way):
                if not (told.is_of_framework and _is_parameter(told.unit, row)):
                    yield from self.given(told.unit, row)
        elif way is Taken.RECEIVER:
            yield from self.given(told.unit, told.receiver) if told.receiver else ()
        elif told.decorated >= 0:
            yield told.unit.first + told.decorated

    def _of_values(self, values: Values) -> Iterator[int]:
        has_function = any(value[0] == FUNCTION for value in values)
        for value in values:
            kind, key, _ = value
            number = -1
            if kind in (FUNCTION, CLASS) or (kind == WRAPPER and not has_function):
                number = number_of(key)
            elif kind in INSTANCES and class_of(value) >= 0 and not has_function:
                number = self._call_method(value)
            if number >= 0 and not self._program.is_library(number):
                yield number

    def _call_method(self, value: Value) -> int:
        """Return the method that runs when an object is called or used as a handler; -1 if none."""
        method = self._program.unit_of[class_of(value)].calls.call_method
        for name in (*((method,) if method else ()), *sorted(self._handling)):
            for kind, key, _ in self._evaluator.members.of_class(value, name):
                if kind == DEFINITION:
                    return number_of(key)
        return -1


def _is_parameter(unit: FileSymbols, row: int) -> bool:
    op, name, scope, _ = unit.expressions[row]
    return op == _NAME and name in unit.parameters.get(scope, ())
