"""Which definition a line belongs to, by the extents that the graph has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mu.model.relation import Relation
from mu.store import GraphFile

_EXTENTS = """
SELECT node.id, node.kind::VARCHAR, file.path, node.start_line, node.end_line
FROM node JOIN file ON file.key = node.file
WHERE node.kind IN ('module', 'class', 'function')
ORDER BY file.path, node.start_line, node.end_line DESC, node.key
"""


@dataclass(frozen=True, slots=True)
class Extent:
    """A definition and its lines, from 1, the last included."""

    id: str
    kind: str
    start: int
    end: int


def extents_of(graph: GraphFile) -> Mapping[str, tuple[Extent, ...]]:
    """Give the modules, classes and functions of each file by its path, outer before inner."""
    found: dict[str, list[Extent]] = {}
    for node, kind, path, start, end in graph.run(Relation(_EXTENTS), limit=None).rows:
        lines = int(str(start or 0)), int(str(end or 0))
        found.setdefault(str(path), []).append(Extent(str(node), str(kind), *lines))
    return {path: tuple(extents) for path, extents in found.items()}


def innermost(extents: Iterable[Extent], line: int) -> Extent | None:
    """Give the innermost definition of a file that contains a line; None where none does."""
    inside = (extent for extent in extents if extent.start <= line <= extent.end)
    return min(inside, key=lambda extent: (extent.end - extent.start, extent.kind), default=None)
