"""Error conversion: `From::from`, which `load()?` calls in Rust.

By the Rust reference, `?` calls `From::from` of the function's declared error type on the error. An
error that already has this type is ignored, as its `From` is the library's.
"""

from collections.abc import Iterator

from mu.resolve.abstract_values import (
    CLASS,
    DEFINITION,
    EXTERNAL_INSTANCE,
    INSTANCES,
    Value,
    Values,
    class_of,
    name_outside,
    number_of,
)
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program


class ErrorConversion:
    """The `From::from` implementations that convert errors."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator

    def raised(self, unit: FileSymbols, given: int, *, declared: int) -> Iterator[Value]:
        """Yield the functions that convert errors of row `given` to the type of row `declared`.

        They are members of the declared error's class, each with the rule that found it; none if
        the type of the error is unknown.
        """
        method = unit.implicit.error_conversion
        errors = self._errors(unit, self._evaluator.values(unit, given))
        told = self._evaluator.type_expressions.declared(unit, declared, scope=0) if errors else ()
        for own in self._errors(unit, told):
            if own[0] not in INSTANCES or self._program.is_library(class_of(own)):
                continue
            maker = (CLASS, class_of(own), own[2])
            for kind, key, rule in self._evaluator.members.of_class(maker, method):
                if kind == DEFINITION and self._takes(number_of(key), errors):
                    yield kind, key, rule

    def _errors(self, unit: FileSymbols, values: Values) -> Values:
        return self._evaluator.iteration.part(
            unit, values, place=unit.implicit.error_variant, whole=0
        )

    def _takes(self, number: int, errors: Values) -> bool:
        """Return whether a function's first parameter has exactly the type of one of the errors."""
        if self._program.is_library(number) or not self._program.definitions[number].parameters:
            return False
        wanted = {_type_of(one) for one in self._evaluator.argument_binding.pattern(number, 0)}
        return any(_type_of(error) in wanted for error in errors if _type_of(error) is not None)


def _type_of(value: Value) -> object:
    """Return the class of an instance, as a number or dotted name; None for any other value."""
    if value[0] == EXTERNAL_INSTANCE:
        return name_outside(value[1])
    return class_of(value) if value[0] in INSTANCES and class_of(value) >= 0 else None
