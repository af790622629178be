"""How each argument came to be known: the iteration of propagation that found it, and files that
pass it.

What files pass in one iteration is made of arguments that earlier ones found: so an argument
depends on none that was found in the same iteration or later, and holds while a file that passed it
first is as it was. If none is, it holds where a file passes it that is told such arguments only:
those which earlier iterations or the same one found, and of which a file that passed them first is
as it was. These cannot depend on it, as what holds itself up would. Orders of derivation serve so
to take facts back in "Maintaining Views Incrementally" (Gupta, Mumick, Subrahmanian 1993) and what
followed it.

The support of an argument is one integer of 64 bits: the iteration, how many files passed it in
that, whether other files pass it than those which are told, and up to three files, by key.
"""

from collections.abc import Iterator, Mapping, Set
from itertools import islice
from typing import Final

from mu.resolve.abstract_values import Values
from mu.resolve.solver.solver import ParameterKey

Supports = Mapping[ParameterKey, tuple[int, ...]]
"""The support of what each parameter holds, in the order of that; none for those not known."""

UNKNOWN: Final = 15
"""The iteration of arguments that an update found."""

_ITERATION = 15
_FIRST = 16  # one file that passed it in the iteration
_FIRST_BITS = 48
_OTHERS = 64
_FILES = 7  # the bit at which the files begin, each as its key and one
_FILE_BITS = 19
_FILE = (1 << _FILE_BITS) - 1
_FULL = 1 << (_FILES + 2 * _FILE_BITS)

UNSUPPORTED: Final = UNKNOWN | _OTHERS
"""That of an argument of which it is not known which files pass it."""


def supported(iteration: int, file: int) -> int:
    """The support of an argument that a file is the first to pass, in an iteration."""
    if file >= _FILE:
        return iteration | _OTHERS
    how_many = _OTHERS if iteration == UNKNOWN else _FIRST
    return iteration | how_many | (file + 1) << _FILES


def supported_also(support: int, file: int, *, iteration: int) -> int:
    """That support with one more file that passes the argument, in an iteration."""
    if support & _OTHERS:
        return support
    place = _FILES
    while rest := support >> place:
        if rest & _FILE == file + 1:
            return support
        place += _FILE_BITS
    if support >= _FULL or file >= _FILE:
        return support | _OTHERS
    first = _FIRST if support & _ITERATION == iteration else 0
    return (support | (file + 1) << place) + first


def iteration_of(support: int) -> int:
    """The iteration that found an argument."""
    return support & _ITERATION


def files_of(support: int) -> tuple[int, ...] | None:
    """All files, by key, that may pass an argument; None if that is not known."""
    return None if support & _OTHERS else tuple(_files(support >> _FILES))


def first_file(support: int) -> int:
    """The file that was the first to pass an argument; -1 if that is not known."""
    return next(_files(support >> _FILES), -1)


def is_as_found(support: int, altered: Set[int]) -> bool:
    """Tell whether an argument is passed by a file that did so when it was found, and is none of
    the files that were linked again since.
    """
    first = (support & _FIRST_BITS) // _FIRST
    return any(file not in altered for file in islice(_files(support >> _FILES), first))


def _files(packed: int) -> Iterator[int]:
    while packed:
        yield (packed & _FILE) - 1
        packed >>= _FILE_BITS


def carried(supports: tuple[int, ...], before: Values, *, after: Values) -> tuple[int, ...]:
    """The support of what a parameter holds, by that of what it held before."""
    known = dict(zip([value[:2] for value in before], supports, strict=False))
    return tuple([known.get(value[:2], UNSUPPORTED) for value in after])


def found_until(
    iteration: int,
    shown: Mapping[ParameterKey, Values],
    *,
    supports: Supports,
    altered: Set[int],
) -> dict[ParameterKey, Values]:
    """What parameters hold of what `shown` tells that was found by the end of an iteration and is
    passed by a file that passed it then, but for those that were `altered`.
    """
    found = {}
    for need, values in shown.items():
        kept = [
            value
            for value, support in zip(values, supports.get(need, ()), strict=False)
            if support & _ITERATION <= iteration and is_as_found(support, altered)
        ]
        if kept:
            found[need] = tuple(kept)
    return found
