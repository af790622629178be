"""Find the files that changed in a folder since its graph was built, without parsing.

A file is unchanged if its size is the same and neither it nor a folder above it was touched since
the build began (by `ctime`, which no program can set back). Folders count because one that replaces
another keeps the times of its files. Else the digest decides.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mu.kernel.change_detection.stat_comparison import StatDifferences
from mu.kernel.inputs.source_listing import list_sources
from mu.source import Discovery, SkippedSource, SourceFile, WalkOptions, native_path, read_source
from mu.syntax import load_manifests

_CLOCK_SLACK = 2_000_000_000
"""Nanoseconds: the coarsest file times in use have steps of two seconds."""


class KnownFile(NamedTuple):
    """A file as the graph lists it; `digest` is empty for one that was skipped unread."""

    path: str
    bytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Paths that were changed, added and removed since the build, each sorted."""

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def total(self) -> int:
        """The number of files that differ."""
        return len(self.changed) + len(self.added) + len(self.removed)


class TouchTimes:
    """The files and folders that were touched since a build that began at `built_at`.

    `built_at` is in nanoseconds since the epoch; a `ctime` of `since` or later counts as touched.
    The root does not count: a build touches it, and if it is moved the graph moves with it.
    """

    def __init__(self, root: Path, built_at: int) -> None:
        self._root = f"{root}/"
        self.since = built_at - _CLOCK_SLACK
        self._folders = {"": False}

    def is_touched(self, path: str) -> bool:
        """Return whether a file or a folder above it was touched; raise OSError if it is gone."""
        return self.is_new(path) or self.is_folder_touched(path.rpartition("/")[0])

    def is_folder_touched(self, folder: str) -> bool:
        """Return whether a folder or one above it was touched; raise OSError if it is gone."""
        known = self._folders.get(folder)
        if known is None:
            above = self.is_folder_touched(folder.rpartition("/")[0])
            known = self._folders[folder] = above or self.is_new(folder)
        return known

    def is_new(self, path: str) -> bool:
        """Return whether a file or folder itself was touched; raise OSError if it is gone."""
        return os.lstat(self._root + native_path(path)).st_ctime_ns >= self.since


def find_changes(
    root: Path, known: Iterable[KnownFile], *, options: WalkOptions, built_at: int
) -> Changes:
    """Compare the folder `root` with the files that its graph lists.

    `built_at` is when the build began, in nanoseconds since the epoch. Costs the walk, one `stat` a
    file, and reading the files touched since.
    """
    found = list_sources(root, options, manifests=load_manifests())
    return compare_files(root, known, found=found, times=TouchTimes(root, built_at))


def compare_files(
    root: Path, known: Iterable[KnownFile], *, found: Discovery, times: TouchTimes
) -> Changes:
    """Compare what a walk of `root` has `found` with the files that its graph lists."""
    before = {file.path: file for file in known}
    indexed = {path for path, file in before.items() if file.digest}
    now = {file.path: file for file in found.files}
    changed = [
        path
        for path in sorted(before.keys() & now.keys())
        if _is_changed(root, now[path], before[path], times)
    ]
    return Changes(
        changed=tuple(changed),
        added=tuple(sorted(now.keys() - before.keys())),
        removed=tuple(sorted(indexed - now.keys())),
    )


def confirm_changes(
    root: Path, seen: StatDifferences, *, digests: Mapping[str, str], options: WalkOptions
) -> Changes:
    """Decide by digest which files of a comparison by size and time have changed.

    `digests` are those of the files in `seen.touched`, by path; no others are read. Costs reading
    these, and a walk to the paths in `seen.arrived`.
    """
    changed = [path for path, digest in digests.items() if not _holds(root, path, digest)]
    arrived = [native_path(path) for path in seen.arrived]
    found = (
        list_sources(root, options, manifests=load_manifests(), within=arrived).files
        if arrived
        else ()
    )
    return Changes(
        changed=tuple(sorted([*seen.resized, *changed])),
        added=tuple(file.path for file in found),
        removed=seen.removed,
    )


def _holds(root: Path, path: str, digest: str) -> bool:
    """Return whether a file inside `root`, not reached through a link, has the digest."""
    place = root / native_path(path)
    if place.parent.resolve() != root.resolve() / place.parent.relative_to(root):
        return False
    try:
        size = os.lstat(place).st_size
        return read_source(root, path, max_file_size=size).digest == digest
    except (OSError, SkippedSource):
        return False


def _is_changed(root: Path, now: SourceFile, before: KnownFile, times: TouchTimes) -> bool:
    if before.digest and now.size != before.bytes:
        return True
    try:
        if not times.is_touched(now.path):
            return False
        return read_source(root, now.path, max_file_size=now.size).digest != before.digest
    except SkippedSource:
        return bool(before.digest)
    except OSError:
        return True
