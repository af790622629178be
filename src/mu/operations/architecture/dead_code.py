"""List dead code: definitions that no entry point leads to."""

from mu.model.kinds import Confidence, Verdict
from mu.muql.repository_history import Beyond
from mu.muql.statements.lowering import lower
from mu.muql.statements.statement_parser import parse_statement
from mu.operations.freshness import with_staleness_note
from mu.operations.line_reader import read_source_of
from mu.operations.queries.query import DEFAULT_TIMEOUT
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset, with_notes
from mu.operations.workspace import Workspace

_AT_LEAST = {
    Confidence.HIGH: " WHERE confidence = 'high'",
    Confidence.MEDIUM: " WHERE confidence <> 'low'",
    Confidence.LOW: "",
}


def unused(
    workspace: Workspace,
    *,
    scope: str = "",
    confidence: Confidence = Confidence.LOW,
    counting_tests: bool = True,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> Rows:
    """List the definitions that no entry point leads to, the surest first, with the reason.

    `scope` is a node or a path that they have to lie in, `confidence` what they have to have at
    least: `high` is for what is private and named nowhere else, `medium` for what code outside the
    repository may use, or what a name put together may mean. What an unresolved reference could
    mean is not listed, nor what is generated, vendored, minified or a migration; notes count both.
    Without `counting_tests` what only tests use is unused, and no test is listed.
    """
    check_page(limit, offset)
    text = at_least(confidence, scope="$scope" if scope else "")
    parsed = parse_statement(text, {"scope": scope})
    read = read_source_of(workspace)
    compiled = lower(
        parsed, text, graph=workspace.graph, beyond=Beyond(read), counts_tests=counting_tests
    )
    answer = workspace.graph.run(
        compiled.relation, limit=limit, offset=offset, timeout=DEFAULT_TIMEOUT
    )
    note = "" if answer.total else "nothing is unused, as far as is known"
    notes, doubts = compiled.grounds.notes, compiled.grounds.doubts
    verdict = Verdict.AT_LEAST if doubts else Verdict.EXACT
    answer = with_notes(answer, note, *notes, *doubts, verdict=verdict)
    rows = Rows(answer, next_offset(answer, offset))
    return with_staleness_note(workspace.freshness, rows, with_pages=False)


def at_least(confidence: Confidence, *, scope: str = "") -> str:
    """Write the statement that lists what is unused with some confidence."""
    return f"ANALYZE unused{f' FOR {scope}' if scope else ''}{_AT_LEAST[confidence]}"
