"""`mu query --with NAME=FILE`: rows of a file beside the graph."""

from pathlib import Path

import pytest

from e2e.command import SMALL, mu, write_tree
from fakes.built import with_graph

JOINED = (
    "SELECT f.name, c.covered FROM functions f JOIN coverage c ON f.path = c.path"
    " WHERE c.covered < 0.6 ORDER BY f.name"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    with_graph(folder)
    (folder / "cov.csv").write_text("path,covered\napp/auth.py,0.5\napp/views.py,0.9\n")
    return folder


def test_a_select_joins_a_file_to_the_graph(built: Path) -> None:
    result = mu("query", "--with", "coverage=cov.csv", JOINED, "--format", "csv", cwd=built)

    assert result.stdout.splitlines() == ["name,covered", "check,0.5", "login,0.5"]
    assert result.stderr == "2 rows, exact\n"


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--with", "cov.csv", JOINED], "--with takes NAME=FILE, and not cov.csv"),
        (["--with", "functions=cov.csv", JOINED], "a table cannot be called `functions`"),
        (["--with", "Coverage=cov.csv", JOINED], "a table cannot be called `Coverage`"),
        (["--with", "coverage=none.csv", JOINED], "none.csv is not a file"),
        (["--with", "coverage=cov.csv", "SELECT x FROM coverage"], "unknown column `x`"),
        (["--with", "coverage=cov.csv", "FROM read_csv('cov.csv')"], "unknown table function"),
        ([JOINED], "unknown relation `coverage`"),
    ],
)
def test_a_mistake_with_a_file_is_told(built: Path, arguments: list[str], what: str) -> None:
    result = mu("query", *arguments, cwd=built)

    assert (result.returncode, result.stdout) == (2, "")
    assert what in result.stderr
    assert "hint: " in result.stderr
