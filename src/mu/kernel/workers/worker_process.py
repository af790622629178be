"""A worker process as the build sees it: started, sent tasks, read and ended.

The process starts isolated and without `site`: the interpreter's own library comes first on its
path, then what this process can import, and never the current folder, so that a `json.py` of the
repository is never run. It does not import this process's main module either.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import mu
from mu.kernel.workers.wire_protocol import Frame, FrameKind, pack, take_frames
from mu.kernel.workers.worker_limits import WorkerLimits

_BOOTSTRAP = (
    "import sys; sys.path += sys.argv[5:]; "
    "from mu.kernel.workers.worker_main import main; "
    "cpu, wall, memory = float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]); "
    "main(sys.argv[1], cpu=cpu, wall=wall, memory=memory)"
)
_READ_BYTES = 1 << 20
_PIPE_BYTES = 1 << 20
"""Room for results, so that a worker continues while the build is busy with earlier ones."""


_popen = subprocess.Popen


class Task(NamedTuple):
    """A task: `payload` is sent to the worker; `weight` is its size in bytes of source.

    What a worker learns in one task serves others of the same `kind`.
    """

    key: int
    weight: int
    payload: bytes
    kind: str = ""


class WorkerProcess:
    """A process and its `pending` tasks, sent and not answered; it works on the first of them.

    `since` is when (monotonic seconds) it began on the first; `ready` is True once it has started;
    `kinds` are those of all tasks it was sent. Not thread-safe. `end` must be called once.
    """

    def __init__(self, entry: str, configuration: bytes, limits: WorkerLimits) -> None:
        self.pending: deque[Task] = deque()
        self.kinds: set[str] = set()
        self.since = time.monotonic()
        self.ready = False
        self._buffer = bytearray()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        options = [str(each) for each in (limits.cpu, 2 * limits.wall, limits.memory)]
        self._process = _popen(
            [sys.executable, "-I", "-S", "-c", _BOOTSTRAP, entry, *options, *_import_path()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            bufsize=0,
        )
        os.set_blocking(self.fileno(), False)
        _widen(self.fileno())
        self._write(pack(0, FrameKind.TASK, payload=configuration))

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def fileno(self) -> int:
        """Return the descriptor on which results arrive, for a selector."""
        assert self._process.stdout is not None  # noqa: S101 - opened as a pipe above
        return self._process.stdout.fileno()

    def send(self, task: Task) -> None:
        """Send it a task; a process that has died is noticed in `receive`, not here."""
        if not self.pending:
            self.since = time.monotonic()
        self.pending.append(task)
        self.kinds.add(task.kind)
        self._write(pack(task.key, FrameKind.TASK, payload=task.payload))

    def receive(self) -> tuple[list[Frame], bool]:
        """Read what has arrived: the complete frames, and whether the process closed its output."""
        try:
            data = os.read(self.fileno(), _READ_BYTES)
        except BlockingIOError:
            return [], False
        self._buffer += data
        return list(take_frames(self._buffer)), not data

    def acknowledge(self, key: int) -> None:
        """Remove the task `key`, the first pending one, which is finished."""
        task = self.pending.popleft()
        assert task.key == key, "a worker answers in order"  # noqa: S101
        self.since = time.monotonic()

    def end(self) -> int:
        """Kill the process if it runs, wait for it, and return its status (`describe_exit`)."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        status = self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        return status

    def last_error_line(self) -> str:
        """Return the last line of its error stream, and close that; empty if there is none."""
        with self._log as log:
            log.seek(0)
            lines = log.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None  # noqa: S101 - opened as a pipe above
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(data)


def _import_path() -> Iterable[str]:
    """Return the folders a worker imports from, after the interpreter's own library."""
    here = str(Path.cwd())
    kept = [entry for entry in sys.path if entry not in ("", here) and Path(entry).is_absolute()]
    return dict.fromkeys([*kept, str(Path(mu.__file__).parent.parent)])


def _widen(descriptor: int) -> None:
    try:
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        pass  # the system's own size works as well, with more waiting


def describe_exit(status: int) -> str:
    """Describe how a process with this status ended; one below 0 is that of a signal."""
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
