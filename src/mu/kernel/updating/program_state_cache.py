"""Keeps what was found of a program as a whole (`WholeProgramState`) from one build to the next.

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
_MOST_BYTES = 200_000_000  # of all that is kept: every edit of code keeps one, of 4 MB for django
_SAME_AS = b"same as "
"""Begins what is kept of a program that an edit left as it was, before the name of that."""


class ProgramStateCache:
    """The states that an installation of MU, by its `engine_digest`, keeps in a folder; None keeps
    nothing.
    """

    def __init__(self, folder: Path | None, engine: str) -> None:
        self._cache = FactsCache(_NAME, folder, version=engine)

    def name(self, digest: str, files: Iterable[File]) -> str:
        """What the state of a graph of this digest with such files is kept under."""
        keys = sorted((file.path, file.key) for file in files)
        return blake2b(repr((digest, keys)).encode(), digest_size=16).hexdigest()

    def find(self, name: str) -> bytes | None:
        """The state of a program; None where it is not kept."""
        return self._cache.find(self._place(name))

    def keep(self, name: str, *, state: bytes) -> None:
        """Keep a state, if that can be done."""
        if state:
            self._cache.keep(name, state)
            self._cache.forget_oldest(most=_MOST_BYTES)

    def keep_same(self, name: str, *, as_of: str) -> None:
        """Keep that a program has the state of another one, which is kept."""
        place = self._place(as_of)
        if name != place and self._cache.refresh(place):
            self._cache.keep(name, _SAME_AS + place.encode())

    def _place(self, name: str) -> str:
        """Where a state stands that is kept under a name."""
        told = self._cache.find(name, most=len(_SAME_AS) + len(name))
        is_other = told is not None and told.startswith(_SAME_AS)
        return told.removeprefix(_SAME_AS).decode() if told and is_other else name
