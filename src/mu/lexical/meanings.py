"""Matching of the tokens of a text against the words of a query, once for each distinct token.

A text has tens of thousands of tokens, few of which match. Tokens that share their first letters
with no variant of a query word are rejected by these letters alone, and never stemmed.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from mu.lexical.variants import prefixes, variants
from mu.lexical.words import split_words

IDENTIFIER = re.compile(r"[^\W\d]\w+")
"""A token: a word, or an identifier of several words."""

_HEAD = 3
"""The number of first letters that are compared before anything is stemmed."""


Meaning = tuple[tuple[int, float], ...]
"""The query words that a token matches: (index of the word, factor of the match)."""


class Meanings(dict[str, Meaning]):
    """The query words that each token matches, found when the token is first looked up."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__()
        self._parts = _Parts(words)

    def __missing__(self, token: str) -> Meaning:
        said = [self._parts[part] for part in split_words(token)]
        self[token] = found = tuple([one for meant in said for one in meant])
        return found


class _Parts(dict[str, Meaning]):
    """The query words that each part of a token matches."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__()
        self._by_head: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for place, word in enumerate(words):
            for head in {prefix[:_HEAD] for prefix in prefixes(word)}:
                self._by_head[head].append((place, word))

    def __missing__(self, part: str) -> Meaning:
        heads = {part[:length] for length in range(1, _HEAD + 1)}
        asked = [one for head in heads for one in self._by_head.get(head, ())]
        self[part] = found = tuple(
            [(place, one.factor) for place, word in asked for one in variants(word, (part,))]
        )
        return found
