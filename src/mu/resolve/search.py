"""Demand-driven answers to questions that may go in circles.

An answer is final once it depends on no question still open further out, and whoever asked keeps
it; inside a circle it is asked again from there, so that what is kept never depends on where the
asking began. Depth and work are bounded: a question asked too deep has no answer, which is counted,
and after too much work every answer counts as final.
"""

from collections.abc import Callable, Hashable
from typing import TypeVar

DEEPEST = 60
MOST_WORK = 4000

Answer = TypeVar("Answer")


class Search:
    """Keeps which questions are open.

    `unsettled` grows whenever an answer is used that is not final, so whoever derives something
    from answers may keep it if `unsettled` has not changed meanwhile. `limited` counts the answers
    cut short by the bound on depth.
    """

    def __init__(self) -> None:
        self.unsettled = 0
        self.limited = 0
        self._open: dict[Hashable, int] = {}
        self._reaches = DEEPEST + 1  # the outermost open question that answers below depend on
        self._work = 0

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
        if depth >= DEEPEST:
            self.limited += 1
            return (), False
        if depth == 0:
            self._work = 0
        self._work += 1
        self._open[key] = depth
        outer, self._reaches = self._reaches, DEEPEST + 1
        answer = compute()
        del self._open[key]
        if self._reaches >= depth or self._work > MOST_WORK:
            self._reaches = outer
            return answer, True
        self._reaches = min(outer, self._reaches)
        return answer, False
