"""Parse the graph statements: `SHOW ... OF node [DEPTH n]` and `FIND CYCLES [VIA kind, ...]`.

A node reference needs no quotes: it is one word, whatever signs are in it, such as
`src/app/auth.py:login`. In quotes it may hold spaces; a quote within is doubled.
"""

import re
from dataclasses import dataclass

from mu.model.kinds import EdgeKind
from mu.muql.errors import MuqlError
from mu.muql.nearest import did_you_mean
from mu.muql.text import Place, locate, shown

QUESTIONS = ("dependencies", "dependents", "callers", "callees", "impact", "ancestors")
"""What SHOW can show of a node."""

MAX_DEPTH = 50

_WORD = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?\*/)
    | (?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*')
    | (?P<comma>,)
    | (?P<word>[^\s,]+)""",
    re.VERBOSE | re.DOTALL,
)
_SHOW_EXAMPLE = "this works: SHOW callers OF 'src/app/auth.py:login' DEPTH 2"
_FIND_EXAMPLE = "this works: FIND CYCLES VIA imports, calls"


@dataclass(frozen=True, slots=True)
class Show:
    """One question about one node; `depth` is None where the question's own default holds."""

    question: str
    node: str
    depth: int | None
    place: Place


@dataclass(frozen=True, slots=True)
class FindCycles:
    """Dependency cycles over some kinds of edge; none given means the default."""

    kinds: tuple[EdgeKind, ...]


Statement = Show | FindCycles


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    value: str
    start: int
    is_quoted: bool


class _Reader:
    """The words of a statement, taken one by one from the front."""

    def __init__(self, text: str, example: str) -> None:
        self._text = text
        self._example = example
        found = (m for m in _WORD.finditer(text) if m.lastgroup != "comment")
        self._words = [_word(match) for match in found]
        self._next = 0

    def take(self, expected: str) -> _Word:
        if self._next == len(self._words):
            end = len(self._text.rstrip())
            raise MuqlError(
                f"{expected} is missing", locate(self._text, end, length=1), self._example
            )
        self._next += 1
        return self._words[self._next - 1]

    def take_keyword(self, keyword: str) -> None:
        word = self.take(keyword)
        if word.is_quoted or word.text.upper() != keyword:
            raise self.error(f"expected {keyword} and not `{shown(word.text)}`", word)

    def takes(self, keyword: str) -> bool:
        """Take the next word when it is `keyword`."""
        if self._next < len(self._words):
            word = self._words[self._next]
            if not word.is_quoted and word.text.upper() == keyword:
                self._next += 1
                return True
        return False

    def finish(self) -> None:
        if self._next < len(self._words):
            word = self._words[self._next]
            raise self.error(f"`{shown(word.text)}` is one word too many", word)

    def place(self, word: _Word) -> Place:
        return locate(self._text, word.start, length=len(word.text))

    def error(self, what: str, word: _Word) -> MuqlError:
        return MuqlError(what, self.place(word), self._example)


def parse_statement(text: str) -> Statement:
    """Parse a statement that begins with SHOW or FIND; raises MuqlError."""
    if _Reader(text, _SHOW_EXAMPLE).takes("SHOW"):
        return _parse_show(_Reader(text, _SHOW_EXAMPLE))
    return _parse_find(_Reader(text, _FIND_EXAMPLE))


def _parse_show(reader: _Reader) -> Show:
    reader.take_keyword("SHOW")
    question = reader.take("what to show")
    if question.text.lower() not in QUESTIONS:
        what = f"SHOW does not know `{shown(question.text)}`"
        what = did_you_mean(what, question.text, among=QUESTIONS)
        raise MuqlError(what, reader.place(question), f"SHOW knows {', '.join(QUESTIONS)}")
    reader.take_keyword("OF")
    node = reader.take("the node")
    if not node.value:
        raise reader.error("the node is empty", node)
    depth = _parse_depth(reader) if reader.takes("DEPTH") else None
    reader.finish()
    return Show(question.text.lower(), node.value, depth, reader.place(node))


def _parse_depth(reader: _Reader) -> int:
    word = reader.take("the depth")
    if not re.fullmatch(r"[0-9]{1,9}", word.text) or not 1 <= int(word.text) <= MAX_DEPTH:
        raise reader.error(f"a depth is a whole number from 1 to {MAX_DEPTH}", word)
    return int(word.text)


def _parse_find(reader: _Reader) -> FindCycles:
    reader.take_keyword("FIND")
    reader.take_keyword("CYCLES")
    kinds: list[EdgeKind] = []
    if reader.takes("VIA"):
        kinds.append(_parse_kind(reader))
        while reader.takes(","):
            kinds.append(_parse_kind(reader))
    reader.finish()
    return FindCycles(tuple(dict.fromkeys(kinds)))


def _parse_kind(reader: _Reader) -> EdgeKind:
    word = reader.take("the kind of edge")
    kinds = [kind.value for kind in EdgeKind]
    if word.value.lower() not in kinds:
        what = did_you_mean(f"unknown kind of edge `{shown(word.value)}`", word.value, among=kinds)
        raise MuqlError(what, reader.place(word), f"the kinds are {', '.join(kinds)}")
    return EdgeKind(word.value.lower())


def _word(match: re.Match[str]) -> _Word:
    text = match[0]
    if match.lastgroup == "quoted":
        quote = text[0]
        return _Word(text, text[1:-1].replace(quote * 2, quote), match.start(), is_quoted=True)
    return _Word(text, text, match.start(), is_quoted=False)
