"""Pages that bring their own sources: their commands answer what the page shows."""

import re
from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from e2e.examples import Example, first_difference, read_examples
from fakes.built import with_graph

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {page.name: page for page in (
    DOCS / "guides" / "trusting.md", DOCS / "explanation" / "resolution.md",
)}  # fmt: skip
SOURCE = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = {name: read_examples(page) for name, page in PAGES.items()}


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sources on each page, with their graph."""
    folders = {}
    for name, page in PAGES.items():
        sources = dict(SOURCE.findall(page.read_text(encoding="utf-8")))
        folders[name] = write_tree(tmp_path_factory.mktemp("guide"), sources)
        with_graph(folders[name])
    return folders


@pytest.mark.parametrize(
    "example",
    [example for examples in EXAMPLES.values() for example in examples],
    ids=lambda example: example.command,
)
def test_a_command_of_a_page_answers_what_is_shown(
    shops: dict[str, Path], example: Example
) -> None:
    result = mu(*example.arguments, cwd=shops[example.page])

    printed = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    assert first_difference(example.output, printed) == "", result.stdout + result.stderr


def test_the_pages_have_examples() -> None:
    assert len(EXAMPLES["trusting.md"]) >= 7
    assert EXAMPLES["resolution.md"]
