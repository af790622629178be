"""What changed in a folder since its graph was built, found without parsing anything.

A file counts as unchanged when it has the size it had and the system has not touched it since the
build began (`ctime`, which no program can set back); else its digest decides.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mu.kernel.sources import list_sources
from mu.source import SkippedSource, SourceFile, WalkOptions, native_path, read_source
from mu.syntax import load_manifests

_CLOCK_SLACK = 2_000_000_000
"""Nanoseconds: the coarsest file times in use are two seconds."""


class KnownFile(NamedTuple):
    """A file as the graph knows it; `digest` is empty for one that was skipped."""

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
        """How many files differ."""
        return len(self.changed) + len(self.added) + len(self.removed)


def find_changes(
    root: Path, known: Iterable[KnownFile], *, options: WalkOptions, built_at: int
) -> Changes:
    """Compare the folder `root` with the files its graph knows.

    `built_at` is when the build began, in nanoseconds since the epoch. Costs the walk, one `stat` a
    file and the reading of those touched since.
    """
    before = {file.path: file for file in known}
    indexed = {path for path, file in before.items() if file.digest}
    found = {
        file.path: file for file in list_sources(root, options, manifests=load_manifests()).files
    }
    changed = [
        path
        for path in sorted(indexed & found.keys())
        if _is_changed(root, found[path], before[path], built_at)
    ]
    return Changes(
        changed=tuple(changed),
        added=tuple(sorted(found.keys() - before.keys())),
        removed=tuple(sorted(indexed - found.keys())),
    )


def _is_changed(root: Path, now: SourceFile, before: KnownFile, built_at: int) -> bool:
    if now.size != before.bytes:
        return True
    try:
        if os.lstat(root / native_path(now.path)).st_ctime_ns < built_at - _CLOCK_SLACK:
            return False
        return read_source(root, now.path, max_file_size=now.size).digest != before.digest
    except (OSError, SkippedSource):
        return True
