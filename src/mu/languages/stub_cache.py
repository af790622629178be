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

_FOLDER: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextmanager
def stubs_kept_in(folder: Path | None) -> Iterator[None]:
    """Let stubs that are read meanwhile be kept in a folder, which need not exist; None: nowhere.

    The folder must be the user's own: what is in it is believed.
    """
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


class StubCache:
    """The facts of one language's stubs that are kept, by the text they were made from."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._caches: dict[Path | None, FactsCache] = {}

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
        folder = _FOLDER.get()
        if folder not in self._caches:
            self._caches[folder] = FactsCache(self._language, folder)
        return self._caches[folder]
