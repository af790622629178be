"""The settings of a build: its input, its workers and their limits.

Apart from what builds, so that a build that finds nothing changed loads none of that.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

from mu.errors import ExitCode, MuError
from mu.kernel.workers.worker_limits import WorkerLimits
from mu.source import WalkOptions

ENTRY = "mu.kernel.extraction.file_extraction:set_up"
"""What a worker process runs, as `module:attribute`."""


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """What to build and how.

    `jobs` counts worker processes, 0 for one on each processor available, and `limits` says what
    one may take for a file; `lock_wait` is in seconds for another build to end. `entry` names what
    a worker runs. Facts are kept in the folder `facts` from one build to the next, nowhere when it
    is None. With `is_full` a graph is made even where the one that is there is of the same, and of
    nothing that is kept in `facts`.
    """

    walk: WalkOptions = field(default_factory=WalkOptions)
    jobs: int = 0
    roots: tuple[str, ...] = ()
    limits: WorkerLimits = field(default_factory=WorkerLimits)
    lock_wait: float = 30.0
    entry: str = ENTRY
    facts: Path | None = None
    is_full: bool = False


def check_folder(root: Path) -> None:
    """Raise a `MuError` (usage) unless `root` is a folder that can be listed."""
    if not root.exists():
        raise MuError(f"no such folder: {root}", "check the path", ExitCode.USAGE)
    if not root.is_dir():
        raise MuError(
            f"not a folder: {root}", "give the folder that holds the repository", ExitCode.USAGE
        )
    if not os.access(root, os.R_OK | os.X_OK):
        raise MuError(f"cannot read the folder {root}: permission denied", code=ExitCode.USAGE)
