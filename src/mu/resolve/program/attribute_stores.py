"""The attribute assignments of a file: in statements, calls and composite literals."""

from collections.abc import Iterator
from typing import NamedTuple

from mu.model.facts import Op
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.semantics.call_semantics import FieldKey

_CALL, _KEYWORD, _NAME, _STRING = map(int, (Op.CALL, Op.KEYWORD, Op.NAME, Op.STRING))
_FUNCTION, _ATTRIBUTE = int(Op.FUNCTION), int(Op.ATTRIBUTE)


class FieldStore(NamedTuple):
    """An assignment to an attribute `name`: the rows of the object and of the value.

    `place` is the row of the call that assigns or, counted down from -1, the index of the binding.
    `how` is `ON_IMPORT` where the object is a name that an import binds, `PAST_METHODS` where the
    assignment bypasses the methods of the class.
    """

    name: str
    base: int
    value: int
    place: int
    how: str = ""


ON_IMPORT, PAST_METHODS = "on import", "past methods"
PLACE = "#"
"""Separates the name of a class from the position of the field in its composite literals."""


def stores_in(unit: FileSymbols) -> Iterator[FieldStore]:
    """Yield the attribute assignments in a file, composite literals included."""
    for at, binding in enumerate(unit.facts.bindings):
        if binding.base and binding.name and binding.value:
            how = ON_IMPORT if _is_imported(unit, binding.base) else ""
            yield FieldStore(binding.name, binding.base, binding.value, -1 - at, how)
    if unit.library.attribute_setter:
        yield from _set_by_name(unit)
    if unit.members.namespace_attribute:
        yield from _set_past_methods(unit)
    for row, (op, _, made, args) in enumerate(
        unit.expressions if unit.calls.literal_fields else ()
    ):
        if op == _CALL:
            for at, arg in enumerate(args):
                kind, name, value, _ = unit.expressions[arg]
                if kind == _KEYWORD and value:
                    yield FieldStore(name, made, value, row)
                elif kind != _KEYWORD and FieldKey.PLACE in unit.calls.literal_fields:
                    yield FieldStore(f"{_name_of(unit, made)}{PLACE}{at}", made, arg, row)


def _set_by_name(unit: FileSymbols) -> Iterator[FieldStore]:
    """Yield the attributes set by a call with their name: `setattr(x, "name", value)`."""
    rows = unit.expressions
    for row, (op, _, function, args) in enumerate(rows):
        if op == _CALL and len(args) == 3 and rows[function][1] == unit.library.attribute_setter:
            base, name, value = args
            if rows[function][0] == _NAME and rows[name][0] == _STRING:
                yield FieldStore(rows[name][1], base, value, row)


def _set_past_methods(unit: FileSymbols) -> Iterator[FieldStore]:
    """Yield those set by `object.__setattr__(x, "name", value)`, `x.__dict__["name"] = value`."""
    rows = unit.expressions
    setter = _ATTRIBUTE, unit.implicit.set_attribute_method
    for row, (op, _, function, args) in enumerate(rows):
        if op == _CALL and len(args) == 3 and rows[function][:2] == setter:
            base, name, value = args
            if rows[name][0] == _STRING:
                yield FieldStore(rows[name][1], base, value, row, PAST_METHODS)
    for at, binding in enumerate(unit.facts.bindings):
        if binding.base and not binding.name and binding.value:
            _, _, table, keys = rows[binding.base]
            kind, attribute, base, _ = rows[table]
            is_table = kind == _ATTRIBUTE and attribute == unit.members.namespace_attribute
            if is_table and len(keys) == 1 and rows[keys[0]][0] == _STRING:
                yield FieldStore(rows[keys[0]][1], base, binding.value, -1 - at, PAST_METHODS)


def _name_of(unit: FileSymbols, made: int) -> str:
    """Return the name of a literal's class; of an inline class `file:definition`."""
    op, name, definition, _ = unit.expressions[made]
    return f"{unit.key}:{definition}" if op == _FUNCTION else name


def _is_imported(unit: FileSymbols, base: int) -> bool:
    """Return whether a row is a name that an import binds."""
    op, name, scope, _ = unit.expressions[base]
    entry = unit.names[scope].get(name) if op == _NAME else None
    return entry is not None and bool(entry.imports)
