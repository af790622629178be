"""Which pages fit a task or a search, by the words they have in common with it."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mu.agent.values import Record
from mu.agent.wiki.pages import Entry, singular, words_of
from mu.lexical.variants import content_words
from mu.lexical.words import split_words

TITLE_WEIGHT = 5.0
"""What a word in the title counts for, where one in the text counts 1."""

SHORTEST = 4
"""Letters of a word that says something of a task."""

_SATURATION = 1.5  # many hits in the text come to at most 2.5, so a title stands above them
_LENGTH = 0.75
_EXCERPTS = 3
_EXCERPT = 200


@dataclass(frozen=True, slots=True)
class Hit(Record):
    """A page that a search finds: how often the words stand in it, and lines in which they do."""

    path: str
    title: str
    category: str
    matches: int
    excerpts: tuple[str, ...]


def rank(entries: Sequence[Entry], task: str) -> list[tuple[float, Entry]]:
    """Give the pages that have a word of the task in common with it, with their scores.

    Words under four letters count nothing, rare words more than common ones. A word in the title
    counts five times one in the text; pages over the average length get less for each hit.
    """
    long = [word for word in split_words(task) if len(word) >= SHORTEST]
    words = list(dict.fromkeys(map(singular, content_words(long))))
    average = sum(entry.length for entry in entries) / max(1, len(entries))
    weights = {word: _rarity(entries, word) for word in words}
    scored = [
        (sum(weights[word] * _weight(entry, word, average) for word in words), entry)
        for entry in entries
    ]
    found = [row for row in scored if row[0] > 0]
    return sorted(found, key=lambda row: (-row[0], row[1].page.path))


def search(entries: Sequence[Entry], query: str, *, limit: int) -> tuple[Hit, ...]:
    """Find pages by words in any case: those with most of the words first, then most matches.

    What has no word in it, such as `(*`, is looked for as it stands.
    """
    words = content_words(words_of(query))
    pattern = re.compile(re.escape(query.strip()), re.IGNORECASE)
    if not query.strip():
        return ()
    found = []
    for entry in entries:
        matched = {word: _matches(entry, word) for word in words}
        distinct, total = sum(map(bool, matched.values())), sum(matched.values())
        if not words:
            distinct = total = len(pattern.findall(entry.page.content))
        if total:
            found.append((-distinct, -total, entry.page.path, entry))
    return tuple(
        Hit(path, e.page.title, e.page.category, -total, _excerpts(e, set(words), pattern))
        for _, total, path, e in sorted(found, key=lambda row: row[:3])[:limit]
    )


def _rarity(entries: Sequence[Entry], word: str) -> float:
    having = sum(1 for entry in entries if _matches(entry, word))
    return math.log(1 + (len(entries) - having + 0.5) / (having + 0.5))


def _weight(entry: Entry, word: str, average: float) -> float:
    hits = entry.counts[word]
    longer = max(1.0, 1 - _LENGTH + _LENGTH * entry.length / average) if average else 1.0
    in_text = hits * (_SATURATION + 1) / (hits + _SATURATION * longer) if hits else 0.0
    return in_text + TITLE_WEIGHT * (word in entry.title_words)


def _matches(entry: Entry, word: str) -> int:
    return entry.counts[word] + (word in entry.title_words)


def _excerpts(entry: Entry, words: set[str], pattern: re.Pattern[str]) -> tuple[str, ...]:
    lines = (" ".join(line.split()) for line in entry.page.content.splitlines())
    fitting = [
        line
        for line in lines
        if line and (words.intersection(words_of(line)) if words else pattern.search(line))
    ]
    return tuple(line[:_EXCERPT] for line in fitting[:_EXCERPTS])
