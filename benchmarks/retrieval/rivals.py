"""What retrieval is held against: each ranks the files of a snapshot for a text.

All of them see the same files, words split alike and stemmed, so that what differs is the ranking.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import snowballstemmer

from mu.lexical import content_words, split_words
from mu.model.relation import Relation
from mu.operations.workspace import Workspace

_K1, _B = 1.2, 0.75
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STEMMER = snowballstemmer.stemmer("english")
_MOST_SHARED = 50

_USES = """
SELECT DISTINCT near.path, site.name, count(*) FROM site JOIN file AS near ON near.key = site.file
WHERE site.kind IN ('call', 'base', 'annotation', 'value', 'decorator') GROUP BY ALL
"""
_DEFINED = """
SELECT DISTINCT place.path, node.name FROM node JOIN file AS place ON place.key = node.file
WHERE node.kind IN ('class', 'function')
"""


def words_of(text: str) -> list[str]:
    """Split a text into stems, identifiers into their parts."""
    parts = [part for word in _WORD.findall(text) for part in split_words(word)]
    return [stem for stem in _STEMMER.stemWords(parts) if len(stem) > 1]


def asked_words(text: str) -> list[str]:
    """Give the stems of a question that mean something."""
    return list(dict.fromkeys(words_of(" ".join(content_words(split_words(text))))))


class Bm25:
    """BM25 (Robertson and Zaragoza 2009) over whole texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._counts = {name: Counter(words_of(text)) for name, text in texts.items()}
        self._lengths = {name: counts.total() for name, counts in self._counts.items()}
        self._mean = sum(self._lengths.values()) / max(len(texts), 1)
        self._holders = Counter(word for counts in self._counts.values() for word in counts)

    def rank(self, text: str) -> list[str]:
        """Give the names of the texts that say any of the words, the best first."""
        words = asked_words(text)
        scores = {name: self._score(name, words) for name in self._counts}
        return sorted((name for name in scores if scores[name]), key=lambda n: (-scores[n], n))

    def _score(self, name: str, words: Sequence[str]) -> float:
        counts, length = self._counts[name], self._lengths[name]
        norm = _K1 * (1 - _B + _B * length / self._mean)
        return sum(
            self.rarity(word) * counts[word] * (_K1 + 1) / (counts[word] + norm)
            for word in words
            if word in counts
        )

    def rarity(self, word: str) -> float:
        """Give the inverse document frequency of a word."""
        held = self._holders[word]
        return math.log(1 + (len(self._counts) - held + 0.5) / (held + 0.5))


def grep(texts: Mapping[str, str], text: str) -> list[str]:
    """Rank files by how many words of a question they hold, then by how often."""
    words = [word for word in content_words(split_words(text)) if len(word) > 2]
    lowered = {name: content.lower() for name, content in texts.items()}
    found = {
        name: (
            sum(word in content for word in words),
            sum(content.count(word) for word in words),
        )
        for name, content in lowered.items()
    }
    return sorted((n for n in found if found[n][0]), key=lambda n: (-found[n][0], -found[n][1], n))


class RepositoryMap:
    """PageRank over files that name each other's definitions, begun at what a question says.

    As in aider's repository map: an edge from a file to each that defines a name it uses, weighing
    the square root of how often, ten times as much for names that the question has words of; the
    walk begins at files whose path or definitions the question has words of.
    """

    def __init__(self, workspace: Workspace, files: Sequence[str]) -> None:
        graph = workspace.graph
        self._files = set(files)
        self._defined: dict[str, list[str]] = defaultdict(list)
        for path, name in graph.run(Relation(_DEFINED), limit=None).rows:
            if path in self._files:
                self._defined[str(name)].append(str(path))
        self._uses = [
            (str(path), str(name), int(str(count)))
            for path, name, count in graph.run(Relation(_USES), limit=None).rows
            if path in self._files and 0 < len(self._defined.get(str(name), ())) <= _MOST_SHARED
        ]
        self._stems = {name: set(words_of(name)) for name in self._defined}

    def rank(self, text: str) -> list[str]:
        """Give all files, the best first."""
        asked = set(asked_words(text))
        weights: dict[tuple[str, str], float] = defaultdict(float)
        for path, name, count in self._uses:
            is_meant = bool(self._stems[name] & asked)
            for target in self._defined[name]:
                weight = math.sqrt(count) * (10 if is_meant else 1) / len(self._defined[name])
                weights[path, target] += weight
        start: dict[str, float] = {path: len(asked & set(words_of(path))) for path in self._files}
        for name, places in self._defined.items():
            for place in places:
                start[place] += len(self._stems[name] & asked) / len(self._stems[name] or "x")
        ranks = _page_rank(weights, start)
        return sorted(ranks, key=lambda path: (-ranks[path], path))


def _page_rank(
    weights: Mapping[tuple[str, str], float], start: Mapping[str, float]
) -> dict[str, float]:
    """Give the PageRank of each file in `start` (damping 0.85), by 50 steps of the power method."""
    whole = sum(start.values())
    begin = {path: value / whole if whole else 1 / len(start) for path, value in start.items()}
    totals: dict[str, float] = defaultdict(float)
    for (source, _), weight in weights.items():
        totals[source] += weight
    ranks = dict(begin)
    for _ in range(50):
        stuck = sum(rank for path, rank in ranks.items() if path not in totals)
        following = {path: (0.15 + 0.85 * stuck) * share for path, share in begin.items()}
        for (source, target), weight in weights.items():
            following[target] += 0.85 * ranks[source] * weight / totals[source]
        ranks = following
    return ranks
