"""Facts of library stubs, kept from one build to the next like those of the repository's files.

Extracting the stubs that a small repository needs takes longer than all else that its build does,
and they change with MU alone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from mu.model.facts import FileFacts
from mu.syntax import FactsError, decode_facts, encode_facts
from mu.syntax.facts_cache import FactsCache, text_digest

_Place = tuple[Path | None, bool]
"""A folder, and whether it is read."""

_PLACE: ContextVar[_Place] = ContextVar("place", default=(None, True))


@contextmanager
def stubs_kept_in(folder: Path | None, *, is_read: bool = True) -> Iterator[None]:
    """Let stubs that are read meanwhile be kept in a folder, which need not exist; None: nowhere.

    The folder must be the user's own: what is in it is believed, unless it is not to be read.
    """
    token = _PLACE.set((folder, is_read))
    try:
        yield
    finally:
        _PLACE.reset(token)


class StubCache:
    """The facts of one language's stubs that are kept, by the text they were made from."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._caches: dict[_Place, FactsCache] = {}

    def find(self, text: bytes) -> FileFacts | None:
        """The facts of a stub, None where they are not kept."""
        data = self._cache().find(text_digest(text))
        try:
            return decode_facts(data) if data is not None else None
        except FactsError:
            return None

    def keep(self, text: bytes, facts: FileFacts) -> None:
        """Keep the facts of a stub, if that can be done."""
        self._cache().keep(text_digest(text), encode_facts(facts))

    def _cache(self) -> FactsCache:
        place = _PLACE.get()
        if place not in self._caches:
            folder, is_read = place
            self._caches[place] = FactsCache(self._language, folder, is_read=is_read)
        return self._caches[place]
