"""A build of a folder in which nothing changed leaves the graph as it is; any change makes it anew.

Each test builds for real, and looks whether the second build made another file.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from mu.kernel import BuildReport, BuildSettings, build
from mu.kernel import engine_digest as engine_module
from mu.kernel.workers.worker_limits import WorkerLimits
from mu.source import WalkOptions
from support.session import kept_facts

SOURCES = {
    "app/__init__.py": "",
    "app/one.py": "def f():\n    return g()\n\n\ndef g():\n    return 1\n",
    "README.md": "# App\n\nCalls `f`.\n",
    "pyproject.toml": "[project.scripts]\nrun = 'app.one:f'\n",
    ".gitignore": "ignored.py\n",
    "ignored.py": "",
    ".git/HEAD": "1" * 40 + "\n",
}


PLAIN = BuildSettings(facts=kept_facts())


@pytest.fixture
def built(tmp_path: Path) -> Path:
    for path, text in SOURCES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    build(tmp_path, PLAIN)
    return tmp_path


def again(root: Path, settings: BuildSettings = PLAIN) -> BuildReport:
    """Build once more, with a walk; see that what is told of the file is what became of it."""
    os.utime(root / ".mubase")  # what was kept of the build before is of another file
    before = (root / ".mubase").stat().st_ino
    report = build(root, settings)
    after = (root / ".mubase").stat()
    assert report.is_unchanged == (after.st_ino == before)
    assert report.file_bytes == after.st_size
    return report


def test_where_nothing_changed_nothing_that_makes_a_graph_is_loaded(built: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from mu.kernel import BuildSettings, build
assert build(Path({str(built)!r}), BuildSettings(facts=Path({str(PLAIN.facts)!r}))).is_unchanged
heavy = (
    "mu.kernel.indexing.indexer", "mu.kernel.updating.incremental_update",
    "mu.kernel.workers.pool", "mu.resolve", "mu.lexical",
)
print(*(name for name in heavy if name in sys.modules))
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_where_nothing_changed_the_graph_stays_and_the_report_is_of_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import os\n\nos.getcwd()\n")
    (tmp_path / "b.py").write_bytes(b"\0")
    first = build(tmp_path, PLAIN)

    second = again(tmp_path)

    assert second.is_unchanged
    told = replace(second, is_unchanged=False, seconds=first.seconds, stages=first.stages)
    assert told == first
    assert [stage.name for stage in second.stages] == ["discover", "compare"]


def test_a_file_that_was_only_touched_is_not_changed(built: Path) -> None:
    os.utime(built / "app/one.py")
    (built / "app/one.py").chmod(0o600)
    assert again(built).is_unchanged


CHANGES: dict[str, Callable[[Path], object]] = {
    "a source": lambda root: (root / "app/one.py").write_text("def f():\n    return h()\n"),
    "one byte of it": lambda root: (root / "app/one.py").write_text(
        SOURCES["app/one.py"].replace("1", "2")
    ),
    "a new file": lambda root: (root / "app/two.py").write_text(""),
    "a file is gone": lambda root: (root / "app/one.py").unlink(),
    "a page": lambda root: (root / "README.md").write_text("# App\n"),
    "a manifest": lambda root: (root / "pyproject.toml").write_text("[project.scripts]\n"),
    "a new manifest": lambda root: (root / "setup.cfg").write_text("[metadata]\n"),
    "a manifest is gone": lambda root: (root / "pyproject.toml").unlink(),
    "what is ignored": lambda root: (root / ".gitignore").write_text(""),
    "a file of no known language": lambda root: (root / "notes.xyz").write_text(""),
    "the commit": lambda root: (root / ".git/HEAD").write_text("2" * 40 + "\n"),
    "the graph is damaged": lambda root: (root / ".mubase").write_bytes(b"no graph at all"),
    "the graph is gone": lambda root: (root / ".mubase").write_bytes(b""),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_where_anything_changed_a_graph_is_made(
    built: Path, change: Callable[[Path], object]
) -> None:
    change(built)
    assert not again(built).is_unchanged
    assert again(built).is_unchanged


@pytest.mark.parametrize(
    "settings",
    [
        replace(PLAIN, walk=WalkOptions(exclude=("*.md",))),
        replace(PLAIN, roots=("app",)),
        replace(PLAIN, is_full=True),
    ],
)
def test_other_options_make_another_graph(built: Path, settings: BuildSettings) -> None:
    assert not again(built, settings).is_unchanged


def test_how_it_was_built_is_no_option_of_the_graph(built: Path) -> None:
    assert again(built, BuildSettings(jobs=1, limits=WorkerLimits(cpu=5.0))).is_unchanged


def test_another_installation_of_mu_makes_its_own(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module.mu, "__version__", "0.0.0+another")
    assert not again(built).is_unchanged


def test_a_graph_that_pretends_is_made_anew(built: Path) -> None:
    """What came with a clone may say anything of itself, but not what is installed here."""
    with duckdb.connect(str(built / ".mubase")) as connection:
        connection.execute(
            'UPDATE meta SET value = regexp_replace(value, \'"engine":"[0-9a-f]+"\','
            " '\"engine\":\"00\"') WHERE name = 'basis'"
        )
    assert not again(built).is_unchanged


def test_a_graph_with_files_missing_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1]))
    (tmp_path / "a.py").write_text("")
    (tmp_path / "kills.py").write_text("")
    settings = BuildSettings(jobs=1, entry="faulty_extraction:set_up")
    assert build(tmp_path, settings).is_partial
    assert not again(tmp_path, settings).is_unchanged
