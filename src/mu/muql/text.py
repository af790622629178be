"""Read the text of a query: places, words, where a statement ends.

The engine counts bytes of UTF-8 from 0 and people count characters from 1; both meet here.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    | (?P<comment>--[^\n]*)
    | (?P<string>[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*')
    | (?P<quoted>"(?:[^"]|"")*")
    | (?P<dollar>\$(?P<tag>[A-Za-z_]?\w*)\$.*?\$(?P=tag)\$)
    | (?P<word>\w+)
    | (?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of the query: `line` and `column` count from 1, `length` is in characters."""

    line: int
    column: int
    length: int
    source: str

    def pointer(self) -> str:
        """Give the line with carets below; a long line is cut around the place."""
        first = max(0, min(self.column - 1 - _SHOWN // 2, len(self.source) - _SHOWN))
        shown = "".join(c if c.isprintable() else " " for c in self.source[first:][:_SHOWN])
        offset = self.column - 1 - first
        carets = "^" * max(1, min(self.length, len(shown) - offset))
        where = f"  line {self.line}, column {self.column}"
        return f"{where}\n    {shown}\n    {' ' * offset}{carets}"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text that is neither space nor comment; `start` counts characters from 0."""

    kind: str
    text: str
    start: int


def tokens(text: str) -> Iterator[Token]:
    """Split a query into words, strings, quoted names and single signs."""
    position = 0
    while position < len(text):
        if text.startswith("/*", position):
            position = _comment_end(text, position)
            continue
        found = _TOKEN.match(text, position)
        if found is None:  # cannot be: the last branch takes any character
            return
        kind = "dollar" if found.lastgroup == "tag" else found.lastgroup or "sign"
        if kind not in {"space", "comment"}:
            yield Token(kind, found[0], position)
        position = found.end()


def locate(text: str, start: int, *, length: int) -> Place:
    """Make a place of a character offset from 0."""
    start = max(0, min(start, len(text)))
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    source = text[line_start : line_end if line_end >= 0 else len(text)]
    return Place(text.count("\n", 0, start) + 1, start - line_start + 1, length, source)


def locate_bytes(text: str, start: int, *, length: int) -> Place:
    """Make a place of a byte offset from 0 into the UTF-8 text."""
    data = text.encode()
    before = len(data[:start].decode(errors="ignore"))
    return locate(text, before, length=len(data[start : start + length].decode(errors="ignore")))


def locate_word(text: str, words: Collection[str]) -> Place | None:
    """Find the first of some words, given in lower case, where the engine tells no place."""
    for token in tokens(text):
        if token.text.strip('"').lower() in words:
            return locate(text, token.start, length=len(token.text))
    return None


def shown(name: str) -> str:
    """Make a name from a query safe and short enough to print within an error."""
    clean = "".join(c if c.isprintable() else " " for c in name)
    return clean if len(clean) <= 60 else clean[:57] + "..."


def _comment_end(text: str, start: int) -> int:
    """Find the end of a block comment, which may hold others."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, start):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    return len(text)
