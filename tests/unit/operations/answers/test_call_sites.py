"""The site that each row of a walk comes with, and how sure it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.dependency_walks import reach
from mu.analysis.walks.edge_sites import FEW_ALTERNATIVES
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.kinds import EdgeKind, Resolution
from mu.model.relation import Cell
from mu.operations.answers.call_sites import run_with_sites
from mu.store import GraphFile, open_graph

GRAPH = f"""
app/store.py
  class Store @ 1-20
    def save(row) @ 3-8
    def check() @ 9-12
  class Backup < Store @ 30-50
    def save(row) @ 32-40
app/use.py
  def mirror @ 1-9
  def place @ 10-19
  def restore @ 20-29
  def handler @ 30-39
  def pick @ 40-49
app/use.py:mirror -> app/store.py:Store.save calls 2 virtual
app/use.py:place -> app/store.py:Store.save calls 15 typed x2
app/use.py:restore -> app/store.py:Store.save calls 24 inferred ~{FEW_ALTERNATIVES + 1}
app/use.py:handler -> app/store.py:Store.save calls 33 registered
app/use.py:pick -> app/store.py:Store.save calls 44 inferred ~{FEW_ALTERNATIVES}
app/use.py -> app/use.py:place calls 60 module
app/store.py:Backup.save -> app/store.py:Store.save overrides
app/store.py:Backup.save -> app/store.py:Store.check calls 33 self
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(GRAPH), tmp_path_factory.mktemp("graph"))) as opened:
        yield opened


def rows(
    graph: GraphFile,
    node: str,
    *columns: str,
    direction: Direction = Direction.BACKWARD,
    depth: int = 1,
    kinds: tuple[EdgeKind, ...] = (EdgeKind.CALLS,),
    each: bool = False,
) -> list[tuple[Cell, ...]]:
    """The rows of a walk with their sites: the name, and the columns asked for."""
    key = resolve_node(graph, node).key
    walk = Walk(key, direction, depth, kinds)
    walked = walk_graph(graph, walk)
    answer = run_with_sites(graph, reach(walked), walked=walked, each=each, limit=100, offset=0)
    places = [answer.columns.index(column) for column in ("name", *columns)]
    return [tuple(row[place] for place in places) for row in answer.rows]


def test_the_surest_rows_come_first(graph: GraphFile) -> None:
    assert rows(graph, "Store.save", "resolution", "rule") == [
        ("place", "direct", "typed"),
        ("pick", "direct", "inferred"),
        ("handler", "registration", "registered"),
        ("mirror", "dispatch", "virtual"),
        ("restore", "dispatch", "inferred"),
    ]


WITH_TESTS = """
app/store.py
  class Store @ 1-20
    def save(row) @ 3-8
tests/test_store.py
  def test_named @ 1-9
  def test_passed @ 10-19
app/use.py
  def mirror @ 1-9
  def place @ 10-19
tests/test_store.py:test_passed -> app/store.py:Store.save calls 12 virtual
tests/test_store.py:test_named -> app/store.py:Store.save calls 2 typed
app/use.py:mirror -> app/store.py:Store.save calls 2 virtual
app/use.py:place -> app/store.py:Store.save calls 15 typed
"""


def test_callers_by_override_come_before_tests_that_name_it(tmp_path: Path) -> None:
    with open_graph(write(make_graph(WITH_TESTS), tmp_path)) as graph:
        found = [name for (name,) in rows(graph, "Store.save")]

    assert found == ["place", "mirror", "test_named", "test_passed"]


def test_a_row_has_the_first_site_and_their_number(graph: GraphFile) -> None:
    found = rows(graph, "Store.save", "site_path", "site_line", "site_text", "sites")

    assert found[0] == ("place", "app/use.py", 15, "save", 2)


def test_each_site_has_a_row_when_asked(graph: GraphFile) -> None:
    found = rows(graph, "Store.save", "site_line", "sites", each=True)

    assert found[:2] == [("place", 15, 1), ("place", 16, 1)]
    assert len(found) == 6


def test_a_site_that_may_mean_many_definitions_is_no_direct_one(graph: GraphFile) -> None:
    found = rows(graph, "Store.save", "alternatives", "resolution")

    assert found[1] == ("pick", FEW_ALTERNATIVES, "direct")
    assert found[4] == ("restore", FEW_ALTERNATIVES + 1, "dispatch")


def test_forward_the_site_stands_in_the_node_the_row_was_reached_from(graph: GraphFile) -> None:
    found = rows(graph, "place", "site_path", "site_line", direction=Direction.FORWARD)

    assert found == [("save", "app/use.py", 15)]


def test_an_override_has_no_site(graph: GraphFile) -> None:
    kinds = (EdgeKind.OVERRIDES,)
    found = rows(graph, "Store.save", "site_path", "site_line", "rule", "sites", kinds=kinds)

    assert found == [("save", None, None, "syntax", 0)]


def test_an_inherited_class_has_its_line(graph: GraphFile) -> None:
    found = rows(graph, "cls:app/store.py:Store", "site_line", kinds=(EdgeKind.INHERITS,))

    assert found == [("Backup", 30)]


def test_a_walk_of_more_steps_stays_in_the_order_of_distance(graph: GraphFile) -> None:
    found = rows(graph, "Store.save", "distance", "resolution", depth=2)

    assert [row[1] for row in found] == [1, 1, 1, 1, 1, 2]
    assert found[-1][0] == "use"


def test_of_a_walk_of_more_steps_the_surest_of_the_first_step_come_first(graph: GraphFile) -> None:
    found = rows(graph, "Store.save", "distance", "resolution", depth=2)

    ranks = [list(Resolution).index(Resolution(str(row[2]))) for row in found if row[1] == 1]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 1
