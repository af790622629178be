"""Which members override which, upward and downward."""

from collections.abc import Iterator

import pytest

from fakes.graphs import make_graph, write
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.walks.override_relation import OVERRIDES_COLUMNS, overrides_of
from mu.store import GraphFile, open_graph

GRAPH = """
a.py
  class Shape @ 1-9
    var color @ 2-2
    def area() @ 3-5
    def name() @ 6-8
  class Round < Shape @ 10-19
    def area() @ 12-14
  class Circle < Round @ 20-29
    var color @ 21-21
    def area() @ 22-24
    def own() @ 25-26
b.py
  class Area @ 1-9
    def area() @ 2-3
    var color @ 4-4
a.py:Round.area -> a.py:Shape.area overrides
a.py:Circle.area -> a.py:Round.area overrides
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(GRAPH), tmp_path_factory.mktemp("graph"))) as opened:
        yield opened


def pairs(graph: GraphFile, node: str) -> list[tuple[str, str]]:
    """The member that overrides and the one that it overrides, as they are named in their file."""
    answer = graph.run(overrides_of(resolve_node(graph, node).key))
    own, far = (answer.columns.index(name) for name in ("id", "overridden_id"))
    return [
        (str(row[own]).rpartition(":")[2], str(row[far]).rpartition(":")[2]) for row in answer.rows
    ]


def test_a_method_has_what_it_overrides_first_and_then_what_overrides_it(graph: GraphFile) -> None:
    assert pairs(graph, "Round.area") == [
        ("Round.area", "Shape.area"),
        ("Circle.area", "Round.area"),
    ]


def test_a_class_stands_for_its_members(graph: GraphFile) -> None:
    assert pairs(graph, "Circle") == [
        ("Circle.color", "Shape.color"),
        ("Circle.area", "Round.area"),
        ("Round.area", "Shape.area"),
    ]


def test_what_overrides_an_override_is_listed_too(graph: GraphFile) -> None:
    assert pairs(graph, "Shape.area") == [
        ("Round.area", "Shape.area"),
        ("Circle.area", "Round.area"),
    ]


def test_an_attribute_overrides_that_of_the_nearest_class_that_has_one(graph: GraphFile) -> None:
    assert pairs(graph, "Circle.color") == [("Circle.color", "Shape.color")]
    assert pairs(graph, "Shape.color") == [("Circle.color", "Shape.color")]


def test_a_class_that_is_not_related_overrides_nothing(graph: GraphFile) -> None:
    assert pairs(graph, "Area") == []


def test_a_member_that_nothing_overrides_has_no_row(graph: GraphFile) -> None:
    assert pairs(graph, "Circle.own") == []
    assert pairs(graph, "Shape.name") == []


def test_each_row_has_both_places(graph: GraphFile) -> None:
    answer = graph.run(overrides_of(resolve_node(graph, "Round.area").key))

    assert answer.columns == OVERRIDES_COLUMNS
    assert answer.rows[0] == (
        "fn:a.py:Round.area", "area", "function", "a.py", 12, "fn:a.py:Shape.area", "a.py", 3,
    )  # fmt: skip
