"""The first minute: `mu` alone, a mistyped command, shell completion."""

from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from fakes.built import with_graph

SOURCE = {
    "shop/__init__.py": "",
    "shop/web.py": (
        "from flask import Flask\n\nfrom shop.store import find\n\napp = Flask(__name__)\n\n\n"
        '@app.route("/item/<key>")\ndef item(key):\n    return find(key)\n\n\n'
        '@app.get("/all")\ndef every():\n    return [find(k) for k in "ab"]\n'
    ),
    "shop/store.py": "def find(key):\n    return key\n",
    "tests/test_store.py": "from shop.store import find\n\n\ndef test_find():\n    find(1)\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_graph(write_tree(tmp_path_factory.mktemp("shop"), SOURCE))


def test_mu_alone_shows_the_repository_on_one_screen(shop: Path) -> None:
    shown = mu(cwd=shop)
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert len(lines) <= 25
    assert "files" in lines[0]
    assert lines[1:4] == [
        "Entry points",
        "  route GET /item/<key>  shop/web.py:8",
        "  route GET /all  shop/web.py:13",
    ]
    assert "  find  shop/store.py:1  used by 3" in lines
    assert not any("tests/" in line for line in lines)


def test_mu_alone_says_what_to_do_where_there_is_no_graph(tmp_path: Path) -> None:
    shown = mu(cwd=tmp_path)
    assert shown.returncode == 0
    assert "mu kernel build" in shown.stdout


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("calers", "callers"),
        ("ask", "mu agent ask"),
        ("buid", "mu kernel build"),
        ("implementations", "subclasses"),
    ],
)
def test_a_mistyped_command_is_told_the_one_that_was_meant(
    tmp_path: Path, typed: str, meant: str
) -> None:
    shown = mu(typed, "find", cwd=tmp_path)
    assert shown.returncode == 2
    assert shown.stderr.splitlines()[0] == (
        f"error: no command is called `{typed}`, did you mean `{meant}`?"
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str, tmp_path: Path) -> None:
    shown = mu("completion", shell, cwd=tmp_path)
    assert shown.returncode == 0
    assert "_MU_COMPLETE" in shown.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [("mu calle", ["callers", "callees"]), ("mu callers fi", ["find"]), ("mu callers zz", [])],
)
def test_commands_and_names_are_completed(shop: Path, words: str, offered: list[str]) -> None:
    count = len(words.split()) - 1
    shown = mu(cwd=shop, COMP_WORDS=words, COMP_CWORD=str(count), _MU_COMPLETE="bash_complete")
    assert [line.partition(",")[2] for line in shown.stdout.split()] == offered


def test_names_are_not_completed_where_there_is_no_graph(tmp_path: Path) -> None:
    asked = {"COMP_WORDS": "mu callers fi", "COMP_CWORD": "2", "_MU_COMPLETE": "bash_complete"}
    assert mu(cwd=tmp_path, **asked).stdout.strip() == ""
