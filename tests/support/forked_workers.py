"""Starts the workers of builds from a process that has loaded what they load.

A worker of `mu.kernel.process` is a new interpreter, which takes 0.1 s of CPU to import what
extracts, and as long again for each language that it meets: most of a build of four files. Here it
is a fork of a process that has done so, and runs the same `main` on the same pipes,
limits, folder and variables. Only workers that extract are forked, and only for builds in the
process of the tests; what a fork cannot show has the fixture `new_interpreters`.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import pytest

from mu.kernel import process as started

_ENTRY = "mu.kernel.extraction:set_up"
_SERVER = (
    "import sys; sys.path += sys.argv[2:]; "
    "from support.fork_server import serve; serve(sys.argv[1])"
)
_HERE = str(Path(__file__).resolve().parents[1])


class ForkedWorker:
    """What `WorkerProcess` uses of a `subprocess.Popen`; `ForkServer.start` makes one."""

    spent = 0.0
    """CPU seconds of all that have ended."""

    def __init__(self, pid: int, told: int, stdin: int, stdout: int) -> None:
        self.pid = pid
        self.stdin, self.stdout = os.fdopen(stdin, "wb", 0), os.fdopen(stdout, "rb", 0)
        self._told = os.fdopen(told, "rb")
        self._status: int | None = None

    def kill(self) -> None:
        """Kill it; what has ended already stays a zombie of the server until it was waited for."""
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for its end, and give its status as `Popen.wait` does."""
        if self._status is None:
            with self._told as told:
                self._status, spent = json.loads(told.readline())
            ForkedWorker.spent += spent
        return self._status


class ForkServer:
    """A process that forks workers; it ends with the socket that it is asked over."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            path = [*started._import_path(), _HERE]
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _SERVER, str(theirs.fileno()), *path],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self._socket = ours
        self._turn = threading.Lock()

    def start(self, arguments: Sequence[str], log: IO[bytes]) -> ForkedWorker:
        """Fork a worker whose `arguments` are those of the command line that starts one."""
        (stdin, to_worker), (from_worker, stdout), (told, tell) = (os.pipe() for _ in range(3))
        request = {"arguments": arguments, "folder": str(Path.cwd()), "variables": dict(os.environ)}
        theirs = [stdin, stdout, log.fileno(), tell]
        text = json.dumps(request).encode()
        with self._turn:
            socket.send_fds(self._socket, [len(text).to_bytes(4, "little")], theirs)
            self._socket.sendall(text)
            pid = self._socket.recv(4, socket.MSG_WAITALL)
        assert pid, "the server of workers has ended"
        for descriptor in (stdin, stdout, tell):
            os.close(descriptor)
        return ForkedWorker(int.from_bytes(pid, "little"), told, to_worker, from_worker)

    def close(self) -> None:
        """End the process, whose workers have all ended."""
        self._socket.close()
        self._process.wait()


def pytest_configure(config: pytest.Config) -> None:
    """Fork the workers of this process's builds, where the system can."""
    if not hasattr(socket, "send_fds") or not hasattr(os, "pidfd_open"):
        return
    servers: list[ForkServer] = []

    def popen(command: list[str], **more: Any) -> object:
        if _ENTRY not in command:
            return subprocess.Popen(command, **more)
        if not servers:
            servers.append(ForkServer())
            config.add_cleanup(servers[0].close)
        place = command.index(_ENTRY)
        return servers[0].start(command[place : place + 4], more["stderr"])

    started._popen = popen


@pytest.fixture
def new_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the workers of a test's builds as those of users are, each a new interpreter."""
    monkeypatch.setattr(started, "_popen", subprocess.Popen)
