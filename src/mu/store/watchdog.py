"""A deadline that keeps interrupting until the work has stopped.

One interrupt is not enough: the engine forgets an interrupt that arrives before it has begun to
execute. So it is sent again and again from a thread until the block is left.
"""

import threading
from collections.abc import Callable
from types import TracebackType

_REPEAT_SECONDS = 0.02


class Watchdog:
    """Calls `interrupt` again and again once `seconds` have passed, until its block is left."""

    def __init__(self, interrupt: Callable[[], None], seconds: float) -> None:
        self._interrupt = interrupt
        self._seconds = seconds
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="mu-deadline", daemon=True)
        self.expired = False

    def __enter__(self) -> "Watchdog":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._left.set()
        self._thread.join()

    def _watch(self) -> None:
        wait = self._seconds
        while not self._left.wait(wait):
            self.expired = True
            self._interrupt()
            wait = _REPEAT_SECONDS
