"""The logical digest of a graph: equal for equal graphs, whatever file they are stored in.

It is a sum over files, each of which adds a hash of its own rows; nodes without a file and entries
add theirs one by one. So when the rows of a file are replaced, its old hash is subtracted and the
new one added, and no other row has to be read. In the hashed rows, keys of nodes are replaced by
hashes of their ids, and keys of files are left out, so keys do not affect the digest.

Packing the rows of a file at once, and sites column by column, keeps it fast: 0.3 s for django's
950,000 rows, where hashing them one by one takes over a second.
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
"""The number in place of a hash where there is no node."""

NodeHashes = Sequence[int] | Mapping[int, int]
"""The hash of each node's id, by key of the node."""


def graph_digest(graph: Graph) -> str:
    """Return the hex BLAKE2b-128 sum over all rows of `graph`."""
    names = [node_hash(node.id) for node in graph.nodes]
    outside: list[Node] = []
    nodes: defaultdict[int, list[Node]] = defaultdict(list)
    for node in graph.nodes:
        (outside if node.file < 0 else nodes[node.file]).append(node)
    edges, sites = PackedEdges.of(graph.edges), PackedSites.of(graph.sites)
    files = [node.file for node in graph.nodes]
    edge_spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for key, span in _spans(map(files.__getitem__, edges.sources)):
        edge_spans[key].append(span)  # another file may emit edges of a type, as in Rust
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
    """Join the columns of some parts."""
    if len(parts) == 1:  # nearly always
        return parts[0]
    columns = zip(*parts, strict=True) if parts else [()] * len(EdgeCells._fields)
    return EdgeCells._make(chain.from_iterable(column) for column in columns)


def _spans(files: Iterable[int]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the file of each run of rows, and where the run begins and ends."""
    start = 0
    for file, rows in groupby(files):
        end = start + sum(1 for _ in rows)
        yield file, (start, end)
        start = end


def node_hash(node_id: str) -> int:
    """Return the number by which the digest names a node."""
    return int.from_bytes(blake2b(node_id.encode(), digest_size=8).digest(), "little") or 1


def file_digest(rows: FileRows, names: NodeHashes) -> int:
    """Return what a file adds to the digest; `names` are the hashes of nodes, by key."""
    edges, sites = EdgeCells.of(rows.edges), SiteCells.of(rows.sites)
    return _Hasher(names).file(rows.file, rows.nodes, edges=edges, sites=sites)


class _Hasher:
    """A hash function for the rows of files, with `names` in place of the keys of nodes."""

    def __init__(self, names: NodeHashes) -> None:
        self._name = names.__getitem__
        self._encode = msgspec.msgpack.Encoder().encode

    def file(self, file: File, nodes: Iterable[Node], *, edges: EdgeCells, sites: SiteCells) -> int:
        """Return the hash of a file, with its edges and sites column by column."""
        name = self._name
        said = [(row[1:8], name(row[9]) if row[9] >= 0 else _NONE, row[10:]) for row in nodes]
        ends = map(name, edges.sources), map(name, edges.targets)
        ordered = sorted(zip(*ends, *edges[2:], strict=True))
        targets = [name(target) if target >= 0 else _NONE for target in sites.targets]
        named = sites._replace(sources=map(name, sites.sources), files=(), targets=targets)
        return _hash(self._encode((file[1:], said, ordered, [list(one) for one in named])))


def outside_digest(nodes: Iterable[Node]) -> int:
    """Return what nodes without a file add to the digest."""
    encoder = msgspec.msgpack.Encoder()
    return sum(_hash(encoder.encode(row[1:8] + row[10:])) for row in nodes)


def entries_digest(entries: Iterable[Entry], names: NodeHashes) -> int:
    """Return what entries add to the digest."""
    encoder = msgspec.msgpack.Encoder()
    return sum(_hash(encoder.encode((names[row[0]], *row[1:]))) for row in entries)


def digest_text(total: int) -> str:
    """Format a sum as hex."""
    return f"{total % _MODULUS:0{2 * _SIZE}x}"


def _hash(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=_SIZE).digest(), "little")
