"""Apply the changed words of files to the postings of a graph."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from mu.model.graph import Posted

_Postings = dict[int, tuple[int, int]]
"""Weight and fields by node."""

_WordChanges = dict[str, tuple[_Postings, _Postings]]
"""The old and the new postings of each word that changed."""


def changed_words(said: Iterable[tuple[Sequence[Posted], Sequence[Posted]]]) -> _WordChanges:
    """Return the words with changed postings, in order, with those postings.

    `said` are the postings of each file before and after.
    """
    gone: defaultdict[str, _Postings] = defaultdict(dict)
    come: defaultdict[str, _Postings] = defaultdict(dict)
    for before, after in said:
        for rows, found in ((before, gone), (after, come)):
            for row in rows:
                found[row.word].update(_by_node(row))
    return {
        word: (gone[word], come[word])
        for word in sorted({*gone, *come})
        if gone[word] != come[word]
    }


def merged_postings(words: _WordChanges, known: Mapping[str, Posted]) -> list[Posted]:
    """Return the postings of changed words in the whole graph; words without any are omitted."""
    rows = (_merged(word, known.get(word), gone, come) for word, (gone, come) in words.items())
    return [row for row in rows if row.nodes]


def _by_node(row: Posted) -> _Postings:
    return dict(zip(row.nodes, zip(row.weights, row.fields, strict=True), strict=True))


def _merged(word: str, known: Posted | None, gone: _Postings, come: _Postings) -> Posted:
    """Return the postings of a word without the removed ones, and with the new ones."""
    postings = {} if known is None else _by_node(known)
    for node in gone:
        postings.pop(node, None)
    ordered = sorted((postings | come).items())
    return Posted(
        word,
        [node for node, _ in ordered],
        [weight for _, (weight, _) in ordered],
        [fields for _, (_, fields) in ordered],
    )
