"""Support of arguments: the iteration of propagation that found each one, and files that pass it.

What a file passes in one iteration is derived from arguments that earlier iterations found. So an
argument depends on none that was found in the same iteration or later, and it holds while any file
that passed it in that iteration has not been relinked. Otherwise it holds if some file passes it in
a program with only those arguments that the same or an earlier iteration found, each supported by
such a file: these cannot depend on it, so no argument supports itself in a cycle. Retracting facts
by the order of their derivation goes back to "Maintaining Views Incrementally" (Gupta, Mumick,
Subrahmanian 1993) and its successors.

The support of an argument is one integer of 64 bits: the iteration, how many of the listed files
passed it in that iteration, whether other files may pass it than those listed, and the keys of up
to three files. A passer, of a value that a parameter over the limit does not hold, is a smaller
one: a file, and the iteration in which it passed the value first.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import islice
from typing import Final

from mu.resolve.abstract_values import Values
from mu.resolve.limits import MOST_VALUES
from mu.resolve.solver.solver import ParameterKey

Supports = Mapping[ParameterKey, tuple[int, ...]]
"""The support of each value in a parameter's points-to set, in its order; missing if unknown."""

UNKNOWN: Final = 15
"""The iteration of arguments that an update found, whose real one is not known."""

_ITERATION = 15
_FIRST = 16  # the unit of the count of files that passed it in the iteration
_FIRST_BITS = 48
_OTHERS = 64
_FILES = 7  # the bit at which the files begin, each as its key plus one
_FILE_BITS = 19
_FILE = (1 << _FILE_BITS) - 1
_PASSER_BITS = 4
_FULL = 1 << (_FILES + 2 * _FILE_BITS)

NO_PASSER: Final = -1
"""In place of a passer where none is known."""

UNSUPPORTED: Final = UNKNOWN | _OTHERS
"""The support of an argument whose passing files are not known."""


def supported(iteration: int, file: int) -> int:
    """Return the support of an argument that `file` is the first to pass, in an iteration."""
    if file >= _FILE:
        return iteration | _OTHERS
    how_many = _OTHERS if iteration == UNKNOWN else _FIRST
    return iteration | how_many | (file + 1) << _FILES


def supported_also(support: int, file: int, *, iteration: int) -> int:
    """Return a support with one more file that passes the argument, in an iteration."""
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
    """Return the iteration that found an argument."""
    return support & _ITERATION


def files_of(support: int) -> tuple[int, ...] | None:
    """Return the keys of all files that may pass an argument; None if that is not known."""
    return None if support & _OTHERS else tuple(_files(support >> _FILES))


def first_file(support: int) -> int:
    """Return the file that was the first to pass an argument; -1 if that is not known."""
    return next(_files(support >> _FILES), -1)


def first_passer(support: int) -> int:
    """Return the file that was the first to pass an argument as a passer; `NO_PASSER` if that is
    not known.
    """
    return passer(first_file(support), iteration=iteration_of(support))


def passer(file: int, *, iteration: int) -> int:
    """Return a file that passes a value, and the iteration in which it did so first, as one
    integer.
    """
    return NO_PASSER if file < 0 else file << _PASSER_BITS | iteration


def passing_file(passer: int) -> int:
    """Return the key of the file of a passer; -1 for `NO_PASSER`."""
    return passer >> _PASSER_BITS


def passed_at_once(passer: int) -> bool:
    """Return whether the file passed the value in the first iteration, so without regard to what
    parameters hold.
    """
    return passing_iteration(passer) == 0


def passing_iteration(passer: int) -> int:
    """Return the iteration in which a file passed a value first; `UNKNOWN` for `NO_PASSER`."""
    return passer & _ITERATION if passer >= 0 else UNKNOWN


def exceeding_iteration(passers: Iterable[int]) -> int:
    """Return the iteration in which a parameter exceeded the limit, by the passers of its values;
    `UNKNOWN` if they do not tell.
    """
    iterations = sorted(map(passing_iteration, passers))
    return iterations[MOST_VALUES] if len(iterations) > MOST_VALUES else UNKNOWN


def is_as_found(support: int, altered: Set[int]) -> bool:
    """Return whether an argument is still supported by a file from the iteration that found it.

    `altered` are the files that were relinked since: they support nothing any more.
    """
    first = (support & _FIRST_BITS) // _FIRST
    return any(file not in altered for file in islice(_files(support >> _FILES), first))


def _files(packed: int) -> Iterator[int]:
    while packed:
        yield (packed & _FILE) - 1
        packed >>= _FILE_BITS


def carried(supports: tuple[int, ...], before: Values, *, after: Values) -> tuple[int, ...]:
    """Return the support of the values `after`, from that of the values `before`, in order."""
    known = dict(zip([value[:2] for value in before], supports, strict=False))
    return tuple([known.get(value[:2], UNSUPPORTED) for value in after])


def found_until(
    iteration: int,
    points_to: Mapping[ParameterKey, Values],
    *,
    supports: Supports,
    altered: Set[int],
) -> dict[ParameterKey, Values]:
    """Return the part of the points-to sets `points_to` that was found by the end of an iteration.

    Only values count that are still supported by a file outside of `altered` (`is_as_found`).
    """
    found = {}
    for need, values in points_to.items():
        kept = [
            value
            for value, support in zip(values, supports.get(need, ()), strict=False)
            if support & _ITERATION <= iteration and is_as_found(support, altered)
        ]
        if kept:
            found[need] = tuple(kept)
    return found
