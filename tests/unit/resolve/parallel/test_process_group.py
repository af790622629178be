import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from mu.resolve.parallel.process_group import LostProcessError, ProcessGroup, run_in_group

LARGE = 3_000_000
"""Bytes that do not fit into a pipe."""


def forked() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


@contextmanager
def no_more_files() -> Iterator[None]:
    """Let no further file be opened, so that a process has no channel."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_each_process_gets_the_messages_of_all_in_the_order_of_ranks() -> None:
    def work(group: ProcessGroup) -> bytes:
        first = group.all_gather(b"%d" % group.rank)
        second = group.all_gather(b"".join(first) * (group.rank + 1))
        return b",".join(second)

    assert run_in_group(work, 3) == [b"012,012012,012012012"] * 2


def test_messages_may_be_larger_than_a_pipe_holds() -> None:
    def work(group: ProcessGroup) -> bytes:
        found = group.all_gather(bytes([group.rank]) * LARGE)
        return b"".join(one[-1:] * LARGE for one in found)

    (other,) = run_in_group(work, 2)
    assert other == b"\0" * LARGE + b"\1" * LARGE


def test_the_first_process_works_in_place() -> None:
    seen: list[int] = []

    def work(group: ProcessGroup) -> bytes:
        seen.append(group.rank)
        return b"%d" % os.getpid()

    (other,) = run_in_group(work, 2)
    assert seen == [0]
    assert int(other) != os.getpid()


@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_a_killed_process_is_noticed_and_none_is_left(when: str) -> None:
    def work(group: ProcessGroup) -> bytes:
        if group.rank == 2 and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        group.all_gather(b"")
        if group.rank == 2 and when == "between":
            os.kill(os.getpid(), signal.SIGKILL)
        group.all_gather(b"")
        if group.rank == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return b""

    others = forked()
    with pytest.raises(LostProcessError):
        run_in_group(work, 3)
    assert forked() == others


def test_a_process_that_the_system_does_not_give_is_lost() -> None:
    worked: list[int] = []

    def work(group: ProcessGroup) -> bytes:
        worked.append(group.rank)
        return b""

    with no_more_files(), pytest.raises(LostProcessError):
        run_in_group(work, 2)
    assert worked == []


def test_an_error_in_a_forked_process_loses_it_without_a_word(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def work(group: ProcessGroup) -> bytes:
        if group.rank:
            raise MemoryError
        return b""

    with pytest.raises(LostProcessError):
        run_in_group(work, 2)
    assert capfd.readouterr() == ("", "")


def test_an_error_in_the_first_process_ends_the_others() -> None:
    def work(group: ProcessGroup) -> bytes:
        if group.rank:
            group.all_gather(b"")  # never answered
        raise KeyboardInterrupt

    others = forked()
    with pytest.raises(KeyboardInterrupt):
        run_in_group(work, 3)
    assert forked() == others


def test_forked_processes_hold_no_file_of_the_first(tmp_path: Path) -> None:
    def work(group: ProcessGroup) -> bytes:
        files = Path("/proc/self/fd").iterdir() if group.rank else ()
        return b"%d" % len([file for file in files if int(file.name) > 2])

    with (tmp_path / "lock").open("w"):
        (other,) = run_in_group(work, 2)
    assert int(other) <= 2  # its channel, and the folder that is listed
