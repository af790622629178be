"""Build a repository's `.mubase`: index it, write beside the old file, publish by one rename.

Whatever ends a build, at any moment, the old file stays whole: the new one has another name until
it is finished. What a killed build left behind is removed by the next one, under the lock.
"""

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple, replace
from pathlib import Path

import msgspec

import mu
from mu.errors import MuError
from mu.kernel.basis import Basis, make_basis
from mu.kernel.indexing import (
    BuildSettings,
    check_folder,
    ignore_event,
    index,
)
from mu.kernel.lock import build_lock
from mu.kernel.memory import collector_paused, return_memory
from mu.kernel.report import BuildReport, OnEvent, Published, Waiting, Writing
from mu.kernel.sources import list_sources
from mu.kernel.stopwatch import Stopwatch
from mu.source import Discovery
from mu.syntax import load_manifests
from mu.syntax.facts_cache import tidy_facts

GRAPH_FILE = ".mubase"
_LEFTOVER = re.compile(r"\.mubase\.[0-9a-f]{16}\.tmp(\.wal)?")
_LARGE_GRAPH = 20_000
"""From so many nodes on a build takes memory enough to give it back before the graph is written."""


class UnwritableError(MuError):
    """The graph cannot be written into the folder."""


def build(root: Path, settings: BuildSettings, *, on_event: OnEvent = ignore_event) -> BuildReport:
    """Build `root/.mubase`; where nothing changed since it was built, leave it and say so.

    Raises what `index` raises, `BusyError` when another build does not end in time, and
    `UnwritableError` when the folder takes no file.
    """
    check_folder(root)
    began = time.monotonic()
    with (
        collector_paused(),
        build_lock(
            root,
            wait=settings.lock_wait,
            on_wait=lambda: on_event(Waiting(settings.lock_wait)),
        ) as is_locked,
    ):
        if is_locked:
            _remove_leftovers(root)
        report, found = _look(root, settings)
        if report is None:
            with _new_file(root) as (new, now):
                started = now - int((time.monotonic() - began) * 1e9)  # before the walk
                report = _make(root, new, settings, found, started=started, on_event=on_event)
            tidy_facts(settings.facts)
    on_event(Published(report.file_bytes))
    return report


def _look(root: Path, settings: BuildSettings) -> tuple[BuildReport | None, Discovery | None]:
    """Walk where there is a graph; give its report if it is the one a build would make."""
    graph_file = root / GRAPH_FILE
    if settings.is_full or not graph_file.is_file():
        return None, None
    from mu.kernel.standing import standing_report

    watch = Stopwatch()
    found = list_sources(root, settings.walk, manifests=load_manifests())
    watch.lap("discover")
    report = standing_report(root, graph_file, settings=settings, found=found)
    if report is None:
        return None, found
    stages = (*watch.stages, *report.stages)
    return replace(report, seconds=watch.total + report.seconds, stages=stages), found


def _make(
    root: Path,
    new: Path,
    settings: BuildSettings,
    found: Discovery | None,
    *,
    started: int,
    on_event: OnEvent,
) -> BuildReport:
    """Make the graph under the name `new`, and put it in place."""
    from mu.languages.measured import load_measured  # with all that links: only who makes one pays
    from mu.lexical import index_words
    from mu.store import draft_graph, publish, write_draft

    graph, report, found, manifests = index(root, settings, on_event=on_event, found=found)
    watch = Stopwatch()
    on_event(Writing(report.nodes, report.edges, report.sites.total))
    basis = make_basis(root, settings, found=found, manifests=manifests)
    meta = _meta(report, basis, started=started)
    words = index_words(graph)
    watch.lap("index words")
    with draft_graph(graph, root, words=words, measured=load_measured(), meta=meta) as draft:
        del graph, words  # which are most of the memory of a build
        if report.nodes >= _LARGE_GRAPH:
            return_memory()
        write_draft(draft, new)
    watch.lap("write")
    try:
        publish(new, root / GRAPH_FILE)
    except OSError as error:
        raise UnwritableError(f"cannot put {GRAPH_FILE} in place: {error.strerror}") from error
    watch.lap("publish")
    return replace(
        report,
        file_bytes=(root / GRAPH_FILE).stat().st_size,
        seconds=report.seconds + watch.total,
        stages=(*report.stages, *watch.stages),
    )


@contextmanager
def _new_file(root: Path) -> Iterator[tuple[Path, int]]:
    """Give a free name beside the graph, having tried that a file can be made there, and when.

    In nanoseconds since the epoch by the clock of the file system, which may not be ours: what is
    changed from now on has later times.
    """
    if (root / GRAPH_FILE).is_dir():
        raise UnwritableError(
            f"{GRAPH_FILE} is a folder", "the graph is a file of that name: move the folder away"
        )
    new = root / f"{GRAPH_FILE}.{secrets.token_hex(8)}.tmp"
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        started = os.fstat(descriptor).st_ctime_ns
        os.close(descriptor)
        new.unlink()
    except OSError as error:
        raise UnwritableError(
            f"cannot write {GRAPH_FILE} into {root}: {error.strerror}",
            "make the folder writable, or build a copy of it",
        ) from error
    try:
        yield new, started
    finally:
        for left in (new, new.with_name(new.name + ".wal")):
            with suppress(OSError):
                left.unlink()


def _remove_leftovers(root: Path) -> None:
    with os.scandir(root) as entries:
        stale = [entry.path for entry in entries if _LEFTOVER.fullmatch(entry.name)]
    for path in stale:
        with suppress(OSError):
            os.unlink(path)  # noqa: PTH108 - a name that came from the system, any bytes


def _meta(report: BuildReport, basis: Basis, *, started: int) -> dict[str, str]:
    """What the file says of itself; no value of it names a place on this machine."""
    return {
        "mu_version": mu.__version__,
        "digest": report.digest,
        "commit": basis.commit,
        "built_at": str(started),
        "partial": "true" if report.is_partial else "false",
        "files_indexed": str(report.indexed),
        "files_skipped": str(len(report.skipped)),
        "languages": " ".join(count.language for count in report.languages),
        "unknown_files": msgspec.json.encode([astuple(row) for row in report.unknown]).decode(),
        "limits": msgspec.json.encode({row.name: row.count for row in report.limits}).decode(),
        "options": basis.options,
        "basis": msgspec.json.encode(basis).decode(),
        "report": msgspec.json.encode(report).decode(),
    }
