"""What a build reads: a folder on disk, or the tree of a commit, through the same two calls.

A walk lists folders and a build reads files, both by native paths from the root; nothing else of
them touches the disk. So a revision is walked by the same rules as a working tree.
"""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from mu.source.opening import open_regular


class Status(Protocol):
    """What a walk asks of a file's `stat`."""

    @property
    def st_mode(self) -> int:
        """Its sort, as `stat.S_IFMT` gives it."""

    @property
    def st_size(self) -> int:
        """Its size in bytes."""


class Entry(Protocol):
    """One name in a folder; what `os.scandir` gives is one."""

    @property
    def name(self) -> str:
        """Its name as the system writes it."""

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Tell whether the entry is a folder."""

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Tell whether the entry is a regular file."""

    def is_symlink(self) -> bool:
        """Tell whether the entry is a symbolic link."""

    def stat(self, *, follow_symlinks: bool = True) -> Status:
        """Its status; raises OSError when it is gone."""


class SourceTree(Protocol):
    """The files under one root; paths are native, those of folders empty or ending with a slash."""

    def entries(self, folder: str) -> Sequence[Entry]:
        """List a folder; raises OSError when it cannot be listed."""

    def read(self, path: str, most: int) -> bytes:
        """Read at most `most` bytes of a regular file; raises OSError for anything else."""

    def own_excludes(self) -> str:
        """Give the path of the ignore file that git keeps for itself; empty where there is none."""


class WorkingTree:
    """A folder on disk, in which no link is followed."""

    def __init__(self, root: Path) -> None:
        self._root = os.fspath(root)

    def entries(self, folder: str) -> Sequence[Entry]:
        """List a folder; raises OSError when it cannot be listed."""
        with os.scandir(f"{self._root}/{folder}") as listing:
            return list(listing)

    def read(self, path: str, most: int) -> bytes:
        """Read at most `most` bytes of a regular file; raises OSError for anything else."""
        with open_regular(f"{self._root}/{path}") as stream:
            return stream.read(most)

    def own_excludes(self) -> str:
        """Give the path of `.git/info/exclude`, unless a link stands on the way to it."""
        for folder in (".git", ".git/info"):
            try:
                if not stat.S_ISDIR(os.lstat(f"{self._root}/{folder}").st_mode):
                    return ""
            except OSError:
                return ""
        name = ".git/info/exclude"
        return name if os.path.lexists(f"{self._root}/{name}") else ""


def as_tree(place: Path | SourceTree) -> SourceTree:
    """Give the tree of a folder; a tree is its own."""
    return WorkingTree(place) if isinstance(place, Path) else place
