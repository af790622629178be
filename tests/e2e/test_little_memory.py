"""Processes that may map little memory: what they were asked for, or one line that says why not."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.command import PROGRAM, SMALL, environment, mu, write_tree

_LIKE = "much like those beside it"
_MEGABYTE = 1_024_000  # as in `ulimit -v 1000`


def limited(megabytes: int, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `mu` in a process that may map so much memory, and its workers as well."""
    limit = megabytes * _MEGABYTE
    lower = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit})); "
    return subprocess.run(
        [sys.executable, "-c", lower + PROGRAM, *arguments],
        cwd=cwd,
        env=environment(cwd),
        capture_output=True,
        text=True,
        check=False,
    )


pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY,
    reason="the limit is Linux's, and may not be set already",
)


@pytest.mark.slow(reason="a build that is tried again where memory runs out")
@pytest.mark.parametrize(
    "megabytes",
    [100, 200, *(pytest.param(one, marks=pytest.mark.long(reason=_LIKE)) for one in (160, 250))],
)
def test_a_build_without_memory_says_so_and_leaves_nothing(tmp_path: Path, megabytes: int) -> None:
    folder = write_tree(tmp_path / "tree", {**SMALL, "many.py": "x = [1, 2]\n" * 60_000})
    result = limited(megabytes, "kernel", "build", cwd=folder)

    assert result.returncode in {0, 1, 5}, result.stderr
    assert result.returncode == 0 or "memory" in result.stderr
    assert "Traceback" not in result.stderr
    assert [path.name for path in folder.iterdir() if path.suffix == ".tmp"] == []


@pytest.mark.parametrize("megabytes", [120, 160, 200, 300, 450, 650])
def test_a_question_is_answered_or_said_to_lack_memory(tmp_path: Path, megabytes: int) -> None:
    folder = write_tree(tmp_path / "tree", SMALL)
    assert mu("kernel", "build", cwd=folder).returncode == 0
    result = limited(megabytes, "query", "SELECT count(*) AS n FROM nodes", cwd=folder)

    assert result.returncode in ({0} if megabytes >= 300 else {0, 1}), result.stderr
    assert result.returncode == 0 or "ran out of memory" in result.stderr
