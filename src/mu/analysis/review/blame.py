"""Which commit each line of a file came with, through merges and renames of the file.

As in `git blame`, lines are passed from a commit to the parents that have them; a line that no
parent has came with the commit. Commits are visited newest first.
"""

import heapq
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count

from mu.source.git.commits import CommitLine, Commits, CutHistoryError, Hunk, Version


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a history is followed: maximum number of commits, and of seconds."""

    commits: int = 100_000
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """The commit that a line came with, and where the line was in it: path and number, from 1."""

    commit: CommitLine
    path: str
    line: int


@dataclass(slots=True)
class Blame:
    """The lines that were found, by number; `stopped` says why others were not, empty if none."""

    lines: dict[int, BlamedLine] = field(default_factory=dict)
    stopped: str = ""


_Sought = dict[int, tuple[int, ...]]
"""Lines of a commit, each with the lines of today that it became."""


def blame(commits: Commits, start: Version, *, lines: Iterable[int], bounds: Bounds) -> Blame:
    """Find the commits that lines of a version of a file came with."""
    found = Blame()
    pending: dict[Version, _Sought] = {start: {line: (line,) for line in lines}}
    queue = [(-start.time, 0, start)]
    end, number, order = time.monotonic() + bounds.seconds, 0, count(1)
    while queue:
        _, _, version = heapq.heappop(queue)
        sought = pending.pop(version, {})
        if not sought:
            continue
        number += 1
        if number > bounds.commits or time.monotonic() > end:
            found.stopped = limit_note(commits, version, number=number - 1)
            return found
        for parent, handed in _step(commits, version, sought, found):
            there = pending.setdefault(parent, {})
            for line, places in handed.items():
                there[line] = (*there.get(line, ()), *places)
            heapq.heappush(queue, (-parent.time, next(order), parent))
    return found


def limit_note(commits: Commits, version: Version, *, number: int) -> str:
    """Say at which commit a history was cut, and after how many."""
    told = commits.told(version)
    return f"stopped at {told.id} of {told.date}, after {number:,} commits"


def _step(
    commits: Commits, version: Version, sought: _Sought, found: Blame
) -> Iterable[tuple[Version, _Sought]]:
    """Pass lines on to the parents that have them; lines that none has came with the commit."""
    try:
        parents = [] if commits.is_first(version) else list(commits.parents(version))
        same = next((one for one in parents if one and one.blob == version.blob), None)
        if same is not None:
            return [(same, sought)]
        handed = []
        for parent in filter(None, parents):
            kept = kept_lines(commits.hunks(parent.blob, version.blob), sought)
            if kept:
                handed.append((parent, {kept[line]: sought.pop(line) for line in kept}))
    except CutHistoryError:
        found.stopped = f"the history before {version.commit[:10]} is not in this clone"
        handed = []
    told = commits.told(version)
    path = commits.below(version.path)
    for line, places in sought.items():
        found.lines.update(dict.fromkeys(places, BlamedLine(told, path, line)))
    return handed


def kept_lines(hunks: Iterable[Hunk], lines: Iterable[int]) -> Mapping[int, int]:
    """Give those lines of a new text that are in the old one, with their numbers there."""
    kept: dict[int, int] = {}
    left = iter(sorted(lines))
    line = next(left, None)
    shift = 0
    for hunk in hunks:
        first = hunk.new_start if hunk.new_lines else hunk.new_start + 1
        while line is not None and line < first:
            kept[line] = line + shift
            line = next(left, None)
        while line is not None and line < first + hunk.new_lines:
            line = next(left, None)
        shift += hunk.old_lines - hunk.new_lines
    while line is not None:
        kept[line] = line + shift
        line = next(left, None)
    return kept
