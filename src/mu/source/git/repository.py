"""The git repository that holds a folder, opened by libgit2.

libgit2 opens whatever stands where git keeps its files and would wait forever for a FIFO, so git's
folder is looked through first: names and their sorts alone.
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
_MOST = 1_000  # files that include one another, or folders that borrow
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
            _check_included(one / name)
        for place in _alternates(one / "objects"):
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


def _check_included(first: Path) -> None:
    """Look at the files of settings that a file of settings includes, each once."""
    known: set[str] = set()
    left = [(first, 0)]
    while left:
        file, depth = left.pop()
        _check_sort(file)
        if depth > _DEEPEST or not _is_new(file, known) or not file.is_file():
            continue
        with file.open(encoding="utf-8", errors="replace") as settings:
            text = settings.read(_LARGEST)
        for found in _INCLUDED.findall(text):
            path = os.path.expanduser(found.strip())  # noqa: PTH111
            left.append((file.parent / path, depth + 1))


def _alternates(first: Path) -> Iterator[Path]:
    """Give the folders of objects that a folder of objects borrows from, each once."""
    known: set[str] = set()
    left = [(first, 0)]
    while left:
        objects, depth = left.pop()
        listed = objects / "info/alternates"
        _check_sort(listed)
        if depth > _DEEPEST or not _is_new(objects, known) or not listed.is_file():
            continue
        with listed.open(encoding="utf-8", errors="replace") as lines:
            named = lines.read(_LARGEST).splitlines()
        for line in named:
            if line and not line.startswith("#"):
                yield objects / line
                left.append((objects / line, depth + 1))


def _is_new(path: Path, known: set[str]) -> bool:
    """Tell whether a path is new and the maximum is not reached; records it then."""
    name = os.path.realpath(path)
    if name in known or len(known) >= _MOST:
        return False
    known.add(name)
    return True


def _check_sort(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise ValueError(f"{path.name} is a FIFO or a device")
