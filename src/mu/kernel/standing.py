"""Whether the graph that is there is the one a build would make.

A build writes into the graph what it was made of, and what it reported. The next one walks the
folder, and where nothing of that changed it has nothing to do: 0.5 s for 3,500 files, most of it to
start and to walk.
"""

import os
from dataclasses import replace
from pathlib import Path

import msgspec

from mu.kernel.basis import Basis
from mu.kernel.changes import KnownFile, Times, compare
from mu.kernel.indexing import BuildSettings
from mu.kernel.manifests import possible_manifests
from mu.kernel.report import BuildReport
from mu.kernel.sources import list_sources
from mu.kernel.stopwatch import Stopwatch
from mu.model.relation import Relation
from mu.source import Discovery, SkippedSource, native_path, read_source
from mu.store import DamagedGraphError, GraphFile, NoGraphError, QueryError, open_graph
from mu.syntax import load_manifests


def standing_report(
    root: Path, graph_file: Path, *, settings: BuildSettings, found: Discovery
) -> BuildReport | None:
    """The report of the graph that is there, None unless a build would make the same.

    `found` is what a walk of `root` sees now. A graph with files missing that should be in it is
    always to be made again.
    """
    watch = Stopwatch()
    try:
        with open_graph(graph_file) as graph:
            report = _report(root, graph, settings, found)
    except (NoGraphError, DamagedGraphError, QueryError, msgspec.MsgspecError, OSError):
        return None
    if report is None:
        return None
    watch.lap("compare")
    return replace(
        report,
        is_unchanged=True,
        file_bytes=graph_file.stat().st_size,
        seconds=watch.total,
        stages=tuple(watch.stages),
    )


def is_standing(root: Path, graph_file: Path, *, settings: BuildSettings) -> bool:
    """Whether a build of `root` would leave the graph that is there; costs a walk of the folder."""
    found = list_sources(root, settings.walk, manifests=load_manifests())
    return standing_report(root, graph_file, settings=settings, found=found) is not None


def _report(
    root: Path, graph: GraphFile, settings: BuildSettings, found: Discovery
) -> BuildReport | None:
    meta = graph.meta()
    basis = msgspec.json.decode(meta.get("basis", ""), type=Basis)
    report = msgspec.json.decode(meta.get("report", ""), type=BuildReport)
    if report.is_partial or not basis.is_of(root, settings, found=found):
        return None
    built_at = int(meta.get("built_at", ""))
    rows = graph.run(Relation("SELECT path, bytes, digest FROM files"), limit=None).rows
    known = msgspec.convert(rows, tuple[KnownFile, ...])
    if compare(root, known, found=found, built_at=built_at).total:
        return None
    return report if _has_same_manifests(root, settings, found, basis, built_at) else None


def _has_same_manifests(
    root: Path, settings: BuildSettings, found: Discovery, basis: Basis, built_at: int
) -> bool:
    times = Times(root, built_at)
    files = ((file.language, file.path) for file in found.files)
    for _, path in possible_manifests(files, basis.manifest_names):
        before = basis.manifests.get(path)
        if not os.path.lexists(root / native_path(path)):
            now = None
        elif before is not None and not times.is_touched(path):
            now = before
        else:
            try:
                now = read_source(root, path, max_file_size=settings.walk.max_file_size).digest
            except SkippedSource:
                now = ""
        if now != before:
            return False
    return True
