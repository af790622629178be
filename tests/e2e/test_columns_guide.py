"""The guide to added columns brings its own files: its commands answer what the page shows."""

import re
from pathlib import Path

import pytest

from e2e.command import mu
from e2e.examples import first_difference, read_examples
from fakes.built import with_graph
from fakes.git_history import History

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "columns.md"
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = read_examples(PAGE)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The files on the page, in one commit, with their graph."""
    history = History(tmp_path)
    history.commit("Begin", dict(FILE.findall(PAGE.read_text(encoding="utf-8"))))
    history.check_out()
    return with_graph(tmp_path)


def test_the_commands_of_the_guide_answer_what_is_shown(shop: Path) -> None:
    for example in EXAMPLES:
        result = mu(*example.arguments, cwd=shop)
        printed = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
        wrong = first_difference(example.output, printed)
        assert wrong == "", f"{example.command}\n{result.stdout}{result.stderr}"


def test_the_guide_has_examples() -> None:
    assert len(EXAMPLES) >= 10
