"""A shortest cycle for each strongly connected component, and what to cut."""

from pathlib import Path

from fakes.graphs import make_graph, write
from mu.analysis.metrics.dependency_cycles import cuts, cycles
from mu.model.kinds import EdgeKind, ImportMoment
from mu.store import open_graph

COMPONENTS = """
a.py
b.py
c.py
d.py
e.py
f.py
leaf.py
a.py -> b.py imports 1 import
b.py -> c.py imports 2 import
c.py -> d.py imports 3 import
d.py -> a.py imports 4 import
c.py -> a.py imports 5 import
a.py -> leaf.py imports 9 import
e.py -> f.py imports 6 import
f.py -> e.py imports 7 import
f.py -> a.py imports 8 import
"""


def found(folder: Path, text: str, **options: object) -> list[tuple[object, ...]]:
    with open_graph(write(make_graph(text), folder)) as graph:
        return list(graph.run(cycles(graph, **options)).rows)  # type: ignore[arg-type]


def test_the_shortest_cycle_of_the_largest_component_comes_first(tmp_path: Path) -> None:
    assert found(tmp_path, COMPONENTS) == [
        (1, 0, "mod:a.py", "a", "a.py", 1, "", 4),
        (1, 1, "mod:b.py", "b", "b.py", 2, "", 4),
        (1, 2, "mod:c.py", "c", "c.py", 5, "", 4),
        (2, 0, "mod:e.py", "e", "e.py", 6, "", 2),
        (2, 1, "mod:f.py", "f", "f.py", 7, "", 2),
    ]


MOMENTS = """
a.py
b.py
c.py
a.py -> b.py imports 1 import
b.py -> a.py imports 2 import lazy
b.py -> c.py imports 3 import
c.py -> b.py imports 4 import type-only
"""


def test_imports_count_by_when_they_happen(tmp_path: Path) -> None:
    assert found(tmp_path, MOMENTS, imports=ImportMoment.LOAD) == []
    (tmp_path / "run").mkdir()
    run = found(tmp_path / "run", MOMENTS)
    assert [(row[2], row[6]) for row in run] == [("mod:a.py", ""), ("mod:b.py", "lazy")]
    (tmp_path / "all").mkdir()
    every = found(tmp_path / "all", MOMENTS, imports=ImportMoment.ALL)
    assert {row[-1] for row in every} == {3}


def test_an_import_of_a_name_counts_for_its_module(tmp_path: Path) -> None:
    text = """
a.py
  def one @ 3-4
b.py
  def two @ 3-4
a.py -> b.py:two imports 1 import
b.py:two -> a.py:one imports 4 import
"""
    assert [row[2] for row in found(tmp_path, text)] == ["mod:a.py", "mod:b.py"]


def test_calls_are_taken_between_functions(tmp_path: Path) -> None:
    text = """
a.py
  def even @ 1-2
  def odd @ 3-4
  def again @ 5-6
a.py:even -> a.py:odd calls 2
a.py:odd -> a.py:even calls 4
a.py:again -> a.py:again calls 6
"""
    rows = found(tmp_path, text, kinds=[EdgeKind.CALLS])
    assert [(row[3], row[5]) for row in rows] == [("even", 2), ("odd", 4)]


def test_a_tree_has_no_cycle(tmp_path: Path) -> None:
    assert found(tmp_path, "a.py\nb.py\na.py -> b.py imports 1 import\n") == []


def test_the_fewest_edges_that_leave_no_cycle_are_found_for_each_component(tmp_path: Path) -> None:
    with open_graph(write(make_graph(COMPONENTS), tmp_path)) as graph:
        rows = graph.run(cuts(graph)).rows

    assert rows == (
        (1, 4, 1, "mod:a.py", "a", "a.py", 1, "mod:b.py", "", True),
        (2, 2, 1, "mod:e.py", "e", "e.py", 6, "mod:f.py", "", True),
    )
