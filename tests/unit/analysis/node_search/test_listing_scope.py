"""Rows that `--in`, `--no-tests`, `--no-external` and builtins leave in a listing."""

from collections.abc import Iterator

import pytest

from fakes.graphs import make_graph, write
from mu.analysis.node_search.listing_scope import Scope, checked, in_scope, sites_in_scope
from mu.errors import ExitCode, MuError
from mu.model.relation import Relation
from mu.store import GraphFile, open_graph

GRAPH = """
app/db.py
  def find @ 1-9
app/views/page.py
  def page @ 1-9
apple.py
  def pip @ 1-9
tests/test_db.py
  def test_find @ 1-9
app/db.py:find -> ext:hashlib.sha256 calls 2
app/db.py:find -> ext:builtins calls 3
app/db.py:find -> ext:builtins.len calls 4
app/db.py:find -> ext:builtinsmith.make calls 5
app/views/page.py:page -> app/db.py:find calls 2
tests/test_db.py:test_find -> app/db.py:find calls 3
"""

NODES = Relation(
    "SELECT node.id, file.path FROM node LEFT JOIN file ON file.key = node.file "
    "WHERE node.kind IN ('function', 'external') ORDER BY node.key",
    columns=("id", "path"),
)
SITES = Relation(
    "SELECT file.path AS path, site.line FROM site JOIN file ON file.key = site.file "
    "ORDER BY path, line",
    columns=("path", "line"),
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(GRAPH), tmp_path_factory.mktemp("graph"))) as opened:
        yield opened


def names(graph: GraphFile, scope: Scope) -> list[str]:
    return [str(row[0]).partition(":")[2] for row in graph.run(in_scope(NODES, scope)).rows]


def test_everything_is_listed_by_default(graph: GraphFile) -> None:
    assert Scope().is_everything
    assert len(names(graph, Scope())) == 8


def test_a_folder_has_what_lies_below_it_and_not_what_begins_with_its_name(
    graph: GraphFile,
) -> None:
    assert names(graph, Scope(within="app")) == ["app/db.py:find", "app/views/page.py:page"]


def test_a_file_is_a_scope(graph: GraphFile) -> None:
    assert names(graph, Scope(within="app/db.py")) == ["app/db.py:find"]


def test_tests_are_left_out(graph: GraphFile) -> None:
    left_out = {"tests/test_db.py:test_find"}
    assert set(names(graph, Scope())) - set(names(graph, Scope(tests=False))) == left_out


def test_externals_are_left_out(graph: GraphFile) -> None:
    found = names(graph, Scope(external=False))

    assert [name.rpartition(":")[2] for name in found] == ["find", "page", "pip", "test_find"]


def test_builtins_are_the_module_and_its_members_alone(graph: GraphFile) -> None:
    left_out = set(names(graph, Scope())) - set(names(graph, Scope(builtins=False)))

    assert left_out == {"builtins", "builtins.len"}


def test_the_order_of_the_rows_stays(graph: GraphFile) -> None:
    everything = names(graph, Scope())

    kept = names(graph, Scope(tests=False, builtins=False))

    assert kept == [name for name in everything if name in kept]


def test_references_are_those_that_stand_in_the_scope(graph: GraphFile) -> None:
    in_views = graph.run(sites_in_scope(SITES, Scope(within="app/views"))).rows
    no_tests = graph.run(sites_in_scope(SITES, Scope(tests=False))).rows

    assert in_views == (("app/views/page.py", 2),)
    assert {row[0] for row in no_tests} == {"app/db.py", "app/views/page.py"}


@pytest.mark.parametrize("within", ["app", "./app", "app/", "./app/"])
def test_a_folder_may_be_written_as_shells_do(graph: GraphFile, within: str) -> None:
    assert checked(graph, Scope(within=within)).within == "app"


@pytest.mark.parametrize("within", [".", "./"])
def test_the_root_is_everything(graph: GraphFile, within: str) -> None:
    assert checked(graph, Scope(within=within)).is_everything


@pytest.mark.parametrize("within", ["nowhere", "ap", "app/db"])
def test_a_folder_without_a_file_is_refused(graph: GraphFile, within: str) -> None:
    with pytest.raises(MuError, match=f"no file in the graph lies in '{within}'") as caught:
        checked(graph, Scope(within=within))
    assert caught.value.code is ExitCode.USAGE
