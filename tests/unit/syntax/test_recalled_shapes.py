"""What a process learned of a language is recalled by the next one: the same facts, no query."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from mu.syntax import Extractor
from mu.syntax.grammars.grammar import load_grammar, read_grammar
from unit.syntax.test_pattern_matcher import ODD, ODD_SCRIPT, SPELLED

TEXTS = {
    "python": Path(ast.__file__).read_bytes() + ODD.encode(),
    "typescript": ODD_SCRIPT.encode(),
    **{language: text.encode() for language, text in SPELLED.items()},
}


@pytest.fixture
def forgotten() -> Iterator[None]:
    """No grammar is known, as in a new process."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    load_grammar.cache_clear()
    read_grammar.cache_clear()


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize("language", TEXTS)
def test_what_was_learned_gives_the_same_facts_and_asks_nothing(language: str) -> None:
    first, second = Extractor(), Extractor()
    facts = first.extract(TEXTS[language], language)
    learned = first.encode_new_shapes(language)
    _forget()

    second.restore_shapes(language, learned)
    recalled = second.extract(TEXTS[language], language)

    assert recalled == facts
    assert not second.encode_new_shapes(language)


@pytest.mark.usefixtures("forgotten")
def test_more_is_learned_beside_what_is_recalled() -> None:
    first, second, third = Extractor(), Extractor(), Extractor()
    first.extract(b"def f(): pass\n", "python")
    learned = first.encode_new_shapes("python")
    _forget()

    second.restore_shapes("python", learned)
    facts = second.extract(TEXTS["python"], "python")
    more = second.encode_new_shapes("python")

    assert not second.encode_new_shapes("python")
    _forget()
    third.restore_shapes("python", more)
    assert third.extract(TEXTS["python"], "python") == facts
    assert not third.encode_new_shapes("python")
    _forget()
    assert Extractor().extract(TEXTS["python"], "python") == facts


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize("learned", [b"", b"\x93", b"what?", b"\x80"])
def test_what_is_no_knowledge_is_ignored(learned: bytes) -> None:
    extractor = Extractor()

    extractor.restore_shapes("python", learned)

    assert extractor.extract(b"f()\n", "python").lines == 1
    assert extractor.encode_new_shapes("python")
