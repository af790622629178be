"""The limits of a worker process."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What a worker may take: for a task `cpu` seconds of its CPU and `wall` seconds in all, and
    `memory` bytes for itself.

    2 MB of Python, the largest file that is read by default, take 4 s and 160 MB (files of django,
    joined). Waiting for a disk or for a processor takes no CPU, so `wall` is far longer.
    """

    cpu: float = 20.0
    wall: float = 600.0
    memory: int = 1_500_000_000
