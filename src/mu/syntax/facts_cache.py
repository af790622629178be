"""A cache of encoded facts on disk, in a folder of the user's own cache.

Each file is named by the digest of the source it was made from, in a folder named by the language
and `extraction_digest`. So all repositories, branches and work trees share equal sources. Files are
put in place by a rename, so any number of builds may read and write at once. A file that is
missing, unreadable or fails its checksum is a cache miss. Only regular files of at most the size
that MU writes are opened.
"""

import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

from mu.syntax.grammars.fingerprint import extraction_digest

_DIGEST_SIZE = 16  # bytes
_MOST_VERSIONS = 3  # folders of one language; older ones are removed
_MOST_BYTES = 1_000_000_000
_KEPT_SHARE = 0.8  # the share of those bytes that is left after a cleanup
_LARGEST = 64_000_000  # bytes of one file; the facts of 2 MB of source take a tenth of that
_BLOCK = 4_096  # bytes of disk space that the smallest file takes
_DAY = 86_400  # seconds between two updates of a file's access mark, and between two cleanups
_MARKER = "tidied"


class FactsCache:
    """The cached facts of sources in one language.

    `folder` need not exist; None disables the cache. It must be the user's own, since its contents
    are trusted. Unless `is_read`, every lookup misses and everything is written anew. Other kinds
    of data than facts need a `version` that identifies the code that makes them.
    """

    def __init__(
        self, language: str, folder: Path | None, *, is_read: bool = True, version: str = ""
    ) -> None:
        self._is_read = is_read
        version = version or (_loaded_version(language) if folder else "")
        self._language = language
        self._folder = str(folder / f"{language}-{version}") if folder and version else ""

    def find(self, digest: str, *, max_bytes: int = _LARGEST) -> bytes | None:
        """Return the facts of the source with a hex digest; None if they are missing.

        Facts of more than `max_bytes` count as missing.
        """
        if not self._folder or not self._is_read:
            return None
        try:
            path = self._path(digest)
            data, changed = _read(path, min(max_bytes + _DIGEST_SIZE, _LARGEST))
            facts = data[_DIGEST_SIZE:]
            if self._checksum(digest, facts) != data[:_DIGEST_SIZE]:
                return None
            if time.time() - changed > _DAY:
                os.utime(path)
        except OSError:
            return None
        return facts

    def keep(self, digest: str, facts: bytes) -> None:
        """Store the facts of a source; errors of the file system are ignored."""
        if not self._folder or len(facts) + _DIGEST_SIZE > _LARGEST:
            return
        path = self._path(digest)
        new = f"{path}.{secrets.token_hex(8)}.tmp"
        data = self._checksum(digest, facts) + facts
        with suppress(OSError):
            try:
                try:
                    _write(new, data)
                except FileNotFoundError:
                    self._make_folder(path)
                    _write(new, data)
                os.replace(new, path)  # noqa: PTH105
            except OSError:
                os.unlink(new)  # noqa: PTH108

    def refresh(self, digest: str) -> bool:
        """Mark the facts of a source as in use; return False if they are not cached."""
        try:
            os.utime(self._path(digest))
        except OSError:
            return False
        return bool(self._folder)

    def forget_oldest(self, *, max_bytes: int) -> None:
        """Remove the oldest entries while this language takes more than `max_bytes` on disk."""
        if self._folder:
            _remove_oldest(
                Path(self._folder).glob("*/*"),
                max_bytes=max_bytes,
                target=max_bytes,
                min_bytes=_BLOCK,
            )

    def _checksum(self, digest: str, facts: bytes) -> bytes:
        """Return the checksum of facts together with their key, so a misplaced file fails."""
        folder = self._folder.rpartition("/")[2]
        state = blake2b(f"{folder}/{digest}\n".encode(), digest_size=_DIGEST_SIZE)
        state.update(facts)
        return state.digest()

    def _path(self, digest: str) -> str:
        return f"{self._folder}/{digest[:2]}/{digest[2:]}"

    def _make_folder(self, path: str) -> None:
        is_new = not os.path.isdir(self._folder)  # noqa: PTH112
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
        if is_new:
            self._forget_old()

    def _forget_old(self) -> None:
        """Remove the folders of other versions, except the most recently used ones."""
        current = Path(self._folder)
        others = [one for one in current.parent.glob(f"{self._language}-*") if one != current]
        others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
        for folder in others[_MOST_VERSIONS - 1 :]:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def _loaded_version(language: str) -> str:
    """Return the digest of the code that makes the facts of a language in this process, which goes
    on with what it has loaded when another MU is installed.
    """
    return extraction_digest(language)


def text_digest(text: bytes) -> str:
    """Return the key of a source in the cache: its hex BLAKE2b-128."""
    return blake2b(text, digest_size=_DIGEST_SIZE).hexdigest()


def tidy_facts(folder: Path | None, *, max_bytes: int = _MOST_BYTES) -> None:
    """Remove the least recently used facts while the cache takes more than `max_bytes`.

    Does so at most once a day, and costs nothing otherwise.
    """
    if folder is None or not folder.is_dir():
        return
    mark = folder / _MARKER
    with suppress(OSError):
        if mark.exists() and time.time() - mark.stat().st_mtime < _DAY:
            return
        mark.touch()
        _remove_oldest(
            folder.glob("*/*/*"), max_bytes=max_bytes, target=int(max_bytes * _KEPT_SHARE)
        )


def _remove_oldest(
    files: Iterable[Path], *, max_bytes: int, target: int, min_bytes: int = 0
) -> None:
    """Remove the oldest of `files` until `target` bytes remain, if there are more than `max_bytes`.

    Each file counts for at least `min_bytes`.
    """
    with suppress(OSError):
        found = [(file, file.stat()) for file in files]
        found.sort(key=lambda pair: pair[1].st_mtime)
        sizes = [max(status.st_size, min_bytes) for _, status in found]
        total = sum(sizes)
        for (file, _), size in zip(found, sizes, strict=True) if total > max_bytes else ():
            file.unlink(missing_ok=True)
            total -= size
            if total <= target:
                return


def _read(path: str, max_bytes: int) -> tuple[bytes, float]:
    """Read a regular file of at most `max_bytes`; also return its modification time."""
    _check(os.lstat(path), max_bytes)
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:  # noqa: PTH123
        status = os.fstat(descriptor)
        _check(status, max_bytes)  # it may have been replaced meanwhile
        return file.read(max_bytes), status.st_mtime


def _check(status: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode) or status.st_size > max_bytes:
        raise OSError("not a facts file")


def _write(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        if os.write(descriptor, data) != len(data):
            raise OSError(f"no room for {path}")
    finally:
        os.close(descriptor)
