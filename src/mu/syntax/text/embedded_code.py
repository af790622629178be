"""Code embedded in markup: script elements, and expressions in the rest of the document.

Everything else is replaced by spaces, byte by byte and keeping line ends, so that lines and columns
of the code are those of the file. An expression becomes a statement by overwriting its delimiters:
`{{ total }}` becomes `;( total )`. Source: the HTML standard, 13.2.5 (tags, attributes, comments),
as far as it determines where a raw text element begins and ends.
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
"""What is not a plain expression: a statement, or a function expression."""


class EmbeddedCode(NamedTuple):
    """The text with all but code blanked, and the byte ranges of markup expressions in it."""

    text: bytes
    expressions: tuple[tuple[int, int], ...] = ()

    def without(self, spans: Iterable[tuple[int, int]]) -> "EmbeddedCode":
        """Return the code with some of the expressions blanked."""
        text, gone = bytearray(self.text), set(spans)
        for start, end in gone:
            text[start:end] = _blank(self.text[start:end])
        return EmbeddedCode(
            bytes(text), tuple(span for span in self.expressions if span not in gone)
        )


def embedded_code(text: bytes, element: str, *, markup: tuple[str, ...] = ()) -> EmbeddedCode:
    """Return the code in elements named `element` and in matches of `markup`, length kept.

    `markup` are regular expressions with a group `code`; each match has at least one byte before
    the group and one after it.
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
    return EmbeddedCode(b"".join(parts), tuple(spans))


def _between(
    text: bytes, start: int, end: int, markup: tuple[str, ...], spans: list[tuple[int, int]]
) -> bytes:
    """Blank a range of markup except its expressions, whose spans are added to `spans`."""
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
    for edge in (0, -1):  # statements end where markup begins and ends
        if found[edge] == ord(" "):
            found[edge] = ord(";")
    return bytes(found)


def _statement(text: bytes, match: re.Match[bytes]) -> tuple[int, bytes] | None:
    """Return where an expression's statement begins, and its text; None if it does not fit."""
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
    """Yield the patterns, each with a distinct group name."""
    for number, pattern in enumerate(markup):
        yield pattern.replace("(?P<code>", f"(?P<code{number}>").encode()


@cache
def _pattern(element: str) -> re.Pattern[bytes]:
    name = re.escape(element.encode())
    code = rb"<" + name + _ATTRIBUTES + rb">(?P<code>.*?)(?:</" + name + rb"\s*>|\Z)"
    return re.compile(_SKIPPED + rb"|" + code, re.DOTALL | re.IGNORECASE)
