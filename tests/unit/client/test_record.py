"""The record of a daemon counts only while its lock is held, and where nobody else reads it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mu.client.record import DaemonRecord, lock_daemon, read_record, write_record

RECORD = DaemonRecord(4000, 1, "ab" * 32, "0.1.0")


def test_a_record_is_read_while_the_lock_is_held(tmp_path: Path) -> None:
    lock = lock_daemon(tmp_path)
    assert lock is not None
    write_record(tmp_path, RECORD)

    assert read_record(tmp_path) == RECORD
    assert lock_daemon(tmp_path) is None
    assert (tmp_path / "daemon.json").stat().st_mode & 0o777 == 0o600

    os.close(lock)
    assert read_record(tmp_path) is None


def _as_a_link(path: Path) -> None:
    path.rename(path.with_name("other"))
    path.symlink_to("other")


def _as_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


PLANTED: list[Callable[[Path], object]] = [
    _as_a_link,
    _as_a_pipe,
    lambda path: path.chmod(0o644),
    lambda path: path.write_text("{}"),
    lambda path: path.write_text("not json"),
    lambda path: path.write_bytes(b"\xff" * 10_000),
    lambda path: path.write_text(path.read_text().replace("4000", '"4000"')),
    lambda path: path.unlink(),
]


@pytest.mark.parametrize("plant", PLANTED)
def test_a_planted_record_is_ignored(plant: Callable[[Path], object], tmp_path: Path) -> None:
    lock = lock_daemon(tmp_path)
    assert lock is not None
    write_record(tmp_path, RECORD)
    plant(tmp_path / "daemon.json")

    assert read_record(tmp_path) is None
    os.close(lock)
