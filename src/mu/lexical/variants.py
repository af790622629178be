"""Word variants: the words of a graph that match a query word, by their stem or their family.

Endings are removed by the Snowball stemmer for English (Porter 2, snowballstem.org), to which
`data/english.toml` has exceptions, and by a rule of our own for agent nouns (`loader` and `load`),
which that stemmer leaves alone. Families are words of one meaning, with their abbreviations:
`auth` matches `authentication`, and never `author`.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol

import msgspec

SAME, ENDING, FAMILY, DOER = 1.0, 0.9, 0.85, 0.75
"""Factors of a match: the word itself, another ending, a word of its family, an agent noun."""

_SHORT = 4
"""Shorter words match no other endings than the plural `s`: `ids` is `id`, `used` is not `us`."""

_DOER = re.compile(r"(?P<base>\w{4,}?)(?:er|or)s?")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the package's name


@dataclass(frozen=True, slots=True)
class Variant:
    """A word that matches another, and the factor of the match, at most 1."""

    word: str
    factor: float


@dataclass(frozen=True, slots=True)
class English:
    """The data file: filler words, exceptions to the stemmer, and the family of each word."""

    fillers: frozenset[str]
    stems: tuple[str, ...]
    families: dict[str, frozenset[str]]


def variants(word: str, vocabulary: Iterable[str]) -> list[Variant]:
    """Return the words of `vocabulary` that match `word` (in lower case), the best first."""
    roots = _roots(word)
    found = []
    for candidate in vocabulary:
        factor = max(_likeness(candidate, root) * weight for root, weight in roots.items())
        if factor:
            found.append(Variant(candidate, factor))
    return sorted(found, key=lambda variant: (-variant.factor, variant.word))


def prefixes(word: str) -> list[str]:
    """Return prefixes of which every variant of `word` has one."""
    return sorted({prefix for root in _roots(word) for prefix in _prefixes(root)})


def content_words(words: Iterable[str]) -> list[str]:
    """Remove fillers, unless there is nothing else, and repeated words."""
    distinct = list(dict.fromkeys(words))
    kept = [word for word in distinct if word not in english().fillers]
    return kept or distinct


@cache
def english() -> English:
    """Read the data file."""
    from importlib.resources import files  # not needed by workers, which only weigh words

    text = files("mu.lexical").joinpath("data/english.toml").read_text(encoding="utf-8")
    table = msgspec.toml.decode(text, type=dict[str, str | list[str]])
    families: dict[str, frozenset[str]] = {}
    for line in table["families"]:
        members = frozenset(line.split())
        for member in members:
            families[member] = families.get(member, frozenset()) | members
    stems = sorted(str(table["stems"]).split(), key=len, reverse=True)
    return English(frozenset(str(table["fillers"]).split()), tuple(stems), families)


def _roots(word: str) -> dict[str, float]:
    """Return the word and its family, with the factor of each."""
    families = english().families
    family = families.get(word)
    if family is None and len(word) >= _SHORT:
        stem = _stem(word)
        family = next((families[name] for name in families if _stem(name) == stem), None)
    return {**dict.fromkeys(sorted(family or ()), FAMILY), word: SAME}


def _likeness(word: str, root: str) -> float:
    if word == root:
        return SAME
    if len(root) < _SHORT or len(word) < _SHORT:
        return ENDING if word == f"{root}s" or root == f"{word}s" else 0.0
    stem, other = _stem(word), _stem(root)
    if stem == other:
        return ENDING
    bases, others = _doer_stems(word), _doer_stems(root)
    return DOER if stem in others or other in bases or bases & others else 0.0


def _prefixes(root: str) -> set[str]:
    if len(root) < _SHORT:
        return {root.removesuffix("s") or root}
    stems = {_stem(root), *_doer_stems(root)}
    return {stem[:-1] if stem.endswith("i") else stem for stem in stems}


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    own = next((stem for stem in english().stems if word.startswith(stem)), None)
    return own or _stemmer()().stemWord(word)


@lru_cache(maxsize=50_000)
def _doer_stems(word: str) -> frozenset[str]:
    """Return stems of the verb behind an agent noun, `writ` for `writer`; none for other words."""
    match = _DOER.fullmatch(word)
    if not match or word.startswith(english().stems):
        return frozenset()
    return frozenset((_stem(match["base"]), _stem(match["base"] + "e")))


@cache
def _stemmer() -> Callable[[], "_Stemmer"]:
    """Return the class of the English stemmer; the package itself would load thirty languages.

    A stemmer stores the word that it works on, so each word gets a new one: tools of an agent and
    requests to a server use it from several threads at once.
    """
    from snowballstemmer import english_stemmer  # type: ignore[import-untyped]  # it has no types

    stemmer: Callable[[], _Stemmer] = english_stemmer.EnglishStemmer
    return stemmer
