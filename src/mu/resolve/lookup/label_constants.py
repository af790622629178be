"""Labels of switches, which name a constant of the enumeration that the switch is on, if it is."""

from typing import Protocol

from mu.resolve.abstract_values import (
    EXTERNAL,
    EXTERNAL_INSTANCE,
    OF_CLASS,
    Symbol,
    Symbols,
    Value,
    Values,
    class_of,
    name_outside,
)
from mu.resolve.program.file_symbols import ENUMERATION, FileSymbols
from mu.resolve.program.program import Program


class LabelEvaluator(Protocol):
    """The part of the evaluator that is asked for subjects and names."""

    def values(self, unit: FileSymbols, number: int) -> Values:
        """Return the values of expression `number` of a file."""

    def symbols(self, unit: FileSymbols, number: int) -> Symbols:
        """Return the symbols that expression `number` of a file names."""


def find_label(
    unit: FileSymbols, label: int, *, program: Program, evaluator: LabelEvaluator
) -> Symbols:
    """Resolve a label: a member where the subject is of an enumeration, else a name.

    An external class that a subject is declared to be of is an enumeration. What a package gives
    by a wildcard is a class, and no label.
    """
    member, plain = unit.expressions[label][3]
    subjects = evaluator.values(unit, unit.expressions[member][2])
    if any(_is_enumerated(unit, value, program) for value in subjects):
        return evaluator.symbols(unit, member)
    return tuple([one for one in evaluator.symbols(unit, plain) if not _is_of_package(unit, one)])


def _is_enumerated(unit: FileSymbols, value: Value, program: Program) -> bool:
    """Return whether a value is an instance of an enumeration."""
    if value[0] == EXTERNAL_INSTANCE:
        return unit.library.is_class_name(name_outside(value[1]))
    number = class_of(value) if value[0] in OF_CLASS else -1
    if number < 0:
        return False
    return program.definitions[number].subkind == ENUMERATION


def _is_of_package(unit: FileSymbols, symbol: Symbol) -> bool:
    """Return whether a symbol is external, and not a member of a class."""
    kind, key, _ = symbol
    return kind == EXTERNAL and not unit.library.is_class_name(str(key).rpartition(".")[0])
