"""Files that are set up when something is first asked of them, as the parts of a program.

They stand in for the lists of a program that sets up all of its files: what is asked for by number
or key is the same.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from mu.resolve.program.file_symbols import FileSymbols

Item = TypeVar("Item")


class LazyUnits(Mapping[int, FileSymbols]):
    """Files by key, in order; `set_up` makes one."""

    def __init__(self, set_up: Callable[[int], FileSymbols]) -> None:
        self._set_up = set_up
        self._units: dict[int, FileSymbols | None] = {}

    def expect(self, key: int) -> None:
        """Have a file next, which is not set up yet."""
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
        """The files that are set up."""
        return [unit for unit in self._units.values() if unit is not None]


class PartOf(Mapping[int, Item]):
    """Those items of a mapping that were added by their keys; looked up when they are asked for."""

    def __init__(self, whole: Mapping[int, Item]) -> None:
        self._whole = whole
        self._keys: dict[int, None] = {}

    def add(self, key: int) -> None:
        """Have an item of the mapping."""
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
    """What definitions of a program have, by number: of its files, then of those outside."""

    def __init__(
        self, unit: Callable[[int], FileSymbols], of: Callable[[FileSymbols, int], Item]
    ) -> None:
        self._unit = unit  # by key
        self._there: dict[int, FileSymbols] = {}  # those that were asked for
        self._of = of  # a file, the number of a definition in it
        self._files: list[int] = []  # by number

    def expect(self, key: int, count: int) -> None:
        """Have the definitions of a file next."""
        self._files += [key] * count

    def __getitem__(self, number: int) -> Item:
        if number < 0:  # no definition: a list would give its last one
            raise IndexError(number)
        key = self._files[number]
        unit = self._there.get(key)
        if unit is None:
            unit = self._there[key] = self._unit(key)
        return self._of(unit, number - unit.first)

    def file_of(self, number: int) -> int:
        """The file, by key, of a definition."""
        return self._files[number]

    def __len__(self) -> int:
        return len(self._files)
