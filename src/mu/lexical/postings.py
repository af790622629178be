"""The index of words: for each word the nodes that say it, and how much it says of each.

The weight of a word in a node is the term frequency of BM25F (Robertson, Zaragoza, Taylor 2004):
frequencies in the fields of the node, each divided by how long the field is beside its usual
length, are added up before anything saturates. It is a small whole number, so that a posting takes
some four bytes; what depends on the question or on the whole graph is left to the query.

Lengths are held against constants and not against means over the graph, so that a node has the same
weights whatever else is in the graph. A build makes 850,000 postings of django in some two
seconds; that is why the inner loops call nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from enum import IntFlag
from itertools import chain

from mu.lexical.words import LONGEST, TOKEN
from mu.model.graph import Graph, Posted
from mu.model.kinds import NodeKind

SCALE = 8
"""Steps that a frequency of 1 is divided into."""

MOST = 255
"""The greatest weight: a byte."""


class Field(IntFlag):
    """Where in a node a word stands; a posting has all of them."""

    NAME = 1
    PATH = 2
    SIGNATURE = 4
    DOCSTRING = 8
    COMMENT = 16
    STRING = 32
    BODY = 64


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """How much a word counts in a field, and how many words the field usually has.

    `slope` is the b of BM25: 0 where the length of the field says nothing, 1 where a word counts
    for its share of the text alone.
    """

    weight: float
    length: float
    slope: float
    title: str


FIELDS = {
    Field.NAME: FieldWeight(6.0, 2.5, 0.6, "name"),
    Field.PATH: FieldWeight(3.0, 3.0, 0.4, "path"),
    Field.SIGNATURE: FieldWeight(1.0, 8.0, 0.6, "signature"),
    Field.DOCSTRING: FieldWeight(1.6, 20.0, 0.6, "docstring"),
    Field.COMMENT: FieldWeight(1.0, 20.0, 0.7, "comment"),
    Field.STRING: FieldWeight(1.0, 20.0, 0.7, "string"),
    Field.BODY: FieldWeight(0.7, 20.0, 0.7, "body"),
}
"""In the order in which reasons are given."""

_SHAPES = {field: (row.weight, row.length, row.slope) for field, row in FIELDS.items()}
_NAME, _BODY = int(Field.NAME), int(Field.BODY)
_FILES = (NodeKind.MODULE, NodeKind.DOCUMENT)

_NO_WORD = -1

_JOINED = range(2, 4)
"""Names of so many words are found as one word, too: `queryset` for `QuerySet`."""


def index_words(graph: Graph) -> list[Posted]:
    """Index the nodes of `graph` that stand in the repository: a row a word, in order of words.

    Of tests only the names and docstrings of modules, classes and functions are read: they are
    many, and what they say otherwise is said better by what they test.
    """
    index = _Index()
    said = {row.node: row for row in graph.prose}
    paths = {file.key: file.path for file in graph.files}
    used = _used_names(graph)
    for node in graph.nodes:
        kind = node.kind
        if kind == NodeKind.EXTERNAL or (node.is_test and kind == NodeKind.VARIABLE):
            continue
        texts = []
        if kind in _FILES:
            path = paths.get(node.file, node.qualified_name)
            texts.append((Field.PATH, path.rpartition("/")[0]))
        if node.docstring:
            texts.append((Field.DOCSTRING, node.docstring))
        if not node.is_test:
            if node.parameters or node.returns:
                texts.append((Field.SIGNATURE, f"{' '.join(node.parameters)} {node.returns}"))
            row = said.get(node.key)
            if row is not None:
                texts += ((Field.COMMENT, row.comments), (Field.STRING, row.strings))
        body = () if node.is_test else used.get(node.key, ())
        index.add(node.key, node.name, texts=texts, body=body, is_joined=not node.is_test)
    return index.rows()


def _used_names(graph: Graph) -> dict[int, set[str]]:
    """Give the names that the code of each node refers to, each once."""
    used: defaultdict[int, set[str]] = defaultdict(set)
    for site in graph.sites:
        used[site.source].add(site.name)
    return used


class _Numbers(dict[str, int]):
    """The number of each token, made when it is first asked for; `_NO_WORD` for what is none."""

    def __init__(self) -> None:
        super().__init__()
        self.words: dict[str, int] = {}

    def __missing__(self, token: str) -> int:
        number = _NO_WORD
        if 2 <= len(token) <= LONGEST:
            number = self.words.setdefault(token.lower(), len(self.words))
        self[token] = number
        return number


class _Tokens(dict[str, list[int]]):
    """The numbers of the tokens of each name, read when it is first asked for."""

    def __init__(self, numbers: _Numbers) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, name: str) -> list[int]:
        found = self[name] = [*map(self._numbers.__getitem__, TOKEN.findall(name))]
        return found


class _Index:
    """The postings so far: of each word a key, a weight and fields in turn, in order of keys.

    So they are taken apart by slices, and no number is made for a posting.
    """

    def __init__(self) -> None:
        self._numbers = _Numbers()
        self._tokens = _Tokens(self._numbers)  # of the names in bodies, most of which come again
        self._postings: defaultdict[int, list[int]] = defaultdict(list)
        self._names: dict[tuple[str, bool], list[tuple[int, float]]] = {}

    def add(
        self,
        key: int,
        name: str,
        *,
        texts: Sequence[tuple[Field, str]],
        body: Collection[str],
        is_joined: bool,
    ) -> None:
        """Post what a node says by its name, also as one word if asked, in its texts, and by the
        names in its body: these where it does not say so otherwise, so that they can be left out.
        """
        named = self._names.get((name, is_joined))
        if named is None:
            named = self._names[name, is_joined] = self._read_name(name, is_joined=is_joined)
        postings = self._postings
        if not texts and not body:
            for number, weight in named:
                postings[number] += (key, int(weight), _NAME)
            return
        weights = defaultdict(float, named)
        fields = defaultdict(int, dict.fromkeys(weights, _NAME))
        for field, text in texts:
            self._count(field, text, weights, fields)
        for number, weight in weights.items():
            scaled = int(weight) or 1
            if scaled > MOST:  # spelled out: `min` would be called a million times
                scaled = MOST
            postings[number] += (key, scaled, fields[number])
        if body:
            self._add_body(key, body, said=weights)

    def _add_body(self, key: int, names: Iterable[str], *, said: Container[int]) -> None:
        """Post the words of the names in a body that are not `said` otherwise."""
        numbers = [*chain.from_iterable(map(self._tokens.__getitem__, names))]
        step = _step(Field.BODY, len(numbers))
        weights: defaultdict[int, float] = defaultdict(float)
        for number in numbers:
            weights[number] += step
        weights.pop(_NO_WORD, None)
        postings = self._postings
        for number, weight in weights.items():
            if number not in said:
                scaled = int(weight) or 1
                if scaled > MOST:
                    scaled = MOST
                postings[number] += (key, scaled, _BODY)

    def rows(self) -> list[Posted]:
        """Give all postings, by word."""
        return [
            Posted(word, postings[::3], postings[1::3], postings[2::3])
            for word, number in sorted(self._numbers.words.items())
            if (postings := self._postings.get(number))
        ]

    def _read_name(self, name: str, *, is_joined: bool) -> list[tuple[int, float]]:
        """Give the words of a name and, when they are few, the name as one word."""
        tokens = TOKEN.findall(name)
        if is_joined and len(tokens) in _JOINED:
            tokens.append("".join(tokens).lower())
        weights: defaultdict[int, float] = defaultdict(float)
        self._count(Field.NAME, " ".join(tokens), weights, defaultdict(int))
        return list(weights.items())

    def _count(
        self,
        field: Field,
        text: str,
        weights: defaultdict[int, float],
        fields: defaultdict[int, int],
    ) -> None:
        numbers = [*map(self._numbers.__getitem__, TOKEN.findall(text))]
        step = _step(field, len(numbers))
        bit = int(field)
        for number in numbers:
            weights[number] += step
            fields[number] |= bit
        weights.pop(_NO_WORD, None)


def _step(field: Field, count: int) -> float:
    """What one word of a field says that has so many, in steps of `SCALE`."""
    weight, length, slope = _SHAPES[field]
    return SCALE * weight / (1 - slope + slope * count / length)
