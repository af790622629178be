"""How alike two texts of code are, by the pairs of neighbouring tokens they share.

The measure is that of Dice (1945) over multisets: twice what both have, by what each has. Names of
what is compared count as equal, so that a function that calls itself may be renamed.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The pairs of tokens of a text, and how many there are."""

    pairs: Counter[tuple[str, str]]
    size: int


def fingerprint(lines: Iterable[str], *, name: str) -> Fingerprint:
    """Take the fingerprint of a text in which `name` is the name of what it defines."""
    tokens = ["" if token == name else token for line in lines for token in _TOKEN.findall(line)]
    pairs = Counter(pairwise(tokens))
    return Fingerprint(pairs, max(len(tokens) - 1, 0))


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """Give a share from 0 to 1; two empty texts are not alike."""
    total = one.size + other.size
    return 2 * (one.pairs & other.pairs).total() / total if total else 0.0


def at_most(one: Fingerprint, other: Fingerprint) -> float:
    """Give a bound of the similarity, by the sizes alone."""
    total = one.size + other.size
    return 2 * min(one.size, other.size) / total if total else 0.0
