"""Measures against values worked out by hand from their definitions."""

from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from mu.analysis.completeness.open_references import count_open, open_doubts
from mu.analysis.metrics.code_metrics import cohesion, complexity, coupling, hotspots, untested
from mu.analysis.metrics.maintained_code import left_out
from mu.model.kinds import EdgeKind
from mu.model.relation import Cell
from mu.store import open_graph

# `get` and `put` share a field, `put` calls `check`; `log` and `close` share another field.
CLASS = """
box.py
  class Box
    var items
    var file
    def get() @ 3-4
    def put() @ 5-6
    def check() @ 7-8
    def log() @ 9-10
    def close() @ 11-12
    def alone() @ 13-14
  class Empty
box.py:Box.get -> box.py:Box.items uses 3 value self
box.py:Box.put -> box.py:Box.items uses 5 value self
box.py:Box.put -> box.py:Box.check calls 6 self
box.py:Box.log -> box.py:Box.file uses 9 value self
box.py:Box.close -> box.py:Box.file uses 11 value self
"""


def rows_of(folder: Path, text: str, metric: str) -> tuple[tuple[Cell, ...], ...]:
    with open_graph(write(make_graph(text), folder)) as graph:
        relation = {
            "cohesion": lambda: cohesion(graph),
            "coupling": coupling,
            "hotspots": lambda: hotspots(left_out(graph)),
            "untested": lambda: untested(left_out(graph)),
        }[metric]()
        return graph.run(relation).rows


def test_lcom4_counts_the_groups_of_methods(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, CLASS, "cohesion")

    assert [(row[1], *row[5:]) for row in rows] == [("Box", 6, 2, 3)]


def test_a_method_that_links_two_groups_joins_them(tmp_path: Path) -> None:
    text = CLASS + "box.py:Box.alone -> box.py:Box.get calls 13 self\n"
    text += "box.py:Box.alone -> box.py:Box.close calls 14 self\n"

    assert [row[7] for row in rows_of(tmp_path, text, "cohesion")] == [1]


MODULES = """
a.py
  class A
b.py
c.py
tests/test_a.py
a.py -> b.py imports 1 import
c.py -> b.py imports 1 import
c.py -> a.py imports 1 import
tests/test_a.py -> a.py imports 1 import
b.py -> a.py calls 5 virtual
"""


@pytest.mark.parametrize(
    ("name", "ca", "ce", "instability", "distance"),
    [("b", 2, 0, 0.0, 1.0), ("a", 1, 1, 0.5, 0.5), ("c", 0, 2, 1.0, 0.0)],
)
def test_coupling_is_that_of_martin(
    name: str, ca: int, ce: int, instability: float, distance: float, tmp_path: Path
) -> None:
    rows = {row[1]: row[4:] for row in rows_of(tmp_path, MODULES, "coupling")}

    assert rows[name] == (ca, ce, instability, 0.0, distance)
    assert "test_a" not in rows


def test_hotspots_are_those_of_henry_and_kafura(tmp_path: Path) -> None:
    text = """
    m.py
      def one() @ 1-4
      def two() @ 5-9
      def three() @ 10-12
      def four() @ 13-15
    m.py:one -> m.py:two calls 2
    m.py:three -> m.py:two calls 11
    m.py:two -> m.py:four calls 6
    """
    rows = rows_of(tmp_path, text, "hotspots")

    # five lines, two callers, one callee: 5 * (2 * 1)^2
    assert rows[0][1:2] + rows[0][5:] == ("two", 5, 2, 1, 20.0)
    assert [row[8] for row in rows[1:]] == [0.0, 0.0, 0.0]


def test_what_an_open_reference_of_a_test_could_mean_comes_last(tmp_path: Path) -> None:
    text = """
    m.py
      def used() @ 1-4
      def open_one() @ 5-9 ^9
      def never() @ 10-12 ^2
    tests/test_m.py
      def test_used() @ 1-3
    tests/test_m.py:test_used -> m.py:used calls 2
    ? m.py:used call thing.open_one unknown 3
    """
    rows = rows_of(tmp_path, text, "untested")

    assert [(row[1], row[6]) for row in rows] == [("never", False), ("open_one", True)]


@pytest.mark.parametrize(
    "path", ["app/migrations/0001_initial.py", "shop/alembic/versions/1a2b_first.py"]
)
def test_a_migration_is_left_out_unless_it_is_asked_for(path: str, tmp_path: Path) -> None:
    text = f"{path}\n  def upgrade() @ 1-9 ^9\napp/models.py\n  def save() @ 1-2\n"
    folder = path.rpartition("/")[0]
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        assert len(left_out(graph).rows) == 1
        assert len(left_out(graph, below="app/models.py").rows) == 1
        assert left_out(graph, below=folder).rows == []
        assert left_out(graph, below=path).rows == []
        measured = graph.run(complexity(left_out(graph))).rows
    assert [row[1] for row in measured] == ["save"]


def test_a_name_from_a_file_that_is_known_leaves_no_doubt_between_files(tmp_path: Path) -> None:
    text = """
    m.py
      def used() @ 1-4
    n.py
    n.py -> m.py imports 1 import
    ? n.py import m.used unknown 1
    ? n.py import other.used unknown 2
    """
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        assert count_open(graph, [EdgeKind.IMPORTS]) == 2
        assert open_doubts(graph, [EdgeKind.IMPORTS]) == (
            "1 reference is not resolved, and could change this",
        )
