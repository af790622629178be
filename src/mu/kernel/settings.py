"""The settings of a build: its input, its workers and their limits.

They are apart from the code that builds, so that a build with nothing to do does not load that.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

from mu.errors import ExitCode, MuError
from mu.kernel.workers.worker_limits import WorkerLimits
from mu.source import WalkOptions

ENTRY = "mu.kernel.extraction.file_extraction:set_up"
"""The function that sets up a worker process, as `module:attribute`."""


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """What to build and how.

    `jobs` is the number of worker processes, 0 for one per available processor, and `limits` are
    those of one worker. `roots` are more folders that imports start from. `lock_wait` is how many
    seconds to wait for another build to end. `entry` names the function that a worker runs. Facts
    are cached in the folder `facts` from one build to the next, nowhere if it is None. With
    `is_full` a graph is built even if the existing one is up to date, and nothing is read from
    `facts`.
    """

    walk: WalkOptions = field(default_factory=WalkOptions)
    jobs: int = 0
    roots: tuple[str, ...] = ()
    limits: WorkerLimits = field(default_factory=WorkerLimits)
    lock_wait: float = 30.0
    entry: str = ENTRY
    facts: Path | None = None
    is_full: bool = False

    @property
    def processes(self) -> int:
        """The number of worker processes: `jobs`, or one per processor that may be used."""
        return self.jobs or _available_processors()


def _available_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_folder(root: Path) -> None:
    """Check that `root` is a folder that can be listed; raise a `MuError` (usage) if not."""
    if not root.exists():
        raise MuError(f"no such folder: {root}", "check the path", ExitCode.USAGE)
    if not root.is_dir():
        raise MuError(
            f"not a folder: {root}", "give the folder that holds the repository", ExitCode.USAGE
        )
    if not os.access(root, os.R_OK | os.X_OK):
        raise MuError(f"cannot read the folder {root}: permission denied", code=ExitCode.USAGE)
