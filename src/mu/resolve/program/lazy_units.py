"""Collections of a program whose files are set up on first access.

They replace the plain collections of a program that sets up all its files: by the same number or
key they return the same.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from mu.resolve.program.file_symbols import FileSymbols

Item = TypeVar("Item")


class LazyUnits(Mapping[int, FileSymbols]):
    """Files by key, in order; `set_up` makes one on first access."""

    def __init__(self, set_up: Callable[[int], FileSymbols]) -> None:
        self._set_up = set_up
        self._units: dict[int, FileSymbols | None] = {}

    def expect(self, key: int) -> None:
        """Append a file, which is not set up yet."""
        self._units[key] = None

    def __getitem__(self, key: int) -> FileSymbols:
        unit = self._units[key]
        if unit is None:
            unit = self._units[key] = self._set_up(key)
        return unit

    def __contains__(self, key: object) -> bool:
        return key in self._units

    def __iter__(self) -> Iterator[int]:
        return iter(self._units)

    def __len__(self) -> int:
        return len(self._units)

    def there(self) -> list[FileSymbols]:
        """Return the files that are set up."""
        return [unit for unit in self._units.values() if unit is not None]


class PartOf(Mapping[int, Item]):
    """A view of those items of a mapping whose keys were added; looked up on access."""

    def __init__(self, whole: Mapping[int, Item]) -> None:
        self._whole = whole
        self._keys: dict[int, None] = {}

    def add(self, key: int) -> None:
        """Add the key of an item of the mapping."""
        self._keys[key] = None

    def __getitem__(self, key: int) -> Item:
        if key not in self._keys:
            raise KeyError(key)
        return self._whole[key]

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[int]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


class ByNumber(Generic[Item]):
    """Items by program-wide number of a definition: in the files of a repository, then outside.

    `unit` returns the file of a key, `of` the item of a definition by its number in a file.
    """

    def __init__(
        self, unit: Callable[[int], FileSymbols], of: Callable[[FileSymbols, int], Item]
    ) -> None:
        self._unit = unit
        self._there: dict[int, FileSymbols] = {}  # those that were accessed
        self._of = of
        self._files: list[int] = []  # the file of each definition, by number

    def expect(self, key: int, count: int) -> None:
        """Append the definitions of a file, `count` of them."""
        self._files += [key] * count

    def __getitem__(self, number: int) -> Item:
        if number < 0:  # no definition: a list would return its last item
            raise IndexError(number)
        key = self._files[number]
        unit = self._there.get(key)
        if unit is None:
            unit = self._there[key] = self._unit(key)
        return self._of(unit, number - unit.first)

    def file_of(self, number: int) -> int:
        """Return the key of the file of a definition."""
        return self._files[number]

    def __len__(self) -> int:
        return len(self._files)
