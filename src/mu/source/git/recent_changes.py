"""The newest changes of the repository that holds a folder: what each says, and which files.

libgit2 reads them and no `git` process runs. Trees alone are compared, and no file: a thousand
changes take 0.1 to 0.2 s.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from mu.source.git.repository import open_repository

if TYPE_CHECKING:
    from pygit2 import Repository

MOST = 1_000
"""So many changes are read: half as many say clearly less about where to look."""

_LARGEST = 20_000  # characters of a message; one of more is a log


@dataclass(frozen=True, slots=True)
class Change:
    """What a commit says, and the files below the folder that it changed, as paths of the graph."""

    message: str
    paths: tuple[str, ...]


def read_changes(root: Path, *, most: int = MOST) -> tuple[Change, ...]:
    """Give the newest changes that are no merges, the newest first.

    None, where `root` is in no repository, or in one that cannot be read: then nothing is known of
    its history.
    """
    import pygit2

    opened = open_repository(root)
    if opened is None:
        return ()
    try:
        return tuple(_read(*opened, most))
    except (pygit2.GitError, KeyError, ValueError):
        return ()


def _read(repository: "Repository", below: str, most: int) -> Iterator[Change]:
    from pygit2.enums import SortMode

    walk = repository.walk(repository.head.target, SortMode.TIME)
    single = (commit for commit in walk if len(commit.parent_ids) == 1)
    for commit in islice(single, most):
        try:
            deltas = commit.parents[0].tree.diff_to_tree(commit.tree).deltas
        except (KeyError, ValueError):  # a parent or a tree that a shallow or partial clone lacks
            continue
        paths = [delta.new_file.path for delta in deltas]
        inside = [path.removeprefix(below) for path in paths if path.startswith(below)]
        yield Change(commit.message[:_LARGEST], tuple(inside))
