import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# On CI the same examples every time, so that a change is judged by what it changes; by hand others.
settings.register_profile("mu", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "mu")

# A shell has what it runs in the background ignore Ctrl-C, and so what that starts; here it counts.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--texts", type=int, default=700, help="how many hostile queries to ask")


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
