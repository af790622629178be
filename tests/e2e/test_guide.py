"""The guide to verdicts brings its own sources: its commands answer what the page shows."""

import re
from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from e2e.examples import Example, first_difference, read_examples
from fakes.built import with_graph

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "trusting.md"
SOURCE = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = read_examples(PAGE)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources on the page, with their graph."""
    sources = dict(SOURCE.findall(PAGE.read_text(encoding="utf-8")))
    folder = write_tree(tmp_path_factory.mktemp("guide"), sources)
    with_graph(folder)
    return folder


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.command)
def test_a_command_of_the_guide_answers_what_is_shown(shop: Path, example: Example) -> None:
    result = mu(*example.arguments, cwd=shop)

    printed = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    assert first_difference(example.output, printed) == "", result.stdout + result.stderr


def test_the_guide_has_examples() -> None:
    assert len(EXAMPLES) >= 7
