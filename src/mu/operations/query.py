"""Run one MUQL query."""

from mu.muql import compile_query
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset
from mu.operations.workspace import Workspace

DEFAULT_TIMEOUT = 30.0


def query(
    workspace: Workspace,
    text: str,
    *,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    timeout: float = DEFAULT_TIMEOUT,
) -> Rows:
    """Run one query in MUQL: a SELECT over the relations of the graph, or a graph statement.

    It can read the graph and nothing else, and is stopped after `timeout` seconds.
    """
    check_page(limit, offset)
    relation = compile_query(text, workspace.graph)
    answer = workspace.graph.run(relation, limit=limit, offset=offset, timeout=timeout)
    return Rows(answer, next_offset(answer, offset))
