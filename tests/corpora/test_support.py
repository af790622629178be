"""The table of languages is what the corpora say, and every language has the same pages."""

import pytest
from judging.format import parse_page, read_corpora
from judging.support import CORE, CORPORA, PAGE, gaps_of, page, says_what_is_not

from mu.syntax import load_manifests

CASES = read_corpora(CORPORA)
LANGUAGES = load_manifests()


def test_the_table_of_languages_is_what_the_corpora_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(CASES, LANGUAGES), "out of date; run: make docs"


@pytest.mark.parametrize("feature", CORE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_what_is_and_what_is_not_found(language: str, feature: str) -> None:
    cases = [case for case in CASES if (case.language, case.feature) == (language, feature)]

    assert cases, f"there is no page {language}/{feature}.md"
    assert any(says_what_is_not(case) for case in cases)


def test_every_page_is_of_a_language() -> None:
    assert {case.language for case in CASES} == set(LANGUAGES)


def test_a_gap_is_told_with_its_reason() -> None:
    (case,) = parse_page(
        "# A\n\n```python a.py\nf()\n```\n\n```edges\n"
        "calls mod:a.py -> fn:a.py:f  # gap: never\n```\n",
        language="python",
        feature="calls",
    )

    assert gaps_of(case) == ["never"]
    assert not says_what_is_not(case)
    text = page([case], LANGUAGES)
    assert "| calls |  |  |  | yes, but for 1 |" in text
    assert "- python, calls, *A*: never" in text
