"""What a build does about memory changes nothing of what it makes."""

import gc
import weakref
from pathlib import Path

import pytest

from mu.kernel import BuildSettings, build
from mu.kernel import building as building_module
from mu.kernel.garbage_collection import collector_paused, release_memory


class Circle:
    """Something that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


def test_collector_is_off_only_as_long_as_asked() -> None:
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            pass
        assert not gc.isenabled()

    assert gc.isenabled()


def test_memory_is_returned_also_while_the_collector_is_off() -> None:
    with collector_paused():
        seen = weakref.ref(Circle())
        release_memory()

        assert seen() is None


def test_graph_of_a_build_that_returns_memory_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.py").write_text("import os\n\n\ndef f():\n    return os.getcwd()\n")
    usual = build(tmp_path, BuildSettings(is_full=True))
    monkeypatch.setattr(building_module, "_LARGE_GRAPH", 0)
    large = build(tmp_path, BuildSettings(is_full=True))

    assert large.digest == usual.digest
    assert not large.is_unchanged
