"""How the user's daemon is reached: a record in the state folder, which the user alone may read.

The daemon holds an OS lock on a file beside the record for as long as it runs, however it ends. A
record without a held lock is stale and is ignored: its port may be another program's by now.
"""

import errno
import fcntl
import os
import stat
import time
from pathlib import Path

import msgspec

_RECORD, _LOCK = "daemon.json", "daemon.lock"
_LARGEST = 4_096
_LOCK_WAIT = 1.0
"""Seconds for which a daemon tries to get the lock: a client holds it for microseconds."""


class DaemonRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The loopback port of a daemon, its process, its 256-bit token in hex, and MU's version."""

    port: int
    pid: int
    token: str
    version: str


def read_record(folder: Path) -> DaemonRecord | None:
    """Read the record of the daemon that runs; None when none does.

    A record that is a link, belongs to somebody else, or that others may read, is ignored.
    """
    try:
        content = read_private(folder / _RECORD)
        if content is None or not _is_locked(folder / _LOCK):
            return None
        return msgspec.json.decode(content, type=DaemonRecord)
    except (OSError, msgspec.DecodeError):
        return None


def write_record(folder: Path, record: DaemonRecord) -> None:
    """Replace the record in one step; only its owner may read the new one."""
    target = folder / _RECORD
    temporary = folder / f"{_RECORD}.{record.pid}"
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(record))
    temporary.replace(target)


def remove_record(folder: Path) -> None:
    """Remove the record; the lock's file stays, since another daemon may wait for it."""
    (folder / _RECORD).unlink(missing_ok=True)


def lock_daemon(folder: Path) -> int | None:
    """Take the lock of the user's one daemon; None when another daemon holds it.

    Gives the descriptor that holds it, until it is closed or the process ends.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    end = time.monotonic() + _LOCK_WAIT
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                os.close(descriptor)
                return None
            time.sleep(0.02)
        else:
            return descriptor


def is_daemon_locked(folder: Path) -> bool:
    """Tell whether a process holds the lock of the user's daemon, be it about to end."""
    try:
        return _is_locked(folder / _LOCK)
    except FileNotFoundError:
        return False


def _is_locked(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in {errno.EAGAIN, errno.EACCES}
    finally:
        os.close(descriptor)
    return False


def read_private(path: Path) -> bytes | None:
    """Read a small regular file that belongs to the user alone; None for any other one."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        is_private = status.st_uid == os.getuid() and not status.st_mode & 0o077
        if not stat.S_ISREG(status.st_mode) or not is_private or status.st_size > _LARGEST:
            return None
        return file.read()
