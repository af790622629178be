"""The parameters of a walk, and the SQL for one step of it.

What containment means here:

- A node stands for all it contains. A walk starts at the node and everything inside it at once, and
  none of that is part of the answer. So the impact of a class is what uses it or any member.
- Definitions of the same name in the same scope are one thing: the parts of a property, overloads,
  the branches of a condition. To start at one is to start at all of them. But in a language that
  links each call to its overload, one that is named by its id or its line stands alone.
- But a walk of bases alone that starts at a class starts at nothing inside it: the classes there
  may well extend it, as the cases of a sealed class do, and what they extend it does not.
- And a walk back along calls that starts at a function starts at nothing inside it: whoever calls
  what a decorator puts in the place of a function does not call the decorator.
- On the way it is not followed, in neither direction. That a method is reached does not reach its
  class, nor the other methods: whoever uses those and not this one is not touched. Nothing is
  missed by that, because instantiating a class is an edge to its constructor too, and an inherited
  member is an edge to the member itself.
- But what a definition's own text computes belongs to it although the body around it runs it. In
  `LIMIT = compute()` at module level, and in `def get(size=compute())`, the call is the module's;
  both definitions depend on `compute`. Such a site inside the lines of a definition counts as a
  `uses` of that definition (`_HELD` below), so that a constant passes on what it is made of.

Edges `tests` stand in no table: the relation of that name makes them of others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mu.errors import ExitCode, MuError
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, NodeKind, SiteKind
from mu.model.relation import Cell

_NO_BOUND = 2**31 - 1


class Direction(StrEnum):
    """Which way edges are followed; an edge A -> B says that A depends on B."""

    FORWARD = "forward"  # from A to B: what the start depends on
    BACKWARD = "backward"  # from B to A: what depends on the start


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk from the node `key` along `kinds`, at most `depth` steps; None for no bound.

    With `is_alone` the other definitions of its name are not meant, as in `FoundNode`.

    Raises MuError when the depth is less than 1, or no kind is given.
    """

    key: int
    direction: Direction
    depth: int | None = None
    kinds: Sequence[EdgeKind] = DEPENDENCY_KINDS
    is_alone: bool = False

    def __post_init__(self) -> None:
        """Refuse a walk of no steps."""
        if self.depth is not None and self.depth < 1:
            raise MuError(
                f"depth {self.depth} is out of range",
                "give a depth of 1 or more, or none to go all the way",
                ExitCode.USAGE,
            )
        if not self.kinds:
            raise MuError("no kind of edge to follow", "name at least one", ExitCode.USAGE)

    @property
    def closed(self) -> NodeKind | None:
        """The kind of node that stands without what is inside it, should the walk start there."""
        return closed_kind(self.direction, self.kinds)

    @property
    def bound(self) -> int:
        """The depth as a number, larger than any distance where there is no bound."""
        return _NO_BOUND if self.depth is None else self.depth


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of SQL and the values of its placeholders."""

    sql: str
    parameters: tuple[Cell, ...]


KIND_NAMES = [kind.value for kind in EdgeKind]
"""Names of the edge kinds by their code, which is their place in the schema's type."""

_EDGES = "SELECT {near} AS near, {next} AS next FROM edge WHERE kind = ?"

_TWINS = """twin.parent = chosen.parent AND twin.qualified_name = chosen.qualified_name
        AND twin.kind = chosen.kind"""
"""Other definitions of one thing; members of two object literals in one scope are none."""

_TESTED = """SELECT {near}.key AS near, {next}.key AS next FROM tests
    JOIN node AS source ON source.id = tests.source
    JOIN node AS target ON target.id = tests.target"""

_HELD = """SELECT {near} AS near, {next} AS next
    FROM site JOIN node AS definition ON definition.parent = site.source
        AND site.line BETWEEN definition.start_line AND definition.end_line
    WHERE site.target IS NOT NULL AND site.kind <> ?"""


def steps(direction: Direction, kind: EdgeKind) -> Fragment:
    """Write the pairs of nodes (`near`, `next`) of which the second is one step from the first."""
    is_forward = direction is Direction.FORWARD
    near, following = ("source", "target") if is_forward else ("target", "source")
    if kind is EdgeKind.TESTS:
        return Fragment(_TESTED.format(near=near, next=following), ())
    edges = _EDGES.format(near=near, next=following)
    if kind is not EdgeKind.USES:
        return Fragment(edges, (kind.value,))
    columns = {"source": "definition.key", "target": "site.target"}
    held = _HELD.format(near=columns[near], next=columns[following])
    return Fragment(f"{edges}\n    UNION ALL {held}", (kind.value, SiteKind.IMPORT.value))


def closed_kind(direction: Direction, kinds: Sequence[EdgeKind]) -> NodeKind | None:
    """Return the kind of node that stands without what is inside it when a walk starts there."""
    followed = set(kinds)
    if followed == {EdgeKind.INHERITS}:
        return NodeKind.CLASS
    is_of_callers = direction is Direction.BACKWARD and followed == {EdgeKind.CALLS}
    return NodeKind.FUNCTION if is_of_callers else None


def whole(table: str, *, closed: NodeKind | None = None, is_alone: bool = False) -> str:
    """Write the common table `table(node)`: a node, its other definitions, and all inside them.

    A node of the kind `closed` stands without what is inside it; with `is_alone` a node stands
    without its other definitions. The one placeholder is the node's key.
    """
    is_open = "true" if closed is None else f"chosen.kind <> '{closed.value}'"
    twins = "twin.key = chosen.key" if is_alone else _TWINS
    return f"""{table}_open(node, is_open) AS (
    SELECT coalesce(twin.key, chosen.key), {is_open}
    FROM node AS chosen
    LEFT JOIN node AS twin ON {twins}
    WHERE chosen.key = ?
    UNION
    SELECT child.key, true
    FROM {table}_open AS outside JOIN node AS child ON child.parent = outside.node
    WHERE outside.is_open
),
{table}(node) AS (SELECT node FROM {table}_open)"""
