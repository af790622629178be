"""Find the commit that a folder has checked out, from git's own small files alone.

No `git` process runs. The files may be hostile: no link is followed, sizes are bounded, and
anything but the name of a commit is ignored. Linked work trees keep these files elsewhere, so no
commit is found for them.
"""

import os
import re
import stat
from pathlib import Path

from mu.source.opening import open_regular

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REFERENCE = re.compile(r"refs(?:/[A-Za-z0-9_+@][\w+@.=-]*)+")
_LARGEST = 4_000_000  # bytes; packed-refs has a line for each branch and tag


def checked_out_commit(root: Path) -> str:
    """Return the hex name of the commit checked out at `root`; empty if none is found."""
    head = _read(root, ".git/HEAD").strip()
    if _COMMIT.fullmatch(head):
        return head
    name = head.removeprefix("ref: ")
    if not _REFERENCE.fullmatch(name):
        return ""
    loose = _read(root, f".git/{name}").strip()
    if _COMMIT.fullmatch(loose):
        return loose
    for line in _read(root, ".git/packed-refs").splitlines():
        commit, _, packed = line.partition(" ")
        if packed == name and _COMMIT.fullmatch(commit):
            return commit
    return ""


def _read(root: Path, path: str) -> str:
    """Return the text of a small file below `root`; empty if it is missing or reached by a link."""
    folder = str(root)
    parts = path.split("/")
    try:
        for part in parts[:-1]:
            folder = os.path.join(folder, part)  # noqa: PTH118
            if not stat.S_ISDIR(os.lstat(folder).st_mode):
                return ""
        with open_regular(os.path.join(folder, parts[-1])) as file:  # noqa: PTH118
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
