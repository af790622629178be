"""Tabled, demand-driven evaluation of recursive queries, with provisional answers in a cycle.

An answer is final once it depends on no query that is still open, and is kept by the caller. Within
a cycle an answer is provisional: it is kept until the outermost query of the cycle is answered, and
computed again after that, so that results do not depend on which query of the cycle came first.
Answers that depend on a parameter whose set still grows (`wait`) are kept with what they were made
of, parameters and one another. In the next iteration one is computed again if any of that is
another thing: each is asked for from the outside inwards and compared on the way back, so a change
that comes to nothing goes no further, and cycles are entered where they would be without that. This
is early cutoff, as in "Build Systems a la Carte" (Mokhov, Mitchell, Peyton Jones 2018). The stack
is bounded: a query beyond the maximum depth is put off until the outermost one has unwound, and
answered before that is asked again, so that no answer depends on where a program began to ask. A
chain that does not end so is cut and counted; beyond the maximum work, provisional answers become
final.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, TypeVarTuple, cast

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

if TYPE_CHECKING:
    from mu.resolve.solver.flow import Flow

Answer = TypeVar("Answer")
About = TypeVarTuple("About")
Asked = TypeVar("Asked")

ParameterKey = tuple[int, int]
"""Something that is still being gathered: (function, place of a parameter)."""

Needs = tuple[Pending, ...]
NO_NEEDS: Needs = ()

_Compute = Callable[..., tuple[object, ...]]  # type: ignore[explicit-any]  # takes any

LISTED = "listed"
"""What questions begin with that name an expression by file and number."""


class _Share(Protocol):
    """The first of all equal answers, given one twice."""

    def __call__(self, answer: Answer, again: Answer, /) -> Answer: ...


class PendingAnswer(Pending):
    """The answer to a question."""

    __slots__ = ("about", "ask")

    def __init__(  # type: ignore[explicit-any]  # `ask` takes `about`
        self, ask: Callable[..., object], about: tuple[object, ...]
    ) -> None:
        super().__init__()
        self.ask = ask
        self.about = about

    def find_again(self) -> None:
        """Ask the question."""
        self.ask(*self.about)

    def forget(self) -> None:
        """Let go of the question as well."""
        super().forget()
        self.about = ()


class PendingValues(Pending):
    """What an expression may give: most are. A tuple of what is asked would be as large again."""

    __slots__ = ("flow", "number", "unit")

    def __init__(self, flow: "Flow", unit: FileSymbols, number: int) -> None:
        super().__init__()
        self.flow = flow
        self.unit = unit
        self.number = number

    def find_again(self) -> None:
        """Evaluate the expression."""
        self.flow.values(self.unit, self.number)


class Solver:
    """Keeps which questions are open, and what waits.

    `unsettled` grows whenever an answer is used that is not final, so whoever derives something
    from answers may keep it if `unsettled` has not changed meanwhile; `needs` grows, among those,
    with what an answer waits for. `limited` counts the answers cut short by the bound on depth,
    `crowded` names what may give more values than are kept, its file first. `shared(one, one)` is
    the same object for all answers that are equal, so that those which are kept take 14 MB on
    django, and not 58.
    """

    def __init__(self) -> None:
        self.unsettled = 0
        self.limited = 0
        self.crowded: set[tuple[int, Hashable] | tuple[int, int, str]] = set()
        self.needs: list[Pending] = []
        self.widen: Callable[[Sequence[Value]], Values] = tuple  # what makes fewer of many values
        self.opened: dict[Hashable, int] = {}  # open questions, by how many are open around them
        # The outermost open question that answers below depend on.
        self._reaches = DEEPEST_QUERY + 1
        self._work = 0
        # Questions that were asked too deep below the outermost, and those of them, each below the
        # one before, that are being answered for themselves.
        self._postponed: list[tuple[Hashable, _Compute, tuple[object, ...]]] = []
        self._restarted: list[Hashable] = []
        self.now = 0  # the iteration of propagation
        self._parameters: dict[ParameterKey, Pending] = {}
        self._kept: dict[Hashable, Pending] = {}
        # The answers of questions in the circles that are open, with what the circle reaches, and
        # the order they were found in: they hold until the outermost question of it is answered.
        self._parts: dict[Hashable, tuple[tuple[object, ...], Needs, int]] = {}
        self._order: list[Hashable] = []
        self._assumed: dict[Hashable, tuple[object, ...]] = {}  # of open questions
        self._is_complete = False
        self.shared = cast(_Share, dict[object, object]().setdefault)

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
            pending = self._parameters.get(need)
            if pending is None:
                pending = self._parameters[need] = Pending()
            self.needs.append(pending)
            self.unsettled += 1

    def wait_for(self, need: Pending) -> None:
        """Say so of a pending answer."""
        if not self._is_complete:
            self.needs.append(need)
            self.unsettled += 1

    def needed(self, since: int = 0) -> Needs:
        """What was needed since then, each once."""
        needs = self.needs
        if len(needs) - since < 2:
            return tuple(needs[since:])
        return tuple(dict.fromkeys(needs[since:]))

    def keep(self, pending: Pending, answer: tuple[object, ...], *, since: int) -> None:
        """Keep an answer with what was needed `since` then, which it stands for from now on."""
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
        """Keep an answer that waits for nothing any more."""
        pending.needs = ()
        self._put(pending, answer)

    def _put(self, pending: Pending, answer: tuple[object, ...]) -> None:
        if answer != pending.answer:
            pending.answer, pending.changed = self.shared(answer, answer), self.now
        pending.checked, pending.state = self.now, SURE

    def doubt(self, changed: Iterable[ParameterKey]) -> None:
        """Begin an iteration: what depends on parameters that hold more now is in doubt."""
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
        """Those that need something in doubt, or a parameter that holds more; and the others."""
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
        """Tell whether anything that was needed is another thing than in the iteration `since`, by
        default the last one. What is in doubt is asked for in order, as who needs it would.
        """
        since = self.now - 1 if since < 0 else since
        before, unsettled = len(self.needs), self.unsettled
        reaches, work, mark = self._reaches, self._work, len(self._order)
        found = False
        for need in needs:
            if need.state == DOUBTFUL:
                need.find_again()
            if need.state != SURE or need.changed > since:
                found = True
                break
        del self.needs[before:]
        self.unsettled = unsettled
        self._reaches, self._work = reaches, work
        self._drop_parts(mark)
        return found

    def holds(self, pending: Pending) -> bool:
        """Tell whether an open answer in doubt is what it was, since all its parts are."""
        pending.state = OPEN
        if pending.is_circular or self.has_changed(pending.needs, pending.checked):
            return False
        pending.checked, pending.state = self.now, SURE
        return True

    def complete(self, units: Iterable[FileSymbols] = ()) -> None:
        """Say that all is gathered: what waits and still holds is final, also in some files."""
        self._is_complete = True
        self.needs.clear()
        for unit in units:
            unit.settle()
        self._kept = {key: kept for key, kept in self._kept.items() if kept.state == SURE}
        reached = [*self._parameters.values()]
        while reached:  # they refer to one another, and no collector runs
            one = reached.pop()
            reached += one.users or ()
            one.forget()
        self._parameters.clear()

    def close(self, units: Iterable[FileSymbols]) -> None:
        """Say that no question is open any more, nor an expression of the files, after an error
        came out of the outermost.
        """
        for unit in units:
            for number in [row for row, kept in unit.waiting.items() if isinstance(kept, int)]:
                del unit.waiting[number]
        self._reaches = DEEPEST_QUERY + 1
        for unanswered in (
            *(self.opened, self._parts, self._order, self._assumed),
            *(self._postponed, self._restarted),
        ):
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
            self._drop_parts(mark)
        self._assumed.pop(key, None)
        return found

    def _drop_parts(self, mark: int) -> None:
        """Drop the answers in circles that were found since `mark` of them were there."""
        if len(self._order) > mark:
            for inner in self._order[mark:]:
                del self._parts[inner]
            del self._order[mark:]

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
        if kept is not None and kept.state == SURE:
            if kept.needs:
                self.wait_for(kept)
            return cast(tuple[Answer, ...], kept.answer), not kept.needs
        if self._parts:
            part = self._parts.get(key)
            if part is not None:
                self.unsettled += 1 + len(part[1])
                self.needs.extend(part[1])
                self._reaches = min(self._reaches, part[2])
                return cast(tuple[Answer, ...], part[0]), False
        if depth >= DEEPEST_QUERY:
            self._postpone(key, compute, about)
            return (), False
        if depth == 0:
            self._work = 0
        self._work += 1
        opened[key] = depth
        outer, self._reaches = self._reaches, DEEPEST_QUERY + 1
        if kept is not None and self.holds(kept):
            opened.popitem()
            self._reaches = outer
            self.wait_for(kept)
            return cast(tuple[Answer, ...], kept.answer), False
        since, mark, unsettled = len(self.needs), len(self._order), self.unsettled
        answer = compute(*about)
        opened.popitem()  # the key: what was asked meanwhile is answered
        if self._postponed and not depth:
            answer = self._after_postponed(key, compute, about, back=(since, mark, unsettled))
        if self._reaches >= depth or self._work > MOST_QUERIES:
            self._reaches = outer
            self._drop_parts(mark)
            if len(self.needs) == since:
                if kept is not None:
                    self.keep_final(kept, answer)
                return answer, True
            if kept is None:
                kept = PendingAnswer(Solver.solve, (self, key, compute, *about))
            self._kept[key] = kept
            kept.is_circular = self.unsettled - unsettled != len(self.needs) - since
            self.keep(kept, answer, since=since)
            return answer, False
        self._keep_part(key, answer, since=since)
        self._reaches = min(outer, self._reaches)
        return answer, False

    def _postpone(
        self,
        key: Hashable,
        compute: Callable[[*About], tuple[Answer, ...]],
        about: tuple[*About],
    ) -> None:
        """Leave a question that is too deep for later: nothing that is made of its answer holds,
        up to the outermost question, which is asked again then.
        """
        if key in self._restarted or len(self._restarted) >= MOST_RESTARTS:
            self.give_up()
            return
        self._postponed.append((key, compute, about))
        self.unsettled += 1
        self._reaches = -1

    def _after_postponed(
        self,
        key: Hashable,
        compute: Callable[[*About], tuple[Answer, ...]],
        about: tuple[*About],
        *,
        back: tuple[int, int, int],
    ) -> tuple[Answer, ...]:
        """The answer to an outermost question, asked again once those below it that were too deep
        are answered, each as an outermost one; what is needed, in circles and unsettled goes `back`
        to where it was each time.
        """
        since, mark, unsettled = back
        answer: tuple[Answer, ...] = ()
        while self._postponed:
            postponed, self._postponed = self._postponed, []
            self._drop_parts(mark)
            for each in postponed:
                self._restart(*each)
            del self.needs[since:]
            self.unsettled, self._reaches, self._work = unsettled, DEEPEST_QUERY + 1, 0
            self.opened[key] = 0
            answer = compute(*about)
            self.opened.popitem()
        return answer

    def _restart(self, key: Hashable, compute: _Compute, about: tuple[object, ...]) -> None:
        """Answer a question that was too deep, and keep the answer here, as nobody else does."""
        kept = self._kept.get(key)
        if kept is not None and kept.state == SURE:
            return
        self._restarted.append(key)
        answer, is_final = self.solve(key, compute, *about)
        self._restarted.pop()
        if is_final:
            kept = self._kept[key] = PendingAnswer(Solver.solve, (self, key, compute, *about))
            self.keep_final(kept, answer)

    def _keep_part(self, key: Hashable, answer: tuple[object, ...], *, since: int) -> None:
        """Keep a provisional answer until the outermost question of its cycle is answered."""
        before = self._kept.pop(key, None)
        if before is not None:
            before.state = STALE
        self._parts[key] = answer, self.needed(since), self._reaches
        self._order.append(key)
