"""`mu query` keeps to the settings of its section, and a flag is stronger."""

from pathlib import Path

import pytest

from e2e.command import mu
from fakes.graphs import SHOP, make_graph, write

NAMES = "SELECT name FROM functions ORDER BY name"
ENDLESS = f"SELECT count(*) FROM {', '.join(f'nodes n{place}' for place in range(12))}"
ENDLESS += " WHERE n0.id > n11.id"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    write(make_graph(SHOP), tmp_path)
    return tmp_path


def test_rows_are_bounded_by_the_setting_where_no_limit_is_given(shop: Path) -> None:
    (shop / "mu.toml").write_text("[query]\nrows = 2\n")
    result = mu("query", NAMES, cwd=shop)
    assert len(result.stdout.splitlines()) == 3
    assert result.stderr.splitlines()[-1] == f"more: mu query '{NAMES}' --offset 2"
    assert len(mu("query", NAMES, "--limit", "3", cwd=shop).stdout.splitlines()) == 4


def test_a_query_is_stopped_at_the_time_of_the_setting(shop: Path) -> None:
    (shop / "mu.toml").write_text("[query]\ntimeout = 0.25\n")
    result = mu("query", ENDLESS, cwd=shop)
    assert result.returncode == 1
    assert result.stderr.startswith("error: the query was stopped after 0.25 s\n")
    flagged = mu("query", ENDLESS, "--timeout", "0.125", cwd=shop)
    assert flagged.stderr.startswith("error: the query was stopped after 0.125 s\n")


def test_a_repository_cannot_allow_a_query_more(shop: Path) -> None:
    (shop / "mu.toml").write_text("[query]\ntimeout = 3000\n")
    result = mu("query", NAMES, cwd=shop)
    assert result.returncode == 2
    assert "a repository may only lower query.timeout" in result.stderr
