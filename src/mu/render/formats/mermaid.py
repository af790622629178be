"""A drawing as a Mermaid flowchart, within what Mermaid draws.

Mermaid refuses a text of more than 50,000 characters or 500 edges (its settings `maxTextSize` and
`maxEdges`), so a larger drawing is cut and says so.
"""

from collections.abc import Iterable

from mu.render.formats.drawing import Arc, kind_of, label_of
from mu.render.text import printable

MAX_EDGES = 500
MAX_CHARACTERS = 50_000

_ROOM_FOR_NOTE = 200
_SHAPES = {
    "module": ("[[", "]]"),
    "class": ("[", "]"),
    "function": ("(", ")"),
    "variable": ("[/", "/]"),
    "external": ("{{", "}}"),
}
_ENTITIES = {ord(sign): f"#{ord(sign)};" for sign in '#"&<>`%|\\'}


def mermaid(nodes: Iterable[str], arcs: Iterable[Arc], *, is_directed: bool) -> tuple[str, str]:
    """Draw edges, then nodes without one; gives the text, and a note when something was left out.

    Nodes are given by their ids; there may be more nodes and edges than are drawn.
    """
    chart = _Chart("-->" if is_directed else "---")
    edges = left_edges = left_nodes = 0
    for arc in arcs:
        edges += 1
        left_edges += not chart.add_arc(arc)
    for node in nodes:
        left_nodes += not chart.add_node(node)
    note = ""
    if left_edges or left_nodes:
        note = f"Mermaid draws {MAX_EDGES} edges and {MAX_CHARACTERS:,} characters at most: "
        note += f"{left_edges:,} of {edges:,} edges and {left_nodes:,} nodes are left out"
    lines = ["flowchart LR", *([f"  %% {note}"] if note else []), *chart.lines]
    return "\n".join(lines) + "\n", note


class _Chart:
    """The lines so far; nothing is added that would make them too many or too long."""

    def __init__(self, arrow: str) -> None:
        self.lines: list[str] = []
        self._arrow = arrow
        self._names: dict[str, str] = {}
        self._edges = 0
        self._room = MAX_CHARACTERS - _ROOM_FOR_NOTE

    def add_node(self, node: str) -> bool:
        """Add a node unless it is there; False when there is no room for it."""
        return node in self._names or self._add(self._declared([node]))

    def add_arc(self, arc: Arc) -> bool:
        """Add an edge and its ends; False when there is no room for them."""
        if self._edges == MAX_EDGES:
            return False
        ends = [end for end in dict.fromkeys((arc.source, arc.target)) if end not in self._names]
        declared = self._declared(ends)
        names = self._names | {node: name for node, name, _ in declared}
        label = f'|"{_escaped(arc.label)}"|' if arc.label else ""
        line = f"  {names[arc.source]} {self._arrow}{label} {names[arc.target]}"
        if not self._add(declared, line):
            return False
        self._edges += 1
        return True

    def _declared(self, nodes: Iterable[str]) -> list[tuple[str, str, str]]:
        """Give for each node its id, its name in the chart, and the line that declares it."""
        declared = []
        for place, node in enumerate(nodes, len(self._names)):
            opening, closing = _SHAPES.get(kind_of(node), ("[", "]"))
            line = f'  n{place}{opening}"{_escaped(label_of(node))}"{closing}'
            declared.append((node, f"n{place}", line))
        return declared

    def _add(self, declared: list[tuple[str, str, str]], *more: str) -> bool:
        lines = [line for _, _, line in declared] + list(more)
        size = sum(len(line) + 1 for line in lines)
        if size > self._room:
            return False
        self._room -= size
        self.lines += lines
        self._names.update((node, name) for node, name, _ in declared)
        return True


def _escaped(text: str) -> str:
    return printable(text).translate(_ENTITIES)
