"""The large graph has the shape that the questions rely on."""

from collections import Counter

from benchmarks.synthetic import CLUSTERS, make_graph

from mu.model.kinds import EdgeKind


def test_graph_has_about_what_was_asked_for_and_repeats() -> None:
    graph = make_graph(2_100, 10_000)

    assert (len(graph.files), len(graph.nodes), len(graph.edges)) == (100, 2_100, 10_000)
    assert [node.key for node in graph.nodes] == list(range(2_100))
    assert len({node.id for node in graph.nodes}) == 2_100
    assert make_graph(2_100, 10_000) == graph


def test_calls_stay_within_a_cluster_but_for_the_hub() -> None:
    graph = make_graph(2_100, 10_000)
    first, hub = len(graph.files), len(graph.nodes) - 1
    size = (len(graph.nodes) - first) // CLUSTERS
    calls = [edge for edge in graph.edges if edge.kind is EdgeKind.CALLS]

    crossing = Counter(
        edge.target
        for edge in calls
        if (edge.source - first) // size != (edge.target - first) // size
    )

    assert crossing == {hub: CLUSTERS - 1}
    assert hub not in {edge.source for edge in calls}
