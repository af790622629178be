"""A supervised pool of worker processes: every task ends with a result or a failure.

A worker is sent a small window of tasks and answers them one by one and in order, so when it dies
the culprit is the first one it has not answered. That one is tried once more, as the first task of
a new process, and then given up: the system's out-of-memory killer chooses victims by size, and
earlier tasks may have filled the process. A task that takes too long is given up at once. All other
tasks are sent again. Windows are small, so that the workers finish together; `task_queue` decides
which worker does what.
"""

import math
import selectors
import signal
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple, Self

from mu.errors import MuError
from mu.kernel.workers.task_queue import TaskQueue
from mu.kernel.workers.wire_protocol import Frame, FrameKind
from mu.kernel.workers.worker_limits import WorkerLimits
from mu.kernel.workers.worker_process import Task, WorkerProcess, describe_exit

_WINDOW_WEIGHT = 65_536
"""Source bytes queued at a worker, about 10 ms of parsing: enough that it never waits for us."""
_WINDOW_BYTES = 8_192
"""Task bytes queued at a worker: less than any pipe holds, so that sending never blocks."""
_WEIGHT_PER_WORKER = 300_000
"""Source bytes that are worth one more worker: parsing them costs as much as its start."""
_ATTEMPTS = 2
_STARTS = 3


class WorkerStartError(MuError):
    """The worker processes cannot be started, so nothing can be indexed."""


class Outcome(NamedTuple):
    """The outcome of a task: the payload of its result, or why it failed.

    `is_lost` is True if a process died or was killed over the task, False if the task raised.
    """

    key: int
    payload: bytes
    failure: str
    is_lost: bool


class WorkerPool:
    """Up to `limit` processes that run `entry` (see `worker_main.main`); a context manager.

    The first process is started on entering, so that it starts up while the caller still collects
    tasks. Leaving kills them all. `limits` are those of one worker.
    """

    def __init__(
        self, entry: str, configuration: bytes, *, limit: int, limits: WorkerLimits
    ) -> None:
        self._entry = entry
        self._configuration = configuration
        self._limit = max(1, limit)
        self._limits = limits
        self._workers: list[WorkerProcess] = []
        self._selector = selectors.DefaultSelector()
        self._queue = TaskQueue((), worth_sharing=_WEIGHT_PER_WORKER)
        self._arrived: deque[Outcome] = deque()
        self._deaths: Counter[int] = Counter()
        self._failed_starts = 0
        self._wanted = 1

    def __enter__(self) -> Self:
        if not self._workers:
            self._start()
        return self

    def start(self) -> None:
        """Start the first process, before the pool is entered."""
        self._start()

    def __exit__(self, *_: object) -> None:
        while self._workers:
            self._remove(self._workers[-1])
        self._selector.close()

    def run(self, tasks: Iterable[Task]) -> Generator[Outcome]:
        """Begin with `tasks` (with distinct keys), and yield the outcomes as they finish.

        Raises `WorkerStartError` when processes cannot be started.
        """
        self._queue = TaskQueue(tasks, worth_sharing=_WEIGHT_PER_WORKER)
        self._wanted = min(
            self._limit, len(self._queue), 1 + self._queue.weight // _WEIGHT_PER_WORKER
        )
        self._hand_out()
        return self._outcomes()

    def has_arrived(self) -> bool:
        """Return whether the next outcome has arrived, without waiting.

        Raises what `run` raises.
        """
        if not self._arrived and self._is_at_work():
            self._arrived.extend(self._collect(patience=0.0))
        return bool(self._arrived)

    def _outcomes(self) -> Generator[Outcome]:
        while self._arrived or self._queue or self._is_at_work():
            if self._arrived:
                yield self._arrived.popleft()
            else:
                self._hand_out()
                yield from self._collect()

    def _is_at_work(self) -> bool:
        return any(worker.pending for worker in self._workers)

    def _hand_out(self) -> None:
        """Start the workers that are wanted, and send them tasks."""
        while self._queue and len(self._workers) < self._wanted:
            try:
                self._start()
            except WorkerStartError:
                if not self._workers:
                    raise
                self._wanted = len(self._workers)  # the system has room for no more
        self._feed()

    def _start(self) -> WorkerProcess:
        try:
            worker = WorkerProcess(self._entry, self._configuration, self._limits)
        except OSError as error:
            reason = error.strerror or str(error)
            raise WorkerStartError(
                f"cannot start a worker process: {reason.lower()}",
                "close other programs, or raise the limit on memory or processes",
            ) from error
        self._workers.append(worker)
        self._selector.register(worker.fileno(), selectors.EVENT_READ, worker)
        return worker

    def _remove(self, worker: WorkerProcess) -> tuple[int, str]:
        self._workers.remove(worker)
        self._selector.unregister(worker.fileno())
        return worker.end(), worker.last_error_line()

    def _feed(self) -> None:
        """Fill the windows one task each in turn, so that a short queue is spread evenly."""
        hungry = deque(self._workers)
        while self._queue and hungry:
            worker = hungry.popleft()
            if _has_room(worker) and (task := self._next(worker)) is not None:
                worker.send(task)
                hungry.append(worker)

    def _next(self, worker: WorkerProcess) -> Task | None:
        others = [other.kinds for other in self._workers if other is not worker]
        return self._queue.take(worker.kinds, elsewhere=set().union(*others))

    def _collect(self, *, patience: float = math.inf) -> Iterator[Outcome]:
        """Wait for answers or a timeout, for `patience` seconds at most, and yield the outcomes."""
        oldest = min(worker.since for worker in self._workers if worker.pending)
        before = time.monotonic()
        wait = min(patience, max(0.0, oldest + self._limits.wall - before))
        answering = [key.data for key, _ in self._selector.select(wait)]
        now = time.monotonic()
        overslept = now - before - wait
        silent = [worker for worker in self._workers if worker.pending and worker not in answering]
        for worker in answering:
            yield from self._read(worker)
        for worker in silent:
            if overslept > 1.0:  # all processes were stopped; the time was not spent on the task
                worker.since += overslept
            elif now - worker.since >= self._limits.wall:
                yield from self._give_up(worker)

    def _read(self, worker: WorkerProcess) -> Iterator[Outcome]:
        frames, is_at_end = worker.receive()
        for frame in frames:
            if frame.kind is FrameKind.READY:
                worker.ready = True
                worker.since = time.monotonic()
                self._failed_starts = 0
            elif frame.kind is FrameKind.BROKEN:
                raise WorkerStartError(
                    f"cannot start a worker process: {frame.payload.decode('utf-8', 'replace')}",
                    "reinstall MU, then build again",
                )
            elif frame.kind is FrameKind.EXHAUSTED:
                most = self._limits.memory // 1_000_000
                yield from self._lose(worker, f"took more memory than a worker may: {most} MB")
                return
            else:
                worker.acknowledge(frame.key)
                yield _outcome(frame)
        if is_at_end:
            yield from self._bury(worker)

    def _bury(self, worker: WorkerProcess) -> Iterator[Outcome]:
        """Take back the tasks of a worker that died, or that did not get ready in time."""
        if worker.ready:
            yield from self._lose(worker)
            return
        status, words = self._remove(worker)
        self._failed_starts += 1
        if self._failed_starts == _STARTS:
            raise WorkerStartError(
                f"cannot start a worker process: it {describe_exit(status)}"
                + (f": {words}" if words else ""),
                "reinstall MU, then build again",
            )
        self._queue.put_back(worker.pending)

    def _lose(
        self, worker: WorkerProcess, reason: str = "", *, is_final: bool = False
    ) -> Iterator[Outcome]:
        """End a worker and take back its tasks; retry the one it was at, or give it up."""
        status, _ = self._remove(worker)
        culprit = worker.pending.popleft() if worker.pending else None
        self._queue.put_back(worker.pending)
        if culprit is None:
            return
        self._deaths[culprit.key] += 1
        overrun = _overrun(status, self._limits)
        if overrun or is_final or self._deaths[culprit.key] == _ATTEMPTS:
            reason = overrun or reason or f"the worker process {describe_exit(status)}"
            yield Outcome(culprit.key, b"", reason, is_lost=True)
        else:
            self._start().send(culprit)

    def _give_up(self, worker: WorkerProcess) -> Iterator[Outcome]:
        """Kill a worker that has exceeded the maximum time for one task, or for starting."""
        if worker.ready:
            reason = f"took longer than {self._limits.wall:g} s"
            yield from self._lose(worker, reason, is_final=True)
        else:
            yield from self._bury(worker)


def _has_room(worker: WorkerProcess) -> bool:
    if not worker.pending:
        return True
    if sum(len(task.payload) for task in worker.pending) > _WINDOW_BYTES:
        return False
    return len(worker.pending) < 2 or (sum(task.weight for task in worker.pending) < _WINDOW_WEIGHT)


def _overrun(status: int, limits: WorkerLimits) -> str:
    """Describe the limit that a worker exceeded if a timer ended it; empty if none did."""
    if status == -signal.SIGPROF:
        return f"took longer than {limits.cpu:g} s of CPU"
    return f"took longer than {limits.wall:g} s" if status == -signal.SIGALRM else ""


def _outcome(frame: Frame) -> Outcome:
    if frame.kind is FrameKind.DONE:
        return Outcome(frame.key, frame.payload, "", is_lost=False)
    return Outcome(frame.key, b"", frame.payload.decode("utf-8", "replace"), is_lost=False)
