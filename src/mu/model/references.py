"""The references of a file, packed: there are so many that tuples of them would fill the memory."""

from array import array
from collections.abc import Iterable, Iterator
from itertools import chain

Reference = tuple[int, int, int, int]
"""(`ReferenceKind`, expression, owner: the definition whose text it stands in or -1, line).

Calls are listed one by one, each behind the names of its arguments that stand below its line; the
other kinds once for each line they stand on.
"""

_WIDTH = 4


class References:
    """References in a fixed order, in 16 bytes each; tuples and their numbers take 120."""

    __slots__ = ("_cells",)

    def __init__(self, rows: Iterable[Reference] = ()) -> None:
        self._cells = array("i", chain.from_iterable(rows))

    @classmethod
    def unpack(cls, data: bytes) -> "References":
        """Those that `pack` gave, on a machine of the same kind; ValueError for a part of one."""
        read = cls()
        read._cells.frombytes(data)  # ValueError: a part of a number
        if len(read._cells) % _WIDTH:
            raise ValueError(f"{len(data)} bytes are no references")
        return read

    def pack(self) -> bytes:
        """The numbers as this machine keeps them."""
        return self._cells.tobytes()

    def __iter__(self) -> Iterator[Reference]:
        cells = iter(self._cells)
        return zip(cells, cells, cells, cells, strict=True)

    def __len__(self) -> int:
        return len(self._cells) // _WIDTH

    def __eq__(self, other: object) -> bool:
        return isinstance(other, References) and self._cells == other._cells

    __hash__ = None  # type: ignore[assignment]  # as a list has none

    def __repr__(self) -> str:
        return f"References({list(self)})"
