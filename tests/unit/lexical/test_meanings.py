"""Tokens of a text are told the words of a question that they say."""

import pytest

from mu.lexical import IDENTIFIER, Meanings


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("auth", {0: 1.0}),
        ("AuthService", {0: 1.0}),
        ("authenticate", {0: 0.85}),
        ("author", {}),
        ("redirected_ids", {1: 0.9, 2: 0.9}),
        ("id", {2: 1.0}),
        ("idle", {}),
        ("x", {}),
    ],
)
def test_a_token_says_the_words_that_its_parts_are_variants_of(
    token: str, said: dict[int, float]
) -> None:
    assert dict(Meanings(["auth", "redirects", "id"])[token]) == said


def test_every_word_that_a_part_answers_is_told() -> None:
    assert [place for place, _ in Meanings(["route", "routes"])["routing"]] == [0, 1]


def test_identifiers_have_letters_and_two_signs_at_least() -> None:
    assert IDENTIFIER.findall("for x in größe_2: 12 + a1 3d") == ["for", "in", "größe_2", "a1"]
