"""Compare the existing graph with what a build would make now.

A build writes its inputs and its report into the graph. The next one walks the folder, and has
nothing to do if no input changed. If a build recorded its walk (`walk_record`), even the walk can
be saved.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mu.kernel.change_detection.build_inputs import BuildInputs, walk_digest
from mu.kernel.change_detection.file_changes import Changes, KnownFile, TouchTimes, compare_files
from mu.kernel.inputs.checked_out_commit import checked_out_commit
from mu.kernel.inputs.package_manifests import possible_manifest_paths, read_manifests_at
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
    """An existing graph, its report and inputs, and what changed since it was built.

    `found` is what a walk finds now, and `commit` is checked out now. `built_at` is when the graph
    was built (nanoseconds since the epoch), and `known` are its files. `manifests` are the digests,
    by path, of manifests that changed without changing any module setting. All other inputs are
    unchanged, and the graph is not partial.
    """

    file: Path
    report: BuildReport
    inputs: BuildInputs
    found: Discovery
    changes: Changes
    commit: str
    built_at: int
    known: tuple[KnownFile, ...]
    manifests: Mapping[str, str] = MappingProxyType({})

    @property
    def is_current(self) -> bool:
        """True if a build would make the same graph."""
        is_same = self.commit == self.inputs.commit and self.found.unknown == self.report.unknown
        return is_same and not self.changes.total and not self.manifests


def find_existing_graph(
    root: Path, graph_file: Path, *, settings: BuildSettings, found: Discovery
) -> ExistingGraph | None:
    """Compare a graph with its folder; return None if anything but files and commit differs.

    That includes engine, options, skipped files and module settings. None as well for a graph
    that is partial or cannot be read. `found` is what a walk of `root` finds now.
    """
    from mu.store import DamagedGraphError, NoGraphError, QueryError, open_graph

    try:
        with open_graph(graph_file) as graph:
            return _look(root, graph, settings, found)
    except (NoGraphError, DamagedGraphError, QueryError, msgspec.MsgspecError, OSError):
        return None


def unchanged_report(existing: ExistingGraph) -> BuildReport:
    """Return the report of a graph that is left as it is."""
    size = existing.file.stat().st_size
    return replace(existing.report, is_unchanged=True, updated=None, file_bytes=size)


def is_up_to_date(root: Path, graph_file: Path, *, settings: BuildSettings) -> bool:
    """Return whether a build of `root` would leave the graph as it is; walks the folder."""
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
    manifests = _changed_manifests(root, settings, found, inputs, times)
    if manifests is None:
        return None
    return ExistingGraph(
        *(graph.path, report, inputs, found, changes),
        *(checked_out_commit(root), built_at, known, manifests),
    )


def _without(changes: Changes, found: Discovery, graph: "GraphFile") -> Discovery:
    """Undo the additions and removals of files in what a walk found.

    Rows of removed files are read from the graph.
    """
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


def _changed_manifests(
    root: Path, settings: BuildSettings, found: Discovery, inputs: BuildInputs, times: TouchTimes
) -> dict[str, str] | None:
    """Return the digests, by path, of the manifests that changed.

    None if a manifest was added or removed, became readable or unreadable, or has other module
    settings.
    """
    files = [(file.language, file.path) for file in found.files]
    left, changed = {*inputs.manifests}, dict[str, str]()
    places = [*possible_manifest_paths(files, inputs.manifest_names)]
    for _, path in places:
        before = inputs.manifests.get(path)
        left.discard(path)
        folder = path.rpartition("/")[0]
        if folder and before is None and not times.is_folder_touched(folder):
            continue  # nothing was added to it
        if not os.path.lexists(root / native_path(path)):
            now = None
        elif before is not None and not times.is_touched(path):
            now = before
        else:
            try:
                now = read_source(root, path, max_file_size=settings.walk.max_file_size).digest
            except SkippedSource:
                now = ""
        if now == before:
            continue
        if not now or not before:
            return None
        changed[path] = now
    if left:
        return None
    is_same = not changed or _says_the_same(
        [place for place in places if place[1] in changed], root, inputs, settings
    )
    return changed if is_same else None


def _says_the_same(
    places: Sequence[tuple[str, str]], root: Path, inputs: BuildInputs, settings: BuildSettings
) -> bool:
    """Return whether some manifests can be read, and have the module settings that they had."""
    from mu.languages.loading import load_rules

    now = read_manifests_at(
        places,
        root,
        rules=load_rules({language for language, _ in places}),
        max_file_size=settings.walk.max_file_size,
    )
    paths = {path for _, path in places}
    before = {path: inputs.manifest_settings.get(path, "") for path in paths}
    return not now.skipped and now.settings == before
