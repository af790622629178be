"""The guide to the Python API brings its own sources: its examples answer what the page shows."""

import doctest
import re
from pathlib import Path

import pytest

from e2e.command import write_tree

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "python.md"
SOURCE = re.compile(r"^```python (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_examples_answer_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text(encoding="utf-8")
    write_tree(tmp_path, dict(SOURCE.findall(text)))
    monkeypatch.chdir(tmp_path)
    said: list[str] = []

    examples = doctest.DocTestParser().get_doctest(
        "\n".join(SHELL.findall(text)), {}, PAGE.name, str(PAGE), 0
    )
    result = doctest.DocTestRunner().run(examples, out=said.append)

    assert result.attempted >= 10
    assert result.failed == 0, "".join(said)
