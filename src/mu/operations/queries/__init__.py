"""MUQL: run a query, list the named ones, and isolate those of untrusted callers."""
