"""Kills builds after edits: what they leave is whole, and the next build makes the right graph.

A build is started after each edit and ended by SIGKILL at a random moment. The graph that is there
then has to be the one before the edit or the one after it; a build in this process goes on from
there, and its graph is held against one from scratch. Nothing else may stay in the folder.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.edit_kinds import KINDS, edit_file, source_files
from benchmarks.edits import tables
from benchmarks.tables import print_table
from mu.kernel import BuildSettings, build
from mu.model.relation import Relation
from mu.store import open_graph

_MU = str(Path(sys.executable).with_name("mu"))
_KINDS = ("comment", "statement")
_NEW_FILE = 0.2
"""How often a file is added in the place of an edit."""


@dataclass(slots=True)
class Kills:
    """What became of the builds of one tree.

    `killed` were running still, `published` of those had put their graph in place; `updated` are
    builds that went on by replacing rows. `wrong` says after which kills something was not right.
    """

    name: str
    points: int = 0
    killed: int = 0
    published: int = 0
    updated: int = 0
    wrong: list[str] = field(default_factory=list)


def add_arguments(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("folders", nargs="+", type=Path, help="source trees; they are copied")
    parser.add_argument("--points", type=int, default=25, help="of each tree")
    parser.add_argument("--seed", type=int, default=1)


def run_command(options: Namespace) -> None:
    """Kill builds, print what they left, and end with 1 if anything was not right."""
    results = []
    for folder in options.folders:
        with tempfile.TemporaryDirectory(prefix="mu-kills-") as scratch:
            chance = random.Random(options.seed)
            results.append(kill_builds(folder, Path(scratch), options.points, chance))
    rows = [
        (one.name, f"{one.points}", f"{one.killed}", f"{one.published}", f"{one.updated}")
        for one in results
    ]
    print_table(("tree", "points", "killed", "published", "updated after"), rows)
    wrong = [f"{one.name}: {what}" for one in results for what in one.wrong]
    print("\n".join(wrong or ["every graph was whole, and right after the next build"]))
    sys.exit(bool(wrong))


def kill_builds(source: Path, scratch: Path, points: int, chance: random.Random) -> Kills:
    """Edit a copy of a tree so often, and kill the build after each edit."""
    root, cache = scratch / "tree", scratch / "cache"
    shutil.copytree(source, root, ignore=shutil.ignore_patterns(".git", ".mubase*"))
    settings = BuildSettings(facts=cache / "mubase" / "facts")
    result = Kills(source.resolve().name)
    before = build(root, settings).digest
    longest = 0.0
    while result.points < points:
        what = _change(root, chance)
        result.points += 1
        began = time.monotonic()
        is_killed = _run(root, cache, chance.uniform(0, longest) if longest else None)
        longest = longest or time.monotonic() - began
        result.killed += is_killed
        here = _digest(root / ".mubase")
        report = build(root, settings)
        anew = scratch / "anew"
        whole = build(root, replace(settings, is_full=True), graph_file=anew)
        result.published += is_killed and here == whole.digest != before
        result.updated += bool(report.updated)
        result.wrong += (f"{what}: {error}" for error in _errors(root, anew, here, before))
        before = whole.digest
    return result


def _errors(root: Path, anew: Path, here: str, before: str) -> Iterator[str]:
    """What is not right after a build that went on from a killed one."""
    after = _digest(anew)
    if here not in (before, after):
        yield "a graph that is neither the old one nor the new one"
    if _digest(root / ".mubase") != after or tables(root / ".mubase") != tables(anew):
        yield "another graph than one from scratch"
    left = [path.name for path in root.iterdir() if path.name.startswith(".mubase.")]
    if left:
        yield f"left behind: {' '.join(left)}"


def _change(root: Path, chance: random.Random) -> str:
    """Edit a file, or add one; give what was done."""
    files = source_files(root)
    while True:
        path = chance.choice(files)
        if chance.random() < _NEW_FILE:
            new = path.with_name(f"more_{chance.randrange(10**6)}{path.suffix}")
            shutil.copyfile(path, new)
            return f"new {new.relative_to(root)}"
        kind = chance.choice(_KINDS)
        if edit_file(path, KINDS[kind], chance):
            return f"{kind} in {path.relative_to(root)}"


def _run(root: Path, cache: Path, delay: float | None) -> bool:
    """Run a build, and kill it after some seconds, if they are told; whether it ran still."""
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    process = subprocess.Popen(
        [_MU, "kernel", "build", str(root)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
    return False


def _digest(graph: Path) -> str:
    """The digest of the rows of a graph, after a look at all of them; empty for a damaged file."""
    try:
        with open_graph(graph) as opened:
            for table in ("nodes", "edges", "sites", "files"):
                opened.run(Relation(f"SELECT count(*) FROM {table}"), limit=None)
            return opened.meta()["digest"]
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, it is not whole
        return f"damaged: {error}"
