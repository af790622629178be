"""A workspace that follows its folder gives every asker one graph from beginning to end."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import psutil

from fakes.built import built_tree, with_graph
from mu.operations.graph_file.live_workspace import LiveWorkspace
from mu.operations.queries.query import query

COUNT = "SELECT count(*) AS n FROM functions"


def test_who_was_lent_a_graph_keeps_it_when_a_new_one_comes(tmp_path: Path) -> None:
    built_tree(tmp_path, {"a.py": "def one():\n    pass\n"}).close()
    with LiveWorkspace(tmp_path) as live:
        before = live.lend_as_it_is()
        assert query(before, COUNT).answer.rows == ((1,),)
        kept = before.graph

        (tmp_path / "b.py").write_text("def two():\n    pass\n")
        (tmp_path / ".mubase").unlink()
        with_graph(tmp_path)
        after = live.lend_as_it_is()

        assert query(after, COUNT).answer.rows == ((2,),)
        assert before.graph is kept
        assert query(before, COUNT).answer.rows == ((1,),)


def test_the_build_after_one_stands_by_and_ends_with_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def one():\n    pass\n")
    with LiveWorkspace(tmp_path) as live:
        assert query(live.lend(), COUNT).answer.rows == ((1,),)
        wait_for_end(live)
        first = standing_by(tmp_path)
        assert len(first) == 1

        (tmp_path / "b.py").write_text("def two():\n    pass\n")
        assert query(live.lend(wait=60), COUNT).answer.rows == ((2,),)
        wait_for_end(live)
        assert first.isdisjoint(standing_by(tmp_path))

        for process in standing_by(tmp_path):  # killed, as by a system that is short of memory
            os.kill(process, signal.SIGKILL)
            while psutil.Process(process).status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.01)
        (tmp_path / "c.py").write_text("def three():\n    pass\n")
        assert query(live.lend(wait=60), COUNT).answer.rows == ((3,),)
    assert standing_by(tmp_path) == set()


def wait_for_end(live: LiveWorkspace) -> None:
    """Wait until no build runs: its graph is there before it has ended."""
    while live.is_building:
        time.sleep(0.01)


def standing_by(folder: Path) -> set[int]:
    """Give the processes of builds of a folder that run."""
    found = set()
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if str(folder) in child.cmdline() and child.status() != psutil.STATUS_ZOMBIE:
                found.add(child.pid)
    return found
