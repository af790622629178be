"""Tabled, demand-driven evaluation of recursive queries, with provisional answers in a cycle.

An answer is final once it depends on no query that is still open, and is kept by the caller. Within
a cycle an answer is provisional: it is kept until the outermost query of the cycle is answered, and
computed again after that, so that results do not depend on which query of the cycle came first.
Answers that depend on a parameter whose set still grows (`wait`) are kept here, with the parameters
they wait for, until one of those changes. Depth and work are bounded: a query beyond the maximum
depth has an empty answer and is counted; beyond the maximum work, provisional answers become final.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence, Set
from typing import TypeVar, TypeVarTuple, cast

from mu.resolve.abstract_values import Value, Values, bounded
from mu.resolve.limits import (
    DEEPEST_QUERY,
    MOST_AWAITED,
    MOST_CYCLE_ITERATIONS,
    MOST_QUERIES,
    MOST_VALUES,
)
from mu.resolve.program.file_symbols import FileSymbols

Answer = TypeVar("Answer")
About = TypeVarTuple("About")

NO_NEEDS: "Needs" = frozenset()

ParameterKey = tuple[int, int]
"""Something that is still being gathered: (function, place of a parameter)."""

Needs = frozenset[ParameterKey]
Waiting = dict[int, tuple[Values, "Needs | int"]]
"""What waits of a file, by expression; a number marks one that is open, see `Evaluator`."""
Row = tuple[Waiting, int]
"""An expression: what waits of its file, and its number there."""

Asked = TypeVar("Asked")

ANYTHING: ParameterKey = (-2, 0)
"""What stands for more needs than are told apart: whatever changes, it does."""

_ANYTHING: Needs = frozenset((ANYTHING,))

LISTED = "listed"
"""What questions begin with that name an expression by file and number."""


class Solver:
    """Keeps which questions are open, and what waits.

    `unsettled` grows whenever an answer is used that is not final, so whoever derives something
    from answers may keep it if `unsettled` has not changed meanwhile; `needs` grows, among those,
    with what an answer waits for. `limited` counts the answers cut short by the bound on depth,
    `crowded` names what may give more values than are kept, its file first.
    """

    def __init__(self) -> None:
        self.unsettled = 0
        self.limited = 0
        self.crowded: set[tuple[int, Hashable] | tuple[int, int, str]] = set()
        self.needs: list[Needs] = []
        self.widen: Callable[[Sequence[Value]], Values] = tuple  # what makes fewer of many values
        self.opened: dict[Hashable, int] = {}  # open questions, by how many are open around them
        # The outermost open question that answers below depend on.
        self._reaches = DEEPEST_QUERY + 1
        self._work = 0
        # Sets of needs are kept once, and what waits is listed by set: what is in ten thousand
        # answers that wait for fifty things is then noted once each, and not fifty times.
        self._sets: dict[Needs, Needs] = {}
        self._single: dict[ParameterKey, Needs] = {}
        self._sets_of: dict[ParameterKey, list[Needs]] = {}
        self._rows: dict[Needs, list[Row]] = {}
        self._keys: dict[Needs, list[Hashable]] = {}
        self._kept: dict[Hashable, tuple[tuple[object, ...], Needs]] = {}
        # The answers of questions in the circles that are open, with what the circle reaches, and
        # the order they were found in: they hold until the outermost question of it is answered.
        self._parts: dict[Hashable, tuple[tuple[object, ...], Needs, int]] = {}
        self._order: list[Hashable] = []
        self._assumed: dict[Hashable, tuple[object, ...]] = {}  # of open questions
        self._is_complete = False

    def give_up(self) -> None:
        """Say that a question was asked too deep."""
        self.limited += 1

    def bounded(
        self, found: Sequence[Value], *, of: tuple[int, Hashable] | tuple[int, int, str]
    ) -> Values:
        """Each value once, none if there are too many; then it is noted `of` what."""
        if len(found) < 2:
            return tuple(found)
        kept = bounded(found if len(found) <= MOST_VALUES else self.widen(found))
        if not kept:
            self.crowded.add(of)
        return kept

    def wait(self, need: ParameterKey) -> None:
        """Say that an answer depends on what is still being gathered."""
        if not self._is_complete:
            single = self._single.get(need)
            if single is None:
                single = self._single[need] = self.once(frozenset((need,)))
            self.needs.append(single)
            self.unsettled += 1

    def wait_for(self, needs: Needs) -> None:
        """Say so of all that a kept answer waits for."""
        if needs and not self._is_complete:
            self.needs.append(needs)
            self.unsettled += 1

    def keep_row(self, row: Row, values: Values, *, since: int) -> None:
        """Keep what an expression gives until what was needed `since` then changes."""
        needs = self.needed(since)
        waiting, number = row
        waiting[number] = values, needs
        rows = self._rows.get(needs)
        if rows is None:
            rows = self._rows[needs] = []
        rows.append(row)

    def needed(self, since: int = 0) -> Needs:
        """What was needed since then; equal sets are the same one."""
        needs = self.needs
        count = len(needs) - since
        if count == 1:
            return needs[since]
        if not count:
            return NO_NEEDS
        distinct = set(needs[since:])
        if len(distinct) == 1:
            return needs[since]
        together: Needs = frozenset().union(*distinct)
        if len(together) > MOST_AWAITED or ANYTHING in together:
            together = _ANYTHING
        return self.once(together)

    def once(self, needs: Needs) -> Needs:
        """The set of needs that equals some, known as one that answers may wait for."""
        known = self._sets.get(needs)
        if known is None:
            known = self._sets[needs] = needs
            for need in needs:
                self._sets_of.setdefault(need, []).append(needs)
        return known

    def forget(self, changed: Set[ParameterKey]) -> Set[Needs]:
        """Drop what depends on what has changed; give the sets of needs with any of it."""
        dropped: set[Needs] = set()
        for need in (*changed, ANYTHING) if changed else ():
            dropped.update(self._sets_of.pop(need, ()))
            self._single.pop(need, None)
        for needs in dropped:
            self._sets.pop(needs, None)
            for waiting, number in self._rows.pop(needs, ()):
                waiting.pop(number, None)
            for key in self._keys.pop(needs, ()):
                self._kept.pop(key, None)
        return dropped

    def complete(self) -> None:
        """Say that all is gathered: what waited is final."""
        self._is_complete = True
        self.needs.clear()
        for index in (self._sets, self._single, self._sets_of, self._rows, self._keys):
            index.clear()

    def close(self, units: Iterable[FileSymbols]) -> None:
        """Say that no question is open any more, nor an expression of the files, after an error
        came out of the outermost.
        """
        for unit in units:
            for number in [row for row, kept in unit.waiting.items() if isinstance(kept[1], int)]:
                del unit.waiting[number]
        self._reaches = DEEPEST_QUERY + 1
        for unanswered in (self.opened, self._parts, self._order, self._assumed):
            unanswered.clear()

    def settle(
        self,
        key: Hashable,
        compute: Callable[[*About], tuple[Answer, ...]],
        *about: *About,
        goes_on: Callable[[tuple[Answer, ...]], bool],
    ) -> tuple[Answer, ...]:
        """The answer to an open question that asks for itself, by and by: each time with what was
        found the time before, until nothing is new; where that is worth it, by `goes_on`.
        """
        first: tuple[Answer, ...] = ()
        found = first
        for _ in range(MOST_CYCLE_ITERATIONS):
            mark = len(self._order)
            again = compute(*about)
            if len(again) <= len(found):
                found = found if again else first  # none where there are more than are kept
                break
            first = first or again
            found = again
            if not goes_on(found):
                break
            self._assumed[key] = found
            for inner in self._order[mark:]:
                del self._parts[inner]
            del self._order[mark:]
        self._assumed.pop(key, None)
        return found

    def solve(
        self, key: Hashable, compute: Callable[[*About], tuple[Answer, ...]], *about: *About
    ) -> tuple[tuple[Answer, ...], bool]:
        """The answer to a question, and whether it is final, so that it may be kept.

        `key` names the question among all that may be open; its answer, which `compute` gives
        `about` something, is empty while it is.
        """
        opened = self.opened
        depth = len(opened)
        if key in opened:
            self.unsettled += 1
            self._reaches = min(self._reaches, opened[key])
            return cast(tuple[Answer, ...], self._assumed.get(key, ())), False
        kept = self._kept.get(key)
        if kept is not None:
            self.wait_for(kept[1])
            return cast(tuple[Answer, ...], kept[0]), self._is_complete
        if self._parts:
            part = self._parts.get(key)
            if part is not None:
                self.unsettled += 1
                self.wait_for(part[1])
                self._reaches = min(self._reaches, part[2])
                return cast(tuple[Answer, ...], part[0]), False
        if depth >= DEEPEST_QUERY:
            self.give_up()
            return (), False
        if depth == 0:
            self._work = 0
        self._work += 1
        opened[key] = depth
        outer, self._reaches = self._reaches, DEEPEST_QUERY + 1
        since, mark = len(self.needs), len(self._order)
        answer = compute(*about)
        opened.popitem()  # the key: what was asked meanwhile is answered
        if self._reaches >= depth or self._work > MOST_QUERIES:
            self._reaches = outer
            if len(self._order) > mark:
                for inner in self._order[mark:]:
                    del self._parts[inner]
                del self._order[mark:]
            if len(self.needs) == since:
                return answer, True
            needs = self.needed(since)
            self._kept[key] = answer, needs
            self._keys.setdefault(needs, []).append(key)
            return answer, False
        self._parts[key] = answer, self.needed(since), self._reaches
        self._order.append(key)
        self._reaches = min(outer, self._reaches)
        return answer, False


def parted(
    waiting: Iterable[tuple[Asked, Needs]], dropped: Set[Needs]
) -> tuple[list[Asked], list[tuple[Asked, Needs]]]:
    """Those whose needs are among the dropped, and the others with what they wait for."""
    again: list[Asked] = []
    kept: list[tuple[Asked, Needs]] = []
    for row in waiting:
        if row[1] in dropped:
            again.append(row[0])
        else:
            kept.append(row)
    return again, kept
