"""A file through the commits of a repository: what it was in their parents, and which lines stayed.

libgit2 reads git's objects and compares them; no `git` process runs. Ids are in hex, paths are from
the top of the repository.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from mu.errors import MuError
from mu.source.git.authorship import mailmap_of

if TYPE_CHECKING:
    from pygit2 import Commit, Mailmap, Repository, Tree

_MOST_COMPARED = 200  # files that a commit changed; of one with more, only equal ones are renamed
_LARGEST = 5_000_000  # bytes of a file that is compared
_KEPT = 1_000
_RENAMED = 0.5


class CutHistoryError(MuError):
    """A commit or a file is not in this clone, so that the history before cannot be read."""

    def __init__(self) -> None:
        super().__init__(
            "a part of the history is not in this clone",
            "`git fetch --unshallow` brings the whole history of a shallow one",
        )


@dataclass(frozen=True, slots=True)
class Version:
    """A file as it was in a commit; `time` is when that was made, in seconds since the epoch."""

    commit: str
    time: int
    path: str
    blob: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that differ: how many, and the first, counted from 1; that after which, of none."""

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int


@dataclass(frozen=True, slots=True)
class CommitLine:
    """What is told of a commit: ten digits of its name, its day (UTC), author and first line."""

    id: str
    date: str
    author: str
    summary: str


class Commits:
    """Commits of `repository`, for files below the folder `below` of it (empty, or without `/`)."""

    def __init__(self, repository: "Repository", below: str) -> None:
        self._repository = repository
        self._below = f"{below}/" if below else ""
        self.hunks = lru_cache(_KEPT)(self._hunks)

    def head(self, path: str) -> Version | None:
        """Give a file of the folder as it is in the commit that is checked out, if it is there."""
        return self._version(self._commit(str(self._repository.head.target)), self._below + path)

    def below(self, path: str) -> str:
        """Give a path as it is from the folder; as it is from the top where it lies outside."""
        return path.removeprefix(self._below)

    def is_first(self, version: Version) -> bool:
        """Tell whether the commit has no parents.

        Raises CutHistoryError for one where a shallow clone ends.
        """
        if self._commit(version.commit).parent_ids:
            return False
        if self._repository.is_shallow:
            raise CutHistoryError
        return True

    def parents(self, version: Version) -> Sequence[Version | None]:
        """Give what the file was in each parent of its commit, under another name, too.

        None stands for a parent that does not have it. Raises CutHistoryError.
        """
        commit = self._commit(version.commit)
        found = [self._version(parent, version.path) for parent in self._parents(commit)]
        if None in found and not any(known and known.blob == version.blob for known in found):
            pairs = zip(self._parents(commit), found, strict=True)
            found = [known or self._renamed(old, commit, version.path) for old, known in pairs]
        return found

    def changed_files(self, version: Version) -> Iterator[tuple[Version, str]]:
        """Give the other files that the commit changed or removed: as they were, and the new blob.

        The latter is empty for what was removed. Of a merge there are none, nor of a commit that
        changed more than 200 files.
        """
        commit = self._commit(version.commit)
        parents = self._parents(commit)
        if len(parents) != 1:
            return
        deltas = list(parents[0].tree.diff_to_tree(commit.tree).deltas)
        for delta in deltas if len(deltas) <= _MOST_COMPARED else ():
            if delta.status_char() in "DM" and delta.old_file.path != version.path:
                old = self._version(parents[0], delta.old_file.path)
                is_there = delta.status_char() == "M"
                if old is not None:
                    yield old, str(delta.new_file.id) if is_there else ""

    def data(self, blob: str) -> bytes:
        """Read a file; nothing of one that is larger than 5 MB. Raises CutHistoryError."""
        import pygit2

        try:
            held = self._repository[blob]
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise CutHistoryError from error
        return held.data if isinstance(held, pygit2.Blob) and held.size <= _LARGEST else b""

    def told(self, version: Version) -> CommitLine:
        """Say of a commit what a history lists."""
        commit = self._commit(version.commit)
        author = self._mailmap.resolve_signature(commit.author)
        day = datetime.fromtimestamp(author.time, UTC).date().isoformat()
        said = commit.message.strip().partition("\n")[0]
        return CommitLine(version.commit[:10], day, author.name, said)

    @staticmethod
    def compared(old: bytes, new: bytes) -> tuple[Hunk, ...]:
        """Give the lines in which two texts differ, as git compares them."""
        import pygit2
        from pygit2.enums import DiffOption

        flag = DiffOption.FORCE_TEXT | DiffOption.INDENT_HEURISTIC
        patch = pygit2.Patch.create_from(old, new, flag=flag, context_lines=0, interhunk_lines=0)
        return tuple(
            Hunk(hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines)
            for hunk in patch.hunks
        )

    @cached_property
    def _mailmap(self) -> "Mailmap":
        return mailmap_of(self._repository)

    def _hunks(self, old: str, new: str) -> tuple[Hunk, ...]:
        """Give the lines in which two files, named by their blobs, differ; kept for a while."""
        return self.compared(self.data(old), self.data(new))

    def _commit(self, name: str) -> "Commit":
        import pygit2

        try:
            return self._repository[name].peel(pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise CutHistoryError from error

    def _parents(self, commit: "Commit") -> "list[Commit]":
        return [self._commit(str(name)) for name in commit.parent_ids]

    def _version(self, commit: "Commit", path: str) -> Version | None:
        try:
            found = self._tree(commit)[path]
        except KeyError:
            return None
        return Version(str(commit.id), commit.commit_time, path, str(found.id))

    def _renamed(self, parent: "Commit", commit: "Commit", path: str) -> Version | None:
        """Find the file of a parent that was removed and is like this one by half, as git does."""
        now = self._version(commit, path)
        deltas = list(self._tree(parent).diff_to_tree(self._tree(commit)).deltas)
        gone = [delta.old_file for delta in deltas if delta.status_char() == "D"]
        if now is None or not gone:
            return None
        same = next((file for file in gone if str(file.id) == now.blob), None)
        if same is not None or len(deltas) > _MOST_COMPARED:
            return None if same is None else self._version(parent, same.path)
        new = self.data(now.blob)
        scores = [(_share(self.data(str(file.id)), new), file.path) for file in gone]
        score, best = max(scores, key=lambda scored: scored[0])
        return self._version(parent, best) if score >= _RENAMED else None

    def _tree(self, commit: "Commit") -> "Tree":
        import pygit2

        try:
            return commit.tree
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise CutHistoryError from error


def _share(old: bytes, new: bytes) -> float:
    """Give the share of the larger text that both have, by lines (git's diffcore-rename)."""
    larger = max(len(old), len(new))
    if min(len(old), len(new)) < larger * _RENAMED:
        return 0.0
    both = Counter(old.splitlines(keepends=True)) & Counter(new.splitlines(keepends=True))
    return sum(len(line) * count for line, count in both.items()) / larger
