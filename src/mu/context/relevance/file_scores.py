"""Rank files for a question: by the nodes in them, and by what they say as a whole.

A file is as good as its best nodes, each half as much as the one before; and as good as BM25 says
(Robertson and Zaragoza 2009) of all its nodes taken for one text, how often it says a word being
the sum of the weights that the index has. The constants were chosen on cases made from the fixes of
eight projects (`benchmarks/retrieval`), and held against others.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from mu.analysis.node_search.word_search import Asked
from mu.context.relevance.change_history import NO_CHANGES, Changes
from mu.context.relevance.text_scores import NO_TEXTS, Lines, TextScores, no_lines, score_texts
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

_WHOLE = 0.6
"""The share of a file's score that is what it says as a whole."""

_NEXT = 0.5
"""What a node counts for beside the one before it in its file."""

_SATURATION = 100.0
"""The k1 of BM25, in the steps of the index's weights."""

_SLOPE = 0.75

_READ = 40
"""So many files are read, the best by the index and by history: of 30 to 100 none did better."""

_INDEXED, _PARTS, _TEXT, _SIMILAR = 1.4, 1.8, 1.4, 1.0
"""What counts for a file, each from 0 to 1: what the index says, the best definitions by their
text, all of its text, and changes that were told alike. Where no text was read it is taken to say
what the index says.
"""

_REACHED = 0.2
"""What the nodes that edges led to count for beside all that is said."""

_NAMED = 3.0
"""What it counts for beside them to hold what the question names."""

_SAID = """
WITH posting AS (
    SELECT asked.term, asked.value, unnest(word.nodes) AS node, unnest(word.weights) AS weight
    FROM asked JOIN word ON word.text = asked.word
), said AS (
    SELECT file, term, sum(weight * value) AS amount
    FROM posting JOIN node ON node.key = posting.node
    WHERE NOT is_test AND kind NOT IN ('document', 'section') GROUP BY ALL
), size AS (
    SELECT file, count(*) AS nodes FROM node
    WHERE NOT is_test AND kind NOT IN ('document', 'section') GROUP BY file
)
SELECT place.path, term, amount, nodes, (SELECT avg(nodes) FROM size), (SELECT count(*) FROM size)
FROM said JOIN size USING (file) JOIN file AS place ON place.key = said.file
WHERE place.category = 'source'
"""


@dataclass(frozen=True, slots=True)
class Repository:
    """What a repository has beside its graph; by default nothing."""

    lines: Lines = no_lines
    changes: Changes = NO_CHANGES


NOTHING = Repository()


@dataclass(frozen=True, slots=True)
class FileScores:
    """The scores of files, from 0 to 1, by path; and what the texts say that were read for them."""

    scores: Mapping[str, float]
    texts: TextScores = NO_TEXTS


def score_files(
    graph: GraphFile,
    asked: Sequence[Asked],
    *,
    nodes: Sequence[tuple[str, float]],
    named: Mapping[str, float] = MappingProxyType({}),
    repository: Repository = NOTHING,
) -> FileScores:
    """Score files by the (path, score) of nodes, the best first, by words, texts and history.

    `named` are the files of what the question names, with their shares of the name.
    """
    by_nodes = _scaled(_by_nodes(nodes))
    if not asked:
        return FileScores(by_nodes)
    by_words = _scaled(_by_words(graph, asked))
    indexed = _scaled(
        {
            path: (1 - _WHOLE) * by_nodes.get(path, 0.0) + _WHOLE * by_words.get(path, 0.0)
            for path in {**by_nodes, **by_words}
        }
    )
    changes = repository.changes
    similar = _scaled(changes.similar(asked))
    first = {path: indexed[path] + similar.get(path, 0.0) for path in by_words}
    texts = score_texts(
        graph,
        asked,
        paths=sorted(first, key=lambda path: (-first[path], path))[:_READ],
        weights=changes.weights(asked),
        lines=repository.lines,
    )
    parts, wholes = _scaled(texts.parts), _scaled(texts.wholes)
    fused = {
        path: _INDEXED * score
        + _PARTS * parts.get(path, score)
        + _TEXT * wholes.get(path, score)
        + _SIMILAR * similar.get(path, 0.0)
        + _NAMED * named.get(path, 0.0)
        for path, score in indexed.items()
    }
    return FileScores(_scaled(fused), texts)


def add_nodes(scores: Mapping[str, float], nodes: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Add to the scores of files what the (path, score) of nodes say that edges led to."""
    by_nodes = _scaled(_by_nodes(nodes))
    return {
        path: scores.get(path, 0.0) + _REACHED * by_nodes.get(path, 0.0)
        for path in {**scores, **by_nodes}
    }


def _by_nodes(nodes: Sequence[tuple[str, float]]) -> dict[str, float]:
    scores: dict[str, float] = defaultdict(float)
    seen: Counter[str] = Counter()
    for path, score in nodes:
        scores[path] += score * _NEXT ** seen[path]
        seen[path] += 1
    return scores


def _by_words(graph: GraphFile, asked: Sequence[Asked]) -> dict[str, float]:
    rows: list[tuple[Cell, ...]] = [
        (term, text, factor)
        for term, word in enumerate(asked)
        for text, factor in word.answers.items()
    ]
    given = Input("asked", ("term", "word", "value"), ("INTEGER", "VARCHAR", "DOUBLE"), rows)
    said = graph.run(Relation(_SAID, (), inputs=(given,)), limit=None).rows
    holders = Counter(str(row[1]) for row in said)
    scores: dict[str, float] = defaultdict(float)
    for path, term, *numbers in said:
        amount, nodes, mean, files = (float(str(number)) for number in numbers)
        held = holders[str(term)]
        rarity = math.log(1 + (files - held + 0.5) / (held + 0.5))
        length = _SATURATION * (1 - _SLOPE + _SLOPE * nodes / mean)
        scores[str(path)] += rarity * amount / (amount + length)
    return scores


def _scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """Divide by the greatest."""
    most = max(scores.values(), default=1.0)
    return {name: score / most for name, score in scores.items()}
