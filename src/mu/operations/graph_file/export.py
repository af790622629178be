"""The graph as one document: all of it as JSON, or a chosen part for other tools to draw.

A document is never in memory: rows are read in windows of node and file keys, so a window costs
what it holds and not what lies before it. `docs/reference/export.md` describes the shapes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from mu.model.kinds import EdgeKind, NodeKind
from mu.model.relation import Cell, Relation
from mu.operations.workspace import Workspace
from mu.render.formats.dot import dot_lines
from mu.render.formats.drawing import Arc
from mu.render.formats.graphml import graphml_lines
from mu.render.formats.mermaid import mermaid
from mu.store import GraphFile

FORMAT = "mubase-graph"
VERSION = 1
"""Counted up when a name or a meaning in the document changes; additions do not count."""

_TIMEOUT = 600.0


class _Table(NamedTuple):
    """One list of the document.

    `rows` is a query of the rows of a window, `keys` one of the number of keys there are, `step`
    the keys in a window. `columns` are empty where all of the relation's are meant.
    """

    name: str
    columns: tuple[str, ...]
    rows: str
    keys: str
    step: int


_EDGE_COLUMNS = ("source", "target", "kind", "role", "path", "line", "rule", "confidence", "sites")

_TABLES = (
    _Table(
        "nodes",
        (),
        "SELECT nodes.* FROM nodes JOIN node ON node.id = nodes.id "
        "WHERE node.key >= $first AND node.key < $end ORDER BY node.key",
        "SELECT count(*) FROM node",
        20_000,
    ),
    _Table(
        "edges",
        _EDGE_COLUMNS,
        "SELECT {columns} FROM edges JOIN node ON node.id = edges.source "
        "WHERE node.key >= $first AND node.key < $end "
        "ORDER BY node.key, edges.kind, edges.target, edges.role",
        "SELECT count(*) FROM node",
        10_000,
    ),
    _Table(
        "sites",
        (
            *("source", "kind", "path", "line", "text", "name"),
            *("target", "choice", "rule", "reason", "candidates"),
        ),
        "SELECT {columns} FROM sites JOIN file ON file.path = sites.path "
        "WHERE file.key >= $first AND file.key < $end "
        "ORDER BY file.key, sites.line, sites.source, sites.text, sites.kind, sites.choice, "
        "sites.target",
        "SELECT count(*) FROM file",
        400,
    ),
    _Table(
        "files",
        (
            "path",
            "language",
            "category",
            "status",
            "reason",
            "digest",
            "bytes",
            "lines",
            "problems",
        ),
        "SELECT {columns} FROM files JOIN file ON file.path = files.path "
        "WHERE file.key >= $first AND file.key < $end ORDER BY file.key",
        "SELECT count(*) FROM file",
        20_000,
    ),
)


_NODE_COLUMNS = (
    *("id", "kind", "subkind", "name", "qualified_name", "module", "language", "path"),
    *("start_line", "end_line", "visibility", "is_test", "complexity", "lines"),
)

_PART_NODES = _Table(
    "nodes",
    _NODE_COLUMNS,
    "SELECT {columns} FROM nodes JOIN node ON node.id = nodes.id "
    "WHERE node.key >= $first AND node.key < $end "
    "AND list_contains($nodes, nodes.kind) AND starts_with(coalesce(nodes.path, ''), $prefix) "
    "ORDER BY node.key",
    "SELECT count(*) FROM node",
    20_000,
)
_PART_EDGES = _Table(
    "edges",
    _EDGE_COLUMNS,
    "SELECT {columns} FROM edges JOIN node ON node.id = edges.source "
    "JOIN node AS goal ON goal.id = edges.target LEFT JOIN file ON file.key = goal.file "
    "WHERE node.key >= $first AND node.key < $end AND list_contains($edges, edges.kind) "
    "AND list_contains($nodes, node.kind::VARCHAR) AND list_contains($nodes, goal.kind::VARCHAR) "
    "AND starts_with(coalesce(edges.path, ''), $prefix) "
    "AND starts_with(coalesce(file.path, ''), $prefix) "
    "ORDER BY node.key, edges.kind, edges.target, edges.role",
    "SELECT count(*) FROM node",
    10_000,
)


@dataclass(frozen=True, slots=True)
class Part:
    """Which nodes and edges are meant: those of some kinds, below a path.

    An edge belongs to it when both its ends do. What is outside the repository has no path, and
    belongs to a part without a prefix.
    """

    nodes: Sequence[NodeKind] = tuple(NodeKind)
    edges: Sequence[EdgeKind] = tuple(EdgeKind)
    prefix: str = ""


def export_graphml(workspace: Workspace, part: Part) -> Iterator[str]:
    """Give a part of the graph as the pieces of one GraphML document."""
    graph = workspace.graph
    nodes = (row for _, row in _rows(graph, _PART_NODES, part))
    edges = (row for _, row in _rows(graph, _PART_EDGES, part))
    return graphml_lines(_NODE_COLUMNS, nodes, edge_columns=_EDGE_COLUMNS, edges=edges)


def export_dot(workspace: Workspace, part: Part) -> Iterator[str]:
    """Give a part of the graph as the pieces of one DOT document."""
    return dot_lines(*_drawn(workspace.graph, part), is_directed=True)


def export_mermaid(workspace: Workspace, part: Part) -> tuple[str, str]:
    """Give a part of the graph as a Mermaid chart, and a note when it is cut to Mermaid's limits.

    Raises what opening the graph raises, as all exports do.
    """
    return mermaid(*_drawn(workspace.graph, part), is_directed=True)


def _drawn(graph: GraphFile, part: Part) -> tuple[Iterator[str], Iterator[Arc]]:
    nodes = (str(row[0]) for _, row in _rows(graph, _PART_NODES, part))
    edges = (row for _, row in _rows(graph, _PART_EDGES, part))
    return nodes, (Arc(str(row[0]), str(row[1]), str(row[2])) for row in edges)


def export_json(workspace: Workspace) -> Iterator[str]:
    """Give the graph as the pieces of one JSON document, to be written one after another.

    The graph is opened at once: what is wrong with it is raised before anything is written.
    """
    return _pieces(workspace.graph)


def _pieces(graph: GraphFile) -> Iterator[str]:
    encoder = msgspec.json.Encoder()
    head = {"format": FORMAT, "version": VERSION, "meta": dict(graph.meta())}
    yield encoder.encode(head).decode()[:-1]
    for table in _TABLES:
        yield f',\n"{table.name}": ['
        separator = "\n"
        for columns, row in _rows(graph, table):
            text = encoder.encode(dict(zip(columns, row, strict=True))).decode()
            yield separator + text
            separator = ",\n"
        yield "\n]"
    yield "\n}\n"


def _rows(
    graph: GraphFile, table: _Table, part: Part | None = None
) -> Iterator[tuple[tuple[str, ...], tuple[Cell, ...]]]:
    """Yield each row of a table after the names of its cells."""
    keys = graph.run(Relation(table.keys)).rows[0][0]
    assert isinstance(keys, int)  # noqa: S101 - a count
    sql = table.rows.format(columns=", ".join(f"{table.name}.{name}" for name in table.columns))
    chosen = _chosen(part, table) if part else {}
    for start in range(0, keys, table.step):
        window = Relation(sql, {"first": start, "end": start + table.step} | chosen)
        answer = graph.run(window, limit=None, timeout=_TIMEOUT)
        for row in answer.rows:
            yield answer.columns, row


def _chosen(part: Part, table: _Table) -> dict[str, Cell]:
    """Give what the rows of a table are chosen by: just the parameters that its query has."""
    chosen: dict[str, Cell] = {"nodes": list(part.nodes), "prefix": part.prefix}
    return chosen | {"edges": list(part.edges)} if table is _PART_EDGES else chosen
