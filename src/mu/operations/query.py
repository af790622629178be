"""Run one MUQL query."""

from typing import TYPE_CHECKING

from mu.muql import compile_query
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset, noted
from mu.operations.workspace import Workspace

if TYPE_CHECKING:
    from mu.analysis.references import FoundNode

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

    It can read the graph and nothing else, and is stopped after `timeout` seconds. The answer has
    the verdict of the walks in it: those of SHOW and FIND, and of graph functions.
    """
    check_page(limit, offset)
    graph = workspace.graph

    def read_source(node: "FoundNode") -> tuple[tuple[int, str], ...]:
        from mu.operations.source_lines import SourceLines  # few queries ask for lines

        return SourceLines(workspace).of(node)

    compiled = compile_query(text, graph, project=workspace.root, read_source=read_source)
    answer = graph.run(compiled.relation, limit=limit, offset=offset, timeout=timeout)
    nothing = "" if answer.total else "the query is valid, and nothing in the graph fits it"
    answer = noted(answer, nothing, *compiled.notes)
    following = next_offset(answer, offset)
    if not compiled.walked:
        return Rows(answer, following)
    from mu.analysis.traversal import Direction
    from mu.operations.doubt import find_doubt, judged  # a SELECT does not pay for it

    doubts = [find_doubt(graph, walked) for walked in compiled.walked]
    for doubt in doubts:
        answer = judged(answer, doubt)
    if len(doubts) > 1:
        return Rows(answer, following)
    is_backward = compiled.walked[0].walk.direction is Direction.BACKWARD
    return Rows(answer, following, doubts[0].possible, is_backward=is_backward)
