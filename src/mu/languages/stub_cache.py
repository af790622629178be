"""Facts of library stubs, kept from one build to the next in a folder of the user's cache.

Extracting the stubs that a small repository needs takes longer than all else that its build does,
and they change with MU alone. A file is named by what it was made from: the text of the stub, in a
folder named by `extraction_digest`. It is put in place by a rename, so any number of builds may
read and write at once; what cannot be read or written, or is not what was written, is made anew.
"""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from hashlib import blake2b
from pathlib import Path

from mu.model.facts import FileFacts
from mu.syntax import FactsError, decode_facts, encode_facts, extraction_digest

_DIGEST = 16  # bytes
_MOST_VERSIONS = 3  # of one language: what other versions of MU have left goes

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
        self._version = ""

    def find(self, text: bytes) -> FileFacts | None:
        """The facts of a stub, None where they are not kept."""
        path = self._path(text)
        if path is None:
            return None
        try:
            data = path.read_bytes()
            if _digest(data[_DIGEST:]) != data[:_DIGEST]:
                return None
            return decode_facts(data[_DIGEST:])
        except (OSError, FactsError):
            return None

    def keep(self, text: bytes, facts: FileFacts) -> None:
        """Keep the facts of a stub, if that can be done."""
        path = self._path(text)
        if path is None:
            return
        with suppress(OSError):
            if not path.parent.is_dir():
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._forget_old(path.parent)
            data = encode_facts(facts)
            new = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
            try:
                new.write_bytes(_digest(data) + data)
                new.replace(path)
            finally:
                new.unlink(missing_ok=True)

    def _path(self, text: bytes) -> Path | None:
        folder = _FOLDER.get()
        if folder is None:
            return None
        self._version = self._version or extraction_digest(self._language)
        if not self._version:
            return None
        return folder / f"{self._language}-{self._version}" / _digest(text).hex()

    def _forget_old(self, present: Path) -> None:
        """Remove what other versions have left, but for the last ones in use."""
        others = [
            folder for folder in present.parent.glob(f"{self._language}-*") if folder != present
        ]
        others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
        for folder in others[_MOST_VERSIONS - 1 :]:
            shutil.rmtree(folder, ignore_errors=True)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()
