"""Pending answers: what was found while the sets of parameters still grow, and what it is made of.

A pending answer is found again only where something that it is made of is another thing now. Most
of what depends on a parameter that holds more stays as it was, a few steps further on: on django
three of four evaluations would give the same again.
"""

from collections.abc import Callable
from typing import Final

SURE: Final = 0
"""An answer that holds."""
DOUBTFUL: Final = 1
"""One that depends on a parameter that holds more since it was found."""
STALE: Final = 2
"""One that does not hold any more."""
OPEN: Final = 3
"""One that is being found again."""


def _is_given() -> None:
    """Parameters are read without a question."""


class Pending:
    """An answer, and the pending answers and parameters that it was made of, in order.

    `ask(*about)` finds it again; `users` were made of it. `changed` is the iteration of propagation
    in which it became another one, `checked` the last one in which it was found to hold. One that
    `is_circular` asked for itself on the way, so it is found again where it is in doubt. A
    parameter is made of nothing, and has no answer here.
    """

    __slots__ = (
        "about",
        "answer",
        "ask",
        "changed",
        "checked",
        "is_circular",
        "needs",
        "state",
        "users",
    )

    def __init__(  # type: ignore[explicit-any]  # `ask` takes `about`
        self,
        ask: Callable[..., object] = _is_given,
        about: tuple[object, ...] = (),
    ) -> None:
        self.ask = ask
        self.about = about
        self.answer: tuple[object, ...] = ()
        self.needs: tuple[Pending, ...] = ()
        self.users: list[Pending] | None = None  # most have none or few, and there are many
        self.changed = self.checked = 0
        self.state = SURE
        self.is_circular = False
