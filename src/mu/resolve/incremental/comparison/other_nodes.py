"""The nodes of a file in only one of two programs, and whether they are visible by name."""

from collections.abc import Container

from mu.model.kinds import NodeKind
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.program.file_part import home_of
from mu.resolve.program.file_symbols import FileSymbols


def nodes_in_one(
    old: ProgramVersion, new: ProgramVersion, *, key: int, difference: FileDifference
) -> dict[str, bool]:
    """Map the names of the nodes in only one program to whether one of them is visible.

    A node is visible unless it is inside a function, or in a class that is in only one program.
    """
    before, after = old.nodes_of(key), new.nodes_of(key)
    both = {row.id for row in before} & {row.id for row in after}
    paired = difference.numbers
    found: dict[str, bool] = {}
    for version, rows, alike in (
        (old, before, paired.keys()),
        (new, after, frozenset(paired.values())),
    ):
        inner = {
            row.key
            for row in rows
            if row.kind == NodeKind.FUNCTION or (row.kind == NodeKind.CLASS and row.id not in both)
        }
        hidden = _hidden_in(version, key, alike)
        for row in rows:
            if row.id not in both:
                is_seen = row.parent not in inner and row.key not in hidden
                found[row.name] = found.get(row.name, False) or is_seen
    return found


def _hidden_in(version: ProgramVersion, key: int, paired: Container[int]) -> set[int]:
    """Return the nodes of definitions inside functions, named or anonymous, or unpaired classes.

    `paired` are the classes and object literals with a partner in the other program.
    """
    unit = version.program.units.get(key)
    if unit is None:
        return set()
    of_definition = version.linker.nodes.of_definition
    return {
        of_definition(unit.first + local)
        for local, row in enumerate(unit.facts.definitions)
        if row.name and _is_hidden(unit, row.scope, paired)
    }


def _is_hidden(unit: FileSymbols, scope: int, paired: Container[int]) -> bool:
    home = home_of(unit, scope)
    kind = unit.facts.definitions[home].kind if home >= 0 else ""
    return kind == "function" or (kind == "class" and home not in paired)
