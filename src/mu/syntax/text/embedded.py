"""The code in a page of markup: what stands in elements of one name, and expressions in the rest.

All else is blanked, byte by byte but for the ends of lines, so that every line and column of the
code is that of the file. An expression becomes a statement by the signs around it: `{{ total }}` is
`;( total )`. Source: the HTML standard, 13.2.5 (tags, attributes, comments), as far as it matters
to where an element of raw text begins and ends.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

_VISIBLE = re.compile(rb"[^\n]")
_SKIPPED = rb"<!--.*?(?:-->|\Z)"
_ATTRIBUTES = rb"(?:\s+[^\s=>\"'/]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))?|\s*/(?!>))*\s*"
_NO_MARKUP = rb"<style\b.*?(?:</style\s*>|\Z)|" + _SKIPPED

_RUNS = re.compile(rb"=>|;|(?<![=!<>])=(?![=>])|\+\+|--|\A\s*(?:async|function)\b")
"""What is no plain expression: a statement, or a function that is written in place."""


class Code(NamedTuple):
    """The text with all but code blanked, and where in it the expressions of the markup stand."""

    text: bytes
    expressions: tuple[tuple[int, int], ...] = ()

    def without(self, spans: Iterable[tuple[int, int]]) -> "Code":
        """The same with some of the expressions blanked, too."""
        text, gone = bytearray(self.text), set(spans)
        for start, end in gone:
            text[start:end] = _blank(self.text[start:end])
        return Code(bytes(text), tuple(span for span in self.expressions if span not in gone))


def code_in(text: bytes, element: str, *, markup: tuple[str, ...] = ()) -> Code:
    """The code of a page: what stands in the elements of a name, and what `markup` finds elsewhere.

    They are regular expressions with a group `code` each, in whose matches a sign or more stand
    before the code and one behind it. The text is of equal length.
    """
    parts: list[bytes] = []
    spans: list[tuple[int, int]] = []
    end = 0
    for match in _pattern(element).finditer(text):
        start, stop = match.span("code")
        if start >= 0:
            parts += [_between(text, end, start, markup, spans), text[start:stop]]
            end = stop
    parts.append(_between(text, end, len(text), markup, spans))
    return Code(b"".join(parts), tuple(spans))


def _between(
    text: bytes, start: int, end: int, markup: tuple[str, ...], spans: list[tuple[int, int]]
) -> bytes:
    """Blank a stretch of markup but for its expressions, which are added to `spans`."""
    found = bytearray(_blank(text[start:end]))
    if not markup or not found:
        return bytes(found)
    for match in _expressions(markup).finditer(text, start, end):
        if match.lastgroup:
            piece = _statement(text, match)
            if piece is not None:
                begin, statement = piece
                found[begin - start : begin - start + len(statement)] = statement
                spans.append((begin, begin + len(statement)))
    for place in (0, -1):  # no statement goes on over the end of an element
        if found[place] == ord(" "):
            found[place] = ord(";")
    return bytes(found)


def _statement(text: bytes, match: re.Match[bytes]) -> tuple[int, bytes] | None:
    """Where the statement begins that an expression makes, and its text; None where none fits."""
    start, end = match.span(match.lastgroup or 0)
    code, before, after = text[start:end], text[match.start() : start], text[end : match.end()]
    if not code.strip() or not before or not after:
        return None
    is_plain = not _RUNS.search(code)
    if len(before) > 1 and b"\n" not in before[-2:]:
        opening, closing = (b";(", b")") if is_plain else (b";{", b"}")
    else:
        opening, closing = (b"+", b";") if is_plain else (b"{", b"}")
    if before.endswith(b"\n") or (after.startswith(b"\n") and closing != b";"):
        return None
    closing = b"" if after.startswith(b"\n") else closing
    return start - len(opening), opening + code + closing


def _blank(text: bytes) -> bytes:
    return _VISIBLE.sub(b" ", text)


@cache
def _expressions(markup: tuple[str, ...]) -> re.Pattern[bytes]:
    return re.compile(b"|".join([_NO_MARKUP, *_numbered(markup)]), re.DOTALL)


def _numbered(markup: tuple[str, ...]) -> Iterator[bytes]:
    """The patterns with a name of its own for the group of each."""
    for number, pattern in enumerate(markup):
        yield pattern.replace("(?P<code>", f"(?P<code{number}>").encode()


@cache
def _pattern(element: str) -> re.Pattern[bytes]:
    name = re.escape(element.encode())
    code = rb"<" + name + _ATTRIBUTES + rb">(?P<code>.*?)(?:</" + name + rb"\s*>|\Z)"
    return re.compile(_SKIPPED + rb"|" + code, re.DOTALL | re.IGNORECASE)
