"""Pending answers: provisional answers found while parameters still grow, and their dependencies.

A pending answer is computed again only if one of its dependencies has changed. Most of what
depends on a parameter that grew stays the same a few steps further on: on django three of four
evaluations would return the same again.
"""

from typing import Final

SURE: Final = 0
"""The answer holds."""
DOUBTFUL: Final = 1
"""The answer depends on a parameter that grew since it was computed, directly or transitively."""
STALE: Final = 2
"""The answer does not hold any more."""
OPEN: Final = 3
"""The answer is being computed again."""


class Pending:
    """A provisional answer, or a parameter, in the dependency graph of early cutoff.

    `needs` are the pending answers and parameters that it depends on, in the order in which they
    were asked for; `users` depend on it. `changed` is the iteration of propagation in which the
    answer last changed, `checked` the last one in which it was found to hold. If `is_circular`, it
    depended on itself, so it is computed again whenever it is in doubt. A parameter has no needs
    and no answer here, and is never computed again.
    """

    __slots__ = ("answer", "changed", "checked", "is_circular", "needs", "state", "users")

    def __init__(self) -> None:
        self.answer: tuple[object, ...] = ()
        self.needs: tuple[Pending, ...] = ()
        self.users: list[Pending] | None = None  # most have none or few, and there are many
        self.changed = self.checked = 0
        self.state = SURE
        self.is_circular = False

    def find_again(self) -> None:
        """Ask for the answer again, which updates it here."""

    def forget(self) -> None:
        """Drop the references to its dependencies and users."""
        self.users, self.needs = None, ()
