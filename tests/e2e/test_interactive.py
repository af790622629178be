"""`mu query -i` on a pseudo-terminal, as a person uses it."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.command import SMALL, mu, write_tree
from e2e.terminal import CONTROL_C, CONTROL_D, ENTER, LEFT, TAB, UP, Terminal
from fakes.built import with_graph

PROMPT = "mu>"
ENDLESS = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    with_graph(folder)
    return folder


@pytest.fixture
def terminal(built: Path, tmp_path: Path) -> Iterator[Terminal]:
    state = {"XDG_STATE_HOME": str(tmp_path)}
    with Terminal("query", "-i", "--format", "csv", cwd=built, more=state) as opened:
        opened.expect_prompt(PROMPT)
        yield opened


def test_a_query_is_answered_and_the_next_one_asked_for(terminal: Terminal) -> None:
    terminal.type("SELECT name FROM functions WHERE name = 'page'" + ENTER)

    shown = terminal.expect("1 row, exact")
    assert "page" in shown
    terminal.expect_prompt(PROMPT)
    terminal.type(".quit" + ENTER)
    assert terminal.status() == 0


def test_tab_completes_a_relation(terminal: Terminal) -> None:
    terminal.type("SELECT count(*) AS many FROM func" + TAB)
    terminal.expect("functions")
    terminal.type(ENTER)

    assert "many" in terminal.expect("1 row, exact")


def test_tab_completes_a_column(terminal: Terminal) -> None:
    terminal.type("SELECT max(complexity) AS highest FROM functions WHERE start_l" + TAB)
    terminal.expect("start_line")
    terminal.type(" > 0" + ENTER)

    assert "highest" in terminal.expect("1 row, exact")


def test_tab_completes_a_column_before_the_relation_is_reached(terminal: Terminal) -> None:
    terminal.type("SELECT qualifi FROM functions WHERE name = 'page'")
    terminal.type(LEFT * len(" FROM functions WHERE name = 'page'") + TAB)
    terminal.expect("qualified_name")
    terminal.type(ENTER)

    assert "app.views.page" in terminal.expect("1 row, exact")


def test_tab_completes_the_name_of_a_node(terminal: Terminal) -> None:
    terminal.type("SHOW callers OF chec" + TAB)
    terminal.expect("check")
    terminal.type(ENTER)

    assert "fn:app/auth.py:login" in terminal.expect("1 row, exact")


def test_tab_shows_what_there_is_to_choose_from(terminal: Terminal) -> None:
    terminal.type("SHOW call" + TAB)

    shown = terminal.expect("callees")
    assert "callers" in shown


def test_the_arrow_brings_back_what_was_asked_in_an_earlier_session(
    built: Path, tmp_path: Path
) -> None:
    for keys in ("SELECT 41 + 1 AS answer" + ENTER, UP + ENTER):
        with Terminal("query", "-i", cwd=built, more={"XDG_STATE_HOME": str(tmp_path)}) as opened:
            opened.expect_prompt(PROMPT)
            opened.type(keys)
            assert "42" in opened.expect("1 row, exact")
            opened.expect_prompt(PROMPT)
            opened.type(CONTROL_D)
            assert opened.status() == 0

    [history] = tmp_path.rglob("query_history")
    assert "SELECT 41 + 1 AS answer" in history.read_text()
    assert stat.S_IMODE(history.stat().st_mode) == 0o600


def test_the_format_can_be_changed(terminal: Terminal) -> None:
    terminal.type(".format jsonl" + ENTER)
    terminal.expect("rows are written as jsonl")
    terminal.type("SELECT name, lines FROM functions WHERE name = 'page'" + ENTER)
    assert '{"name": "page", "lines": 2}' in terminal.expect("1 row, exact")

    terminal.type(".format tabel" + ENTER)
    shown = terminal.expect("hint: there are text, table, tree")
    assert "error: no format is called tabel, did you mean `table`?" in shown


def test_a_query_can_be_explained(terminal: Terminal) -> None:
    terminal.type(".explain" + ENTER)
    terminal.expect("error: there is no query yet to explain")
    terminal.type("SELECT name FROM classes" + ENTER)
    terminal.expect("0 rows, exact")
    terminal.type(".format jsonl" + ENTER)
    terminal.type(".explain" + ENTER)

    assert "SELECT name FROM classes" in terminal.expect("exact")


def test_the_relations_can_be_listed(terminal: Terminal) -> None:
    terminal.type(".tables" + ENTER)

    shown = terminal.expect("exact")
    assert "functions" in shown
    assert "sites" in shown


def test_help_lists_the_commands(terminal: Terminal) -> None:
    terminal.type(".help" + ENTER)

    shown = terminal.expect("leave, as does Ctrl-D")
    assert all(command in shown for command in (".help", ".format", ".explain", ".tables"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("SELECT complexty FROM functions", "did you mean `complexity`?"),
        ("SHOW callers OF nobody", "no node is called 'nobody'"),
        ("@hotspot", "did you mean `hotspots`?"),
        (".fromat", "did you mean `.format`?"),
        ("SELECT name FROM functions; COPY nodes TO 'x'", "one statement at a time"),
        ("\x1b[200~SELECT 1\n\nFRM x\x1b[201~", "syntax error"),
    ],
)
def test_an_error_does_not_end_the_session(terminal: Terminal, line: str, told: str) -> None:
    terminal.type(line + ENTER)
    terminal.expect(told)
    terminal.expect_prompt(PROMPT)
    terminal.type("SELECT 41 + 1 AS answer" + ENTER)

    assert "42" in terminal.expect("1 row, exact")


def test_control_c_stops_a_query_and_not_the_session(terminal: Terminal) -> None:
    terminal.type(ENDLESS + ENTER)
    terminal.expect_signals()
    terminal.press_until(CONTROL_C, "error: interrupted")
    terminal.expect_prompt(PROMPT)
    terminal.type("SELECT 41 + 1 AS answer" + ENTER)

    assert "42" in terminal.expect("1 row, exact")


def test_control_c_drops_a_line_and_control_d_ends_the_session(terminal: Terminal) -> None:
    terminal.type("SELECT nonsense")
    terminal.expect("SELECT nonsense")
    terminal.type(CONTROL_C)
    terminal.expect_prompt(PROMPT)
    terminal.type(CONTROL_D)

    assert terminal.status() == 0


def test_a_graph_that_is_built_again_is_noticed(tmp_path: Path) -> None:
    folder = write_tree(tmp_path, {"a.py": "def one():\n    pass\n"})
    mu("kernel", "build", ".", cwd=folder)
    with Terminal("query", "-i", cwd=folder) as terminal:
        terminal.expect_prompt(PROMPT)
        terminal.type("SELECT count(*) AS many FROM functions" + ENTER)
        assert "1" in terminal.expect("1 row, exact")
        write_tree(folder, {"b.py": "def two():\n    pass\n"})
        mu("kernel", "build", ".", cwd=folder)
        terminal.type("SELECT name FROM functions ORDER BY name" + ENTER)

        shown = terminal.expect("2 rows, exact")
        assert "note: the graph was built again" in shown
        assert "two" in shown


def test_a_session_needs_a_terminal(built: Path) -> None:
    result = mu("query", "-i", cwd=built)

    assert (result.returncode, result.stdout) == (2, "")
    assert "-i needs a terminal" in result.stderr


def test_a_query_beside_a_session_is_refused(built: Path) -> None:
    result = mu("query", "-i", "SELECT 1", cwd=built)

    assert result.returncode == 2
    assert "give a query or -i, not both" in result.stderr


def test_a_history_that_cannot_be_kept_is_told(built: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    state = str(tmp_path / "file")
    with Terminal("query", "-i", cwd=built, more={"XDG_STATE_HOME": state}) as terminal:
        terminal.expect("note: the history is not kept: not a directory")
        terminal.expect_prompt(PROMPT)
