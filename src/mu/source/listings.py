"""What a walk listed and looked into: while that is as it was, another walk sees the same files.

A walk decides by names, by what sort of thing each is, by rules of ignoring, by the first line of
files without an extension, and by the sizes of sources. All but the last is kept here.
"""

from collections.abc import Iterable
from hashlib import blake2b

import msgspec

from mu.source.classification import STATE
from mu.source.trees import Entry

_GRAPH = ".mubase"
_DIGEST_SIZE = 8  # bytes


class Listings(msgspec.Struct, frozen=True, array_like=True):
    """A digest of the names in each folder that was listed, and the files that were `consulted`.

    Those are ignore files, what may be a script, and what was left out for its sort or size. Paths
    are as `path_text` writes them, those of folders empty or ending with a slash.
    """

    folders: dict[str, bytes] = {}  # msgspec copies it
    consulted: tuple[str, ...] = ()


def names_digest(entries: Iterable[Entry]) -> bytes:
    """Digest the names in a folder and the sort of each, but for what no walk looks at."""
    names = []
    for entry in entries:
        name = entry.name
        if entry.is_dir(follow_symlinks=False):
            if name in STATE:
                continue
            name += "/"
        elif name == _GRAPH:
            continue
        elif not entry.is_file(follow_symlinks=False):
            name += "@/" if entry.is_symlink() else "?/"
        names.append(name)
    names.sort()
    text = "\0".join(names).encode("utf-8", "surrogateescape")
    return blake2b(text, digest_size=_DIGEST_SIZE).digest()
