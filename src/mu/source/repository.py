"""The git repository that holds a folder, opened by libgit2."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygit2 import Repository


def open_git(folder: "str | os.PathLike[str]") -> "Repository":
    """Open the repository whose `.git`, or what stands for it, is `folder`; raises GitError.

    A partial clone is opened as well: what it left out is missing, and never fetched.
    """
    import pygit2

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
