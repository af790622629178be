"""Who changed which file how often, found in real histories."""

from pathlib import Path

from fakes.git_history import History
from mu.source.git.authorship import Authorship, read_authorship

TEXT = "".join(f"line {number}\n" for number in range(20))


def counts(folder: Path, **more: float) -> dict[str, int]:
    return {path: n.total() for path, n in read(folder, **more).commits.items()}


def read(folder: Path, seconds: float = 60) -> Authorship:
    found = read_authorship(folder, seconds=seconds)
    assert found is not None
    return found


def test_a_file_takes_its_history_along_when_it_is_renamed_and_edited(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.commit("Begin", {"a.py": TEXT, "b.py": "b\n"})
    history.commit("Edit", {"a.py": f"{TEXT}more\n", "b.py": "b\n"})
    history.commit("Move", {"lib/a.py": f"{TEXT}most\n", "b.py": "b\n"})
    history.commit("Move again", {"lib/c.py": f"{TEXT}most\n", "b.py": "b\n"})

    assert counts(tmp_path) == {"lib/c.py": 4, "b.py": 1}
    assert read(tmp_path).commits["b.py"] == {"Ann": 1}


def test_a_merge_counts_for_no_file(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.commit("Begin", {"a.py": "1"})
    history.commit("Left", {"a.py": "2"})
    history.switch("side")
    history.commit("Right", {"a.py": "1", "b.py": "1"}, after=["Begin"])
    history.commit("Join", {"a.py": "2", "b.py": "1"}, after=["Left", "Right"])

    assert counts(tmp_path) == {"a.py": 2, "b.py": 1}


def test_names_are_those_of_the_mailmap(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.commit("Begin", {"a.py": "1", ".mailmap": "Anna B <ann@example.org>\n"})
    (tmp_path / "names").write_text("Nobody <ann@example.org>\n")
    history.repository.config["mailmap.file"] = str(tmp_path / "names")

    assert read(tmp_path).commits["a.py"] == {"Anna B": 1}


def test_a_history_that_takes_too_long_says_how_far_it_was_read(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.commit("Begin", {"a.py": "1"})
    history.commit("Change", {"a.py": "2"})

    found = read(tmp_path, seconds=-1)
    assert (found.commits, found.since) == ({}, "1970-01-03")
    assert "more than" in found.reason


def test_the_commit_where_a_shallow_clone_ends_counts_for_no_file(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.commit("Begin", {"a.py": "1", "b.py": "1"})
    history.commit("Change", {"a.py": "2", "b.py": "1"})
    history.commit("Change again", {"a.py": "3", "b.py": "1"})
    (tmp_path / ".git/shallow").write_text(f"{history.commits['Change']}\n")

    found = read(tmp_path)
    assert {path: n.total() for path, n in found.commits.items()} == {"a.py": 1}
    assert (found.since, found.reason) == ("1970-01-03", "this clone is shallow")


def test_a_folder_without_a_commit_has_no_history(tmp_path: Path) -> None:
    assert read_authorship(tmp_path, seconds=60) is None
