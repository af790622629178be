"""Read the source of a node, as it was when the graph was built."""

import re
from dataclasses import dataclass

from mu.analysis.node_search.node_resolution import resolve_node
from mu.errors import MuError
from mu.model.found import FoundNode
from mu.model.kinds import NodeKind
from mu.operations.results import DEFAULT_LIMIT, check_page
from mu.operations.source_lines import SourceLines
from mu.operations.workspace import Workspace
from mu.render.shown import Shown

_RANGE = re.compile(r"(?P<path>[^:]+):(?P<first>[0-9]{1,7})-(?P<last>[0-9]{1,7})")
"""A range of lines of a file, from the first to the last."""

_LINE = re.compile(r"[^:]+:(?P<line>[0-9]{1,7})")
_AROUND = 8
"""Lines shown above and below a line that stands in no definition."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a file, by its number from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class NodeSource(Shown):
    """The lines of `node`: those asked for of `total`, and where to go on, None at the end."""

    node: FoundNode
    lines: tuple[SourceLine, ...]
    total: int
    next_offset: int | None


def read(
    workspace: Workspace, node: str, *, limit: int = DEFAULT_LIMIT, offset: int = 0
) -> NodeSource:
    """Show the lines of a node: a definition, a file, what stands at `path:line`, or `path:a-b`.

    Of a line at module level, the lines around it are shown. Only files inside the repository are
    read, never through a link, and only while they are as they were when the graph was built; else
    it is an error.
    """
    check_page(limit, offset)
    spelled = _RANGE.fullmatch(node)
    found = resolve_node(workspace.graph, spelled["path"] if spelled else node)
    if not found.path:
        raise MuError(f"{found.id} has no source here: it is outside the repository")
    whole = lines = SourceLines(workspace).of(found)
    at = _LINE.fullmatch(node)
    if spelled:
        first, last = int(spelled["first"]), int(spelled["last"])
        lines = tuple((number, text) for number, text in lines if first <= number <= last)
    elif at and found.kind == NodeKind.MODULE:
        line = int(at["line"])
        lines = tuple((number, text) for number, text in lines if abs(number - line) <= _AROUND)
    if whole and not lines:
        raise MuError(f"{node} has no lines: {found.path} ends at line {whole[-1][0]}")
    if not lines:
        raise MuError(
            f"the lines of {found.id} are not there as they were when the graph was built",
            "run `mu kernel build` to build it again",
        )
    shown = lines[offset : offset + limit]
    end = offset + len(shown)
    return NodeSource(
        found,
        tuple(SourceLine(number, text) for number, text in shown),
        len(lines),
        end if shown and end < len(lines) else None,
    )
