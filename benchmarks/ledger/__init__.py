"""Checks that the ledger has a row for each identifier that stands where it can name something.

`positions` walks the trees of sources by what a language's file of this folder says of the kinds of
its nodes, and knows nothing of how facts are made; `rows` compares what it finds with a graph.
"""
