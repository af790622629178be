"""Whether the graph that is there is the one a build would make.

A build writes into the graph what it was made of, and what it reported. The next one walks the
folder, and where nothing of that changed it has nothing to do: 0.5 s for 3,500 files, most of it to
start and to walk.
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec

from mu.kernel.change_detection.build_inputs import Basis, walk_digest
from mu.kernel.change_detection.file_changes import Changes, KnownFile, Times, compare
from mu.kernel.inputs.checked_out_commit import checked_out_commit
from mu.kernel.inputs.package_manifests import possible_manifests
from mu.kernel.inputs.source_listing import list_sources
from mu.kernel.report import BuildReport
from mu.kernel.settings import BuildSettings
from mu.model.kinds import Category
from mu.model.relation import Relation
from mu.source import Discovery, SkippedSource, SourceFile, native_path, read_source
from mu.store import DamagedGraphError, GraphFile, NoGraphError, QueryError, open_graph
from mu.syntax import load_manifests


class Standing(NamedTuple):
    """The graph `file` that is there: what it reported, and what changed since it was built.

    `found` is what the walk sees now, and `commit` the one that is checked out. All else that it
    was made of is as it was, and no file is missing that should be in it.
    """

    file: Path
    report: BuildReport
    basis: Basis
    found: Discovery
    changes: Changes
    commit: str

    @property
    def is_current(self) -> bool:
        """Whether a build would make the same graph."""
        is_same = self.commit == self.basis.commit and self.found.unknown == self.report.unknown
        return is_same and not self.changes.total


def find_standing(
    root: Path, graph_file: Path, *, settings: BuildSettings, found: Discovery
) -> Standing | None:
    """Look at the graph that is there; None where more than files differs from what a build sees.

    `found` is what a walk of `root` sees now. A graph with files missing that should be in it is
    always to be made again.
    """
    try:
        with open_graph(graph_file) as graph:
            return _look(root, graph, settings, found)
    except (NoGraphError, DamagedGraphError, QueryError, msgspec.MsgspecError, OSError):
        return None


def unchanged(standing: Standing) -> BuildReport:
    """The report of a graph that is left as it is."""
    size = standing.file.stat().st_size
    return replace(standing.report, is_unchanged=True, updated=None, file_bytes=size)


def is_standing(root: Path, graph_file: Path, *, settings: BuildSettings) -> bool:
    """Whether a build of `root` would leave the graph that is there; costs a walk of the folder."""
    found = list_sources(root, settings.walk, manifests=load_manifests())
    standing = find_standing(root, graph_file, settings=settings, found=found)
    return standing is not None and standing.is_current


def _look(
    root: Path, graph: GraphFile, settings: BuildSettings, found: Discovery
) -> Standing | None:
    meta = graph.meta()
    basis = msgspec.json.decode(meta.get("basis", ""), type=Basis)
    report = msgspec.json.decode(meta.get("report", ""), type=BuildReport)
    if report.is_partial or not basis.is_of(settings):
        return None
    built_at = int(meta.get("built_at", ""))
    rows = graph.run(Relation("SELECT path, bytes, digest FROM files"), limit=None).rows
    known = msgspec.convert(rows, tuple[KnownFile, ...])
    times = Times(root, built_at)
    changes = compare(root, known, found=found, times=times)
    if basis.walked != walk_digest(_without(changes, found, graph)):
        return None
    is_same = _has_same_manifests(root, settings, found, basis, times)
    if not is_same:
        return None
    commit = checked_out_commit(root)
    return Standing(graph.path, report, basis, found, changes, commit)


def _without(changes: Changes, found: Discovery, graph: GraphFile) -> Discovery:
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
    root: Path, settings: BuildSettings, found: Discovery, basis: Basis, times: Times
) -> bool:
    files = ((file.language, file.path) for file in found.files)
    left = {*basis.manifests}
    for _, path in possible_manifests(files, basis.manifest_names):
        before = basis.manifests.get(path)
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
