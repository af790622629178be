"""Signature compatibility: which functions of one name may override each other.

Types are compared by the last part of their names and without their arguments. A type variable
matches any type, and so does a variadic parameter, which an array overrides. Source: the Java
language specification, section 8.4.2 ("Method Signature").
"""

from mu.model.facts import BindingKind, Op
from mu.resolve.abstract_values import DEFINITION, Symbol, number_of
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_INDEX, _TYPE_PARAMETER = int(Op.INDEX), int(BindingKind.TYPE_PARAMETER)


def taken(program: Program, symbol: Symbol) -> tuple[str, ...] | None:
    """Return the names of a function's parameter types; None if the symbol is no function.

    A name is empty where any type matches.
    """
    number = number_of(symbol[1]) if symbol[0] == DEFINITION else -1
    if number < 0 or program.definitions[number].kind != "function":
        return None
    unit, row = program.unit_of[number], program.definitions[number]
    return tuple(
        ["" if one.kind else _erased(unit, one.annotation, row.body) for one in row.parameters]
    )


def may_be_same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two lists of parameter types may be the same signature."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a == b or not (a and b) for a, b in pairs)


def _erased(unit: FileSymbols, annotation: int, scope: int) -> str:
    op, name, base, _ = unit.expressions[annotation]
    if op == _INDEX:
        name = unit.expressions[base][1]
    while scope > 0:
        entry = unit.names[scope].get(name)
        if entry is not None and any(row.kind == _TYPE_PARAMETER for row in entry.bindings):
            return ""
        scope = unit.scopes[scope].parent
    return name
