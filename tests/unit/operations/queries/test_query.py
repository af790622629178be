"""What a query answers says how far it is to be relied on, as the commands do."""

from collections.abc import Iterator

import pytest

from fakes.graphs import make_graph, write
from mu.errors import MuError
from mu.model.kinds import Verdict
from mu.operations.navigation.dependencies import callers
from mu.operations.queries.query import query
from mu.operations.workspace import Workspace
from mu.store import QueryTimeoutError

OPEN = """
a.py
  def save @ 1-5
  def main @ 10-15
  def other @ 16-19
a.py:main -> a.py:save calls 11
? a.py:other call x.save ambiguous 17
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("workspace")
    write(make_graph(OPEN), folder)
    with Workspace(folder) as opened:
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


FAR = """
a.py
  def a @ 1-2
  def b @ 3-4
  def c @ 5-6
  def d @ 7-10
    def inner @ 8-9
      def innermost @ 9-9
a.py:a -> a.py:b calls 2
a.py:b -> a.py:c calls 4
a.py:c -> a.py:d calls 6
"""


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("far")
    write(make_graph(FAR), folder)
    with Workspace(folder) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("SHOW impact OF d DEPTH 2", "impact(...) "),
        ("SHOW callees OF a.py:a DEPTH 2", "callees(...) "),
        ("SHOW children OF a.py DEPTH 2", ""),
        ("SHOW callees OF a.py:a DEPTH 2 WHERE name = 'b'", "callees(...) "),
        ("SELECT count(*) FROM impact('d', depth := 1)", "impact(...) "),
        (
            "SELECT f.name FROM ancestors('a.py:a', 2) JOIN functions f USING (id)",
            "ancestors(...) ",
        ),
        ("WITH i AS (FROM impact('d', 2)) SELECT count(*) FROM i", "impact(...) "),
        ("SELECT 1 WHERE 'x' IN (SELECT name FROM impact('d', 2))", "impact(...) "),
        ("PATH FROM a.py:a TO d MAX DEPTH 2", "path(...) "),
        ("SELECT count(*) FROM path('a.py:a', 'd', max_depth := 2)", "path(...) "),
        ("SELECT count(*) FROM paths('a.py:a', 'd', max_depth := 2)", "paths(...) "),
    ],
)
def test_rows_that_a_depth_cut_are_at_least_those(far: Workspace, text: str, of: str) -> None:
    answer = query(far, text).answer
    assert answer.verdict is Verdict.AT_LEAST
    depth = 1 if "depth := 1" in text else 2
    assert f"{of}stopped at depth {depth}: there is more beyond" in answer.notes


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SHOW impact OF d", 3),
        ("SHOW impact OF d DEPTH 3", 3),
        ("SHOW callers OF d", 1),
        ("SHOW callers OF d TRANSITIVELY", 3),
        ("SHOW children OF a.py TRANSITIVELY", 6),
        ("SHOW children OF a.py", 4),
        ("SHOW parents OF innermost", 3),
        ("SELECT name FROM impact('d', depth := NULL)", 3),
        ("SELECT name FROM impact('d', 3)", 3),
        ("SELECT name FROM callers('d', 1)", 1),
        ("SELECT name FROM neighbors('c', 2)", 3),
        ("PATH FROM a.py:a TO d", 4),
        ("PATH FROM a.py:a TO d MAX DEPTH 3", 4),
        ("FIND functions CALLING d TRANSITIVELY", 3),
    ],
)
def test_rows_that_no_depth_cut_are_exact(far: Workspace, text: str, rows: int) -> None:
    answer = query(far, text).answer
    assert (answer.total, answer.verdict, answer.notes) == (rows, Verdict.EXACT, ())


def test_counting_the_steps_of_a_way_that_a_reference_could_make_is_unknown(
    workspace: Workspace,
) -> None:
    answer = query(workspace, "SELECT count(*) FROM path('other', 'save')").answer
    assert (answer.rows, answer.verdict) == (((0,),), Verdict.UNKNOWN)


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
    assert answer.notes == ("no matches",)


GROWING = "WITH RECURSIVE t(s) AS (SELECT {start} UNION ALL SELECT {next} FROM t) "
ENDLESS = {
    "recursion": "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) FROM t",
    "recursion that adds nothing": "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL FROM t) FROM t",
    "recursion over new rows": "WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + 1 FROM t) FROM t",
    "cross join": "SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b",
    "join by order": "SELECT count(*) FROM range(1000000) AS a(n), range(1000000) AS b(n)"
    " WHERE a.n < b.n",
    "distinct": "SELECT count(DISTINCT a.n * b.n) FROM range(900000) AS a(n), range(900) AS b(n)",
}
GREEDY = {
    "text that doubles": GROWING.format(start="'x'", next="s || s")
    + "SELECT max(length(s)) FROM t",
    "lists that grow": GROWING.format(start="[1]", next="flatten([s, s, s])")
    + "SELECT max(len(s)) FROM t",
    "text joined by itself": GROWING.format(start="'xx'", next="concat_ws(s, s, s)")
    + "SELECT max(length(s)) FROM t",
    "sorting": "SELECT a.n || b.n AS t FROM range(99999) AS a(n), range(9999) AS b(n) ORDER BY t",
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_query_ends_at_its_time(workspace: Workspace, text: str) -> None:
    with pytest.raises(QueryTimeoutError, match=r"the query was stopped after 0\.2 s"):
        query(workspace, text, timeout=0.2)
    assert query(workspace, "SELECT name FROM functions").answer.total == 3


@pytest.mark.parametrize("text", GREEDY.values(), ids=GREEDY)
def test_a_query_that_takes_ever_more_memory_is_stopped(workspace: Workspace, text: str) -> None:
    with pytest.raises(MuError, match=r"stopped after|more memory|too long"):
        query(workspace, text, timeout=1)
    assert query(workspace, "SELECT name FROM functions").answer.total == 3


SERVED = """
app.py
  def view @ 1-5
  def helper @ 6-9
tests/test_app.py
  def test_helper @ 1-3
app.py:view -> app.py:helper calls 2
tests/test_app.py:test_helper -> app.py:helper calls 2
! app.py:view route GET / flask 1
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("served")
    write(make_graph(SERVED), folder)
    with Workspace(folder) as opened:
        yield opened


@pytest.mark.parametrize(
    "text",
    [
        "SHOW tests OF view",
        "SHOW tests OF helper TRANSITIVELY",
        "FIND functions TESTING view",
        "ANALYZE hotspots",
        "ANALYZE untested",
        "SELECT id FROM search('helper')",
        "SELECT id FROM paths('view', 'helper')",
    ],
)
def test_what_is_ranked_cut_or_called_from_outside_is_never_exact(
    served: Workspace, text: str
) -> None:
    answer = query(served, text).answer
    assert answer.verdict is Verdict.AT_LEAST
    assert answer.notes


@pytest.mark.parametrize(
    "text", ["SHOW tests OF helper", "SHOW callers OF view", "ANALYZE complexity", "FIND CYCLES"]
)
def test_what_nothing_can_add_to_is_exact(served: Workspace, text: str) -> None:
    assert query(served, text).answer.verdict is Verdict.EXACT


def test_the_note_names_what_code_outside_calls_and_how(served: Workspace) -> None:
    notes = query(served, "SHOW tests OF view").answer.notes
    assert any("fn:app.py:view (route of flask)" in note for note in notes)
