"""What changed since a build: sizes, change times and digests decide, nothing is parsed."""

import os
from hashlib import blake2b
from pathlib import Path

import pytest

from mu.kernel.change_detection.file_changes import Changes, KnownFile, find_changes
from mu.source import WalkOptions

SLACK = 2 * 10**9
TICK = 50 * 10**6
FUTURE = 10 * 365 * 24 * 3600 * 10**9


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(f"name = '{name}'\n")
    return tmp_path


def known(root: Path) -> list[KnownFile]:
    rows = []
    for path in sorted(root.glob("*.py")):
        data = path.read_bytes()
        digest = blake2b(data, digest_size=16).hexdigest()
        rows.append(KnownFile(path.name, len(data), digest))
    return rows


def changes(root: Path, rows: list[KnownFile], *, built_at: int = 0) -> Changes:
    return find_changes(root, rows, options=WalkOptions(), built_at=built_at)


def test_an_untouched_tree_has_no_changes(tree: Path) -> None:
    assert changes(tree, known(tree)) == Changes((), (), ())


def test_changed_added_and_removed_files_are_told_apart(tree: Path) -> None:
    rows = known(tree)
    (tree / "a.py").write_text("name = 'z.py'\n")
    (tree / "b.py").unlink()
    (tree / "d.py").write_text("")
    found = changes(tree, rows)
    assert found == Changes(("a.py",), ("d.py",), ("b.py",))
    assert found.total == 3


def test_a_file_older_than_the_build_is_not_read(tree: Path) -> None:
    rows = known(tree)
    (tree / "a.py").write_text("name = 'z.py'\n")
    touched = (tree / "a.py").stat().st_ctime_ns
    assert changes(tree, rows, built_at=touched + FUTURE).changed == ()
    assert changes(tree, rows, built_at=touched).changed == ("a.py",)


def test_a_modification_time_that_was_set_back_hides_nothing(tree: Path) -> None:
    rows = known(tree)
    (tree / "a.py").write_text("name = 'z.py'\n")
    os.utime(tree / "a.py", ns=(0, 0))
    touched = (tree / "a.py").stat().st_ctime_ns
    assert changes(tree, rows, built_at=touched).changed == ("a.py",)


def test_a_folder_put_in_the_place_of_another_hides_nothing(tree: Path) -> None:
    """Its files keep the times they had, and may have the names and sizes of those before."""
    for name in ("one", "two"):
        (tree / name).mkdir()
        (tree / name / "d.py").write_text(f"name = '{name}'\n")
    rows = [*known(tree), *(row._replace(path="one/d.py") for row in known(tree / "one"))]
    written = (tree / "one/d.py").stat().st_ctime_ns
    while (tree / "a.py").stat().st_ctime_ns < written + TICK:
        (tree / "a.py").touch()
    (tree / "one").rename(tree.parent / "gone")
    (tree / "two").rename(tree / "one")

    written, moved = ((tree / path).stat().st_ctime_ns for path in ("one/d.py", "one"))
    assert written < moved
    between = (written + moved) // 2 + SLACK
    assert changes(tree, rows, built_at=between) == Changes(("one/d.py",), (), ())


def test_a_skipped_file_is_neither_new_nor_changed(tree: Path) -> None:
    rows = [*known(tree), KnownFile("data.py", 0, "")]
    (tree / "data.py").write_bytes(b"\0")
    assert changes(tree, rows).total == 0


def test_a_file_that_became_unreadable_text_is_changed(tree: Path) -> None:
    rows = known(tree)
    size = (tree / "a.py").stat().st_size
    (tree / "a.py").write_bytes(b"\0" * size)
    assert changes(tree, rows).changed == ("a.py",)
