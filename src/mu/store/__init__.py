"""One `.mubase` file: written whole, published by rename, read as data only.

What writes is found on first use and not imported here: a query does without.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mu.store.engine.connection import is_whole
from mu.store.engine.errors import (
    DamagedGraphError,
    Fault,
    FaultKind,
    NoGraphError,
    QueryError,
    QueryTimeoutError,
)
from mu.store.engine.faults import query_error, read_fault
from mu.store.engine.quoting import quote_name
from mu.store.engine.schema_version import SCHEMA_VERSION
from mu.store.graph_file import GraphFile, open_graph
from mu.store.relations import ALIASES, EXTENDED, PUBLIC, Column, RelationSchema, relation_schema

if TYPE_CHECKING:
    from mu.store.writing import draft_graph, publish, write_draft, write_graph

__all__ = [
    "ALIASES",
    "EXTENDED",
    "PUBLIC",
    "SCHEMA_VERSION",
    "Column",
    "DamagedGraphError",
    "Fault",
    "FaultKind",
    "GraphFile",
    "NoGraphError",
    "QueryError",
    "QueryTimeoutError",
    "RelationSchema",
    "draft_graph",
    "is_whole",
    "open_graph",
    "publish",
    "query_error",
    "quote_name",
    "read_fault",
    "relation_schema",
    "write_draft",
    "write_graph",
]

_WRITING = frozenset(("draft_graph", "publish", "write_draft", "write_graph"))


def __getattr__(name: str) -> object:
    if name not in _WRITING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("mu.store.writing"), name)
