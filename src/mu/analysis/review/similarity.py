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


_SMALL = 10  # pairs of tokens below which only equal texts of some length are alike
_SHORTEST = 12  # characters of such a text


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The pairs of tokens of a text, and how many there are; `text` is that of a small one."""

    pairs: Counter[tuple[str, str]]
    size: int
    text: str = ""


def fingerprint(lines: Iterable[str], *, name: str) -> Fingerprint:
    """Take the fingerprint of a text in which `name` is the name of what it defines."""
    tokens = ["" if token == name else token for line in lines for token in _TOKEN.findall(line)]
    pairs = Counter(pairwise(tokens))
    size = max(len(tokens) - 1, 0)
    return Fingerprint(pairs, size, "".join(tokens) if size < _SMALL else "")


def likeness(one: Fingerprint, other: Fingerprint, *, least: float) -> float:
    """Give the similarity, 0 where it is less than `least`; small texts are the same or not."""
    if min(one.size, other.size) < _SMALL:
        return float(one.text == other.text and len(one.text) >= _SHORTEST)
    if at_most(one, other) < least:
        return 0.0
    found = similarity(one, other)
    return found if found >= least else 0.0


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """Give a share from 0 to 1; two empty texts are not alike."""
    total = one.size + other.size
    return 2 * (one.pairs & other.pairs).total() / total if total else 0.0


def at_most(one: Fingerprint, other: Fingerprint) -> float:
    """Give a bound of the similarity, by the sizes alone."""
    total = one.size + other.size
    return 2 * min(one.size, other.size) / total if total else 0.0
