"""A cache of the graphs of whole folders, for folders with nearly the same files.

After a switch to another branch and back, or in another work tree, a graph of nearly the same files
was often built before. Cached graphs are compared with the folder by digests, as the existing one
is, and the one that the fewest files differ from is updated. The most recently used graphs are
kept, up to a maximum number and total size.
"""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from mu.kernel.change_detection.build_inputs import options_json, walk_digest
from mu.kernel.change_detection.existing_graph import ExistingGraph, find_existing_graph
from mu.kernel.engine_digest import engine_digest
from mu.kernel.settings import BuildSettings
from mu.source import Discovery, WalkOptions

_FEWEST_CHANGED: Final = 10
"""Number of changed files from which a switch of branches is assumed, and not an edit."""

_MOST_GRAPHS = 12
_MOST_BYTES = 1_000_000_000  # of all cached graphs
_LARGEST = 250_000_000  # bytes of one graph
_MOST_LOOKED_AT = 3  # graphs that are opened to find the nearest


class _Name(NamedTuple):
    """The parts of a cached graph's file name.

    `version` is a digest of engine and options, `folder` one of the folder's path, `walked` one of
    its files (`walk_digest`), and `digest` that of the graph.
    """

    version: str
    folder: str
    walked: str
    digest: str


class KeptGraphs:
    """The cached graphs of builds with some settings; none if these name no folder for facts."""

    def __init__(self, settings: BuildSettings) -> None:
        self._settings = settings
        self._folder = settings.facts / "graphs" if settings.facts else None

    @cached_property
    def _version(self) -> str:
        made = f"{engine_digest()}\0{options_json(self._settings)}"
        return blake2b(made.encode(), digest_size=8).hexdigest()

    def keep(self, root: Path, graph: ExistingGraph) -> None:
        """Cache a copy of a graph of the folder `root`, unless it is too large.

        Errors of the file system are ignored.
        """
        if self._folder is None:
            return
        told = self._version, _place(root), graph.inputs.walked, graph.report.digest
        path = self._folder / f"{'-'.join(told)}.mubase"
        new = self._folder / f"{secrets.token_hex(8)}.tmp"
        with suppress(OSError):
            if graph.file.stat().st_size > _LARGEST:
                return
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                shutil.copyfile(graph.file, new)
                new.replace(path)
            finally:
                new.unlink(missing_ok=True)
            self._forget_oldest()

    @property
    def walk(self) -> WalkOptions:
        """The options of a walk of the folders."""
        return self._settings.walk

    @property
    def is_empty(self) -> bool:
        """True if there are no cached graphs."""
        return next(self._names(), None) is None

    def nearest(
        self, root: Path, existing: ExistingGraph | None, *, found: Discovery
    ) -> ExistingGraph | None:
        """Return the graph that the fewest files of the folder `root` differ from.

        That is the `existing` one, or a cached one of the same folder or with the same file names.
        `found` is what a walk of `root` finds.
        """
        walked, here = walk_digest(found), _place(root)
        near = [
            (name.walked != walked, name.folder != here, -used, path)
            for name, used, path in self._names()
            if walked == name.walked or here == name.folder
        ]
        nearest = existing
        for *_, path in sorted(near)[:_MOST_LOOKED_AT]:
            graph = find_existing_graph(root, path, settings=self._settings, found=found)
            if graph and (not nearest or graph.changes.total < nearest.changes.total):
                nearest = graph
                if not graph.changes.total:
                    break
        if nearest and nearest is not existing:
            with suppress(OSError):
                os.utime(nearest.file)
        return nearest

    def _names(self) -> Iterator[tuple[_Name, float, Path]]:
        """Yield the cached graphs of this version, with the time of last use."""
        if self._folder is None or not self._folder.is_dir():
            return
        for path in self._folder.glob(f"{self._version}-*.mubase"):
            parts = path.stem.split("-")
            if len(parts) == len(_Name._fields):
                with suppress(OSError):
                    yield _Name(*parts), path.stat().st_mtime, path

    def _forget_oldest(self) -> None:
        """Remove the least recently used graphs over the limits, of any version."""
        found = []
        for path in self._folder.iterdir() if self._folder else ():
            with suppress(OSError):
                status = path.stat()
                found.append((status.st_mtime, status.st_size, path))
        total = 0
        for count, (_, size, path) in enumerate(sorted(found, reverse=True), 1):
            total += size
            if count > _MOST_GRAPHS or total > _MOST_BYTES:
                path.unlink(missing_ok=True)


def is_of_switch(graph: ExistingGraph) -> bool:
    """Return whether so many files differ from a graph that another one may be nearer."""
    return graph.changes.total >= _FEWEST_CHANGED


def _place(root: Path) -> str:
    """Return the digest of a folder's path, for file names."""
    return blake2b(os.fsencode(root.resolve()), digest_size=8).hexdigest()
