"""Open the two graphs that are compared: of commits, or of the working tree.

Graphs are built as far as they are not kept; nothing is written into the repository. One that
proves damaged while it is read is built again, once.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar

from mu import config, kernel
from mu.analysis.review.sides import ReadLines
from mu.errors import ExitCode, MuError
from mu.kernel.graph_cache import CachedGraph, forget, revision_graph, working_graph
from mu.kernel.report import OnEvent, ignore_event
from mu.model.closing import Closing
from mu.operations.graph_file.build import build_settings, graphs_folder
from mu.operations.recorded_options import read_option, walk_options
from mu.operations.workspace import GRAPH_NAME, Workspace
from mu.source import SkippedSource, SourceTree, read_source
from mu.source.git.revisions import Revision, Revisions
from mu.source.trees import WorkingTree
from mu.store import DamagedGraphError, GraphFile, open_graph

WORKING_TREE = "working tree"
"""What the files of the folder are called, beside revisions."""

_LARGEST = 100_000_000  # bytes; what was built from was no larger than the build allows

Result = TypeVar("Result")


@dataclass(frozen=True)
class Snapshot:
    """One of the states compared: its name, its graph, and its files.

    `lost` are files that should be in the graph and could not be read, each with the reason.
    """

    name: str
    graph: GraphFile
    files: SourceTree
    lost: tuple[str, ...] = ()

    @cached_property
    def lines(self) -> ReadLines:
        """Gives the lines of a file, each read once."""
        return lines_of(self.files)

    def notes(self) -> tuple[str, ...]:
        """Say that files are missing, where some are."""
        if not self.lost:
            return ()
        files = "1 file" if len(self.lost) == 1 else f"{len(self.lost):,} files"
        return (f"{self.name} lacks {files}, and what they define: {self.lost[0]}",)


@dataclass(frozen=True, slots=True)
class Range:
    """What is compared: a revision, and another one or the working tree (None).

    `submodules` are folders that the working tree has and no revision.
    """

    before: Revision
    after: Revision | None
    submodules: tuple[str, ...] = ()


Work = Callable[[Snapshot, Snapshot, Sequence[str]], Result]
"""What is done with both states; it is also given the folders that do not count."""


def with_snapshots(
    workspace: Workspace, text: str, *, work: Work[Result], on_event: OnEvent = ignore_event
) -> Result:
    """Have `work` look at the states that a text such as `A..B` names; see `read_range`.

    Raises RevisionError where a revision cannot be read, and what builds raise.
    """
    span = read_range(workspace.root, text)
    settings = snapshot_settings(workspace)
    try:
        return _run(workspace.root, span, settings, work, on_event)
    except DamagedGraphError:
        return _run(workspace.root, span, replace(settings, is_full=True), work, on_event)


def read_range(root: Path, text: str) -> Range:
    """Read what to compare: nothing, `A`, `A..B` or `A...B`.

    Nothing means the working tree against HEAD, `A` the working tree against A. A side of `..`
    that is left out is HEAD, and `A...B` compares B with the common ancestor of both.
    """
    revisions = Revisions(root)
    first, dots, second = text.partition("...")
    if dots:
        base = revisions.base(first or "HEAD", second or "HEAD")
        return Range(base, revisions.find(second or "HEAD"))
    first, dots, second = text.partition("..")
    if dots:
        return Range(revisions.find(first or "HEAD"), revisions.find(second or "HEAD"))
    if revisions.is_bare:
        raise MuError(
            "there are no files here, only a repository", "name two revisions: A..B", ExitCode.USAGE
        )
    before = revisions.find(text) if text else revisions.head()
    return Range(before, None, revisions.submodules(before))


def branch_range(root: Path) -> Range | None:
    """Give what a branch changes: HEAD against its common ancestor with the main branch.

    None where they are the same, and where there is no main branch.
    """
    revisions = Revisions(root)
    try:
        base = revisions.base(revisions.main_branch(), "HEAD")
    except MuError:
        return None
    head = revisions.head()
    return None if base.commit == head.commit else Range(base, head)


class Snapshots(Closing):
    """States of one repository, opened one by one; leaving it closes their graphs."""

    def __init__(
        self, root: Path, settings: kernel.BuildSettings, *, on_event: OnEvent = ignore_event
    ) -> None:
        self._root = root
        self._settings = settings
        self._on_event = on_event
        self._folder = graphs_folder()
        self._kept: list[CachedGraph] = []
        self._opened = ExitStack()

    def open(self, side: Revision | None) -> Snapshot:
        """Open a revision, or the working tree (None); its graph is built unless it is kept."""
        folder, on_event = self._folder, self._on_event
        graph = (
            working_graph(self._root, self._settings, folder=folder, on_event=on_event)
            if side is None
            else revision_graph(side, self._settings, folder=folder, on_event=on_event)
        )
        self._kept.append(graph)
        tree = WorkingTree(self._root) if side is None else side.files()
        name = WORKING_TREE if side is None else str(side)
        columns_of = self._root / GRAPH_NAME
        file = self._opened.enter_context(open_graph(graph.path, columns_of=columns_of))
        lost = tuple(f"{one.path} ({one.reason})" for one in graph.report.skipped if one.is_lost)
        return Snapshot(name, file, tree, lost)

    def forget(self) -> None:
        """Remove the graphs that were opened, of which one proved damaged."""
        for graph in self._kept:
            forget(graph, folder=self._folder)

    def close(self) -> None:
        """Close the graphs."""
        self._opened.close()


def _run(
    root: Path,
    span: Range,
    settings: kernel.BuildSettings,
    work: Work[Result],
    on_event: OnEvent,
) -> Result:
    with Snapshots(root, settings, on_event=on_event) as snapshots:
        try:
            before, after = map(snapshots.open, (span.before, span.after))
            return work(before, after, span.submodules)
        except DamagedGraphError:
            snapshots.forget()
            raise


def lines_of(tree: SourceTree) -> ReadLines:
    """Read the files of a tree by lines, each once; what cannot be read has none."""

    @cache
    def read(path: str) -> tuple[str, ...]:
        if os.path.isabs(path) or ".." in path.split("/"):  # noqa: PTH117 - a path of a graph
            return ()
        try:
            text = read_source(tree, path, max_file_size=_LARGEST).text
        except SkippedSource:
            return ()
        return tuple(text.decode("utf-8", "replace").split("\n"))

    return read


def snapshot_settings(workspace: Workspace) -> kernel.BuildSettings:
    """Give the settings of the graph that is here, else those of the repository's `mu.toml`."""
    if not workspace.has_graph:
        loaded = config.load(
            workspace.root, environment={}, user_folder=config.user_folder(), flags={}
        )
        return build_settings(loaded)
    meta = workspace.graph.meta()
    return kernel.BuildSettings(
        walk=walk_options(meta),
        roots=read_option(meta, "roots", kind=tuple[str, ...]),
        facts=config.cache_folder() / "facts",
    )
