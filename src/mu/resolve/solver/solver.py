"""Tabled, demand-driven evaluation of recursive queries, with provisional answers in a cycle.

An answer is final once it depends on no query that is still open, and is kept by the caller. Within
a cycle an answer is provisional: it is kept until the outermost query of the cycle is answered, and
computed again after that. The queries of a cycle that are lower in a fixed order (`rank_of`) are
answered before the one that was asked first, so that results do not depend on which one that was,
unless an evaluation asks other queries where one is open.

Answers that depend on a parameter whose set may still grow (`depend_on_parameter`) are kept with
their dependencies: parameters and other such answers. In the next iteration an answer is computed
again only if a dependency changed. Dependencies are asked for from the outside inwards and compared
on the way back, so a change without effect stops there, and cycles are entered at the same query as
without this. This is early cutoff, as in "Build Systems a la Carte" (Mokhov, Mitchell, Peyton Jones
2018).

The stack is bounded: a query beyond the maximum depth is postponed until the outermost one has
unwound, and answered before that one is asked again, so that no answer depends on which query was
asked first. A chain that is still too deep is cut and counted; beyond the maximum work, provisional
answers become final.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, TypeVarTuple, cast

from mu.resolve.abstract_values import Value, Values, bounded
from mu.resolve.limits import (
    DEEPEST_QUERY,
    MOST_CYCLE_ITERATIONS,
    MOST_QUERIES,
    MOST_RESTARTS,
    MOST_VALUES,
)
from mu.resolve.pending import DOUBTFUL, OPEN, STALE, SURE, Pending
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.solver.queries import PendingAnswer, rank_of

Answer = TypeVar("Answer")
About = TypeVarTuple("About")
Asked = TypeVar("Asked")

ParameterKey = tuple[int, int]
"""A parameter: (function, place), by the number of the function."""

Needs = tuple[Pending, ...]
NO_NEEDS: Needs = ()

_Compute = Callable[..., tuple[object, ...]]  # type: ignore[explicit-any]  # takes any

LISTED = "listed"
"""First part of keys of queries about an expression: (LISTED, file, number), maybe with more."""


@dataclass(slots=True)
class _Part:
    """A provisional answer: with its needs, the depth that it reaches, and how to ask for it."""

    answer: tuple[object, ...]
    needs: Needs
    reaches: int
    compute: _Compute
    about: tuple[object, ...]


class _Share(Protocol):
    """Returns the first of all answers equal to one that is passed twice (interning)."""

    def __call__(self, answer: Answer, again: Answer, /) -> Answer: ...


class Solver:
    """Evaluates queries, and keeps the open queries and pending answers.

    `unsettled` grows whenever an answer is used that is not final, so whoever derives something
    from answers may keep it if `unsettled` has not changed meanwhile. `needs` collects the pending
    answers and parameters among these. `depth_cuts` counts the answers cut by the bound on depth,
    and `is_order_relevant` says whether any was cut so that answers depend on what is asked first;
    `over_limit` has the expressions and variables with more values than are kept, by keys that
    begin with the file. `shared(one, one)` returns the same object for all equal answers, so that
    those which are kept take 14 MB on django, and not 58.
    """

    def __init__(self) -> None:
        self.unsettled = 0
        self.depth_cuts = 0
        self.is_order_relevant = False
        self.over_limit: set[tuple[int, Hashable] | tuple[int, int, str]] = set()
        self.needs: list[Pending] = []
        self.widen: Callable[[Sequence[Value]], Values] = tuple  # widens too many values to fewer
        self.opened: dict[Hashable, int] = {}  # open queries, with their depths
        # The depth of the outermost open query that the current answer depends on.
        self._reaches = DEEPEST_QUERY + 1
        self._work = 0
        # Queries asked too deep below the outermost one, and those of them, each asked by the one
        # before, that are being answered as outermost ones.
        self._postponed: list[tuple[Hashable, _Compute, tuple[object, ...]]] = []
        self._restarted: list[Hashable] = []
        self._awaited: list[Hashable] = []  # outermost queries, to be asked again after those
        self.now = 0  # the iteration of propagation
        self._parameters: dict[ParameterKey, Pending] = {}
        self._kept: dict[Hashable, Pending] = {}
        # Provisional answers of queries in open cycles, and the order in which they were found.
        # They hold until the outermost query of their cycle is answered.
        self._parts: dict[Hashable, _Part] = {}
        self._order: list[Hashable] = []
        self._assumed: dict[Hashable, tuple[object, ...]] = {}  # answers assumed for open queries
        self._is_finished = False
        self.shared = cast(_Share, dict[object, object]().setdefault)

    def give_up(self) -> None:
        """Count a query that was cut as too deep."""
        self.depth_cuts += 1
        self.is_order_relevant = True

    def bounded(
        self, found: Sequence[Value], *, of: tuple[int, Hashable] | tuple[int, int, str]
    ) -> Values:
        """Return each value once; widen them if there are too many, and return none if still so.

        In that case `of`, the key of what has the values, is added to `over_limit`.
        """
        if len(found) < 2:
            return tuple(found)
        kept = bounded(found if len(found) <= MOST_VALUES else self.widen(found))
        if not kept:
            self.over_limit.add(of)
        return kept

    def depend_on_parameter(self, need: ParameterKey) -> None:
        """Record that the current answer depends on a parameter whose set may still grow."""
        if not self._is_finished:
            pending = self._parameters.get(need)
            if pending is None:
                pending = self._parameters[need] = Pending()
            self.needs.append(pending)
            self.unsettled += 1

    def depend_on(self, need: Pending) -> None:
        """Record that the current answer depends on a pending answer."""
        if not self._is_finished:
            self.needs.append(need)
            self.unsettled += 1

    def needed(self, since: int = 0) -> Needs:
        """Return the needs that were recorded after the first `since`, without duplicates."""
        needs = self.needs
        if len(needs) - since < 2:
            return tuple(needs[since:])
        return tuple(dict.fromkeys(needs[since:]))

    def keep(self, pending: Pending, answer: tuple[object, ...], *, since: int) -> None:
        """Keep an answer with its needs: those recorded after the first `since`.

        In `needs`, the answer itself replaces them.
        """
        before, pending.needs = pending.needs, self.needed(since)
        for need in pending.needs:
            if need not in before:
                if need.users is None:
                    need.users = [pending]
                else:
                    need.users.append(pending)
        self._put(pending, answer)
        needs = self.needs
        self.unsettled -= len(needs) - since - 1
        del needs[since:]
        needs.append(pending)

    def keep_final(self, pending: Pending, answer: tuple[object, ...]) -> None:
        """Keep an answer that is not pending any more."""
        pending.needs = ()
        self._put(pending, answer)

    def _put(self, pending: Pending, answer: tuple[object, ...]) -> None:
        if answer != pending.answer:
            pending.answer, pending.changed = self.shared(answer, answer), self.now
        pending.checked, pending.state = self.now, SURE

    def invalidate(self, changed: Iterable[ParameterKey]) -> None:
        """Begin an iteration: mark everything doubtful that depends on the changed parameters."""
        self.now += 1
        reached = [self._parameters[need] for need in changed if need in self._parameters]
        for parameter in reached:
            parameter.changed = self.now
        while reached:
            for user in reached.pop().users or ():
                if user.state == SURE:
                    user.state = DOUBTFUL
                    reached.append(user)

    def parted(
        self, waiting: Iterable[tuple[Asked, Needs]]
    ) -> tuple[list[tuple[Asked, Needs]], list[tuple[Asked, Needs]]]:
        """Return the rows with a need that is not sure or has changed now, and the others."""
        again: list[tuple[Asked, Needs]] = []
        kept: list[tuple[Asked, Needs]] = []
        now = self.now
        for row in waiting:
            for need in row[1]:
                if need.state or need.changed == now:
                    again.append(row)
                    break
            else:
                kept.append(row)
        return again, kept

    def has_changed(self, needs: Needs, since: int = -1) -> bool:
        """Return whether any need has changed after the iteration `since`, by default the last one.

        Doubtful needs are computed again in order, as the query that has these needs would do. So
        if one is in a cycle now, its provisional answer is what that query would find, and is left
        for it: to find it twice would double the work at each query further in.
        """
        since = self.now - 1 if since < 0 else since
        before, unsettled = len(self.needs), self.unsettled
        reaches, work = self._reaches, self._work
        found = False
        for need in needs:
            if need.state == DOUBTFUL:
                need.find_again()
            if need.state != SURE:
                found, work = True, self._work  # the work for what is left counts
                break
            if need.changed > since:
                found = True
                break
        del self.needs[before:]
        self.unsettled = unsettled
        self._reaches, self._work = reaches, work
        return found

    def holds(self, pending: Pending) -> bool:
        """Return whether a doubtful answer still holds, as none of its needs has changed."""
        pending.state = OPEN
        if pending.is_circular or self.has_changed(pending.needs, pending.checked):
            return False
        pending.checked, pending.state = self.now, SURE
        return True

    def finish(self, units: Iterable[FileSymbols] = ()) -> None:
        """End propagation: pending answers that hold become final, also those in `units`."""
        self._is_finished = True
        self.needs.clear()
        for unit in units:
            unit.settle()
        self._kept = {key: kept for key, kept in self._kept.items() if kept.state == SURE}
        reached = [*self._parameters.values()]
        while reached:  # break the reference cycles, as the garbage collector is off
            one = reached.pop()
            reached += one.users or ()
            one.forget()
        self._parameters.clear()

    def close(self, units: Iterable[FileSymbols]) -> None:
        """Discard all open queries and expressions after an error left the outermost query."""
        for unit in units:
            for number in [row for row, kept in unit.waiting.items() if isinstance(kept, int)]:
                del unit.waiting[number]
        self._reaches = DEEPEST_QUERY + 1
        for unanswered in (
            *(self.opened, self._parts, self._order, self._assumed),
            *(self._postponed, self._restarted, self._awaited),
        ):
            unanswered.clear()

    def settle(
        self,
        key: Hashable,
        compute: Callable[[*About], tuple[Answer, ...]],
        *about: *About,
        goes_on: Callable[[tuple[Answer, ...]], bool],
    ) -> tuple[Answer, ...]:
        """Evaluate an open query that depends on itself until nothing new is found.

        Each evaluation assumes the answer of the one before. `goes_on` returns whether an answer is
        worth another evaluation.
        """
        first: tuple[Answer, ...] = ()
        found = first
        for _ in range(MOST_CYCLE_ITERATIONS):
            mark = len(self._order)
            again = compute(*about)
            if len(again) <= len(found):
                found = found if again else first  # an empty answer had too many values
                break
            first = first or again
            found = again
            if not goes_on(found):
                break
            self._assumed[key] = found
            self._drop_parts(mark)
        self._assumed.pop(key, None)
        return found

    def _drop_parts(self, mark: int) -> None:
        """Drop the provisional answers of cycles that were found after the first `mark`."""
        if len(self._order) > mark:
            for inner in self._order[mark:]:
                del self._parts[inner]
            del self._order[mark:]

    def solve(
        self, key: Hashable, compute: Callable[[*About], tuple[Answer, ...]], *about: *About
    ) -> tuple[tuple[Answer, ...], bool]:
        """Return the answer to a query, and whether it is final, so that it may be kept.

        `key` identifies the query, and `compute(*about)` computes its answer. While the query is
        open, its answer is empty, or the one assumed by `settle`.
        """
        opened = self.opened
        depth = len(opened)
        if key in opened:
            self.unsettled += 1
            self._reaches = min(self._reaches, opened[key])
            return cast(tuple[Answer, ...], self._assumed.get(key, ())), False
        kept = self._kept.get(key)
        if kept is not None and kept.state == SURE:
            if kept.needs:
                self.depend_on(kept)
            return cast(tuple[Answer, ...], kept.answer), not kept.needs
        if self._parts:
            part = self._parts.get(key)
            if part is not None:
                return cast(tuple[Answer, ...], self._use_part(part)), False
        if depth >= DEEPEST_QUERY:
            self._postpone(key, compute, about)
            return (), False
        if depth == 0:
            self._work = 0
        self._work += 1
        opened[key] = depth
        outer, self._reaches = self._reaches, DEEPEST_QUERY + 1
        since, mark, unsettled = len(self.needs), len(self._order), self.unsettled
        if kept is not None and self.holds(kept):
            opened.popitem()
            self._reaches = outer
            self.depend_on(kept)
            return cast(tuple[Answer, ...], kept.answer), False
        answer = compute(*about)
        opened.popitem()  # the key: all queries asked meanwhile are answered
        if self._reaches >= depth and len(self._order) > mark:
            self._postpone_lower(key, mark)
        if self._postponed and not depth:
            self._drop_parts(mark)
            del self.needs[since:]
            self.unsettled, self._reaches = unsettled, outer
            self._answer_postponed(key)
            return self.solve(key, compute, *about)
        if self._reaches >= depth or self._work > MOST_QUERIES:
            self.is_order_relevant |= self._reaches < depth
            self._reaches = outer
            self._drop_parts(mark)
            again = key, compute, about
            return answer, self._keep_answer(again, answer, since=since, unsettled=unsettled)
        self._lower_parts(mark, depth)
        self._keep_part(key, answer, since=since, again=(compute, about))
        self._reaches = min(outer, self._reaches)
        return answer, False

    def _use_part(self, part: _Part) -> tuple[object, ...]:
        """Return a provisional answer, and record what it depends on."""
        self.unsettled += 1 + len(part.needs)
        self.needs.extend(part.needs)
        self._reaches = min(self._reaches, part.reaches)
        return part.answer

    def _keep_answer(
        self,
        again: tuple[Hashable, _Compute, tuple[object, ...]],
        answer: tuple[object, ...],
        *,
        since: int,
        unsettled: int,
    ) -> bool:
        """Keep an answer that depends on no open query; return whether it is final.

        A final one is kept by the caller, unless it was pending before, or is awaited.
        """
        key, compute, about = again
        kept, is_final = self._kept.get(key), len(self.needs) == since
        if kept is None and not is_final:
            kept = self._kept[key] = PendingAnswer(Solver.solve, (self, key, compute, *about))
        elif kept is None and key in self._awaited:
            kept = self._kept[key] = Pending()
        if kept is not None and is_final:
            self.keep_final(kept, answer)
        elif kept is not None:
            kept.is_circular = self.unsettled - unsettled != len(self.needs) - since
            self.keep(kept, answer, since=since)
        return is_final

    def _postpone_lower(self, key: Hashable, mark: int) -> None:
        """Postpone a cycle's outermost query for those in the cycle that are lower, if any are."""
        if self._work > MOST_QUERIES:
            return
        rank = rank_of(key)
        lower = sorted((found, one) for one in self._order[mark:] if (found := rank_of(one)) < rank)
        for _, one in lower:
            if one not in self._restarted:
                part = self._parts[one]
                self._postponed.append((one, part.compute, part.about))
                self._reaches = -1

    def _postpone(
        self,
        key: Hashable,
        compute: Callable[[*About], tuple[Answer, ...]],
        about: tuple[*About],
    ) -> None:
        """Postpone a query that is too deep until the outermost one has unwound.

        No answer derived from it is kept, up to the outermost query, which is then asked again.
        """
        if key in self._restarted or len(self._restarted) >= MOST_RESTARTS:
            self.give_up()
            return
        self._postponed.append((key, compute, about))
        self.unsettled += 1
        self._reaches = -1

    def _answer_postponed(self, key: Hashable) -> None:
        """Answer the postponed queries as outermost ones.

        The outermost query `key`, which is asked again after that, may be answered meanwhile.
        """
        postponed, self._postponed = self._postponed, []
        self._awaited.append(key)
        for each in postponed:
            self._restart(*each)
        self._awaited.pop()

    def _restart(self, key: Hashable, compute: _Compute, about: tuple[object, ...]) -> None:
        """Answer a postponed query, and keep the answer here, as no caller does."""
        kept = self._kept.get(key)
        if kept is not None and kept.state == SURE:
            return
        self._restarted.append(key)
        answer, is_final = self.solve(key, compute, *about)
        self._restarted.pop()
        if is_final:
            kept = self._kept[key] = Pending()  # not to be asked again: no reference back to here
            self.keep_final(kept, answer)

    def _lower_parts(self, mark: int, depth: int) -> None:
        """Let provisional answers that reach the query at `depth` reach what that one reaches."""
        for inner in self._order[mark:]:
            part = self._parts[inner]
            if part.reaches >= depth:
                part.reaches = self._reaches

    def _keep_part(
        self,
        key: Hashable,
        answer: tuple[object, ...],
        *,
        since: int,
        again: tuple[_Compute, tuple[object, ...]],
    ) -> None:
        """Keep a provisional answer until the outermost query of its cycle is answered."""
        before = self._kept.pop(key, None)
        if before is not None:
            before.state = STALE
        needed = self.needed(since)
        self.unsettled -= len(self.needs) - since - len(needed)
        self.needs[since:] = needed  # once each: what asks for this asks for much that this does
        self._parts[key] = _Part(answer, needed, self._reaches, *again)
        self._order.append(key)
