"""Help, messages, docstrings and documents use the field's words, and not those retired for them.

Linking and extraction are left out: most of what they say is about their own workings.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

LEFT_OUT = frozenset(("resolve", "languages", "syntax"))
PAGES = (
    "*.md", "docs/**/*.md", "queries/**/*.md", "queries/**/*.muql", "src/mu/**/*.md",
    "src/mu/**/*.sql", "tests/corpora/**/*.md",
)  # fmt: skip
RETIRED = re.compile(
    r"\bknots?\b"  # strongly connected component
    r"|\bways? in\b(?=[ ,.;:)|*`\"\]]|$)(?! which)"  # entry point
    r"|\bstands? before (?:the|a) (?:name|dot)|\bthing before the dot"  # receiver
    r"|\bin braces\b"  # object literal
    r"|\bhangs? together\b"  # is related
    r"|\bbears?\b"  # has the name
    r"|\b(?:at most|after) so many\b"  # maximum
    r"|^\W*Tells? of\b"  # describe, summarise
    r"|\bwhat becomes of\b|\bthoughtless\b|\bnothing in the graph fits\b|\bcould mean any of\b",
    re.IGNORECASE | re.MULTILINE,
)


def test_python_says_nothing_in_retired_words(root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{line}: {word}"
        for path in sorted((root / "src" / "mu").rglob("*.py"))
        if path.relative_to(root / "src" / "mu").parts[0] not in LEFT_OUT
        for line, word in _strings(path)
    ]

    assert found == []


def test_pages_say_nothing_in_retired_words(root: Path) -> None:
    paths = sorted({path for pattern in PAGES for path in root.glob(pattern)})
    found = [
        f"{path.relative_to(root)}: {match[0]}"
        for path in paths
        for match in RETIRED.finditer(path.read_text(encoding="utf-8"))
    ]

    assert len(paths) > 100
    assert found == []


@pytest.mark.parametrize(
    "text",
    ["one knot of imports", "ways in, packages", "what stands before the name", "Tell of a node."],
)
def test_a_retired_word_is_noticed(text: str) -> None:
    assert RETIRED.search(text)


def _strings(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((node.lineno, match[0]) for match in RETIRED.finditer(node.value))
