"""Graph functions: what depends on what, near and far, as relations over the tables of a graph.

Each gives a `Relation` and decides nothing about how it is run or shown. `walks.traversal` says
what containment means for all of them, `node_search.node_resolution` finds the node that a
reference means, and `completeness.verdict` the unresolved references that could add to an answer.
"""
