"""What a query answers says how far it is to be relied on, as the commands do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from mu.model.kinds import Verdict
from mu.operations.graph import callers
from mu.operations.query import query
from mu.operations.workspace import Workspace

OPEN = """
a.py
  def save @ 1-5
  def main @ 10-15
  def other @ 16-19
a.py:main -> a.py:save calls 11
? a.py:other call x.save ambiguous 17
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    write(make_graph(OPEN), tmp_path)
    with Workspace(tmp_path) as opened:
        yield opened


def test_show_has_the_verdict_of_the_command(workspace: Workspace) -> None:
    shown, listed = query(workspace, "SHOW callers OF save"), callers(workspace, "save")
    assert shown.possible
    assert shown.possible.rows == listed.possible.rows
    assert shown.answer.verdict is listed.answer.verdict is Verdict.AT_LEAST
    assert shown.answer.notes == listed.answer.notes


def test_no_reference_can_add_to_the_rows_of_a_select(workspace: Workspace) -> None:
    result = query(workspace, "SELECT name FROM functions")
    assert result.possible is None
    assert result.answer.verdict is Verdict.EXACT


def test_functions_in_a_select_have_the_verdict_of_their_walks(workspace: Workspace) -> None:
    one = query(workspace, "SELECT count(*) FROM callers('save')")
    assert one.answer.verdict is Verdict.AT_LEAST
    assert one.possible
    assert one.possible.total == 1

    several = query(workspace, "SELECT 1 FROM callers('main') a, callers('save') b")
    assert several.answer.verdict is Verdict.AT_LEAST
    assert several.possible is None


def test_callers_of_every_row_are_never_exact_where_references_are_open(
    workspace: Workspace,
) -> None:
    answer = query(workspace, "SELECT c.name FROM functions f, callers(f.id) c").answer
    assert answer.rows == (("main",),)
    assert answer.verdict is Verdict.AT_LEAST
    assert "1 references in the graph are not resolved" in answer.notes[0]


def test_a_path_that_is_not_there_is_unknown_where_a_reference_could_make_one(
    workspace: Workspace,
) -> None:
    found = query(workspace, "PATH FROM main TO save").answer
    assert (len(found.rows), found.verdict) == (2, Verdict.EXACT)

    unknown = query(workspace, "PATH FROM other TO save").answer
    assert (unknown.rows, unknown.verdict) == ((), Verdict.UNKNOWN)
    assert unknown.notes[-1] == "1 open reference on the way could make one"

    exact = query(workspace, "PATH FROM save TO main").answer
    assert (exact.rows, exact.verdict) == ((), Verdict.EXACT)


def test_what_is_unused_is_exact_where_no_reference_could_mean_more(workspace: Workspace) -> None:
    answer = query(workspace, "ANALYZE unused").answer
    assert [row[1] for row in answer.rows] == ["other"]
    assert answer.verdict is Verdict.EXACT


def test_an_answer_without_rows_says_so(workspace: Workspace) -> None:
    answer = query(workspace, "FIND classes").answer
    assert answer.notes == ("the query is valid, and nothing in the graph fits it",)
