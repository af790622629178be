"""Direction, containment and distance of what the graph functions find."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.dependency_walks import (
    ancestors,
    callees,
    callers,
    dependents,
    deps,
    impact,
    reach,
)
from mu.analysis.walks.traversal import KIND_NAMES, Walk
from mu.errors import ExitCode, MuError
from mu.model.kinds import EdgeKind
from mu.model.relation import Relation
from mu.store import GraphFile, open_graph

# In words: the handler calls the service, the service calls the query. So the handler depends on
# the service and on the query; the query depends on nothing. A change of the query may break the
# service and the handler: that is its impact. What the handler stands on, the service and the
# query, are its ancestors.
WORDS = """
app/handler.py
  def handler @ 3-9
app/service.py
  def service @ 3-9
app/query.py
  def query @ 3-9
app/handler.py:handler -> app/service.py:service calls 5 import
app/service.py:service -> app/query.py:query calls 6 import
"""

SHAPES = """
app/shapes.py
  class Shape @ 1-20
    def area @ 2-5
    def scale @ 6-9
    def describe @ 10-12
  class Circle < Shape @ 21-40
    def area @ 22-25
  def limit @ 41-43
  var LIMIT @ 45-45
  var OTHER @ 46-46
  def get @ 48-50
app/drawing.py
  def draw @ 1-9
  def measure @ 10-19
  def bounded @ 20-29
  def hint @ 30-32
app/other.py
app/shapes.py:Circle.area -> app/shapes.py:Shape.area overrides 22
app/shapes.py:Shape.describe -> app/shapes.py:Shape.area calls 11 self
app/shapes.py -> app/shapes.py:limit calls 45
app/drawing.py:draw -> app/shapes.py:Shape.scale calls 3 typed
app/drawing.py:draw -> app/shapes.py:Shape uses 1 annotation
app/drawing.py:measure -> app/shapes.py:Shape.describe calls 12 typed
app/drawing.py:bounded -> app/shapes.py:LIMIT uses 21 value
app/drawing.py:hint -> app/shapes.py:OTHER uses 31 value
app/drawing.py -> app/shapes.py imports 1 import
app/other.py -> app/drawing.py imports 1 import
"""

Ask = Callable[[str, Relation], list[tuple[object, ...]]]


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(WORDS), tmp_path_factory.mktemp("words"))) as graph:
        yield graph


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHAPES), tmp_path_factory.mktemp("shapes"))) as graph:
        yield graph


def names(graph: GraphFile, walk: Walk) -> list[str]:
    return [str(row[1]) for row in graph.run(reach(walk_graph(graph, walk))).rows]


def key(graph: GraphFile, reference: str) -> int:
    return resolve_node(graph, reference).key


def test_impact_of_the_query_is_what_uses_it(words: GraphFile) -> None:
    assert names(words, impact(key(words, "query.query"))) == ["service", "handler"]


def test_ancestors_of_the_handler_are_what_it_uses(words: GraphFile) -> None:
    assert names(words, ancestors(key(words, "handler.handler"))) == ["service", "query"]


def test_nothing_uses_the_handler_and_the_query_uses_nothing(words: GraphFile) -> None:
    assert names(words, impact(key(words, "handler.handler"))) == []
    assert names(words, ancestors(key(words, "query.query"))) == []


def test_deps_and_callees_go_one_step_towards_what_is_used(words: GraphFile) -> None:
    service = key(words, "service.service")
    assert names(words, deps(service)) == ["query"]
    assert names(words, callees(service)) == ["query"]


def test_dependents_and_callers_go_one_step_towards_what_uses(words: GraphFile) -> None:
    service = key(words, "service.service")
    assert names(words, dependents(service)) == ["handler"]
    assert names(words, callers(service)) == ["handler"]


def test_a_row_says_how_far_by_what_edge_and_from_where(words: GraphFile) -> None:
    answer = words.run(reach(walk_graph(words, impact(key(words, "query.query"))), with_tests=True))
    assert answer.columns[-4:] == ("distance", "via", "from_id", "is_test")
    assert [row[-4:] for row in answer.rows] == [
        (1, "calls", "fn:app/query.py:query", False),
        (2, "calls", "fn:app/service.py:service", False),
    ]


def test_a_module_stands_for_its_definitions(words: GraphFile) -> None:
    assert names(words, impact(key(words, "app/query.py"))) == ["service", "handler"]
    assert names(words, ancestors(key(words, "app/handler.py"))) == ["service", "query"]


def test_a_class_stands_for_its_members_and_lists_none_of_them(shapes: GraphFile) -> None:
    found = names(shapes, dependents(key(shapes, "Shape")))
    assert found == ["draw", "measure", "Circle", "area"]


def test_what_inherits_and_what_overrides_depends_on_the_base(shapes: GraphFile) -> None:
    rows = shapes.run(reach(walk_graph(shapes, dependents(key(shapes, "Shape"))))).rows
    via = {row[0]: row[6] for row in rows}
    assert via["cls:app/shapes.py:Circle"] == "inherits"
    assert via["fn:app/shapes.py:Circle.area"] == "overrides"


SEALED = """
app/expr.py
  class Expr @ 1-20
    class Sum < Expr @ 2-5
    class Meta < Base @ 6-9
  class Product < Expr @ 21-30
app/base.py
  class Base @ 1-9
"""


def test_of_bases_alone_a_class_does_not_stand_for_the_classes_inside_it(tmp_path: Path) -> None:
    bases = [EdgeKind.INHERITS]
    with open_graph(write(make_graph(SEALED), tmp_path)) as graph:
        expr, module = key(graph, "Expr"), key(graph, "app/expr.py")
        for _ in range(2):  # asked of the engine, then of the arrays
            assert names(graph, dependents(expr, kinds=bases)) == ["Sum", "Product"]
            assert names(graph, deps(expr, kinds=bases)) == []
            assert names(graph, deps(module, kinds=bases)) == ["Base"]
            assert names(graph, dependents(expr)) == ["Product"]


def test_reaching_a_method_reaches_neither_its_class_nor_its_siblings(shapes: GraphFile) -> None:
    found = names(shapes, impact(key(shapes, "Shape.area")))
    assert found == ["describe", "area", "measure"]  # not draw, which uses scale and Shape


def test_a_constant_passes_on_what_it_is_computed_from(shapes: GraphFile) -> None:
    rows = shapes.run(reach(walk_graph(shapes, impact(key(shapes, "shapes.limit"))))).rows
    found = {row[0]: row[5] for row in rows}
    assert found["var:app/shapes.py:LIMIT"] == 1
    assert found["fn:app/drawing.py:bounded"] == 2


def test_a_constant_beside_it_is_not_touched(shapes: GraphFile) -> None:
    found = names(shapes, impact(key(shapes, "shapes.limit")))
    assert "OTHER" not in found
    assert "hint" not in found


def test_what_a_constant_is_computed_from_is_among_its_dependencies(shapes: GraphFile) -> None:
    assert names(shapes, deps(key(shapes, "LIMIT"))) == ["limit"]
    assert names(shapes, ancestors(key(shapes, "bounded"))) == ["LIMIT", "limit"]


def test_every_site_counts_for_the_definition_whose_lines_hold_it(tmp_path: Path) -> None:
    text = """
app/a.py
  def make @ 1-3
  var FIRST @ 5-5
  var SECOND @ 6-6
app/a.py -> app/a.py:make calls 5 x2
"""
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        found = names(graph, dependents(key(graph, "make")))
    assert found == ["a", "FIRST", "SECOND"]


def test_a_module_is_no_caller_of_what_its_constants_call_twice(shapes: GraphFile) -> None:
    rows = shapes.run(reach(walk_graph(shapes, callers(key(shapes, "shapes.limit"))))).rows
    assert [row[0] for row in rows] == ["mod:app/shapes.py"]


def test_definitions_of_one_name_in_one_scope_are_asked_about_together(tmp_path: Path) -> None:
    text = """
a.py
  def load @ 1-2
  def load~2 @ 3-4
  def one @ 5-6
  def two @ 7-8
a.py:one -> a.py:load calls 5
a.py:two -> a.py:load~2 calls 7
"""
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        assert names(graph, callers(key(graph, "a.py:1"))) == ["one", "two"]
        assert names(graph, callers(key(graph, "a.py:3"))) == ["one", "two"]


def test_only_the_kinds_asked_for_are_followed(shapes: GraphFile) -> None:
    found = names(shapes, dependents(key(shapes, "Shape"), kinds=[EdgeKind.INHERITS]))
    assert found == ["Circle"]


def test_imports_are_followed_from_module_to_module(shapes: GraphFile) -> None:
    found = names(shapes, impact(key(shapes, "app/shapes.py"), kinds=[EdgeKind.IMPORTS]))
    assert found == ["drawing", "other"]


def test_a_cycle_ends_and_gives_each_node_once_at_its_shortest_distance(tmp_path: Path) -> None:
    text = """
a.py
  def one @ 1-2
  def two @ 3-4
  def three @ 5-6
a.py:one -> a.py:two calls 1
a.py:two -> a.py:three calls 3
a.py:three -> a.py:one calls 5
a.py:three -> a.py:two calls 6
a.py:two -> a.py:two calls 4
"""
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        rows = graph.run(reach(walk_graph(graph, impact(key(graph, "two"))))).rows
    assert [(row[1], row[5]) for row in rows] == [("one", 1), ("three", 1)]


def test_of_two_equally_short_ways_the_same_one_is_always_given(tmp_path: Path) -> None:
    text = """
a.py
  def start @ 1-2
  def left @ 3-4
  def right @ 5-6
  def goal @ 7-8
a.py:start -> a.py:right calls 1
a.py:start -> a.py:left calls 2
a.py:right -> a.py:goal calls 5
a.py:left -> a.py:goal uses 3 value
"""
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        rows = graph.run(reach(walk_graph(graph, ancestors(key(graph, "start"))))).rows
    assert rows[-1][-3:] == (2, "calls", "fn:a.py:right")


def test_a_walk_ends_at_its_depth(words: GraphFile) -> None:
    assert names(words, impact(key(words, "query.query"), depth=1)) == ["service"]


def test_an_external_node_has_no_place(tmp_path: Path) -> None:
    text = "a.py\n  def get @ 1-2\na.py:get -> ext:requests.get calls 2 import\n"
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        rows = graph.run(reach(walk_graph(graph, deps(key(graph, "a.get"))))).rows
    assert [row[:5] for row in rows] == [("ext:requests.get", "get", "external", None, None)]


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_out_of_range_is_refused(depth: int) -> None:
    with pytest.raises(MuError, match=f"depth {depth} is out of range") as caught:
        impact(0, depth=depth)
    assert caught.value.code is ExitCode.USAGE


def test_no_kind_at_all_is_refused() -> None:
    with pytest.raises(MuError, match="no kind of edge"):
        deps(0, kinds=[])


def test_kind_names_are_in_the_order_of_the_schema(words: GraphFile) -> None:
    sql = "SELECT enum_range(NULL::graph.main.edge_kind) AS kinds"
    assert list(words.run(Relation(sql)).rows[0][0] or ()) == KIND_NAMES
