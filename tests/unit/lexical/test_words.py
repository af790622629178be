"""How text and identifiers are split."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mu.lexical import split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AuthService", ["auth", "service"]),
        ("auth_service", ["auth", "service"]),
        ("__get_item__", ["get", "item"]),
        ("HTTPServer", ["http", "server"]),
        ("parseURL", ["parse", "url"]),
        ("XMLHttpRequest", ["xml", "http", "request"]),
        ("sha256_hash", ["sha256", "hash"]),
        ("SHA256", ["sha256"]),
        ("MAX_SIZE", ["max", "size"]),
        ("what handles auth?", ["what", "handles", "auth"]),
        ("--dry-run /users/<id>", ["dry", "run", "users", "id"]),
        ("x = 1 + 42", []),
        ("Größe приёмник 設定", ["größe", "приёмник", "設定"]),
        ("a" * 41 + " kept", ["kept"]),
        ("", []),
    ],
)
def test_words_are_split_at_case_digits_and_signs(text: str, words: list[str]) -> None:
    assert split_words(text) == words


@given(st.text())
def test_words_are_in_lower_case_and_split_no_further(text: str) -> None:
    for word in split_words(text):
        assert word == word.lower()
        assert len(word) >= 2


@given(st.lists(st.from_regex("[a-z]{2,9}", fullmatch=True), min_size=1, max_size=5))
def test_snake_and_camel_case_are_the_same_words(words: list[str]) -> None:
    camel = "".join(word.capitalize() for word in words)
    assert split_words("_".join(words)) == split_words(camel) == words
