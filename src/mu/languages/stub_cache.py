"""A cache on disk of the facts of library stubs, like that of the facts of repository files.

For a small repository, extracting the stubs takes longer than the rest of the build. Stubs only
change with the version of MU.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from mu.model.facts import FileFacts
from mu.syntax import FactsError, decode_facts, encode_facts
from mu.syntax.facts_cache import FactsCache, text_digest

_Location = tuple[Path | None, bool]
"""The folder of the cache, None for no cache, and whether to read from it."""

_LOCATION: ContextVar[_Location] = ContextVar("location", default=(None, True))


@contextmanager
def stubs_cached_in(folder: Path | None, *, is_read: bool = True) -> Iterator[None]:
    """Cache the facts of stubs in a folder, within the `with` block; None disables the cache.

    The folder need not exist. It must belong to the user, since its content is trusted; unless
    `is_read`, facts are written to it and never read.
    """
    token = _LOCATION.set((folder, is_read))
    try:
        yield
    finally:
        _LOCATION.reset(token)


class StubCache:
    """The cached facts of the stubs of one language, by the text of the stub."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._caches: dict[_Location, FactsCache] = {}

    def find(self, text: bytes) -> FileFacts | None:
        """Return the facts of a stub; None if they are not in the cache, or not readable."""
        data = self._cache().find(text_digest(text))
        try:
            return decode_facts(data) if data is not None else None
        except FactsError:
            return None

    def keep(self, text: bytes, facts: FileFacts) -> None:
        """Write the facts of a stub to the cache; do nothing if that is impossible."""
        self._cache().keep(text_digest(text), encode_facts(facts))

    def _cache(self) -> FactsCache:
        location = _LOCATION.get()
        if location not in self._caches:
            folder, is_read = location
            self._caches[location] = FactsCache(self._language, folder, is_read=is_read)
        return self._caches[location]
