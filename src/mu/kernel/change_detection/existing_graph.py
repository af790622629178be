"""The graph that is there, and how it differs from the one that a build would make.

A build writes into the graph what it was made of, and what it reported. The next one walks the
folder, and where nothing of that changed it has nothing to do. Where a build kept what it saw
(`walk_record`), not even that is needed.
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mu.kernel.change_detection.build_inputs import BuildInputs, walk_digest
from mu.kernel.change_detection.file_changes import Changes, KnownFile, TouchTimes, compare_files
from mu.kernel.inputs.checked_out_commit import checked_out_commit
from mu.kernel.inputs.package_manifests import possible_manifest_paths
from mu.kernel.inputs.source_listing import list_sources
from mu.kernel.report import BuildReport
from mu.kernel.settings import BuildSettings
from mu.model.kinds import Category
from mu.model.relation import Relation
from mu.source import Discovery, SkippedSource, SourceFile, native_path, read_source
from mu.syntax import load_manifests

if TYPE_CHECKING:
    from mu.store import GraphFile


class ExistingGraph(NamedTuple):
    """The graph `file` that is there: what it reported, and what changed since it was built.

    `found` is what the walk sees now, and `commit` the one that is checked out. `built_at` is when
    it was built (nanoseconds since the epoch), and `known` are its files. All else that it was made
    of is as it was, and no file is missing that should be in it.
    """

    file: Path
    report: BuildReport
    inputs: BuildInputs
    found: Discovery
    changes: Changes
    commit: str
    built_at: int
    known: tuple[KnownFile, ...]

    @property
    def is_current(self) -> bool:
        """True if a build would make the same graph."""
        is_same = self.commit == self.inputs.commit and self.found.unknown == self.report.unknown
        return is_same and not self.changes.total


def find_existing_graph(
    root: Path, graph_file: Path, *, settings: BuildSettings, found: Discovery
) -> ExistingGraph | None:
    """Look at the graph that is there; None where more than files differs from what a build sees.

    `found` is what a walk of `root` sees now. A graph with files missing that should be in it is
    always to be made again.
    """
    from mu.store import DamagedGraphError, NoGraphError, QueryError, open_graph

    try:
        with open_graph(graph_file) as graph:
            return _look(root, graph, settings, found)
    except (NoGraphError, DamagedGraphError, QueryError, msgspec.MsgspecError, OSError):
        return None


def unchanged_report(existing: ExistingGraph) -> BuildReport:
    """The report of a graph that is left as it is."""
    size = existing.file.stat().st_size
    return replace(existing.report, is_unchanged=True, updated=None, file_bytes=size)


def is_up_to_date(root: Path, graph_file: Path, *, settings: BuildSettings) -> bool:
    """Tell whether a build of `root` would leave the graph as it is; walks the folder."""
    found = list_sources(root, settings.walk, manifests=load_manifests())
    existing = find_existing_graph(root, graph_file, settings=settings, found=found)
    return existing is not None and existing.is_current


def _look(
    root: Path, graph: "GraphFile", settings: BuildSettings, found: Discovery
) -> ExistingGraph | None:
    meta = graph.meta()
    inputs = msgspec.json.decode(meta.get("basis", ""), type=BuildInputs)
    report = msgspec.json.decode(meta.get("report", ""), type=BuildReport)
    if report.is_partial or not inputs.matches(settings):
        return None
    built_at = int(meta.get("built_at", ""))
    rows = graph.run(Relation("SELECT path, bytes, digest FROM files"), limit=None).rows
    known = msgspec.convert(rows, tuple[KnownFile, ...])
    times = TouchTimes(root, built_at)
    changes = compare_files(root, known, found=found, times=times)
    if inputs.walked != walk_digest(_without(changes, found, graph)):
        return None
    is_same = _has_same_manifests(root, settings, found, inputs, times)
    if not is_same:
        return None
    commit = checked_out_commit(root)
    return ExistingGraph(graph.path, report, inputs, found, changes, commit, built_at, known)


def _without(changes: Changes, found: Discovery, graph: "GraphFile") -> Discovery:
    """What a walk saw before files were added and removed, as the graph knows these."""
    added = {*changes.added}
    files = [file for file in found.files if file.path not in added]
    if changes.removed:
        removed = {*changes.removed}
        known = Relation("SELECT path, language, category FROM files")
        files += [
            SourceFile(str(path), str(language), Category(str(category)), 0)
            for path, language, category in graph.run(known, limit=None).rows
            if path in removed
        ]
    return replace(found, files=tuple(sorted(files, key=lambda file: file.path)))


def _has_same_manifests(
    root: Path, settings: BuildSettings, found: Discovery, inputs: BuildInputs, times: TouchTimes
) -> bool:
    files = ((file.language, file.path) for file in found.files)
    left = {*inputs.manifests}
    for _, path in possible_manifest_paths(files, inputs.manifest_names):
        before = inputs.manifests.get(path)
        left.discard(path)
        folder = path.rpartition("/")[0]
        if folder and before is None and not times.is_folder_touched(folder):
            continue  # nothing came into it
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
    return not left
