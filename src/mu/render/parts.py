"""Lines as pieces of text with the role each plays, and how they are shortened to a width.

Widths are in columns of a terminal: a character of Chinese, Japanese or Korean takes two, a
combining mark none.
"""

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple


class Part(StrEnum):
    """The role of a piece of a line."""

    PATH = "path"
    LINE = "line"
    TEXT = "text"
    NAME = "name"
    DETAIL = "detail"
    HEADING = "heading"


Piece = tuple[Part, str]


class ListingLine(NamedTuple):
    """A line as pieces of text with their roles, and how many rows it shows: none is a heading."""

    parts: tuple[Piece, ...]
    rows: int = 1

    def plain(self) -> str:
        """Join the pieces."""
        return "".join(text for _, text in self.parts)


_WITH_TEXT = (
    (Part.TEXT, 36), (Part.DETAIL, 26), (Part.NAME, 40), (Part.TEXT, 24), (Part.NAME, 30),
    (Part.DETAIL, 12), (Part.PATH, 24), (Part.NAME, 12),
)  # fmt: skip
_WITHOUT_TEXT = ((Part.DETAIL, 30), (Part.PATH, 28), (Part.DETAIL, 12), (Part.NAME, 12))
"""What is shortened first, and to how many columns, before the next is."""

_MARKS = frozenset(("Mn", "Me"))


def columns_of(text: str) -> int:
    """Count the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in _MARKS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def shortened(pieces: Sequence[Piece], width: int, *, focus: str = "") -> list[Piece]:
    """Cut texts until the line fits: the source text first, and in the end whatever is last.

    Source texts keep the word `focus`, names and paths both ends, all else its beginning.
    """
    has_text = any(role is Part.TEXT for role, _ in pieces)
    for part, least in _WITH_TEXT if has_text else _WITHOUT_TEXT:
        over = sum(columns_of(text) for _, text in pieces) - width
        if over <= 0:
            return list(pieces)
        longest = max((columns_of(text) for role, text in pieces if role is part), default=0)
        pieces = cut(pieces, part, room=max(longest - over, least), focus=focus)
    kept: list[Piece] = []
    for role, text in pieces:
        room = width - sum(columns_of(each) for _, each in kept)
        if room > 0:
            kept.append((role, without_end(text, room)))
    return kept


def cut(pieces: Sequence[Piece], part: Part, *, room: int, focus: str = "") -> list[Piece]:
    """Shorten the pieces of one role to `room` columns each."""
    return [(role, _within(role, text, room, focus) if role is part else text)
            for role, text in pieces]  # fmt: skip


def _within(part: Part, text: str, room: int, focus: str) -> str:
    if columns_of(text) <= room:
        return text
    if part is Part.TEXT:
        return _around(text, room, focus)
    if part in {Part.PATH, Part.NAME}:
        return without_middle(text, room)
    return without_end(text, room)


def _around(text: str, room: int, focus: str) -> str:
    """Cut a source text at its end, or at both ends where a word would be lost otherwise."""
    found = re.search(rf"(?<!\w){re.escape(focus)}(?!\w)", text) if focus else None
    if found is None or columns_of(text[: found.end()]) < room:
        return without_end(text, room)
    before = max(room - 2 - columns_of(found.group()), 0) // 2
    lead = text[: len(text) - len(text.lstrip(" :"))]
    begin = found.start() - len(_ending(text[len(lead) : found.start()], before))
    rest = room - columns_of(lead) - 1
    return f"{lead}…{without_end(text[begin:], rest)}"


def without_end(text: str, room: int) -> str:
    """Cut the end of what is longer than `room` columns."""
    if columns_of(text) <= room:
        return text
    return f"{_beginning(text, room - 1).rstrip()}…"


def without_middle(text: str, room: int) -> str:
    """Cut the middle of what is longer than `room` columns."""
    if columns_of(text) <= room:
        return text
    end = _ending(text, (room - 1) // 2)
    return f"{_beginning(text, room - 1 - columns_of(end))}…{end}"


def _beginning(text: str, room: int) -> str:
    if text.isascii():
        return text[: max(room, 0)]
    count = 0
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        count += 1
    return text[:count]


def _ending(text: str, room: int) -> str:
    return _beginning(text[::-1], room)[::-1]
