"""Ask the same questions through MU's tools and by search and reading, and count characters.

Search and reading is scripted: the lines that a regular expression finds in the sources, each with
its path and number, and 20 lines around each of the first 15 that are not in tests. A person reads
less of what does not matter and searches again for what was missed, so it is a yardstick and no
rival. An answer counts when all places that were found by reading stand in it.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from mu.errors import MuError
from mu.mcp import tools
from mu.operations.workspace import Workspace

_AROUND = 20
_READ = 15


class Comparison(NamedTuple):
    """Characters that an answer puts into the window either way, and whether it is all there."""

    ask: str
    mu: int
    mu_is_whole: bool
    search: int
    search_is_whole: bool


def compare(repository: str, root: Path) -> Iterator[Comparison]:
    """Ask the questions about a repository whose source is at `root`; builds nothing."""
    text = (files(__package__) / "questions.toml").read_text(encoding="utf-8")
    known = tomllib.loads(text)[repository]
    with Workspace.find(root) as workspace:
        for question in known["questions"]:
            tool = getattr(tools, question["tool"])
            try:
                answer = tool(workspace, **question["arguments"]).text
            except MuError as error:
                answer = f"{error.message}\n{error.hint}"
            found = _search(root, question["search"], suffix=known["suffix"])
            expected = question["expected"]
            yield Comparison(
                question["ask"],
                len(answer),
                all(_has(answer, place) for place in expected),
                len(found),
                all(place in found for place in expected),
            )


def _has(answer: str, place: str) -> bool:
    """Whether an answer has a place, which may stand behind another one: `a.py:3 ... (also 7)`."""
    path, _, number = place.rpartition(":")
    also = re.compile(rf"(?m)^{re.escape(path)}:\d+ .*\(also [\d, ]*\b{re.escape(number)}\b")
    return place in answer or also.search(answer) is not None


def _search(root: Path, patterns: list[str], *, suffix: str) -> str:
    """Give the lines found, and the source around those outside of tests."""
    pattern = re.compile("|".join(patterns))
    lines: list[str] = []
    windows: list[str] = []
    for path in sorted(root.rglob(f"*{suffix}")):
        source = path.read_text(encoding="utf-8", errors="replace").splitlines()
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(source, start=1):
            if not pattern.search(line):
                continue
            lines.append(f"{name}:{number}:{line}")
            if "test" not in name and len(windows) < _READ:
                first = max(number - 1 - _AROUND, 0)
                windows.append("\n".join(source[first : number + _AROUND]))
    return "\n".join([*lines, *windows])


def run(options: argparse.Namespace) -> None:
    """Print a row for each question of the repositories given as NAME=FOLDER."""
    total = [0, 0, 0, 0]
    print("| question | MU, characters | whole | search and reading | whole |")
    print("|---|---|---|---|---|")
    for given in options.repositories:
        name, _, folder = given.partition("=")
        for row in compare(name, Path(folder)):
            print(
                f"| {row.ask} | {row.mu:,} | {_yes(row.mu_is_whole)} | {row.search:,} "
                f"| {_yes(row.search_is_whole)} |"
            )
            counted = (row.mu, row.mu_is_whole, row.search, row.search_is_whole)
            total = [sum(pair) for pair in zip(total, counted, strict=True)]
    print(f"| all | {total[0]:,} | {total[1]} | {total[2]:,} | {total[3]} |")
    sys.stdout.flush()


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
