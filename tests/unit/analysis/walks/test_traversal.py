"""What a walk follows that stands in no table."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from fakes.graphs import make_graph, write
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.paths.shortest_path import path
from mu.analysis.walks.adjacent_pairs import pairs
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.dependency_walks import dependents, deps, reach
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.kinds import EdgeKind
from mu.model.relation import Relation
from mu.store import GraphFile, open_graph

GRAPH = """
shop.py
  class Cart @ 1-20
    def total @ 5-9
    def add @ 10-15
  var LIMIT @ 22-22
  def rate @ 30-35
tests/test_shop.py
  def make_cart @ 3-5
  class TestCart @ 10-40
    def test_total @ 12-19
    def test_rate @ 20-29
tests/test_shop.py -> shop.py imports 1 import
tests/test_shop.py:make_cart -> shop.py:Cart calls 4 import
tests/test_shop.py:TestCart.test_total -> tests/test_shop.py:make_cart calls 13 module
tests/test_shop.py:TestCart.test_total -> shop.py:Cart.total calls 14 returned x2
tests/test_shop.py:TestCart.test_total -> shop.py:LIMIT uses 15 value import
tests/test_shop.py:TestCart.test_rate -> shop.py:rate uses 21 value import
tests/test_shop.py:TestCart.test_rate -> shop.py:rate calls 22 import
tests/test_shop.py:TestCart.test_rate -> ext:pytest.raises calls 23 import
tests/test_shop.py -> shop.py:LIMIT uses 2 value import
shop.py:Cart.total -> shop.py:rate calls 7 module
"""

TESTS = (EdgeKind.TESTS,)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphFile:
    return open_graph(write(make_graph(GRAPH), tmp_path_factory.mktemp("graph")))


def ask(graph: GraphFile, sql: str) -> list[tuple[object, ...]]:
    return list(graph.run(Relation(sql)).rows)


def test_a_function_of_the_tests_tests_the_code_it_calls_or_uses(graph: GraphFile) -> None:
    rows = ask(graph, "SELECT source_name, target_name, role, line, rule, sites FROM tests")
    assert sorted(rows) == [
        ("make_cart", "Cart", "call", 4, "import", 1),
        ("test_rate", "rate", "call", 22, "import", 1),
        ("test_rate", "rate", "value", 21, "import", 1),
        ("test_total", "LIMIT", "value", 15, "import", 1),
        ("test_total", "total", "call", 14, "returned", 2),
    ]


def test_edges_hold_the_same_and_the_file_none(graph: GraphFile) -> None:
    one = ask(graph, "SELECT * EXCLUDE (kind) FROM edges WHERE kind = 'tests' ORDER BY ALL")
    assert one == ask(graph, "SELECT * FROM tests ORDER BY ALL")
    assert ask(graph, "SELECT count(*) FROM edge WHERE kind = 'tests'") == [(0,)]


def test_every_source_is_a_test_and_no_target_is(graph: GraphFile) -> None:
    sql = "SELECT DISTINCT s.is_test, t.is_test FROM tests e JOIN nodes s ON s.id = e.source"
    assert ask(graph, f"{sql} JOIN nodes t ON t.id = e.target") == [(True, False)]


@pytest.mark.parametrize(
    ("reference", "names"), [("rate", ["test_rate"]), ("Cart", ["make_cart", "test_total"])]
)
def test_a_walk_follows_them_backward(graph: GraphFile, reference: str, names: list[str]) -> None:
    key = resolve_node(graph, reference).key
    rows = graph.run(reach(walk_graph(graph, dependents(key, kinds=TESTS)))).rows
    assert [row[1] for row in rows] == names
    assert {row[6] for row in rows} == {"tests"}


def test_a_walk_follows_them_forward(graph: GraphFile) -> None:
    key = resolve_node(graph, "TestCart").key
    rows = graph.run(reach(walk_graph(graph, deps(key, kinds=TESTS)))).rows
    assert [row[1] for row in rows] == ["total", "LIMIT", "rate"]


def test_a_path_over_one_has_the_line_of_the_reference(graph: GraphFile) -> None:
    start, goal = (resolve_node(graph, name).key for name in ("test_rate", "rate"))
    walked = walk_graph(graph, Walk(start, Direction.FORWARD, 1, TESTS))
    rows = graph.run(path(graph, walked, goal=goal)).rows
    assert [(row[2], row[3], row[5]) for row in rows] == [
        ("test_rate", "tests", 21),
        ("rate", None, 30),
    ]


OVERLOADS = """
Answer{ending}
  class Answer @ 1-20
    def of @ 2-3
    def of~2 @ 4-8
Use{ending}
  def one @ 1-2
  def two @ 3-4
Use{ending}:one -> Answer{ending}:Answer.of calls 1 package
Use{ending}:two -> Answer{ending}:Answer.of~2 calls 3 package
"""


def _callers(graph: GraphFile, reference: str, depth: int | None) -> list[str]:
    node = resolve_node(graph, reference)
    walk = Walk(node.key, Direction.BACKWARD, depth, (EdgeKind.CALLS,), node.is_alone)
    return [str(row[0]) for row in graph.run(reach(walk_graph(graph, walk))).rows]


@pytest.mark.parametrize("depth", [1, None])
@pytest.mark.parametrize(
    "reference", ["fn:Answer.java:Answer.of", "Answer.java:2", "Answer.java:3"]
)
def test_an_overload_that_is_named_by_id_or_line_stands_alone(
    tmp_path: Path, reference: str, depth: int | None
) -> None:
    with open_graph(write(make_graph(OVERLOADS.format(ending=".java")), tmp_path)) as graph:
        assert _callers(graph, reference, depth) == ["fn:Use.java:one"]  # asked of the engine
        assert _callers(graph, reference, depth) == ["fn:Use.java:one"]  # walked over arrays
        assert _callers(graph, "of~2", depth) == ["fn:Use.java:two"]
        assert _callers(graph, "Answer.of", depth) == ["fn:Use.java:one", "fn:Use.java:two"]


def test_pairs_tell_overloads_apart(tmp_path: Path) -> None:
    with open_graph(write(make_graph(OVERLOADS.format(ending=".java")), tmp_path)) as graph:
        rows = graph.run(pairs(Direction.BACKWARD, (EdgeKind.CALLS,))).rows

        found = sorted((str(row[0]), str(row[1])) for row in rows if str(row[0]).startswith("fn:"))
        assert found == [
            ("fn:Answer.java:Answer.of", "fn:Use.java:one"),
            ("fn:Answer.java:Answer.of~2", "fn:Use.java:two"),
        ]


def test_definitions_of_one_name_are_one_where_calls_do_not_choose(tmp_path: Path) -> None:
    with open_graph(write(make_graph(OVERLOADS.format(ending=".py")), tmp_path)) as graph:
        assert _callers(graph, "fn:Answer.py:Answer.of", 1) == ["fn:Use.py:one", "fn:Use.py:two"]


LITERALS = """
const first = { go() {} };
const other = { go() {} };
export function one() { first.go(); }
export function two() { other.go(); }
"""


def test_members_of_two_object_literals_are_two_things(tmp_path: Path) -> None:
    with built_tree(tmp_path, {"a.ts": LITERALS}) as workspace:
        graph = workspace.graph
        for _ in ("asked of the engine", "walked over arrays"):
            assert _callers(graph, "first.go", 1) == ["fn:a.ts:one"]
        assert _callers(graph, "other.go", None) == ["fn:a.ts:two"]
        found = graph.run(pairs(Direction.BACKWARD, (EdgeKind.CALLS,))).rows
        assert sorted((str(row[0]), str(row[1])) for row in found if "go" in str(row[0])) == [
            ("fn:a.ts:first.go", "fn:a.ts:one"),
            ("fn:a.ts:other.go", "fn:a.ts:two"),
        ]
