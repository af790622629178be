"""When something went: the commit after which a file, a heading or a definition was no more.

History is read through libgit2, newest first: no `git` process runs, so that no hook and no alias
of a repository does. A loss is a commit that does not have what all its parents have; a merge is
none for what went on one of its sides. Of most commits no more is looked at than the top folders of
what is sought.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from mu.source.git.repository import open_repository

if TYPE_CHECKING:
    from pygit2 import Commit as GitCommit
    from pygit2 import Diff, Oid, Repository, Tree

_LARGEST = 1_000_000  # bytes of a file that is looked into
_MOST_FILES = 200  # of one commit; one that touches more moves things about
_WORD = re.compile(rb"[A-Za-z_]\w*")
_DEFINED = (
    rb"^[^\n#\"'`]*?\b(?:def|class|func|function|fn|interface|type|struct|enum|trait|const|let|var)"
    rb"\s+(?:\([^)\n]*\)\s*)?(?P<named>%s)\b"
    rb"|^\s*(?:self\.)?(?P<set>%s)\s*(?::[^=\n]+)?=(?!=)"
    rb"|^\s*(?!return|await|yield|new|else|throw|raise|assert|not\b|if\b|print)"
    rb"(?:[\w<>\[\],.]+\s+)+(?P<typed>%s)\s*\([^;\n]*\{"
)

Headings = Callable[[str, bytes], frozenset[str]]
"""Gives the anchors of the headings of a page by its path and its bytes."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: the first ten digits of its name, its day (UTC) and the first line it says."""

    id: str
    date: str
    summary: str


@dataclass(slots=True)
class Losses:
    """The commits after which things were no more, by path, by (path, anchor) and by name.

    `present` are paths and (path, anchor) that the newest commit still has: what is not committed
    yet is why they are missed. `is_whole` says that the history of paths was followed to its
    beginning.
    """

    paths: dict[str, Commit] = field(default_factory=dict)
    anchors: dict[tuple[str, str], Commit] = field(default_factory=dict)
    names: dict[str, Commit] = field(default_factory=dict)
    present: set[str | tuple[str, str]] = field(default_factory=set)
    is_whole: bool = False


def find_losses(
    root: Path,
    paths: Iterable[str],
    *,
    anchors: Iterable[tuple[str, str]] = (),
    names: Iterable[str] = (),
    headings: Headings,
    seconds: float,
) -> Losses | None:
    """Look for the commits that took things out of the folder `root`, for so many seconds at most.

    Paths are from `root`. Names are identifiers; the commit is the newest that took a definition of
    one out of a file. None where there is no history to read.
    """
    import pygit2

    opened = open_repository(root)
    if opened is None:
        return None
    search = _Search(*opened, headings)
    end = time.monotonic() + seconds
    try:
        search.look_for_paths(tuple(paths), tuple(anchors), end=end)
        search.look_for_names(tuple(names), end=end)
    except (pygit2.GitError, KeyError):  # a shallow or damaged history ends early
        search.losses.is_whole = False
    return search.losses


class _Search:
    """What is sought in one repository, and what was found of it."""

    def __init__(self, repository: "Repository", prefix: str, headings: Headings) -> None:
        self._repository = repository
        self._prefix = prefix
        self._headings = headings
        self.losses = Losses()

    def look_for_paths(
        self, paths: Sequence[str], anchors: Sequence[tuple[str, str]], *, end: float
    ) -> None:
        """Follow the history until all paths and headings are found, or to its end."""
        tree = self._repository.head.peel().tree
        held = {path for path in paths if _blob(tree, self._prefix + path) is not None}
        kept = {(path, one) for path, one in anchors if one in self._anchors(tree, path)}
        self.losses.present |= held | kept
        missing, lost = set(paths) - held, set(anchors) - kept
        for commit in self._commits(end):
            if not missing and not lost:
                break
            parents = [parent.tree for parent in commit.parents]
            if not parents:
                continue
            for path in self._gone(commit.tree, parents, missing):
                self.losses.paths[path] = _told(commit)
                missing.discard(path)
            for path, anchor in self._unheaded(commit.tree, parents, lost):
                self.losses.anchors[path, anchor] = _told(commit)
                lost.discard((path, anchor))
        else:
            self.losses.is_whole = time.monotonic() < end

    def look_for_names(self, names: Sequence[str], *, end: float) -> None:
        """Follow the history for what took definitions of names out."""
        pending = {name.encode() for name in names}
        for commit in self._commits(end):
            if not pending:
                return
            if len(commit.parents) != 1:
                continue
            diff = commit.parents[0].tree.diff_to_tree(commit.tree)
            for name in self._undefined(diff, pending):
                self.losses.names[name.decode()] = _told(commit)
                pending.discard(name)

    def _commits(self, end: float) -> "Iterator[GitCommit]":
        from pygit2.enums import SortMode

        for commit in self._repository.walk(self._repository.head.target, SortMode.TIME):
            if time.monotonic() > end:
                return
            yield commit

    def _gone(self, now: "Tree", parents: "Sequence[Tree]", missing: Iterable[str]) -> list[str]:
        """Give the paths that all parents have; the newest commit that lacks them comes first."""
        if any(now.id == parent.id for parent in parents):
            return []
        gone = []
        for path in missing:
            full = self._prefix + path
            top = full.partition("/")[0]
            if not any(_same(now, parent, top) for parent in parents) and all(
                _blob(parent, full) is not None for parent in parents
            ):
                gone.append(path)
        return gone

    def _unheaded(
        self, now: "Tree", parents: "Sequence[Tree]", lost: Iterable[tuple[str, str]]
    ) -> list[tuple[str, str]]:
        """Give the headings that all parents have and that are not there now."""
        gone = []
        for path, anchor in lost:
            full = self._prefix + path
            here = _blob(now, full)
            befores = [_blob(parent, full) for parent in parents]
            if here in befores or None in befores:
                continue
            if anchor not in self._anchors(now, path) and all(
                anchor in self._anchors(parent, path) for parent in parents
            ):
                gone.append((path, anchor))
        return gone

    def _anchors(self, tree: "Tree", path: str) -> frozenset[str]:
        blob = _blob(tree, self._prefix + path)
        return frozenset() if blob is None else self._headings(path, self._data(blob))

    def _undefined(self, diff: "Diff", pending: set[bytes]) -> Iterator[bytes]:
        """Give the names that a commit took the definition of out of a file."""
        deltas = list(diff.deltas)
        for delta in deltas if len(deltas) <= _MOST_FILES else ():
            if delta.status_char() not in "DM":
                continue
            before = self._defined(delta.old_file.id, pending)
            if before:
                is_there = delta.status_char() == "M"
                after = self._defined(delta.new_file.id, before) if is_there else frozenset()
                yield from before - after

    def _defined(self, blob: "Oid", names: Iterable[bytes]) -> frozenset[bytes]:
        """Give those of some names that a file defines, by the usual ways of writing that."""
        data = self._data(blob)
        there = sorted(set(names).intersection(_WORD.findall(data)))
        if not there:
            return frozenset()
        choice = b"|".join(map(re.escape, there))
        pattern = re.compile(_DEFINED.replace(b"%s", choice), re.MULTILINE)
        return frozenset(
            found["named"] or found["set"] or found["typed"] for found in pattern.finditer(data)
        )

    def _data(self, blob: "Oid") -> bytes:
        from pygit2 import Blob

        held = self._repository[blob]
        return held.data if isinstance(held, Blob) and held.size <= _LARGEST else b""


def _same(now: "Tree", before: "Tree", name: str) -> bool:
    """Tell whether an entry is the same in two trees, or in neither."""
    here = now[name].id if name in now else None
    return here == (before[name].id if name in before else None)


def _blob(tree: "Tree", path: str) -> "Oid | None":
    """Give the id of what stands at a path, None when nothing does."""
    try:
        return tree[path].id
    except KeyError:
        return None


def _told(commit: "GitCommit") -> Commit:
    day = datetime.fromtimestamp(commit.commit_time, UTC).date().isoformat()
    said = commit.message.strip().partition("\n")[0]
    return Commit(str(commit.id)[:10], day, said)
