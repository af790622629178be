"""The git repository that holds a folder, opened by libgit2.

libgit2 opens whatever stands where git keeps its files and would wait forever for a FIFO, so git's
folder is looked through first: names and their sorts alone, 0.1 s for 50,000 of them.
"""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygit2 import Repository

_INCLUDED = re.compile(r"^\s*path\s*=\s*\"?([^\"#;\n]+)", re.MULTILINE)
_OTHERS = frozenset({"hooks", "modules", "lfs", "annex"})  # folders that libgit2 does not read
_DEEPEST = 10  # files that include one another, as in git itself
_LARGEST = 1_000_000  # characters of a file of settings


def open_git(folder: "str | os.PathLike[str]") -> "Repository":
    """Open the repository whose `.git`, or what stands for it, is `folder`.

    A partial clone is opened as well: what it left out is missing, and never fetched. Raises
    GitError for what is no repository, ValueError for one with a FIFO or a device in its files.
    """
    import pygit2

    _check_sorts(Path(folder))

    if "partialclone" not in pygit2.settings.extensions:
        pygit2.settings.set_extensions(["partialclone"])
    return pygit2.Repository(os.fspath(folder))


def open_repository(root: Path) -> "tuple[Repository, str] | None":
    """Give the repository of a folder, and where in it the folder is: empty, or with a `/` last.

    None where there is no repository, none that can be read, or no commit and no work tree in it.
    """
    import pygit2

    try:
        found = pygit2.discover_repository(str(root))
        repository = open_git(found) if found else None
        if repository is None or repository.is_bare or repository.head_is_unborn:
            return None
        prefix = root.resolve().relative_to(Path(repository.workdir).resolve()).as_posix()
    except (pygit2.GitError, KeyError, ValueError):
        return None
    return repository, "" if prefix == "." else f"{prefix}/"


def _check_sorts(folder: Path) -> None:
    """Refuse a repository in which opening a file could wait; raises ValueError."""
    folders = [folder]
    common = folder / "commondir"  # of a linked work tree
    if common.is_file():
        folders.append(folder / common.read_text("utf-8", "replace").strip())
    for one in folders:
        _check_folder(one)
        for name in ("config", "config.worktree"):
            _check_included(one / name, 0)
        for place in _alternates(one / "objects", 0):
            _check_folder(place)


def _check_folder(folder: Path) -> None:
    pending = [os.fspath(folder)]
    while pending:
        try:
            entries = list(os.scandir(pending.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _OTHERS:
                    pending.append(entry.path)
            elif not entry.is_file(follow_symlinks=False):
                _check_sort(Path(entry.path))


def _check_included(file: Path, depth: int) -> None:
    """Look at the files of settings that a file of settings includes."""
    _check_sort(file)
    if depth > _DEEPEST or not file.is_file():
        return
    with file.open(encoding="utf-8", errors="replace") as settings:
        text = settings.read(_LARGEST)
    for found in _INCLUDED.findall(text):
        _check_included(file.parent / os.path.expanduser(found.strip()), depth + 1)  # noqa: PTH111


def _alternates(objects: Path, depth: int) -> Iterator[Path]:
    """Give the folders of objects that a folder of objects borrows from."""
    listed = objects / "info/alternates"
    _check_sort(listed)
    if depth > _DEEPEST or not listed.is_file():
        return
    for line in listed.read_text("utf-8", "replace").splitlines():
        if line and not line.startswith("#"):
            yield objects / line
            yield from _alternates(objects / line, depth + 1)


def _check_sort(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise ValueError(f"{path.name} is a FIFO or a device")
