"""The logical digest of a graph: equal for equal graphs, whatever file they are stored in.

Rows are hashed in the order they have. That order is canonical already: files are numbered by path
before anything is extracted, and linking is a function of the numbered files, so neither the order
of the walk nor the number of workers can show. Packing rows in blocks is what keeps it fast: 0.2 s
for django's 400,000 rows, where hashing row by row takes over a second.
"""

from collections.abc import Sequence
from hashlib import blake2b

import msgspec

from mu.model.graph import Edge, Entry, File, Graph, Node, Site

_BLOCK_ROWS = 4096


def graph_digest(graph: Graph) -> str:
    """Give the hex BLAKE2b-128 over all rows of `graph`."""
    state = blake2b(digest_size=16)
    encoder = msgspec.msgpack.Encoder()
    tables: tuple[
        Sequence[File] | Sequence[Node] | Sequence[Edge] | Sequence[Site] | Sequence[Entry], ...
    ] = (graph.files, graph.nodes, graph.edges, graph.sites, graph.entries)
    for rows in tables:
        state.update(encoder.encode(len(rows)))
        for start in range(0, len(rows), _BLOCK_ROWS):
            state.update(encoder.encode(rows[start : start + _BLOCK_ROWS]))
    return state.hexdigest()
