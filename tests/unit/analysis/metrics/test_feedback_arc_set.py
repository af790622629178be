"""The fewest edges whose removal leaves no cycle."""

from itertools import combinations

import networkx
from hypothesis import given
from hypothesis import strategies as st

from mu.analysis.metrics.feedback_arc_set import Edge, cut_set

EDGES = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda e: e[0] != e[1]))


def is_acyclic(edges: set[Edge]) -> bool:
    return networkx.is_directed_acyclic_graph(networkx.DiGraph(list(edges)))


def fewest(edges: set[Edge]) -> int:
    """The size of a smallest cut, by trying all."""
    sizes = range(len(edges) + 1)
    return next(n for n in sizes if any(is_acyclic(edges - set(c)) for c in combinations(edges, n)))


@given(EDGES.filter(lambda edges: len(edges) <= 11))
def test_a_small_graph_is_cut_by_as_few_edges_as_trying_all_finds(edges: set[Edge]) -> None:
    found = cut_set(edges)

    assert found.is_minimum
    assert is_acyclic(edges - set(found.edges))
    assert len(found.edges) == fewest(edges)


def test_a_large_graph_is_cut_where_no_edge_can_be_put_back() -> None:
    nodes = range(14)
    edges = {(a, b) for a in nodes for b in nodes if a != b and (a * 7 + b * 3) % 4}
    found = cut_set(edges)
    left = edges - set(found.edges)

    assert not found.is_minimum
    assert is_acyclic(left)
    assert not any(is_acyclic({*left, edge}) for edge in found.edges)


def test_a_graph_without_a_cycle_needs_no_cut() -> None:
    assert cut_set([(1, 2), (2, 3), (1, 3)]) == ((), True)
