"""`mu` without a command: what MU is, what is in the graph, and what to ask first."""

import re
import sys

import click

from mu.cli.arguments import options
from mu.cli.terminal import width
from mu.operations.packing.part_overview import MOST_LISTED
from mu.operations.packing.repository_summary import RepositorySummary, summary
from mu.render.parts import columns_of, without_inner_folders, without_middle
from mu.render.text import printable

_WITHOUT = """\
mu answers structural questions about a repository: callers, impact, paths, dead code.

There is no graph here yet. Build it, then ask:

  mu kernel build
  mu search WORDS
  mu callers NAME
  mu agent ask "what handles authentication?"

`mu mcp install claude` gives it to a coding assistant; `mu --help` lists all commands.
"""

_PATH = re.compile(r"\S+/\S+")
_LENGTH = re.compile(r", [\d,]+ lines?(?=,)")

_FOLDERS = re.compile(r"(?<=\s)\S*/(?=\S)")

_NEXT = "Ask: mu search WORDS, mu callers NAME, mu impact NAME, mu agent ask TEXT"


def show(start: str | None) -> None:
    """Write the front page to standard output, at most 25 lines that fit the terminal."""
    with options.workspace_if_any(start) as workspace:
        if workspace is None:
            sys.stdout.write(_WITHOUT)
            return
        found = summary(workspace)
    room = width() if sys.stdout.isatty() else 100
    for line in front_page(found):
        click.echo(_within(printable(line), room))


def _within(line: str, room: int) -> str:
    """Shorten the paths of a line, the longest first, so that it fits; then leave out what matters
    least: how long a function is, and in the end the folders.
    """
    for path in sorted(_PATH.findall(line), key=len, reverse=True):
        over = columns_of(line) - room
        if over <= 0:
            return line
        least = columns_of(path.rpartition("/")[2]) + 2
        short = without_inner_folders(path, max(columns_of(path) - over, least))
        line = line.replace(path, short, 1)
    for less in (_LENGTH, _FOLDERS):
        line = less.sub("", line) if columns_of(line) > room else line
    return without_middle(line, room)


def front_page(found: RepositorySummary) -> list[str]:
    """Give the lines of the front page."""
    lines = [
        f"{found.name}: {found.files:,} files, {found.lines:,} lines; "
        f"graph of {found.nodes:,} nodes and {found.edges:,} edges"
    ]
    lines += [f"note: {note}" for note in found.notes]
    for each in found.lists:
        shown = len(each.items)
        total = f"{each.total} or more" if each.total == MOST_LISTED else str(each.total)
        count = f" ({shown} of {total})" if shown < each.total else ""
        lines.append(f"{each.title}{count}")
        lines += [f"  {item}" for item in each.items]
    return [*lines[:24], _NEXT]
