"""Lower a graph statement to the relation that answers it; the graph functions do the work."""

from mu.model.relation import Relation
from mu.muql.statements import FindCycles, Show, Statement
from mu.store import GraphFile


def lower(statement: Statement, graph: GraphFile) -> Relation:
    """Give the relation of a statement.

    Raises AmbiguousNodeError or UnknownNodeError when its node is not one node of the graph.
    """
    if isinstance(statement, FindCycles):
        return _cycles(statement, graph)
    return _reach(statement, graph)


def _cycles(statement: FindCycles, graph: GraphFile) -> Relation:
    from mu.analysis.cycles import cycles  # a SELECT does not pay for it

    return cycles(graph, kinds=statement.kinds) if statement.kinds else cycles(graph)


def _reach(statement: Show, graph: GraphFile) -> Relation:
    from mu.analysis import reach
    from mu.analysis.references import resolve_node

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
    return question(key) if statement.depth is None else question(key, depth=statement.depth)
