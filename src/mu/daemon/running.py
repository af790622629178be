"""Run the daemon in this process, start it in one of its own, and stop it."""

import asyncio
import contextlib
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from mu import __version__
from mu.client import DaemonClient, DaemonError
from mu.client.listening import http_server, loopback_socket
from mu.client.record import (
    DaemonRecord,
    is_daemon_locked,
    lock_daemon,
    read_record,
    remove_record,
    write_record,
)
from mu.daemon.application import DaemonApplication
from mu.daemon.events import Events
from mu.daemon.served import ServedWorkspaces
from mu.errors import ExitCode, MuError

IDLE = 3 * 3600.0
"""Seconds without a request after which a daemon ends."""

_START = 15.0
_STOP = 10.0
_PAUSE = 0.05


def run_daemon(
    folder: Path,
    roots: list[Path],
    *,
    idle: float = IDLE,
    on_ready: Callable[[DaemonRecord], None] = lambda _: None,
) -> None:
    """Serve `roots` until stopped, interrupted, or idle for `idle` seconds.

    `folder` is the state folder, which holds the record and the lock. The lock is held until the
    process ends: whoever finds it free knows that nothing of the daemon is left. Raises MuError
    (busy) when another daemon of the user runs.
    """
    if lock_daemon(folder) is None:
        raise MuError("a daemon already runs", "see `mu daemon status`", ExitCode.BUSY)
    try:
        asyncio.run(_serve(folder, roots, idle, on_ready))
    finally:
        remove_record(folder)


async def _serve(
    folder: Path, roots: list[Path], idle: float, on_ready: Callable[[DaemonRecord], None]
) -> None:
    listening = loopback_socket()
    port = int(listening.getsockname()[1])
    record = DaemonRecord(port, os.getpid(), secrets.token_hex(32), __version__)
    events = Events(asyncio.get_running_loop())
    with ServedWorkspaces(events.publish) as served:
        application = DaemonApplication(
            served, events, port=port, token=record.token, stop=lambda: _end(server)
        )
        server = http_server(application, lifespan=False)
        for root in roots:
            served.serve(root)
        ending = asyncio.create_task(_end_when_idle(server, application, idle))
        write_record(folder, record)
        on_ready(record)
        await server.serve(sockets=[listening])
        ending.cancel()


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
        is_new = client.record.pid == child.pid
        if not is_new:  # else it could take the place of the other one when that ends
            child.terminate()
            child.wait()
        return is_new
    raise DaemonError("the daemon did not start", f"see {log}")


def stop_daemon(folder: Path) -> bool:
    """Stop the daemon and wait for the end of its process; False when none runs.

    It is asked over its own interface and never signalled. Raises DaemonError when it stays.
    """
    record = read_record(folder)
    if record is None:
        return False
    with DaemonClient(record, timeout=_STOP) as client:
        client.stop()
    end = time.monotonic() + _STOP
    while time.monotonic() < end:
        if not is_daemon_locked(folder) or read_record(folder) not in (None, record):
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
