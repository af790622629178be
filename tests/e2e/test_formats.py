"""Answers in each format, as the command writes them."""

import json
from pathlib import Path

import pytest

from e2e.command import SMALL, mu, write_tree
from fakes.built import with_graph

BACKWARD = "SHOW callers OF check DEPTH 2"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    with_graph(folder)
    return folder


def query(folder: Path, text: str, form: str) -> tuple[list[str], str]:
    result = mu("query", text, "--format", form, cwd=folder)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines(), result.stderr


def test_a_tree_has_what_was_reached_below_what_it_was_reached_from(built: Path) -> None:
    lines, remarks = query(built, BACKWARD, "tree")

    assert lines == [
        "fn:app/auth.py:check",
        "└─ fn:app/auth.py:login  (calls at app/auth.py:2)",
        "   ├─ fn:app/views.py:page  (calls at app/views.py:5)",
        "   └─ fn:tests/test_auth.py:test_login  (calls at tests/test_auth.py:5)",
    ]
    assert remarks == "3 rows, exact\n"


def test_a_drawing_points_from_what_depends_to_what_it_depends_on(built: Path) -> None:
    backward, _ = query(built, BACKWARD, "dot")
    forward, _ = query(built, "SHOW callees OF page DEPTH 2", "dot")
    undirected, _ = query(
        built, "SELECT 'a' AS id, 'calls' AS via, 'b' AS from_id FROM meta LIMIT 1", "dot"
    )

    assert '  "fn:app/views.py:page" -> "fn:app/auth.py:login" [label="calls"]' in backward
    assert '  "fn:app/views.py:page" -> "fn:app/auth.py:login" [label="calls"]' in forward
    assert undirected[0] == "graph {"


def test_commands_draw_as_queries_do(built: Path) -> None:
    drawn = mu("callers", "check", "--depth", "2", "--format", "mermaid", cwd=built).stdout

    assert drawn.splitlines() == query(built, BACKWARD, "mermaid")[0]
    path = mu("path", "page", "check", "--format", "tree", cwd=built).stdout
    assert path.splitlines() == [
        "fn:app/views.py:page",
        "└─ fn:app/auth.py:login  (calls)",
        "   └─ fn:app/auth.py:check  (calls)",
    ]


def test_lines_of_json_are_objects_and_hold_every_column(built: Path) -> None:
    text = "SELECT a.name, b.name, 1 AS n FROM functions a JOIN functions b ON a.id = b.id"

    lines, remarks = query(built, text + " WHERE a.name = 'page'", "jsonl")

    assert [json.loads(line) for line in lines] == [{"name": "page", "name_1": "page", "n": 1}]
    assert remarks == "1 row, exact\n"


@pytest.mark.parametrize(
    ("form", "what"),
    [("tree", "no tree"), ("mermaid", "no edges to draw"), ("dot", "no edges to draw")],
)
def test_rows_without_edges_are_told_to_have_none(built: Path, form: str, what: str) -> None:
    result = mu("query", "SELECT name FROM functions", "--format", form, cwd=built)

    assert (result.returncode, result.stdout) == (2, "")
    assert what in result.stderr
    assert "hint: " in result.stderr


def test_the_named_queries_are_listed_in_any_format(built: Path) -> None:
    listed = json.loads(mu("query", "--list", "--json", cwd=built).stdout)

    assert listed["columns"] == ["call", "description", "origin", "problem"]
    assert json.loads(mu("query", "@", "--json", cwd=built).stdout)["rows"] == listed["rows"]
    assert {row[2] for row in listed["rows"]} == {"mu"}


def test_a_query_is_explained_instead_of_answered(built: Path) -> None:
    explained = mu("query", "--explain", "SELECT name FROM functions", cwd=built)
    written = mu("query", "EXPLAIN SELECT name FROM functions", cwd=built)

    assert explained.returncode == 0
    assert "SELECT name FROM functions" in explained.stdout
    assert explained.stdout.split()[:3] == written.stdout.split()[:3]


def test_a_query_or_a_list_has_to_be_asked_for(built: Path) -> None:
    result = mu("query", cwd=built)

    assert result.returncode == 2
    assert result.stderr.startswith("error: give a query, -i to ask several, or --list")


def test_mu_text_nests_what_was_reached_and_ends_in_places(built: Path) -> None:
    lines, remarks = query(built, BACKWARD, "mu")

    assert lines == [
        "# check",
        "  # login :: calls at app/auth.py:2  app/auth.py:1",
        "    # page :: calls at app/views.py:5  app/views.py:4",
        "    # test_login :: calls at tests/test_auth.py:5  tests/test_auth.py:4",
    ]
    assert remarks == "3 rows, exact\n"
