"""Which words of a question a text says, told by each of its tokens once.

A text has tens of thousands of tokens, of which few are asked for: what begins like none of the
words is known by its first letters not to be one, and is never stemmed.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from mu.lexical.variants import prefixes, variants
from mu.lexical.words import split_words

IDENTIFIER = re.compile(r"[^\W\d]\w+")
"""A token: a word, or an identifier of several."""

_HEAD = 3


Meaning = tuple[tuple[int, float], ...]
"""The words that something says: their places, and what each counts for."""


class Meanings(dict[str, Meaning]):
    """For each token that is looked up the words it says."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__()
        self._parts = _Parts(words)

    def __missing__(self, token: str) -> Meaning:
        said = [self._parts[part] for part in split_words(token)]
        self[token] = found = tuple([one for meant in said for one in meant])
        return found


class _Parts(dict[str, Meaning]):
    """The same for each part of a token."""

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
