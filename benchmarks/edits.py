"""Random edits of real trees: each graph that an update gives is held against a build from scratch.

An edit changes one file: places and prose, or what is in bodies, for which rows can be replaced; or
what other files can see; or it adds, moves or removes one. After each the graph at hand has to have
the tables and the digest of a new one.
"""

import random
import re
import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

import duckdb

from benchmarks.tables import print_table
from mu.kernel import BuildReport, BuildSettings, build

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

_MARKS = {
    ".py": "#",
    ".ts": "//",
    ".tsx": "//",
    ".js": "//",
    ".go": "//",
    ".java": "//",
    ".rs": "//",
}
_WORD = re.compile(r"[A-Za-z_]\w+")
_CALL = re.compile(r"\w+\(.*\)")
_STATEMENT = re.compile(r"\s{2,}[\w.]+\([^()]*\);?")

Lines = list[str]


@dataclass(frozen=True, slots=True)
class Edits:
    """What became of the edits of one tree.

    `updated` are the seconds of builds that replaced rows, `built` those of others, `whole` those
    of builds from scratch. `different` says after which edits the graph was another one.
    """

    name: str
    files: int
    kinds: Counter[str] = field(default_factory=Counter)
    updated: list[float] = field(default_factory=list)
    built: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    different: list[str] = field(default_factory=list)


def add_arguments(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("folders", nargs="+", type=Path, help="source trees; they are copied")
    parser.add_argument("--edits", type=int, default=30, help="of each tree")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--kinds", default=",".join((*KINDS, *FILE_KINDS)), help="of edits, with commas"
    )


def run_command(options: Namespace) -> None:
    """Edit the trees, print what each came to, and end with 1 if any graph differed."""
    results = []
    for folder in options.folders:
        with tempfile.TemporaryDirectory(prefix="mu-edits-") as scratch:
            kinds, chance = options.kinds.split(","), random.Random(options.seed)
            results.append(edit_tree(folder, Path(scratch), kinds, options.edits, chance))
    _print(results)
    sys.exit(any(result.different for result in results))


def edit_tree(
    source: Path, scratch: Path, kinds: Sequence[str], count: int, chance: random.Random
) -> Edits:
    """Edit a copy of a tree so often, and hold each graph against one from scratch."""
    root = scratch / "tree"
    ignored = shutil.ignore_patterns(".git", ".mubase*", "node_modules")
    shutil.copytree(source, root, ignore=ignored)
    settings = BuildSettings(facts=scratch / "facts")
    build(root, settings)
    result = Edits(source.resolve().name, len(source_files(root)))
    while result.kinds.total() < count:
        path, kind = chance.choice(source_files(root)), chance.choice(kinds)
        if kind in FILE_KINDS:
            FILE_KINDS[kind](path, chance)
        elif not edit_file(path, KINDS[kind], chance):
            continue
        result.kinds[kind] += 1
        report = build(root, settings)
        anew = scratch / "anew"
        whole = build(root, replace(settings, is_full=True), graph_file=anew)
        seconds = result.built if report.updated is None else result.updated
        seconds.append(report.seconds)
        result.whole.append(whole.seconds)
        if not _are_same(report, whole) or tables(root / ".mubase") != tables(anew):
            result.different.append(f"{kind} in {path.relative_to(root)}")
            build(root, replace(settings, is_full=True))
    return result


def source_files(root: Path) -> list[Path]:
    """Give the files of a tree that can be edited, in order."""
    found = sorted(root.rglob("*"))
    return [path for path in found if path.suffix in _MARKS and path.is_file()]


def edit_file(path: Path, kind: "Kind", chance: random.Random) -> bool:
    """Change a file; whether that could be done."""
    try:
        before = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    lines = before.split("\n")
    kind(lines, _MARKS[path.suffix], chance)
    path.write_text("\n".join(lines), encoding="utf-8")
    return True


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _comment(lines: Lines, mark: str, chance: random.Random) -> None:
    place = chance.randrange(len(lines))
    lines.insert(place, f"{_indent(lines[place])}{mark} wobbly {chance.random()}")


def _blank(lines: Lines, _mark: str, chance: random.Random) -> None:
    place = chance.randrange(len(lines))
    lines[place:place] = [""] * chance.randint(1, 4)


def _uncomment(lines: Lines, mark: str, chance: random.Random) -> None:
    found = [place for place, line in enumerate(lines) if line.strip().startswith(mark)]
    if found:
        del lines[chance.choice(found)]


def _call(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Write a line with a call once more, somewhere else."""
    found = [line.strip() for line in lines if _CALL.search(line)]
    place = chance.randrange(len(lines))
    if found:
        lines.insert(place, _indent(lines[place]) + chance.choice(found))


def _statement(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Write a line that is a call once more, behind another one: an edit of a body."""
    places = [place for place, line in enumerate(lines) if _STATEMENT.fullmatch(line)]
    if places:
        place = chance.choice(places)
        lines.insert(place + 1, _indent(lines[place]) + lines[chance.choice(places)].strip())


def _gone(lines: Lines, _mark: str, chance: random.Random) -> None:
    del lines[chance.randrange(len(lines))]


def _name(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Put another word of the file in the place of one."""
    words = [word for line in lines for word in _WORD.findall(line)]
    places = [place for place, line in enumerate(lines) if _WORD.search(line)]
    if places:
        place = chance.choice(places)
        word = chance.choice(_WORD.findall(lines[place]))
        lines[place] = lines[place].replace(word, chance.choice(words), 1)


Kind = Callable[[Lines, str, random.Random], None]

KINDS: dict[str, Kind] = {
    "comment": _comment,
    "blank": _blank,
    "uncomment": _uncomment,
    "call": _call,
    "statement": _statement,
    "gone": _gone,
    "name": _name,
}


def _add(path: Path, chance: random.Random) -> None:
    shutil.copyfile(path, _beside(path, chance))


def _move(path: Path, chance: random.Random) -> None:
    path.rename(_beside(path, chance))


def _remove(path: Path, _chance: random.Random) -> None:
    path.unlink()


def _beside(path: Path, chance: random.Random) -> Path:
    return path.with_name(f"{path.stem}_{chance.randrange(10**6)}{path.suffix}")


FileKind = Callable[[Path, random.Random], None]
FILE_KINDS: dict[str, FileKind] = {"add": _add, "move": _move, "remove": _remove}


def _are_same(report: BuildReport, whole: BuildReport) -> bool:
    names = ("digest", "nodes", "edges", "sites", "problems", "lines", "bytes", "limits")
    return all(getattr(report, name) == getattr(whole, name) for name in names)


def tables(graph: Path) -> list[list[tuple[object, ...]]]:
    """Give the rows of a graph, with ids in the place of keys: equal for equal graphs."""
    with duckdb.connect() as engine:
        engine.execute(f"ATTACH '{graph}' AS graph (READ_ONLY); USE graph")
        return [engine.execute(query).fetchall() for query in _TABLES]


def _print(results: Sequence[Edits]) -> None:
    rows = [
        (
            result.name,
            f"{result.files:,}",
            str(result.kinds.total()),
            str(len(result.updated)),
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
        "s an update",
        "s a build",
        "s anew",
        "different",
    )
    print_table(header, rows)
    for result in results:
        for what in result.different:
            print(f"{result.name}: another graph after {what}")


def _seconds(times: Sequence[float]) -> str:
    return f"{median(times):.2f}" if times else "-"
