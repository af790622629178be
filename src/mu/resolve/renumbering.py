"""A graph whose external nodes are numbered in the order in which they are first asked for."""

from collections.abc import Sequence
from dataclasses import replace

from mu.model.graph import Edge, Graph


def renumbered(graph: Graph, size: int, *, asked: Sequence[int]) -> Graph:
    """The same graph with only those external nodes that were `asked` for, in that order.

    The first `size` nodes are the repository's own, which stay. Gives the graph itself where its
    nodes are these already.
    """
    if list(asked) == list(range(size, len(graph.nodes))):
        return graph
    keys = {key: key for key in range(-1, size)}
    keys |= {key: size + place for place, key in enumerate(asked)}
    outside = [graph.nodes[key]._replace(key=keys[key]) for key in asked]
    return replace(
        graph,
        nodes=[*graph.nodes[:size], *outside],
        edges=sorted([edge._replace(target=keys[edge.target]) for edge in graph.edges], key=_order),
        sites=[site._replace(target=keys[site.target]) for site in graph.sites],
        entries=tuple(sorted([entry._replace(node=keys[entry.node]) for entry in graph.entries])),
    )


def _order(edge: Edge) -> tuple[object, ...]:
    return edge.source, edge.target, edge.kind, edge.role
