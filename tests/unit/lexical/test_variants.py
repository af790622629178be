"""Which words answer a word, and which must not."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from mu.lexical import content_words, prefixes, variants
from mu.lexical.variants import _stem, english

WORDS = [
    "auth",
    "author",
    "authors",
    "authentication",
    "authenticate",
    "authenticated",
    "authorization",
    "authorize",
    "authority",
    "route",
    "routes",
    "router",
    "routing",
    "routine",
    "register",
    "registered",
    "registration",
    "registry",
    "register_url",
    "config",
    "configuration",
    "configure",
    "settings",
    "set",
    "database",
    "db",
    "databases",
    "message",
    "msg",
    "user",
    "users",
    "use",
    "used",
    "header",
    "head",
    "load",
    "loaded",
    "loader",
    "loading",
    "id",
    "ids",
    "idea",
    "handler",
    "handle",
    "query",
    "queries",
    "queryset",
]


@pytest.mark.parametrize(
    ("word", "found", "left_out"),
    [
        ("auth", {"authentication", "authenticate", "authorization"}, {"author", "authority"}),
        ("authentication", {"auth", "authenticated"}, {"author", "authorization"}),
        ("author", {"authors"}, {"auth", "authorize", "authority", "authentication"}),
        ("authorize", {"authorization", "auth"}, {"author", "authority"}),
        ("routes", {"route", "router", "routing"}, {"routine"}),
        ("registered", {"register", "registration", "registry"}, set()),
        ("configuration", {"config", "configure", "settings"}, {"set"}),
        ("db", {"database", "databases"}, set()),
        ("messages", {"msg", "message"}, set()),
        ("load", {"loads", "loaded", "loader", "loading"} & set(WORDS), set()),
        ("loader", {"load", "loading"}, set()),
        ("use", {"used"} & set(), {"user", "users"}),
        ("head", set(), {"header"}),
        ("ids", {"id"}, {"idea"}),
        ("queries", {"query"}, {"queryset"}),
    ],
)
def test_a_word_is_answered_by_its_forms_and_its_family(
    word: str, found: set[str], left_out: set[str]
) -> None:
    answers = {variant.word for variant in variants(word, WORDS)}

    assert found <= answers
    assert not left_out & answers


def test_the_word_itself_counts_most() -> None:
    first, *others = variants("auth", WORDS)

    assert (first.word, first.factor) == ("auth", 1.0)
    assert all(0 < other.factor < 1 for other in others)


@pytest.mark.parametrize("word", WORDS)
def test_every_variant_begins_with_one_of_the_prefixes(word: str) -> None:
    starts = tuple(prefixes(word))

    assert all(variant.word.startswith(starts) for variant in variants(word, WORDS))


def test_words_that_only_ask_are_left_out_unless_they_are_all() -> None:
    assert content_words(["what", "handles", "auth", "auth"]) == ["auth"]
    assert content_words(["get", "all"]) == ["get", "all"]


def test_the_data_has_no_family_of_one() -> None:
    assert all(len(family) > 1 for family in english().families.values())


def test_several_threads_may_ask_at_once() -> None:
    words = [f"{first}{second}{word}" for first in "abcdef" for second in "aeiou" for word in WORDS]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            together = list(threads.map(prefixes, words))
    finally:
        sys.setswitchinterval(interval)
    _stem.cache_clear()  # what is wrong is remembered, too

    assert together == [prefixes(word) for word in words]
