"""Ctrl-C while the engine works, as the KeyboardInterrupt that every other Python code raises."""

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
