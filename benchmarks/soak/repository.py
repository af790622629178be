"""A small repository with two states, whose graphs are known, and real processes that build it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mu.store import open_graph

PROGRAM = "import sys; from mu.cli import main; sys.exit(main())"
MODULES = 40
LIMIT = 600.0
"""Seconds after which a process counts as one that never ends."""

_MODULE = """from pkg.{before} import Shape{before}, area{before}


class Shape{name}(Shape{before}):
    def scale(self, factor):
        return area{before}(self) * factor


def area{name}(shape):
    return shape.scale({size}) + area{before}(shape)
"""
_FIRST = "class Shapem0:\n    pass\n\n\ndef aream0(shape):\n    return 1\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a part of the soak found: how often it was tried, what failed, and figures."""

    part: str
    runs: int
    failures: tuple[str, ...]
    figures: Mapping[str, int | float | str]


@dataclass(frozen=True, slots=True)
class Repository:
    """A folder of modules that use each other; its user's folders lie beside it."""

    root: Path

    def environment(self) -> dict[str, str]:
        """Give variables that keep the processes to folders of their own."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("MU_", "XDG_"))}
        home = self.root.with_name(f"{self.root.name}.home")
        return {
            **kept,
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_CONFIG_HOME": str(home / "config"),
        }

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start `mu` in the folder, at the head of a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=self.root,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run `mu` in the folder to its end; raises TimeoutExpired when there is none."""
        with self.start(*arguments) as process:
            try:
                output, errors = process.communicate(timeout=LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return subprocess.CompletedProcess(arguments, process.returncode, output, errors)

    def turn(self, state: int) -> None:
        """Give the last module one of its two texts."""
        text = _MODULE.format(before=f"m{MODULES - 2}", name=f"m{MODULES - 1}", size=2)
        more = "\n\ndef more():\n    return 1\n" if state else ""
        (self.root / f"pkg/m{MODULES - 1}.py").write_text(text + more, encoding="utf-8")

    def digest(self) -> str:
        """Give the digest of the graph that is there, having opened and counted it."""
        with open_graph(self.root / ".mubase") as graph:
            return graph.meta()["digest"]

    def leftovers(self) -> list[str]:
        """Name what a build left beside the graph."""
        return [path.name for path in self.root.glob(".mubase.*")]


def make_repository(root: Path, *, modules: int = MODULES) -> Repository:
    """Write the repository and give it, in its first state and without a graph."""
    (root / "pkg").mkdir(parents=True)
    (root / "pkg/__init__.py").write_text("")
    (root / "pkg/m0.py").write_text(_FIRST)
    for number in range(1, modules):
        text = _MODULE.format(before=f"m{number - 1}", name=f"m{number}", size=number)
        (root / f"pkg/m{number}.py").write_text(text, encoding="utf-8")
    repository = Repository(root)
    repository.turn(0)
    return repository


def build_both(repository: Repository) -> tuple[str, str]:
    """Build both states, the first one last; gives their digests."""
    digests = []
    for state in (1, 0):
        repository.turn(state)
        done = repository.run("kernel", "build", "--full", "--json")
        if done.returncode:
            raise RuntimeError(f"the repository cannot be built: {done.stderr}")
        digests.append(str(json.loads(done.stdout)["digest"]))
    return digests[1], digests[0]
