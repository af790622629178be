"""Which commit took something out, found in real histories."""

from pathlib import Path

import pytest

from fakes.git_history import History
from mu.source.git.removal_history import Losses, find_losses


def headings(path: str, data: bytes) -> frozenset[str]:
    lines = data.decode().splitlines()
    return frozenset(line[2:].lower() for line in lines if line.startswith("# "))


def losses(root: Path, *paths: str, seconds: float = 60, **more: object) -> Losses:
    found = find_losses(root, paths, headings=headings, seconds=seconds, **more)  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path)


def test_the_commit_that_removed_a_file_is_told(tmp_path: Path, history: History) -> None:
    history.commit("Begin", {"a.md": "a", "docs/b.md": "b"})
    wanted = history.commit("Drop b\n\nIt was old.", {"a.md": "a"})
    history.commit("Go on", {"a.md": "more"})

    found = losses(tmp_path, "docs/b.md", "never.md", "a.md")

    (commit,) = found.paths.values()
    assert (commit.id, commit.date, commit.summary) == (wanted, "1970-01-03", "Drop b")
    assert found.present == {"a.md"}
    assert found.is_whole


def test_of_several_removals_the_last_counts(tmp_path: Path, history: History) -> None:
    for number in range(3):
        history.commit(f"Add {number}", {"a.md": "a", "b.md": "b"})
        last = history.commit(f"Remove {number}", {"a.md": "a"})

    assert losses(tmp_path, "b.md").paths["b.md"].id == last


def test_a_rename_is_a_removal_of_the_old_name(tmp_path: Path, history: History) -> None:
    history.commit("Begin", {"old/page.md": "text"})
    wanted = history.commit("Rename", {"new/page.md": "text"})

    assert losses(tmp_path, "old/page.md").paths["old/page.md"].id == wanted


def test_a_merge_is_not_blamed_for_what_went_on_a_branch(tmp_path: Path, history: History) -> None:
    history.commit("Begin", {"a.md": "a", "b.md": "b"})
    wanted = history.commit("Drop b", {"a.md": "a"}, after=["Begin"])
    history.commit("Aside", {"a.md": "a", "b.md": "b", "c.md": "c"}, after=["Begin"])
    history.commit("Merge", {"a.md": "a", "c.md": "c"}, after=["Aside", "Drop b"])

    assert losses(tmp_path, "b.md").paths["b.md"].id == wanted


def test_a_merge_that_drops_what_both_sides_have_is_the_one(
    tmp_path: Path, history: History
) -> None:
    history.commit("Begin", {"a.md": "a", "b.md": "b"})
    history.commit("One", {"a.md": "1", "b.md": "b"}, after=["Begin"])
    history.commit("Two", {"a.md": "2", "b.md": "b"}, after=["Begin"])
    wanted = history.commit("Merge", {"a.md": "3"}, after=["One", "Two"])

    assert losses(tmp_path, "b.md").paths["b.md"].id == wanted


def test_a_heading_is_lost_while_its_page_stays(tmp_path: Path, history: History) -> None:
    history.commit("Begin", {"a.md": "# One\n# Two\n"})
    wanted = history.commit("Shorten", {"a.md": "# One\n"})
    history.commit("Go on", {"a.md": "# One\nmore\n"})

    anchors = [("a.md", "two"), ("a.md", "one"), ("a.md", "never")]
    found = losses(tmp_path, anchors=anchors)

    assert {spot: commit.id for spot, commit in found.anchors.items()} == {("a.md", "two"): wanted}
    assert found.present == {("a.md", "one")}


DEFINITIONS = {
    "python": ("a.py", "class Card:\n    def pay(self):\n        return pay2\n", "pay"),
    "class": ("a.py", "class Card(Base):\n    pass\n", "Card"),
    "constant": ("a.py", "LIMIT: int = 3\n", "LIMIT"),
    "go": ("a.go", "func (c *Card) Pay(n int) error {\n}\n", "Pay"),
    "rust": ("a.rs", "    pub fn pay(&self) {}\n", "pay"),
    "typescript": ("a.ts", "export const pay = () => 1;\n", "pay"),
    "java": ("A.java", "    public static void pay(int n) {\n", "pay"),
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_definition_is_lost_by_the_commit_that_took_it_out(
    tmp_path: Path, history: History, name: str
) -> None:
    path, text, identifier = DEFINITIONS[name]
    history.commit("Begin", {path: f"x = 1\n{text}"})
    wanted = history.commit("Take out", {path: f"x = 1\n# {identifier}(1)\n"})
    history.commit("Call", {path: f"x = 1\n{identifier}(1)\nreturn {identifier}(2)\n"})

    assert losses(tmp_path, names=[identifier, "never"]).names[identifier].id == wanted


def test_a_definition_that_moved_and_then_went_is_lost_by_the_last(
    tmp_path: Path, history: History
) -> None:
    history.commit("Begin", {"a.py": "def pay(): ...\n"})
    history.commit("Move", {"b.py": "def pay(): ...\n"})
    wanted = history.commit("Drop", {"b.py": ""})

    assert losses(tmp_path, names=["pay"]).names["pay"].id == wanted


def test_a_folder_of_a_repository_has_its_history(tmp_path: Path, history: History) -> None:
    history.commit("Begin", {"part/docs/a.md": "a", "docs/a.md": "a"})
    wanted = history.commit("Drop", {"docs/a.md": "a"})
    (tmp_path / "part").mkdir()

    assert losses(tmp_path / "part", "docs/a.md").paths["docs/a.md"].id == wanted


def test_without_time_nothing_is_found_and_that_is_told(tmp_path: Path, history: History) -> None:
    history.commit("Begin", {"a.md": "a"})
    history.commit("Drop", {})

    found = losses(tmp_path, "a.md", seconds=-1)

    assert (found.paths, found.is_whole) == ({}, False)


def test_where_there_is_no_history_none_is_read(tmp_path: Path) -> None:
    plain, unborn, broken = (tmp_path / name for name in ("plain", "unborn", "broken"))
    plain.mkdir()
    unborn.mkdir()
    History(unborn)
    (broken / ".git").mkdir(parents=True)
    (broken / ".git/HEAD").write_text("ref: refs/heads/main\n")

    for folder in (plain, unborn, broken):
        assert find_losses(folder, ["a.md"], headings=headings, seconds=1) is None


def test_a_history_with_a_missing_commit_ends_early(tmp_path: Path, history: History) -> None:
    history.commit("Begin", {"a.md": "a"})
    history.commit("Go on", {"b.md": "b"})
    name = str(history.commits["Begin"])
    (tmp_path / ".git/objects" / name[:2] / name[2:]).unlink()

    found = losses(tmp_path, "a.md")

    assert (found.paths, found.is_whole) == ({}, False)
