"""FIND, where the graph of the suites has no case for it."""

from pathlib import Path

from fakes.graphs import make_graph, write
from mu.muql import compile_query
from mu.store import open_graph

BLANKET = """
sink.rs
  class Sink @ 1-9
  class Lines < Sink @ 11-19
sink.rs -> sink.rs:Sink inherits 21 local
"""
"""An `impl<T> Sink for Box<T>` is the file's: nothing in the repository is the class."""

NESTED = """
base.py
  class Base @ 1-9
tests_of_it.py
  class Around @ 1-30
    class Inner < Base @ 3-9
      def run() @ 4-8
tests_of_it.py:Around.Inner.run -> base.py:Base calls 5 import
"""


def found(query: str, folder: Path, text: str = NESTED) -> list[object]:
    with open_graph(write(make_graph(text), folder)) as graph:
        return [row[1] for row in graph.run(compile_query(query, graph).relation).rows]


def test_a_class_around_a_subclass_is_none(tmp_path: Path) -> None:
    assert found("FIND classes INHERITING Base", tmp_path) == ["Inner"]


def test_a_class_around_one_that_calls_calls(tmp_path: Path) -> None:
    assert found("FIND classes CALLING Base", tmp_path) == ["Around", "Inner"]


def test_a_file_with_a_blanket_implementation_is_no_implementation(tmp_path: Path) -> None:
    assert found("SHOW implementations OF Sink", tmp_path, BLANKET) == ["Lines"]
