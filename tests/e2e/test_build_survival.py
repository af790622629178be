"""Builds that are killed, and builds at the same time: the old graph stays whole, and nobody waits
for the dead."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.command import SMALL, mu_process, write_tree
from fakes.built import with_graph
from mu.errors import ExitCode
from mu.kernel import BuildSettings, build
from mu.kernel.build_lock import BusyError
from mu.kernel.report import Event, Waiting
from mu.store import open_graph

KILLED_AT = """
import os, signal, sys
from pathlib import Path
import mu.store
from mu.kernel import BuildSettings, build
from mu.kernel.report import Event

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def on_event(event: Event) -> None:
    if type(event).__name__ == sys.argv[2]:
        die()

if sys.argv[2] == "publish":
    mu.store.publish = die
build(Path(sys.argv[1]), BuildSettings(is_full=True), on_event=on_event)
"""

HOLDER = """
import sys
from pathlib import Path
from mu.kernel import BuildSettings, build
from mu.kernel.report import Discovered, Event

def on_event(event: Event) -> None:
    if isinstance(event, Discovered):
        print("building", flush=True)
        sys.stdin.read()

build(Path(sys.argv[1]), BuildSettings(is_full=True), on_event=on_event)
"""


@pytest.fixture
def built(tmp_path: Path) -> Path:
    write_tree(tmp_path, SMALL)
    with_graph(tmp_path)
    return tmp_path


@pytest.mark.parametrize("step", ["Discovered", "Extracted", "Linking", "Writing", "publish"])
def test_a_killed_build_leaves_the_old_graph(built: Path, step: str) -> None:
    old = (built / ".mubase").read_bytes()
    (built / "app/new.py").write_text("def added():\n    pass\n")
    killed = subprocess.run([sys.executable, "-c", KILLED_AT, str(built), step], check=False)
    assert killed.returncode == -9
    assert (built / ".mubase").read_bytes() == old
    assert mu_process("kernel", "stats", cwd=built).returncode == 0


def test_the_next_build_removes_what_a_killed_one_left(built: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED_AT, str(built), "publish"], check=False)
    left = [path.name for path in built.glob(".mubase.*.tmp")]
    assert len(left) == 1
    keep = built / ".mubase.mine.tmp"
    keep.touch()
    with_graph(built)
    assert [path.name for path in built.glob(".mubase.*")] == [keep.name]


@pytest.fixture
def first_build(built: Path) -> Iterator[subprocess.Popen[str]]:
    """A build that holds the lock until its input ends."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(built)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "building\n"
        yield process


def test_a_second_build_waits_for_the_first(
    built: Path, first_build: subprocess.Popen[str]
) -> None:
    waited: list[Event] = []

    def on_event(event: Event) -> None:
        if isinstance(event, Waiting):
            waited.append(event)
            first_build.communicate()

    report = build(built, BuildSettings(lock_wait=60), on_event=on_event)
    assert waited == [Waiting(60)]
    assert first_build.returncode == 0
    assert report.indexed == 4
    assert list(built.glob(".mubase.*")) == []


def test_a_second_build_is_told_when_the_first_does_not_end(
    built: Path, first_build: subprocess.Popen[str]
) -> None:
    old = (built / ".mubase").read_bytes()
    with pytest.raises(BusyError) as caught:
        build(built, BuildSettings(lock_wait=0))
    first_build.kill()
    assert caught.value.code is ExitCode.BUSY
    assert (built / ".mubase").read_bytes() == old


def test_readers_of_the_old_graph_do_not_stop_a_build(built: Path) -> None:
    with open_graph(built / ".mubase") as graph:
        before = graph.meta()["built_at"]
        assert mu_process("kernel", "build", ".", "--full", cwd=built).returncode == 0
        assert graph.meta()["built_at"] == before
    with open_graph(built / ".mubase") as graph:
        assert graph.meta()["built_at"] != before
