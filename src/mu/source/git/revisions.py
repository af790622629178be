"""Revisions of a repository: what a name means, and the tree of a commit as a build reads it.

libgit2 reads git's objects; the working tree is not touched, and no `git` process, hook, filter or
file system monitor runs. What a partial clone left out is not fetched: such a file is unreadable.
"""

import errno
import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from mu.errors import ExitCode, MuError
from mu.source.git.commits import Commits
from mu.source.git.repository import open_git
from mu.source.opening import IrregularFileError, irregularity
from mu.source.trees import Entry

if TYPE_CHECKING:
    from pygit2 import Commit, Object, Odb, Oid, Repository

_LARGEST = 100_000_000  # bytes of an object that is read; one is read whole or not at all
_SHORT_HASH = re.compile(r"[0-9a-fA-F]{4,}")
_SUBMODULE = 0o160000
_NAMESPACES = ("refs/tags/", "refs/heads/", "refs/remotes/", "refs/", "")
_MAIN = ("main", "master", "trunk", "develop")


class RevisionError(MuError):
    """A revision that cannot be read, or a folder that has none."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, ExitCode.USAGE)


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit of the repository around a folder, and what the folder held in it.

    `name` is what was asked for, `commit` the commit's full name in hex, and `tree` that of the
    folder's tree. `repository` is the folder of git's objects and references.
    """

    name: str
    commit: str
    tree: str
    repository: Path

    def files(self) -> "RevisionTree":
        """Give the files of the folder in this commit."""
        return RevisionTree(self.repository, self.tree)

    def __str__(self) -> str:
        short = self.commit[:10]
        return short if self.commit.startswith(self.name) else f"{self.name} ({short})"


class Revisions:
    """The history of the repository that holds a folder.

    Raises RevisionError when no repository does, or one that cannot be read or has no commit.
    """

    def __init__(self, root: Path) -> None:
        import pygit2

        try:
            found = pygit2.discover_repository(str(root))
            if not found:
                raise RevisionError(
                    "no git repository here", "revisions are commits of a git repository"
                )
            self._repository: Repository = open_git(found)
            self._below = _place_in(self._repository, root)
            is_unborn = self._repository.head_is_unborn
        except (pygit2.GitError, KeyError, ValueError, OSError) as error:
            raise RevisionError(
                f"the git repository here cannot be read: {_told(error)}", _help(error)
            ) from error
        if is_unborn and not list(self._repository.references):
            raise RevisionError("this repository has no commit yet", "commit something first")

    @property
    def is_bare(self) -> bool:
        """True if the repository has no work tree."""
        return self._repository.is_bare

    def blobs(self) -> "BlobTree":
        """Give the files that the repository ever held."""
        return BlobTree(Path(self._repository.path))

    def commits(self) -> Commits:
        """Give the commits before the one that is checked out, file by file.

        Raises RevisionError where there is none.
        """
        if self._repository.head_is_unborn:
            raise RevisionError("the current branch has no commit yet", "commit something first")
        return Commits(self._repository, self._below)

    def find(self, name: str) -> Revision:
        """Give the commit that `name` means: a branch, a tag, `HEAD~2`, the start of a hash.

        Raises RevisionError when it means none, or one that a shallow clone does not hold.
        """
        import pygit2

        try:
            return self._revision(name, self._repository.revparse_single(name))
        except RevisionError:
            raise
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise self._unknown(name, error) from error

    def head(self) -> Revision:
        """Give the commit that is checked out; raises RevisionError where there is none."""
        if self._repository.head_is_unborn:
            raise RevisionError("the current branch has no commit yet", "commit something first")
        return self.find("HEAD")

    def base(self, one: str, other: str) -> Revision:
        """Give the best common ancestor of two commits.

        Of several it is the one that libgit2 finds first. Raises RevisionError when there is none.
        """
        import pygit2

        first, second = self.find(one), self.find(other)
        try:
            found = cast("Oid | None", self._repository.merge_base(first.commit, second.commit))
        except (pygit2.GitError, KeyError) as error:
            raise self._cut(f"the common ancestor of {one} and {other}") from error
        if found is None:
            if self._repository.is_shallow:
                raise self._cut(f"the common ancestor of {one} and {other}")
            raise RevisionError(f"{one} and {other} have no common ancestor")
        named = f"merge base of {one} and {other}"
        return self._revision(named, self._repository[found])

    def main_branch(self) -> str:
        """Give the name of the main branch: the remote's default, else main or master.

        Raises RevisionError when there is none of these.
        """
        heads = set(self._repository.references)
        remote = "refs/remotes/origin/HEAD"
        if remote in heads:
            target = self._repository.references[remote].target
            name = target if isinstance(target, str) else ""
            if name in heads:
                return name.removeprefix("refs/remotes/")
        for name in _MAIN:
            for prefix in ("", "origin/"):
                place = "refs/remotes/" if prefix else "refs/heads/"
                if f"{place}{prefix}{name}" in heads:
                    return f"{prefix}{name}"
        raise RevisionError(
            "no main branch here", "name the revisions to compare, such as `v1.0..HEAD`"
        )

    def submodules(self, revision: Revision) -> tuple[str, ...]:
        """List the folders of other repositories in a revision, each with a slash at the end."""
        tree = revision.files()
        found: list[str] = []
        pending = [""]
        while pending:
            folder = pending.pop()
            for entry in tree.entries(folder):
                if isinstance(entry, _TreeEntry) and entry.is_submodule:
                    found.append(f"{folder}{entry.name}/")
                elif entry.is_dir():
                    pending.append(f"{folder}{entry.name}/")
        return tuple(sorted(found))

    def _revision(self, name: str, found: "Object") -> Revision:
        import pygit2

        try:
            commit: Commit = found.peel(pygit2.Commit)
        except (pygit2.GitError, ValueError, KeyError) as error:
            raise RevisionError(
                f"{name} is no commit", "name a branch, a tag or a commit"
            ) from error
        try:
            tree = commit.tree
        except (pygit2.GitError, ValueError, KeyError) as error:
            raise self._lost(f"the tree of {name}") from error
        here: Object = tree
        for part in self._below.split("/") if self._below else ():
            if not isinstance(here, pygit2.Tree) or part not in here:
                raise RevisionError(f"{self._below}/ does not exist in {name}")
            try:
                here = here[part]
            except (pygit2.GitError, ValueError, KeyError) as error:
                raise self._lost(f"{self._below}/ of {name}") from error
        if not isinstance(here, pygit2.Tree):
            raise RevisionError(f"{self._below} is no folder in {name}")
        return Revision(name, str(commit.id), str(here.id), Path(self._repository.path))

    def _unknown(self, name: str, error: Exception) -> RevisionError:
        if self._repository.is_shallow and any(mark in name for mark in "~^"):
            return self._cut(name)
        if "ambiguous" in str(error).lower() and _SHORT_HASH.fullmatch(name):
            return RevisionError(f"{name} is the start of several hashes", "write more of it")
        if any(f"{place}{name}" in self._names() for place in _NAMESPACES):
            return self._lost(f"the commit of {name}")
        hint = "`git tag` and `git branch -a` list names"
        if self._repository.is_shallow:
            hint = "this clone is shallow: `git fetch --unshallow` brings the whole history"
        return RevisionError(f"no revision is called {name}", hint)

    def _names(self) -> set[str]:
        return set(self._repository.references)

    def _lost(self, what: str) -> RevisionError:
        """Say that an object is missing or damaged."""
        if self._repository.is_shallow:
            return self._cut(what)
        return RevisionError(
            f"{what} is missing in this clone, or damaged", "`git fsck` lists what is"
        )

    def _cut(self, what: str) -> RevisionError:
        return RevisionError(
            f"{what} is not in this clone, which is shallow",
            "`git fetch --unshallow` brings the whole history",
        )


class RevisionTree:
    """The files of a tree of git; `repository` and the tree's hex name say which.

    Submodules are empty folders, as git checks them out.
    """

    def __init__(self, repository: Path, tree: str) -> None:
        self.repository = repository
        self.tree = tree
        self._folders: dict[str, dict[str, _TreeEntry]] = {}

    def entries(self, folder: str) -> Sequence[Entry]:
        """List a folder; raises OSError when it is none, or its object is missing."""
        return list(self._folder(folder).values())

    def read(self, path: str, most: int) -> bytes:
        """Read at most `most` bytes of a regular file; raises OSError for anything else."""
        folder, slash, name = path.rpartition("/")
        entry = self._folder(folder + slash).get(name)
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, "not in the tree")
        status = entry.stat()
        kind = irregularity(status.st_mode)
        if kind:
            raise IrregularFileError(kind)
        if status.st_size > _LARGEST:
            raise IrregularFileError(f"larger than {_LARGEST} bytes")
        return _read(self._objects, entry.id)[:most]

    def own_excludes(self) -> str:
        """Give nothing: what git keeps for itself is in no commit."""
        return ""

    def _folder(self, folder: str) -> "dict[str, _TreeEntry]":
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = self._list(folder)
        return known

    def _list(self, folder: str) -> "dict[str, _TreeEntry]":
        if not folder:
            return _parse(_read(self._objects, self._oid(self.tree)), self._objects)
        above, slash, name = folder.rstrip("/").rpartition("/")
        entry = self._folder(above + slash).get(name)
        if entry is None or not entry.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "not a folder of the tree")
        if entry.is_submodule:
            return {}
        return _parse(_read(self._objects, entry.id), self._objects)

    @cached_property
    def _objects(self) -> "Odb":
        return _open_objects(self.repository)

    def _oid(self, name: str) -> "Oid":
        import pygit2

        return pygit2.Oid(hex=name)


class BlobTree:
    """The files that a repository ever held, each by the hex name of its blob; in no folder."""

    def __init__(self, repository: Path) -> None:
        self.repository = repository

    def entries(self, folder: str) -> Sequence[Entry]:
        """Raise OSError: nothing is listed."""
        raise NotADirectoryError(errno.ENOTDIR, f"not a folder: {folder}")

    def read(self, path: str, most: int) -> bytes:
        """Read at most `most` bytes of a blob; raises OSError where this clone lacks it."""
        import pygit2

        return _read(self._objects, pygit2.Oid(hex=path))[:most]

    def own_excludes(self) -> str:
        """Give nothing: there is no ignore file."""
        return ""

    @cached_property
    def _objects(self) -> "Odb":
        return _open_objects(self.repository)


def _open_objects(repository: Path) -> "Odb":
    import pygit2

    common = repository / "commondir"  # of a linked work tree
    folder = repository
    if common.is_file():
        folder = folder / common.read_text(encoding="utf-8").strip()
    return pygit2.Odb(str(folder / "objects"))


@dataclass(frozen=True, slots=True)
class _Status:
    st_mode: int
    st_size: int


class _TreeEntry:
    """A name in a tree; its size is looked up when it is asked for."""

    __slots__ = ("_mode", "_objects", "id", "name")

    def __init__(self, name: str, mode: int, oid: "Oid", objects: "Odb") -> None:
        self.name = name
        self.id = oid
        self._mode = mode
        self._objects = objects

    @property
    def is_submodule(self) -> bool:
        """Tell whether the entry is a submodule: a commit of another repository."""
        return self._mode == _SUBMODULE

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002 - as os.DirEntry has it
        """Tell whether the entry is a folder or a submodule."""
        return stat.S_ISDIR(self._mode) or self.is_submodule

    def is_file(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002 - as os.DirEntry has it
        """Tell whether the entry is a regular file."""
        return stat.S_ISREG(self._mode)

    def is_symlink(self) -> bool:
        """Tell whether the entry is a symbolic link."""
        return stat.S_ISLNK(self._mode)

    def stat(self, *, follow_symlinks: bool = True) -> _Status:  # noqa: ARG002 - as os.DirEntry has it
        """Its sort and size; raises OSError when this clone does not hold its object."""
        if not self.is_file():
            return _Status(self._mode, 0)
        import pygit2

        try:
            _, size = self._objects.read_header(self.id)
        except (pygit2.GitError, KeyError, ValueError) as error:
            raise _missing() from error
        return _Status(self._mode, size)


def _told(error: Exception) -> str:
    """Say what libgit2 says, without a path of this machine."""
    text = str(error)
    if "owned by current user" in text:
        return "it belongs to another user"
    if "'sha256'" in text:
        return "its objects have SHA-256 names, which libgit2 does not read"
    if isinstance(error, OSError):
        return error.strerror or "a file of it cannot be read"
    return re.sub(r"^(?:'?/[^\n]*?'?|[A-Za-z]:[^\n]*?): ", "", text)


def _help(error: Exception) -> str:
    text = str(error)
    if "owned by current user" in text:
        return "where you trust it: `git config --global --add safe.directory FOLDER`"
    return "`mu kernel build` builds the files of the folder" if "'sha256'" in text else ""


def _place_in(repository: "Repository", root: Path) -> str:
    """Give the path of `root` from the top of the work tree; empty for the top."""
    if repository.is_bare:
        return ""
    top = Path(repository.workdir).resolve()
    if not root.resolve().is_relative_to(top):
        raise ValueError("this folder is not in the work tree that its `core.worktree` names")
    below = root.resolve().relative_to(top).as_posix()
    return "" if below == "." else below


def _read(objects: "Odb", oid: "Oid") -> bytes:
    import pygit2

    try:
        data: bytes = objects.read(oid)[1]
    except (pygit2.GitError, KeyError, ValueError) as error:
        raise _missing() from error
    return data


def _missing() -> OSError:
    return OSError(errno.EIO, "its object is not in this clone")


def _parse(data: bytes, objects: "Odb") -> dict[str, _TreeEntry]:
    """Take a tree object apart: `mode name NUL id` for each entry.

    Names that no folder could hold are left out: they are only in repositories made to harm.
    Raises OSError for what is no tree.
    """
    import pygit2

    found: dict[str, _TreeEntry] = {}
    width = 20  # bytes of an id
    place = 0
    while place < len(data):
        space = data.find(b" ", place)
        end = data.find(b"\0", space)
        if space < 0 or end < 0 or end + width >= len(data) + 1:
            raise OSError(errno.EIO, "damaged tree")
        name = os.fsdecode(data[space + 1 : end])
        oid = pygit2.Oid(raw=data[end + 1 : end + 1 + width])
        mode = int(data[place:space], 8)
        if name not in ("", ".", "..") and "/" not in name:
            found[name] = _TreeEntry(name, mode, oid, objects)
        place = end + 1 + width
    return found
