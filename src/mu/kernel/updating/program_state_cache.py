"""What linking found of the whole program, kept beside the facts from one build to the next.

It is named by the digest of the graph that it belongs to and by the keys of its files, so it can
never be taken for that of another program, nor for that of the same one with other keys: files that
came with an edit have the last ones. What another installation of MU kept is not read.
"""

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from mu.model.graph import File
from mu.syntax.facts_cache import FactsCache

_NAME = "programs"
_MOST_BYTES = 200_000_000  # of all that is kept: every edit keeps one, of 4 MB for django


class ProgramStateCache:
    """The states that an installation of MU, by its `engine_digest`, keeps in a folder; None keeps
    nothing.
    """

    def __init__(self, folder: Path | None, engine: str) -> None:
        self._cache = FactsCache(_NAME, folder, version=engine)

    def find(self, digest: str, files: Iterable[File]) -> bytes | None:
        """The state of the program with a graph of this digest and such files; None where it is not
        kept.
        """
        return self._cache.find(_named(digest, files))

    def keep(self, digest: str, files: Iterable[File], *, state: bytes) -> None:
        """Keep a state, if that can be done."""
        if state:
            self._cache.keep(_named(digest, files), state)
            self._cache.forget_oldest(most=_MOST_BYTES)


def _named(digest: str, files: Iterable[File]) -> str:
    """What the state of a graph is kept under."""
    keys = sorted((file.path, file.key) for file in files)
    return blake2b(repr((digest, keys)).encode(), digest_size=16).hexdigest()
