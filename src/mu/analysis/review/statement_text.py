"""Where strings and statements end, as far as their text shows it.

There is no tree here: brackets and quotes are counted. A statement goes on while a bracket or a
long string is open, or where a line ends with a backslash.
"""

from collections.abc import Sequence

_OPENING, _CLOSING = "([{", ")]}"


def statement_end(lines: Sequence[str], line: int, *, last: int, marks: Sequence[str]) -> int:
    """Give the last line of the statement that begins in `line`, both counted from 1.

    It is `line` itself where no end is found up to the line `last`. A comment begins with one of
    `marks` and reaches to the end of its line.
    """
    text = "\n".join(lines[line - 1 : last])
    place, end, depth, number = 0, len(text), 0, line
    while place < end:
        letter = text[place]
        if letter in "\"'`":
            behind = string_end(text, place)
            number += text.count("\n", place, behind)
            place = behind
            continue
        if text.startswith(tuple(marks), place):
            place = text.find("\n", place)
            if place < 0:
                break
            letter = "\n"
        if letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
        elif letter == "\n":
            if depth <= 0 and text[place - 1] != "\\":
                return number
            number += 1
        place += 1
    return number if depth <= 0 else line


def string_end(text: str, place: int) -> int:
    """Give the place behind a string; a quote that no line ends is no string (`'a` in Rust)."""
    quote = text[place] * 3 if text.startswith(text[place] * 3, place) else text[place]
    at = place + len(quote)
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        if text.startswith(quote, at):
            return at + len(quote)
        if text[at] == "\n" and quote in "\"'":
            return place + 1
        at += 1
    return place + 1
