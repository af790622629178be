"""Answers as compact text, made of real results over a small graph."""

import json
from collections.abc import Iterator

import pytest

from fakes.built import built_tree
from mu.agent import MUAgent, ToolCall
from mu.agent.formats import (
    format_cycles_summary,
    format_deps_tree,
    format_for_terminal,
    format_mu_output,
    format_tool_result,
    truncate_response,
)
from mu.errors import MuError
from mu.model.kinds import EdgeKind
from mu.operations.navigation.dependencies import deps
from mu.operations.navigation.dependency_path import path
from mu.operations.navigation.describe import describe
from mu.operations.navigation.node_source import read
from mu.operations.workspace import Workspace
from mu.render.formats.mu_text import mu_lines

SOURCE = {
    "app/__init__.py": "",
    "app/auth.py": (
        "from app.db import find\n\n\nclass AuthService:\n"
        "    def login(self, user: str) -> int:\n        return find(user)\n"
    ),
    "app/db.py": ("import app.views\n\n\ndef find(name: str) -> int:\n    return len(name)\n"),
    "app/views.py": (
        "from app.auth import AuthService\n\n\ndef page() -> int:\n"
        '    return AuthService().login("ann")\n'
    ),
    "tests/test_views.py": (
        "from app.views import page\n\n\ndef test_page():\n    assert page() == 3\n"
    ),
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("tree"), SOURCE) as workspace:
        yield workspace


@pytest.fixture
def agent(workspace: Workspace) -> MUAgent:
    return MUAgent(workspace=workspace)


def test_dependencies_are_lines_with_their_use_and_the_verdict_is_last(agent: MUAgent) -> None:
    assert format_mu_output(agent.deps("page")).splitlines() == [
        "of fn:app/views.py:page",
        'app/views.py:5  return AuthService().login("ann")  -> AuthService  app/auth.py:4',
        "app/views.py:5  -> AuthService.login  app/auth.py:5",
        "app/views.py:4  def page() -> int:  -> builtins.int (external)  (uses)",
        "(3 rows, exact)",
    ]


def test_rows_of_a_select_are_a_table_whatever_their_columns_are_called(agent: MUAgent) -> None:
    rows = agent.query("SELECT id, path, line, name AS code FROM functions WHERE name = 'find'")

    assert format_mu_output(rows).splitlines()[0] == "id | path | line | code"


def test_the_rows_of_a_walk_have_their_site_in_mu_text(agent: MUAgent) -> None:
    rows = agent.query("SHOW callers OF find")

    assert list(mu_lines(rows.answer)) == [
        "# find",
        "  # AuthService.login :: calls at app/auth.py:6  app/auth.py:5",
    ]


def test_other_rows_are_a_table(agent: MUAgent) -> None:
    rows = agent.query("SELECT path, lines FROM files WHERE category = 'source' ORDER BY 2, 1")

    assert format_mu_output(rows).splitlines()[:3] == [
        "path | lines",
        "app/__init__.py | 0",
        "app/db.py | 5",
    ]


def test_a_tree_has_each_node_below_the_one_it_was_reached_from(workspace: Workspace) -> None:
    found = deps(workspace, "test_page", depth=3, kinds=[EdgeKind.CALLS])

    assert format_deps_tree(found).splitlines() == [
        "of fn:tests/test_views.py:test_page",
        "# test_page",
        "  # page :: calls at tests/test_views.py:5  app/views.py:4",
        "    $ AuthService :: calls at app/views.py:5  app/auth.py:4",
        "    # AuthService.login :: calls at app/views.py:5  app/auth.py:5",
        "      # find :: calls at app/auth.py:6  app/db.py:4",
        "(4 rows, at least)",
        "note: stopped at depth 3: there is more beyond",
    ]


def test_a_tree_of_nothing_is_the_node_alone(workspace: Workspace) -> None:
    found = deps(workspace, "find", kinds=[EdgeKind.OVERRIDES])

    assert format_deps_tree(found).splitlines()[:2] == ["of fn:app/db.py:find", "(0 rows, exact)"]


def test_an_impact_is_summed_up_and_its_nearest_shown(agent: MUAgent) -> None:
    called = ToolCall("1", "mu_impact", {"node": "find", "limit": 1})
    text = agent.execute_tool(called).content

    assert text.splitlines()[1:] == [
        "impact of fn:app/db.py:find",
        "app/auth.py:1  from app.db import find  (imports)",
        "(1 of 7 rows, exact; more: offset=1)",
        "note: 2 direct, 5 transitive; 2 of them in tests; in 4 files",
        "</repository_data>",
    ]


def test_what_was_cut_says_how_to_read_on(agent: MUAgent) -> None:
    def last(limit: int, offset: int) -> str:
        rows = "SELECT id, kind, path, start_line AS line FROM functions ORDER BY id"
        arguments = {"muql": rows, "limit": limit, "offset": offset}
        told = agent.execute_tool(ToolCall("1", "mu_query", arguments)).content
        return told.splitlines()[-2]

    total = agent.query("SELECT id FROM functions").answer.total
    assert last(2, 1) == f"(2 of {total} rows, exact; more: offset=3)"
    assert last(2, total - 2) == f"(2 of {total} rows, exact)"
    assert last(100, 0) == f"({total} rows, exact)"


def test_a_cycle_is_a_line(agent: MUAgent) -> None:
    first, second, *_ = format_cycles_summary(agent.cycles()).splitlines()

    assert first == "1 cycle"
    assert second.startswith("1: app/auth.py:1 -> app/db.py:1 -> app/views.py:1 -> back")


def test_each_sort_of_result_has_its_form(workspace: Workspace, agent: MUAgent) -> None:
    described = format_tool_result(describe(workspace, "AuthService"))
    source = format_tool_result(read(workspace, "AuthService.login"))
    route = format_tool_result(path(workspace, "page", goal="find"))

    assert described.startswith("$ app/auth.py:AuthService :: class  app/auth.py:4-6")
    assert source.splitlines() == [
        "app/auth.py",
        "5     def login(self, user: str) -> int:",
        "6         return find(user)",
    ]
    assert route.startswith("from fn:app/views.py:page to fn:app/db.py:find\n")
    assert format_tool_result(agent.deps("page")) == format_mu_output(agent.deps("page"))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MuError("no node", "look again"), {"error": "no node", "hint": "look again"}),
        (MuError("no node"), {"error": "no node"}),
    ],
)
def test_an_error_is_a_value_of_json(error: MuError, told: dict[str, str]) -> None:
    assert json.loads(format_tool_result(error)) == told


def test_a_long_answer_is_cut_at_a_line_and_says_what_is_left() -> None:
    text = "\n".join(f"line {number:03}" for number in range(100))

    cut = truncate_response(text, max_tokens=30)

    assert cut.splitlines()[-2:] == ["line 012", "[cut here: 87 more lines]"]
    assert truncate_response(text) == text


def test_a_fence_that_is_cut_is_closed() -> None:
    cut = truncate_response("```\n" + "x = 1\n" * 100, max_tokens=20)

    assert cut.count("```") == 2


def test_paragraphs_are_wrapped_and_lists_and_code_are_not() -> None:
    wide = "word " * 10
    text = f"{wide}\n# {wide}\n```\n{wide}\n```\n\x1b[2J"

    lines = format_for_terminal(text, width=20).splitlines()

    assert lines[:3] == ["word word word word", "word word word word", "word word"]
    assert lines[3:6] == [f"# {wide}", "```", wide]
    assert lines[-1] == r"\x1b[2J"
