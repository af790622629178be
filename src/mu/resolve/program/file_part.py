"""A file without what stands in the text of some of its definitions.

An update that knows what these lead to links the rest of the file alone. Everything else about the
file is shared: its names, and what its expressions were found to give.
"""

from collections.abc import Iterable
from copy import copy

from msgspec.structs import replace

from mu.model.facts import Op
from mu.model.references import References
from mu.resolve.program.file_symbols import FileSymbols

_CALL = int(Op.CALL)


def part_of(unit: FileSymbols, left_out: frozenset[int]) -> FileSymbols:
    """The file without the references whose owners are `left_out`, numbered within the file."""
    part = copy(unit)
    part.left_out = left_out
    references = (row for row in unit.facts.references if row[2] not in left_out)
    part.facts = replace(unit.facts, references=References(references))
    return part


def calls_of(unit: FileSymbols) -> list[int]:
    """The rows of the calls in a file, or in a part of one."""
    rows = unit.expressions
    if not unit.left_out:
        return [number for number, row in enumerate(rows) if row[0] == _CALL]
    return sorted({row for _, row, _, _ in unit.facts.references if rows[row][0] == _CALL})


def operations_of(unit: FileSymbols, found: Iterable[int]) -> list[int]:
    """Those of some operations of a file that stand in a part of it: rows, and assignments by their
    place in the list of bindings, counted down from -1.
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
    """The definition in whose text a scope is, by number in the file; -1 for none."""
    while scope > 0:
        _, parent, definition, _, _ = unit.scopes[scope]
        if definition >= 0:
            return definition
        scope = parent
    return -1
