"""Answers of real processes, on standard output and on a terminal."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.command import PROGRAM, mu
from fakes.graphs import SHOP, make_graph, write


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "app").mkdir()
    hostile = "app/bad\x1b[31m.py\n  def evil\x1b @ 1-2\n".replace("evil\x1b", "evil")
    write(make_graph(SHOP + hostile), folder)
    return folder


def terminal(*arguments: str, cwd: Path, columns: int = 200) -> str:
    """Run `mu` with a terminal as its standard output, and give what it showed."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns)}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ) as process:
        os.close(theirs)
        shown = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    assert process.returncode == 0
    return shown.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # how Linux says that nobody holds the other end any more
        return b""


def test_impact_lists_what_uses_the_node_and_ancestors_what_it_uses(shop: Path) -> None:
    impact = json.loads(mu("impact", "AuthService.login", "--json", cwd=shop).stdout)
    ancestors = json.loads(mu("ancestors", "AuthService.login", "--json", cwd=shop).stdout)
    assert [row[1] for row in impact["rows"]] == ["place", "test_login"]
    assert [row[1] for row in ancestors["rows"]] == ["find", "_audit", "sha256", "LIMIT"]


def test_json_is_the_whole_answer(shop: Path) -> None:
    result = mu("callers", "Store.find", "--json", cwd=shop)
    document = json.loads(result.stdout)
    assert result.stderr == ""
    assert list(document) == [
        "node", "possible", "columns", "rows", "total", "truncated", "verdict", "notes",
        "elapsed_ms", "next_offset",
    ]  # fmt: skip
    assert document["node"] == {
        "id": "fn:app/db.py:Store.find",
        "kind": "function",
        "name": "find",
        "qualified_name": "app.db.Store.find",
        "path": "app/db.py",
        "line": 10,
    }
    assert document["verdict"] == "exact"


def test_every_field_of_the_document_is_explained(root: Path, shop: Path) -> None:
    page = (root / "docs" / "reference" / "answers.md").read_text(encoding="utf-8")
    route = json.loads(mu("path", "test_login", "LIMIT", "--json", cwd=shop).stdout)
    callers = json.loads(mu("callers", "Store.find", "--json", cwd=shop).stdout)
    assert [name for name in {**route, **callers} if f"`{name}`" not in page] == []


def test_a_table_goes_to_standard_output_and_the_rest_to_standard_error(shop: Path) -> None:
    result = mu("callers", "Store.find", "--format", "table", cwd=shop)
    head, row = result.stdout.splitlines()
    assert head.split() == [
        "id", "name", "kind", "path", "line", "distance", "via", "from_id", "site_path",
        "site_line", "site_text", "rule", "resolution", "alternatives", "sites", "other_lines",
        "site_column",
        "code",
    ]  # fmt: skip
    assert row.split()[0] == "fn:app/auth.py:AuthService.login"
    assert result.stderr == "node: fn:app/db.py:Store.find\n1 row, exact\n"


def test_a_listing_shows_the_call_site_and_the_definition_it_stands_in(shop: Path) -> None:
    result = mu("callers", "Store.find", cwd=shop)
    assert result.stdout == "app/auth.py:12  find  in AuthService.login  (also 13)\n"
    assert result.stderr == "node: fn:app/db.py:Store.find\n1 row, exact\n"


def test_what_was_left_out_can_be_had_by_the_command_shown(shop: Path) -> None:
    first = mu("dependents", "AuthService", "--limit", "2", "--kind", "calls", cwd=shop)
    assert "2 of 3 rows, exact" in first.stderr
    more = first.stderr.splitlines()[-1]
    assert more == "more: mu dependents AuthService --kind calls --limit 2 --offset 2"
    rest = mu(*more.split()[2:], cwd=shop)
    assert rest.returncode == 0
    assert rest.stdout.startswith("tests/test_auth.py:7  login  in test_login")


def test_csv_reads_back(shop: Path) -> None:
    output = mu("query", "SELECT name, line FROM calls JOIN nodes ON id = source ORDER BY ALL",
                "--format", "csv", cwd=shop).stdout  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(output)))
    assert rows[0] == {"name": "cancel", "line": "40"}


def test_cycles_and_paths_and_searches_are_answered(shop: Path) -> None:
    assert "no cycle" in mu("cycles", cwd=shop).stderr
    assert mu("cycles", "--imports", "all", cwd=shop).stdout.splitlines() == [
        "cycle 1 (component of 2):",
        "app/auth.py:3  (type-only)",
        "app/orders.py:1",
    ]
    assert mu("path", "test_login", "LIMIT", "--any", cwd=shop).stdout.count("\n") == 4
    assert "ask for all kinds of edge" in mu("path", "test_login", "LIMIT", cwd=shop).stderr
    assert "app/db.py:20  function Store.save" in mu("search", "save", "app", cwd=shop).stdout


def test_a_question_may_be_asked_from_a_folder_inside(shop: Path) -> None:
    inner = shop / "app"
    assert mu("callers", "find", cwd=inner).stdout == mu("callers", "find", cwd=shop).stdout
    assert mu("-C", "app", "callers", "find", cwd=shop).returncode == 0


def test_a_terminal_gets_a_table_that_fits_it(shop: Path) -> None:
    query = "SELECT id, path, line, qualified_name FROM functions"
    shown = terminal("query", query, cwd=shop, columns=100)
    lines = shown.replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()
    assert lines[1].split() == ["id", "path", "line", "qualified_name"]
    assert max(map(len, lines)) <= 100
    assert "…" not in shown


def test_a_row_with_more_columns_than_fit_the_terminal_is_a_block(shop: Path) -> None:
    shown = terminal("callers", "Store.find", "--format", "table", cwd=shop, columns=100)
    lines = [
        line.split() for line in shown.replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()
    ]
    assert ["id", "fn:app/auth.py:AuthService.login"] in lines
    assert ["site_line", "12"] in lines


def test_a_terminal_gets_a_listing_below_the_path_of_each_file(shop: Path) -> None:
    shown = terminal("callers", "AuthService", cwd=shop, columns=80)
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines() == [
        "app/auth.py",
        "  72  AuthService  in make_service",
        "app/orders.py",
        "  10  login  in Orders.place",
        "tests/test_auth.py",
        "  7  login  in test_login",
    ]


def test_no_colour_when_it_is_not_wanted(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" in terminal("callers", "Store.find", cwd=shop)
    monkeypatch.setenv("NO_COLOR", "1")
    shown = terminal("callers", "Store.find", cwd=shop)
    assert "\x1b[3" not in shown


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_no_name_of_a_file_acts_on_the_terminal(form: str, shop: Path) -> None:
    result = mu("search", "evil", "--format", form, cwd=shop)
    assert "evil" in result.stdout
    assert "\x1b" not in result.stdout + result.stderr


def test_a_reader_that_leaves_early_is_no_error(shop: Path) -> None:
    program = [
        sys.executable,
        "-c",
        PROGRAM,
        "query",
        "SELECT a.id, b.id, c.id FROM nodes a, nodes b, nodes c",
    ]
    command = [*program, "--limit", "50000"]
    with subprocess.Popen(
        command, cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141
