"""MUQL, the query language: text in, a checked query out."""

from mu.muql.compile import compile_query
from mu.muql.errors import MuqlError

__all__ = ["MuqlError", "compile_query"]
