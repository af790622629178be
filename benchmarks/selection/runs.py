"""Runs the test suite of a clone, and asks MU which tests it would select."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

MU = str(Path(sys.executable).with_name("mu"))
_SECONDS = 120  # in which a suite has to end; a change that hangs it is not counted


class Selected(msgspec.Struct, frozen=True):
    """What `mu tests --diff` answered: ids of the tests, how many there are, seconds it took."""

    tests: frozenset[str]
    suite: int
    seconds: float

    @property
    def share(self) -> float:
        """The share of the suite, from 0 to 1."""
        return len(self.tests) / self.suite if self.suite else 0.0


class _Test(msgspec.Struct):
    id: str


class _Answer(msgspec.Struct):
    tests: list[_Test]
    suite: int


class Suite:
    """The tests of a clone, run by `python` with the clone's sources first on its path."""

    def __init__(self, clone: Path, *, python: str, sources: str, tests: str) -> None:
        self._clone = clone
        self._python = python
        self._tests = tests
        self._environment = {
            **os.environ,
            "PYTHONPATH": f"{clone / sources}{os.pathsep}{Path(__file__).parent}",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def entering(self, functions: Mapping[str, Sequence[int]]) -> tuple[str, ...]:
        """List the tests that enter functions, given by path and first line."""
        with tempfile.NamedTemporaryFile("r+", encoding="utf-8") as told:
            more = {"ENTERING": json.dumps(functions), "ENTERING_TESTS": told.name}
            self.failing(("-p", "entering", self._tests), more)
            return tuple(sorted({line.rstrip("\n").split("[")[0] for line in told}))

    def failing(
        self, arguments: Sequence[str] = (), variables: Mapping[str, str] | None = None
    ) -> set[str] | None:
        """Give the tests that fail, as ids without parameters; None when the run is no answer.

        That is when the suite does not end, or modules of tests cannot be imported.
        """
        command = [self._python, "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider"]
        try:
            ended = subprocess.run(
                [*command, *(arguments or [self._tests])],
                cwd=self._clone,
                env={**self._environment, **(variables or {})},
                capture_output=True,
                text=True,
                check=False,
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return None
        if ended.returncode not in (0, 1):
            return None
        found = set()
        for line in ended.stdout.splitlines():
            if line.startswith(("FAILED ", "ERROR ")):
                name = line.split(" ", 1)[1].split(" - ")[0].split("[")[0]
                if "::" not in name:
                    return None
                found.add(name)
        return found


def select(clone: Path, cache: Path, *, is_safe: bool = False) -> Selected:
    """Ask which tests to run for the difference between the files and HEAD."""
    began = time.perf_counter()
    command = [MU, "-C", str(clone), "tests", "--diff", "HEAD", "--json", "--limit", "100000"]
    ended = subprocess.run(
        [*command, *(["--safe"] if is_safe else [])],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        check=True,
    )
    answer = msgspec.json.decode(ended.stdout, type=_Answer)
    seconds = time.perf_counter() - began
    return Selected(frozenset(one.id for one in answer.tests), answer.suite, seconds)
