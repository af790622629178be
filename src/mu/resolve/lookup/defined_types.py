"""Types that are defined by another one: they have its fields, but not its methods.

What the other type embeds is embedded in them as well, with the methods that this lends. A type
that is defined by an interface is one, with the same methods.
"""

from collections.abc import Callable, Iterable, Sequence

from mu.resolve.lookup.mro import Ancestor
from mu.resolve.program.program import Program

BasesOf = Callable[[int], Sequence[Ancestor]]
"""Returns the bases of a class, by its number."""


def has_only_fields(program: Program, number: int, *, bases_of: BasesOf) -> bool:
    """Return whether a class is defined by another of the repository, and has none of its methods.

    The bases of a class that is defined by another are this one alone.
    """
    seen: set[int] = set()
    current = number
    while _is_defined(program, current) and current not in seen:
        seen.add(current)
        bases = bases_of(current)
        if len(bases) != 1 or not isinstance(bases[0], int) or program.is_library(bases[0]):
            return current != number
        current = bases[0]
    return bool(seen) and not program.unit_of[current].types.is_shape(program.definitions[current])


def without_methods(
    program: Program, order: Iterable[Ancestor], *, bases_of: BasesOf
) -> frozenset[int]:
    """Return the classes in an MRO whose methods the first class does not have."""
    known = [one for one in order if isinstance(one, int)]
    apart = [one for one in known if has_only_fields(program, one, bases_of=bases_of)]
    if not apart:
        return frozenset()
    lending = {known[0], *(base for one in known if one not in apart for base in bases_of(one))}
    return frozenset(known) - lending


def _is_defined(program: Program, number: int) -> bool:
    members = program.unit_of[number].members
    return members.is_defined_by_base(program.definitions[number])
