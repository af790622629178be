"""What `mu` gives when it runs in the process of the tests is what a process of its own gives."""

import re
from pathlib import Path

import pytest

from e2e.command import SMALL, mu, mu_process, write_tree
from fakes.built import with_graph

SAME = {
    "help": ("--help",),
    "version": ("--version",),
    "no command": (),
    "help of a command": ("kernel", "build", "--help"),
    "wrong usage": ("deps",),
    "unknown command": ("dpes",),
    "table": ("callers", "login"),
    "query as CSV": ("query", "SELECT name FROM functions ORDER BY 1", "--format", "csv"),
    "refused query": ("query", "DROP TABLE nodes"),
    "unknown node": ("callers", "nobody"),
    "status": ("kernel", "status"),
    "settings": ("config",),
    "nothing to build anew": ("kernel", "build"),
    "another folder": ("-C", "app", "search", "login"),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_graph(write_tree(tmp_path_factory.mktemp("tree"), SMALL))


def untimed(text: str) -> str:
    return re.sub(r"\d+\.\d s$", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("arguments", SAME.values(), ids=SAME)
def test_status_and_both_streams_are_the_same(tree: Path, arguments: tuple[str, ...]) -> None:
    inside, outside = mu(*arguments, cwd=tree), mu_process(*arguments, cwd=tree)

    assert inside.returncode == outside.returncode
    assert untimed(inside.stdout) == untimed(outside.stdout)
    assert inside.stderr == outside.stderr


def test_without_a_graph_both_fail_alike(tmp_path: Path) -> None:
    inside, outside = mu("cycles", cwd=tmp_path), mu_process("cycles", cwd=tmp_path)

    assert (inside.returncode, inside.stderr) == (outside.returncode, outside.stderr)
    assert inside.returncode == 3
