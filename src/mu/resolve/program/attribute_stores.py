"""Where the text of a file sets attributes of something, by whatever means."""

from collections.abc import Iterator
from typing import NamedTuple

from mu.model.facts import Op
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.semantics.call_semantics import FieldKey

_CALL, _KEYWORD, _NAME, _STRING = map(int, (Op.CALL, Op.KEYWORD, Op.NAME, Op.STRING))
_FUNCTION, _ATTRIBUTE = int(Op.FUNCTION), int(Op.ATTRIBUTE)


class FieldStore(NamedTuple):
    """Where an attribute `name` is set: the rows of what it is set on, and of the value.

    `place` is the row of the call that does it or, counted down from -1, the place of a binding in
    the list of these. `how` says what else is known: it is set on what an import names, or past the
    methods of the class.
    """

    name: str
    base: int
    value: int
    place: int
    how: str = ""


ON_IMPORT, PAST_METHODS = "on import", "past methods"
PLACE = "#"
"""Stands between the name of a class and the place in its literals that sets a field of it."""


def stores_in(unit: FileSymbols) -> Iterator[FieldStore]:
    """Where a file sets attributes, by whatever means."""
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
    """The attributes that are set by a call with their names: `setattr(x, "name", value)`."""
    rows = unit.expressions
    for row, (op, _, function, args) in enumerate(rows):
        if op == _CALL and len(args) == 3 and rows[function][1] == unit.library.attribute_setter:
            base, name, value = args
            if rows[function][0] == _NAME and rows[name][0] == _STRING:
                yield FieldStore(rows[name][1], base, value, row)


def _set_past_methods(unit: FileSymbols) -> Iterator[FieldStore]:
    """Those set by `object.__setattr__(x, "name", value)` and `x.__dict__["name"] = value`."""
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
    """What a class is called by that is made, or where it is written in place."""
    op, name, definition, _ = unit.expressions[made]
    return f"{unit.key}:{definition}" if op == _FUNCTION else name


def _is_imported(unit: FileSymbols, base: int) -> bool:
    """Tell whether a row is a name that an import binds."""
    op, name, scope, _ = unit.expressions[base]
    entry = unit.names[scope].get(name) if op == _NAME else None
    return entry is not None and bool(entry.imports)
