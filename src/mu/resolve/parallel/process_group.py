"""A group of processes that do the same work, each on its share of the data.

They are forked from one process and so begin with all that it holds, without a copy. The terms are
those of MPI: a process has a *rank* in its group, the first one 0, and collective operations are
called by all processes of a group, in the same order.
"""

import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from typing import Protocol

_FIRST_FILE = 3  # after the standard streams
_LAST_FILE = 65_536  # far more than a build opens
_THREADS_OF_A_BUILD = 2  # this one, and one that draws a progress bar


class _Channel(Protocol):
    """The end of a pipe: a `multiprocessing.connection.Connection`, as far as it is used."""

    def send_bytes(self, buf: bytes, /) -> None: ...
    def recv_bytes(self) -> bytes: ...
    def fileno(self) -> int: ...
    def close(self) -> None: ...


class LostProcessError(Exception):
    """A process of the group ended before it had answered, or could not be started."""


class ProcessGroup:
    """The group as one of its processes sees it."""

    def __init__(self, rank: int, size: int, channels: Sequence[_Channel]) -> None:
        """The `channels` of rank 0 lead to all others in the order of ranks; theirs lead to it."""
        self.rank = rank
        self.size = size
        self._channels = channels

    def all_gather(self, message: bytes) -> list[bytes]:
        """Return the messages of all processes, in the order of ranks.

        Raises `LostProcessError` if one of them has ended.
        """
        try:
            if self.rank:
                return self._exchange_with_first(message)
            messages = [message, *(channel.recv_bytes() for channel in self._channels)]
            for rank, channel in enumerate(self._channels, 1):
                for other, one in enumerate(messages):
                    if other != rank:
                        channel.send_bytes(one)
        except (EOFError, OSError) as error:
            raise LostProcessError from error
        return messages

    def _exchange_with_first(self, message: bytes) -> list[bytes]:
        (channel,) = self._channels
        channel.send_bytes(message)
        return [
            message if other == self.rank else channel.recv_bytes() for other in range(self.size)
        ]


def can_fork() -> bool:
    """Return whether this process may be forked.

    On macOS the system's own libraries may fail in a forked process, and Windows has none. A thread
    that is not in the forked process may have left a lock there; so a program with threads of its
    own that builds a graph is not forked.
    """
    return sys.platform == "linux" and threading.active_count() <= _THREADS_OF_A_BUILD


def run_in_group(work: Callable[[ProcessGroup], bytes], size: int) -> list[bytes]:
    """Run `work` in a group of processes, of which this one is the first.

    Returns what it returned in the others, in the order of ranks. Raises `LostProcessError` if one
    of these ended without an answer, or if the system has none to give; no process is left in any
    case.
    """
    processes: list[ForkProcess] = []
    channels: list[_Channel] = []
    try:
        for rank in range(1, size):
            process, channel = _forked(work, rank, size)
            processes.append(process)
            channels.append(channel)
        work(ProcessGroup(0, size, channels))
        return [_received(channel) for channel in channels]
    finally:
        for process in processes:
            process.kill()
            process.join()
        for channel in channels:
            channel.close()


def _forked(
    work: Callable[[ProcessGroup], bytes], rank: int, size: int
) -> tuple[ForkProcess, _Channel]:
    """Start a process of a group; return it, and the end of its channel that is ours."""
    context = get_context("fork")
    try:
        channel, own = context.Pipe()
        with own, warnings.catch_warnings():
            # The thread that draws a progress bar is not in the forked process, nor needed.
            warnings.simplefilter("ignore", DeprecationWarning)
            about = work, ProcessGroup(rank, size, [own])
            process = context.Process(target=_answer, args=about, daemon=True)
            process.start()
    except OSError as error:
        raise LostProcessError from error
    return process, channel


def _received(channel: _Channel) -> bytes:
    try:
        return channel.recv_bytes()
    except (EOFError, OSError) as error:
        raise LostProcessError from error


def _answer(work: Callable[[ProcessGroup], bytes], group: ProcessGroup) -> None:
    """Do the work of a forked process. If that fails, the first process finds the channel closed.

    All other files are closed: the lock of a build must not outlive the build.
    """
    with suppress(BaseException):
        (channel,) = group._channels
        _close_all_but(channel.fileno())
        channel.send_bytes(work(group))
        os._exit(0)
    os._exit(1)


def _close_all_but(kept: int) -> None:
    os.closerange(_FIRST_FILE, kept)
    os.closerange(kept + 1, _LAST_FILE)
