"""A build on standby: it loads all that an update takes, and begins when it reads a line.

Servers keep one for each folder that is edited: getting ready takes most of what the update of a
small repository does. It ends when its input does, or when nothing comes for some minutes.
"""

import os
import select
import sys
from collections.abc import Iterator
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
    "mu.store.engine.binding",
)


@in_one_chunk
def main() -> int:
    """Get ready, wait for a line, and run the command line of the process: `-C ROOT` and more."""
    from mu.cli import main as run
    from mu.kernel.engine_digest import engine_digest

    before = engine_digest()
    with suppress(Exception):  # it costs the head start, and the build says what is wrong
        for _ in _steps(Path(sys.argv[2])):
            if _is_told(0):
                break
    if not _is_told(PATIENCE) or not sys.stdin.readline():
        return 0
    if engine_digest() != before:  # another MU was installed meanwhile
        os.execv(sys.executable, [sys.executable, "-P", "-m", "mu", *sys.argv[1:]])
    return run()


def _steps(root: Path) -> Iterator[None]:
    """Load modules, and make ready for an update of the graph of `root`."""
    for name in _LOADED:
        import_module(name)
    yield
    from mu.kernel.garbage_collection import collector_paused
    from mu.operations.graph_file.build import prepare_update

    with collector_paused():
        yield from prepare_update(root)


def _is_told(wait: float) -> bool:
    """Tell whether the input has a line, or its end, within some seconds."""
    ready, _, _ = select.select([sys.stdin], [], [], wait)
    return bool(ready)


if __name__ == "__main__":
    sys.exit(main())
