"""Pairing of the definitions in two versions of a file.

Definitions are paired when their kind, name and enclosing definition are the same; several such
definitions are paired in order. Anonymous ones are paired, in order, only where both versions
have equally many of them in the same enclosing definition.
"""

from collections import defaultdict
from collections.abc import Set

from mu.model.facts import Definition
from mu.resolve.program.file_part import home_of
from mu.resolve.program.file_symbols import FileSymbols

_Place = tuple[int, str, str, str]
"""(enclosing definition or -1, kind, subkind if anonymous, name) of a definition."""


def pair_definitions(old: FileSymbols, new: FileSymbols, *, apart: Set[int]) -> dict[int, int]:
    """Map definitions of the old version to those of the new one, by number in the file.

    Those in `apart`, and the definitions inside them, are left unpaired.
    """
    before, after = _by_place(old), _by_place(new)
    pairs: dict[int, int] = {}
    for place, ones in sorted(before.items(), key=lambda item: item[0][0]):  # from the outside in
        home = pairs.get(place[0], -1) if place[0] >= 0 else -1
        if place[0] >= 0 and home < 0:
            continue  # the enclosing definition was removed
        others = after.get((home, *place[1:]), [])
        if place[3] or len(ones) == len(others):
            both = zip(ones, others, strict=False)
            pairs.update((one, other) for one, other in both if one not in apart)
    return pairs


def _by_place(unit: FileSymbols) -> dict[_Place, list[int]]:
    found: defaultdict[_Place, list[int]] = defaultdict(list)
    for number, row in enumerate(unit.facts.definitions):
        found[_place(unit, number, row)].append(number)
    return found


def _place(unit: FileSymbols, number: int, row: Definition) -> _Place:
    home = home_of(unit, row.scope)
    home = home if home < number else -1
    return home, row.kind, "" if row.name else row.subkind, row.name
