"""Hostile and half-right source text, for properties that must hold for any."""

from pathlib import Path

from hypothesis import strategies as st
from judging.format import read_corpora

CASES = read_corpora(Path(__file__).parents[1] / "corpora")
SOURCES = sorted({text for case in CASES for text in case.files.values() if text})

_KEYWORDS = (
    "def class async await lambda for in if else try except with as import from return yield "
    "global nonlocal del match case self super() x y Thing 1"
)
_SIGNS = '( ) [ ] { } : , . = := -> @ * ** == """ \' f\' \\ # ; __all__ += é 𝕏'
_SPACES = ("\n", "\n    ", "\n        ", "\n\t", " ", "\r", "\0", "\ufeff", "\u2028")
_WORDS = (*_KEYWORDS.split(), *_SIGNS.split(), *_SPACES)


def broken_sources() -> st.SearchStrategy[str]:
    """Sources of the corpora, cut, glued and with words thrown in."""
    source = st.integers(0, len(SOURCES) - 1).map(_source)
    return st.builds(_splice, source, source, st.lists(_splices(), max_size=4))


def word_soups() -> st.SearchStrategy[str]:
    """Words of the language in any order."""
    return st.lists(st.sampled_from(_WORDS), max_size=60).map(" ".join)


def any_bytes() -> st.SearchStrategy[bytes]:
    """Bytes of every sort: noise, text in no language, broken and whole sources."""
    texts = st.one_of(broken_sources(), word_soups(), st.text(max_size=200))
    return st.one_of(st.binary(max_size=300), texts.map(_encode))


def _source(place: int) -> str:
    return SOURCES[place]


def _splices() -> st.SearchStrategy[tuple[float, str]]:
    return st.tuples(st.floats(0, 1), st.sampled_from(_WORDS))


def _splice(first: str, second: str, words: list[tuple[float, str]]) -> str:
    text = first + second
    for place, word in words:
        at = int(place * len(text))
        text = f"{text[:at]}{word}{text[at + len(word) :]}"
    return text


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
