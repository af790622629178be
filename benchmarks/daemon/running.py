"""A daemon of the benchmark's own: its state folder, its process, and its memory."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from mu.client import DaemonClient, DaemonError
from mu.client.record import read_record

_START = 60.0
_PAUSE = 0.05


class State:
    """A state folder that no other daemon uses."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "mubase"
        self.environment = {**os.environ, "XDG_STATE_HOME": str(folder)}

    def mu(self, root: Path, *arguments: str) -> list[str]:
        """Give the command line of `mu` in a repository."""
        return [sys.executable, "-P", "-m", "mu", "-C", str(root), *arguments]

    def client(self, timeout: float = 120.0) -> DaemonClient:
        """Connect to the daemon that runs, waiting for it to come up."""
        end = time.monotonic() + _START
        while True:
            try:
                client = DaemonClient.connect(self.folder, timeout=timeout)
                client.status()
            except DaemonError:
                if time.monotonic() > end:
                    raise
                time.sleep(_PAUSE)
            else:
                return client

    @contextmanager
    def daemon(self, root: Path) -> Iterator[psutil.Process]:
        """Run a daemon for a repository until the block ends; its graph is up to date then."""
        command = self.mu(root, "daemon", "run")
        with subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                with self.client() as client:
                    wait_until_built(client)
                yield psutil.Process(process.pid)
            finally:
                process.terminate()

    def process(self) -> psutil.Process | None:
        """Give the process of the daemon that runs, None when none does."""
        record = read_record(self.folder)
        return None if record is None else psutil.Process(record.pid)


def wait_until_built(client: DaemonClient) -> None:
    """Wait until every workspace has a graph and none is being built."""
    while any(not each.has_graph or each.is_building for each in client.status().workspaces):
        time.sleep(_PAUSE)


def resident(process: psutil.Process) -> int:
    """Give the bytes of memory that a process holds, its children aside."""
    return int(process.memory_info().rss)
