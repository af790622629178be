"""The logical digest of a graph: equal for equal graphs, whatever file they are stored in.

It is a sum over files, each of which adds a hash of its own rows; nodes outside the repository and
entries add theirs one by one. So a file whose rows were replaced changes the digest of the whole by
what it said before and what it says now, and no other row has to be read. In what is hashed nodes
are named by a hash of their ids and files by nothing, so keys do not show.

Packing the rows of a file at once, and sites column by column, is what keeps it fast: 0.3 s for
django's 950,000 rows, where hashing them one by one takes over a second.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, groupby

import msgspec

from mu.model.graph import Entry, File, FileRows, Graph, Node
from mu.model.packed_rows import EdgeCells, PackedEdges, PackedSites, SiteCells

_SIZE = 16  # bytes
_MODULUS = 1 << 8 * _SIZE
_NONE = 0
"""What stands for no node."""

NodeHashes = Sequence[int] | Mapping[int, int]
"""By key of a node, what it is named by in what is hashed."""


def graph_digest(graph: Graph) -> str:
    """Give the hex BLAKE2b-128 sum over all rows of `graph`."""
    names = [node_hash(node.id) for node in graph.nodes]
    outside: list[Node] = []
    nodes: defaultdict[int, list[Node]] = defaultdict(list)
    for node in graph.nodes:
        (outside if node.file < 0 else nodes[node.file]).append(node)
    edges, sites = PackedEdges.of(graph.edges), PackedSites.of(graph.sites)
    files = [node.file for node in graph.nodes]
    edge_spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for key, span in _spans(map(files.__getitem__, edges.sources)):
        edge_spans[key].append(span)  # a file may tell of the types of others, as in Rust
    site_spans = dict(_spans(sites.files))
    hasher = _Hasher(names)
    total = 0
    for file in graph.files:
        parts = [edges.columns(*span) for span in edge_spans[file.key]]
        cells = _together(parts)
        span = site_spans.get(file.key, (0, 0))
        total += hasher.file(file, nodes[file.key], edges=cells, sites=sites.columns(*span))
    return digest_text(total + outside_digest(outside) + entries_digest(graph.entries, names))


def _together(parts: Sequence[EdgeCells]) -> EdgeCells:
    """The cells of all edges in some parts."""
    if len(parts) == 1:  # nearly always
        return parts[0]
    columns = zip(*parts, strict=True) if parts else [()] * len(EdgeCells._fields)
    return EdgeCells._make(chain.from_iterable(column) for column in columns)


def _spans(files: Iterable[int]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Where rows begin and end that stand together, by the file that they are of."""
    start = 0
    for file, rows in groupby(files):
        end = start + sum(1 for _ in rows)
        yield file, (start, end)
        start = end


def node_hash(node_id: str) -> int:
    """Give the number that stands for a node in what is hashed."""
    return int.from_bytes(blake2b(node_id.encode(), digest_size=8).digest(), "little") or 1


def file_digest(rows: FileRows, names: NodeHashes) -> int:
    """Give what a file adds to the digest; `names` are those of the nodes by key."""
    edges, sites = EdgeCells.of(rows.edges), SiteCells.of(rows.sites)
    return _Hasher(names).file(rows.file, rows.nodes, edges=edges, sites=sites)


class _Hasher:
    """Hashes the rows of files, with `names` in the place of keys of nodes."""

    def __init__(self, names: NodeHashes) -> None:
        self._name = names.__getitem__
        self._encode = msgspec.msgpack.Encoder().encode

    def file(self, file: File, nodes: Iterable[Node], *, edges: EdgeCells, sites: SiteCells) -> int:
        """The hash of a file, with its edges and sites column by column."""
        name = self._name
        said = [(row[1:8], name(row[9]) if row[9] >= 0 else _NONE, row[10:]) for row in nodes]
        ends = map(name, edges.sources), map(name, edges.targets)
        ordered = sorted(zip(*ends, *edges[2:], strict=True))
        targets = [name(target) if target >= 0 else _NONE for target in sites.targets]
        named = sites._replace(sources=map(name, sites.sources), files=(), targets=targets)
        return _hash(self._encode((file[1:], said, ordered, [list(one) for one in named])))


def outside_digest(nodes: Iterable[Node]) -> int:
    """Give what nodes outside the repository add to the digest."""
    encoder = msgspec.msgpack.Encoder()
    return sum(_hash(encoder.encode(row[1:8] + row[10:])) for row in nodes)


def entries_digest(entries: Iterable[Entry], names: NodeHashes) -> int:
    """Give what entries add to the digest."""
    encoder = msgspec.msgpack.Encoder()
    return sum(_hash(encoder.encode((names[row[0]], *row[1:]))) for row in entries)


def digest_text(total: int) -> str:
    """Write a sum as hex."""
    return f"{total % _MODULUS:0{2 * _SIZE}x}"


def _hash(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=_SIZE).digest(), "little")
