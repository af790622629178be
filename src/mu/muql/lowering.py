"""Lower a graph statement to the relation that answers it; the graph functions do the work."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mu.model.relation import Relation
from mu.muql.statements import FindCycles, Show, Statement
from mu.store import GraphFile

if TYPE_CHECKING:
    from mu.analysis.walked import Walked


@dataclass(frozen=True, slots=True)
class Query:
    """A compiled query; `walked` is what it follows, None where no reference could add to it."""

    relation: Relation
    walked: "Walked | None" = None


def lower(statement: Statement, graph: GraphFile) -> Query:
    """Compile a statement.

    Raises AmbiguousNodeError or UnknownNodeError when its node is not one node of the graph.
    """
    if isinstance(statement, FindCycles):
        return Query(_cycles(statement, graph))
    return _reach(statement, graph)


def _cycles(statement: FindCycles, graph: GraphFile) -> Relation:
    from mu.analysis.cycles import cycles  # a SELECT does not pay for it

    return cycles(graph, kinds=statement.kinds) if statement.kinds else cycles(graph)


def _reach(statement: Show, graph: GraphFile) -> Query:
    from mu.analysis import reach
    from mu.analysis.references import resolve_node
    from mu.analysis.walked import walk_graph

    questions = {
        "dependencies": reach.deps,
        "dependents": reach.dependents,
        "callers": reach.callers,
        "callees": reach.callees,
        "impact": reach.impact,
        "ancestors": reach.ancestors,
    }
    question = questions[statement.question]
    key = resolve_node(graph, statement.node).key
    walk = question(key) if statement.depth is None else question(key, depth=statement.depth)
    walked = walk_graph(graph, walk)
    return Query(reach.reach(walked, with_tests=statement.question == "impact"), walked)
