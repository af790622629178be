"""A record of a walk gives what another walk would, or nothing, and builds with it are quicker.

Records are made to be of a build after which a moment passed, so that only what a test touches has
newer times; a build believes no time of the two seconds before it.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mu.kernel import BuildSettings, build
from mu.kernel.change_detection.existing_graph import ExistingGraph, find_existing_graph
from mu.kernel.change_detection.walk_record import keep_record, recall_existing_graph
from mu.kernel.inputs.source_listing import list_sources
from mu.source import WalkOptions
from mu.syntax import load_manifests
from support.session import kept_facts

SOURCES = {
    "app/__init__.py": "",
    "app/one.py": "def f():\n    return 1\n",
    "app/inner/two.py": "import app.one\n",
    "data/large.py": f"text = '{'x' * 500}'\n",
    "app/empty/notes.txt": "",
    "env/pyvenv.cfg": "",
    "env/lib.py": "",
    "run": "#!/usr/bin/env python3\nprint()\n",
    "LICENSE": "All rights reserved.\n",
    "README.md": "# App\n",
    "pyproject.toml": "[project.scripts]\nrun = 'app.one:f'\n",
    ".gitignore": "ignored*\n",
    "ignored.py": "",
    ".git/HEAD": "1" * 40 + "\n",
    ".git/info/exclude": "# nothing\n",
}
SETTINGS = BuildSettings(facts=kept_facts(), walk=WalkOptions(max_file_size=400))
SLACK = 2 * 10**9


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder that was built, walked again, and has not been touched since."""
    for path, text in SOURCES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "link.py").symlink_to("app/one.py")
    build(tmp_path, SETTINGS)
    existing = walked(tmp_path)
    assert existing is not None
    keep_record(tmp_path, existing._replace(built_at=_now(tmp_path) + SLACK), settings=SETTINGS)
    return tmp_path


def _now(folder: Path) -> int:
    """The time of the file system, once it is later than that of all that was touched before."""
    place = folder / ".git/clock"
    place.touch()
    before = now = place.stat().st_ctime_ns
    while now == before:
        place.chmod(0o600)
        now = place.stat().st_ctime_ns
    return now


def walked(root: Path) -> ExistingGraph | None:
    found = list_sources(root, SETTINGS.walk, manifests=load_manifests())
    return find_existing_graph(root, root / ".mubase", settings=SETTINGS, found=found)


def recalled(root: Path) -> ExistingGraph | None:
    return recall_existing_graph(root, root / ".mubase", settings=SETTINGS)


EDITS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda _: None,
    "a source": lambda root: (root / "app/one.py").write_text("def f():\n    return 2\n"),
    "its size": lambda root: (root / "app/one.py").write_text(""),
    "a source put in the place of another": lambda root: _replace(
        root / "app/inner/two.py", "f = 1\n"
    ),
    "a page": lambda root: (root / "README.md").write_text("# Apps\n"),
    "what is ignored": lambda root: (root / "ignored.py").write_text("x = 1\n"),
    "the commit": lambda root: (root / ".git/HEAD").write_text("2" * 40 + "\n"),
    "the state of a tool": lambda root: (root / "app/__pycache__").mkdir(),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edits_are_seen_without_a_walk(root: Path, edit: Callable[[Path], object]) -> None:
    edit(root)
    _see_the_same(recalled(root), walked(root))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a new file": lambda root: (root / "app/new.py").write_text(""),
    "a new file where none was": lambda root: (root / "app/empty/new.py").write_text(""),
    "a new folder": lambda root: shutil.copytree(root / "app/inner", root / "app/other"),
    "a file is gone": lambda root: (root / "app/one.py").unlink(),
    "a folder is gone": lambda root: shutil.rmtree(root / "app/inner"),
    "a folder moved": lambda root: (root / "app/inner").rename(root / "app/moved"),
    "a folder in the place of another": lambda root: _swap(root / "app/inner"),
    "a link for a file": lambda root: _link(root / "app/one.py"),
    "a file for a link": lambda root: _replace(root / "link.py", "x = 1\n"),
    "a file that grows too large": lambda root: (root / "app/one.py").write_text("#" * 500),
    "a file no longer too large": lambda root: (root / "data/large.py").write_text("x = 1\n"),
    "an environment no longer": lambda root: (root / "env/pyvenv.cfg").unlink(),
    "a script no longer": lambda root: (root / "run").write_text("print\n"),
    "a new script": lambda root: (root / "LICENSE").write_text("#!/usr/bin/python3\n"),
    "a manifest": lambda root: (root / "pyproject.toml").write_text("[project.scripts]\n"),
    "a new manifest": lambda root: (root / "setup.cfg").write_text("[metadata]\n"),
    "what git ignores": lambda root: (root / ".gitignore").write_text(""),
    "what git ignores further down": lambda root: (root / "app/.gitignore").write_text("*\n"),
    "what git ignores here": lambda root: (root / ".git/info/exclude").write_text("app/\n"),
    "what git ignores here, put in place": lambda root: _replace(
        root / ".git/info/exclude", "app/\n"
    ),
    "nothing that git ignores here": lambda root: (root / ".git/info/exclude").unlink(),
    "an unknown ending": lambda root: (root / "app/notes.xyz").write_text(""),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_only_a_walk_can_tell_is_left_to_it(
    root: Path, change: Callable[[Path], object]
) -> None:
    change(root)
    assert recalled(root) is None


def test_a_record_is_of_one_graph_and_its_options(root: Path) -> None:
    other = replace(SETTINGS, walk=WalkOptions(exclude=("*.md",)))
    assert recall_existing_graph(root, root / ".mubase", settings=other) is None
    os.utime(root / ".mubase")
    assert recalled(root) is None


def test_after_a_first_build_no_other_walks(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    build(tmp_path, SETTINGS)

    stages = [stage.name for stage in build(tmp_path, SETTINGS).stages]

    assert stages == ["compare"]


def test_a_build_that_has_no_record_is_the_last_to_walk(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    build(tmp_path, SETTINGS)
    os.utime(tmp_path / ".mubase")  # the record is of another file

    stages = [[stage.name for stage in build(tmp_path, SETTINGS).stages] for _ in range(2)]

    assert stages == [["discover", "compare"], ["compare"]]


def test_what_a_walk_saw_holds_since_the_graph_was_put_in_place(tmp_path: Path) -> None:
    """Files that were written just before a build need not be read each time that it is asked."""
    (tmp_path / "a.py").write_text("x = 1\n")
    build(tmp_path, SETTINGS)
    build(tmp_path, SETTINGS)

    known = recalled(tmp_path)

    assert known is not None
    assert known.built_at == (tmp_path / ".mubase").stat().st_ctime_ns


def test_after_an_update_no_build_walks(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n")
    build(tmp_path, SETTINGS)
    (tmp_path / "a.py").write_text("# more\nx = 1\n")
    updated = build(tmp_path, SETTINGS)

    known = build(tmp_path, SETTINGS)

    assert updated.updated == 1
    assert [stage.name for stage in known.stages] == ["compare"]
    assert known.is_unchanged
    (tmp_path / "b.py").write_text("# more\nx = 1\n")
    _see_the_same(recalled(tmp_path), walked(tmp_path))


def _see_the_same(recalled: ExistingGraph | None, walked: ExistingGraph | None) -> None:
    assert recalled is not None
    assert walked is not None
    assert recalled.found == walked.found
    assert recalled.found.listings == walked.found.listings
    assert recalled.changes == walked.changes
    assert recalled.is_current == walked.is_current
    assert sorted(recalled.known) == sorted(walked.known)


def _replace(path: Path, text: str) -> None:
    """Write as editors do that put a new file in the place of the old one."""
    new = path.with_name("new.tmp")
    new.write_text(text)
    new.replace(path)


def _swap(folder: Path) -> None:
    """Put a folder in the place of another that was there before the build."""
    folder.rename(folder.with_name("old"))
    (folder.parent / "empty").rename(folder)


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to("inner/two.py")
