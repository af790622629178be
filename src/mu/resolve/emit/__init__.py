"""Rows of the graph: nodes, edges, and the ledger of references."""
