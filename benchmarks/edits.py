"""Random edits of real trees: each graph that an update gives is held against a build from scratch.

After each edit (`edit_kinds`) the graph at hand has to have the tables and the digest of a new one,
from scratch after each or after the last (`--scratch`).
"""

import logging
import random
import re
import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from statistics import median
from typing import NamedTuple

import duckdb

from benchmarks.edit_kinds import FILE_KINDS, KINDS, edit_tree, source_files
from benchmarks.tables import print_table
from mu.kernel import BuildReport, BuildSettings, build
from mu.resolve.incremental import relinking

_TABLES = (
    "SELECT * EXCLUDE (key) FROM file",
    """SELECT node.* EXCLUDE (key) REPLACE (above.id AS parent, file.path AS file)
    FROM node LEFT JOIN node AS above ON above.key = node.parent
    LEFT JOIN file ON file.key = node.file
    ORDER BY file.path NULLS LAST, if(file.path IS NULL, node.id, ''), node.rowid""",
    """SELECT edge.* REPLACE (one.id AS source, other.id AS target)
    FROM edge JOIN node AS one ON one.key = source JOIN node AS other ON other.key = target
    ORDER BY ALL""",
    """SELECT site.* REPLACE (one.id AS source, other.id AS target, path AS file)
    FROM site JOIN file ON file.key = site.file JOIN node AS one ON one.key = source
    LEFT JOIN node AS other ON other.key = target ORDER BY path, site.rowid""",
    "SELECT entry.* REPLACE (id AS node) FROM entry JOIN node ON key = node ORDER BY ALL",
    """SELECT text, list((id, weight, field) ORDER BY id)
    FROM (SELECT text, unnest(nodes) AS key, unnest(weights) AS weight, unnest(fields) AS field
    FROM word) JOIN node USING (key) GROUP BY text ORDER BY text""",
)
"""Files by their paths and nodes by their ids: the keys of those that came with an edit tell when
they came, and of nodes outside the repository in what order they were met.
"""


@dataclass(frozen=True, slots=True)
class Edits:
    """What became of the edits of one tree.

    `updated` are the seconds of builds that replaced rows, `built` those of others, `whole` those
    of builds from scratch, `kept` those of builds that had nothing to do. `different` says after
    which edits the graph was another one, `reasons` why a build was made.
    """

    name: str
    files: int
    kinds: Counter[str] = field(default_factory=Counter)
    updated: list[float] = field(default_factory=list)
    built: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    kept: list[float] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)


class Script(NamedTuple):
    """The edits of one tree: so many, of some kinds, by `chance`.

    A graph is built after each so many (`together`). With `is_each` each is held against one from
    scratch, else the last one is; of the others each of so many (`every`), where it was not linked
    anew itself, against one that is, with kept facts.
    """

    kinds: Sequence[str]
    count: int
    is_each: bool
    every: int
    together: int
    chance: random.Random


def add_arguments(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("folders", nargs="+", type=Path, help="source trees; they are copied")
    parser.add_argument("--edits", type=int, default=30, help="of each tree")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scripts", type=int, default=1, help="of so many edits, for each tree")
    parser.add_argument("--scratch", choices=("each", "last"), default="each")
    parser.add_argument("--every", type=int, default=1, help="of so many graphs, one is compared")
    parser.add_argument("--together", type=int, default=1, help="edits before each build")
    parser.add_argument(
        "--unbounded", action="store_true", help="link files again however many they are"
    )
    parser.add_argument(
        "--kinds", default=",".join((*KINDS, *FILE_KINDS, "switch")), help="of edits, with commas"
    )


def run_command(options: Namespace) -> None:
    """Edit the trees, print what each came to, and end with 1 if any graph differed."""
    if options.unbounded:
        relinking.MOST_RELINKED_SHARE = relinking.MOST_RELINKED_IN_ALL = 10
    results = []
    for folder in options.folders:
        with tempfile.TemporaryDirectory(prefix="mu-edits-") as scratch:
            start = _start(folder, Path(scratch) / "start")
            for script in range(options.scripts):
                kinds, chance = options.kinds.split(","), random.Random(options.seed + script)
                is_each, every = options.scratch == "each", options.every
                edits = Script(kinds, options.edits, is_each, every, options.together, chance)
                name = folder.resolve().name
                results.append(_run_script(name, start, Path(scratch) / "script", edits))
                shutil.rmtree(Path(scratch) / "script")
    print_edits(results)
    sys.exit(any(result.different for result in results))


def _start(source: Path, folder: Path) -> Path:
    """Copy a tree and build its graph; give the folder of both and of the facts."""
    ignored = shutil.ignore_patterns(".git", ".mubase*", "node_modules")
    shutil.copytree(source, folder / "tree", ignore=ignored)
    build(folder / "tree", BuildSettings(jobs=1, facts=folder / "facts"))
    shutil.copytree(folder / "facts", folder / "facts-anew")
    return folder


def _run_script(name: str, start: Path, scratch: Path, script: Script) -> Edits:
    """Edit a copy of a tree, and hold each graph against one from scratch.

    What updates keep beside the facts is theirs alone: each goes on from what the one before left.
    """
    shutil.copytree(start, scratch)
    root, anew, chance = scratch / "tree", scratch / "anew", script.chance
    settings = BuildSettings(jobs=1, facts=scratch / "facts")
    others = replace(settings, facts=scratch / "facts-anew")
    result, made = Edits(name, len(source_files(root))), list[str]()
    while result.kinds.total() < script.count:
        kind = chance.choice(script.kinds)
        done = edit_tree(root, kind, chance)
        if not done:
            continue
        result.kinds[kind] += 1
        made.append(f"{kind} in {done}")
        if len(made) < script.together and result.kinds.total() < script.count:
            continue
        with reasons() as why:
            report = build(root, settings)
        note(result, report, why)
        done_so_far = result.kinds.total()
        is_last = script.is_each or done_so_far == script.count
        is_anew = report.updated is None and not report.is_unchanged
        if not is_last and (is_anew or done_so_far % script.every):
            made = []
            continue
        anew.unlink(missing_ok=True)
        whole = build(root, replace(others, is_full=is_last), graph_file=anew)
        result.whole.append(whole.seconds)
        if not are_same(report, whole) or tables(root / ".mubase") != tables(anew):
            result.different.append(" and ".join(made))
            build(root, replace(settings, is_full=True))
        made = []
    return result


def note(result: Edits, report: BuildReport, why: Sequence[str]) -> None:
    """Note how a graph was brought up to date, and why a build was made."""
    if report.is_unchanged:
        result.kept.append(report.seconds)
    elif report.updated is None:
        result.built.append(report.seconds)
        result.reasons[why[-1] if why else "it is not told"] += 1
    else:
        result.updated.append(report.seconds)


@contextmanager
def reasons() -> Iterator[list[str]]:
    """Collect why an update is not made, without the names of files and their number."""
    found: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = record.getMessage().rpartition(": ")[2]
            if record.msg.startswith("not "):
                found.append(re.sub(r"^\S+[./]\S+ |\d+ ", "", text))

    loggers = [logging.getLogger("mu.kernel.updating")]
    listener = Listener()
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
        logger.addHandler(listener)
    try:
        yield found
    finally:
        for logger in loggers:
            logger.removeHandler(listener)


def are_same(report: BuildReport, whole: BuildReport) -> bool:
    """Tell whether two reports say the same of a graph."""
    names = ("digest", "nodes", "edges", "sites", "problems", "lines", "bytes", "limits")
    return all(getattr(report, name) == getattr(whole, name) for name in names)


def tables(graph: Path) -> list[list[tuple[object, ...]]]:
    """Give the rows of a graph, with ids in the place of keys: equal for equal graphs."""
    engine = _engine()
    engine.execute(f"ATTACH '{graph}' AS graph (READ_ONLY); USE graph")
    try:
        return [engine.execute(query).fetchall() for query in _TABLES]
    finally:
        engine.execute("USE memory; DETACH graph")


@cache
def _engine() -> duckdb.DuckDBPyConnection:
    """One for all graphs: to start it takes longer than to read a small one."""
    return duckdb.connect()


def print_edits(results: Sequence[Edits]) -> None:
    """Print a row for each tree, and why builds were made."""
    rows = [
        (
            result.name,
            f"{result.files:,}",
            str(result.kinds.total()),
            str(len(result.updated)),
            str(len(result.built)),
            _seconds(result.updated),
            _seconds(result.built),
            _seconds(result.whole),
            str(len(result.different)),
        )
        for result in results
    ]
    header = (
        "tree",
        "files",
        "edits",
        "updated",
        "built",
        "s an update",
        "s a build",
        "s anew",
        "different",
    )
    print_table(header, rows)
    for result in results:
        for what in result.different:
            print(f"{result.name}: another graph after {what}")
    reasons = sum((result.reasons for result in results), Counter[str]())
    for reason, count in reasons.most_common():
        print(f"{count} builds: {reason}")


def _seconds(times: Sequence[float]) -> str:
    return f"{median(times):.2f}" if times else "-"
