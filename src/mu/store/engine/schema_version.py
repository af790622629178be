"""The version of the schema, for who reads graphs and for who writes them."""

SCHEMA_VERSION = 3
"""Counted up whenever a table or column changes; a reader refuses a file with a greater one."""
