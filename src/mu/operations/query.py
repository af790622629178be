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
    """Run one query in MUQL: a SELECT over the relations of the graph, a graph statement, or a
    named query, `@name(argument := value)`.

    It can read the graph and nothing else, and is stopped after `timeout` seconds. The answer of
    SHOW has the verdict and the possible references of the operation it is like.
    """
    check_page(limit, offset)
    graph = workspace.graph
    compiled = compile_query(text, graph, project=workspace.root)
    answer = graph.run(compiled.relation, limit=limit, offset=offset, timeout=timeout)
    following = next_offset(answer, offset)
    if compiled.walked is None:
        return Rows(answer, following)
    from mu.analysis.traversal import Direction
    from mu.operations.doubt import find_doubt, judged  # a SELECT does not pay for it

    doubt = find_doubt(graph, compiled.walked)
    is_backward = compiled.walked.walk.direction is Direction.BACKWARD
    return Rows(judged(answer, doubt), following, doubt.possible, is_backward=is_backward)
