"""Help, messages, docstrings and documents use the words of the field, not those retired."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    r"|\bwhat becomes of\b|\bthoughtless\b|\bnothing in the graph fits\b|\bcould mean any of\b"
    r"|\bMUs? stays\b|\.mubase stays\b|\bnothing recognises this\b|\bentered from outside\b"
    r"|\bstronger than a variable\b|\bso sure\b|\bso many rows\b|^#+ Manners$",
    re.IGNORECASE | re.MULTILINE,
)


HEADINGS = re.compile(
    r"\b(?:told|tells?|handed|gathered|knots?|rounds|bears?|stands? behind)\b|^Who "
)
"""What the titles of documents, decisions and corpora do not say, beside what nothing says."""


CLAUSE = re.compile(r"^Whether\b|; whether\b")
"""A clause in the place of a sentence."""


def test_titles_of_documents_are_in_the_words_of_the_field(root: Path) -> None:
    paths = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("tests/corpora/**/*.md")]
    titles = {path: path.read_text(encoding="utf-8").partition("\n")[0] for path in paths}

    assert len(titles) > 200
    assert {
        path.relative_to(root).as_posix(): title
        for path, title in titles.items()
        if HEADINGS.search(title.lstrip("#. 0123456789")) or RETIRED.search(title)
    } == {}


def test_a_title_in_retired_words_is_noticed() -> None:
    assert HEADINGS.search("Who comes to a line decides what it calls below")
    assert HEADINGS.search("A pack is told in the order of its files")


def test_python_says_nothing_in_retired_words(root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{line}: {word}"
        for path in sorted((root / "src" / "mu").rglob("*.py"))
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


def test_no_docstring_leaves_its_verb_out(root: Path) -> None:
    """`Tell whether a file changed`, `True if it did`; never a clause, as in `Whether it did`."""
    found = [
        f"{path.relative_to(root)}:{line}: {name}"
        for path in sorted((root / "src" / "mu").rglob("*.py"))
        for line, name, text in _docstrings(path.read_text(encoding="utf-8"))
        if CLAUSE.search(text)
    ]

    assert found == []


@pytest.mark.parametrize("text", ["Whether it is open.", "Close it; whether it was open."])
def test_a_docstring_without_its_verb_is_noticed(text: str) -> None:
    ((_, name, found),) = _docstrings(f'def f() -> bool:\n    """{text}"""\n')

    assert name == "f"
    assert CLAUSE.search(found)


def _docstrings(source: str) -> Iterator[tuple[int, str, str]]:
    """Line, name and docstring of a module and of all that is defined in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text is not None:
                line = getattr(node, "lineno", 1)
                yield line, getattr(node, "name", "the module"), " ".join(text.split())


def _strings(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((node.lineno, match[0]) for match in RETIRED.finditer(node.value))
