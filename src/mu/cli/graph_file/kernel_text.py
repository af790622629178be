"""What the build's results look like as text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mu.kernel.report import BuildReport, SiteCounts, Skipped
from mu.operations.graph_file.build import Count, LanguageRow, Stats, Status
from mu.render.text import printable

if TYPE_CHECKING:
    from mu.operations.graph_file.rebuild_check import Verified

_LOST_SHOWN = 10
_CHANGES_SHOWN = 10
_REASONS_SHOWN = 4


def summary_line(report: BuildReport, *, rev: str = "", is_new: bool = False) -> str:
    """Sum a build up in one line: of a folder, maybe its first (`is_new`), or of a revision."""
    sites = report.sites
    parts = [
        f"{_files(report.indexed)} ({_counted(report.lines, 'line')})",
        _counted(report.nodes, "node"),
        _counted(report.edges, "edge"),
        _resolved(sites),
        f"{report.seconds:.1f} s",
    ]
    if report.problems:
        parts.append(f"{_files(report.problems)} with problems (mu query @parse_problems)")
    if report.minified:
        parts.append(f"{report.minified:,} minified and not read")
    if report.unlinked:
        parts.append(f"{_files(len(report.unlinked))} not linked in full")
    if report.skipped:
        parts.append(f"{len(report.skipped):,} skipped ({_reasons(report.skipped)})")
    what = "built .mubase"
    if report.is_unchanged:
        what = ".mubase is up to date"
    elif report.updated is not None:
        how = "built .mubase from a cached graph" if is_new else "updated .mubase"
        what = f"{how}, {_files(report.updated)} changed"
        if not report.updated:
            what = how if is_new else "brought .mubase up to date, no file to link"
    if rev:
        how = "was built before" if report.is_unchanged else "built"
        what = f"graph of {printable(rev)} {how}"
    return f"{what}: {', '.join(parts)}"


def verified_line(verified: "Verified") -> str:
    """Say whether a graph is the one that a build makes."""
    if verified.is_same:
        return f"the graph is the one that a build makes, digest {verified.digest}"
    return (
        f"the graph differs from what a build makes: digest {verified.digest}, "
        f"built anew {verified.rebuilt}; `mu kernel build --full` makes it anew"
    )


def lost_lines(report: BuildReport) -> Iterator[str]:
    """Name the files that should be in the graph and are not, or not in full; say how to see the
    others.
    """
    lost = [(skip.path, skip.reason) for skip in report.skipped if skip.is_lost]
    unlinked = [(file.path, f"an error of MU's, {file.error}") for file in report.unlinked]
    for title, files in (("missing", lost), ("not linked in full", unlinked)):
        for path, reason in files[:_LOST_SHOWN]:
            yield f"{title}: {printable(path)}: {printable(reason)}"
        if len(files) > _LOST_SHOWN:
            yield f"{title}: {len(files) - _LOST_SHOWN} more; see them with --json"


def status_text(status: Status) -> Iterator[str]:
    """Write the state of a graph, a line for each part."""
    built = datetime.fromtimestamp(status.built_at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    partial = ", partial" if status.is_partial else ""
    yield f"graph    .mubase, built {built} by mu {printable(status.mu_version)}{partial}"
    yield (
        f"holds    {_files(status.files)}, {_counted(status.nodes, 'node')}, "
        f"{_counted(status.edges, 'edge')}, {_counted(status.references, 'reference')}"
    )
    listed = [
        *((path, "changed") for path in status.changed),
        *((path, "added") for path in status.added),
        *((path, "removed") for path in status.removed),
    ]
    yield f"changes  {_files(len(listed))} since the build" if listed else "changes  none"
    for path, how in listed[:_CHANGES_SHOWN]:
        yield f"         {how} {printable(path)}"
    if len(listed) > _CHANGES_SHOWN:
        yield f"         and {len(listed) - _CHANGES_SHOWN:,} more"
    if status.next:
        yield f"next     {status.next}"


def stats_text(stats: Stats) -> Iterator[str]:
    """Write a graph's numbers, a table for each kind of count."""
    titles = {
        "files by language": stats.files,
        "lines by language": stats.lines,
        "nodes by kind": stats.nodes,
        "edges by kind": stats.edges,
        "edges by rule": stats.rules,
        "references": stats.references,
        "skipped by reason": stats.skipped,
    }
    for title, counts in titles.items():
        if counts:
            yield from _table(title, counts)


def language_lines(rows: Sequence[LanguageRow]) -> Iterator[str]:
    """Write the languages, a line each."""
    cells = [
        (
            row.name,
            row.level,
            f"{row.grammar} {row.version} (ABI {row.abi})" if row.abi else row.grammar,
            " ".join(row.extensions),
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row, texts in zip(rows, cells, strict=True):
        padded = (f"{text:<{width}}" for text, width in zip(texts, widths, strict=True))
        yield "  ".join(padded).rstrip() + (f"  {row.problem}" if row.problem else "")


def _table(title: str, counts: Sequence[Count]) -> Iterator[str]:
    total = sum(count.count for count in counts)
    width = max(len(printable(count.name)) for count in counts)
    yield title
    for count in counts:
        share = f"{count.count / total:.1%}" if total else ""
        yield f"  {printable(count.name):<{width}}  {count.count:>12,}  {share:>6}"


def _reasons(skipped: Sequence[Skipped]) -> str:
    counts = Counter(skip.reason for skip in skipped).most_common()
    shown = counts if len(counts) <= _REASONS_SHOWN else counts[: _REASONS_SHOWN - 1]
    first = [f"{count:,} {printable(reason)}" for reason, count in shown]
    rest = len(skipped) - sum(count for _, count in shown)
    return ", ".join([*first, f"{rest:,} for other reasons"] if rest else first)


def _resolved(sites: SiteCounts) -> str:
    if not sites.total:
        return "no references"
    return f"{sites.share_resolved:.1%} of {_counted(sites.total, 'reference')} resolved"


def _files(count: int) -> str:
    return _counted(count, "file")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
