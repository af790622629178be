"""The repository that the tests of a module edit, and the settings to build its graph with."""

from pathlib import Path

import pytest

from mu.kernel.settings import BuildSettings
from support.updated_graphs import write_files


@pytest.fixture(autouse=True)
def _faults_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of an update fails the test, where a user gets a build instead."""
    monkeypatch.setenv("MU_DEBUG", "1")


@pytest.fixture
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A repository of the files that the module has in `FILES`; an empty one without."""
    root = tmp_path / "repository"
    root.mkdir()
    write_files(root, getattr(request.module, "FILES", {}))
    return root


@pytest.fixture
def settings(tmp_path: Path) -> BuildSettings:
    return BuildSettings(facts=tmp_path / "facts", jobs=1)


@pytest.fixture
def _unbounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are linked again however many they are."""
    for name in ("MOST_RELINKED_SHARE", "MOST_RELINKED_IN_ALL"):
        monkeypatch.setattr(f"mu.resolve.incremental.relinking.{name}", 10)
