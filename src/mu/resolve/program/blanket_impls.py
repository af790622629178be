"""Blanket implementations as synthetic base classes: `impl<T: Go> Walk for T` in Rust.

Each is a synthetic class that extends the trait, and a base of every type with the first of the
bounds. Types that satisfy the bound in another way get its members by name.
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
        """Note an extension that gives a base to all that has some others, and what that has."""
        blanket = _Blanket(number, base, tuple(bounds))
        self._all[number] = blanket
        for bound in bounds[:1]:
            self._given.setdefault(bound, []).append(blanket)
        for name in dict.fromkeys(names):
            self._named.setdefault(name, []).append(blanket)

    def base(self, number: int) -> int:
        """The base that an extension gives; -1 where it is for one class."""
        blanket = self._all.get(number)
        return -1 if blanket is None else blanket.base

    def given(self, number: int, bases: Iterable[object]) -> list[int]:
        """The extensions that a class with some bases has for them."""
        numbers = [base for base in bases if isinstance(base, int)] if self._given else []
        found = [blanket for base in numbers for blanket in self._given.get(base, ())]
        return [one.number for one in found if number not in (one.number, one.base)]

    def giving(self, number: int, name: str, *, order: Container[object]) -> list[int]:
        """What may have a member that a class with an order of ancestors has not: the bounds of an
        extension, and the one extension that gives it.
        """
        fits = [
            one.number
            for one in self._named.get(name, ())
            if one.number != number and all(bound in order for bound in one.bounds)
        ]
        blanket = self._all.get(number)
        bounds = () if blanket is None else blanket.bounds
        return [*bounds, *(fits if len(fits) == 1 else ())]
