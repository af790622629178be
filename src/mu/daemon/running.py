"""Run the daemon in this process, start it in one of its own, and stop it."""

import asyncio
import contextlib
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from mu import __version__
from mu.client import DaemonClient, DaemonError
from mu.client.record import DaemonRecord, lock_daemon, remove_record, write_record
from mu.daemon.application import DaemonApplication
from mu.daemon.events import Events
from mu.daemon.served import ServedWorkspaces
from mu.errors import ExitCode, MuError

IDLE = 3 * 3600.0
"""Seconds without a request after which a daemon ends."""

MOST_HEADERS = 16_384
"""Bytes that the head of a request may have."""

HEAD_TIME = 10.0
"""Seconds within which the head of a request must have come."""

MOST_CONNECTIONS = 100

_START = 15.0
_STOP = 10.0
_PAUSE = 0.05


class _Impatient(H11Protocol):
    """Closes a connection on which no whole head of a request comes in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self.loop.call_later(HEAD_TIME, self._close_if_idle)

    def _close_if_idle(self) -> None:
        has_begun: object = self.cycle  # the library declares it as always there
        if has_begun is None and not self.transport.is_closing():
            self.transport.close()


def run_daemon(
    folder: Path,
    roots: list[Path],
    *,
    idle: float = IDLE,
    on_ready: Callable[[DaemonRecord], None] = lambda _: None,
) -> None:
    """Serve `roots` until stopped, interrupted, or idle for `idle` seconds.

    `folder` is the state folder, which holds the record and the lock. Raises MuError (busy) when
    another daemon of the user runs.
    """
    lock = lock_daemon(folder)
    if lock is None:
        raise MuError("a daemon already runs", "see `mu daemon status`", ExitCode.BUSY)
    try:
        asyncio.run(_serve(folder, roots, idle, on_ready))
    finally:
        remove_record(folder)
        os.close(lock)


async def _serve(
    folder: Path, roots: list[Path], idle: float, on_ready: Callable[[DaemonRecord], None]
) -> None:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(MOST_CONNECTIONS)  # whoever reads the record may connect at once
    port = int(listening.getsockname()[1])
    record = DaemonRecord(port, os.getpid(), secrets.token_hex(32), __version__)
    events = Events(asyncio.get_running_loop())
    with ServedWorkspaces(events.publish) as served:
        application = DaemonApplication(
            served, events, port=port, token=record.token, stop=lambda: _end(server)
        )
        server = uvicorn.Server(_settings(application))
        for root in roots:
            served.serve(root)
        ending = asyncio.create_task(_end_when_idle(server, application, idle))
        write_record(folder, record)
        on_ready(record)
        await server.serve(sockets=[listening])
        ending.cancel()


def _settings(application: DaemonApplication) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        http=_Impatient,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=MOST_HEADERS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
    )


def _end(server: uvicorn.Server) -> None:
    server.should_exit = True


async def _end_when_idle(
    server: uvicorn.Server, application: DaemonApplication, idle: float
) -> None:
    while time.monotonic() - application.last_request < idle:
        await asyncio.sleep(min(idle / 4, 1.0))
    _end(server)


def start_daemon(folder: Path, root: Path) -> bool:
    """Have the daemon serve `root`, starting it when none runs; False when one ran already.

    Raises DaemonError when it does not come up.
    """
    with contextlib.suppress(DaemonError), DaemonClient.connect(folder) as client:
        client.serve(root)
        return False
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = folder / "daemon.log"
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "mu", "-C", str(root), "daemon", "run"],
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            start_new_session=True,
            cwd="/",
        )
    finally:
        os.close(descriptor)
    for client in _tries(folder, _START):
        client.serve(root)
        return client.record.pid == child.pid
    raise DaemonError("the daemon did not start", f"see {log}")


def stop_daemon(folder: Path) -> bool:
    """Stop the daemon and wait for its end; False when none runs.

    It is asked over its own interface and never signalled. Raises DaemonError when it stays.
    """
    from mu.client.record import read_record

    record = read_record(folder)
    if record is None:
        return False
    with DaemonClient(record, timeout=_STOP) as client:
        client.stop()
    end = time.monotonic() + _STOP
    while time.monotonic() < end:
        if read_record(folder) != record:
            return True
        time.sleep(_PAUSE)
    raise DaemonError("the daemon did not end", f"end the process {record.pid}")


def _tries(folder: Path, seconds: float) -> Iterator[DaemonClient]:
    """Give a client as soon as a daemon answers; none after `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with DaemonClient.connect(folder) as client:
                client.status()
                yield client
                return
        except DaemonError:
            time.sleep(_PAUSE)
