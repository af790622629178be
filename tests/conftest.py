import gc
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from support.session import make_folder

# On CI the same examples every time, so that a change is judged by what it changes; by hand others.
# `pytest --hypothesis-profile=long` (`make test-long`) tries ten times as many.
SAME = bool(os.environ.get("CI"))
settings.register_profile("default", deadline=None, derandomize=SAME, max_examples=30)
settings.register_profile("long", deadline=None, derandomize=SAME, max_examples=300)
settings.load_profile("default")

# A shell has what it runs in the background ignore Ctrl-C, and so what that starts; here it counts.
signal.signal(signal.SIGINT, signal.default_int_handler)


pytest_plugins = ["support.forked_processes", "support.cost"]


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of the session, which all its processes share: user's folders lie in it."""
    if hasattr(config, "workerinput"):
        return
    folder = make_folder()
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--texts", type=int, default=200, help="how many hostile queries to ask")
    parser.addoption("--long", action="store_true", help="run what is marked `long`, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked `long` unless it was asked for."""
    if not config.getoption("--long"):
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        left_out = set(long)
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Have the garbage collector look at new objects alone, and seldom.

    It took a quarter of the CPU of tests that link: each has thousands of objects, which it looked
    through together with all that was collected here.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def distributions(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with MU's wheel and source archive, freshly built."""
    folder = tmp_path_factory.mktemp("distributions")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    return folder
