"""Adjust the report of a build where the rows of files are replaced."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mu.kernel.indexing.site_counts import recount_sites
from mu.kernel.report import BuildReport, LanguageCount, Limit
from mu.model.graph import File, FileRows, Limits
from mu.model.kinds import Category

_NO_ROWS: Final = FileRows(File(-1, "", "", Category.SOURCE, "", "", "", 0, 0, ()), [], [], [])


def with_replaced(
    report: BuildReport, *, before: FileRows | None, after: FileRows | None
) -> BuildReport:
    """Return the report after a file's rows were replaced; None where it does not exist."""
    count = (after is not None) - (before is not None)
    before, after = before or _NO_ROWS, after or _NO_ROWS
    was, now = before.file, after.file
    return replace(
        report,
        files=report.files + count,
        indexed=report.indexed + count,
        languages=_counted(report.languages, now.language or was.language, count),
        bytes=report.bytes + now.bytes - was.bytes,
        lines=report.lines + now.lines - was.lines,
        problems=report.problems + bool(now.problems) - bool(was.problems),
        minified=report.minified + _is_minified(now) - _is_minified(was),
        nodes=report.nodes + len(after.nodes) - len(before.nodes),
        edges=report.edges + len(after.edges) - len(before.edges),
        sites=recount_sites(report.sites, before=before.sites, after=after.sites),
    )


def _is_minified(file: File) -> bool:
    return file.category == Category.MINIFIED


def with_more_limits(limits: Sequence[Limit], more: Limits) -> tuple[Limit, ...]:
    """Return how often each bound was reached, with `more` added."""
    before = {one.name: one.count for one in limits}
    counts = {name: before.get(name, 0) + count for name, count in more._asdict().items()}
    return tuple(Limit(name, count) for name, count in counts.items() if count)


def _counted(
    languages: Sequence[LanguageCount], language: str, count: int
) -> tuple[LanguageCount, ...]:
    """Return the number of files by language, with `count` added to that of one."""
    files = {one.language: one.files for one in languages}
    files[language] = files.get(language, 0) + count
    return tuple(LanguageCount(*item) for item in sorted(files.items()) if item[1])
