"""What each node is next to, asked for all at once, is what a walk of one step from each gives."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.graphs import write_anew
from mu.analysis.walks.adjacent_pairs import pairs
from mu.analysis.walks.traversal import KIND_NAMES, Direction, Walk
from mu.model.graph import Graph
from mu.model.kinds import EdgeKind
from mu.store import open_graph
from properties.test_walk import WALKED, graphs, plain_walk
from support.examples import examples


@pytest.mark.slow(reason="writes a graph for each example")
@given(graphs(), st.sampled_from(Direction), st.sets(st.sampled_from(WALKED), min_size=1))
@examples(0.5)
def test_pairs_are_the_walks_of_one_step(
    graph: Graph, direction: Direction, kinds: set[EdgeKind]
) -> None:
    ids = {node.key: node.id for node in graph.nodes}
    expected = {
        (ids[start], ids[node], KIND_NAMES[via], ids[origin])
        for start in ids
        for node, _, via, origin in plain_walk(graph, Walk(start, direction, 1, tuple(kinds)))
        if via is not None and origin is not None
    }
    with (
        tempfile.TemporaryDirectory() as folder,
        open_graph(write_anew(graph, Path(folder, "graph"))) as file,
    ):
        rows = file.run(pairs(direction, tuple(kinds)), limit=None).rows

    assert len(rows) == len(expected)
    assert {(row[0], row[1], row[7], row[8]) for row in rows} == expected
