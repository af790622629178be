"""Compare two revisions as code: definitions, public signatures, dependencies, cycles."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mu.analysis.review.difference import compare_graphs
from mu.analysis.review.findings import Change, CycleChange, DependencyChange, Difference
from mu.kernel.report import OnEvent, ignore_event
from mu.model.kinds import Verdict
from mu.operations.results import DEFAULT_LIMIT, check_page
from mu.operations.revisions.equal_sources import has_equal_sources
from mu.operations.revisions.snapshots import (
    WORKING_TREE,
    Snapshot,
    branch_range,
    read_range,
    snapshot_settings,
    with_snapshots,
)
from mu.operations.workspace import Workspace
from mu.render.shown import Shown


@dataclass(frozen=True, slots=True)
class Diff(Shown):
    """The difference between two states of a repository.

    `before` and `after` name them. `changes` are at most the limit asked for, of `total`;
    `counts` counts all of them by kind, and `breaking` those that break a public definition.
    `broken` counts references inside that do not fit any more. `complexity_before` and
    `complexity_after` add up the cyclomatic complexities of changed, added and removed functions,
    tests aside. The verdict is `at least` where moves and renames were not all looked for, or
    files could not be read.
    """

    before: str
    after: str
    files_added: int
    files_removed: int
    files_changed: int
    total: int
    counts: dict[str, int]
    breaking: int
    broken: int
    complexity_before: int
    complexity_after: int
    changes: tuple[Change, ...]
    dependencies: tuple[DependencyChange, ...]
    cycles: tuple[CycleChange, ...]
    verdict: Verdict
    notes: tuple[str, ...] = ()
    next_offset: int | None = None


class _Named(NamedTuple):
    before: str
    after: str
    found: Difference


def diff(
    workspace: Workspace,
    revisions: str = "",
    *,
    within: str = "",
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    on_event: OnEvent = ignore_event,
) -> Diff:
    """Compare two revisions as code: definitions added, removed, changed, moved and renamed.

    `revisions` is `A..B`, `A...B` (B against the common ancestor) or `A` (the working tree against
    A). Without it the working tree is compared with HEAD, and where both are the same, HEAD with
    its common ancestor with the main branch. Says which public definitions cannot be used as
    before, which references inside do not fit any more, which modules and packages are newly
    imported or no longer, which import cycles were made or broken, and complexity before and after.
    Only changes `within` a path count. Graphs of revisions are built as far as they are not kept.
    """
    check_page(limit, offset)
    named = _compared(workspace, revisions, on_event)
    below = within.rstrip("/")
    changes = [one for one in named.found.changes if _is_within(one, below)]
    found = named.found
    page = changes[offset : offset + limit]
    end = offset + len(page)
    kept = [one for one in changes if one.kind == "function" and not one.is_test]
    return Diff(
        before=named.before,
        after=named.after,
        files_added=found.files_added,
        files_removed=found.files_removed,
        files_changed=found.files_changed,
        total=len(changes),
        counts=dict(sorted(Counter(one.change.value for one in changes).items())),
        breaking=sum(bool(one.breaking) for one in changes),
        broken=sum(len(one.broken) for one in changes),
        complexity_before=sum(one.complexity_before for one in kept),
        complexity_after=sum(one.complexity_after for one in kept),
        changes=tuple(page),
        dependencies=tuple(row for row in found.dependencies if _lies_in(row.path, below)),
        cycles=tuple(
            row for row in found.cycles if any(_lies_in(step.path, below) for step in row.steps)
        ),
        verdict=Verdict.AT_LEAST if found.notes else Verdict.EXACT,
        notes=found.notes,
        next_offset=end if page and end < len(changes) else None,
    )


def _compared(workspace: Workspace, revisions: str, on_event: OnEvent) -> _Named:
    named = _quickly(workspace, revisions)
    if named is None:
        named = with_snapshots(workspace, revisions, work=_compare, on_event=on_event)
    found = named.found
    is_same = not (found.files_added or found.files_removed or found.files_changed)
    span = branch_range(workspace.root) if is_same and not revisions else None
    if span is None or span.after is None:
        return named
    text = f"{span.before.commit}..{span.after.commit}"
    branch = with_snapshots(workspace, text, work=_compare, on_event=on_event)
    return _Named(str(span.before), str(span.after), branch.found)


def _quickly(workspace: Workspace, revisions: str) -> _Named | None:
    """Give the difference of states with the same sources, for which no graph is needed."""
    span = read_range(workspace.root, revisions)
    if not has_equal_sources(workspace.root, span, settings=snapshot_settings(workspace)):
        return None
    after = WORKING_TREE if span.after is None else str(span.after)
    nothing = Difference((), (), (), files_added=0, files_removed=0, files_changed=0)
    return _Named(str(span.before), after, nothing)


def _compare(before: Snapshot, after: Snapshot, left_out: Sequence[str]) -> _Named:
    read = before.lines, after.lines
    found = compare_graphs(before.graph, after.graph, read=read, left_out=left_out)
    found = replace(found, notes=(*before.notes(), *after.notes(), *found.notes))
    return _Named(before.name, after.name, found)


def _is_within(change: Change, below: str) -> bool:
    return _lies_in(change.path, below) or bool(
        change.before_path and _lies_in(change.before_path, below)
    )


def _lies_in(path: str, below: str) -> bool:
    return not below or path == below or path.startswith(f"{below}/")
