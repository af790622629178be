"""What each step of a gathering gave, and in which round, so that another need not take it again.

A step asks what may take the arguments of a call, or what an argument gives. Its answer is a
function of the facts and of what is shown of the parameters it needs in that round; so where both
are as they were in the gathering before, its answer is, too.
"""

from collections.abc import Hashable, Mapping, Set
from typing import TypeVar, cast

from mu.resolve.search import Need, Needs
from mu.resolve.values import Values

Step = tuple[str, int, Hashable]
"""(what is asked, file, about what in it)."""

Answer = TypeVar("Answer")

_NOTHING: Mapping[Need, Values] = {}


class Steps:
    """The answers of one gathering by step, those of the one `before` among them.

    `renewed` are the files whose steps all have to be taken again, `differing` the parameters of
    which something else is shown than was at this time before.
    """

    def __init__(self, before: "Steps | None" = None, renewed: Set[int] = frozenset()) -> None:
        self.differing: set[Need] = set()
        self._before = before
        self._renewed = renewed
        self._round = 0
        self._answers: dict[Step, list[tuple[int, object, Needs]]] = {}
        self._shown: list[Mapping[Need, Values]] = []  # by round
        self._now: dict[Need, Values] = {}
        self._then: dict[Need, Values] = {}

    def find(self, step: Step) -> tuple[Answer, Needs] | None:
        """The answer of a step and what it needs, where it is the one that was given before."""
        if self._before is None or step[1] in self._renewed:
            return None
        versions = self._before._answers.get(step)
        if versions is None:
            return None
        number, answer, needs = versions[0]
        for version in reversed(versions):
            if version[0] <= self._round:
                number, answer, needs = version
                break
        if needs and (number > self._round or not needs.isdisjoint(self.differing)):
            return None
        self.note(step, answer, needs=needs)
        return cast(Answer, answer), needs

    def note(self, step: Step, answer: object, *, needs: Needs) -> None:
        """Note the answer of a step in this round."""
        versions = self._answers.setdefault(step, [])
        if not versions or versions[-1][0] < self._round:
            versions.append((self._round, answer, needs))

    def show(self, shown: Mapping[Need, Values]) -> None:
        """Begin a round in which something else is shown of some parameters."""
        before = self._before
        rounds = [] if before is None else before._shown
        then = rounds[self._round] if self._round < len(rounds) else _NOTHING
        self._shown.append(shown)
        self._now.update(shown)
        self._then.update(then)
        self._round += 1
        for need in (*shown, *then):
            if self._now.get(need) == self._then.get(need):
                self.differing.discard(need)
            else:
                self.differing.add(need)

    def close(self) -> Set[Need]:
        """Let go of the gathering before; give the parameters that hold something else at last."""
        while self._before is not None and self._round < len(self._before._shown):
            self.show(_NOTHING)
        self._before = None
        return self.differing

    def needs(self) -> set[Need]:
        """All that any answer needs."""
        distinct = {needs for versions in self._answers.values() for _, _, needs in versions}
        return set().union(*distinct)
