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
    """The role of a piece of a line; a place is that of something else than the line is about."""

    PATH = "path"
    PLACE = "place"
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


_UNQUALIFIED = -1
_FILE_ALONE = -2
_TOLD = -3
_STEPS = (
    (Part.TEXT, 36), (Part.DETAIL, 40), (Part.TEXT, 24), (Part.PLACE, _FILE_ALONE),
    (Part.DETAIL, 26), (Part.PATH, 36), (Part.TEXT, 16), (Part.TEXT, _TOLD),
    (Part.NAME, _UNQUALIFIED), (Part.TEXT, 12), (Part.PATH, 28), (Part.TEXT, 0),
    (Part.PLACE, 18), (Part.NAME, 30), (Part.DETAIL, 12), (Part.NAME, 12),
)  # fmt: skip
"""What is shortened first, and to how many columns, before the next is; names lose what qualifies
them, and places their folders, before they are cut. A source text of 16 columns goes where two
names, or a name and a place, tell as much: both ends of a call."""

_ENDS = (Part.NAME, Part.PLACE)

_QUALIFIER = re.compile(r"(?<![\w~#])…?[\w~#]+\.(?=[\w~#])")

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

    Source texts keep the word `focus`, names and places their last part, paths both ends, all else
    its beginning. Of a source text nothing is left where names would be cut for it.
    """
    for part, least in _STEPS:
        over = sum(columns_of(text) for _, text in pieces) - width
        if over <= 0:
            return list(pieces)
        if least == _UNQUALIFIED:
            pieces = _unqualified(pieces, over)
            continue
        if least == _TOLD and sum(role in _ENDS and bool(t.strip()) for role, t in pieces) < 2:
            continue
        if least in (0, _TOLD):  # a few letters of a text say nothing
            pieces = _without(pieces, part)
            continue
        if least == _FILE_ALONE:
            least = max(
                (columns_of(_file_of(text)) for role, text in pieces if role is part), default=0
            )
        longest = max((columns_of(text) for role, text in pieces if role is part), default=0)
        pieces = cut(pieces, part, room=max(longest - over, least), focus=focus)
    kept: list[Piece] = []
    for role, text in pieces:
        room = width - sum(columns_of(each) for _, each in kept)
        if room > 0:
            kept.append((role, without_end(text, room)))
    return kept


def _unqualified(pieces: Sequence[Piece], over: int) -> list[Piece]:
    """Leave out the qualifiers of names, from the first on, while the line is `over` its width."""
    found: list[Piece] = []
    for role, text in pieces:
        if role is Part.NAME and "/" in text and over > 0:  # the name of a file
            less = without_inner_folders(text, columns_of(text) - over)
            over -= columns_of(text) - columns_of(less)
            found.append((role, less))
            continue
        while role is Part.NAME and over > 0:
            less = _QUALIFIER.sub("…", text, count=1).replace("……", "…")
            if less == text:
                break
            over -= columns_of(text) - columns_of(less)
            text = less
        found.append((role, text))
    return found


def _file_of(place: str) -> str:
    """Give a place without its folders, with the space before it."""
    lead = place[: len(place) - len(place.lstrip())]
    return f"{lead}…/{place.rpartition('/')[2]}"


def _without(pieces: Sequence[Piece], part: Part) -> list[Piece]:
    """Leave out the pieces of one role, and the space before each; what is alone stays."""
    found: list[Piece] = []
    for role, text in pieces:
        if role is not part:
            found.append((role, text))
        elif found and not found[-1][1].strip():
            found.pop()
    has_name = any(role is Part.NAME and text.strip() for role, text in found)
    return found if has_name else list(pieces)


def cut(pieces: Sequence[Piece], part: Part, *, room: int, focus: str = "") -> list[Piece]:
    """Shorten the pieces of one role to `room` columns each."""
    return [(role, _within(role, text, room, focus) if role is part else text)
            for role, text in pieces]  # fmt: skip


def _within(part: Part, text: str, room: int, focus: str) -> str:
    if columns_of(text) <= room:
        return text
    if part is Part.TEXT:
        return _around(text, room, focus)
    if part is Part.PLACE:
        return _without_folders(text, room)
    if part is Part.PATH:
        return without_inner_folders(text, room)
    if part is Part.NAME:
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


def without_inner_folders(text: str, room: int) -> str:
    """Leave out folders of a path from the middle, and then its middle: the file keeps its name."""
    folders, slash, last = text.rpartition("/")
    if columns_of(text) <= room or not slash or columns_of(f"…/{last}") > room:
        return without_middle(text, room)
    names, kept = folders.split("/"), ""
    while names and columns_of(f"{kept}{names[0]}/…/{last}") <= room:
        kept += f"{names.pop(0)}/"
    return f"{kept}…/{last}"


def _without_folders(text: str, room: int) -> str:
    """Leave out the first folders of a path, and then its middle."""
    lead = text[: len(text) - len(text.lstrip())]
    folders, _, last = text[len(lead) :].rpartition("/")
    names = folders.split("/") if folders else []
    while names and columns_of(f"{lead}…/{'/'.join([*names, last])}") > room:
        names.pop(0)
    short = f"{lead}…/{'/'.join([*names, last])}"
    return short if columns_of(short) <= room else without_middle(f"{lead}{last}", room)


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
