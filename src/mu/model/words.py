"""The words that one file says, packed: made with its facts, read where all are indexed."""

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec


class WordSpans(NamedTuple):
    """Where the words of a definition stand in `FileWords`: from `start` to `middle` as they count
    in source, from there to `end` as they count in a test.
    """

    definition: int
    start: int
    middle: int
    end: int


class FileWords(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the definitions of a file, or the sections of a page, say by their names and texts.

    `vocabulary` holds the words, one a line, and `places` for each of them its line, as an array of
    unsigned integers of this machine; `weights` and `fields` are bytes, as in a posting. `spans`
    are four integers for each definition that has a name.
    """

    vocabulary: str
    places: bytes
    weights: bytes
    fields: bytes
    spans: bytes

    def words(self) -> list[str]:
        """The vocabulary, word by word."""
        return self.vocabulary.split("\n") if self.vocabulary else []

    def all_places(self) -> Sequence[int]:
        """The place in the vocabulary of each word; ValueError for a part of one."""
        return array("I", self.places)

    def all_spans(self) -> Iterator[WordSpans]:
        """Where the words of each definition stand; ValueError for a part of a place."""
        cells = iter(array("i", self.spans))
        return map(WordSpans._make, zip(cells, cells, cells, cells, strict=True))
