"""The names by which other files find changed definitions without an import: through frameworks,
plugins and native symbols.
"""

from collections.abc import Iterable, Iterator

from mu.model.facts import Definition, Op
from mu.resolve.calls.injected_parameters import plugins_of
from mu.resolve.frameworks.framework_detection import words_found_by_text, words_of
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_CALL, _STRING = int(Op.CALL), int(Op.STRING)
_NAMING = frozenset((int(Op.NAME), int(Op.FUNCTION)))  # the base is no expression


def registered_names(
    old: ProgramVersion, program: Program, *, key: int, difference: FileDifference
) -> set[str]:
    """Return the strings by which other files may find changed definitions with decorators.

    These are strings in decorators that register events or providers with a framework and, in
    files with providers of injected parameters, the names of the definitions.
    """
    found: set[str] = set()
    both = old.program, program
    is_providing = any(one.outline(key).is_providing for one in both if key in one.files)
    if not is_providing and key not in old.registering.files:
        return found
    pairs = difference.numbers
    same = pairs.keys() - difference.changed
    for one, alike in zip(both, (same, {pairs[local] for local in same}), strict=True):
        unit = one.units.get(key)
        rows = unit.facts.definitions if unit is not None else ()
        for local, row in enumerate(rows):
            if unit is not None and row.decorators and local not in alike:
                found |= _texts_in(unit, _registering_decorators(unit, row))
                found |= {row.name} if is_providing else set()
    return found


def plugin_names(old: Program, new: Program, *, key: int) -> set[str]:
    """Return the names by which plugins may provide injected parameters, of the modules that
    only one version of a file lists as plugins.
    """
    found: set[str] = set()
    both = old, new
    was, now = (plugins_of(one.units[key]) if key in one.units else set() for one in both)
    for one, plugins in zip(both, (was - now, now - was), strict=True):
        for unit in (one.units[file] for file in plugins):
            for row in unit.facts.definitions:
                if row.decorators:
                    rows = (number for number, _, _ in row.decorators)
                    found |= {row.name} | _texts_in(unit, rows)
    return found


def provided_symbols(old: ProgramVersion, new: ProgramVersion) -> set[str]:
    """Return the symbols that native code provides differently, and the names that they may
    contain: `Java_shop_Till_open_1all` is the symbol of a method `open_all`.
    """
    before, now = old.linker.foreign.libraries, new.linker.foreign.libraries
    found: set[str] = set()
    for symbol in before.keys() | now.keys():
        if [*before.get(symbol, ())] != [*now.get(symbol, ())]:
            parts = symbol.replace(".", "_").split("_")
            ends = ("_".join(parts[place:]) for place in range(len(parts)))
            found.update((symbol, *(end.replace("_1", "_") for end in ends)))
    return found - {""}


def _registering_decorators(unit: FileSymbols, row: Definition) -> Iterator[int]:
    """Yield the decorators of a definition by which other files may find it."""
    words = words_of(unit, words_found_by_text(unit.rules))
    ends = [name.rpartition(".")[2] for name in unit.entries.injected.providers]
    for number, _, text in row.decorators:
        op, name, function, _ = unit.expressions[number]
        name = unit.expressions[function][1] if op == _CALL else name
        if name in words or any(end in text for end in ends):
            yield number


def _texts_in(unit: FileSymbols, rows: Iterable[int]) -> set[str]:
    """Return the strings in some expressions."""
    found: set[str] = set()
    waiting = [*rows]
    while waiting:
        op, text, base, args = unit.expressions[waiting.pop()]
        if op == _STRING:
            found.add(text)
        elif op not in _NAMING:
            waiting += (one for one in (base, *args) if one)
    return found
