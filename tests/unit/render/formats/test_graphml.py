"""GraphML: read back by an XML parser, and by NetworkX as its users do."""

import io
from xml.etree import ElementTree as ET

import networkx as nx

from mu.render.formats.graphml import graphml_lines

NODES = (
    ("fn:a.py:f", "function", "a.py", 3, True),
    ("ext:x", "external", None, None, False),
)
EDGES = (
    ("fn:a.py:f", "ext:x", "calls", 4, 0.5),
    ("fn:a.py:f", "ext:x", "uses", 5, None),
)


def document(nodes: tuple[tuple[object, ...], ...] = NODES) -> str:
    return "".join(
        graphml_lines(
            ("id", "kind", "path", "start_line", "is_test"),
            nodes,  # type: ignore[arg-type]
            edge_columns=("source", "target", "kind", "line", "confidence"),
            edges=EDGES if nodes is NODES else (),
        )
    )


def test_networkx_reads_nodes_edges_and_their_types() -> None:
    graph = nx.read_graphml(io.BytesIO(document().encode()))

    assert graph.is_directed()
    assert graph.is_multigraph()
    assert dict(graph.nodes(data=True)) == {
        "fn:a.py:f": {"kind": "function", "path": "a.py", "start_line": 3, "is_test": True},
        "ext:x": {"kind": "external", "is_test": False},
    }
    assert [data for _, _, data in graph.edges(data=True)] == [
        {"kind": "calls", "line": 4, "confidence": 0.5},
        {"kind": "uses", "line": 5},
    ]


def test_any_name_gives_a_document_that_is_xml() -> None:
    hostile = '"><!--]]>&<\x00\x1b\x7f\ud800\ufffe\uffff\u202e\n\t'

    tree = ET.fromstring(document(((hostile, hostile, hostile, 1, False),)))

    [node] = tree.iter("{http://graphml.graphdrawing.org/xmlns}node")
    assert node.attrib["id"].startswith('"><!--]]>&<\\x00\\x1b')
    assert node[0].text == node.attrib["id"]
