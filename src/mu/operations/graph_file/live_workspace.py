"""A workspace that keeps up with its folder: built when there is no graph, rebuilt after edits.

Builds run in a process of their own, so that answers stay quick meanwhile and memory comes back.
The process of the next one is started while a build runs and loads what it takes; after that build
it prepares for an update of the new graph, and stands by. An answer waits a moment for a rebuild; a
longer one goes on behind, and answers say what changed.
"""

import contextlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from mu.errors import ExitCode, MuError
from mu.model.closing import Closing
from mu.operations.workspace import GRAPH_NAME, Workspace

REBUILD_WAIT = 8.0
"""Seconds that an answer waits for a rebuild before it is given from the older graph."""

SHORT_WAIT = 0.5
"""Seconds that it waits where the last build took longer than that."""

_PAUSE = 0.02

_HEAD_START = 0.2
"""Seconds that a build runs alone: it starts with a worker beside it, which takes a processor."""

_RETRY = 10.0
"""Seconds after a failed build before another is tried."""

_BUILT = (ExitCode.OK, ExitCode.PARTIAL, ExitCode.BUSY)
"""What a build ends with that did not fail; another one still ran after BUSY."""


class _Builder:
    """The process of one build, which begins when it is told to."""

    def __init__(self, root: Path, flags: Sequence[str]) -> None:
        """`-P` keeps modules of the repository from being run in its place."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - read when the build has ended
        command = [sys.executable, "-P", "-m", "mu.cli.standby_build"]
        self._process = subprocess.Popen(
            [*command, "-C", str(root), "kernel", "build", ".", *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
        )

    def prepare(self) -> bool:
        """Have it prepare for an update of the graph at hand; False if the process has ended."""
        return self._tell(b"prepare\n")

    def begin(self) -> bool:
        """Start the build, prepared or not; False if the process has ended."""
        return self._tell(b"build\n")

    def _tell(self, order: bytes) -> bool:
        if self._process.poll() is not None or self._process.stdin is None:
            return False
        try:
            self._process.stdin.write(order)
            self._process.stdin.flush()
        except OSError:
            return False
        return True

    @property
    def status(self) -> int | None:
        """What it ended with; None while it runs."""
        return self._process.poll()

    def last_error(self) -> str:
        """The last line that it wrote of an error, once it has ended."""
        self._errors.seek(0)
        lines = self._errors.read(10_000).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "the build ended without a message"

    def close(self) -> None:
        """End it, if it runs."""
        self._process.terminate()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._errors.close()


OnWait = Callable[[float], None]
"""Takes the seconds that a caller has waited for a build so far."""


class LiveWorkspace(Closing):
    """The workspace of the folder `root`, with a graph that follows the folder.

    Threads may share it. Leaving it ends a build that still runs.
    """

    def __init__(self, root: Path, *, flags: Sequence[str] = ()) -> None:
        """`flags` are options of `mu kernel build` that every build gets."""
        self.root = root
        self._flags = tuple(flags)
        self._lock = threading.Lock()
        self._workspace = Workspace(root)
        self._identity = self._stat()
        self._build: _Builder | None = None
        self._next: _Builder | None = None  # what stands by
        self._failed_at = -_RETRY
        self._failure = ""
        self._started = 0.0
        self._patience = REBUILD_WAIT

    def lend(self, *, wait: float | None = None, on_wait: OnWait = lambda _: None) -> Workspace:
        """Give the workspace, as fresh as `wait` seconds allow; by default what a build takes.

        Without a graph it waits for the first build, however long. Raises MuError when that fails.
        """
        started = time.monotonic()
        self._workspace.look_again()
        while True:
            with self._lock:
                self._settle()
                has_graph = self._identity is not None
                if not has_graph and self._failure:
                    raise MuError(
                        f"the graph could not be built: {self._failure}", code=ExitCode.FAILED
                    )
                is_fresh = has_graph and not self._workspace.freshness.is_changed
                if not is_fresh and self._build is None and not self._is_backing_off():
                    self._start()
                is_building = self._build is not None
            waited = time.monotonic() - started
            most = self._patience if wait is None else wait
            if is_fresh or (has_graph and (waited >= most or not is_building)):
                return self._workspace
            on_wait(waited)
            time.sleep(_PAUSE)

    def build(self) -> None:
        """Start a build unless one runs, whether or not a change is seen."""
        with self._lock:
            self._settle()
            if self._build is None:
                self._start()

    def lend_as_it_is(self) -> Workspace:
        """Give the workspace with the newest graph there is, and start nothing."""
        with self._lock:
            self._settle()
            self._workspace.look_again()
            return self._workspace

    @property
    def current(self) -> Workspace:
        """The workspace, whatever became of its graph since."""
        return self._workspace

    @property
    def has_graph(self) -> bool:
        """True when there is a graph file."""
        return self._stat() is not None

    @property
    def is_building(self) -> bool:
        """True while a build runs."""
        with self._lock:
            self._settle()
            return self._build is not None

    @property
    def failure(self) -> str:
        """What the last build failed with; empty when it did not."""
        return self._failure

    def close(self) -> None:
        """End a build that runs, and close the graph."""
        with self._lock:
            for builder in (self._build, self._next):
                if builder is not None:
                    builder.close()
            self._build = self._next = None
            self._workspace.close()

    def _start(self) -> None:
        """Start a build, in the process that stands by if there is one."""
        self._started = time.monotonic()
        ready, self._next = self._next, None
        if ready is None or not ready.begin():
            if ready is not None:
                ready.close()
            ready = _Builder(self.root, self._flags)
            ready.begin()
        self._build = ready

    def _settle(self) -> None:
        """Take note of a build that has ended, and of a graph that another program has replaced."""
        if self._build is not None:
            took = time.monotonic() - self._started
            status = self._build.status
            if status is not None:
                self._patience = REBUILD_WAIT if took < REBUILD_WAIT else SHORT_WAIT
                self._failure = "" if status in _BUILT else self._build.last_error()
                self._failed_at = time.monotonic() if self._failure else -_RETRY
                self._build.close()
                self._build = None
                self._stand_by().prepare()
            elif took > _HEAD_START:
                self._stand_by()
        identity = self._stat()
        if identity != self._identity:
            self._identity = identity
            self._workspace = Workspace(self.root)  # who was lent the old one keeps its graph

    def _stand_by(self) -> _Builder:
        """Give the process of the next build, which is started where there is none."""
        if self._next is not None and self._next.status is not None:
            self._next.close()
            self._next = None
        if self._next is None:
            self._next = _Builder(self.root, self._flags)
        return self._next

    def _is_backing_off(self) -> bool:
        return time.monotonic() - self._failed_at < _RETRY

    def _stat(self) -> tuple[int, int] | None:
        try:
            status = (self.root / GRAPH_NAME).stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns
