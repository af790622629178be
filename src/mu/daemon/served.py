"""The workspaces that a daemon serves, each with its watcher."""

import contextlib
import threading
from pathlib import Path
from typing import Protocol

from mu.client.daemon_client import ServedStatus
from mu.daemon.watching import Change, Watcher
from mu.errors import ExitCode, MuError
from mu.model.closing import Closing
from mu.operations.graph_file.live_workspace import LiveWorkspace
from mu.operations.workspace import Workspace

MOST_WORKSPACES = 20
"""Workspaces that one daemon serves: each holds an open graph and watches folders."""


class OnWorkspaceChange(Protocol):
    """Takes what happened to the graph of a workspace, and why where it failed."""

    def __call__(self, root: Path, change: Change, /, *, why: str) -> None:
        """Take one event."""


_END = 5.0


class ServedWorkspaces(Closing):
    """Workspaces by their root; a thread for each follows its files."""

    def __init__(self, on_change: OnWorkspaceChange) -> None:
        self._on_change = on_change
        self._lock = threading.Lock()
        self._served: dict[Path, tuple[LiveWorkspace, Watcher, threading.Thread]] = {}

    def serve(self, root: Path) -> None:
        """Serve the workspace of the folder `root` from now on; again is no error.

        Raises MuError (usage) when it is no folder, or too many are served already.
        """
        root = root.absolute()
        if not root.is_dir():
            raise MuError(f"{root.name} is not a folder", "name a folder", ExitCode.USAGE)
        with self._lock:
            if root in self._served:
                return
            if len(self._served) >= MOST_WORKSPACES:
                raise MuError(
                    f"the daemon serves {MOST_WORKSPACES} workspaces already",
                    "run `mu daemon stop`, then start it for those in use",
                    ExitCode.USAGE,
                )
            live = LiveWorkspace(root)
            watcher = Watcher(live, lambda change, why: self._on_change(root, change, why=why))
            thread = threading.Thread(target=watcher.run, name=f"watch {root.name}", daemon=True)
            self._served[root] = live, watcher, thread
        thread.start()

    def find(self, root: Path) -> Workspace | None:
        """Lend the workspace of `root` as it is; None when it is not served, or has no graph."""
        with self._lock:
            found = self._served.get(root)
        if found is None or not found[0].has_graph:
            return None
        return found[0].lend_as_it_is()

    def status(self) -> tuple[ServedStatus, ...]:
        """List every workspace and its state, by its root."""
        with self._lock:
            served = sorted(self._served.items())
        return tuple(
            ServedStatus(str(root), live.has_graph, live.is_building, watcher.folders, live.failure)
            for root, (live, watcher, _) in served
        )

    def close(self) -> None:
        """Stop watching, end builds and close the graphs."""
        with self._lock:
            served = list(self._served.values())
            self._served.clear()
        for _, watcher, _ in served:
            watcher.stop()
        for live, _, thread in served:
            live.close()
            with contextlib.suppress(RuntimeError):  # not started yet
                thread.join(_END)
