"""What a node depends on and what depends on it, near or far, as relations.

An edge A -> B means that A depends on B. `deps`, `callees` and `ancestors` go forward, from A to B;
`dependents`, `callers` and `impact` go backward, from B to A. So the impact of a function is what
uses it, and its ancestors are what it uses. How containment counts is told in `traversal`.
"""

from collections.abc import Sequence

from mu.analysis.traversal import (
    KIND_NAMES,
    STEP_KIND,
    STEP_NODE,
    Direction,
    Walk,
    tables,
)
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind
from mu.model.relation import Relation

REACH_COLUMNS = ("id", "name", "kind", "path", "line", "distance", "via", "from_id")
IMPACT_COLUMNS = (*REACH_COLUMNS, "is_test")

DEFAULT_DEPTH = 20
"""How far `impact` and `ancestors` go unless told otherwise."""

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
    list_extract(?::VARCHAR[], ({step_kind}) + 1) AS via,
    origin.id AS from_id{more}
FROM seen
JOIN node AS reached ON reached.key = seen.node
JOIN node AS origin ON origin.key = ({step_node})
LEFT JOIN file AS place ON place.key = reached.file
WHERE seen.distance > 0
ORDER BY seen.distance, place.path NULLS LAST, reached.start_line, reached.key
"""


def deps(key: int, *, depth: int = 1, kinds: Kinds = DEPENDENCY_KINDS) -> Relation:
    """Give what the node depends on, within `depth` steps: REACH_COLUMNS.

    One row for each node, at its shortest distance, the nearest first; `via` is the kind of the
    edge it was reached by, from the node `from_id`. Raises MuError for a depth out of 1 to 50.
    """
    return reach(Walk(key, Direction.FORWARD, depth, kinds))


def dependents(key: int, *, depth: int = 1, kinds: Kinds = DEPENDENCY_KINDS) -> Relation:
    """Give what depends on the node, within `depth` steps; the rows of `deps`, backward."""
    return reach(Walk(key, Direction.BACKWARD, depth, kinds))


def callees(key: int, *, depth: int = 1) -> Relation:
    """Give what the node calls; the rows of `deps` along calls alone."""
    return reach(Walk(key, Direction.FORWARD, depth, _CALLS))


def callers(key: int, *, depth: int = 1) -> Relation:
    """Give what calls the node; the rows of `dependents` along calls alone."""
    return reach(Walk(key, Direction.BACKWARD, depth, _CALLS))


def ancestors(key: int, *, depth: int = DEFAULT_DEPTH, kinds: Kinds = DEPENDENCY_KINDS) -> Relation:
    """Give everything the node depends on, however far; the rows of `deps`."""
    return reach(Walk(key, Direction.FORWARD, depth, kinds))


def impact(key: int, *, depth: int = DEFAULT_DEPTH, kinds: Kinds = DEPENDENCY_KINDS) -> Relation:
    """Give everything that depends on the node, however far: IMPACT_COLUMNS."""
    return reach(Walk(key, Direction.BACKWARD, depth, kinds), with_tests=True)


def reach(walk: Walk, *, with_tests: bool = False) -> Relation:
    """Give the nodes of any walk: REACH_COLUMNS, or IMPACT_COLUMNS `with_tests`."""
    common = tables(walk)
    more = ",\n    reached.is_test AS is_test" if with_tests else ""
    rows = _ROWS.format(step_kind=STEP_KIND, step_node=STEP_NODE, more=more)
    return Relation(
        sql=f"WITH RECURSIVE {common.sql}{rows}",
        parameters=(*common.parameters, KIND_NAMES),
        columns=IMPACT_COLUMNS if with_tests else REACH_COLUMNS,
    )
