"""A build on standby does what its standard input says, and nothing before."""

import subprocess
import sys
from pathlib import Path

import pytest

from fakes.built import built_tree

GRAPH = ".mubase"


@pytest.mark.parametrize("orders", ["build\n", "prepare\nbuild\n"])
def test_it_updates_the_graph_when_it_is_told_to(tmp_path: Path, orders: str) -> None:
    built_tree(tmp_path, {"a.py": "def one():\n    pass\n"}).close()
    (tmp_path / "a.py").write_text("def two():\n    pass\n")
    before = (tmp_path / GRAPH).stat().st_ino

    done = stand_by(tmp_path, orders)

    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / GRAPH).stat().st_ino != before


def test_it_builds_where_there_was_no_graph_to_prepare_for(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def one():\n    pass\n")

    assert stand_by(tmp_path, "prepare\nbuild\n").returncode == 0

    assert (tmp_path / GRAPH).is_file()


@pytest.mark.parametrize("orders", ["", "prepare\n", "prepare\nbuil"])
def test_it_ends_without_a_build_when_its_input_ends(tmp_path: Path, orders: str) -> None:
    built_tree(tmp_path, {"a.py": "def one():\n    pass\n"}).close()
    (tmp_path / "a.py").write_text("def two():\n    pass\n")
    before = (tmp_path / GRAPH).stat().st_ino

    done = stand_by(tmp_path, orders)

    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / GRAPH).stat().st_ino == before


def stand_by(root: Path, orders: str) -> "subprocess.CompletedProcess[str]":
    """Have one stand by for a folder, and end when it has read some orders."""
    module = [sys.executable, "-P", "-m", "mu.cli.standby_build"]
    command = [*module, "-C", str(root), "kernel", "build", "."]
    return subprocess.run(command, input=orders, capture_output=True, text=True, check=False)
