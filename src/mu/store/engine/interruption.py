"""Ctrl-C while the engine works, as the KeyboardInterrupt that every other Python code raises."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_STOPPED = "Query interrupted"
"""What the engine's bindings say in a plain RuntimeError when Ctrl-C came (DuckDB 2.0.0)."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Stand around calls of the engine: what Ctrl-C ends raises KeyboardInterrupt."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == _STOPPED:
            raise KeyboardInterrupt from error
        raise


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Stand around what Ctrl-C must not break: it raises KeyboardInterrupt when that is done.

    Loading the engine is such, whose binding ends the process when it is left halfway.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    pressed: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt
