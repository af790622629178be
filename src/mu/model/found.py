"""A node as a question found it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoundNode:
    """A node of the graph; `path` is empty and `line` 0 outside the repository.

    `is_alone`: it is an overload that is told from those beside it, which are then not meant.
    """

    key: int
    id: str
    kind: str
    name: str
    qualified_name: str
    path: str
    line: int
    is_alone: bool = False
