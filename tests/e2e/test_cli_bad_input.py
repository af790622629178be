"""What a question that cannot be answered says: one clear message and the documented status."""

from pathlib import Path

import pytest

from e2e.command import mu
from fakes.graphs import SHOP, make_graph, write


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    text = SHOP + "app/spare.py\n  class Store @ 1-20\n    def find(key) @ 3-5\n"
    write(make_graph(text), folder)
    return folder


def failure(*arguments: str, cwd: Path) -> tuple[int, str]:
    """Run a command that has to fail, and give its status and what it said."""
    result = mu(*arguments, cwd=cwd)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert str(cwd) not in result.stderr
    return result.returncode, result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["query", "SELECT 1"],
        ["impact", "login"],
        ["path", "a", "b"],
        ["cycles"],
        ["search", "login"],
        ["kernel", "stats"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_without_a_graph_every_question_names_the_build(
    arguments: list[str], tmp_path: Path
) -> None:
    assert failure(*arguments, cwd=tmp_path) == (
        3,
        "error: no graph here: neither this folder nor one above it has a .mubase\n"
        "hint: run `mu kernel build` to make it\n",
    )


def test_a_start_that_is_no_folder(shop: Path) -> None:
    status, text = failure("-C", ".mubase", "deps", "login", cwd=shop)
    assert (status, text) == (
        2,
        "error: .mubase is not a folder\nhint: give a folder with -C\n",
    )


def test_a_damaged_graph_names_the_file_and_the_build(tmp_path: Path) -> None:
    (tmp_path / ".mubase").write_bytes(b"not a graph" * 100)
    status, text = failure("callers", "login", cwd=tmp_path)
    assert status == 3
    assert text.startswith("error: .mubase is not a graph file\nhint: ")
    assert "mu kernel build" in text


def test_an_unknown_column_offers_the_nearest(shop: Path) -> None:
    status, text = failure("query", "SELECT nme FROM functions", cwd=shop)
    assert status == 2
    assert text.startswith("error: unknown column `nme`, did you mean `name`?\n")
    assert "line 1, column 8" in text


def test_a_second_statement_is_refused(shop: Path) -> None:
    status, text = failure("query", "SELECT 1; SELECT 2", cwd=shop)
    assert status == 2
    assert text.startswith("error: one statement at a time\n")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "COPY nodes TO 'x.csv'",
        "ATTACH 'x.db'",
        "SELECT getenv('HOME')",
        "PRAGMA version",
        "",
        "SELEC 1",
    ],
)
def test_what_is_no_question_to_the_graph_is_refused(sql: str, shop: Path) -> None:
    before = sorted(shop.iterdir())
    status, text = failure("query", sql, cwd=shop)
    assert status == 2
    assert text.startswith("error: ")
    assert sorted(shop.iterdir()) == before


@pytest.mark.parametrize("verb", ["deps", "dependents", "impact", "ancestors", "callers"])
def test_an_unknown_node_offers_the_nearest(verb: str, shop: Path) -> None:
    assert failure(verb, "AuthService.logni", cwd=shop) == (
        4,
        "error: no node is called 'AuthService.logni'\n"
        "hint: did you mean 'AuthService.login' or 'AuthService.logout' or "
        "'AuthService._audit'?\n",
    )


def test_an_ambiguous_node_lists_the_candidates(shop: Path) -> None:
    assert failure("callees", "Store.find", cwd=shop) == (
        4,
        "error: 'Store.find' is ambiguous (2 matches)\n"
        "hint: use one of these ids:\n"
        "  fn:app/db.py:Store.find  line 10\n"
        "  fn:app/spare.py:Store.find  line 3\n",
    )


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["deps"], "missing argument 'NODE'"),
        (["deps", "login", "--kind", "likes"], "invalid value for '--kind'"),
        (["deps", "login", "--depth", "0"], "invalid value for '--depth'"),
        (["deps", "login", "--limit", "0"], "invalid value for '--limit'"),
        (["deps", "login", "--format", "xml"], "invalid value for '--format'"),
        (["deps", "login", "more"], "got unexpected extra argument"),
    ],
)
def test_wrong_usage_points_to_the_help(arguments: list[str], what: str, shop: Path) -> None:
    status, text = failure(*arguments, cwd=shop)
    assert status == 2
    assert text.startswith(f"error: {what}")
    assert text.endswith("hint: see `mu deps --help`\n")


def test_a_value_that_is_given_as_an_option_names_the_option(shop: Path) -> None:
    status, text = failure("agent", "ask", "--offline", "who calls login?", cwd=shop)
    assert (status, text) == (
        2,
        "error: no such option '--offline'\nhint: did you mean --provider offline?\n",
    )


def test_an_escape_in_a_node_reference_does_not_reach_the_terminal(shop: Path) -> None:
    status, text = failure("deps", "\x1b[2Jlogin", cwd=shop)
    assert status == 4
    assert "\x1b" not in text
