"""Histories of git, written through libgit2: a commit is all the files there are then."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pygit2

Files = Mapping[str, str]


class History:
    """A repository in a folder; commits are named by what they say."""

    def __init__(self, folder: Path) -> None:
        self.repository = pygit2.init_repository(str(folder), initial_head="main")
        self.folder = folder
        self.branch = "main"
        self.commits: dict[str, pygit2.Oid] = {}

    def commit(self, said: str, files: Files, *, after: Sequence[str] | None = None) -> str:
        """Commit all of `files` and nothing else, after the newest commit or those that are named.

        Gives the first ten digits of its name; each commit is a day later than the one before.
        """
        head = [] if self.repository.head_is_unborn else [self.repository.head.target]
        parents = head if after is None else [self.commits[name] for name in after]
        time = 86_400 * (len(self.commits) + 1)
        author = pygit2.Signature("Ann", "ann@example.org", time, 0)
        tree = self._tree(files)
        made = self.repository.create_commit(None, author, author, said, tree, parents)
        self.repository.references.create(f"refs/heads/{self.branch}", made, force=True)
        self.commits[said] = made
        return str(made)[:10]

    def tag(self, name: str) -> None:
        """Name the newest commit."""
        self.repository.references.create(f"refs/tags/{name}", self.repository.head.target)

    def switch(self, branch: str) -> None:
        """Go on from the newest commit in a new branch."""
        self.branch = branch
        made = self.repository.references.create(
            f"refs/heads/{branch}", self.repository.head.target
        )
        self.repository.set_head(made.name)

    def check_out(self) -> None:
        """Write the files of the newest commit into the folder."""
        self.repository.checkout_head(strategy=pygit2.enums.CheckoutStrategy.FORCE)

    def _tree(self, files: Files) -> pygit2.Oid:
        index = pygit2.Index()
        for path, text in files.items():
            blob = self.repository.create_blob(text.encode())
            index.add(pygit2.IndexEntry(path, blob, pygit2.enums.FileMode.BLOB))
        return index.write_tree(self.repository)
