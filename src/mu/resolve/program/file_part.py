"""Part of a file: the file without the references in some of its definitions.

An update that knows what those references resolve to links only the rest of the file. Part and file
share everything else: names, and the values found for expressions.
"""

from collections.abc import Iterable
from copy import copy

from msgspec.structs import replace

from mu.model.facts import Op
from mu.model.references import References
from mu.resolve.program.file_symbols import FileSymbols

_CALL = int(Op.CALL)


def part_of(unit: FileSymbols, left_out: frozenset[int]) -> FileSymbols:
    """Return the file without the references of definitions `left_out`, numbered in the file."""
    part = copy(unit)
    part.left_out = left_out
    references = (row for row in unit.facts.references if row[2] not in left_out)
    part.facts = replace(unit.facts, references=References(references))
    return part


def calls_of(unit: FileSymbols) -> list[int]:
    """Return the rows of the calls in a file, or in a part of one."""
    rows = unit.expressions
    if not unit.left_out:
        return [number for number, row in enumerate(rows) if row[0] == _CALL]
    return sorted({row for _, row, _, _ in unit.facts.references if rows[row][0] == _CALL})


def operations_of(unit: FileSymbols, found: Iterable[int]) -> list[int]:
    """Return those of the operations `found` that are in a part of a file.

    An operation is a row or, counted down from -1, the index of a binding that assigns.
    """
    if not unit.left_out:
        return [*found]
    rows, bindings = {row for _, row, _, _ in unit.facts.references}, unit.facts.bindings
    return [
        one
        for one in found
        if (
            one in rows
            if one >= 0
            else home_of(unit, bindings[-1 - one].scope) not in unit.left_out
        )
    ]


def home_of(unit: FileSymbols, scope: int) -> int:
    """Return the definition whose text encloses a scope, by number in the file; -1 for none."""
    while scope > 0:
        _, parent, definition, _, _ = unit.scopes[scope]
        if definition >= 0:
            return definition
        scope = parent
    return -1
