"""One `.mubase` file: written whole, published by rename, read as data only."""

from mu.store.errors import (
    DamagedGraphError,
    Fault,
    FaultKind,
    NoGraphError,
    QueryError,
    QueryTimeoutError,
)
from mu.store.faults import query_error, read_fault
from mu.store.graph_file import GraphFile, open_graph
from mu.store.quoting import quote_name
from mu.store.relations import ALIASES, PUBLIC, Column, RelationSchema, relation_schema
from mu.store.writing import SCHEMA_VERSION, draft_graph, publish, write_draft, write_graph

__all__ = [
    "ALIASES",
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
    "open_graph",
    "publish",
    "query_error",
    "quote_name",
    "read_fault",
    "relation_schema",
    "write_draft",
    "write_graph",
]
