"""What workers answer, in any order, is collected in one order."""

import os
from collections.abc import Generator, Iterable
from pathlib import Path

import msgspec
import pytest

from mu.kernel.extraction import file_extraction
from mu.kernel.extraction.collected_facts import CollectedFacts
from mu.kernel.inputs.source_listing import list_sources
from mu.kernel.workers.pool import Outcome, WorkerPool
from mu.kernel.workers.worker_process import Task
from mu.source import WalkOptions
from mu.syntax import load_manifests

NAMES = ("a.py", "b.py", "c.py", "d.py", "e.py")


class PoolInOrder(WorkerPool):
    """Does the tasks in this process and answers them in the order of `keys`."""

    def __init__(self, root: Path, keys: tuple[int, ...]) -> None:
        configuration = file_extraction.Configuration(os.fsencode(root), 1_000)
        self._work = file_extraction.set_up(msgspec.msgpack.encode(configuration))
        self._keys = keys

    def run(self, tasks: Iterable[Task]) -> Generator[Outcome]:
        by_key = {task.key: task for task in tasks}
        for key in self._keys:
            yield Outcome(key, self._work(by_key[key].payload), "", is_lost=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).write_text(f"def f():\n    return '{name}'\n")
    (tmp_path / "b.py").write_bytes(b"\0")
    (tmp_path / "d.py").write_bytes(b"\0")
    return tmp_path


def collect(root: Path, keys: tuple[int, ...]) -> CollectedFacts:
    manifests = load_manifests()
    collection = CollectedFacts(list_sources(root, WalkOptions(), manifests=manifests))
    collection.fill(PoolInOrder(root, keys), lambda _: None)
    return collection


@pytest.mark.parametrize("keys", [(0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (2, 4, 0, 3, 1)])
def test_the_order_of_answers_does_not_show(tree: Path, keys: tuple[int, ...]) -> None:
    collection = collect(tree, keys)
    assert list(collection.facts) == [0, 2, 4]
    assert [skip.path for skip in collection.skipped] == ["b.py", "d.py"]
    assert [file.path for file in collection.files()] == list(NAMES)
    assert [file.status for file in collection.files()] == [
        "indexed", "skipped", "indexed", "skipped", "indexed",
    ]  # fmt: skip


def test_the_file_that_is_recorded_is_the_one_that_was_parsed(tree: Path) -> None:
    listed = CollectedFacts(list_sources(tree, WalkOptions(), manifests=load_manifests()))
    (tree / "a.py").write_text("x = 1\n")
    listed.fill(PoolInOrder(tree, (0, 1, 2, 3, 4)), lambda _: None)
    assert (listed.files()[0].bytes, listed.files()[0].lines) == (6, 1)
    assert listed.facts[0].definitions == ()


def test_a_file_that_vanished_after_the_walk_is_skipped(tree: Path) -> None:
    listed = CollectedFacts(list_sources(tree, WalkOptions(), manifests=load_manifests()))
    (tree / "c.py").unlink()
    listed.fill(PoolInOrder(tree, (0, 1, 2, 3, 4)), lambda _: None)
    row = listed.files()[2]
    assert (row.path, row.status, row.reason) == ("c.py", "skipped", "vanished")
