"""Dependency cycles, and finding definitions by name or words."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mu.analysis.completeness.open_references import open_doubts
from mu.analysis.metrics.dependency_cycles import cuts
from mu.analysis.metrics.dependency_cycles import cycles as cycle_relation
from mu.analysis.node_search.listing_scope import EVERYTHING, Scope, checked
from mu.analysis.node_search.word_search import RANKED, SEARCH_COLUMNS, Hit, find
from mu.model.kinds import EdgeKind, ImportMoment, NodeKind, Verdict
from mu.model.relation import Answer, Relation
from mu.operations.call_sites import with_code
from mu.operations.freshness import aged, asks_of_pages
from mu.operations.results import (
    DEFAULT_LIMIT,
    Rows,
    check_page,
    next_offset,
    noted,
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
    return replace(answered, answer=noted(answered.answer, recursion))


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
    return replace(answered, answer=noted(answered.answer, recursion))


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
    rows = Rows(noted(answer, note, *doubts, verdict=verdict), next_offset(answer, offset))
    return aged(workspace.freshness, rows, with_pages=asks_of_pages(kinds))


def _recursion(workspace: Workspace, kinds: Sequence[EdgeKind], *, below: str) -> str:
    """Say how many functions only call themselves, which is no cycle of several nodes."""
    if EdgeKind.CALLS not in kinds or EdgeKind.IMPORTS in kinds:
        return ""
    total = int(str(workspace.graph.run(Relation(_RECURSIVE, (below,))).rows[0][0]))
    if not total:
        return ""
    calls = "1 function calls itself" if total == 1 else f"{total} functions call themselves"
    return f"a cycle has two nodes or more; {calls} directly: see `mu query @recursive_functions`"


def _said(words: str, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Say what the hits are, the best first; of one word, also whether a name is it."""
    if not hits:
        return (f"nothing here says anything about '{words}'",)
    if hits[0].is_by_name or len(words.split()) != 1:
        return (RANKED,)
    text = f"`mu grep '{words}'` finds the lines with this text"
    return (f"no name is '{words}' or begins with it: these have words of it; {text}", RANKED)


def search(
    workspace: Workspace,
    words: str,
    *,
    kinds: Sequence[NodeKind] = tuple(NodeKind),
    scope: Scope = EVERYTHING,
    limit: int = 20,
    offset: int = 0,
) -> Rows:
    """Find nodes by words, in a name or a question: `resolve_redirects`, `what handles auth?`.

    Names that are the words, or begin with them, come first; then what says most about them in
    its name, path, signature, docstring, comments and strings. Endings and common abbreviations
    do not matter (`auth` is `authentication`, and never `author`); `why` says what was found where.
    When no word is found, those spelled like it are. Tests and generated code come last. At most
    200 are ranked.
    """
    check_page(limit, offset)
    started = time.perf_counter()
    hits = find(workspace.graph, words, kinds=kinds, scope=checked(workspace.graph, scope))
    rows = tuple((*hit.place, hit.score, hit.why) for hit in hits[offset : offset + limit])
    answer = Answer(
        SEARCH_COLUMNS,
        rows,
        total=len(hits),
        truncated=offset + len(rows) < len(hits),
        verdict=Verdict.AT_LEAST,
        notes=_said(words, hits),
        elapsed_ms=(time.perf_counter() - started) * 1000,
    )
    return aged(workspace.freshness, Rows(answer, next_offset(answer, offset)))
