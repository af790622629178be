"""Keep the engine alive where a process may not map much memory (`ulimit -v`).

What its native code cannot map ends the process with a segmentation fault, where Python raises an
error. glibc maps an arena of 64 MB for each thread that allocates: on 450 MB each of 12 queries
ended so, while on 200 MB, where no arena was ever mapped, all were answered. So all threads share
one arena, and where there may be no room for the engine at all it is not loaded.
"""

import ctypes
import sys
from pathlib import Path

from mu.errors import NoMemoryError

_ARENA_MAX = -8
"""`M_ARENA_MAX` of glibc's `mallopt`."""

_LEAST = 230_000_000
"""Bytes that are enough to load the engine and open a graph; 160 MB mostly are (DuckDB 2.0.0)."""


def prepare_address_space() -> None:
    """Make the most of a limited address space for the engine; on Linux alone.

    Raises NoMemoryError where the engine does not fit.
    """
    if sys.platform != "linux":
        return
    import resource

    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most == resource.RLIM_INFINITY:
        return
    mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    if "duckdb" not in sys.modules and most - mapped * resource.getpagesize() < _LEAST:
        raise NoMemoryError
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have none
    if mallopt is not None:
        mallopt(_ARENA_MAX, 1)
