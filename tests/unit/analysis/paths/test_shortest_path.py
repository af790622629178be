"""Shortest paths along dependencies."""

from collections.abc import Iterator, Sequence

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.paths.shortest_path import path
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind
from mu.store import GraphFile, open_graph


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path_factory.mktemp("shop"))) as graph:
        yield graph


def steps(
    graph: GraphFile,
    start: str,
    goal: str,
    kinds: Sequence[EdgeKind] = DEPENDENCY_KINDS,
    max_depth: int | None = None,
) -> list[tuple[object, ...]]:
    first, last = resolve_node(graph, start).key, resolve_node(graph, goal).key
    walked = walk_graph(graph, Walk(first, Direction.FORWARD, max_depth, kinds))
    return list(graph.run(path(graph, walked, goal=last)).rows)


def test_each_row_says_how_and_where_it_depends_on_the_next(shop: GraphFile) -> None:
    rows = steps(shop, "test_login", "LIMIT")
    assert [(row[0], *row[2:]) for row in rows] == [
        (0, "test_login", "calls", "tests/test_auth.py", 7),
        (1, "login", "calls", "app/auth.py", 12),
        (2, "find", "uses", "app/db.py", 12),
        (3, "LIMIT", None, "app/db.py", 2),
    ]


def test_there_is_no_path_against_the_direction(shop: GraphFile) -> None:
    assert steps(shop, "LIMIT", "test_login") == []


def test_either_end_stands_for_what_it_contains(shop: GraphFile) -> None:
    rows = steps(shop, "Orders", "Store")
    assert [row[2] for row in rows] == ["place", "save"]


def test_only_the_kinds_asked_for_are_followed(shop: GraphFile) -> None:
    rows = steps(shop, "app/orders.py", "app/base.py", kinds=[EdgeKind.IMPORTS])
    assert [row[2] for row in rows] == ["orders", "db", "base"]


def test_a_longer_path_than_allowed_is_none(shop: GraphFile) -> None:
    assert steps(shop, "test_login", "LIMIT", max_depth=2) == []


def test_a_part_of_the_start_is_reached_at_once(shop: GraphFile) -> None:
    rows = steps(shop, "AuthService", "AuthService.login")
    assert [(row[0], row[2], row[3]) for row in rows] == [(0, "login", None)]
