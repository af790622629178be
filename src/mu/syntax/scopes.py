"""Which region of a file holds a byte.

Regions nest, as syntax does, so one sweep turns them into a sorted list of boundaries and a look-up
is one bisection.
"""

from bisect import bisect_right
from collections.abc import Sequence

Region = tuple[int, int]
"""(first byte, byte after the last)."""


class RegionMap:
    """Nested regions, renumbered in the order of the text (outer before inner).

    `order` gives for each number the place of its region in the sequence it was made from, and
    `parents` the number of the region around it, or -1. From each of `bounds` on, up to the next,
    the region of the same place in `numbers` is the innermost; `at` in the hottest place is spelled
    out with them.
    """

    def __init__(self, regions: Sequence[Region]) -> None:
        self.order = sorted(range(len(regions)), key=lambda i: (regions[i][0], -regions[i][1]))
        self.parents: list[int] = []
        self.bounds: list[int] = [-2]
        self.numbers: list[int] = [-1]
        self._sweep([regions[i] for i in self.order])

    def at(self, byte: int) -> int:
        """The number of the innermost region that holds `byte`, or -1."""
        return self.numbers[bisect_right(self.bounds, byte) - 1]

    def _sweep(self, regions: Sequence[Region]) -> None:
        around: list[int] = []
        for number, (start, _) in enumerate(regions):
            while around and regions[around[-1]][1] <= start:
                self._close(around, regions)
            self.parents.append(around[-1] if around else -1)
            around.append(number)
            self._mark(start, number)
        while around:
            self._close(around, regions)

    def _close(self, around: list[int], regions: Sequence[Region]) -> None:
        end = regions[around.pop()][1]
        self._mark(end, around[-1] if around else -1)

    def _mark(self, byte: int, number: int) -> None:
        if self.bounds[-1] == byte:
            self.numbers[-1] = number
        else:
            self.bounds.append(byte)
            self.numbers.append(number)
