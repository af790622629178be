"""`mu diff` as text: breaking changes first, then all changes by kind."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mu.analysis.review.findings import Aspect, Change, ChangeKind, CycleChange, DependencyChange
from mu.operations.revisions.diff import Diff
from mu.render.parts import ListingLine, Part
from mu.render.text import printable

_SITES_SHOWN = 5
_MEMBERS_SHOWN = 10
_DECORATORS_SHOWN = 3
_TITLES = {
    ChangeKind.REMOVED: "removed",
    ChangeKind.RENAMED: "renamed",
    ChangeKind.MOVED: "moved",
    ChangeKind.ADDED: "added",
    ChangeKind.CHANGED: "changed",
}
_QUIET = frozenset({Aspect.DOCSTRING, Aspect.COMMENTS, Aspect.TYPES})


def diff_lines(result: Diff, *, with_tests: bool) -> Iterator[ListingLine]:
    """Write a group for each kind of change, without documents, and tests unless asked for."""
    code = [one for one in result.changes if one.kind != "document"]
    shown = [one for one in code if with_tests or not one.is_test]
    breaking = [one for one in shown if one.breaking]
    yield from _group("breaking", (line for one in breaking for line in _breaking(one)))
    unfit = [one for one in result.changes if one.broken]
    yield from _group("references that do not fit any more", _broken_references(unfit))
    yield from _group("cycles", (line for one in result.cycles for line in _cycle(one)))
    own = [row for row in result.dependencies if with_tests or not _is_test(row, result)]
    yield from _group("dependencies", (_dependency(one) for one in own))
    for kind, title in _TITLES.items():
        rows = [one for one in shown if one.change is kind and not _is_listed_elsewhere(one)]
        yield from _group(title, (line for one in _ordered(rows) for line in _row(one)))
    quiet = Counter(
        " and ".join(one.aspects)
        for one in shown
        if one.change is ChangeKind.CHANGED and set(one.aspects) <= _QUIET
    )
    for what, count in sorted(quiet.items()):
        text = f"{_definitions(count)} changed in {what} alone"
        yield ListingLine(((Part.TEXT, text),))


def summary_line(result: Diff) -> str:
    """Sum a difference up in one line."""
    files = [
        f"{count:,} {what}"
        for count, what in (
            (result.files_changed, "changed"),
            (result.files_added, "added"),
            (result.files_removed, "removed"),
        )
        if count
    ]
    if not files:
        return f"{result.before} -> {result.after}: no source file differs"
    parts = [f"files: {', '.join(files)}"]
    if result.counts:
        parts.append(
            "definitions: " + ", ".join(f"{n:,} {kind}" for kind, n in result.counts.items())
        )
    if result.breaking:
        parts.append(f"{result.breaking:,} breaking")
    if result.complexity_before != result.complexity_after:
        parts.append(f"complexity {result.complexity_before:,} -> {result.complexity_after:,}")
    return f"{result.before} -> {result.after}: {'; '.join(parts)}"


def unlisted_line(result: Diff, *, with_tests: bool) -> str:
    """Count the changes that are not listed: in tests and documents."""
    tests = 0 if with_tests else sum(one.is_test for one in result.changes)
    documents = sum(one.kind == "document" for one in result.changes)
    parts = []
    if tests:
        parts.append(f"{tests:,} in tests (--tests)")
    if documents:
        parts.append("1 document" if documents == 1 else f"{documents:,} documents")
    return f"not listed: {', '.join(parts)}" if parts else ""


def definition_line(change: Change) -> str:
    """Write kind and name of a definition: `function a.b`."""
    return f"{change.kind} {change.name}"


def former_place(change: Change) -> str:
    """Write where a moved or renamed definition was; empty for others."""
    if not change.before_id or change.change not in (ChangeKind.MOVED, ChangeKind.RENAMED):
        return ""
    before = change.before_id.partition(":")[2]
    return f"from {before}"


def has_other_complexity(change: Change) -> bool:
    """Tell whether the complexity of a definition that is on both sides changed."""
    is_there = change.change not in (ChangeKind.ADDED, ChangeKind.REMOVED)
    return is_there and change.complexity_before != change.complexity_after


def _group(title: str, lines: Iterator[ListingLine]) -> Iterator[ListingLine]:
    rows = list(lines)
    if rows:
        count = sum(line.rows for line in rows)
        yield ListingLine(((Part.HEADING, f"{title} ({count})"),), rows=0)
        yield from rows


def _breaking(change: Change) -> Iterator[ListingLine]:
    what = f"{change.kind} {change.before_name or change.name}"
    yield _line(change.path, change.line, f"{what}: {'; '.join(change.breaking)}")
    if change.before and change.after and change.before != change.after:
        yield from _texts(change)


def _broken_references(changes: Sequence[Change]) -> Iterator[ListingLine]:
    for change in changes:
        for site in change.broken[:_SITES_SHOWN]:
            maybe = "" if site.is_certain else ", if it is meant"
            text = f"{site.text}: {site.why}{maybe} ({change.before_name})"
            yield _line(site.path, site.line, text)
        rest = len(change.broken) - _SITES_SHOWN
        if rest > 0:
            yield _plain(f"    and {rest} more of {change.name}")


def _row(change: Change) -> Iterator[ListingLine]:
    details = [
        ", ".join(change.aspects),
        *change.decorators[:_DECORATORS_SHOWN],
        former_place(change),
    ]
    if change.inner:
        details.append(f"with {_definitions(change.inner)} in it{_members(change)}")
    if has_other_complexity(change):
        details.append(f"complexity {change.complexity_before} -> {change.complexity_after}")
    yield _line(change.path, change.line, definition_line(change), "  ".join(filter(None, details)))
    if Aspect.SIGNATURE in change.aspects or Aspect.BASES in change.aspects:
        yield from _texts(change)


def _members(change: Change) -> str:
    """Name the public members of an added or removed definition."""
    if not change.members:
        return ""
    more = "" if len(change.members) <= _MEMBERS_SHOWN else ", ..."
    return f": {', '.join(change.members[:_MEMBERS_SHOWN])}{more}"


def _texts(change: Change) -> Iterator[ListingLine]:
    for mark, text in (("-", change.before), ("+", change.after)):
        if text:
            yield ListingLine(((Part.DETAIL, printable(f"    {mark} {text}")),), rows=0)


def _cycle(cycle: CycleChange) -> Iterator[ListingLine]:
    size = cycle.after or cycle.before
    was = f", was {cycle.before}" if cycle.before and cycle.after else ""
    way = " -> ".join([*(step.path for step in cycle.steps), cycle.steps[0].path])
    first = cycle.steps[0]
    yield _line(first.path, first.line, f"{cycle.change}: {size} modules{was}: {way}")


def _dependency(row: DependencyChange) -> ListingLine:
    target = row.target.partition(":")[2]
    verb = {ChangeKind.ADDED: "imports", ChangeKind.REMOVED: "imports no longer"}[row.change]
    what = f"package {target}, which nothing else imports" if row.is_external else target
    return _line(row.path, row.line, f"{verb} {what}")


def _is_test(row: DependencyChange, result: Diff) -> bool:
    return any(one.path == row.path and one.is_test for one in result.changes)


def _is_listed_elsewhere(change: Change) -> bool:
    """Tell whether a change is listed elsewhere: as breaking, or as one of types or texts."""
    is_quiet = change.change is ChangeKind.CHANGED and set(change.aspects) <= _QUIET
    return bool(change.breaking) or is_quiet


def _ordered(rows: Sequence[Change]) -> Sequence[Change]:
    """Give rows whose signature changed first, and modules last."""
    heads = {Aspect.SIGNATURE, Aspect.BASES, Aspect.DECORATORS, Aspect.VISIBILITY}
    return sorted(rows, key=lambda one: (one.kind == "module", heads.isdisjoint(one.aspects)))


def _line(path: str, line: int, text: str, detail: str = "") -> ListingLine:
    parts = [
        (Part.PATH, printable(path)),
        (Part.TEXT, ":"),
        (Part.LINE, str(line)),
        (Part.NAME, f"  {printable(text)}"),
    ]
    if detail:
        parts.append((Part.DETAIL, f"  {printable(detail)}"))
    return ListingLine(tuple(parts))


def _plain(text: str) -> ListingLine:
    return ListingLine(((Part.TEXT, printable(text)),), rows=0)


def _definitions(count: int) -> str:
    return "1 definition" if count == 1 else f"{count:,} definitions"
