"""A node as a question found it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoundNode:
    """A node of the graph; `path` is empty and `line` 0 outside the repository."""

    key: int
    id: str
    kind: str
    name: str
    qualified_name: str
    path: str
    line: int
