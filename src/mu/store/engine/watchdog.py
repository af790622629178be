"""Deadlines that keep interrupting until the work has stopped.

One interrupt is not enough: the engine forgets an interrupt that arrives before it has begun to
execute. So it is sent again and again until the block is left.

One thread watches all the queries of a connection, which take turns. It sleeps until the deadline
it knows of, and as a rule those of later queries lie behind that, so that most need not wake it. (A
thread for each query costs 0.3 ms, as much as a small query.) It ends when it finds nothing to
watch, or with its connection, and holds no reference to what it interrupts, which may thus be freed
at any time.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakMethod

_REPEAT_SECONDS = 0.02


class Deadline:
    """The end of one block's time; `expired` tells whether it was reached."""

    def __init__(self, seconds: float) -> None:
        self.ends_at = time.monotonic() + seconds
        self.expired = False


class Watchdog:
    """Calls the method `interrupt` again and again while a block goes on past its time."""

    def __init__(self, interrupt: Callable[[], None]) -> None:
        self._interrupt = WeakMethod(interrupt)
        self._changed = threading.Condition()
        self._current: Deadline | None = None
        self._wakes_at = 0.0  # valid while there is a thread
        self._thread: threading.Thread | None = None

    @contextmanager
    def limit(self, seconds: float) -> Iterator[Deadline]:
        """Give the block so many seconds; blocks do not overlap."""
        deadline = Deadline(seconds)
        with self._changed:
            self._current = deadline
            if self._thread is None:
                self._wakes_at = deadline.ends_at
                self._thread = threading.Thread(target=self._watch, name="mu-deadline", daemon=True)
                self._thread.start()
            elif deadline.ends_at < self._wakes_at:
                self._changed.notify()
        try:
            yield deadline
        finally:
            with self._changed:
                self._current = None

    def close(self) -> None:
        """End the thread unless a block goes on: a program with threads is not forked."""
        with self._changed:
            if self._current is not None:
                return
            thread, self._thread = self._thread, None
            self._changed.notify()
        if thread is not None:
            thread.join()

    def _watch(self) -> None:
        own = threading.current_thread()
        with self._changed:
            while self._current is not None and self._thread is own:
                now = time.monotonic()
                self._wakes_at = self._current.ends_at
                if self._wakes_at <= now:
                    self._current.expired = True
                    self._stop()
                    self._wakes_at = now + _REPEAT_SECONDS
                self._changed.wait(self._wakes_at - now)
            if self._thread is own:
                self._thread = None

    def _stop(self) -> None:
        interrupt = self._interrupt()
        if interrupt is not None:
            interrupt()
