"""One build at a time for each repository.

The lock is a `flock` on the repository's folder: it leaves no file behind, and is released when the
process that holds it ends, however that ends. Where a file system has no such locks (some network
mounts), a build runs without one: publishing is one rename, so concurrent builds waste time and do
no harm.
"""

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mu.errors import ExitCode, MuError

_PAUSE = 0.1
_UNSUPPORTED = {errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}


class BusyError(MuError):
    """Another build of the same repository did not end in time."""


@contextmanager
def build_lock(
    root: Path, *, wait: float, on_wait: Callable[[], object] = lambda: None
) -> Iterator[bool]:
    """Hold the lock of the repository at `root`; yield False where the file system has none.

    `on_wait` is called once if another process holds the lock. Raises `BusyError` after `wait`
    seconds.
    """
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield _acquire(descriptor, wait, on_wait)
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, wait: float, on_wait: Callable[[], object]) -> bool:
    end = time.monotonic() + wait
    affects_documents = False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() >= end:
                raise BusyError(
                    f"another build of this repository still runs after {wait:g} s",
                    "wait for it to end, then run `mu kernel build` again",
                    ExitCode.BUSY,
                ) from error
        except OSError as error:
            if error.errno in _UNSUPPORTED:
                return False
            raise
        else:
            return True
        if not affects_documents:
            on_wait()
            affects_documents = True
        time.sleep(_PAUSE)
