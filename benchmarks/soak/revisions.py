"""Graphs of commits and added columns: killed while made, and damaged where they are kept."""

import json
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.soak.builds import ends, kill
from benchmarks.soak.damages import DAMAGES, SEED
from benchmarks.soak.repository import Outcome, Repository, make_repository
from mu.errors import MuError
from mu.store import open_graph

_ROWS = 20_000  # of a table that is added
_COMMIT = ("kernel", "build", "--rev", "HEAD", "--json")
_DIFF = ("diff", "HEAD~1..HEAD", "--json")


@dataclass(frozen=True, slots=True)
class _Kept:
    """A repository with two commits, and where graphs of them are kept, with their digests."""

    repository: Repository
    folder: Path
    digests: tuple[str, ...]

    def wrong(self) -> list[str]:
        """Tell what is in the folder and is no whole graph of one of the commits."""
        found = []
        for path in sorted(self.folder.glob("*.mubase")):
            try:
                with open_graph(path) as graph:
                    digest = graph.meta()["digest"]
            except MuError as error:
                found.append(f"{path.name}: {error.message}")
                continue
            if digest not in self.digests:
                found.append(f"{path.name}: another graph")
        return found

    def leftovers(self) -> list[str]:
        """Name what is in the folder and is no graph, and what is new in the repository.

        A temporary file of a killed build does not count: it stays until it is a day old, since
        another build may be writing it.
        """
        root = self.repository.root
        told = subprocess.run(
            ["git", "-C", str(root), "status", "--porcelain"], check=True, capture_output=True
        ).stdout.decode()
        return [
            *(p.name for p in self.folder.iterdir() if p.suffix not in (".mubase", ".tmp", ".wal")),
            *told.splitlines(),
        ]


def kill_revision_builds(scratch: Path, count: int) -> Outcome:
    """Kill `count` builds of a commit, at moments spread over the time that one takes."""
    kept = _make_kept(scratch / "commits")
    repository = kept.repository
    whole = _seconds(repository, (*_COMMIT, "--full"))
    failures, finished = [], 0
    for number in range(count):
        if number % 2:
            shutil.rmtree(kept.folder)
        finished += _killed(repository, (*_COMMIT, "--full"), whole * (number + 0.5) / count)
        failures += [f"kill {number}: {one}" for one in kept.wrong()]
        done = repository.run(*_COMMIT)
        if done.returncode or json.loads(done.stdout)["digest"] != kept.digests[0]:
            failures.append(f"after kill {number}: {done.stderr or 'another graph'}")
        failures += [f"kill {number} left {name}" for name in kept.leftovers()]
    figures = {"seconds a build": round(whole, 1), "too late": finished}
    return Outcome("revisions", count, tuple(failures), figures)


def kill_column_imports(scratch: Path, count: int) -> Outcome:
    """Kill `count` imports of columns, at moments spread over the time that one takes."""
    repository = make_repository(scratch / "columns")
    _commit(repository, "First")
    repository.run("kernel", "build")
    graph = (repository.root / ".mubase").read_bytes()
    names = {"path,line,risk": "risk", "path,line,cost": "cost"}
    for header, name in names.items():
        rows = (f"pkg/m{row % 40}.py,{row + 1},{row}" for row in range(_ROWS))
        text = "\n".join([header, *rows])
        (repository.root / f"{name}.csv").write_text(text, encoding="utf-8")
    first, other = (("columns", "add", "table", f"{name}.csv") for name in names.values())
    repository.run(*first)
    whole = max(_seconds(repository, other), _seconds(repository, ("columns", "add", "churn")))
    failures, finished = [], 0
    for number in range(count):
        repository.run("columns", "remove", "churn" if number % 2 else "cost")
        added = ("columns", "add", "churn") if number % 2 else other
        finished += _killed(repository, added, whole * (number + 0.5) / count)
        listed = repository.run("columns", "list", "--json")
        if listed.returncode or "risk" not in listed.stdout:
            failures.append(f"kill {number}: {listed.stderr or listed.stdout}")
        if (repository.root / ".mubase").read_bytes() != graph:
            failures.append(f"kill {number}: another graph")
        done = repository.run(*added)
        if done.returncode:
            failures.append(f"after kill {number}: {done.stderr}")
    left = [path.name for path in repository.root.glob(".mubase*.*")]
    failures += [f"left behind: {name}" for name in left]
    figures = {"seconds an import": round(whole, 1), "too late": finished}
    return Outcome("columns", count, tuple(failures), figures)


def damage_kept_graphs(scratch: Path, count: int) -> Outcome:
    """Compare two commits after each of `count` damages to the graphs that are kept of them."""
    kept = _make_kept(scratch / "damaged")
    repository = kept.repository
    right = repository.run(*_DIFF).stdout
    sound = {path: path.read_bytes() for path in kept.folder.glob("*.mubase")}
    chance = random.Random(SEED)
    failures, rebuilt = [], 0
    for number in range(count):
        harm: Callable[[bytearray, random.Random], bytes] = DAMAGES[number % len(DAMAGES)]
        for path, data in sound.items():
            path.write_bytes(harm(bytearray(data), chance))
        harmed = [path.stat().st_ino for path in sound]
        done = repository.run(*_DIFF)
        if done.returncode or done.stdout != right:
            failures.append(f"{number}, {harm.__name__}: {done.stderr or 'another answer'}")
        rebuilt += sum(path.stat().st_ino != old for path, old in zip(sound, harmed, strict=True))
        failures += [f"{number}, {harm.__name__}: left {name}" for name in kept.leftovers()]
    return Outcome("kept", count, tuple(failures), {"seed": SEED, "built again": rebuilt})


def _make_kept(root: Path) -> _Kept:
    """Write the repository with two commits, and build the graphs of both."""
    repository = make_repository(root)
    digests = []
    for state in (0, 1):
        repository.turn(state)
        _commit(repository, f"State {state}")
        done = repository.run(*_COMMIT)
        if done.returncode:
            raise RuntimeError(f"the commit cannot be built: {done.stderr}")
        digests.append(str(json.loads(done.stdout)["digest"]))
    home = repository.root.with_name(f"{repository.root.name}.home")
    folder = next(path for path in home.rglob("graphs") if path.is_dir())
    return _Kept(repository, folder, (digests[1], digests[0]))


def _commit(repository: Repository, message: str) -> None:
    git = ["git", "-C", str(repository.root), "-c", "user.name=n", "-c", "user.email=n@n"]
    if not (repository.root / ".git").exists():
        subprocess.run([*git, "init", "-qb", "main"], check=True)
    subprocess.run([*git, "add", "-A", "pkg"], check=True)
    subprocess.run([*git, "commit", "-qm", message], check=True)


def _seconds(repository: Repository, command: Sequence[str]) -> float:
    began = time.monotonic()
    done = repository.run(*command)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return time.monotonic() - began


def _killed(repository: Repository, command: Sequence[str], after: float) -> bool:
    """Kill a command after so many seconds; whether it had ended by then."""
    with repository.start(*command) as process:
        time.sleep(after)
        is_late = process.poll() is not None
        kill(process)
        if not ends(process.pid):
            raise RuntimeError(f"{' '.join(command)}: its workers live on")
    return is_late
