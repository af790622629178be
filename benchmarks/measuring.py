"""Runs a command and says what it cost, all its processes together.

Time and memory are never measured in the same run: sampling memory walks page tables and costs time
on a machine with few cores. Memory is the proportional set size where the system tells it, so that
pages shared between processes count once.
"""

import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil

REPOSITORY = Path(__file__).resolve().parents[1]
_SAMPLE_INTERVAL = 0.02  # seconds
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, slots=True)
class Usage:
    """What one run cost, in seconds; `cpu` is of the process and of all it waited for."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that is over: what it cost and what it wrote.

    `largest` is the most memory that one of its processes held, in bytes.
    """

    usage: Usage
    output: str
    largest: int


class CommandError(Exception):
    """A measured command failed; the text has its last lines."""


def run(
    command: Sequence[str],
    *,
    accept: tuple[int, ...] = (0,),
    cache: Path | None = None,
    most_cpu: int = 0,
) -> Finished:
    """Run a command to its end from the repository's root; CommandError on another status.

    What it keeps for the user it keeps in the folder `cache`, if one is given. Each of its
    processes may use `most_cpu` seconds, any number if that is 0.
    """
    started = time.perf_counter()
    process = _start(command, cache)
    if most_cpu:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (most_cpu, most_cpu))
    output, errors = _drain(process)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in accept:
        tail = "\n".join((errors or output).splitlines()[-5:])
        raise CommandError(f"{' '.join(command)} ended with {process.returncode}:\n{tail}")
    return Finished(
        Usage(wall, usage.ru_utime + usage.ru_stime), output, usage.ru_maxrss * _RSS_UNIT
    )


def peak_memory(
    command: Sequence[str], *, accept: tuple[int, ...] = (0,), cache: Path | None = None
) -> int:
    """Run a command once more and give the peak memory of its whole tree, in bytes."""
    peak = 0
    process = _start(command, cache)
    over = threading.Event()
    parent = psutil.Process(process.pid)

    def sample() -> None:
        nonlocal peak
        while not over.wait(_SAMPLE_INTERVAL):
            peak = max(peak, _tree_memory(parent))

    sampler = threading.Thread(target=sample)
    sampler.start()
    _drain(process)
    over.set()
    sampler.join()
    if process.wait() not in accept:
        raise CommandError(f"{' '.join(command)} ended with {process.returncode}")
    return peak


def median_usage(runs: Sequence[Usage]) -> Usage:
    """Take the median of each figure by itself."""
    return Usage(median(use.wall for use in runs), median(use.cpu for use in runs))


def time_calls(call: Callable[[], object], *, runs: int) -> float:
    """Give the median processor time of a call, in seconds, after one unmeasured.

    Of the whole process, so that other work on the machine does not count.
    """
    call()
    seconds = []
    for _ in range(runs):
        started = time.process_time()
        call()
        seconds.append(time.process_time() - started)
    return median(seconds)


def _start(command: Sequence[str], cache: Path | None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        cwd=REPOSITORY,
        env=os.environ | ({"XDG_CACHE_HOME": str(cache)} if cache else {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _drain(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Read both streams to their ends without waiting for the process."""
    assert process.stdout is not None
    assert process.stderr is not None
    errors: list[str] = []
    reader = threading.Thread(
        target=lambda stream: errors.append(stream.read()), args=[process.stderr]
    )
    reader.start()
    with process.stdout, process.stderr:
        output = process.stdout.read()
        reader.join()
    return output, "".join(errors)


def _tree_memory(parent: psutil.Process) -> int:
    total = 0
    try:
        family = [parent, *parent.children(recursive=True)]
    except psutil.Error:
        return 0
    for process in family:
        try:
            memory = process.memory_full_info()
        except (psutil.Error, OSError):
            continue
        total += getattr(memory, "pss", 0) or memory.uss
    return total
