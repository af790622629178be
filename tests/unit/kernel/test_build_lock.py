"""One build at a time, and a lock that ends with its holder."""

import subprocess
import sys
from pathlib import Path

import pytest

from mu.errors import ExitCode
from mu.kernel.build_lock import BusyError, build_lock

HOLDER = """
import sys
from pathlib import Path
from mu.kernel.build_lock import build_lock
with build_lock(Path(sys.argv[1]), wait=0):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold(root: Path) -> subprocess.Popen[str]:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def test_a_free_repository_is_locked_at_once_and_nothing_is_left(tmp_path: Path) -> None:
    with build_lock(tmp_path, wait=0) as is_locked:
        assert is_locked
    assert list(tmp_path.iterdir()) == []


def test_a_second_build_is_told_that_the_first_still_runs(tmp_path: Path) -> None:
    waits: list[str] = []
    with (
        hold(tmp_path),
        pytest.raises(BusyError) as caught,
        build_lock(tmp_path, wait=0.2, on_wait=lambda: waits.append("once")),
    ):
        pass
    assert caught.value.code is ExitCode.BUSY
    assert waits == ["once"]


def test_a_second_build_goes_on_when_the_first_ends(tmp_path: Path) -> None:
    holder = hold(tmp_path)
    with holder, build_lock(tmp_path, wait=60, on_wait=holder.communicate) as is_locked:
        assert is_locked


def test_a_killed_builder_stops_nobody(tmp_path: Path) -> None:
    with hold(tmp_path) as holder:
        holder.kill()
        holder.wait()
        with build_lock(tmp_path, wait=0) as is_locked:
            assert is_locked


def test_the_lock_is_given_back_when_a_build_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), build_lock(tmp_path, wait=0):
        raise ZeroDivisionError
    with build_lock(tmp_path, wait=0) as is_locked:
        assert is_locked
