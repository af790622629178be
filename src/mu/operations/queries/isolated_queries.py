"""Run queries of untrusted callers in a separate process that can be killed.

In the same process a query is stopped by an interrupt, which the engine answers nearly always. Here
it does not have to: whoever overstays, crashes or asks for too much memory ends a process that is
good for nothing else, and the next query has a new one. What comes back is decoded as data.
"""

import contextlib
import gc
import itertools
import math
import selectors
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from mu.errors import ExitCode, MuError
from mu.kernel.workers.wire_protocol import FrameKind
from mu.kernel.workers.worker_limits import WorkerLimits
from mu.kernel.workers.worker_process import Task, WorkerProcess, describe_exit
from mu.model.closing import Closing
from mu.model.relation import Answer
from mu.operations.queries.query import DEFAULT_TIMEOUT, query
from mu.operations.results import DEFAULT_LIMIT, Rows
from mu.operations.workspace import GRAPH_NAME, Workspace
from mu.store import Fault, FaultKind, QueryError, QueryTimeoutError, query_error

DEFAULT_MEMORY = 3 << 30
"""Bytes of address space a process may take; the engine's own limit is a third of it."""

_GRACE = 1.0
"""Seconds past its time in which a query may stop by itself, before its process is killed."""

_MOST_SECONDS = 3_600.0
_LARGEST_FILE = 1 << 20
_INTEGER = 1  # code of an extension of msgpack: a whole number of more than 64 bits, as text

_ENTRY = "mu.operations.queries.isolated_queries:serve"


class _Configuration(msgspec.Struct):
    root: str
    memory: int


class _Request(msgspec.Struct):
    text: str
    limit: int
    offset: int
    timeout: float


class _Refusal(msgspec.Struct, tag="refused"):
    message: str
    hint: str
    code: int
    seconds: float | None
    is_exhausted: bool


class _Rows(msgspec.Struct, tag="rows"):
    rows: Rows


class ConfinedQueries(Closing):
    """Asks the graph in the folder `root` from a process of its own; a context manager.

    The process is started at once, so that the first query finds it ready. Threads may share this,
    but queries take turns. `memory` bounds it in bytes, where the system can.
    """

    def __init__(self, root: Path, *, memory: int = DEFAULT_MEMORY) -> None:
        self._configuration = msgspec.json.encode(_Configuration(str(root.absolute()), memory))
        self._limits = WorkerLimits(cpu=_MOST_SECONDS, wall=_MOST_SECONDS, memory=memory)
        self._turn = threading.Lock()
        self._keys = itertools.count(1)
        self._process: WorkerProcess | None = self._start()

    @property
    def pid(self) -> int | None:
        """The process that waits for the next query; None once closed."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End the process; nothing is answered any more."""
        with self._turn:
            self._end()

    def query(
        self,
        text: str,
        *,
        limit: int = DEFAULT_LIMIT,
        offset: int = 0,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> Rows:
        """Run one query as the operation of this name does, with the same rows.

        Raises MuError with the same words, QueryTimeoutError when it had to be killed as well.
        """
        if not 0 < timeout <= _MOST_SECONDS:
            raise MuError(f"a time limit of {timeout:g} s is out of range", "", ExitCode.USAGE)
        request = msgspec.json.encode(_Request(text, limit, offset, timeout))
        with self._turn:
            if self._process is None:
                raise MuError("these queries are closed")
            reply = self._exchange(self._process, request, timeout)
        if isinstance(reply, _Rows):
            return reply.rows
        if reply.seconds is not None:
            raise QueryTimeoutError(reply.seconds)
        raise MuError(reply.message, reply.hint, ExitCode(reply.code))

    def _exchange(self, process: WorkerProcess, request: bytes, timeout: float) -> _Rows | _Refusal:
        """Hand the request over and wait for the reply; replace a process that gives none."""
        key = next(self._keys)
        process.send(Task(key, len(request), request))
        ends_at = math.inf  # its time begins when it is ready
        with selectors.DefaultSelector() as selector:
            selector.register(process, selectors.EVENT_READ)
            while True:
                if process.ready and ends_at == math.inf:
                    ends_at = time.monotonic() + timeout + _GRACE
                left = min(ends_at - time.monotonic(), _MOST_SECONDS)
                if left <= 0:
                    self._replace()
                    raise QueryTimeoutError(timeout)
                selector.select(left)
                frames, is_over = process.receive()
                for frame in frames:
                    if frame.kind is FrameKind.READY:
                        process.ready = True
                    elif frame.kind is FrameKind.DONE:
                        process.acknowledge(frame.key)
                        reply = _decode(frame.payload)
                        if isinstance(reply, _Refusal) and reply.is_exhausted:
                            self._replace()  # address space that was taken is not given back
                        return reply
                    else:
                        self._replace()
                        reason = frame.payload.decode(errors="replace")
                        raise MuError("the query failed", reason or "narrow the query")
                if is_over:
                    raise MuError(f"the query's process {self._replace()}", "narrow the query")

    def _start(self) -> WorkerProcess:
        return WorkerProcess(_ENTRY, self._configuration, self._limits)

    def _replace(self) -> str:
        ended = self._end()
        self._process = self._start()
        return ended

    def _end(self) -> str:
        if self._process is None:
            return ""
        ended = describe_exit(self._process.end())
        self._process.last_error_line()
        self._process = None
        return ended


def serve(configuration: bytes) -> Callable[[bytes], bytes]:
    """Give what the process does with a request; it opens a graph that was built anew again."""
    settings = msgspec.json.decode(configuration, type=_Configuration)
    _confine(settings.memory)
    path = Path(settings.root) / GRAPH_NAME
    workspace = Workspace(path.parent)
    opened: object = None

    def work(payload: bytes) -> bytes:
        nonlocal workspace, opened
        gc.enable()  # a worker of a build does without, but this one may live for days
        request = msgspec.json.decode(payload, type=_Request)
        now = _identity(path)
        if now != opened:
            workspace.close()
            workspace, opened = Workspace(path.parent), now
        return _encode(_answer(workspace, request))

    return work


def _answer(workspace: Workspace, request: _Request) -> _Rows | _Refusal:
    try:
        return _Rows(
            query(
                workspace,
                request.text,
                limit=request.limit,
                offset=request.offset,
                timeout=request.timeout,
            )
        )
    except MuError as error:
        return _refusal(error)
    except MemoryError:
        return _refusal(query_error(Fault(FaultKind.MEMORY)))


def _refusal(error: MuError) -> _Refusal:
    seconds = error.seconds if isinstance(error, QueryTimeoutError) else None
    return _Refusal(error.message, error.hint, error.code, seconds, _is_of_memory(error))


def _is_of_memory(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, QueryError) and error.fault.kind is FaultKind.MEMORY:
            return True
        error = error.__cause__
    return False


def _confine(memory: int) -> None:
    """Bound what the process may take, where the system can: memory, files written, core dumps."""
    try:
        import resource
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def _identity(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.lstat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


def _encode(reply: _Rows | _Refusal) -> bytes:
    try:
        return msgspec.msgpack.encode(reply)
    except OverflowError:
        assert isinstance(reply, _Rows)  # noqa: S101 - only cells hold such numbers
        plain = msgspec.to_builtins(reply)
        answer: Answer = reply.rows.answer
        plain["rows"]["answer"]["rows"] = [[_large(cell) for cell in row] for row in answer.rows]
        return msgspec.msgpack.encode(plain)


def _large(cell: object) -> object:
    if isinstance(cell, (list, tuple)):
        return [_large(item) for item in cell]
    if isinstance(cell, int) and not -(1 << 63) <= cell < 1 << 64:
        return msgspec.msgpack.Ext(_INTEGER, str(cell).encode())
    return cell


def _decode(payload: bytes) -> _Rows | _Refusal:
    plain = msgspec.msgpack.decode(payload, ext_hook=lambda _, data: int(bytes(data)))
    return msgspec.convert(plain, _Rows | _Refusal)
