"""Answers of real processes say what changed since the graph was built."""

import json
import os
import shutil
from pathlib import Path

import pytest

from e2e.command import SMALL, mu, write_tree
from fakes.built import with_graph

CHANGED = (
    "1 file changed since the graph was built: app/views.py; `mu kernel build` brings it up to"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = write_tree(tmp_path_factory.mktemp("tree"), {**SMALL, "notes.md": "# Notes\n"})
    return with_graph(tree)


@pytest.fixture
def tree(built: Path, tmp_path: Path) -> Path:
    """A copy in which all files are newer than the graph."""
    return Path(shutil.copytree(built, tmp_path / "copy"))


def edit(tree: Path, path: str = "app/views.py", text: str = "def page(user): pass\n") -> None:
    with (tree / path).open("a") as file:
        file.write(text)


def test_a_graph_of_the_folder_as_it_is_has_nothing_to_tell(built: Path) -> None:
    told = mu("callers", "login", cwd=built).stderr
    assert "2 rows, exact" in told
    assert "note:" not in told


def test_a_copy_with_other_times_has_not_changed(tree: Path) -> None:
    for path in tree.rglob("*.py"):
        path.touch()
    told = mu("callers", "login", cwd=tree).stderr
    assert "2 rows, exact" in told
    assert "note:" not in told


def test_a_page_that_was_left_out_has_not_changed_right_after_the_build(tree: Path) -> None:
    (tree / "mail.txt").write_text("Dear reader,\n\nthere is no heading in here.\n")
    assert "1 without a heading" in mu("kernel", "build", cwd=tree).stdout
    assert "changes  none" in mu("kernel", "status", cwd=tree).stdout
    assert "is up to date" in mu("kernel", "build", cwd=tree).stdout
    edit(tree, "mail.txt", "\nHeading\n=======\n")
    assert "changed mail.txt" in mu("kernel", "status", cwd=tree).stdout


def test_an_edit_that_keeps_size_and_time_is_found_right_after_the_build(tree: Path) -> None:
    place = tree / "app/views.py"
    assert mu("kernel", "build", "--full", cwd=tree).returncode == 0
    before = place.stat()
    place.write_text(place.read_text().replace("login", "logon"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert place.stat().st_size == before.st_size
    assert "changed app/views.py" in mu("kernel", "status", cwd=tree).stdout
    assert CHANGED in mu("callers", "login", cwd=tree).stderr
    assert "1 file changed" in mu("kernel", "build", cwd=tree).stdout


def test_an_answer_says_what_changed_and_is_not_exact(tree: Path) -> None:
    edit(tree)
    told = mu("callers", "login", cwd=tree).stderr
    assert "2 rows, unknown" in told
    assert f"note: {CHANGED} date" in told


def test_added_and_removed_files_are_told(tree: Path) -> None:
    (tree / "tests/test_auth.py").unlink()
    (tree / "app/more.py").write_text("from app.auth import login\nlogin(1)\n")
    told = mu("callers", "login", cwd=tree).stderr
    assert "note: 1 file added, 1 removed since the graph was built: app/more.py, tests/" in told


@pytest.mark.parametrize(
    "command",
    [
        ("callers", "login", "--json"),
        ("path", "page", "check", "--json"),
        ("cycles", "--json"),
        ("search", "login", "--json"),
        ("unused", "--json"),
        ("query", "SELECT name FROM functions", "--json"),
        ("query", "SHOW callers OF login", "--json"),
        ("describe", "login", "--json"),
        ("why", "page", "login", "--json"),
    ],
)
def test_json_has_the_note_and_the_verdict(tree: Path, command: tuple[str, ...]) -> None:
    edit(tree)
    answer = json.loads(mu(*command, cwd=tree).stdout)
    assert answer["verdict"] == "unknown"
    assert answer["notes"][0].startswith(CHANGED)


@pytest.mark.parametrize("command", [("context", "login"), ("pack",), ("compress",)])
def test_what_is_read_by_models_has_the_note_beside_it(
    tree: Path, command: tuple[str, ...]
) -> None:
    edit(tree)
    assert f"note: {CHANGED}" in mu(*command, cwd=tree).stderr


def test_csv_has_the_note_on_standard_error(tree: Path) -> None:
    edit(tree)
    done = mu("callers", "login", "--format", "csv", cwd=tree)
    assert CHANGED in done.stderr
    assert CHANGED not in done.stdout


def test_the_agent_tells_it(tree: Path) -> None:
    edit(tree)
    done = mu("agent", "ask", "who calls login?", "--provider", "offline", "--json", cwd=tree)
    assert any(note.startswith(CHANGED) for note in json.loads(done.stdout)["notes"])


def test_a_page_matters_to_what_is_asked_of_pages(tree: Path) -> None:
    edit(tree, "notes.md", "More.\n")
    callers = json.loads(mu("callers", "login", "--json", cwd=tree).stdout)
    found = json.loads(mu("search", "notes", "--json", cwd=tree).stdout)
    assert callers["verdict"] == "exact"
    assert found["verdict"] == "unknown"
    assert "notes.md" in callers["notes"][0]


def test_a_node_that_is_new_is_not_found_and_that_is_explained(tree: Path) -> None:
    edit(tree, text="def brand_new(): pass\n")
    done = mu("callers", "brand_new", cwd=tree)
    assert done.returncode == 4
    assert CHANGED in done.stderr


def test_building_again_brings_it_up_to_date(tree: Path) -> None:
    edit(tree)
    assert mu("kernel", "build", cwd=tree).returncode == 0
    assert "exact" in mu("callers", "login", cwd=tree).stderr


def test_building_again_from_a_folder_below_makes_no_second_graph(tree: Path) -> None:
    edit(tree)
    assert mu("kernel", "build", cwd=tree / "app").returncode == 0
    assert not (tree / "app/.mubase").exists()
    assert "exact" in mu("callers", "login", cwd=tree).stderr
