"""Find a path between two nodes, with the site of each hop, or say how far the search got."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from mu.analysis.completeness.external_callers import passed_functions_note
from mu.analysis.completeness.verdict import possible_sites
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.paths.search_frontiers import backward_end_note, forward_end_note
from mu.analysis.paths.shortest_path import path_of
from mu.analysis.paths.surest_path import shortest_cycle, surest_path
from mu.analysis.walks.breadth_first import WalkResult, depth_limit_note, walk_graph
from mu.analysis.walks.edge_sites import (
    SITE_COLUMNS,
    EdgeOfRow,
    EdgeSite,
    site_cells,
    sites_of_edges,
)
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.found import FoundNode
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, Resolution, Verdict
from mu.model.relation import Answer, Relation
from mu.operations.answers.call_sites import with_code
from mu.operations.freshness import asks_of_pages, with_staleness_note
from mu.operations.results import RouteRows, with_notes
from mu.operations.workspace import Workspace
from mu.store import GraphFile

CALLS = (EdgeKind.CALLS,)

_VARIANTS = """
SELECT DISTINCT far.id FROM site JOIN node AS far ON far.key = site.target
JOIN node AS near ON near.key = site.source
WHERE near.id = $1 AND site.line = $2 AND far.id <> $3
    AND (far.parent, far.name) IN (SELECT parent, name FROM node WHERE id = $3)
ORDER BY ALL
"""


def path(
    workspace: Workspace,
    start: str,
    *,
    goal: str,
    kinds: Sequence[EdgeKind] = CALLS,
    max_depth: int | None = None,
) -> RouteRows:
    """Show the surest short path by which `start` depends on `goal`, by calls by default.

    A row for each node on it. `via` is the kind of the hop to the next row, `path` and `line` are
    where it stands, `code` is the source there, `rule`, `resolution` and `alternatives` say how the
    site was resolved. The verdict is `unknown` when the weakest hop is one of several alternatives.
    When there is no path, notes name the calls where the search ends on either side. A class stands
    for its members, a module for its definitions. From a node to itself it is a shortest cycle.
    """
    graph = workspace.graph
    first, last = resolve_node(graph, start), resolve_node(graph, goal)
    walked = walk_graph(graph, Walk(first.key, Direction.FORWARD, max_depth, kinds, first.is_alone))
    if first.key == last.key:
        steps = shortest_cycle(graph, walked)
    else:
        steps = surest_path(graph, walked, goal=last.key, is_alone=last.is_alone)
    answer = graph.run(path_of(steps))
    if answer.total > 1:
        answer = _with_hops(workspace, answer)
    elif answer.rows:
        answer = with_notes(answer, f"{last.id} and {first.id}: one is part of the other")
    else:
        answer = _not_found(workspace, (first, last), walked, answer)
    rows = RouteRows(first, last, answer)
    return with_staleness_note(workspace.freshness, rows, with_pages=asks_of_pages(kinds))


def _with_hops(workspace: Workspace, answer: Answer) -> Answer:
    """Add the site of each hop; the verdict is that of the weakest."""
    graph, rows = workspace.graph, answer.rows
    at_id, at_via = answer.columns.index("id"), answer.columns.index("via")
    edges = [
        EdgeOfRow(str(row[at_id]), str(following[at_id]), str(row[at_via]))
        for row, following in pairwise(rows)
    ]
    sites = [*sites_of_edges(graph, edges), ()]
    cells = [site_cells(each) for each in sites]
    answer = replace(
        answer,
        columns=(*answer.columns, *SITE_COLUMNS),
        rows=tuple((*row, *more) for row, more in zip(rows, cells, strict=True)),
    )
    answer = with_code(workspace, answer, path="site_path", line="site_line", text="site_text")
    notes = [*_variants(graph, edges, sites)]
    weak = [
        (each[0].alternatives, step)
        for step, each in enumerate(sites)
        if each and each[0].resolution is Resolution.DISPATCH and each[0].alternatives > 1
    ]
    if weak:
        count, step = max(weak)
        means = f"one of {count} definitions that its site may mean"
        notes.append(f"weakest hop: step {step}, {means}")
    return with_notes(answer, *notes, verdict=Verdict.UNKNOWN if weak else None)


def _variants(
    graph: GraphFile, edges: Sequence[EdgeOfRow], sites: Sequence[Sequence[EdgeSite]]
) -> Iterator[str]:
    """Say which hops may run another variant of the same definition."""
    for step, edge in enumerate(edges):
        if not sites[step]:
            continue
        values = (edge.source, sites[step][0].line, edge.target)
        found = graph.run(Relation(_VARIANTS, values)).rows
        if found:
            others = ", ".join(str(each[0]) for each in found)
            yield f"step {step} may run {others} as well: variants of one definition"


def _not_found(
    workspace: Workspace, asked: tuple[FoundNode, FoundNode], walked: WalkResult, answer: Answer
) -> Answer:
    """Say how far the search got from both sides."""
    graph, walk = workspace.graph, walked.walk
    first, last = asked
    named = ", ".join(kind.value for kind in walk.kinds)
    note = f"no path from {first.id} to {last.id} by {named}"
    verdict = None
    if cut := depth_limit_note(graph, walked):
        verdict = Verdict.AT_LEAST
        edges = "1 edge" if walk.depth == 1 else f"{walk.depth} edges"
        note = f"{note} within {edges}"
    notes = [note, cut]
    possible = graph.run(possible_sites(graph, walked), limit=3)
    if possible.total:
        verdict = Verdict.UNKNOWN
        count = "1 open reference" if possible.total == 1 else f"{possible.total} open references"
        notes.append(f"{count} on the way could make one")
    if EdgeKind.CALLS in walk.kinds:
        back = walk_graph(graph, Walk(last.key, Direction.BACKWARD, None, (EdgeKind.CALLS,)))
        notes += [forward_end_note(walked, possible), backward_end_note(graph, back)]
        if set(walk.kinds) == set(CALLS) and (escaped := passed_functions_note(graph, back)):
            verdict = Verdict.UNKNOWN
            notes.append(escaped)
    if set(walk.kinds) == set(CALLS):
        wide = walk_graph(graph, Walk(first.key, Direction.FORWARD, walk.depth, DEPENDENCY_KINDS))
        if surest_path(graph, wide, goal=last.key, is_alone=last.is_alone):
            notes.append("there is one by imports, bases and uses: ask for all kinds of edge")
    return with_notes(answer, *notes, verdict=verdict)
