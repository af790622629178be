"""Pending answers: what was found while the sets of parameters still grow, and what it is made of.

A pending answer is found again only where something that it is made of is another thing now. Most
of what depends on a parameter that holds more stays as it was, a few steps further on: on django
three of four evaluations would give the same again.
"""

from typing import Final

SURE: Final = 0
"""An answer that holds."""
DOUBTFUL: Final = 1
"""One that depends on a parameter that holds more since it was found."""
STALE: Final = 2
"""One that does not hold any more."""
OPEN: Final = 3
"""One that is being found again."""


class Pending:
    """An answer, and the pending answers and parameters that it was made of, in order.

    `find_again` asks for it; `users` were made of it. `changed` is the iteration of propagation
    in which it became another one, `checked` the last one in which it was found to hold. One that
    `is_circular` asked for itself on the way, so it is found again where it is in doubt. A
    parameter is made of nothing, and has no answer here: nobody asks for it again.
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
        """Ask for the answer; what it waits for, too, is kept here."""

    def forget(self) -> None:
        """Let go of what it was made of, and of what was made of it."""
        self.users, self.needs = None, ()
