"""Only MU's own lines reach standard error, whatever the engine finds as the process ends."""

import re
from pathlib import Path

import pytest

from e2e.command import SMALL, mu_on_terminal, mu_process, write_tree
from fakes.built import with_graph

OWN_LINE = re.compile(
    r"(node|start|goal|note|more|hint|error): .+|\d+ (of \d+ )?(?:rows?|hops?), [a-z ]+"
)

COMMANDS = {
    "build": ("kernel", "build"),
    "build as JSON": ("kernel", "build", "--json"),
    "status": ("kernel", "status"),
    "status as JSON": ("kernel", "status", "--json"),
    "stats": ("kernel", "stats", "--json"),
    "export": ("kernel", "export"),
    "query": ("query", "SELECT name FROM functions"),
    "query as JSON": ("query", "SELECT name FROM functions", "--json"),
    "refused query": ("query", "DROP TABLE nodes"),
    "failing query": ("query", "SELECT CAST(name AS INTEGER) FROM functions"),
    "impact": ("impact", "app.auth.check"),
    "unknown node": ("callers", "nobody"),
    "path": ("path", "app.views.page", "app.auth.check"),
    "cycles": ("cycles", "--imports", "all"),
    "search": ("search", "login", "--limit", "1"),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    return with_graph(tree)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_command_writes_only_its_own_lines_to_standard_error(
    built: Path, command: tuple[str, ...]
) -> None:
    result = mu_process(*command, cwd=built)
    foreign = [
        line
        for line in result.stderr.splitlines()
        if not OWN_LINE.fullmatch(line) and not line.startswith(" ")
    ]
    assert foreign == []


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_the_engine_says_nothing_on_a_terminal(built: Path, command: tuple[str, ...]) -> None:
    _, _, shown = mu_on_terminal(*command, cwd=built)
    assert "nanobind" not in shown
    assert "leak" not in shown
