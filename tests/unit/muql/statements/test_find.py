"""FIND, where the graph of the suites has no case for it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from mu.errors import MuError
from mu.muql import compile_query
from mu.muql.repository_history import Beyond
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


SHAPES = """
a.py
  class Near @ 1-20
    def load(path) @ 2-6
    def load_again(path) @ 8-12
  def store(path) @ 22-26
b.py
  def fetch(place) @ 1-5
  def other() @ 7-11
  def tiny() @ 13-13
  def little() @ 15-15
"""
LOAD = """\
    def {name}(path):
        with open(path, "rb") as file:
            data = file.read(4096)
        check(data, at={at})
        return decode(data).strip()
"""
LINES = {
    "a.py": f"class Near:\n{LOAD.format(name='load', at=0)}\n{LOAD.format(name='load_again', at=1)}"
    "\n" * 9 + "def store(path):\n" + "\n".join(f"    write({n}, path.name)" for n in range(4)),
    "b.py": LOAD.format(name="fetch", at=0) + "\n" + "x\n" * 5 + "\ntiny = 1\n\nlittle = 1\n",
}


def read(paths: Sequence[str]) -> list[list[str]]:
    return [LINES[path].split("\n") for path in paths]


def similar(query: str, folder: Path) -> list[tuple[object, ...]]:
    with open_graph(write(make_graph(SHAPES), folder)) as graph:
        compiled = compile_query(query, graph, beyond=Beyond(read))
        return [(row[1], row[5]) for row in graph.run(compiled.relation).rows]


def test_the_most_alike_come_first_whatever_their_names(tmp_path: Path) -> None:
    found = similar("FIND functions SIMILAR TO Near.load", tmp_path)

    assert [name for name, _ in found[:2]] == ["fetch", "load_again"]
    assert found[0][1] == 1.0
    assert 0.9 < float(str(found[1][1])) < 1.0


def test_similar_definitions_fit_the_other_clauses(tmp_path: Path) -> None:
    assert similar("FIND methods SIMILAR TO Near.load WHERE score < 1", tmp_path)[0][0] == (
        "load_again"
    )
    assert similar("FIND nodes SIMILAR TO Near.load MATCHING 'fet'", tmp_path) == [("fetch", 1.0)]


def test_small_texts_are_the_same_or_not_alike(tmp_path: Path) -> None:
    assert similar("FIND functions SIMILAR TO tiny", tmp_path) == []


def test_a_class_is_not_like_a_function(tmp_path: Path) -> None:
    with pytest.raises(MuError, match=r"cls:a\.py:Near is a class, which is like nodes of its own"):
        similar("FIND functions SIMILAR TO Near", tmp_path)
