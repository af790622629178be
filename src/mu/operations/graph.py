"""The questions about one node: what it depends on, and what depends on it.

An edge A -> B means that A depends on B. `deps`, `callees` and `ancestors` list what a node uses;
`dependents`, `callers` and `impact` list what uses it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mu.analysis.reach import reach
from mu.analysis.references import FoundNode, resolve_node
from mu.analysis.traversal import Direction, Walk
from mu.analysis.walked import stopped, walk_graph
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, Verdict
from mu.model.relation import Answer
from mu.operations.doubt import find_doubt, judged
from mu.operations.freshness import aged, asks_of_pages
from mu.operations.results import DEFAULT_LIMIT, NodeRows, check_page, next_offset, noted
from mu.operations.workspace import Workspace

Kinds = Sequence[EdgeKind]

_CALLS = (EdgeKind.CALLS,)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A direction, a depth, the kinds of edge, and whether all is asked for, at any distance."""

    direction: Direction
    depth: int | None
    kinds: Kinds
    is_far: bool = False


@dataclass(frozen=True, slots=True)
class _Page:
    limit: int
    offset: int


def deps(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    kinds: Kinds = DEPENDENCY_KINDS,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List what a node depends on: imports, calls, base classes, overridden methods, names used.

    A class stands for its members, a module for its definitions. Rows are the nearest first:
    `via` is the kind of the edge a node was reached by, from `from_id`.
    """
    return _ask(workspace, node, _Asked(Direction.FORWARD, depth, kinds), _Page(limit, offset))


def dependents(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    kinds: Kinds = DEPENDENCY_KINDS,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List what depends on a node: what imports, calls, inherits, overrides or names it.

    A class stands for its members, a module for its definitions.
    """
    return _ask(workspace, node, _Asked(Direction.BACKWARD, depth, kinds), _Page(limit, offset))


def callees(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List what a function calls, or what the members of a class or module call.

    Making an object of a class counts as calling the class.
    """
    return _ask(workspace, node, _Asked(Direction.FORWARD, depth, _CALLS), _Page(limit, offset))


def callers(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List what calls a function, or what calls a class or any member of it from outside."""
    return _ask(workspace, node, _Asked(Direction.BACKWARD, depth, _CALLS), _Page(limit, offset))


def ancestors(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = None,
    kinds: Kinds = DEPENDENCY_KINDS,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List all that a node uses, directly or through others.

    If handler calls service and service calls query, the ancestors of handler are service and
    query: what it stands on. A change in any of them may be felt in the node. A depth that leaves
    some out makes the answer `at least`.
    """
    asked = _Asked(Direction.FORWARD, depth, kinds, is_far=True)
    return _ask(workspace, node, asked, _Page(limit, offset))


def impact(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = None,
    kinds: Kinds = DEPENDENCY_KINDS,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List all that uses a node, directly or through others: what a change of it may break.

    If handler calls service and service calls query, the impact of query is service and handler.
    Tests are told by `is_test`. A depth that leaves some out makes the answer `at least`.
    """
    asked = _Asked(Direction.BACKWARD, depth, kinds, is_far=True)
    return _ask(workspace, node, asked, _Page(limit, offset), with_tests=True)


def _ask(
    workspace: Workspace,
    reference: str,
    asked: _Asked,
    page: _Page,
    *,
    with_tests: bool = False,
) -> NodeRows:
    check_page(page.limit, page.offset)
    node = resolve_node(workspace.graph, reference)
    walk = Walk(node.key, asked.direction, asked.depth, asked.kinds)
    walked = walk_graph(workspace.graph, walk)
    answer = workspace.graph.run(
        reach(walked, with_tests=with_tests), limit=page.limit, offset=page.offset
    )
    possible = find_doubt(workspace.graph, walked)
    cut = "" if walk.depth == 1 and not asked.is_far else stopped(workspace.graph, walked)
    verdict = Verdict.AT_LEAST if cut else None
    answer = judged(noted(answer, _nothing(node, walk, answer), cut, verdict=verdict), possible)
    rows = NodeRows(
        node,
        answer,
        possible,
        next_offset(answer, page.offset),
        is_backward=asked.direction is Direction.BACKWARD,
    )
    return aged(workspace.freshness, rows, with_pages=asks_of_pages(walk.kinds))


def _nothing(node: FoundNode, walk: Walk, answer: Answer) -> str:
    """Say what an empty answer means."""
    if answer.total:
        return ""
    kinds = ", ".join(kind.value for kind in walk.kinds)
    if walk.direction is Direction.FORWARD:
        return f"{node.id} depends on nothing outside itself by {kinds}"
    return f"nothing outside {node.id} depends on it by {kinds}"
