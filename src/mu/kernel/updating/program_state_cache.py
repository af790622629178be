"""A cache of whole-program states (`WholeProgramState`) from one build to the next.

The key of a state is a digest of the graph's digest and the keys of its files, so a state is never
taken for that of another program, nor for that of the same one with other keys: files that an edit
adds have the last ones. States of another installation of MU are not read.
"""

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from mu.model.graph import File
from mu.syntax.facts_cache import FactsCache

_NAME = "programs"
_MOST_BYTES = 200_000_000  # of all states: every edit of code adds one, of 4 MB for django
_SAME_AS = b"same as "
"""Begins an entry for a program that has the state of another one; the key of that follows."""


class ProgramStateCache:
    """The states that an installation of MU, by its `engine_digest`, caches in a folder.

    With None for a folder nothing is cached.
    """

    def __init__(self, folder: Path | None, engine: str) -> None:
        self._cache = FactsCache(_NAME, folder, version=engine)

    def name(self, digest: str, files: Iterable[File]) -> str:
        """Return the cache key of the state of a graph with this digest and such files."""
        keys = sorted((file.path, file.key) for file in files)
        return blake2b(repr((digest, keys)).encode(), digest_size=16).hexdigest()

    def find(self, name: str) -> bytes | None:
        """Return the encoded state of a program; None if it is not cached."""
        return self._cache.find(self._place(name))

    def keep(self, name: str, *, state: bytes) -> None:
        """Cache a state, if there is one and it can be written."""
        if state:
            self._cache.keep(name, state)
            self._cache.forget_oldest(max_bytes=_MOST_BYTES)

    def keep_same(self, name: str, *, as_of: str) -> None:
        """Record that a program has the state of another one, if that is cached."""
        place = self._place(as_of)
        if name != place and self._cache.refresh(place):
            self._cache.keep(name, _SAME_AS + place.encode())

    def _place(self, name: str) -> str:
        """Return the key under which the state itself is cached."""
        told = self._cache.find(name, max_bytes=len(_SAME_AS) + len(name))
        is_other = told is not None and told.startswith(_SAME_AS)
        return told.removeprefix(_SAME_AS).decode() if told and is_other else name
