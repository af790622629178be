"""The limits of a worker process."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """The limits of a worker: `cpu` and `wall` seconds for a task, `memory` bytes for itself.

    2 MB of Python, the largest file that is read by default, take 4 s and 160 MB (files of django,
    joined). Waiting for a disk or for a processor takes no CPU time, so `wall` is far longer.
    """

    cpu: float = 20.0
    wall: float = 600.0
    memory: int = 1_500_000_000
