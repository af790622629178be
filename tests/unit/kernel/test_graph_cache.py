"""Graphs of commits: the same as of a checkout, built once, kept within bounds, never half."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.git_history import History
from mu.kernel import BuildReport, BuildSettings, build, graph_cache
from mu.kernel.graph_cache import revision_graph, working_graph
from mu.kernel.report import Event, Extracted
from mu.source.git.revisions import Revisions

FIRST = {
    "app/a.py": "def one():\n    return 1\n",
    "app/b.py": "from app.a import one\n\n\ndef two():\n    return one()\n",
    "README.md": "# Shop\n\nSee `two`.\n",
    "pyproject.toml": "[project]\nname = 'shop'\n[project.scripts]\nshop = 'app.b:two'\n",
}
SECOND = {**FIRST, "app/a.py": "def one():\n    return 11\n"}


@pytest.fixture
def history(tmp_path: Path) -> History:
    made = History(tmp_path / "shop")
    made.commit("First", FIRST)
    made.commit("Second", SECOND)
    made.check_out()
    return made


Build = Callable[[str], BuildReport]


@pytest.fixture
def build_of(history: History, tmp_path: Path) -> Build:
    settings = BuildSettings(jobs=1, facts=tmp_path / "facts")

    def build_one(name: str) -> BuildReport:
        revision = Revisions(history.folder).find(name)
        return revision_graph(revision, settings, folder=tmp_path / "graphs").report

    return build_one


def test_the_graph_of_a_commit_is_that_of_its_checkout(history: History, build_of: Build) -> None:
    ours = build(history.folder, BuildSettings(jobs=1))

    assert build_of("HEAD").digest == ours.digest
    assert build_of("HEAD~1").digest != ours.digest


def test_the_working_tree_is_neither_read_nor_written(history: History, build_of: Build) -> None:
    before = build_of("HEAD").digest
    (history.folder / "app/a.py").write_text("changed = 1\n")
    seen = {path: path.stat().st_mtime_ns for path in history.folder.rglob("*")}

    assert build_of("HEAD").digest == before
    assert {path: path.stat().st_mtime_ns for path in history.folder.rglob("*")} == seen


def test_a_commit_is_built_once_and_so_is_another_of_the_same_files(
    history: History, build_of: Build, tmp_path: Path
) -> None:
    first = build_of("HEAD~1")
    history.commit("Back", FIRST)

    again = build_of("HEAD")

    assert (first.is_unchanged, again.is_unchanged) == (False, True)
    assert again.digest == first.digest
    assert len(list((tmp_path / "graphs").iterdir())) == 1


def test_only_files_that_were_never_seen_are_parsed(build_of: Build, tmp_path: Path) -> None:
    build_of("HEAD~1")
    kept = {path for path in (tmp_path / "facts").rglob("*") if path.is_file()}

    build_of("HEAD")

    new = {path for path in (tmp_path / "facts").rglob("*") if path.is_file()} - kept
    assert len([path for path in new if "python-" in str(path)]) == 1


@pytest.mark.parametrize("harm", ["cut", "empty", "foreign"])
def test_a_damaged_graph_is_built_again(build_of: Build, tmp_path: Path, harm: str) -> None:
    whole = build_of("HEAD")
    (kept,) = (tmp_path / "graphs").iterdir()
    data = kept.read_bytes()
    kept.write_bytes({"cut": data[: len(data) // 2], "empty": b"", "foreign": b"x" * 9000}[harm])

    again = build_of("HEAD")

    assert (again.is_unchanged, again.digest) == (False, whole.digest)


def test_those_used_last_are_kept(
    history: History, build_of: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_cache, "_MOST_GRAPHS", 2)
    folder = tmp_path / "graphs"
    build_of("HEAD~1")
    (old,) = folder.iterdir()
    os.utime(old, (1, 1))
    abandoned = folder / ".mubase.0123456789abcdef.tmp"
    abandoned.write_text("")
    os.utime(abandoned, (1, 1))
    build_of("HEAD")
    assert not abandoned.exists()
    history.commit("Third", {"c.py": "c = 1\n"})

    build_of("HEAD")

    assert len(list(folder.iterdir())) == 2
    assert not old.exists()


def test_the_working_tree_has_a_graph_without_writing_into_it(
    history: History, tmp_path: Path
) -> None:
    settings = BuildSettings(jobs=1, facts=tmp_path / "facts")
    folder = tmp_path / "graphs"
    (history.folder / "app/c.py").write_text("three = 3\n")

    made = working_graph(history.folder, settings, folder=folder)
    again = working_graph(history.folder, settings, folder=folder)

    assert made.path.parent == folder
    assert not (history.folder / ".mubase").exists()
    assert again.report.is_unchanged
    ours = build(history.folder, settings)
    assert (made.report.digest, made.report.indexed) == (ours.digest, ours.indexed)
    assert working_graph(history.folder, settings, folder=folder).path.name == ".mubase"
    (history.folder / "app/c.py").write_text("three = 4\n")
    assert working_graph(history.folder, settings, folder=folder).path.parent == folder


def test_progress_counts_the_files_of_the_commit(history: History, tmp_path: Path) -> None:
    events: list[Event] = []

    revision_graph(
        Revisions(history.folder).find("HEAD"),
        BuildSettings(jobs=1),
        folder=tmp_path / "graphs",
        on_event=events.append,
    )

    assert [event.files for event in events if isinstance(event, Extracted)] == [3, 3, 3]
