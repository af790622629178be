"""Opens files of a tree that may be hostile: regular ones only, never through a link.

What counts is the opened file, since the name may have changed its meaning after the walk. Files
are opened without waiting, so that a named pipe does not block; for regular ones it means nothing.
Links among the folders above are the walk's concern: it never enters one.
"""

import errno
import os
import stat
from typing import BinaryIO

_IRREGULAR = {
    stat.S_IFREG: "",
    stat.S_IFLNK: "symbolic link",
    stat.S_IFIFO: "named pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
    stat.S_IFDIR: "folder",
}
# Windows has neither; there, links need a privilege and pipes have no path.
_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class IrregularFileError(OSError):
    """What was opened is a folder, a pipe or a device, or too large; the text says which."""


def irregularity(mode: int) -> str:
    """Say what a path of this `st_mode` is when it is no regular file; nothing when it is one."""
    return _IRREGULAR.get(stat.S_IFMT(mode), "not a regular file")


def open_regular(path: str) -> BinaryIO:
    """Open a regular file for reading; OSError when it is anything else."""
    descriptor = os.open(path, _FLAGS | _SAFE)
    kind = irregularity(os.fstat(descriptor).st_mode)
    if kind:
        os.close(descriptor)
        raise IrregularFileError(kind)
    return os.fdopen(descriptor, "rb")


def failure_reason(error: OSError) -> str:
    """Say in a few words why a file could not be opened or read."""
    if isinstance(error, IrregularFileError):
        return str(error)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return "vanished"
    if error.errno == errno.ELOOP:
        return "symbolic link"
    return f"unreadable: {error.strerror}"
