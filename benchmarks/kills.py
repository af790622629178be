"""Kills builds after edits, and runs two at once: the graphs that come of it are whole and right.

A build is started after each edit and ended by SIGKILL at a random moment. The graph that is there
then has to be the one before the edit or the one after it; a build in this process goes on from
there, and its graph is held against one from scratch. Nothing else may stay in the folder.

With `--pairs` a second build starts after one more edit while the first one runs; when both are
done, the graph has to be that of the files as they are then.
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
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.edit_kinds import KINDS, edit_file, source_files
from benchmarks.edits import tables
from benchmarks.tables import print_table
from mu.kernel import BuildSettings, build
from mu.model.relation import Relation
from mu.store import open_graph

_MU = str(Path(sys.executable).with_name("mu"))
_KINDS = ("comment", "statement", "call", "name", "rename", "base")
_NEW_FILE = 0.2
"""How often a file is added in the place of an edit."""


@dataclass(slots=True)
class Kills:
    """What became of the builds of one tree.

    `killed` were running still, of two builds the first one; `published` of those had put their
    graph in place; `updated` are builds that went on by replacing rows. `wrong` says after which
    edits something was not right.
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
    parser.add_argument("--pairs", type=int, default=0, help="of builds at once, in place of kills")
    parser.add_argument("--seed", type=int, default=1)


def run_command(options: Namespace) -> None:
    """Kill builds, print what they left, and end with 1 if anything was not right."""
    results = []
    for folder in options.folders:
        with tempfile.TemporaryDirectory(prefix="mu-kills-") as scratch:
            chance = random.Random(options.seed)
            if options.pairs:
                results.append(pair_builds(folder, Path(scratch), options.pairs, chance))
            else:
                results.append(kill_builds(folder, Path(scratch), options.points, chance))
    rows = [
        (one.name, f"{one.points}", f"{one.killed}", f"{one.published}", f"{one.updated}")
        for one in results
    ]
    how = "two at once" if options.pairs else "killed"
    print_table(("tree", "points", how, "published", "updated after"), rows)
    wrong = [f"{one.name}: {what}" for one in results for what in one.wrong]
    print("\n".join(wrong or ["every graph was whole, and right after the next build"]))
    sys.exit(bool(wrong))


def kill_builds(source: Path, scratch: Path, points: int, chance: random.Random) -> Kills:
    """Edit a copy of a tree so often, and kill the build after each edit."""
    result, root, settings = Kills(source.resolve().name), scratch / "tree", _settings(scratch)
    before = _start(source, root, settings)
    longest = 0.0
    while result.points < points:
        what = _change(root, chance)
        result.points += 1
        began = time.monotonic()
        is_killed = _is_killed(_run(root, scratch), chance.uniform(0, longest) if longest else None)
        longest = longest or time.monotonic() - began
        result.killed += is_killed
        here = _digest(root / ".mubase")
        report = build(root, settings)
        anew = scratch / "anew"
        whole = build(root, BuildSettings(is_full=True), graph_file=anew)
        result.published += is_killed and here == whole.digest != before
        result.updated += bool(report.updated)
        result.wrong += (f"{what}: {error}" for error in _errors(root, anew, here, before))
        before = whole.digest
    return result


def pair_builds(source: Path, scratch: Path, pairs: int, chance: random.Random) -> Kills:
    """Edit a copy of a tree so often, start a build, edit it again and start another one."""
    result, root = Kills(source.resolve().name), scratch / "tree"
    _start(source, root, _settings(scratch))
    longest = 0.0
    while result.points < pairs:
        result.points += 1
        began = time.monotonic()
        what = _change(root, chance)
        one = _run(root, scratch)
        time.sleep(chance.uniform(0, longest))
        what += f", {_change(root, chance)}"
        result.killed += one.poll() is None
        codes = [_run(root, scratch).wait(), one.wait()]
        longest = longest or (time.monotonic() - began) / 2
        anew = scratch / "anew"
        whole = build(root, BuildSettings(is_full=True), graph_file=anew)
        result.wrong += (f"{what}: {error}" for error in _errors(root, anew, whole.digest, ""))
        if any(codes):
            result.wrong.append(f"{what}: builds ended with {codes}")
    return result


def _settings(scratch: Path) -> BuildSettings:
    return BuildSettings(facts=scratch / "cache" / "mubase" / "facts")


def _start(source: Path, root: Path, settings: BuildSettings) -> str:
    """Copy a tree and build its graph; give the digest."""
    shutil.copytree(source, root, ignore=shutil.ignore_patterns(".git", ".mubase*"))
    return build(root, settings).digest


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


def _run(root: Path, scratch: Path) -> subprocess.Popen[bytes]:
    """Start a build."""
    return subprocess.Popen(
        [_MU, "kernel", "build", str(root)],
        env=os.environ | {"XDG_CACHE_HOME": str(scratch / "cache")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _is_killed(process: subprocess.Popen[bytes], delay: float | None) -> bool:
    """Kill a build after some seconds, if they are told; whether it ran still."""
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
