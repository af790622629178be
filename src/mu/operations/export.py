"""The whole graph as one JSON document, a row a line, in a stable order.

The document is never in memory: rows are read in windows of node and file keys, so a window costs
what it holds and not what lies before it. `docs/reference/export.md` describes the shape.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from mu.model.relation import Cell, Relation
from mu.operations.workspace import Workspace
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


_TABLES = (
    _Table(
        "nodes",
        (),
        "SELECT nodes.* FROM nodes JOIN node ON node.id = nodes.id "
        "WHERE node.key >= ? AND node.key < ? ORDER BY node.key",
        "SELECT count(*) FROM node",
        20_000,
    ),
    _Table(
        "edges",
        ("source", "target", "kind", "role", "path", "line", "rule", "confidence", "sites"),
        "SELECT {columns} FROM edges JOIN node ON node.id = edges.source "
        "WHERE node.key >= ? AND node.key < ? "
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
        "WHERE file.key >= ? AND file.key < ? "
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
        "WHERE file.key >= ? AND file.key < ? ORDER BY file.key",
        "SELECT count(*) FROM file",
        20_000,
    ),
)


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


def _rows(graph: GraphFile, table: _Table) -> Iterator[tuple[tuple[str, ...], tuple[Cell, ...]]]:
    """Yield each row of a table after the names of its cells."""
    keys = graph.run(Relation(table.keys)).rows[0][0]
    assert isinstance(keys, int)  # noqa: S101 - a count
    sql = table.rows.format(columns=", ".join(f"{table.name}.{name}" for name in table.columns))
    for start in range(0, keys, table.step):
        window = Relation(sql, (start, start + table.step))
        answer = graph.run(window, limit=None, timeout=_TIMEOUT)
        for row in answer.rows:
            yield answer.columns, row
