"""The one error MUQL raises: what is wrong, where, the nearest valid name, and what works."""

from mu.errors import ExitCode, MuError
from mu.muql.text import Place

EXAMPLE = "SELECT name, complexity FROM functions ORDER BY complexity DESC LIMIT 5"


class MuqlError(MuError):
    """A query that MUQL refuses; its message points into the text with a caret.

    `what` is the first line alone; `place` is None when nothing in the text is to blame.
    """

    def __init__(self, what: str, place: Place | None = None, hint: str = "") -> None:
        message = what if place is None else f"{what}\n{place.pointer()}"
        super().__init__(message, hint or f"this works: {EXAMPLE}", ExitCode.USAGE)
        self.what = what
        self.place = place
