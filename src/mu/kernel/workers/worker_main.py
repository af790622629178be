"""A worker process of a build: it reads tasks from its input and writes results to its output.

It is started isolated, imports nothing from the current folder, and what a task prints goes to the
error stream, never between the frames. It ends when its input ends. Parsing holds the interpreter's
lock, so no thread in here could stop a parse that never ends: system timers are set before each
task instead, and end the process even if the build that would have killed it is gone. One of them
counts CPU time, so that no file fails because the machine is busy.
"""

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import BinaryIO

from mu.kernel.frame_memory import in_one_chunk
from mu.kernel.workers.wire_protocol import FrameKind, pack, read_frame

Work = Callable[[bytes], bytes]
"""A work function: from the payload of a task to the payload of its result."""


START_CPU = 60.0
"""Seconds of CPU time that a worker may take to get ready; it takes about one."""


@in_one_chunk
def main(entry: str, *, cpu: float, wall: float, memory: int) -> None:
    """Serve tasks until the input ends.

    `entry` is `module:attribute`, a callable that takes the configuration (the payload of the first
    frame) and returns the `Work`. A task that takes more than `cpu` seconds of CPU time, or `wall`
    seconds, ends the process; so does one that needs more than `memory` bytes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the build decides what an interrupt means
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _set_timers(START_CPU, 0)
    limit_memory(memory)
    tasks, results = _take_over_streams()
    with contextlib.suppress(BrokenPipeError):
        first = read_frame(tasks)
        work = _set_up(entry, first.payload, results) if first else None
        if work is not None:
            _serve(work, tasks, results, cpu=cpu, wall=wall)


def limit_memory(most: int) -> None:
    """Limit the private memory of this process to `most` bytes.

    Only Linux counts what an allocator takes; elsewhere nothing is limited. A limit that is already
    lower stays.
    """
    if sys.platform == "linux":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        lowest = min([one for one in (most, soft, hard) if one != resource.RLIM_INFINITY])
        resource.setrlimit(resource.RLIMIT_DATA, (lowest, hard))


def _set_timers(cpu: float, wall: float) -> None:
    """End this process after some seconds of CPU time, or of wall time; 0 is never."""
    signal.setitimer(signal.ITIMER_PROF, cpu)
    signal.setitimer(signal.ITIMER_REAL, wall)


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes for frames, and redirect standard input and output elsewhere."""
    tasks = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return tasks, results


def _set_up(entry: str, configuration: bytes, results: BinaryIO) -> Work | None:
    module, _, attribute = entry.partition(":")
    try:
        work: Work = getattr(import_module(module), attribute)(configuration)
    except Exception as error:  # noqa: BLE001 - reported to the build, which raises it
        _send(results, pack(0, FrameKind.BROKEN, payload=_describe(error)))
        return None
    # Facts are hundreds of thousands of small objects without cycles: the collector only costs.
    gc.freeze()
    gc.disable()
    _set_timers(0, 0)
    _send(results, pack(0, FrameKind.READY))
    return work


def _serve(work: Work, tasks: BinaryIO, results: BinaryIO, *, cpu: float, wall: float) -> None:
    while (frame := read_frame(tasks)) is not None:
        _set_timers(cpu, wall)
        try:
            answer = pack(frame.key, FrameKind.DONE, payload=work(frame.payload))
        except MemoryError:
            _send(results, pack(frame.key, FrameKind.EXHAUSTED))
            return  # its memory is fragmented: the next file needs a new process
        except Exception as error:  # noqa: BLE001 - one file's failure is its own
            answer = pack(frame.key, FrameKind.FAILED, payload=_describe(error))
        _set_timers(0, 0)
        _send(results, answer)


def _send(results: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[results.write(view) :]


def _describe(error: Exception) -> bytes:
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {text}".encode("utf-8", "backslashreplace")
