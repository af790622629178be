"""The graphs of revisions that queries ask for, built unless they are cached.

What builds graphs and reads git is imported by a query that asks, and by no other.
"""

from typing import TYPE_CHECKING

from mu.model.closing import Closing
from mu.model.relation import Cell
from mu.muql.repository_history import State, Told
from mu.operations.workspace import Workspace

if TYPE_CHECKING:
    from mu.analysis.review.findings import Change
    from mu.kernel.report import OnEvent
    from mu.operations.freshness import Freshness
    from mu.operations.revisions.snapshots import Snapshot, Snapshots
    from mu.source.trees import SourceTree
    from mu.store import GraphFile


class PastWorkspace(Workspace):
    """A workspace as it was in a revision: its graph and its files, in which nothing changes."""

    def __init__(self, workspace: Workspace, snapshot: "Snapshot") -> None:
        super().__init__(workspace.root)
        self.snapshot = snapshot

    @property
    def graph(self) -> "GraphFile":
        """The graph of the revision; whoever opened it closes it."""
        return self.snapshot.graph

    @property
    def files(self) -> "SourceTree":
        """The files of the revision."""
        return self.snapshot.files

    @property
    def freshness(self) -> "Freshness":
        """Nothing changed: a revision never does."""
        from mu.operations.freshness import Freshness

        return Freshness()


class WorkspacePast(Closing):
    """The history of the repository that holds a workspace; leaving it closes what it opened."""

    def __init__(
        self, workspace: Workspace, *, timeout: float, on_event: "OnEvent | None" = None
    ) -> None:
        """`on_event` is told of the builds of graphs."""
        self.timeout = timeout
        self._on_event = on_event
        self._workspace = workspace
        self._is_full = False
        self._snapshots: Snapshots | None = None
        self._states: dict[str, tuple[State, PastWorkspace]] = {}

    def at(self, revision: str) -> State:
        """Give the state of a revision; raises RevisionError, and what builds raise."""
        if revision not in self._states:
            self._states[revision] = self._open(revision)
        return self._states[revision][0]

    def diff(self, before: str, after: str) -> Told:
        """Give the rows of `diff(before, after)`; raises as `at` does."""
        from mu.analysis.review.difference import compare_graphs

        sides = [(self.at(name), self._states[name][1].snapshot) for name in (before, after)]
        (old, first), (new, second) = sides
        found = compare_graphs(first.graph, second.graph, read=(first.lines, second.lines))
        return Told(
            tuple(map(_diff_row, found.changes)),
            notes=(f"from {old.name} to {new.name}",),
            doubts=(*old.lacks, *new.lacks, *found.notes),
        )

    def history(self, node: str, most: int) -> Told:
        """Give at most `most` commits that changed a node; raises as the operation does."""
        from mu.analysis.node_search.node_resolution import resolve_node
        from mu.operations.revisions.history import SECONDS, node_history

        found = resolve_node(self._workspace.graph, node)
        seconds = min(self.timeout, SECONDS)
        return node_history(self._workspace, found, most=most, seconds=seconds)

    def blame(self, node: str) -> Told:
        """Give the lines of a node by the commits they came with."""
        from mu.analysis.node_search.node_resolution import resolve_node
        from mu.operations.revisions.history import SECONDS, node_blame

        found = resolve_node(self._workspace.graph, node)
        return node_blame(self._workspace, found, seconds=min(self.timeout, SECONDS))

    def workspace_of(self, state: State) -> Workspace:
        """Give the workspace as it was in a state that `at` gave."""
        return next(place for known, place in self._states.values() if known is state)

    def renew(self) -> bool:
        """Have graphs of revisions built again, of which one proved damaged; once.

        False where none was opened, so that the damage is elsewhere.
        """
        if self._snapshots is None or self._is_full:
            return False
        self._snapshots.forget()
        self.close()
        self._is_full = True
        return True

    def close(self) -> None:
        """Close the graphs that were opened."""
        if self._snapshots is not None:
            self._snapshots.close()
        self._snapshots = None
        self._states.clear()

    def _open(self, revision: str) -> tuple[State, PastWorkspace]:
        from dataclasses import replace

        from mu.kernel.report import ignore_event
        from mu.operations.line_reader import read_source_of
        from mu.operations.revisions.snapshots import Snapshots, snapshot_settings
        from mu.source.git.revisions import Revisions

        found = Revisions(self._workspace.root).find(revision)
        if self._snapshots is None:
            settings = replace(snapshot_settings(self._workspace), is_full=self._is_full)
            on_event = self._on_event or ignore_event
            self._snapshots = Snapshots(self._workspace.root, settings, on_event=on_event)
        snapshot = self._snapshots.open(found)
        place = PastWorkspace(self._workspace, snapshot)
        return State(snapshot.name, snapshot.graph, read_source_of(place), snapshot.notes()), place


def _diff_row(change: "Change") -> tuple[Cell, ...]:
    return (
        change.change.value,
        change.kind,
        change.id,
        change.name,
        change.path,
        change.line,
        change.before_id or None,
        change.before_name or None,
        change.before_path or None,
        tuple(aspect.value for aspect in change.aspects),
        change.before or None,
        change.after or None,
        "; ".join(change.breaking) or None,
        len(change.broken),
        change.is_public,
        change.is_test,
    )
