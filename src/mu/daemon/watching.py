"""Follow the files of a workspace: after an edit its graph is built again.

Only the folders that the graph knows are watched, each by itself: what the ignore rules leave out
(dependencies, build folders) costs no watch. Where the system has no watch left, the folder is
looked at every few seconds instead.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path

from mu.errors import MuError
from mu.model.relation import Relation
from mu.operations.graph_file.live_workspace import LiveWorkspace
from mu.operations.workspace import GRAPH_NAME
from mu.source.classification import STATE

DEBOUNCE = 300
"""Milliseconds within which edits are one change."""

_STEP = 20
"""Milliseconds without an edit that end a change: an editor saves a file in a few, and what comes
later is seen when the build ends."""

_TICK = 1_000
_SAFETY = 30
"""Ticks after which the folder is looked at even without an event: a file system may lose some."""

_POLL = 2.0
"""Seconds between two looks where nothing can be watched."""

_PAUSE = 0.02

_MOST_UNKNOWN = 1_000
"""Folders without a source that are watched: what is put into one of them is seen at once."""

_PATHS = (
    "SELECT path, status = 'indexed' FROM file"
    " WHERE NOT starts_with(path, '/') AND NOT contains(path, '..')"
)


class Change(StrEnum):
    """What happens to a graph."""

    BUILDING = "building"
    UPDATED = "updated"
    FAILED = "failed"


OnChange = Callable[[Change, str], None]
"""Takes what happened, and the message of a build that failed."""


class Watcher:
    """Keeps the graph of one workspace up to date until it is stopped."""

    def __init__(self, live: LiveWorkspace, on_change: OnChange) -> None:
        self._live = live
        self._on_change = on_change
        self._stop = threading.Event()
        self._folders: tuple[Path, ...] = ()
        self._new: set[Path] = set()
        self._sources: set[str] = set()

    @property
    def folders(self) -> int:
        """The number of folders that are watched; 0 where none can be."""
        return len(self._folders)

    def stop(self) -> None:
        """End `run` soon; a build that runs is left to the workspace."""
        self._stop.set()

    def run(self) -> None:
        """Catch up with the folder, then follow it until `stop` is called."""
        self.catch_up()
        while not self._stop.is_set():
            self._folders = self._to_watch()
            try:
                self._watch(self._folders)
            except FileNotFoundError:
                self.catch_up()  # a folder has gone since it was listed
            except OSError:
                self._folders = ()
                self._stop.wait(_POLL)
                self.catch_up()

    def catch_up(self) -> None:
        """Build the graph until it says what is in the folder, or a build fails."""
        is_told = False
        while not self._stop.is_set():
            try:
                workspace = self._live.lend(wait=0)
            except MuError as error:
                self._on_change(Change.FAILED, error.message)
                return
            if not self._live.is_building:
                if self._live.failure:
                    self._on_change(Change.FAILED, self._live.failure)
                elif is_told:
                    self._on_change(Change.UPDATED, "")
                if self._live.failure or not workspace.freshness.is_changed:
                    return
            elif not is_told:
                self._on_change(Change.BUILDING, "")
                is_told = True
            while self._live.is_building and not self._stop.wait(_PAUSE):
                pass

    def _watch(self, folders: tuple[Path, ...]) -> None:
        """Follow `folders` until others are to be watched."""
        from watchfiles import watch

        quiet = _SAFETY
        for changes in watch(
            *folders,
            recursive=False,
            debounce=DEBOUNCE,
            step=_STEP,
            rust_timeout=_TICK,
            yield_on_timeout=True,
            stop_event=self._stop,
            raise_interrupt=True,
            ignore_permission_denied=True,
            watch_filter=lambda _, path: not _is_own(path),
        ):
            quiet = 0 if changes else quiet + 1
            if not changes and quiet < _SAFETY:
                continue
            quiet = 0
            paths = [Path(path) for _, path in changes]
            is_edit = any(path in self._sources for _, path in changes)
            if (is_edit and not self._live.failure) or self._is_news_of_new(paths):
                self._live.build()  # at once: to compare the folder first takes 20 ms
            self.catch_up()
            if self._to_watch() != folders:
                return

    def _is_news_of_new(self, paths: Sequence[Path]) -> bool:
        """Tell whether something changed that times do not show: in folders without a source.

        Without `paths` it is the first look since such folders are watched.
        """
        touched = {path.parent for path in paths} if paths else self._new
        return any(any(folder.glob("*")) for folder in touched & self._new)

    def _to_watch(self) -> tuple[Path, ...]:
        """List the folders that hold what the graph knows, and those in them of which it does not.

        The latter held no source; what the ignore rules leave out is known to the graph.
        """
        root = self._live.root
        known, left_out = {root}, set[Path]()
        self._sources = set()
        if self._live.has_graph:
            rows = self._live.current.graph.run(Relation(_PATHS), limit=None).rows
            self._sources = {f"{root}/{path}" for path, is_indexed in rows if is_indexed}
            for path, _ in rows:
                text = str(path)
                if text.endswith("/"):
                    left_out.add(root / text)
                folder = text.rstrip("/").rpartition("/")[0]
                while folder and (found := root / folder) not in known:
                    known.add(found)
                    folder = folder.rpartition("/")[0]
        self._new = _unknown_folders(known, left_out)
        return tuple(sorted(folder for folder in known | self._new if folder.is_dir()))


def _unknown_folders(known: set[Path], left_out: set[Path]) -> set[Path]:
    """Find the folders in `known` ones that are neither known nor left out, and those in them."""
    found: set[Path] = set()
    waiting = list(known)
    while waiting and len(found) < _MOST_UNKNOWN:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                path = Path(entry.path)
                is_folder = entry.is_dir(follow_symlinks=False) and entry.name not in STATE
                if is_folder and path not in known and path not in left_out:
                    found.add(path)
                    waiting.append(path)
    return found


def _is_own(path: str) -> bool:
    """Tell whether a path is the graph, or is not looked at by any build."""
    name = path.rpartition("/")[2]
    return name.startswith(GRAPH_NAME) or name in STATE
