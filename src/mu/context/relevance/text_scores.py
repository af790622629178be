"""Score definitions and files for a question by all that their text says.

The index has of a body the names it uses, once each; what a text says else, and how often, is read
off the files themselves, of those alone that may be meant. A text is what a definition says itself,
without the definitions in it. Files are scored by their best definitions, each counting half as
much as the one before, and as a whole, both by BM25 (Robertson and Zaragoza 2009).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mu.analysis.node_search.word_search import Asked
from mu.lexical import IDENTIFIER, Meanings
from mu.model.relation import Relation
from mu.store import GraphFile

Lines = Callable[[Sequence[str]], Mapping[str, Sequence[str]]]
"""Gives the lines of those files that are as they were when the graph was built."""

_NEXT = 0.5
"""What a definition counts for beside the one before it in its file."""

_BEST = 5
"""So many definitions of a file count."""

_OWN = (2.0, 0.5)
_WHOLE = (3.0, 0.5)
"""k1 and b of BM25, for definitions and for whole files."""

_LARGEST = 300_000
"""Characters of a text that are read; a larger one is data."""

_SPANS = """
SELECT place.path, node.key, node.start_line, node.end_line
FROM node JOIN file AS place ON place.key = node.file
WHERE list_contains($1::VARCHAR[], place.path) AND node.kind IN ('module', 'class', 'function')
ORDER BY place.path, node.start_line, node.end_line DESC, node.key
"""

Name = TypeVar("Name", int, str)

Span = tuple[int, int, int]
"""The key of a definition, its first and its last line."""


@dataclass(frozen=True, slots=True)
class TextScores:
    """What texts say: by keys of definitions; by path for the best of these, and for all of it."""

    nodes: Mapping[int, float]
    parts: Mapping[str, float]
    wholes: Mapping[str, float]


NO_TEXTS = TextScores({}, {}, {})


@dataclass(frozen=True, slots=True)
class _Text:
    """How often a text says each of the words, by their places; and how many tokens it has."""

    said: Mapping[int, float]
    length: int


def no_lines(paths: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Give the lines of no file."""
    return dict.fromkeys(paths[:0], ())


def score_texts(
    graph: GraphFile,
    asked: Sequence[Asked],
    *,
    paths: Sequence[str],
    weights: Sequence[float],
    lines: Lines,
) -> TextScores:
    """Score the definitions of some files, and these; `weights` are those of the words asked."""
    meanings = Meanings([word.word for word in asked])
    values = [word.rarity * weight for word, weight in zip(asked, weights, strict=True)]
    spans: dict[str, list[Span]] = defaultdict(list)
    for path, *span in graph.run(Relation(_SPANS, (list(paths),)), limit=None).rows:
        key, first, last = (int(str(cell)) for cell in span)
        spans[str(path)].append((key, first, last))
    texts = {
        path: _read(text, spans[path], meanings)
        for path, text in lines(paths).items()
        if spans[path]
    }
    nodes = _bm25({k: text for own in texts.values() for k, text in own.items()}, values, *_OWN)
    wholes = {path: _together(own.values()) for path, own in texts.items()}
    parts = {path: _best(nodes.get(key, 0.0) for key in own) for path, own in texts.items()}
    return TextScores(nodes, parts, _bm25(wholes, values, *_WHOLE))


def own_lines(spans: Sequence[Span], count: int) -> Iterator[tuple[int, int, int]]:
    """Share out the lines from 1 to `count`: to each span what no later one in it has.

    Spans are in the order of their first lines, outer ones first. Gives (key, first, last).
    """
    outer: list[Span] = []
    line = 1
    for span in [*spans, (-1, count + 1, count + 1)]:
        while outer and outer[-1][2] < span[1]:
            key, _, last = outer.pop()
            if line <= last:
                yield key, line, last
            line = max(line, last + 1)
        if outer and line < span[1]:
            yield outer[-1][0], line, span[1] - 1
        line = max(line, span[1])
        outer.append(span)


def _read(lines: Sequence[str], spans: Sequence[Span], meanings: Meanings) -> dict[int, _Text]:
    pieces: dict[int, list[str]] = {key: [] for key, _, _ in spans}
    left = _LARGEST
    for key, first, last in own_lines(spans, len(lines)):
        text = "\n".join(lines[first - 1 : last])[:left]
        left -= len(text)
        pieces[key].append(text)
    return {key: _count("\n".join(texts), meanings) for key, texts in pieces.items()}


def _count(text: str, meanings: Meanings) -> _Text:
    tokens = Counter(IDENTIFIER.findall(text))
    said: dict[int, float] = {}
    for token, count in tokens.items():
        for place, factor in meanings[token]:
            said[place] = said.get(place, 0.0) + factor * count
    return _Text(said, tokens.total())


def _together(texts: Iterable[_Text]) -> _Text:
    said: defaultdict[int, float] = defaultdict(float)
    length = 0
    for text in texts:
        length += text.length
        for place, count in text.said.items():
            said[place] += count
    return _Text(said, length)


def _bm25(
    texts: Mapping[Name, _Text], values: Sequence[float], k1: float, b: float
) -> dict[Name, float]:
    mean = sum(text.length for text in texts.values()) / max(len(texts), 1) or 1.0
    scores = {}
    for name, text in texts.items():
        slope = k1 * (1 - b + b * text.length / mean)
        scores[name] = sum(
            values[place] * count / (count + slope) for place, count in text.said.items()
        )
    return scores


def _best(scores: Iterable[float]) -> float:
    first = sorted(scores, reverse=True)[:_BEST]
    return sum(score * _NEXT**place for place, score in enumerate(first))
