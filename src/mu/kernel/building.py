"""Build a repository's `.mubase`: index it, write a new file, publish it by one rename.

Whatever interrupts a build, at any moment, the old file stays whole: the new one has another name
until it is finished. The next build removes, under the lock, what a killed one left behind. The
code that extracts, links or updates is imported on use: most builds find that nothing changed.
"""

import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mu.errors import MuError
from mu.kernel.build_lock import build_lock
from mu.kernel.change_detection.build_inputs import collect_build_inputs, options_json
from mu.kernel.change_detection.existing_graph import (
    ExistingGraph,
    find_existing_graph,
    unchanged_report,
)
from mu.kernel.change_detection.file_changes import Changes, KnownFile
from mu.kernel.change_detection.kept_graphs import KeptGraphs, is_of_switch
from mu.kernel.change_detection.walk_record import keep_record, recall_existing_graph
from mu.kernel.frame_memory import in_one_chunk
from mu.kernel.garbage_collection import collect_cycles, collector_paused, release_memory
from mu.kernel.inputs.source_listing import list_sources
from mu.kernel.report import (
    BuildReport,
    OnEvent,
    Published,
    Waiting,
    Writing,
    ignore_event,
    report_meta,
)
from mu.kernel.settings import BuildSettings, check_folder
from mu.kernel.stopwatch import Stopwatch
from mu.source import Discovery
from mu.syntax import load_manifests

if TYPE_CHECKING:
    from mu.kernel.indexing.indexer import Indexed
    from mu.kernel.updating.incremental_update import Updated
    from mu.source.git.revisions import Revision

GRAPH_FILE = ".mubase"
_LEFTOVER = re.compile(r"\.mubase\.[0-9a-f]{16}\.tmp(\.wal)?")
_LARGE_GRAPH = 20_000
"""Number of nodes from which a build returns memory to the system before it writes the graph."""


class _Made(NamedTuple):
    """A graph in memory, to be written.

    `told` are rows to add to the file's `meta` table. `existing` describes the graph of a folder as
    the next build will find it; None for that of a commit.
    """

    indexed: "Indexed"
    told: Mapping[str, str]
    existing: ExistingGraph | None = None


class UnwritableError(MuError):
    """The graph cannot be written into the folder."""


@in_one_chunk
def build(
    root: Path,
    settings: BuildSettings,
    *,
    on_event: OnEvent = ignore_event,
    graph_file: Path | None = None,
) -> BuildReport:
    """Build `root/.mubase`, or leave it and report so if nothing changed since it was built.

    With `graph_file` the graph is written there instead. Raises what `index` raises, `BusyError`
    when another build does not end in time, and `UnwritableError` when no file can be written into
    the folder.
    """
    check_folder(root)
    graph_file = graph_file or root / GRAPH_FILE
    began = time.monotonic()
    with (
        collector_paused(),
        build_lock(
            root,
            wait=settings.lock_wait,
            on_wait=lambda: on_event(Waiting(settings.lock_wait)),
        ) as is_locked,
    ):
        if is_locked and graph_file.parent == root:
            _remove_leftovers(root)
        report = _bring_up_to_date(
            root, settings, graph_file=graph_file, began=began, on_event=on_event
        )
    on_event(Published(report.file_bytes))
    return report


@in_one_chunk
def build_revision(
    revision: "Revision",
    settings: BuildSettings,
    *,
    graph_file: Path,
    on_event: OnEvent = ignore_event,
) -> BuildReport:
    """Build the graph of a commit into `graph_file`; the working tree is not read.

    Raises what `index` raises, and `UnwritableError`.
    """

    from mu.kernel.indexing.indexer import index
    from mu.syntax.facts_cache import tidy_facts

    def make() -> _Made:
        told = {"commit": revision.commit, "options": options_json(settings)}
        return _Made(index(revision.files(), settings, on_event=on_event), told)

    with collector_paused(), _new_file(graph_file) as (new, _):
        report, _ = _write(make, new=new, final=graph_file, on_event=on_event)
    tidy_facts(settings.facts)
    on_event(Published(report.file_bytes))
    return report


def _bring_up_to_date(
    root: Path, settings: BuildSettings, *, graph_file: Path, began: float, on_event: OnEvent
) -> BuildReport:
    """Leave the existing graph, update it, or build a new one: the cheapest that suffices."""
    watch = Stopwatch()
    found, existing = _compare_with_existing(root, graph_file, settings, watch)
    if existing is not None and existing.is_current:
        report = unchanged_report(existing)
        return replace(report, seconds=watch.total, stages=tuple(watch.stages))
    from mu.syntax.facts_cache import tidy_facts

    kept, is_switch = KeptGraphs(settings), existing is None or is_of_switch(existing)
    with _new_file(graph_file) as (new, now):
        started = now - int((time.monotonic() - began) * 1e9)  # before the walk
        update = partial(_updated, root, settings=settings, new=new)
        update = partial(update, built_at=started, on_event=on_event)
        updated = (
            None if settings.is_full else _nearest_updated(root, existing, found, kept, update)
        )
        if existing is not None and (is_switch or updated is None):
            kept.keep(root, existing)  # for a switch back to it
        current: ExistingGraph | None
        if updated is not None:
            current, report = updated.graph._replace(file=graph_file), updated.graph.report
            report = _put_in_place(report, new=new, final=graph_file, watch=Stopwatch())
            updated.keep_state()
        else:
            index = partial(_index, root, settings, found, on_event=on_event)
            made = partial(index, graph_file=graph_file, started=started)
            report, current = _write(made, new=new, final=graph_file, on_event=on_event)
        if current is not None and not report.is_partial:
            keep_record(root, current, settings=settings)
            if is_switch and updated is None:
                kept.keep(root, current)
    tidy_facts(settings.facts)
    return report


_Update = Callable[[ExistingGraph], "Updated | None"]
"""Updates a graph; returns None where a full build is needed."""


def _nearest_updated(
    root: Path,
    existing: ExistingGraph | None,
    found: Discovery | None,
    kept: KeptGraphs,
    update: _Update,
) -> "Updated | None":
    """Update the existing graph, or a cached one that fewer files differ from.

    Return None where a full build is needed.
    """
    is_edit = existing is not None and not is_of_switch(existing)
    updated = update(existing) if existing is not None and is_edit else None
    if updated is not None:
        return updated
    nearest = existing
    if not kept.is_empty:
        found = found or list_sources(root, kept.walk, manifests=load_manifests())
        nearest = kept.nearest(root, existing, found=found)
    return None if nearest is None or (is_edit and nearest is existing) else update(nearest)


def _updated(
    root: Path,
    graph: ExistingGraph,
    *,
    settings: BuildSettings,
    new: Path,
    built_at: int,
    on_event: OnEvent,
) -> "Updated | None":
    """Write the updated version of a graph to `new`; return None where a full build is needed."""
    from mu.kernel.updating.incremental_update import update

    make = partial(update, root, graph, settings=settings, new=new)
    updated = make(built_at=built_at, on_event=on_event)
    if updated is None:
        new.unlink(missing_ok=True)
        collect_cycles()
    return updated


def _compare_with_existing(
    root: Path, graph_file: Path, settings: BuildSettings, watch: Stopwatch
) -> tuple[Discovery | None, ExistingGraph | None]:
    """Compare the existing graph, if any, with the folder.

    Return the files that a walk finds, or would find according to the record of the last one, and
    the graph.
    """
    if settings.is_full or not graph_file.is_file():
        return None, None
    published = graph_file.lstat().st_ctime_ns
    existing = recall_existing_graph(root, graph_file, settings=settings)
    is_recalled = existing is not None
    if existing is not None:
        found = existing.found
    else:
        found = list_sources(root, settings.walk, manifests=load_manifests())
        watch.lap("discover")
        existing = find_existing_graph(root, graph_file, settings=settings, found=found)
    if existing is not None and existing.is_current:
        seen_at = max(existing.built_at, published)  # the files were compared after both
        if not is_recalled or seen_at > existing.built_at:
            keep_record(root, existing._replace(built_at=seen_at), settings=settings)
    watch.lap("compare")
    return found, existing


def _index(
    root: Path,
    settings: BuildSettings,
    found: Discovery | None,
    *,
    graph_file: Path,
    started: int,
    on_event: OnEvent,
) -> _Made:
    """Build the graph of a folder, and record the inputs that a later build compares."""
    from mu.kernel.indexing.indexer import index
    from mu.kernel.updating.program_state_cache import ProgramStateCache

    made = index(root, settings, on_event=on_event, found=found)
    inputs = collect_build_inputs(root, settings, found=made.found, manifests=made.manifests)
    states = ProgramStateCache(settings.facts, inputs.engine)
    states.keep(states.name(made.report.digest, made.graph.files), state=made.state)
    told = {
        "commit": inputs.commit,
        "built_at": str(started),
        "options": inputs.options,
        "basis": msgspec.json.encode(inputs).decode(),
    }
    existing = ExistingGraph(
        file=graph_file,
        report=made.report,
        inputs=inputs,
        found=made.found,
        changes=Changes((), (), ()),
        commit=inputs.commit,
        built_at=started,
        known=tuple(KnownFile(file.path, file.bytes, file.digest) for file in made.graph.files),
    )
    return _Made(made, told, existing)


def _write(
    make: Callable[[], _Made], *, new: Path, final: Path, on_event: OnEvent
) -> tuple[BuildReport, ExistingGraph | None]:
    """Build a graph, write it to the file `new`, and publish it as `final`."""
    from mu.languages.rule_precision import (
        load_rule_precision,
    )  # loads much: only where a graph is built
    from mu.lexical import index_words
    from mu.store import draft_graph, write_draft

    indexed, told, existing = make()
    graph, report = indexed.graph, indexed.report
    del indexed
    watch = Stopwatch()
    on_event(Writing(report.nodes, report.edges, report.sites.total))
    meta = {**report_meta(report), **told}
    words = index_words(graph)
    watch.lap("index words")
    folder = final.parent
    with draft_graph(
        graph, folder, words=words, measured=load_rule_precision(), meta=meta
    ) as draft:
        del graph, words  # most of the memory of a build
        if report.nodes >= _LARGE_GRAPH:
            release_memory()
        write_draft(draft, new)
    watch.lap("write")
    return _put_in_place(report, new=new, final=final, watch=watch), existing


def _put_in_place(report: BuildReport, *, new: Path, final: Path, watch: Stopwatch) -> BuildReport:
    """Publish the finished file `new`; return the report with its size and times."""
    from mu.store import publish

    try:
        publish(new, final)
    except OSError as error:
        raise UnwritableError(f"cannot put {final.name} in place: {error.strerror}") from error
    watch.lap("publish")
    return replace(
        report,
        file_bytes=final.stat().st_size,
        seconds=report.seconds + watch.total,
        stages=(*report.stages, *watch.stages),
    )


@contextmanager
def _new_file(graph_file: Path) -> Iterator[tuple[Path, int]]:
    """Yield a writable path beside the graph for the new file, and the current time.

    The time is in nanoseconds since the epoch, by the clock of the file system, which may differ
    from ours: files changed from now on have later times. Raises UnwritableError if no file can be
    created there. On leaving, the file is removed if it is still at that path.
    """
    if graph_file.is_dir():
        raise UnwritableError(
            f"{graph_file.name} is a folder",
            "the graph is a file of that name: move the folder away",
        )
    new = graph_file.with_name(f"{GRAPH_FILE}.{secrets.token_hex(8)}.tmp")
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        started = os.fstat(descriptor).st_ctime_ns
        os.close(descriptor)
        new.unlink()
    except OSError as error:
        raise UnwritableError(
            f"cannot write {graph_file.name} into {graph_file.parent}: {error.strerror}",
            "make the folder writable, or build a copy of it",
        ) from error
    try:
        yield new, started
    finally:
        for left in (new, new.with_name(new.name + ".wal")):
            with suppress(OSError):
                left.unlink()


def _remove_leftovers(folder: Path) -> None:
    with os.scandir(folder) as entries:
        stale = [entry.path for entry in entries if _LEFTOVER.fullmatch(entry.name)]
    for path in stale:
        with suppress(OSError):
            os.unlink(path)  # noqa: PTH108 - a name from the system may hold any bytes
