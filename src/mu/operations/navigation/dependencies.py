"""Dependencies and dependents of a node: direct, transitive, by calls.

An edge A -> B means that A depends on B. `deps`, `callees` and `ancestors` list what a node uses;
`dependents`, `callers` and `impact` list what uses it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict, Unpack

from mu.analysis.completeness.external_callers import registrations, value_uses
from mu.analysis.node_search.listing_scope import EVERYTHING, Scope, checked, in_scope
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.walks.breadth_first import WalkResult, depth_limit_note, walk_graph
from mu.analysis.walks.dependency_walks import reach
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.found import FoundNode
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, NodeKind, Resolution, Verdict
from mu.model.relation import Answer, Derived, Relation
from mu.operations.answers.call_sites import Sites, run_with_sites, with_code
from mu.operations.answers.possible_references import (
    find_possible,
    open_sites,
    with_external_callers,
    with_verdict,
)
from mu.operations.answers.unread_code import with_unread_code
from mu.operations.freshness import asks_of_pages, with_staleness_note
from mu.operations.results import DEFAULT_LIMIT, NodeRows, check_page, next_offset, with_notes
from mu.operations.source_lines import SourceLines, safe_lines
from mu.operations.workspace import Workspace
from mu.store import GraphFile

if TYPE_CHECKING:
    from mu.kernel.change_detection.file_changes import Changes

Kinds = Sequence[EdgeKind]

_CALLS = (EdgeKind.CALLS,)

_OVERRIDING = """
SELECT node.id FROM edge JOIN node ON node.key = edge.source
WHERE edge.target = $1 AND edge.kind = 'overrides' ORDER BY node.is_test, node.key
"""

_COUNTS = """
SELECT count(*) FILTER (distance = 1), count(*), count(*) FILTER (is_test), count(DISTINCT path)
FROM impacted
"""


class Shown(TypedDict, total=False):
    """Which rows an answer has: those of a scope, everything by default, and with which sites."""

    scope: Scope
    sites: Sites


@dataclass(frozen=True, slots=True)
class _Asked:
    """A direction, a depth and the kinds of edge.

    `is_far` asks for everything, at any distance; `with_tests` says which rows are tests, and how
    many.
    """

    direction: Direction
    depth: int | None
    kinds: Kinds
    is_far: bool = False
    with_tests: bool = False


@dataclass(frozen=True, slots=True)
class _Page:
    limit: int
    offset: int
    scope: Scope = EVERYTHING
    sites: Sites = Sites.FIRST


def deps(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    kinds: Kinds = DEPENDENCY_KINDS,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    **shown: Unpack[Shown],
) -> NodeRows:
    """List what a node depends on: imports, calls, base classes, overridden methods, names used.

    A class stands for its members, a module for its definitions. Rows are the nearest first:
    `via` is the kind of the edge a node was reached by, from `from_id`.
    """
    return _ask(
        workspace,
        node,
        _Asked(Direction.FORWARD, depth, kinds),
        _Page(limit, offset, **shown),
    )


def dependents(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    kinds: Kinds = DEPENDENCY_KINDS,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    **shown: Unpack[Shown],
) -> NodeRows:
    """List what depends on a node: what imports, calls, inherits, overrides or names it.

    A class stands for its members, a module for its definitions.
    """
    return _ask(
        workspace,
        node,
        _Asked(Direction.BACKWARD, depth, kinds),
        _Page(limit, offset, **shown),
    )


def callees(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    **shown: Unpack[Shown],
) -> NodeRows:
    """List what a function calls, or what the members of a class or module call.

    Making an object of a class counts as calling the class.
    """
    return _ask(
        workspace,
        node,
        _Asked(Direction.FORWARD, depth, _CALLS),
        _Page(limit, offset, **shown),
    )


def callers(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    **shown: Unpack[Shown],
) -> NodeRows:
    """List what calls a function, or what calls a class or any member of it.

    Calls inside the node, such as recursive ones, are left out.
    """
    return _ask(
        workspace,
        node,
        _Asked(Direction.BACKWARD, depth, _CALLS),
        _Page(limit, offset, **shown),
    )


def ancestors(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = None,
    kinds: Kinds = DEPENDENCY_KINDS,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    **shown: Unpack[Shown],
) -> NodeRows:
    """List all that a node uses, directly or through others.

    If handler calls service and service calls query, the ancestors of handler are service and
    query: what it stands on. A change in any of them may be felt in the node. A depth that leaves
    some out makes the answer `at least`.
    """
    asked = _Asked(Direction.FORWARD, depth, kinds, is_far=True)
    return _ask(workspace, node, asked, _Page(limit, offset, **shown))


def impact(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = None,
    kinds: Kinds = DEPENDENCY_KINDS,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    **shown: Unpack[Shown],
) -> NodeRows:
    """List all that uses a node, directly or through others: what a change of it may break.

    If handler calls service and service calls query, the impact of query is service and handler.
    `is_test` marks tests. A depth that leaves some out makes the answer `at least`.
    """
    asked = _Asked(Direction.BACKWARD, depth, kinds, is_far=True, with_tests=True)
    return _ask(workspace, node, asked, _Page(limit, offset, **shown))


def _ask(
    workspace: Workspace,
    reference: str,
    asked: _Asked,
    page: _Page,
) -> NodeRows:
    check_page(page.limit, page.offset)
    node = resolve_node(workspace.graph, reference)
    walk = Walk(node.key, asked.direction, asked.depth, asked.kinds, node.is_alone)
    walked = walk_graph(workspace.graph, walk)
    scope = checked(workspace.graph, page.scope)
    if page.sites is Sites.OPEN:
        return _open(workspace, node, walked, replace(page, scope=scope))
    rows = reach(walked, with_tests=asked.with_tests)
    rows = rows if scope.is_everything else in_scope(rows, scope)
    answer = _run(workspace, rows, walked, page)
    each_site = page.sites is Sites.EACH
    possible = find_possible(workspace.graph, walked, scope=scope, each_site=each_site)
    cut = "" if walk.depth == 1 and not asked.is_far else depth_limit_note(workspace.graph, walked)
    verdict = Verdict.AT_LEAST if cut and answer.verdict is Verdict.EXACT else None
    counted = _counted(workspace.graph, rows) if asked.with_tests and answer.total else ""
    said = [_nothing(node, walk, answer), *registrations(workspace.graph, walked), counted, cut]
    passed_on = [] if page.offset else _passed_on(workspace, node, walked, answer=answer)
    said += passed_on
    if not answer.total and walk.direction is Direction.BACKWARD and EdgeKind.CALLS in walk.kinds:
        said.append(_run_instead(workspace.graph, node))
    answer = with_verdict(with_notes(answer, *said, verdict=verdict), possible)
    answer = with_external_callers(
        answer, workspace.graph, walked=walked, knows_places=bool(passed_on)
    )
    answer = with_unread_code(workspace, answer, walked=walked)
    result = NodeRows(
        node,
        answer,
        possible,
        next_offset(answer, page.offset),
        is_backward=asked.direction is Direction.BACKWARD,
    )
    return with_staleness_note(
        workspace.freshness,
        result,
        with_pages=asks_of_pages(walk.kinds),
        could_alter=lambda changes, verdict: _could_alter(workspace, changes, walked, verdict),
    )


def _open(workspace: Workspace, node: FoundNode, walked: WalkResult, page: _Page) -> NodeRows:
    """List the references that are not resolved and could add to the rows of a walk."""
    sites = open_sites(workspace.graph, walked, scope=page.scope)
    answer = workspace.graph.run(sites, limit=page.limit, offset=page.offset)
    answer = with_code(workspace, answer, path="path", line="line", text="text")
    about = "none of them is resolved: each may mean it, or something else"
    nothing = "no unresolved reference could add to the rows"
    verdict = Verdict.UNKNOWN if answer.total else None
    answer = with_notes(answer, about if answer.total else nothing, verdict=verdict)
    result = NodeRows(node, answer, None, next_offset(answer, page.offset), is_backward=None)
    return with_staleness_note(
        workspace.freshness, result, with_pages=asks_of_pages(walked.walk.kinds)
    )


def _could_alter(
    workspace: Workspace, changes: "Changes", walked: WalkResult, verdict: Verdict
) -> bool:
    """Ask what is needed after an edit alone."""
    from mu.operations.answers.change_relevance import could_alter

    return could_alter(workspace, changes, walked=walked, verdict=verdict)


def _run(workspace: Workspace, rows: Relation, walked: WalkResult, page: _Page) -> Answer:
    """Run the relation of a walk and give its rows with the sites that were asked for."""
    graph = workspace.graph
    if page.sites is Sites.NONE:
        return graph.run(rows, limit=page.limit, offset=page.offset)
    answer = run_with_sites(
        graph,
        rows,
        walked=walked,
        each=page.sites is Sites.EACH,
        limit=page.limit,
        offset=page.offset,
    )
    return with_code(workspace, answer, path="site_path", line="site_line", text="site_text")


def _counted(graph: GraphFile, rows: Relation) -> str:
    """Say how many rows are direct, transitive and tests, and in how many files they are."""
    relation = Relation(_COUNTS, inputs=(Derived("impacted", rows),))
    direct, total, tests, files = (int(str(cell)) for cell in graph.run(relation).rows[0])
    return (
        f"{direct:,} direct, {total - direct:,} transitive; {tests:,} of them in tests; "
        f"in {files:,} {'file' if files == 1 else 'files'}"
    )


def _passed_on(
    workspace: Workspace, node: FoundNode, walked: WalkResult, *, answer: Answer
) -> list[str]:
    """Say where a function that no call names is passed on, for that is what makes it run.

    A variable is only read, as is the component of a record by a call of its accessor.
    """
    if walked.walk.direction is Direction.FORWARD or walked.walk.kinds != _CALLS:
        return []
    if "resolution" in answer.columns:
        at = answer.columns.index("resolution")
        if any(row[at] == Resolution.DIRECT for row in answer.rows):
            return []
    places, total = value_uses(workspace.graph, walked)
    how = "read" if node.kind == NodeKind.VARIABLE else "passed on as a value"
    lines = SourceLines(workspace)
    lines.expect(path for path, _ in places)
    notes = [
        f"{how} at {path}:{line}: {safe_lines([lines.at(path, line) or ''])[0]}"
        for path, line in places
    ]
    more = total - len(places)
    return [*notes, f"and {how.partition(' as')[0]} at {more} more places"] if more > 0 else notes


def _run_instead(graph: GraphFile, node: FoundNode) -> str:
    """Say what overrides a method that nothing calls: calls that name it may run those."""
    found = [str(row[0]) for row in graph.run(Relation(_OVERRIDING, (node.key,))).rows]
    if not found:
        return ""
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return f"calls of it run what overrides it, {found[0]}{more}: see `mu overrides {node.id}`"


def _nothing(node: FoundNode, walk: Walk, answer: Answer) -> str:
    """Say what an empty answer means."""
    if answer.total:
        return ""
    kinds = ", ".join(kind.value for kind in walk.kinds)
    if walk.direction is Direction.FORWARD:
        return f"{node.id} depends on nothing outside itself by {kinds}"
    return f"nothing outside {node.id} depends on it by {kinds}"
