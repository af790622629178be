"""The revisions behind a SELECT or a named query: `AT 'rev'`, `CHANGED BETWEEN 'a' AND 'b'`.

They are no part of what the engine parses, and stand behind all of it. Graph statements have AT
among their clauses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mu.muql.errors import MuqlError
from mu.muql.text import Place, Token, locate

AT_EXAMPLE = "this works: SELECT name FROM functions AT 'HEAD~1'"
CHANGED_EXAMPLE = (
    "this works: SELECT id, complexity FROM functions CHANGED BETWEEN 'HEAD~1' AND 'HEAD'"
)

_TEXTS = frozenset({"string", "quoted"})
_CONDITION = frozenset({
    "WHERE", "AND", "OR", "NOT", "HAVING", "QUALIFY", "ON", "WHEN", "THEN", "ELSE", "BY",
    "SELECT", "(", ",", "=", "<", ">", "+", "-", "/", "%", ".",
})  # fmt: skip
"""What stands before a column called `changed` in a condition on it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A revision that a query names, and where it stands."""

    revision: str
    place: Place


@dataclass(frozen=True, slots=True)
class Dated:
    """A query without its revisions, spaces in their place: one for AT, two for CHANGED BETWEEN."""

    text: str
    moments: tuple[Moment, ...]


def read_dated(text: str, parts: Sequence[Token]) -> Dated | None:
    """Take the revisions off the end of a query; None where it names none.

    Raises MuqlError where it names revisions twice, or an empty one.
    """
    found = _last(text, parts)
    if found is None:
        return None
    start, moments = found
    before = [part for part in parts if part.start < start]
    again = _last(text, before)
    if again is not None:
        word = before[-2] if len(again[1]) == 1 else before[-5]
        what = "AT is given twice" if len(moments) == len(again[1]) == 1 else ""
        what = what or "a query is asked AT one revision, or for what CHANGED BETWEEN two, once"
        raise MuqlError(what, locate(text, word.start, length=len(word.text)), AT_EXAMPLE)
    for moment in moments:
        if not moment.revision.strip():
            raise MuqlError("the revision is empty", moment.place, AT_EXAMPLE)
    return Dated(text[:start] + " " * (len(text) - start), moments)


def misplaced(text: str, parts: Sequence[Token]) -> MuqlError | None:
    """Give the error for revisions that stand within a query, or are not in quotes."""
    for part, following in pairwise(parts):
        if _says(part, "AT") and following.kind in {"word", *_TEXTS}:
            if _says(following, "TIME"):
                continue
            is_quoted = following.kind in _TEXTS
            what = "stands behind the whole query" if is_quoted else "takes a revision in quotes"
            return MuqlError(f"AT {what}", locate(text, part.start, length=2), AT_EXAMPLE)
        if _says(part, "CHANGED") and _says(following, "BETWEEN"):
            length = following.start + len(following.text) - part.start
            what = "CHANGED BETWEEN takes two revisions in quotes, behind the whole query"
            return MuqlError(what, locate(text, part.start, length=length), CHANGED_EXAMPLE)
    return None


def _last(text: str, parts: Sequence[Token]) -> tuple[int, tuple[Moment, ...]] | None:
    """Find the revisions that a query ends with, and the character where their words begin."""
    if len(parts) > 2 and parts[-1].kind in _TEXTS and _says(parts[-2], "AT"):
        return parts[-2].start, (_moment(text, parts[-1]),)
    if len(parts) < 6:
        return None
    before, changed, between, first, word, second = parts[-6:]
    is_changed = (
        _says(changed, "CHANGED")
        and _says(between, "BETWEEN")
        and _says(word, "AND")
        and {first.kind, second.kind} <= _TEXTS
        and before.text.upper() not in _CONDITION
    )
    return (changed.start, (_moment(text, first), _moment(text, second))) if is_changed else None


def _says(token: Token, word: str) -> bool:
    return token.kind == "word" and token.text.upper() == word


def _moment(text: str, token: Token) -> Moment:
    quote = token.text[-1]
    name = token.text[token.text.index(quote) + 1 : -1].replace(quote * 2, quote)
    return Moment(name, locate(text, token.start, length=len(token.text)))
