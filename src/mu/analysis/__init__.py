"""Graph functions: what depends on what, near and far, as relations over the tables of a graph.

Each gives a `Relation` and decides nothing about how it is run or shown. `traversal` says what
containment means for all of them, `references` finds the node that is meant, and `verdict` the
unresolved references that could add to an answer.
"""
