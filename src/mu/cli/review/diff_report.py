"""A difference for a code host: Markdown for a comment, SARIF for annotations."""

from collections.abc import Iterator, Sequence

from mu import __version__
from mu.analysis.review.findings import Change, ChangeKind
from mu.cli.review.diff_text import former_place, has_other_complexity, summary_line
from mu.operations.revisions.diff import Diff
from mu.render.formats.markdown import code, escaped
from mu.render.formats.sarif import Finding, sarif_document

_RULES = {
    "breaking-change": "A public definition cannot be used as before.",
    "broken-reference": "A reference does not fit its definition any more.",
    "new-cycle": "Modules import each other in a circle that was not there.",
}
_ROWS = 30
_MEMBERS = 10
_TITLES = {
    ChangeKind.REMOVED: "Removed",
    ChangeKind.RENAMED: "Renamed",
    ChangeKind.MOVED: "Moved",
    ChangeKind.ADDED: "Added",
    ChangeKind.CHANGED: "Changed",
}


def markdown_lines(result: Diff) -> Iterator[str]:
    """Write a comment on a review; long groups are cut, and fold."""
    yield f"**{escaped(summary_line(result))}**"
    breaking = [one for one in result.changes if one.breaking and not one.is_test]
    yield from _section(
        f"Breaking ({len(breaking)})",
        [f"{_named(one, is_before=True)}: {escaped('; '.join(one.breaking))}" for one in breaking],
    )
    sites = [
        f"{_place(site.path, site.line)} {code(site.text)} {escaped(site.why)}, "
        f"of {code(one.before_name)}"
        for one in result.changes
        for site in one.broken
    ]
    yield from _section(f"References that do not fit any more ({len(sites)})", sites)
    cycles = [
        f"{one.change}: {' → '.join(code(step.path) for step in one.steps)}"
        for one in result.cycles
    ]
    yield from _section(f"Import cycles ({len(cycles)})", cycles)
    imports = [
        f"{'+' if row.change is ChangeKind.ADDED else '−'} {_place(row.path, row.line)} imports "
        f"{code(row.target.partition(':')[2])}"
        for row in result.dependencies
    ]
    yield from _folded(f"Dependencies ({len(imports)})", imports)
    for kind, title in _TITLES.items():
        rows = [one for one in result.changes if one.change is kind and one.kind != "document"]
        lines = [f"{_named(one)} {escaped(_detail(one))}".rstrip() for one in rows]
        yield from _folded(f"{title} ({len(rows)})", lines)


def sarif_text(result: Diff) -> str:
    """Write what breaks as SARIF."""
    findings = []
    for one in result.changes:
        sites = tuple((site.path, site.line, site.why) for site in one.broken)
        if one.breaking:
            text = f"{one.kind} {one.before_name or one.name}: {'; '.join(one.breaking)}"
            findings.append(Finding("breaking-change", "warning", text, one.path, one.line, sites))
        for site in one.broken:
            level = "error" if site.is_certain else "warning"
            text = f"{site.text} {site.why} ({one.before_name})"
            findings.append(Finding("broken-reference", level, text, site.path, site.line))
    for cycle in result.cycles:
        if cycle.change in ("made", "grew"):
            first, *others = cycle.steps
            text = " -> ".join([*(step.path for step in cycle.steps), first.path])
            related = tuple((step.path, step.line, "imports the next") for step in others)
            findings.append(Finding("new-cycle", "warning", text, first.path, first.line, related))
    return sarif_document(findings, rules=_RULES, version=__version__)


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"### {title}"
        yield ""
        yield from _items(lines)


def _folded(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"<details><summary>{title}</summary>"
        yield ""
        yield from _items(lines)
        yield ""
        yield "</details>"


def _items(lines: Sequence[str]) -> Iterator[str]:
    for line in lines[:_ROWS]:
        yield f"- {line}"
    if len(lines) > _ROWS:
        yield f"- and {len(lines) - _ROWS:,} more"


def _named(change: Change, *, is_before: bool = False) -> str:
    name = change.before_name if is_before and change.before_name else change.name
    return f"{_place(change.path, change.line)} {change.kind} {code(name)}"


def _detail(change: Change) -> str:
    parts = [", ".join(change.aspects), former_place(change), ", ".join(change.members[:_MEMBERS])]
    if has_other_complexity(change):
        parts.append(f"complexity {change.complexity_before} -> {change.complexity_after}")
    return "; ".join(filter(None, parts))


def _place(path: str, line: int) -> str:
    return code(f"{path}:{line}")
