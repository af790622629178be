"""Members, bases, subclasses, overrides, tests and references of a node."""

from dataclasses import replace

from mu.analysis.completeness.external_callers import bases_outside
from mu.analysis.node_search.listing_scope import (
    EVERYTHING,
    Scope,
    checked,
    in_scope,
    sites_in_scope,
)
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.references import references_to
from mu.analysis.walks import containment
from mu.analysis.walks.anonymous_subclasses import anonymous_subclasses_note
from mu.analysis.walks.override_relation import overrides_of
from mu.model.found import FoundNode
from mu.model.kinds import EdgeKind, Verdict
from mu.model.relation import Relation
from mu.operations.answers.call_sites import page_with_code, with_code
from mu.operations.answers.possible_references import (
    find_possible,
    with_open_references_note,
    with_verdict,
)
from mu.operations.answers.unread_code import with_unread_mentions
from mu.operations.freshness import with_staleness_note
from mu.operations.navigation.dependencies import dependents, deps
from mu.operations.results import DEFAULT_LIMIT, NodeRows, check_page, next_offset, with_notes
from mu.operations.workspace import Workspace

_INHERITS = (EdgeKind.INHERITS,)


def members(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    scope: Scope = EVERYTHING,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List what is defined in a class, a module or a function."""
    found = resolve_node(workspace.graph, node)
    relation = containment.children(found.key, depth=depth)
    return _rows(workspace, found, relation, scope=scope, limit=limit, offset=offset)


def bases(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = None,
    scope: Scope = EVERYTHING,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List the classes that a class extends or implements, directly and transitively."""
    return deps(
        workspace, node, depth=depth, kinds=_INHERITS, scope=scope, limit=limit, offset=offset
    )


def subclasses(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = None,
    scope: Scope = EVERYTHING,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List the classes that extend or implement a class, directly and transitively.

    Anonymous classes have no node: a note says where some are, and the answer is `at least`.
    """
    rows = dependents(
        workspace, node, depth=depth, kinds=_INHERITS, scope=scope, limit=limit, offset=offset
    )
    note = anonymous_subclasses_note(workspace.graph, rows.node.key)
    is_lower = note and rows.answer.verdict is Verdict.EXACT
    answer = with_notes(rows.answer, note, verdict=Verdict.AT_LEAST if is_lower else None)
    return replace(rows, answer=answer)


def overrides(
    workspace: Workspace,
    node: str,
    *,
    scope: Scope = EVERYTHING,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List which members override which: those of a class, or one method or attribute.

    What the node overrides comes first, then what overrides it, directly and through others. Never
    `exact` where a base of the class is outside the repository or not resolved.
    """
    found = resolve_node(workspace.graph, node)
    relation = overrides_of(found.key)
    rows = _rows(workspace, found, relation, scope=scope, limit=limit, offset=offset)
    bases = bases_outside(workspace.graph, found.key)
    if not bases:
        return rows
    more = f" and {len(bases) - 1} more" if len(bases) > 1 else ""
    note = f"it may override members of {bases[0]}{more}, which the repository does not have"
    is_lower = rows.answer.verdict is Verdict.EXACT
    answer = with_notes(rows.answer, note, verdict=Verdict.AT_LEAST if is_lower else None)
    return replace(rows, answer=answer)


def find_tests(
    workspace: Workspace,
    node: str,
    *,
    depth: int | None = 1,
    within: str = "",
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List the tests that use a node directly, or within `depth` steps, None for any distance.

    Only those `within` a folder or file, where one is given. Never `exact` where code outside the
    repository calls what lies between a test and the node.
    """
    from mu.muql.statements.show import using_tests

    check_page(limit, offset)
    asked = using_tests(workspace.graph, node, depth=depth)
    scope = checked(workspace.graph, Scope(within))
    relation = asked.relation if scope.is_everything else in_scope(asked.relation, scope)
    answer = workspace.graph.run(relation, limit=limit, offset=offset)
    grounds = asked.grounds
    walked = grounds.walked[0]
    answer = page_with_code(workspace, answer, walked=walked)
    is_lower = grounds.doubts and answer.verdict is Verdict.EXACT
    verdict = Verdict.AT_LEAST if is_lower else None
    possible = find_possible(workspace.graph, walked, scope=scope)
    answer = with_verdict(
        with_notes(answer, *grounds.notes, *grounds.doubts, verdict=verdict), possible
    )
    found = resolve_node(workspace.graph, node)
    rows = NodeRows(found, answer, possible, next_offset(answer, offset), is_backward=True)
    return with_staleness_note(workspace.freshness, rows, with_pages=False)


def references(
    workspace: Workspace,
    node: str,
    *,
    scope: Scope = EVERYTHING,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> NodeRows:
    """List every reference to a node: calls, reads, imports, annotations, registrations, mentions.

    Inside the node itself only those are listed that mean the node, not a part of it. References
    that are not resolved and could mean it follow, marked `is_possible`.
    """
    check_page(limit, offset)
    graph = workspace.graph
    found = resolve_node(graph, node)
    relation = references_to(graph, found.key, is_alone=found.is_alone)
    scope = checked(graph, scope)
    if not scope.is_everything:
        relation = sites_in_scope(relation, scope)
    answer = graph.run(relation, limit=limit, offset=offset)
    answer = with_code(workspace, answer, path="path", line="line", text="text")
    answer = with_open_references_note(graph, relation, answer=answer)
    answer = with_unread_mentions(workspace, answer, key=found.key)
    following = next_offset(answer, offset)
    return with_staleness_note(
        workspace.freshness, NodeRows(found, answer, None, following, is_backward=None)
    )


def _rows(
    workspace: Workspace,
    node: FoundNode,
    relation: Relation,
    *,
    scope: Scope,
    limit: int,
    offset: int,
) -> NodeRows:
    check_page(limit, offset)
    scope = checked(workspace.graph, scope)
    if not scope.is_everything:
        relation = in_scope(relation, scope)
    answer = workspace.graph.run(relation, limit=limit, offset=offset)
    following = next_offset(answer, offset)
    rows = NodeRows(node, answer, next_offset=following, is_backward=None)
    return with_staleness_note(workspace.freshness, rows, with_pages=False)
