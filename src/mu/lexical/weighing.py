"""Weights of the words in the name and the texts of a node.

The weight of a word is the term frequency of BM25F (Robertson, Zaragoza, Taylor 2004): frequencies
in the fields of the node, each normalised by the length of the field relative to its usual length,
are added up before saturation. It is a small integer, so that a posting takes some four bytes;
what depends on the query or on the whole graph is computed by the query.

Lengths are compared with constants and not with means over the graph, so that the weights of a
node do not depend on the rest of the graph, and those of a file can be stored with its facts.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from enum import IntFlag
from itertools import chain

from mu.lexical.words import LONGEST, TOKEN

SCALE = 8
"""The integer weight of a frequency of 1."""

MOST = 255
"""The greatest weight: it has to fit into a byte."""


class Field(IntFlag):
    """A part of a node that has a word; a posting has the flags of all such parts."""

    NAME = 1
    PATH = 2
    SIGNATURE = 4
    DOCSTRING = 8
    COMMENT = 16
    STRING = 32
    BODY = 64


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """The weight of a word in a field, and the usual number of words of the field.

    `slope` is the b of BM25: at 0 the length of the field does not matter, at 1 a word counts by
    its share of the field alone.
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
"""The fields, in the order in which a search lists them as reasons."""

_SHAPES = {field: (row.weight, row.length, row.slope) for field, row in FIELDS.items()}
_NAME, _BODY = int(Field.NAME), int(Field.BODY)

_NO_WORD = -1

_JOINED = range(2, 4)
"""Names of this many words are indexed as one word, too: `queryset` for `QuerySet`."""

Weighed = tuple[Sequence[int], Sequence[int], Sequence[int]]
"""The numbers of words, the weight of each from 1 to `MOST`, and the flags of its fields."""


class _Numbers(dict[str, int]):
    """The number of each token, assigned at its first lookup; `_NO_WORD` if its length is wrong."""

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
    """The token numbers of each name, computed at its first lookup."""

    def __init__(self, numbers: _Numbers) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, name: str) -> list[int]:
        found = self[name] = [*map(self._numbers.__getitem__, TOKEN.findall(name))]
        return found


class Weigher:
    """Weighs names and texts; `words` maps the words seen so far to their numbers.

    The inner loops call no functions: they run a million times for django.
    """

    def __init__(self) -> None:
        self._numbers = _Numbers()
        self.words = self._numbers.words
        self._tokens = _Tokens(self._numbers)  # of the names in bodies, most of which repeat
        self._weights: dict[tuple[str, bool], dict[int, float]] = {}  # of names
        self._names: dict[tuple[str, bool], Weighed] = {}

    def name(self, name: str, *, is_joined: bool) -> Weighed:
        """Weigh the words of a name; with `is_joined`, a short name as one word, too."""
        known = self._names.get((name, is_joined))
        if known is None:
            weights = self._of_name(name, is_joined=is_joined)
            known = [*weights], _scaled(weights.values()), [_NAME] * len(weights)
            self._names[name, is_joined] = known
        return known

    def node(self, name: str, texts: Iterable[tuple[Field, str]], *, is_joined: bool) -> Weighed:
        """Weigh the words in the name and the texts of a node."""
        weights = defaultdict(float, self._of_name(name, is_joined=is_joined))
        fields = defaultdict(int, dict.fromkeys(weights, _NAME))
        for field, text in texts:
            if not text:
                continue
            numbers = [*map(self._numbers.__getitem__, TOKEN.findall(text))]
            step, bit = _step(field, len(numbers)), int(field)
            for number in numbers:
                weights[number] += step
                fields[number] |= bit
        weights.pop(_NO_WORD, None)
        return [*weights], _scaled(weights.values()), [fields[number] for number in weights]

    def body(self, names: Iterable[str], *, said: Container[int]) -> Weighed:
        """Weigh the words of the names in a body, without the words `said`, by number."""
        numbers = [*chain.from_iterable(map(self._tokens.__getitem__, names))]
        step = _step(Field.BODY, len(numbers))
        weights: defaultdict[int, float] = defaultdict(float)
        for number in numbers:
            if number not in said:
                weights[number] += step
        weights.pop(_NO_WORD, None)
        return [*weights], _scaled(weights.values()), [_BODY] * len(weights)

    def _of_name(self, name: str, *, is_joined: bool) -> dict[int, float]:
        """Return the weights of a name's words; with `is_joined`, a short name is one word, too."""
        known = self._weights.get((name, is_joined))
        if known is not None:
            return known
        tokens = TOKEN.findall(name)
        if is_joined and len(tokens) in _JOINED:
            tokens += TOKEN.findall("".join(tokens).lower())
        step = _step(Field.NAME, len(tokens))
        weights: dict[int, float] = {}
        for number in map(self._numbers.__getitem__, tokens):
            weights[number] = weights.get(number, 0.0) + step
        weights.pop(_NO_WORD, None)
        self._weights[name, is_joined] = weights
        return weights


def _scaled(weights: Iterable[float]) -> list[int]:
    """Round weights down to integers from 1 to `MOST`."""
    return [(int(w) or 1) if w <= MOST else MOST for w in weights]


def _step(field: Field, count: int) -> float:
    """Return the weight of one word in a field of `count` words, times `SCALE`."""
    weight, length, slope = _SHAPES[field]
    return SCALE * weight / (1 - slope + slope * count / length)
