"""The commits that changed a definition, followed through merges, and renames and moves of both.

Where a commit leaves the lines of a definition alone, they are only shifted. Where it does not, the
file before is parsed, and the definition looked for in it by name. One that is not there was
renamed in its file, or moved from another one that the commit changed, if a text there is alike by
the measure of `mu diff`; else the commit added it.
"""

import heapq
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mu.analysis.review.blame import Bounds, kept_lines, limit_note
from mu.analysis.review.similarity import fingerprint, likeness
from mu.source.git.commits import CommitLine, Commits, CutHistoryError, Hunk, Version

_SAME_NAME = 0.5
_RENAMED = 0.6
_BOTH = 0.8  # alike from here on with another name in another file
_MOST_FILES = 40  # files from which one may have moved
_SHORTEST = 4  # lines of one that was renamed and moved at once

PARSED = ("class", "function")
"""Kinds of definitions that are found by parsing; others are followed by their lines alone."""


@dataclass(frozen=True, slots=True)
class Span:
    """A definition in a file: its dotted name there, and its lines from 1, decorators included."""

    kind: str
    name: str
    start: int
    end: int

    @property
    def last_name(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]


ReadSpans = Callable[[Sequence[str]], Sequence[Sequence[Span]]]
"""Gives the classes and functions of files by their blobs; none of one that cannot be parsed."""


@dataclass(frozen=True, slots=True)
class SymbolChange:
    """A commit that `added`, `changed`, `renamed` or `moved` a definition.

    `path`, `name` and `line` are those after it, `before` is `path:name` before where they differ.
    """

    commit: CommitLine
    change: str
    path: str
    name: str
    line: int
    before: str = ""


@dataclass(frozen=True, slots=True)
class SymbolHistory:
    """The changes, newest first, and why there are not more; empty where they are all there are."""

    changes: tuple[SymbolChange, ...]
    stopped: str = ""


_Place = tuple[Version, Span]
_Step = tuple[list[_Place], SymbolChange | None]


def follow(
    commits: Commits, version: Version, *, span: Span, read: ReadSpans, most: int, bounds: Bounds
) -> SymbolHistory:
    """List at most `most` commits that changed a definition, from a version of its file on."""
    tracker = _Tracker(commits, read)
    changes: list[SymbolChange] = []
    queue = [(-version.time, 0, (version, span))]
    known = {(version.commit, version.path, span)}
    end, number = time.monotonic() + bounds.seconds, 0
    while queue:
        place = heapq.heappop(queue)[2]
        number += 1
        if number > bounds.commits or time.monotonic() > end:
            return SymbolHistory(tuple(changes), limit_note(commits, place[0], number=number - 1))
        if len(changes) == most:
            return SymbolHistory(tuple(changes), f"there may be more than {most:,}")
        try:
            onward, change = tracker.step(*place)
        except CutHistoryError:
            at = place[0].commit[:10]
            return SymbolHistory(tuple(changes), f"the history before {at} is not in this clone")
        changes += [change] if change else []
        for following in onward:
            key = (following[0].commit, following[0].path, following[1])
            if key not in known:
                known.add(key)
                heapq.heappush(queue, (-following[0].time, number * 100 + len(queue), following))
    return SymbolHistory(tuple(changes))


class _Tracker:
    """Takes one definition from a commit to its parents."""

    def __init__(self, commits: Commits, read: ReadSpans) -> None:
        self._commits = commits
        self._read = read

    def step(self, version: Version, span: Span) -> _Step:
        """Give where the definition was before a commit, and what the commit did to it."""
        commits = self._commits
        if commits.is_first(version):
            return [], self._told(version, span, "added")
        parents = [parent for parent in commits.parents(version) if parent is not None]
        for parent in parents:
            shifted = self._shifted(parent, version, span)
            if shifted is not None:
                return [(parent, shifted)], self._moved(version, span, (parent, shifted))
        found = [
            (parent, before) for parent in parents if (before := self._find(parent, version, span))
        ]
        if not found:
            origin = self._origin(version, span)
            change = self._moved(version, span, origin) if origin else None
            return [origin] if origin else [], change or self._told(version, span, "added")
        text = self.text(version, span)
        for place in found:
            if self.text(*place) == text:
                return [place], self._moved(version, span, place)
        if len(parents) > 1:
            is_own = self._has_own_lines(version, span, parents)
            return found, self._told(version, span, "changed") if is_own else None
        (place,) = found
        change = self._moved(version, span, place) or self._told(version, span, "changed")
        return [place], change

    def text(self, version: Version, span: Span) -> list[bytes]:
        """Give the lines of a definition, without space at their ends."""
        lines = self._commits.data(version.blob).split(b"\n")
        return [line.rstrip() for line in lines[span.start - 1 : span.end]]

    def _told(self, version: Version, span: Span, change: str, before: str = "") -> SymbolChange:
        path = self._commits.below(version.path)
        told = self._commits.told(version)
        return SymbolChange(told, change, path, span.name, span.start, before)

    def _moved(self, version: Version, span: Span, place: _Place) -> SymbolChange | None:
        """Give a change of the file's or the definition's name; None where both are the same."""
        before, old = place
        if (before.path, old.name) == (version.path, span.name):
            return None
        change = "moved" if before.path != version.path else "renamed"
        path = self._commits.below(before.path)
        return self._told(version, span, change, f"{path}:{old.name}" if old.name else path)

    def _shifted(self, parent: Version, version: Version, span: Span) -> Span | None:
        """Give where the lines were in a parent that has all of them, as they are."""
        if parent.blob == version.blob:
            return span
        if span.kind in ("module", "document"):
            return None
        hunks = self._commits.hunks(parent.blob, version.blob)
        is_parsed = span.kind in PARSED
        if any(_touches(hunk, span, with_edges=is_parsed) for hunk in hunks):
            return None
        shift = _shift(hunks, span.start)
        return replace(span, start=span.start + shift, end=span.end + shift)

    def _find(self, parent: Version, version: Version, span: Span) -> Span | None:
        """Find the definition in the file of a parent: by name, else one that was renamed."""
        if span.kind in ("module", "document"):
            end = self._commits.data(parent.blob).count(b"\n") + 1
            return replace(span, start=1, end=end)
        if span.kind not in PARSED:
            return self._find_lines(parent, version, span)
        inside = self._between_edges(parent, version, span)
        if inside is not None:
            return inside
        (before,) = self._read([parent.blob])
        same = [one for one in before if (one.kind, one.name) == (span.kind, span.name)]
        if same:
            goal = span.start + _shift(self._commits.hunks(parent.blob, version.blob), span.start)
            return min(same, key=lambda one: abs(one.start - goal))
        (after,) = self._read([version.blob])
        kept = {(one.kind, one.name) for one in after}
        gone = [(parent, one) for one in before if (one.kind, one.name) not in kept]
        found = self._most_alike(gone, (version, span), other_name=_RENAMED)
        return found[1] if found else None

    def _between_edges(self, parent: Version, version: Version, span: Span) -> Span | None:
        """Give what is between the first and the last line before, where both stayed as they are.

        Nothing is parsed then. Lines that went right before or after could have been a part of it.
        """
        hunks = self._commits.hunks(parent.blob, version.blob)
        edges = (replace(span, end=span.start), replace(span, start=span.end))
        if any(_touches(hunk, edge, with_edges=True) for hunk in hunks for edge in edges):
            return None
        start, end = (line + _shift(hunks, line) for line in (span.start, span.end))
        return replace(span, start=start, end=end)

    def _find_lines(self, parent: Version, version: Version, span: Span) -> Span | None:
        """Give what the lines were: those that stayed, and those in whose place they came."""
        hunks = self._commits.hunks(parent.blob, version.blob)
        kept = kept_lines(hunks, range(span.start, span.end + 1)).values()
        lines = [*kept, *(line for hunk in hunks for line in _replaced(hunk, span))]
        if not lines:
            return None
        found = replace(span, start=min(lines), end=max(lines))
        text = b"\n".join(self.text(parent, found))
        is_there = span.kind != "variable" or span.last_name.encode() in text
        return found if is_there else None

    def _origin(self, version: Version, span: Span) -> _Place | None:
        """Find the definition in another file that the commit took it out of."""
        if span.kind not in PARSED:
            return None
        suffix = version.path.rpartition(".")[2]
        name = span.last_name.encode()
        files = [
            (old, now)
            for old, now in self._commits.changed_files(version)
            if old.path.rpartition(".")[2] == suffix
        ]
        files.sort(key=lambda file: name not in self._commits.data(file[0].blob))
        files = files[:_MOST_FILES]
        before = self._read([old.blob for old, _ in files])
        after = iter(self._read([now for _, now in files if now]))
        gone: list[_Place] = []
        for (old, now), spans in zip(files, before, strict=True):
            kept = {(one.kind, one.name) for one in next(after)} if now else set()
            gone += [(old, one) for one in spans if (one.kind, one.name) not in kept]
        return self._most_alike(gone, (version, span), other_name=_BOTH)

    def _most_alike(
        self, places: Iterable[_Place], goal: _Place, *, other_name: float
    ) -> _Place | None:
        """Give the place whose text is most like that of the goal, if one is alike enough."""
        version, span = goal
        lines = self._lines(version, span)
        whole = fingerprint(lines, name=span.last_name)
        best: tuple[float, _Place] | None = None
        for place in places:
            before = place[1]
            is_same = before.last_name == span.last_name
            if before.kind != span.kind or (
                not is_same and other_name == _BOTH and before.end - before.start + 1 < _SHORTEST
            ):
                continue
            other = fingerprint(self._lines(*place), name=before.last_name)
            score = likeness(whole, other, least=_SAME_NAME if is_same else other_name)
            if score and (best is None or score + is_same > best[0]):
                best = score + is_same, place
        return best[1] if best else None

    def _lines(self, version: Version, span: Span) -> list[str]:
        return [line.decode("utf-8", "replace") for line in self.text(version, span)]

    def _has_own_lines(self, version: Version, span: Span, parents: Sequence[Version]) -> bool:
        """Tell whether a merge commit has lines of the definition that no parent has."""
        lines = set(range(span.start, span.end + 1))
        for parent in parents:
            lines -= kept_lines(self._commits.hunks(parent.blob, version.blob), lines).keys()
        return bool(lines)


def _touches(hunk: Hunk, span: Span, *, with_edges: bool) -> bool:
    """Tell whether lines were inserted in or deleted from a span, or at its edges."""
    if hunk.new_lines:
        return hunk.new_start <= span.end and hunk.new_start + hunk.new_lines > span.start
    edge = int(with_edges)
    return span.start - edge <= hunk.new_start < span.end + edge


def _replaced(hunk: Hunk, span: Span) -> Iterator[int]:
    """Give the old lines of a hunk that has new lines in a span, or lacks lines within it."""
    if _touches(hunk, span, with_edges=False):
        yield from range(hunk.old_start, hunk.old_start + hunk.old_lines)


def _shift(hunks: Iterable[Hunk], line: int) -> int:
    """Give how much further down a line was before, by the hunks that end above it."""
    shift = 0
    for hunk in hunks:
        if hunk.new_start + max(hunk.new_lines - 1, 0) >= line and hunk.new_lines:
            break
        if not hunk.new_lines and hunk.new_start >= line:
            break
        shift += hunk.old_lines - hunk.new_lines
    return shift
