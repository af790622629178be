"""A role that the walk has met at a node, with what was made of the children by then; and what
there is to do about roles.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import tree_sitter as ts

from mu.syntax.matching.shapes import Act, Parts, Uses

Walk = TypeVar("Walk")

Rows = dict[int, int]
"""What was made of the children, by place: a row; for a target, what its reader gave."""


@dataclass(slots=True)
class Met:
    """A role met on the walk: `parts` are places among the `children` of `node`.

    `uses` is what is to be done with the children, and `after` what is acted on behind that, where
    the role sees to it.
    """

    role: str
    parts: Parts
    node: ts.Node
    children: Sequence[ts.Node]
    rows: Rows
    subkind: str = ""
    uses: Uses = ()
    after: tuple[Act, ...] = ()

    def needed(self, name: str) -> ts.Node:
        """The node of a part that is always there."""
        return self.children[self.parts[name][0]]

    def part(self, name: str) -> ts.Node | None:
        """The node of a part, if it is there."""
        places = self.parts.get(name)
        return self.children[places[0]] if places else None

    def all(self, name: str) -> list[ts.Node]:
        """The nodes of a part, in the order of the text."""
        return [self.children[place] for place in self.parts.get(name, ())]

    def row(self, name: str) -> int:
        """What was made of a part; 0 if it is not there."""
        places = self.parts.get(name)
        return self.rows[places[0]] if places else 0


@dataclass(frozen=True, slots=True)
class Roles(Generic[Walk]):
    """What to do about uses of children, roles and definitions; the walk knows only values.

    A reader makes a number of a child, `define` one of a definition, `callable` the row of
    the type of a function, `arguments` those of what a call is given: of the row that is called,
    and what holds them.
    """

    readers: Mapping[int, Callable[[Walk, ts.Node], int]]
    handlers: Mapping[str, Callable[[Walk, Met], None]]
    define: Callable[[Walk, Met], int]
    callable: Callable[[Walk, Met], int]
    follow: Callable[[Walk, Met], None]
    arguments: Callable[[Walk, tuple[int, ts.Node]], tuple[int, ...]]
