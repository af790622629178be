"""Blanket implementations as synthetic base classes: `impl<T: Go> Walk for T` in Rust.

Each is a synthetic class that extends the trait, and a base of every type that has the first bound
as a base. Types that satisfy the bounds in another way get its members by name.
"""

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple


class _Blanket(NamedTuple):
    number: int
    base: int
    bounds: tuple[int, ...]


class BlanketImpls:
    """The blanket implementations of a program, by the numbers of their definitions."""

    def __init__(self) -> None:
        self._all: dict[int, _Blanket] = {}
        self._given: dict[int, list[_Blanket]] = {}
        self._named: dict[str, list[_Blanket]] = {}

    def add(self, number: int, base: int, *, bounds: Sequence[int], names: Iterable[str]) -> None:
        """Add an implementation of the trait `base` for types with `bounds`.

        `names` are the members that types may get from it by name.
        """
        blanket = _Blanket(number, base, tuple(bounds))
        self._all[number] = blanket
        for bound in bounds[:1]:
            self._given.setdefault(bound, []).append(blanket)
        for name in dict.fromkeys(names):
            self._named.setdefault(name, []).append(blanket)

    def base(self, number: int) -> int:
        """Return the trait of a blanket implementation; -1 for any other definition."""
        blanket = self._all.get(number)
        return -1 if blanket is None else blanket.base

    def given(self, number: int, bases: Iterable[object]) -> list[int]:
        """Return the blanket implementations that apply to a class with these direct bases."""
        numbers = [base for base in bases if isinstance(base, int)] if self._given else []
        found = [blanket for base in numbers for blanket in self._given.get(base, ())]
        return [one.number for one in found if number not in (one.number, one.base)]

    def giving(self, number: int, name: str, *, order: Container[object]) -> list[int]:
        """Return the classes that may have a member which the MRO `order` of a class lacks.

        These are the bounds of a blanket implementation, if the class is one, and the one
        implementation with the member whose bounds are in the MRO; none if there are several.
        """
        fits = [
            one.number
            for one in self._named.get(name, ())
            if one.number != number and all(bound in order for bound in one.bounds)
        ]
        blanket = self._all.get(number)
        bounds = () if blanket is None else blanket.bounds
        return [*bounds, *(fits if len(fits) == 1 else ())]
