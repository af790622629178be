"""A drawing in DOT, the language of Graphviz."""

from collections.abc import Iterable, Iterator

from mu.render.formats.drawing import Arc, kind_of, label_of
from mu.render.text import printable

_SHAPES = {
    "module": "folder",
    "class": "box",
    "function": "ellipse",
    "variable": "note",
    "external": "hexagon",
}
_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\"}


def dot_lines(nodes: Iterable[str], arcs: Iterable[Arc], *, is_directed: bool) -> Iterator[str]:
    """Give the lines of a graph: first `nodes`, by their ids, then the edges between them.

    An edge's end that is not among the nodes gets no label of its own.
    """
    yield "digraph {\n" if is_directed else "graph {\n"
    yield "  rankdir=LR\n"
    for node in nodes:
        shape = _SHAPES.get(kind_of(node), "box")
        yield f"  {_quoted(node)} [label={_quoted(label_of(node))}, shape={shape}]\n"
    arrow = "->" if is_directed else "--"
    for arc in arcs:
        label = f" [label={_quoted(arc.label)}]" if arc.label else ""
        yield f"  {_quoted(arc.source)} {arrow} {_quoted(arc.target)}{label}\n"
    yield "}\n"


def _quoted(text: str) -> str:
    return '"' + printable(text).translate(_ESCAPES) + '"'
