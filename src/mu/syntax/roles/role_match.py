"""A match of a role at a node, and the table of functions that handle uses and roles."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import tree_sitter as ts

from mu.syntax.matching.shapes import Parts, RoleCaptures, Uses

Walk = TypeVar("Walk")

Rows = dict[int, int]
"""Results by child index: an expression row, or for a target the number from its reader."""


@dataclass(slots=True)
class RoleMatch:
    """A role matched at a node; `parts` has the indices of its captures among `children`.

    For a role that walks the children itself, `uses` says how each child is used, and `after` are
    the roles to handle once that is done.
    """

    role: str
    parts: Parts
    node: ts.Node
    children: Sequence[ts.Node]
    rows: Rows
    subkind: str = ""
    uses: Uses = ()
    after: tuple[RoleCaptures, ...] = ()

    def required(self, name: str) -> ts.Node:
        """Return the node of a part that every match of the role has."""
        return self.children[self.parts[name][0]]

    def part(self, name: str) -> ts.Node | None:
        """Return the first node of a part, or None."""
        indices = self.parts.get(name)
        return self.children[indices[0]] if indices else None

    def all(self, name: str) -> list[ts.Node]:
        """Return the nodes of a part, in source order."""
        return [self.children[index] for index in self.parts.get(name, ())]

    def row(self, name: str) -> int:
        """Return the result for a part; 0 if the match does not have it."""
        indices = self.parts.get(name)
        return self.rows[indices[0]] if indices else 0


@dataclass(frozen=True, slots=True)
class RoleHandlers(Generic[Walk]):
    """The functions that handle uses of children, roles and definitions for the walk.

    A reader returns a number for a child, `define` the number of a definition, `callable` the row
    of a function type. `arguments` takes the row that is called and the node of the argument list,
    and returns the rows of the arguments. `follow` walks the children of a node that branches.
    """

    readers: Mapping[int, Callable[[Walk, ts.Node], int]]
    handlers: Mapping[str, Callable[[Walk, RoleMatch], None]]
    define: Callable[[Walk, RoleMatch], int]
    callable: Callable[[Walk, RoleMatch], int]
    follow: Callable[[Walk, RoleMatch], None]
    arguments: Callable[[Walk, tuple[int, ts.Node]], tuple[int, ...]]
