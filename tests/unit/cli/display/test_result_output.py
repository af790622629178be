"""No character that acts on a terminal or hides leaves a command, in any format."""

from pathlib import Path

import click
import pytest

from mu.cli import main
from mu.cli.arguments.options import FORMATS
from mu.cli.display.json_documents import document
from mu.cli.display.result_output import show
from mu.kernel import BuildSettings, build
from mu.model.relation import Answer
from mu.operations.results import Rows
from mu.render.text import printable

EVIL = "\x1b[31m\x07\x9b2J\u202e\u200b\x7f\ue000\U000e0041 \r"
"""A colour, a bell, an 8-bit control, a right-to-left override, what is not seen, a tag."""

COMMANDS: list[list[str]] = [
    *(["query", "SELECT * FROM files", "--format", form] for form in ("table", "csv", "jsonl")),
    *(["dependents", "login", "--format", form] for form in FORMATS),
    ["query", f'SELECT name AS "{EVIL}" FROM nodes', "--limit", "1"],
    ["query", f"SELECT '{EVIL}' FROM"],
    ["query", f'SHOW callers OF "{EVIL}"'],
    ["callers", EVIL],
    ["describe", "login"],
    ["describe", "login", "--json"],
    ["read", "login"],
    ["why", "page", "login"],
    ["search", "login"],
    ["context", "login"],
    ["pack"],
    ["compress"],
    ["path", "page", "login", "--limit", EVIL],
    ["kernel", "status"],
    ["kernel", "status", "--json"],
    ["kernel", "stats"],
    ["kernel", "audit"],
    ["kernel", "audit", "--json"],
    ["kernel", "build", "--json"],
    *(["kernel", "export", "--format", form] for form in ("json", "graphml", "dot", "mermaid")),
    ["config", "--json"],
    [EVIL],
]


def hidden(text: str) -> str:
    """What of a text acts or hides: line feeds do not, nor tabs, which are in sources."""
    return printable(text.replace("\n", "").replace("\t", ""))


def check(text: str) -> None:
    bare = text.replace("\n", "").replace("\t", "")
    assert hidden(text) == bare, [c for c in bare if printable(c) != c]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("evil")
    (root / f"app{EVIL}").mkdir()
    text = f'def login(u):\n    """Says {EVIL}."""\n    return u  # {EVIL}\n'
    (root / f"app{EVIL}" / f"auth{EVIL}.py").write_text(text)
    (root / "views.py").write_text(f"def page(u):\n    return u\n\nNAME = '{EVIL}'\n")
    (root / f"notes{EVIL}.md").write_text(f"# Notes {EVIL}\n\n`login` {EVIL}\n")
    (root / f"link{EVIL}.py").symlink_to("nowhere")
    build(root, BuildSettings(jobs=1))
    (root / f"new{EVIL}.py").write_text("")
    return root


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "mu"])
def test_names_of_columns_are_made_visible(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer((f"a{EVIL}", "b"), ((f"cell{EVIL}", 1),), 1, notes=(f"note{EVIL}",))
    with click.Context(click.Command("query")):
        show(Rows(answer), form)
    shown = capsys.readouterr()
    assert shown.out
    check(shown.out)
    check(shown.err)


def test_documents_are_made_visible() -> None:
    text = document({f"name{EVIL}": [f"value{EVIL}"]})
    check(text)
    assert "\\u202e" in text
    assert "\\udb40\\udc41" in text


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda words: printable(" ".join(words)))
def test_nothing_of_a_repository_acts_on_a_terminal(
    tree: Path, arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    main(["-C", str(tree), *arguments])
    shown = capfd.readouterr()
    assert shown.out or shown.err
    check(shown.out)
    check(shown.err)
