"""Pairs of the definitions of two versions of a file that are the same one.

Definitions are the same when they have the same kind and name and stand in the same one, counted
among those in their order. Those without a name are told apart by nothing else: they are paired
where as many of them stand in the same definition.
"""

from collections import defaultdict
from collections.abc import Set

from mu.model.facts import Definition
from mu.resolve.program.file_part import home_of
from mu.resolve.program.file_symbols import FileSymbols

_Place = tuple[int, str, str, str]
"""The definition around one (-1: none), its kind, its subkind where it has no name, its name."""


def pair_definitions(old: FileSymbols, new: FileSymbols, *, apart: Set[int]) -> dict[int, int]:
    """The definitions of one version, by number in the file, that are there in another.

    Those that are told `apart`, and what stands in them, are not.
    """
    before, after = _by_place(old), _by_place(new)
    pairs: dict[int, int] = {}
    for place, ones in sorted(before.items(), key=lambda item: item[0][0]):  # from the outside in
        home = pairs.get(place[0], -1) if place[0] >= 0 else -1
        if place[0] >= 0 and home < 0:
            continue  # what it stands in is gone
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
