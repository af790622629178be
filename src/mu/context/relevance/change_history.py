"""What the history of a repository says about a question.

Who asks for what is wrong asks in words like those in which changes were told before: files that
were changed under such words are near (as in bug localization by similar reports, Zhou, Zhang and
Lo 2012, "Where should the bugs be fixed?", the score SimiScore). And how often changes say a word
tells how little it means in a report: `fix` and `when` are rare in code.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from mu.analysis.node_search.word_search import Asked, Vocabulary, understand
from mu.lexical import split_words
from mu.source.git.recent_changes import Change

_MOST_FILES = 20
"""A change of more files says little about each."""

_SIMILAR = 30
"""So many changes are taken for similar."""

_FEWEST = 100
"""Of less changes nothing can be said about words."""

_SATURATION, _SLOPE = 1.2, 0.75

_LEAST_WEIGHT, _FULL_WEIGHT = 0.2, 4.0
"""What a word counts for at least, and the idf in changes from which it counts in full."""


class Changes:
    """The words of changes, and the files they changed."""

    def __init__(self, changes: Sequence[Change]) -> None:
        told = [change for change in changes if 0 < len(change.paths) <= _MOST_FILES]
        self._paths = [change.paths for change in told]
        self._said: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths = []
        for number, change in enumerate(told):
            counts = Counter(split_words(change.message))
            self._lengths.append(counts.total())
            for word, count in counts.items():
                self._said[word].append((number, count))
        words = tuple(sorted(self._said))
        counted = tuple(len(self._said[word]) for word in words)
        self._vocabulary = Vocabulary(words, counted, len(told))

    def weights(self, asked: Sequence[Asked]) -> list[float]:
        """Give what each word counts for in a report: at most 1, less if most changes say it."""
        if len(self._paths) < _FEWEST:
            return [1.0] * len(asked)
        rarities = [understand(one.word, self._vocabulary).rarity for one in asked]
        return [min(1.0, max(_LEAST_WEIGHT, rarity / _FULL_WEIGHT)) for rarity in rarities]

    def similar(self, asked: Sequence[Asked]) -> dict[str, float]:
        """Score files by the changes of them that were told in such words."""
        scores: defaultdict[int, float] = defaultdict(float)
        mean = sum(self._lengths) / max(len(self._lengths), 1) or 1.0
        for one in asked:
            word = understand(one.word, self._vocabulary)
            counts: defaultdict[int, float] = defaultdict(float)
            for text, factor in word.answers.items():
                for number, count in self._said[text]:
                    counts[number] += factor * count
            for number, amount in counts.items():
                slope = 1 - _SLOPE + _SLOPE * self._lengths[number] / mean
                scores[number] += word.rarity * amount / (amount + _SATURATION * slope)
        first = sorted(scores, key=lambda number: (-scores[number], number))[:_SIMILAR]
        found: defaultdict[str, float] = defaultdict(float)
        for number in first:
            share = (scores[number] / scores[first[0]]) ** 2
            for path in self._paths[number]:
                found[path] += share / math.sqrt(len(self._paths[number]))
        return dict(found)


NO_CHANGES = Changes(())
"""Of a folder without a history."""
