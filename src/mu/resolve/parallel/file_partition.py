"""Which files each process of a group links."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from mu.model.kinds import Category
from mu.resolve.program.file_symbols import FileSymbols

_COST_OF_TESTS = 0.6
"""What an expression of a test costs, where one of other code costs 1: less is called from there,
and most of it once (django, its package against its tests).
"""
_FARTHEST_FOLDER = 0.1
"""Share of the whole work by which a part may end earlier or later, to end with a folder."""


def partition(units: Sequence[FileSymbols], size: int) -> list[Sequence[FileSymbols]]:
    """Divide files into `size` runs of about the same work, in their order.

    Files that follow each other are of one folder and have much in common, which each process that
    links one of them evaluates. Runs end with a folder if one ends nearby, so that few edits move
    files from one run to another.
    """
    costs = [0.0, *accumulate(map(_cost, units))]  # of the files before each place
    ends = [_end(units, costs, costs[-1] * part / size) for part in range(1, size)]
    bounds = [0, *accumulate(ends, max), len(units)]
    return [units[bounds[part] : bounds[part + 1]] for part in range(size)]


def _end(units: Sequence[FileSymbols], costs: Sequence[float], target: float) -> int:
    """Return the place to end a run at whose files should cost `target` with those before."""
    reach = costs[-1] * _FARTHEST_FOLDER
    first, last = bisect_left(costs, target - reach), bisect_left(costs, target + reach)
    places = range(first, min(last, len(units)) + 1)
    ending = [place for place in places if 0 < place < len(units) and _ends_folder(units, place)]
    return min(ending or places, key=lambda place: abs(costs[place] - target))


def _ends_folder(units: Sequence[FileSymbols], place: int) -> bool:
    """Return whether the file at a place is in another folder than the one before it."""
    before, after = (units[number].file.path.rpartition("/")[0] for number in (place - 1, place))
    return before != after


def _cost(unit: FileSymbols) -> float:
    """Return the work of linking a file, in expressions."""
    cost = len(unit.expressions)
    return cost * _COST_OF_TESTS if unit.file.category == Category.TEST else cost
