"""A build that stands by: all that an update takes is loaded, and it begins when a line comes.

Servers keep one for each folder that is edited: loading costs half a second, which is most of what
the update of a small repository takes. It ends when its input does, or when nothing comes for some
minutes.
"""

import os
import select
import sys
from importlib import import_module

PATIENCE = 600.0
"""Seconds that it stands by; it takes 70 MB meanwhile."""

_LOADED = (
    *("mu.cli.application", "mu.cli.kernel", "mu.kernel.updating", "mu.kernel.relinking"),
    *("mu.kernel.document_relinking", "mu.kernel.relining", "mu.store.binding"),
)


def main() -> int:
    """Load, wait for a line, and run the command line of the process."""
    from mu.cli import main as run
    from mu.kernel.engine import engine_digest

    before = engine_digest()
    for name in _LOADED:
        import_module(name)
    ready, _, _ = select.select([sys.stdin], [], [], PATIENCE)
    if not ready or not sys.stdin.readline():
        return 0
    if engine_digest() != before:  # another MU was installed meanwhile
        os.execv(sys.executable, [sys.executable, "-P", "-m", "mu", *sys.argv[1:]])
    return run()


if __name__ == "__main__":
    sys.exit(main())
