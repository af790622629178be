"""Patterns of queries, and plans of what to do with a node that they fit, by its shape."""
