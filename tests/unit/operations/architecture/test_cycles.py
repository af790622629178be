"""Notes and verdicts of paths, cycles and searches."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.model.kinds import EdgeKind, ImportMoment, Verdict
from mu.operations.architecture.cycles import cycles
from mu.operations.navigation.dependency_path import path
from mu.operations.navigation.search import search
from mu.operations.workspace import Workspace


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("shop")
    write(make_graph(SHOP), folder)
    with Workspace(folder) as workspace:
        yield workspace


def test_a_path_names_both_ends(shop: Workspace) -> None:
    result = path(shop, "test_login", goal="Store.find")
    assert (result.start.name, result.goal.name) == ("test_login", "find")
    assert result.answer.total == 3
    assert result.answer.verdict is Verdict.EXACT


def test_no_path_is_said(shop: Workspace) -> None:
    answer = path(shop, "LIMIT", goal="login", kinds=[EdgeKind.CALLS]).answer
    assert answer.verdict is Verdict.EXACT
    assert answer.notes[0] == (
        "no path from var:app/db.py:LIMIT to fn:app/auth.py:AuthService.login by calls"
    )


def test_no_path_within_a_depth_that_cut_the_search_is_not_exact(shop: Workspace) -> None:
    answer = path(shop, "test_login", goal="Store.find", kinds=[EdgeKind.CALLS], max_depth=1).answer
    assert (answer.total, answer.verdict) == (0, Verdict.AT_LEAST)
    assert answer.notes[:2] == (
        "no path from fn:tests/test_auth.py:test_login to fn:app/db.py:Store.find by calls "
        "within 1 edge",
        "stopped at depth 1: there is more beyond",
    )


def test_no_path_is_unknown_when_an_open_reference_could_make_one(shop: Workspace) -> None:
    answer = path(shop, "login", goal="Orders.cancel").answer
    assert (answer.total, answer.verdict) == (0, Verdict.UNKNOWN)
    assert "1 open reference on the way could make one" in answer.notes


def test_a_path_into_a_part_of_oneself_is_explained(shop: Workspace) -> None:
    answer = path(shop, "AuthService", goal="login").answer
    assert answer.total == 1
    assert "one is part of the other" in answer.notes[0]


CIRCLE = """a.py
  def first @ 1-9
    def inner @ 2-3
  def second @ 11-12
  def again @ 14-15
a.py:first -> a.py:first.inner calls 4
a.py:first -> a.py:second calls 5
a.py:second -> a.py:first calls 12
a.py:again -> a.py:again calls 15
a.py:again -> a.py:second calls 15
"""


def test_a_path_from_a_node_to_itself_is_a_shortest_cycle(tmp_path: Path) -> None:
    write(make_graph(CIRCLE), tmp_path)
    with Workspace(tmp_path) as workspace:

        def names(node: str) -> list[object]:
            return [row[2] for row in path(workspace, node, goal=node).answer.rows]

        assert names("first") == ["first", "second", "first"]
        assert names("again") == ["again", "again"]
        assert names("inner") == []
        assert path(workspace, "inner", goal="inner").answer.notes[0] == (
            "no path from fn:a.py:first.inner to fn:a.py:first.inner by calls"
        )


def test_no_cycle_is_said_with_what_was_looked_at(shop: Workspace) -> None:
    answer = cycles(shop).answer
    assert answer.notes == ("no cycle by imports at run time",)
    assert cycles(shop, imports=ImportMoment.ALL).answer.total == 2


def test_cycles_of_calls_say_that_plain_recursion_is_none(tmp_path: Path) -> None:
    write(make_graph("a.py\n  def walk @ 1-3\na.py:walk -> a.py:walk calls 2 module\n"), tmp_path)
    with Workspace(tmp_path) as workspace:
        answer = cycles(workspace, kinds=(EdgeKind.CALLS,)).answer
        assert answer.notes == (
            "no cycle by calls",
            "a cycle has two nodes or more; 1 function calls itself directly: "
            "see `mu query @recursive_functions`",
        )
        assert len(cycles(workspace, kinds=(EdgeKind.CALLS,), within="a.py").answer.notes) == 2


def test_a_search_without_a_hit_says_so(shop: Workspace) -> None:
    assert search(shop, "nowhere").answer.notes == ("nothing here says anything about 'nowhere'",)
    assert search(shop, "auth", limit=1).next_offset == 1


def test_a_search_for_a_name_that_nothing_has_says_so(shop: Workspace) -> None:
    notes = search(shop, "check_login").answer.notes
    assert notes[0] == (
        "no name is 'check_login' or begins with it: these have words of it; "
        "`mu grep 'check_login'` finds the lines with this text"
    )
    assert len(search(shop, "login").answer.notes) == 1
    assert len(search(shop, "check the login").answer.notes) == 1
