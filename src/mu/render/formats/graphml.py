"""Nodes and edges in GraphML, as NetworkX, Gephi, yEd and others read it.

The types of GraphML are those of its primer: boolean, int, double, string. An absent value has no
element. XML 1.0 cannot hold most control characters in any way, so they are written as escapes.
"""

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from mu.model.relation import Cell
from mu.render.cells import cell_text
from mu.render.text import printable

_HEAD = """\
<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""
_TYPES = {
    **dict.fromkeys(("start_line", "end_line", "line", "complexity", "lines", "sites"), "int"),
    "confidence": "double",
    "is_test": "boolean",
}
_NOT_XML = {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}


def graphml_lines(
    node_columns: Sequence[str],
    nodes: Iterable[Sequence[Cell]],
    *,
    edge_columns: Sequence[str],
    edges: Iterable[Sequence[Cell]],
) -> Iterator[str]:
    """Give the lines of a document of directed edges, nodes first.

    The first column of a node is its id, the first two of an edge its ends; the rest are attributes
    under their own names.
    """
    yield _HEAD
    for owner, columns in (("node", node_columns[1:]), ("edge", edge_columns[2:])):
        for name in columns:
            named = f'attr.name="{name}" attr.type="{_TYPES.get(name, "string")}"'
            yield f'  <key id="{owner}_{name}" for="{owner}" {named}/>\n'
    yield '  <graph edgedefault="directed">\n'
    for row in nodes:
        yield f"    <node id={_quoted(row[0])}>{_data('node', node_columns[1:], row[1:])}</node>\n"
    for row in edges:
        ends = f"source={_quoted(row[0])} target={_quoted(row[1])}"
        yield f"    <edge {ends}>{_data('edge', edge_columns[2:], row[2:])}</edge>\n"
    yield "  </graph>\n</graphml>\n"


def _data(owner: str, columns: Sequence[str], cells: Sequence[Cell]) -> str:
    return "".join(
        f'<data key="{owner}_{name}">{escape(_text(cell))}</data>'
        for name, cell in zip(columns, cells, strict=True)
        if cell is not None
    )


def _quoted(cell: Cell) -> str:
    return quoteattr(_text(cell))


def _text(cell: Cell) -> str:
    return printable(cell_text(cell)).translate(_NOT_XML)
