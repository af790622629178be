"""List what nothing leads to."""

from mu.model.kinds import Verdict
from mu.muql.lowering import lower
from mu.muql.statements import parse_statement
from mu.operations.query import DEFAULT_TIMEOUT
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset, noted
from mu.operations.workspace import Workspace

CONFIDENCES = ("high", "medium", "low")
"""How sure it is that a definition is unused, the surest first."""

_AT_LEAST = {
    "high": " WHERE confidence = 'high'",
    "medium": " WHERE confidence <> 'low'",
    "low": "",
}


def unused(
    workspace: Workspace,
    *,
    scope: str = "",
    confidence: str = "low",
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> Rows:
    """List the definitions that no entry point leads to, the surest first, with the reason.

    `scope` is a node or a path that they have to lie in, `confidence` one of `high`, `medium` and
    `low` that they have to have at least: `high` is private, `medium` is public, which code outside
    the repository may use. What an unresolved reference could mean is not listed; a note counts it.
    """
    check_page(limit, offset)
    text = f"ANALYZE unused{' FOR $scope' if scope else ''}{_AT_LEAST[confidence]}"
    compiled = lower(parse_statement(text, {"scope": scope}), text, graph=workspace.graph)
    answer = workspace.graph.run(
        compiled.relation, limit=limit, offset=offset, timeout=DEFAULT_TIMEOUT
    )
    note = "" if answer.total else "nothing is unused, as far as is known"
    doubts = compiled.grounds.doubts
    verdict = Verdict.AT_LEAST if doubts else Verdict.EXACT
    return Rows(noted(answer, note, *doubts, verdict=verdict), next_offset(answer, offset))
