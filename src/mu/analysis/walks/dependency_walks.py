"""Walks along dependencies: direct and transitive, forward and backward.

An edge A -> B means that A depends on B. `deps`, `callees` and `ancestors` go forward, from A to B;
`dependents`, `callers` and `impact` go backward, from B to A. So the impact of a function is what
uses it, and its ancestors are what it uses. How containment counts is told in `traversal`.
"""

from collections.abc import Sequence

from mu.analysis.walks.breadth_first import WalkResult
from mu.analysis.walks.traversal import KIND_NAMES, Direction, Walk
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind
from mu.model.relation import Relation

REACH_COLUMNS = ("id", "name", "kind", "path", "line", "distance", "via", "from_id")
IMPACT_COLUMNS = (*REACH_COLUMNS, "is_test")

Kinds = Sequence[EdgeKind]

_CALLS = (EdgeKind.CALLS,)

_ROWS = """
SELECT
    reached.id AS id,
    reached.name AS name,
    reached.kind::VARCHAR AS kind,
    place.path AS path,
    nullif(reached.start_line, 0) AS line,
    seen.distance AS distance,
    list_extract(?::VARCHAR[], seen.via + 1) AS via,
    origin.id AS from_id{more}
FROM {walked} AS seen
JOIN node AS reached ON reached.key = seen.node
JOIN node AS origin ON origin.key = seen.origin
LEFT JOIN file AS place ON place.key = reached.file
WHERE seen.distance > 0
ORDER BY seen.distance, {order}place.path NULLS LAST, reached.start_line, reached.key
"""


def deps(key: int, *, depth: int | None = 1, kinds: Kinds = DEPENDENCY_KINDS) -> Walk:
    """Give the walk to what the node depends on; raises MuError for a depth of less than 1."""
    return Walk(key, Direction.FORWARD, depth, kinds)


def dependents(key: int, *, depth: int | None = 1, kinds: Kinds = DEPENDENCY_KINDS) -> Walk:
    """Give the walk to what depends on the node."""
    return Walk(key, Direction.BACKWARD, depth, kinds)


def callees(key: int, *, depth: int = 1) -> Walk:
    """Give the walk to what the node calls."""
    return Walk(key, Direction.FORWARD, depth, _CALLS)


def callers(key: int, *, depth: int = 1) -> Walk:
    """Give the walk to what calls the node."""
    return Walk(key, Direction.BACKWARD, depth, _CALLS)


def ancestors(key: int, *, depth: int | None = None, kinds: Kinds = DEPENDENCY_KINDS) -> Walk:
    """Give the walk to everything the node depends on, however far."""
    return Walk(key, Direction.FORWARD, depth, kinds)


def impact(key: int, *, depth: int | None = None, kinds: Kinds = DEPENDENCY_KINDS) -> Walk:
    """Give the walk to everything that depends on the node, however far."""
    return Walk(key, Direction.BACKWARD, depth, kinds)


def reach(walked: WalkResult, *, with_tests: bool = False) -> Relation:
    """Give the nodes of a walk: REACH_COLUMNS, or IMPACT_COLUMNS `with_tests`.

    One row for each node, at its shortest distance, the nearest first, and of what depends on the
    start tests last; `via` is the kind of the edge it was reached by, from the node `from_id`.
    """
    order = "reached.is_test, " if walked.walk.direction is Direction.BACKWARD else ""
    more = ",\n    reached.is_test AS is_test" if with_tests else ""
    return Relation(
        sql=_ROWS.format(walked=walked.table.name, more=more, order=order),
        parameters=(KIND_NAMES,),
        columns=IMPACT_COLUMNS if with_tests else REACH_COLUMNS,
        inputs=(walked.table,),
    )
