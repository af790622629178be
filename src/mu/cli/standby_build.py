"""A build on standby: it loads what an update takes, prepares and builds as it is told to.

Servers keep one for each folder that is edited: getting ready takes most of what the update of a
small repository does. What it reads is a line with `prepare`, once the graph is as its build will
find it, and one with `build`; either may be left out. It ends when its input does, or when nothing
comes for some minutes.
"""

import gc
import os
import select
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from mu.kernel.frame_memory import in_one_chunk

PATIENCE = 600.0
"""Seconds that it stands by; it takes 100 MB meanwhile, and 250 MB where 3,600 files are."""

_LOADED = (
    "mu.cli.application",
    "mu.cli.graph_file.kernel",
    "mu.kernel.updating.incremental_update",
    "mu.kernel.updating.file_relinking",
    "mu.kernel.updating.document_relinking",
    "mu.kernel.updating.line_shifts",
    "mu.kernel.updating.warm_start",
    "mu.store.engine.binding",
)


@in_one_chunk
def main() -> int:
    """Get ready, do as told, and run the command line of the process: `-C ROOT` and more."""
    from mu.cli import main as run
    from mu.kernel.engine_digest import engine_digest

    gc.disable()  # as in any build: it would find nothing
    before, orders = engine_digest(), _Orders()
    with suppress(Exception):  # it costs the head start, and the build says what is wrong
        for name in _LOADED:
            import_module(name)
    order = orders.next()
    if order == "prepare":
        with suppress(Exception):
            from mu.operations.graph_file.build import prepare_update

            for _ in prepare_update(Path(sys.argv[2])):
                if orders.is_told():
                    break
        order = orders.next()
    if order != "build":
        return 0
    if engine_digest() != before:  # another MU was installed meanwhile
        os.execv(sys.executable, [sys.executable, "-P", "-m", "mu", *sys.argv[1:]])
    return run()


class _Orders:
    """What the standard input says, line by line."""

    def __init__(self) -> None:
        self._unread = b""

    def next(self) -> str:
        """The next line; empty at the end of the input, or when none comes in time."""
        while b"\n" not in self._unread:
            more = os.read(0, 1_000) if self.is_told(PATIENCE) else b""
            if not more:
                return ""
            self._unread += more
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode()

    def is_told(self, wait: float = 0) -> bool:
        """Tell whether there is more, or the end, within some seconds."""
        return bool(self._unread) or bool(select.select([0], [], [], wait)[0])


if __name__ == "__main__":
    sys.exit(main())
