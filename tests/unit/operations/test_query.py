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
