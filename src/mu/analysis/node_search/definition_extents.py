"""Map lines to definitions by the extents in the graph."""

import re
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


def read_extents(graph: GraphFile) -> Mapping[str, tuple[Extent, ...]]:
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


def function_at(extents: Iterable[Extent], line: int, *, name: str) -> Extent | None:
    """Give the definition of a file that a profiler means by a line and a name.

    It has the name, and contains the line or, where that is the line of a decorator, is the next to
    begin; `<module>` is the module, and other names in angle brackets, such as `<listcomp>`, stand
    for what contains the line. None where nothing fits.
    """
    extents = tuple(extents)
    if name == "<module>":
        return next((each for each in extents if each.kind == "module"), None)
    functions = [each for each in extents if each.kind == "function"]
    if name.startswith("<"):
        return innermost(functions, line)
    last = re.split(r"[.:#]", name)[-1]
    named = [each for each in functions if re.split(r"[.:]", each.id)[-1].partition("~")[0] == last]
    after = (each for each in named if each.start >= line)
    return innermost(named, line) or min(after, key=lambda each: each.start, default=None)


def covered_share(extents: Iterable[Extent], lines: Mapping[int, bool]) -> Mapping[str, float]:
    """Give the share of executable lines that were run, to 4 digits, by id of the definition.

    Definitions without such a line have none. `extents` are those of one file, outer before inner,
    and `lines` its executable lines. A line is that of the innermost function, and of every class
    and module around it. The first line of a definition is that of what is around it, as
    coverage.py has it: it runs when the definition is made. Takes time in proportion to the
    definitions and lines.
    """
    counts: dict[str, list[int]] = {}
    pending = list(reversed(tuple(extents)))
    around: list[Extent] = []
    for line in sorted(lines):
        while pending and _is_entered(pending[-1], line):
            around.append(pending.pop())
        around = [extent for extent in around if extent.end >= line]
        inner = next((each for each in reversed(around) if each.kind == "function"), None)
        for extent in around:
            if extent.kind != "function" or extent is inner:
                count = counts.setdefault(extent.id, [0, 0])
                count[0] += lines[line]
                count[1] += 1
    return {node: round(run / total, 4) for node, (run, total) in counts.items()}


def _is_entered(extent: Extent, line: int) -> bool:
    is_whole = extent.kind == "module" or extent.start == extent.end
    return extent.start < line or (is_whole and extent.start <= line)
