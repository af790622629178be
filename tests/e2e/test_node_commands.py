"""`mu describe`, `mu read` and `mu unused`, as their commands write them."""

import json
from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from fakes.built import with_graph

TREE = {
    "app/__init__.py": "",
    "app/auth.py": (
        "def login(user):\n    '''Let somebody in.\n\n    Or not.\n    '''\n"
        "    return check(user)\n\n\n"
        "def check(user, *, strict=True):\n\tif user:\n\t\treturn 'a\x1b[2J'\n\n\n"
        "def _lost():\n    pass\n"
    ),
    "main.py": "from app.auth import login\n\nlogin('a')\n",
    "tests/test_auth.py": "from app.auth import check\n\n\ndef test_check():\n    check('a')\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), TREE)
    with_graph(folder)
    return folder


def test_a_description_fits_on_a_screen(built: Path) -> None:
    result = mu("describe", "check", cwd=built)

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "fn:app/auth.py:check",
        "  public python function, app/auth.py:9-11",
        "  def check(user, *, strict=True)",
        "in         mod:app/auth.py",
        "complexity 2",
        "contains   nothing",
        "uses       nothing",
        "used by    2 calls, 1 imports; exact",
        "tests      1",
        "impact     4",
    ]


def test_a_description_shows_the_first_line_of_what_is_written(built: Path) -> None:
    lines = mu("describe", "login", cwd=built).stdout.splitlines()

    assert "  Let somebody in." in lines
    assert "  Or not." not in lines


def test_a_description_is_a_json_document_too(built: Path) -> None:
    found = json.loads(mu("describe", "check", "--json", cwd=built).stdout)

    assert found["node"]["id"] == "fn:app/auth.py:check"
    assert found["used_by"] == [{"kind": "calls", "count": 2}, {"kind": "imports", "count": 1}]
    assert (found["used_by_tests"], found["verdict"]) == (1, "exact")


def test_lines_are_numbered_and_what_acts_on_a_terminal_is_escaped(built: Path) -> None:
    result = mu("read", "check", cwd=built)

    assert result.stdout.splitlines() == [
        " 9  def check(user, *, strict=True):",
        "10  \tif user:",
        "11  \t\treturn 'a\\x1b[2J'",
    ]
    assert result.stderr == "node: fn:app/auth.py:check\n3 lines\n"


def test_lines_can_be_had_alone_and_in_pages(built: Path) -> None:
    result = mu("read", "app/auth.py:9", "--plain", "--limit", "1", cwd=built)

    assert result.stdout == "def check(user, *, strict=True):\n"
    assert result.stderr == "node: fn:app/auth.py:check\n1 of 3 lines\n" + (
        "more: mu read app/auth.py:9 --plain --limit 1 --offset 1\n"
    )


def test_lines_are_a_json_document_too(built: Path) -> None:
    found = json.loads(mu("read", "_lost", "--json", cwd=built).stdout)

    assert found["lines"] == [
        {"number": 14, "text": "def _lost():"},
        {"number": 15, "text": "    pass"},
    ]
    assert (found["total"], found["next_offset"]) == (2, None)


def test_a_file_that_changed_is_not_read(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    mu("kernel", "build", ".", cwd=tmp_path)
    (tmp_path / "app" / "auth.py").write_text("changed = 1\n")

    result = mu("read", "check", cwd=tmp_path)

    assert (result.returncode, result.stdout) == (1, "")
    assert "hint: run `mu kernel build`" in result.stderr


def test_what_is_unused_is_listed_with_the_reason(built: Path) -> None:
    result = mu("unused", "app", "--format", "csv", cwd=built)

    assert result.stdout.splitlines() == [
        "id,name,kind,path,line,lines,confidence,reason",
        "fn:app/auth.py:_lost,_lost,function,app/auth.py,14,2,high,no use in the repository",
    ]
    assert result.stderr == "1 row, exact\n"


@pytest.mark.parametrize("command", ["describe", "read", "unused"])
def test_a_node_that_is_none_is_told_as_everywhere(built: Path, command: str) -> None:
    result = mu(command, "chekc", cwd=built)

    assert (result.returncode, result.stdout) == (4, "")
    assert "error: no node is called 'chekc'\nhint: did you mean" in result.stderr
