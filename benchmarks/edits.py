"""Random edits of real trees: each graph that an update gives is held against a build from scratch.

An edit changes one file: places and prose, or what is in bodies, for which rows can be replaced; or
what other files can see; or it adds, moves or removes one, of code or a page; or it makes several
of these at once, as a switch to another branch does. After each the graph at hand has to have the
tables and the digest of a new one, from scratch after each or after the last (`--scratch`).
"""

import logging
import random
import re
import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import NamedTuple

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
_PAGES = (".md", ".rst")
_WORD = re.compile(r"[A-Za-z_]\w+")
_CLASS = re.compile(
    r"(\s*(?:export |public |abstract |final )*class \w+)(\(\w*\)| extends \w+|)(.*)"
)
_DEFINITION = re.compile(r"\b(?:class|def|function|func|fn|struct|interface|trait|void) (\w+)")
_SHADOWS = {".py": "{} = None", ".go": "{} := 0", ".rs": "let {} = 0;", ".java": "int {} = 0;"}
_GIVEN_OUT = {
    ".py": "from .{} import {}",
    ".ts": 'export {{ {1} }} from "./{0}";',
    ".js": 'export {{ {1} }} from "./{0}.js";',
    ".rs": "pub use super::{}::{};",
    ".java": "import static {}.{};",
}
_PACKAGES = {".py": "__init__", ".ts": "index", ".js": "index", ".rs": "mod"}
_AT_ONCE = 4
"""Edits that a switch to another branch makes."""
_CALL = re.compile(r"\w+\(.*\)")
_STATEMENT = re.compile(r"\s{2,}[\w.]+\([^()]*\);?")

Lines = list[str]


@dataclass(frozen=True, slots=True)
class Edits:
    """What became of the edits of one tree.

    `updated` are the seconds of builds that replaced rows, `built` those of others, `whole` those
    of builds from scratch. `different` says after which edits the graph was another one, `reasons`
    why a build was made.
    """

    name: str
    files: int
    kinds: Counter[str] = field(default_factory=Counter)
    updated: list[float] = field(default_factory=list)
    built: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)


class Script(NamedTuple):
    """The edits of one tree: so many, of some kinds, by `chance`.

    With `is_each` each graph is held against one from scratch, else the last one is: the others
    against builds that link all anew, with kept facts.
    """

    kinds: Sequence[str]
    count: int
    is_each: bool
    chance: random.Random


def add_arguments(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("folders", nargs="+", type=Path, help="source trees; they are copied")
    parser.add_argument("--edits", type=int, default=30, help="of each tree")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scripts", type=int, default=1, help="of so many edits, for each tree")
    parser.add_argument("--scratch", choices=("each", "last"), default="each")
    parser.add_argument(
        "--kinds", default=",".join((*KINDS, *FILE_KINDS, "switch")), help="of edits, with commas"
    )


def run_command(options: Namespace) -> None:
    """Edit the trees, print what each came to, and end with 1 if any graph differed."""
    results = []
    for folder in options.folders:
        for script in range(options.scripts):
            with tempfile.TemporaryDirectory(prefix="mu-edits-") as scratch:
                kinds, chance = options.kinds.split(","), random.Random(options.seed + script)
                edits = Script(kinds, options.edits, options.scratch == "each", chance)
                results.append(edit_tree(folder, Path(scratch), edits))
    _print(results)
    sys.exit(any(result.different for result in results))


def edit_tree(source: Path, scratch: Path, script: Script) -> Edits:
    """Edit a copy of a tree, and hold each graph against one from scratch."""
    root, anew, chance = scratch / "tree", scratch / "anew", script.chance
    ignored = shutil.ignore_patterns(".git", ".mubase*", "node_modules")
    shutil.copytree(source, root, ignore=ignored)
    settings = BuildSettings(facts=scratch / "facts")
    build(root, settings)
    result = Edits(source.resolve().name, len(source_files(root)))
    while result.kinds.total() < script.count:
        kind = chance.choice(script.kinds)
        done = _edit(root, kind, chance)
        if not done:
            continue
        result.kinds[kind] += 1
        with _reasons() as why:
            report = build(root, settings)
        is_last = script.is_each or result.kinds.total() == script.count
        anew.unlink(missing_ok=True)
        whole = build(root, replace(settings, is_full=is_last), graph_file=anew)
        is_built = report.updated is None and not report.is_unchanged
        (result.built if is_built else result.updated).append(report.seconds)
        if is_built:
            result.reasons[why[-1] if why else "it is not told"] += 1
        result.whole.append(whole.seconds)
        if not _are_same(report, whole) or tables(root / ".mubase") != tables(anew):
            result.different.append(f"{kind} in {done}")
            build(root, replace(settings, is_full=True))
    return result


@contextmanager
def _reasons() -> Iterator[list[str]]:
    """Collect why an update is not made, without the names of files and their number."""
    found: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = record.getMessage().rpartition(": ")[2]
            if record.msg.startswith("not "):
                found.append(re.sub(r"^\S+[./]\S+ |\d+ ", "", text))

    loggers = [logging.getLogger(f"mu.kernel.{name}") for name in ("updating", "relinking")]
    listener = Listener()
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
        logger.addHandler(listener)
    try:
        yield found
    finally:
        for logger in loggers:
            logger.removeHandler(listener)


def _edit(root: Path, kind: str, chance: random.Random) -> str:
    """Make an edit of a kind; give the file, or nothing where none could be made."""
    if kind == "switch":
        kinds = [one for one in (*KINDS, *FILE_KINDS) if one != kind]
        done = [_edit(root, chance.choice(kinds), chance) for _ in range(_AT_ONCE)]
        return ", ".join(filter(None, done))
    path = chance.choice(page_files(root) if kind in PAGE_KINDS else source_files(root))
    if kind in FILE_KINDS:
        return path.relative_to(root).as_posix() if FILE_KINDS[kind](path, chance) else ""
    return path.relative_to(root).as_posix() if edit_file(path, KINDS[kind], chance) else ""


def page_files(root: Path) -> list[Path]:
    """Give the pages of a tree, in order; its files of code where it has none."""
    found = sorted(root.rglob("*"))
    return [path for path in found if path.suffix in _PAGES and path.is_file()] or source_files(
        root
    )


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
    kind(lines, _MARKS.get(path.suffix, "#"), chance)
    path.write_text("\n".join(lines), encoding="utf-8")
    return "\n".join(lines) != before


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


def _base(lines: Lines, mark: str, chance: random.Random) -> None:
    """Have a class extend another one of the file, or none."""
    places = [place for place, line in enumerate(lines) if _CLASS.fullmatch(line)]
    if not places:
        return
    names = [found[1] for line in lines if (found := re.search(r"\bclass (\w+)", line))]
    place, name = chance.choice(places), chance.choice(["", *names])
    before, _, after = _CLASS.fullmatch(lines[place]).groups()
    base = f"({name})" if mark == "#" else f" extends {name}"
    lines[place] = f"{before}{base if name else ''}{after}"


def _rename(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Call what the file defines by another name, throughout."""
    names = [name for line in lines for name in _DEFINITION.findall(line)]
    if names:
        name = chance.choice(names)
        lines[:] = [re.sub(rf"\b{name}\b", f"{name}_other", line) for line in lines]


def _page(lines: Lines, _mark: str, chance: random.Random) -> None:
    """Write a line of a page once more somewhere else, or leave it out."""
    line = lines.pop(chance.randrange(len(lines)))
    if chance.random() < 0.7:
        for _ in range(2):
            lines.insert(chance.randrange(len(lines) + 1), line)


Kind = Callable[[Lines, str, random.Random], None]

KINDS: dict[str, Kind] = {
    "comment": _comment,
    "blank": _blank,
    "uncomment": _uncomment,
    "call": _call,
    "statement": _statement,
    "gone": _gone,
    "name": _name,
    "base": _base,
    "rename": _rename,
    "page": _page,
}


def _add(path: Path, chance: random.Random) -> bool:
    shutil.copyfile(path, _beside(path, chance))
    return True


def _move(path: Path, chance: random.Random) -> bool:
    path.rename(_beside(path, chance))
    return True


def _remove(path: Path, _chance: random.Random) -> bool:
    path.unlink()
    return True


def _beside(path: Path, chance: random.Random) -> Path:
    return path.with_name(f"{path.stem}_{chance.randrange(10**6)}{path.suffix}")


def _as_package(path: Path, _chance: random.Random) -> bool:
    """Make a package of a module."""
    stem = _PACKAGES.get(path.suffix, path.stem)
    folder = path.with_suffix("")
    if path.stem in _PACKAGES.values() or folder.exists():
        return False
    folder.mkdir()
    path.rename(folder / f"{stem}{path.suffix}")
    return True


def _shadow(path: Path, chance: random.Random) -> bool:
    """Bind a name that the file uses, at a random place."""
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    lines, words = text.split("\n"), _WORD.findall(text)
    if not words:
        return False
    place = chance.randrange(len(lines))
    line = _SHADOWS.get(path.suffix, "const {} = null;").format(chance.choice(words))
    lines.insert(place, _indent(lines[place]) + line)
    path.write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")
    return True


def _give_out(path: Path, chance: random.Random) -> bool:
    """Give out what a module beside the file defines."""
    other = chance.choice([one for one in path.parent.iterdir() if one.suffix == path.suffix])
    names = _DEFINITION.findall(other.read_text(encoding="utf-8", errors="replace"))
    if other == path or not names or path.suffix not in _GIVEN_OUT:
        return False
    text = path.read_bytes()
    line = _GIVEN_OUT[path.suffix].format(other.stem, chance.choice(names))
    path.write_bytes(text + f"\n{line}\n".encode())
    return True


FileKind = Callable[[Path, random.Random], bool]
FILE_KINDS: dict[str, FileKind] = {
    "add": _add,
    "move": _move,
    "remove": _remove,
    "package": _as_package,
    "shadow": _shadow,
    "export": _give_out,
    "page-add": _add,
    "page-move": _move,
    "page-remove": _remove,
}
PAGE_KINDS = frozenset(("page", "page-add", "page-move", "page-remove"))
"""Those of pages."""


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
    reasons = sum((result.reasons for result in results), Counter[str]())
    for reason, count in reasons.most_common():
        print(f"{count} builds: {reason}")


def _seconds(times: Sequence[float]) -> str:
    return f"{median(times):.2f}" if times else "-"
