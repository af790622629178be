"""Makes cases of retrieval from a clone: what a fix says, and what it changed.

The texts are those of commits that mend something; what would give the answer away is taken out:
paths, whatever is set as code or written as a name, and every word that is the name of a file,
class or function that the fix changed. The answer is what it changed, as it was called in one
snapshot from before all fixes, which is what everybody is asked of.
"""

import ast
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

MOST_FILES = 4
"""A change of more source files is no fix of one thing."""

MOST_LINES = 200
FEWEST_WORDS = 5

_FIX = re.compile(
    r"\b(?:fix(?:e[sd])?|bug|issue|regression|crash\w*|wrong\w*|incorrect\w*|broken|fail\w*|error\w*"
    r"|leak\w*|raise[sd]?|missing|prevent\w*|avoid\w*|correct(?:ly|s|ed)?|handle[sd]?|allow\w*)\b",
    re.IGNORECASE,
)
_CHORE = re.compile(
    r"\b(?:typos?|docs?|documentation|changelog|lint\w*|mypy|pyright|ruff|flake8|black|isort|typing"
    r"|type hints?|annotations?|pre-commit|release|version|ci|workflow|bump|deprecat\w*|refactor\w*"
    r"|revert|tests?|cleanup|rename\w*|format\w*|comments?|docstrings?|spelling)\b",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"^(?:[\w-]+-by:|cc:|\(cherry picked|signed|see also:).*$", re.I | re.M)
_LINK = re.compile(r"https?://\S+|(?<!\w)(?:GH-|#)\d+\b|\b[0-9a-f]{7,40}\b|@\w+")
_CODE = re.compile(r"```.*?```|``[^`]*``|`[^`]*`", re.DOTALL)
_NAME = re.compile(
    r"\S*[/\\]\S*|\b\w+(?:\.\w+)+(?:\(\))?|\b\w*_\w*|\b\w+\(\)|\b[A-Za-z]*[a-z][A-Z]\w*"
)
_WORD = re.compile(r"[A-Za-z]{3,}")
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """A text, and the files and functions (as `path:Class.name`) that its fix changed."""

    commit: str
    text: str
    files: tuple[str, ...]
    functions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """Cases of one clone, and the commit that is asked for them."""

    snapshot: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class _Fix:
    commit: str
    parent: str
    message: str
    files: tuple[str, ...]


def make_cases(clone: Path, *, most: int, windows: int = 1) -> tuple[Cases, ...]:
    """Take the newest fixes of a clone: `most` for each of so many snapshots from before them.

    Of the fixes that are left at the end less than half as many are no snapshot's.
    """
    fixes = iter(_fixes(clone))
    found = []
    while len(found) < windows and (part := list(islice(fixes, most))):
        if found and len(part) < most / 2:
            break
        snapshot = part[-1].parent
        known = set(_git(clone, "ls-tree", "-r", "--name-only", snapshot).splitlines())
        cases = [_case(clone, fix, known) for fix in part]
        found.append(Cases(snapshot, tuple(case for case in cases if case)))
    return tuple(found)


def _fixes(clone: Path) -> Iterator[_Fix]:
    """Give the commits that mend source, the newest first."""
    form = "--format=%x01%H%x02%P%x02%B%x03"
    log = _git(clone, "log", "-n", "6000", "--no-merges", "--numstat", form, is_checked=False)
    for entry in log.split("\x01")[1:]:
        head, _, stat = entry.partition("\x03")
        commit, parents, message = head.split("\x02")
        subject = message.strip().split("\n")[0]
        if not parents or not _FIX.search(message) or _CHORE.search(subject):
            continue
        rows = [line.split("\t") for line in stat.strip().splitlines() if line.count("\t") == 2]
        changed = [(row[2], int(row[0]) + int(row[1])) for row in rows if row[0].isdigit()]
        source = [(path, lines) for path, lines in changed if is_source(path)]
        size = sum(lines for _, lines in source)
        if 1 <= len(source) <= MOST_FILES and size <= MOST_LINES:
            paths = tuple(path for path, _ in source)
            yield _Fix(commit, parents.split()[0], message, paths)


def is_source(path: str) -> bool:
    """Tell a Python source that is no test, example or setting of a tool."""
    parts = PurePosixPath(path).parts
    aside = {"tests", "test", "testing", "docs", "doc", "examples", "example", "scripts", "tools"}
    name = parts[-1]
    is_test = name.startswith("test_") or name in {"conftest.py", "setup.py", "noxfile.py"}
    return name.endswith(".py") and not is_test and not aside & set(parts[:-1])


def _case(clone: Path, fix: _Fix, known: set[str]) -> Case | None:
    files = tuple(path for path in fix.files if path in known)
    functions = tuple(dict.fromkeys(f for path in files for f in _functions(clone, fix, path)))
    text = without_answer(fix.message, files, functions)
    if not files or len(set(_WORD.findall(text.lower()))) < FEWEST_WORDS:
        return None
    return Case(fix.commit, text, files, functions)


def without_answer(message: str, files: Sequence[str], functions: Sequence[str]) -> str:
    """Take out of a message what gives the answer away."""
    text = _TRAILER.sub(" ", message)
    for pattern in (_CODE, _LINK, _NAME):
        text = pattern.sub(" ", text)
    names = {part for name in functions for part in name.rpartition(":")[2].split(".")}
    for path in files:
        names |= {PurePosixPath(path).stem, PurePosixPath(path).parent.name}
    given = {name.strip("_").lower() for name in names}
    return " ".join(word for word in text.split() if word.strip(".,:;()'\"!?").lower() not in given)


def _functions(clone: Path, fix: _Fix, path: str) -> list[str]:
    """Give the innermost definitions whose lines a fix changed, as they were before it."""
    before = _git(clone, "show", f"{fix.parent}:{path}", is_checked=False)
    difference = _git(clone, "diff", "-U0", fix.parent, fix.commit, "--", path)
    try:
        spans = list(_spans(ast.parse(before), ""))
    except SyntaxError:
        return []
    found = []
    for hunk in _HUNK.finditer(difference):
        first, count = int(hunk[1]), int(hunk[2] or 1)
        for line in range(first, first + max(count, 1)):
            holding = [span for span in spans if span[0] <= line <= span[1]]
            if holding:
                found.append(f"{path}:{max(holding)[2]}")
    return found


def _spans(tree: ast.AST, prefix: str) -> Iterator[tuple[int, int, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}{node.name}"
            if not isinstance(node, ast.ClassDef):
                yield node.lineno, node.end_lineno or node.lineno, name
            yield from _spans(node, f"{name}.")
        else:
            yield from _spans(node, prefix)


def _git(clone: Path, *arguments: str, is_checked: bool = True) -> str:
    command = ["git", "-C", str(clone), *arguments]
    result = subprocess.run(command, capture_output=True, check=is_checked)
    return result.stdout.decode("utf-8", "replace")
