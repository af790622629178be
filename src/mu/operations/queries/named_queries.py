"""List the named queries that can be called here."""

from mu.model.relation import Answer
from mu.muql.named_queries.invocation import signature
from mu.muql.named_queries.library import Entry, Library
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset
from mu.operations.workspace import Workspace

QUERY_COLUMNS = ("call", "description", "origin", "problem")


def queries(workspace: Workspace, *, limit: int = DEFAULT_LIMIT, offset: int = 0) -> Rows:
    """List the named queries: those that ship with MU, then the project's own in `.mu/queries`.

    `call` is how a query is called, with the defaults of its parameters; `origin` is `mu`, or the
    project's file; `problem` says why that file cannot be used.
    """
    check_page(limit, offset)
    entries = Library(workspace.root).entries()
    shown = entries[offset : offset + limit]
    answer = Answer(
        QUERY_COLUMNS,
        tuple(map(_row, shown)),
        len(entries),
        truncated=offset + len(shown) < len(entries),
    )
    return Rows(answer, next_offset(answer, offset))


def _row(entry: Entry) -> tuple[str | None, ...]:
    if entry.query is None:
        return f"@{entry.name}", None, entry.origin, entry.problem
    return signature(entry.query), entry.query.description, entry.origin, None
