"""Find subclasses that enter or leave a bounded search because others were added or removed.

Only the first `MOST_SUBCLASSES` subclasses of a class, and the first that have a member of a given
name, are searched. One that is added among them displaces the last, to which calls on the
superclass then no longer resolve.
"""

from collections.abc import Iterable, Iterator, Sequence, Set

from mu.resolve.incremental.altered_classes.other_bases import member_names
from mu.resolve.incremental.file_set import NeedsBuildError
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.limits import MOST_SUBCLASSES

_Class = tuple[ProgramVersion, int]


def classes_at_bounds(
    old: ProgramVersion,
    new: ProgramVersion,
    *,
    renumbering: Renumbering,
    classes: Iterable[_Class],
) -> list[_Class]:
    """Find the classes of both programs that only one searches, each with that program.

    `classes` are the added and removed classes, each with the program that has it. Raises
    NeedsBuildError if a superclass exceeds the bound in one program alone, or if a class that
    is found fills a container of a superclass.
    """
    bounds = _Bounds(old, new, renumbering)
    above: dict[tuple[int, int], set[str]] = {}
    for one, number in classes:
        names = member_names(one, number)
        for pair in bounds.above(one, number):
            above.setdefault(pair, set()).update(names)
    found = {place: None for pair, names in above.items() for place in bounds.at(pair, names)}
    for one, number in found:
        _check_filled(one, number)
    return [*found]


class _Bounds:
    """A comparison of which subclasses are searched, for superclasses that both programs have."""

    def __init__(self, old: ProgramVersion, new: ProgramVersion, renumbering: Renumbering) -> None:
        self._old, self._new = old, new
        self._renumbering = renumbering

    def above(self, one: ProgramVersion, number: int) -> Iterator[tuple[int, int]]:
        """Yield the superclasses of a class that both programs have, as (old, new) numbers."""
        for ancestor in one.linker.evaluator.members.order(number)[1:]:
            if not isinstance(ancestor, int) or ancestor >= one.program.size:
                continue
            pair = self._renumbering.in_both(ancestor, is_new=one is self._new)
            if pair is not None:
                yield pair

    def at(self, pair: tuple[int, int], names: Set[str]) -> Iterator[_Class]:
        """Yield the subclasses that both programs have and only one searches.

        The bound applies to all subclasses, and to those that have a member of each of the names.
        """
        old, new = (one.linker.evaluator.hierarchy for one in (self._old, self._new))
        was, now = pair
        counts = len(old.descendants(was)), len(new.descendants(now))
        if max(counts) <= MOST_SUBCLASSES:
            return
        if min(counts) <= MOST_SUBCLASSES:
            raise NeedsBuildError("a class has more subclasses than are looked at")
        yield from self._differing(old.descendants(was), new.descendants(now))
        inside = old.inside(was), new.inside(now)
        for name in names:
            for before, after in (
                (old.defining(name), new.defining(name)),
                (old.having_variable(name), new.having_variable(name)),
            ):
                yield from self._differing(
                    [own for own in before if own in inside[0]],
                    [own for own in after if own in inside[1]],
                )

    def _differing(self, before: Sequence[int], after: Sequence[int]) -> Iterator[_Class]:
        if max(len(before), len(after)) <= MOST_SUBCLASSES:
            return
        first, renumbering = {*after[:MOST_SUBCLASSES]}, self._renumbering
        known = set[int]()
        for number in before[:MOST_SUBCLASSES]:
            if renumbering.is_left(number):
                known.add(renumbering.number(number))
                if renumbering.number(number) not in first:
                    yield self._old, number
        for number in first - known:
            if not renumbering.is_new(number):
                yield self._new, number


def _check_filled(one: ProgramVersion, number: int) -> None:
    """Check that a class fills no container of a superclass; raise NeedsBuildError if so."""
    program, evaluator = one.program, one.linker.evaluator
    body = program.definitions[number].body
    above = evaluator.members.order(number)[1:]
    for unit, scope in ((program.unit_of[number], body), *program.added.get(number, ())):
        unit.uses_of(scope, "")
        for place, name in unit.uses or ():
            having = evaluator.hierarchy.having_variable(name) if place == scope else ()
            if not {*having}.isdisjoint(above):
                raise NeedsBuildError("a class that is looked at no more fills one above it")
