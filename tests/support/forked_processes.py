"""Starts processes of Python from one that has loaded what they load.

A worker of `mu.kernel.workers` is a new interpreter, which takes 0.1 s of CPU to import what
extracts, and as long again for each language that it meets: most of a build of four files. A
command that needs the SDK of MCP takes a second. Here they are forks of a process that has loaded
all that, and run the same program on the same pipes, in the same folder and with the same
variables. Workers are forked that extract for builds in the process of the tests; what a fork
cannot show has the fixture `new_interpreters`.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from mu.kernel.workers import worker_process as started
from mu.syntax import load_manifests
from support.fork_server import GRAMMAR

CAN_FORK = hasattr(socket, "send_fds") and hasattr(os, "pidfd_open")

_WORKER = "mu.kernel.extraction.file_extraction:set_up"
_SERVER = (
    "import sys; sys.path += sys.argv[3:]; "
    "from support.fork_server import serve; serve(sys.argv[1], *sys.argv[2].split(','))"
)
_HERE = str(Path(__file__).resolve().parents[1])


class ForkedProcess:
    """What tests and `WorkerProcess` use of a `subprocess.Popen`; `ForkServer` makes one."""

    spent = 0.0
    """CPU seconds of all that have ended, until their server has."""

    def __init__(self, pid: int, told: int, stdin: int, stdout: int) -> None:
        self.pid = pid
        self.stdin, self.stdout = os.fdopen(stdin, "wb", 0), os.fdopen(stdout, "rb", 0)
        self.cpu = 0.0
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
                self._status, self.cpu = json.loads(told.readline())
            ForkedProcess.spent += self.cpu
        return self._status


class ForkServer:
    """A process that forks others; it ends with the socket that it is asked over.

    `loaded` are modules that it imports, and after `GRAMMAR` languages.
    """

    def __init__(self, loaded: Sequence[str]) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            given = [str(theirs.fileno()), ",".join(loaded), *started._import_path(), _HERE]
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _SERVER, *given],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self._socket = ours
        self._turn = threading.Lock()
        self._forked: list[ForkedProcess] = []

    def start(
        self,
        program: str,
        arguments: Sequence[str],
        *,
        errors: int,
        variables: Mapping[str, str],
    ) -> ForkedProcess:
        """Fork `python -c PROGRAM ARGUMENT...`, with the descriptor `errors` as error stream."""
        (stdin, to_process), (from_process, stdout), (told, tell) = (os.pipe() for _ in range(3))
        request = {"program": program, "arguments": arguments, "variables": {**variables}}
        text = json.dumps({**request, "folder": str(Path.cwd())}).encode()
        with self._turn:
            length = len(text).to_bytes(4, "little")
            socket.send_fds(self._socket, [length], [stdin, stdout, errors, tell])
            self._socket.sendall(text)
            pid = self._socket.recv(4, socket.MSG_WAITALL)
        assert pid, "the server of processes has ended"
        for descriptor in (stdin, stdout, tell):
            os.close(descriptor)
        process = ForkedProcess(int.from_bytes(pid, "little"), told, to_process, from_process)
        self._forked.append(process)
        return process

    def close(self) -> None:
        """End the process, whose forks have all ended."""
        self._socket.close()
        self._process.wait()
        ForkedProcess.spent -= sum(process.cpu for process in self._forked)  # it has them, too


def pytest_configure(config: pytest.Config) -> None:
    """Fork the workers of this process's builds, where the system can."""
    if not CAN_FORK:
        return
    servers: list[ForkServer] = []

    def popen(command: list[str], **more: Any) -> object:
        if _WORKER not in command:
            return subprocess.Popen(command, **more)
        if not servers:
            languages = ["python", *sorted(set(load_manifests()) - {"python"})]
            servers.append(ForkServer([_WORKER.split(":")[0], *(GRAMMAR + n for n in languages)]))
            config.add_cleanup(servers[0].close)
        program, *arguments = command[command.index("-c") + 1 :]
        log = more["stderr"].fileno()
        return servers[0].start(program, arguments, errors=log, variables=os.environ)

    started._popen = popen


@pytest.fixture
def new_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the workers of a test's builds as those of users are, each a new interpreter."""
    monkeypatch.setattr(started, "_popen", subprocess.Popen)


@pytest.fixture(scope="module")
def mcp_forks() -> Iterator[ForkServer | None]:
    """A server of processes that have loaded what `mu mcp` does; None where none can be had."""
    if not CAN_FORK:
        yield None
        return
    server = ForkServer(["mu.cli", "mu.mcp.stdio", "mu.mcp.server", "mu.store.engine.binding"])
    yield server
    server.close()
