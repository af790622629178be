"""Which unresolved references make an answer a lower bound."""

from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from mu.analysis.references import resolve_node
from mu.analysis.traversal import Direction, Walk
from mu.analysis.verdict import possible_sites
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind
from mu.store import open_graph

GRAPH = """
a.py
  def save @ 1-5
  def store @ 6-9
  def outer @ 10-15
  def again @ 16-20
  def lonely @ 21-25
  def caller @ 26-30
a.py:outer -> a.py:store calls 11
a.py:again -> a.py:save calls 17
? a.py:outer call x.save unknown 12
? a.py:caller call y.save ambiguous 27
? a.py:caller call z.outer dynamic 28
? a.py:caller call requests.save external 29
? a.py:again call w.save unknown 18
? a.py:caller value v.lonely unknown 30
? a.py:store call nowhere unknown 7
"""


@pytest.mark.parametrize(
    ("reference", "depth", "kinds", "texts"),
    [
        ("save", 1, (EdgeKind.CALLS,), ["x.save", "y.save"]),
        ("store", 1, (EdgeKind.CALLS,), []),
        ("store", 2, (EdgeKind.CALLS,), ["z.outer"]),
        ("again", 2, (EdgeKind.CALLS,), []),
        ("lonely", 1, (EdgeKind.CALLS,), []),
        ("lonely", 1, DEPENDENCY_KINDS, ["v.lonely"]),
    ],
    ids=["same name", "none", "of a node on the way", "not towards it", "not a call", "any use"],
)
def test_backward_a_site_counts_by_its_name(
    tmp_path: Path, reference: str, depth: int, kinds: tuple[EdgeKind, ...], texts: list[str]
) -> None:
    with open_graph(write(make_graph(GRAPH), tmp_path)) as graph:
        key = resolve_node(graph, reference).key
        rows = graph.run(possible_sites(Walk(key, Direction.BACKWARD, depth, kinds))).rows
    assert [row[2] for row in rows] == texts


def test_forward_a_site_counts_by_where_it_stands(tmp_path: Path) -> None:
    with open_graph(write(make_graph(GRAPH), tmp_path)) as graph:
        key = resolve_node(graph, "outer").key
        rows = graph.run(possible_sites(Walk(key, Direction.FORWARD, 2))).rows
    assert rows == (("a.py", 12, "x.save", "unknown"),)


def test_sites_that_concern_the_start_come_first(tmp_path: Path) -> None:
    text = """
a.py
  def goal @ 1-2
  def middle @ 3-4
  def other @ 5-9
a.py:middle -> a.py:goal calls 3
? a.py:other call x.middle unknown 6
? a.py:other call x.goal unknown 7
"""
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        key = resolve_node(graph, "goal").key
        rows = graph.run(possible_sites(Walk(key, Direction.BACKWARD, 5))).rows
    assert [row[1] for row in rows] == [7, 6]


OVERRIDES = """
a.py
  class Base @ 1-9
    def step @ 2-3
    def run @ 4-5
  class Sub < Base @ 10-19
    def step @ 11-12
a.py:Sub.step -> a.py:Base.step overrides 11 inherited
a.py:Base.run -> a.py:Base.step calls 5 self
a.py:Sub.step -> a.py:Base.step calls 12 super
"""


def test_a_call_of_what_a_method_overrides_may_reach_the_override(tmp_path: Path) -> None:
    with open_graph(write(make_graph(OVERRIDES), tmp_path)) as graph:
        found = {}
        for reference in ("Sub.step", "Base.step"):
            key = resolve_node(graph, reference).key
            walk = Walk(key, Direction.BACKWARD, 1, (EdgeKind.CALLS,))
            found[reference] = graph.run(possible_sites(walk)).rows
    assert [(row[1], row[3]) for row in found["Sub.step"]] == [(5, "virtual")]
    assert found["Base.step"] == ()
