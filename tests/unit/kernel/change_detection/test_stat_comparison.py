"""A look at a folder since its graph was built: what it sees, and what it lets pass."""

import os
import time
from pathlib import Path

import pytest

from mu.kernel.change_detection.file_changes import Changes, confirm_changes
from mu.kernel.change_detection.stat_comparison import StatDifferences, StatFile, compare_stats
from mu.source import WalkOptions, read_source

MOST = 1_000
LATER = 60 * 10**9
"""Nanoseconds that let what is on disk now be older than the build."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for path in ("a.py", "app/b.py", "app/deep/c.py", "vendor.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"name = '{path}'\n")
    return tmp_path


def known(root: Path) -> list[StatFile]:
    paths = sorted(root.rglob("*.py"))
    return [(path.relative_to(root).as_posix(), path.stat().st_size, True) for path in paths]


def changes(root: Path, rows: list[StatFile], *, since: int, ignored: str = "") -> Changes:
    """What is found when digests are those of the files named after their own path."""
    if ignored:
        (root / ".gitignore").write_text(ignored)
    seen = compare_stats(root, rows, since=since, most=MOST)
    original = {path: f"name = '{path}'\n" for path in seen.touched}
    digests = {path: digest_of(root, text) for path, text in original.items()}
    return confirm_changes(root, seen, digests=digests, options=WalkOptions())


def digest_of(root: Path, text: str) -> str:
    spare = root.parent / "spare.py"
    spare.write_text(text)
    return read_source(root.parent, "spare.py", max_file_size=1_000).digest


def test_a_folder_that_nothing_touched_looks_as_it_did(tree: Path) -> None:
    assert (
        compare_stats(tree, known(tree), since=time.time_ns() + LATER, most=MOST)
        == StatDifferences()
    )


def test_files_that_were_only_touched_have_not_changed(tree: Path) -> None:
    rows = known(tree)
    for path in tree.rglob("*.py"):
        path.touch()
    seen = compare_stats(tree, rows, since=0, most=MOST)
    assert seen.touched == ("a.py", "app/b.py", "app/deep/c.py", "vendor.py")
    assert changes(tree, rows, since=0) == Changes((), (), ())


def test_changed_added_and_removed_files_are_told_apart(tree: Path) -> None:
    rows = known(tree)
    (tree / "a.py").write_text("name = 'z.py'\n")
    (tree / "app/b.py").write_text("")
    (tree / "vendor.py").unlink()
    (tree / "app/deep/new.py").write_text("")
    found = changes(tree, rows, since=0)
    assert found == Changes(("a.py", "app/b.py"), ("app/deep/new.py",), ("vendor.py",))


def test_what_came_in_a_new_folder_is_found(tree: Path) -> None:
    rows = known(tree)
    (tree / "app/fresh/inner").mkdir(parents=True)
    (tree / "app/fresh/inner/d.py").write_text("")
    assert changes(tree, rows, since=0).added == ("app/fresh/inner/d.py",)


def test_what_is_ignored_or_no_source_was_not_added(tree: Path) -> None:
    rows = known(tree)
    (tree / "out").mkdir()
    (tree / "out/made.py").write_text("")
    (tree / "app/made.py").write_text("")
    (tree / "app/data.bin").write_text("")
    (tree / "app/__pycache__").mkdir()
    assert changes(tree, rows, since=0, ignored="out/\nmade.py\n").added == ()


def test_what_was_left_out_of_the_graph_is_not_asked_for(tree: Path) -> None:
    rows: list[StatFile] = [row for row in known(tree) if row[0] != "vendor.py"]
    rows += [("vendor.py", 0, False), ("gone.py", 0, False), ("skipped/", 0, False)]
    (tree / "skipped").mkdir()
    seen = compare_stats(tree, rows, since=0, most=MOST)
    assert (seen.resized, seen.removed, seen.arrived) == ((), (), ())


def test_times_may_lag_a_tick_behind(tree: Path) -> None:
    rows = known(tree)
    now = (tree / "a.py").stat().st_ctime_ns
    seen = compare_stats(tree, rows, since=now + 10_000_000_000, most=MOST)
    assert seen.touched == ()
    seen = compare_stats(tree, rows, since=now + 1_000_000, most=MOST)
    assert "a.py" in seen.touched


def test_no_more_is_looked_at_than_asked(tree: Path) -> None:
    rows = known(tree)
    for path in tree.rglob("*.py"):
        path.unlink()
    seen = compare_stats(tree, rows, since=0, most=5)
    assert (len(seen.removed), seen.unseen) == (2, 2)


def test_a_file_reached_by_a_link_has_changed_and_is_not_read(tree: Path) -> None:
    rows = known(tree)
    outside = tree.parent / f"{tree.name}-outside"
    (tree / "app").rename(outside)
    (tree / "app").symlink_to(outside)
    assert changes(tree, rows, since=0).changed == ("app/b.py", "app/deep/c.py")


def test_a_file_that_became_a_link_has_changed(tree: Path) -> None:
    rows = known(tree)
    (tree / "a.py").unlink()
    (tree / "a.py").symlink_to("vendor.py")
    assert compare_stats(tree, rows, since=0, most=MOST).resized == ("a.py",)


def test_names_that_are_not_utf_8_are_found(tree: Path) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    (tree / name).write_text("")
    rows = [*known(tree)[:0], ("caf\\xe9.py", 0, True)]
    seen = compare_stats(tree, rows, since=time.time_ns() + LATER, most=MOST)
    assert seen == StatDifferences()
