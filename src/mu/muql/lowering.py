"""Lower a graph statement to the relation that answers it."""

from mu.model.relation import Relation
from mu.muql.errors import MuqlError
from mu.muql.statements import Statement
from mu.store import GraphFile


def lower(statement: Statement, graph: GraphFile) -> Relation:
    """Give the relation of a statement."""
    raise MuqlError(f"{type(statement).__name__} is not known yet")
