"""Demand-driven answers to questions that may go in circles, or wait for what is not known yet.

An answer is final once it depends on no question still open further out, and whoever asked keeps
it; inside a circle it holds only until the outermost question of the circle is answered, and is
asked again after that, so that what is kept does not depend on where the asking began. What depends
on something that is still being gathered (`wait`) is kept here, with what it waits for, until that
changes. Depth and work are bounded: a question asked too deep has no answer, which is counted, and
after too much work every answer counts as final.
"""

from collections.abc import Callable, Hashable, Sequence, Set
from typing import TypeVar, cast

from mu.resolve.values import Value, Values, bounded

DEEPEST = 60
MOST_WORK = 4000

Answer = TypeVar("Answer")

Need = tuple[int, int]
"""Something that is still being gathered: (function, place of a parameter)."""

Needs = frozenset[Need]
Row = tuple[int, int]
"""An expression: (file, row)."""


class Search:
    """Keeps which questions are open, and what waits.

    `unsettled` grows whenever an answer is used that is not final, so whoever derives something
    from answers may keep it if `unsettled` has not changed meanwhile; `needs` grows, among those,
    with what an answer waits for. `limited` counts the answers cut short by the bound on depth,
    `crowded` names what may give more values than are kept.
    """

    def __init__(self) -> None:
        self.unsettled = 0
        self.limited = 0
        self.crowded: set[Hashable] = set()
        self.needs: list[Need] = []
        self.waiting: dict[Row, tuple[Values, Needs]] = {}
        self._open: dict[Hashable, int] = {}
        self._reaches = DEEPEST + 1  # the outermost open question that answers below depend on
        self._work = 0
        self._sets: dict[Needs, Needs] = {}
        self._rows_by_need: dict[Need, list[Row]] = {}
        self._keys_by_need: dict[Need, list[Hashable]] = {}
        self._kept: dict[Hashable, tuple[tuple[object, ...], Needs]] = {}
        # The answers of questions in the circles that are open, with what the circle reaches, and
        # the order they were found in: they hold until the outermost question of it is answered.
        self._parts: dict[Hashable, tuple[tuple[object, ...], Needs, int]] = {}
        self._order: list[Hashable] = []
        self._is_complete = False

    def bounded(self, found: Sequence[Value], *, of: Hashable) -> Values:
        """Each value once, none if there are too many; then it is noted `of` what."""
        kept = bounded(found)
        if found and not kept:
            self.crowded.add(of)
        return kept

    def wait(self, need: Need) -> None:
        """Say that an answer depends on what is still being gathered."""
        if not self._is_complete:
            self.needs.append(need)
            self.unsettled += 1

    def wait_for(self, needs: Needs) -> None:
        """Say so of all that a kept answer waits for."""
        if not self._is_complete:
            self.needs += needs
            self.unsettled += len(needs)

    def keep_row(self, row: Row, values: Values, *, since: int) -> None:
        """Keep what an expression gives until what was needed `since` then changes."""
        needs = self._needs(since)
        self.waiting[row] = (values, needs)
        for need in needs:
            self._rows_by_need.setdefault(need, []).append(row)

    def _needs(self, since: int) -> Needs:
        """What was needed since then; equal sets are kept once."""
        needs = frozenset(self.needs[since:])
        return self._sets.setdefault(needs, needs)

    def forget(self, changed: Set[Need]) -> None:
        """Drop what depends on what has changed."""
        for need in changed:
            for row in self._rows_by_need.pop(need, ()):
                self.waiting.pop(row, None)
            for key in self._keys_by_need.pop(need, ()):
                self._kept.pop(key, None)

    def complete(self) -> None:
        """Say that all is gathered: what waited is final."""
        self._is_complete = True
        self.needs.clear()
        for index in (self._rows_by_need, self._keys_by_need, self._sets):
            index.clear()

    def solve(
        self, key: Hashable, compute: Callable[[], tuple[Answer, ...]]
    ) -> tuple[tuple[Answer, ...], bool]:
        """The answer to a question, and whether it is final, so that it may be kept.

        `key` names the question among all that may be open; its answer is empty while it is.
        """
        depth = len(self._open)
        if key in self._open:
            self.unsettled += 1
            self._reaches = min(self._reaches, self._open[key])
            return (), False
        kept = self._kept.get(key)
        if kept is not None:
            self.wait_for(kept[1])
            return cast(tuple[Answer, ...], kept[0]), self._is_complete
        part = self._parts.get(key)
        if part is not None:
            self.unsettled += 1
            self.wait_for(part[1])
            self._reaches = min(self._reaches, part[2])
            return cast(tuple[Answer, ...], part[0]), False
        if depth >= DEEPEST:
            self.limited += 1
            return (), False
        if depth == 0:
            self._work = 0
        self._work += 1
        self._open[key] = depth
        outer, self._reaches = self._reaches, DEEPEST + 1
        since, mark = len(self.needs), len(self._order)
        answer = compute()
        del self._open[key]
        if self._reaches >= depth or self._work > MOST_WORK:
            self._reaches = outer
            for inner in self._order[mark:]:
                del self._parts[inner]
            del self._order[mark:]
            if len(self.needs) == since:
                return answer, True
            needs = self._needs(since)
            self._kept[key] = answer, needs
            for need in needs:
                self._keys_by_need.setdefault(need, []).append(key)
            return answer, False
        self._parts[key] = answer, self._needs(since), self._reaches
        self._order.append(key)
        self._reaches = min(outer, self._reaches)
        return answer, False
