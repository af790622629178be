"""The questions about how nodes hang together: paths, cycles, and finding a node by its name."""

import time
from collections.abc import Sequence

from mu.analysis.cycles import cycles as cycle_relation
from mu.analysis.pairs import open_doubts
from mu.analysis.references import resolve_node
from mu.analysis.routes import path as path_relation
from mu.analysis.search import RANKED, SEARCH_COLUMNS, find
from mu.analysis.traversal import Direction, Walk
from mu.analysis.verdict import possible_sites
from mu.analysis.walked import stopped, walk_graph
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, ImportMoment, NodeKind, Verdict
from mu.model.relation import Answer
from mu.operations.freshness import aged, asks_of_pages
from mu.operations.results import (
    DEFAULT_LIMIT,
    RouteRows,
    Rows,
    check_page,
    next_offset,
    noted,
)
from mu.operations.workspace import Workspace


def path(
    workspace: Workspace,
    start: str,
    *,
    goal: str,
    kinds: Sequence[EdgeKind] = DEPENDENCY_KINDS,
    max_depth: int | None = None,
) -> RouteRows:
    """Show one shortest way in which `start` depends on `goal`.

    A row for each node on it; `via` is the kind of the edge to the next one, and `path` and `line`
    are where that edge stands. A class stands for its members, a module for its definitions.
    """
    graph = workspace.graph
    first, last = resolve_node(graph, start), resolve_node(graph, goal)
    walked = walk_graph(graph, Walk(first.key, Direction.FORWARD, max_depth, kinds))

    def told(answer: Answer) -> RouteRows:
        return aged(
            workspace.freshness, RouteRows(first, last, answer), with_pages=asks_of_pages(kinds)
        )

    answer = graph.run(path_relation(graph, walked, goal=last.key))
    if answer.rows:
        note = "" if answer.total > 1 else f"{last.id} and {first.id}: one is part of the other"
        return told(noted(answer, note))
    named = ", ".join(kind.value for kind in kinds)
    note = f"no path from {first.id} to {last.id} by {named}"
    if cut := stopped(graph, walked):
        answer = noted(answer, f"{note} within {_edges(max_depth)}", cut, verdict=Verdict.AT_LEAST)
    else:
        answer = noted(answer, note)
    possible = graph.run(possible_sites(graph, walked), limit=1).total
    if not possible:
        return told(answer)
    count = "1 open reference" if possible == 1 else f"{possible} open references"
    doubt = f"{count} on the way could make one"
    return told(noted(answer, doubt, verdict=Verdict.UNKNOWN))


def _edges(depth: int | None) -> str:
    return "1 edge" if depth == 1 else f"{depth} edges"


def cycles(
    workspace: Workspace,
    *,
    kinds: Sequence[EdgeKind] = (EdgeKind.IMPORTS,),
    imports: ImportMoment = ImportMoment.RUN,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> Rows:
    """Show one shortest cycle for each knot of nodes that depend on each other.

    By default imports that happen when the program runs, those inside functions among them;
    `imports` may ask for those alone that happen when a module is loaded, or for all, those for
    type checkers too. `role` tells `lazy` and `type-only` ones apart. `size` counts the nodes of
    the whole knot, and `line` is where a row's node depends on the next row's, the last on the
    first.
    """
    check_page(limit, offset)
    relation = cycle_relation(workspace.graph, kinds=kinds, imports=imports)
    answer = workspace.graph.run(relation, limit=limit, offset=offset)
    what = ", ".join(kind.value for kind in kinds)
    note = "" if answer.total else f"no cycle by {what}"
    if EdgeKind.IMPORTS in kinds and imports != ImportMoment.ALL:
        note = note and f"{note} at {imports.value} time"
    doubts = open_doubts(workspace.graph, kinds)
    verdict = Verdict.AT_LEAST if doubts else answer.verdict
    rows = Rows(noted(answer, note, *doubts, verdict=verdict), next_offset(answer, offset))
    return aged(workspace.freshness, rows, with_pages=asks_of_pages(kinds))


def search(
    workspace: Workspace,
    words: str,
    *,
    kinds: Sequence[NodeKind] = tuple(NodeKind),
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
    hits = find(workspace.graph, words, kinds=kinds)
    rows = tuple((*hit.place, hit.score, hit.why) for hit in hits[offset : offset + limit])
    answer = Answer(
        SEARCH_COLUMNS,
        rows,
        total=len(hits),
        truncated=offset + len(rows) < len(hits),
        verdict=Verdict.AT_LEAST,
        notes=(RANKED,) if hits else (f"nothing here says anything about '{words}'",),
        elapsed_ms=(time.perf_counter() - started) * 1000,
    )
    return aged(workspace.freshness, Rows(answer, next_offset(answer, offset)))
