"""Dependency cycles, and the dependencies to cut to be rid of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mu.analysis.completeness.open_references import open_doubts
from mu.analysis.metrics.dependency_cycles import cuts
from mu.analysis.metrics.dependency_cycles import cycles as cycle_relation
from mu.analysis.node_search.listing_scope import Scope, checked
from mu.model.kinds import EdgeKind, ImportMoment, Verdict
from mu.model.relation import Relation
from mu.operations.answers.call_sites import with_code
from mu.operations.freshness import asks_of_pages, with_staleness_note
from mu.operations.results import (
    DEFAULT_LIMIT,
    Rows,
    check_page,
    next_offset,
    with_notes,
)
from mu.operations.workspace import Workspace


def cycles(
    workspace: Workspace,
    *,
    kinds: Sequence[EdgeKind] = (EdgeKind.IMPORTS,),
    imports: ImportMoment = ImportMoment.RUN,
    within: str = "",
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> Rows:
    """Show a shortest cycle for each strongly connected component of the dependency graph.

    Only dependencies between nodes `within` a folder or file count. By default imports that happen
    when the program runs, those inside functions among them; `imports` may ask for those alone that
    happen when a module is loaded, or for all, those for type checkers too. `role` tells `lazy` and
    `type-only` ones apart. `size` counts the nodes of the whole component, and `line` is where a
    row's node depends on the next row's, the last on the first, and `code` the source text there.
    """
    check_page(limit, offset)
    below = checked(workspace.graph, Scope(within)).within
    relation = cycle_relation(workspace.graph, kinds=kinds, imports=imports, below=below)
    page = _Page(limit, offset)
    recursion = _recursion(workspace, kinds, below=below)
    answered = _in_cycles(workspace, relation, page, kinds=kinds, imports=imports)
    return replace(answered, answer=with_notes(answered.answer, recursion))


def cycle_cuts(
    workspace: Workspace,
    *,
    kinds: Sequence[EdgeKind] = (EdgeKind.IMPORTS,),
    imports: ImportMoment = ImportMoment.RUN,
    within: str = "",
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> Rows:
    """List the fewest dependencies whose removal leaves no cycle.

    They are found for each strongly connected component, of which `cut` says how many there are.
    `is_minimum` is false where a component is too large to be sure that no fewer do. The arguments
    are those of `cycles`.
    """
    check_page(limit, offset)
    below = checked(workspace.graph, Scope(within)).within
    relation = cuts(workspace.graph, kinds=kinds, imports=imports, below=below)
    page = _Page(limit, offset)
    recursion = _recursion(workspace, kinds, below=below)
    answered = _in_cycles(workspace, relation, page, kinds=kinds, imports=imports)
    return replace(answered, answer=with_notes(answered.answer, recursion))


_RECURSIVE = """
SELECT count(DISTINCT edge.source)
FROM edge JOIN node ON node.key = edge.source JOIN file ON file.key = node.file
WHERE edge.kind = 'calls' AND edge.source = edge.target
    AND ($1 = '' OR file.path = $1 OR starts_with(file.path, $1 || '/'))
"""


class _Page(NamedTuple):
    limit: int
    offset: int


def _in_cycles(
    workspace: Workspace,
    relation: Relation,
    page: _Page,
    *,
    kinds: Sequence[EdgeKind],
    imports: ImportMoment,
) -> Rows:
    """Run a relation of edges in cycles, and say what could add to it."""
    limit, offset = page
    answer = workspace.graph.run(relation, limit=limit, offset=offset)
    what = ", ".join(kind.value for kind in kinds)
    note = "" if answer.total else f"no cycle by {what}"
    if EdgeKind.IMPORTS in kinds and imports != ImportMoment.ALL:
        note = note and f"{note} at {imports.value} time"
    doubts = open_doubts(workspace.graph, kinds)
    answer = with_code(workspace, answer, path="path", line="line")
    verdict = Verdict.AT_LEAST if doubts else answer.verdict
    rows = Rows(with_notes(answer, note, *doubts, verdict=verdict), next_offset(answer, offset))
    return with_staleness_note(workspace.freshness, rows, with_pages=asks_of_pages(kinds))


def _recursion(workspace: Workspace, kinds: Sequence[EdgeKind], *, below: str) -> str:
    """Say how many functions only call themselves, which is no cycle of several nodes."""
    if EdgeKind.CALLS not in kinds or EdgeKind.IMPORTS in kinds:
        return ""
    total = int(str(workspace.graph.run(Relation(_RECURSIVE, (below,))).rows[0][0]))
    if not total:
        return ""
    calls = "1 function calls itself" if total == 1 else f"{total} functions call themselves"
    return f"a cycle has two nodes or more; {calls} directly: see `mu query @recursive_functions`"
