"""Parse the graph statements by the tables of `grammar`.

A node reference needs no quotes: it is one word, whatever signs are in it, such as
`src/app/auth.py:login`. In quotes it may hold spaces; a quote within is doubled. A condition is not
parsed here: it reaches to the next clause, and the engine parses it as part of a SELECT.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType

from mu.model.kinds import EdgeKind
from mu.model.relation import Cell
from mu.muql.errors import MuqlError
from mu.muql.grammar import (
    CLAUSES,
    METRICS,
    QUESTIONS,
    STATEMENTS,
    SYNONYMS,
    THINGS,
    Clause,
    Statement,
)
from mu.muql.nearest import did_you_mean
from mu.muql.text import Place, Token, locate, shown, tokens

_MAX_NUMBER = 1_000_000_000

_WORD = re.compile(
    r"""(?P<space>(?:\s+|--[^\n]*|/\*.*?\*/)+)
    | (?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*')
    | (?P<comma>,)
    | (?P<word>[^\s,]+)""",
    re.VERBOSE | re.DOTALL,
)
_CHOICES: Mapping[str, tuple[str, Collection[str], tuple[str, ...]]] = {
    "{question}": ("SHOW", QUESTIONS, ("tables", "columns")),
    "{things}": ("FIND", THINGS, ("cycles",)),
    "{metric}": ("ANALYZE", METRICS, ()),
}
"""What may stand in a slot, and what may stand there in statements of the same first word."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a statement, without its quotes, and where it stands."""

    value: str
    text: str
    start: int
    place: Place

    @property
    def is_quoted(self) -> bool:
        """True if the word is quoted."""
        return self.text[0] in "\"'"

    def says(self, keyword: str) -> bool:
        """Tell whether the word is this keyword."""
        return not self.is_quoted and self.text.upper() == keyword


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text that the engine is to parse, in characters from 0."""

    start: int
    end: int


@dataclass(slots=True)
class Parsed:
    """A statement with what fills its slots, by the slot's name or the clause's.

    `parameters` are the values of the `$name`s that its conditions may hold.
    """

    statement: Statement
    words: dict[str, Word] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    kinds: tuple[EdgeKind, ...] = ()
    is_transitive: bool = False
    parameters: Mapping[str, Cell] = field(default_factory=dict)


class _Reader:
    """The words of a statement, taken one by one from the front."""

    def __init__(
        self, text: str, example: str, parameters: Mapping[str, Cell] = MappingProxyType({})
    ) -> None:
        self.text = text
        self.example = example
        self.position = 0
        self._parameters = parameters

    def peek(self) -> Word | None:
        found = _WORD.match(self.text, self.position)
        if found and found.lastgroup == "space":
            self.position = found.end()
            found = _WORD.match(self.text, self.position)
        return self._word(found) if found else None

    def take(self, expected: str) -> Word:
        word = self.peek()
        if word is None:
            end = locate(self.text, len(self.text.rstrip()), length=1)
            raise MuqlError(f"{expected} is missing", end, self.example)
        self.position = word.start + len(word.text)
        return word

    def takes(self, *keywords: str) -> bool:
        """Take these words when they come next, all or none."""
        start = self.position
        for keyword in keywords:
            word = self.peek()
            if word is None or not word.says(keyword):
                self.position = start
                return False
            self.take(keyword)
        return True

    def rest(self, first: Word) -> Word:
        """Give all from a word on as one."""
        text = self.text[first.start :].rstrip()
        self.position = len(self.text)
        value = first.value if len(text) == len(first.text) else " ".join(text.split())
        return Word(value, text, first.start, locate(self.text, first.start, length=len(text)))

    def error(self, what: str, word: Word) -> MuqlError:
        return MuqlError(what, word.place, self.example)

    def _word(self, match: re.Match[str]) -> Word:
        text = match[0]
        place = locate(self.text, match.start(), length=len(text))
        quote = text[0]
        value = text[1:-1].replace(quote * 2, quote) if match.lastgroup == "quoted" else text
        if self._parameters and quote == "$":
            value = self._bound(text[1:], place)
        return Word(value, text, match.start(), place)

    def _bound(self, name: str, place: Place) -> str:
        """Give the value of a parameter of a named query."""
        if name not in self._parameters:
            what = f"unknown parameter `${shown(name)}`"
            what = did_you_mean(what, name, among=self._parameters)
            raise MuqlError(what, place, f"the parameters are {', '.join(self._parameters)}")
        return str(self._parameters[name])


_SPACED = "put a space behind its first word, as in SHOW callers OF AuthService.login"


def parse_statement(text: str, parameters: Mapping[str, Cell] = MappingProxyType({})) -> Parsed:
    """Parse a statement that begins with one of the grammar's first words.

    `parameters` are the values of the `$name`s that may stand for a node, a number, a text or
    within a condition. Raises MuqlError.
    """
    statement = _choose(text)
    reader = _Reader(text, f"this works: {_example(statement)}", parameters)
    parsed = Parsed(statement, parameters=parameters)
    for part in statement.head:
        _read_part(reader, part, parsed)
    is_first = True
    while (word := reader.peek()) is not None:
        if not is_first and reader.takes("AND"):
            word = reader.take("a clause")
            reader.position = word.start
        _read_clause(reader, _clause(reader, word, parsed), parsed)
        is_first = False
    return parsed


def _choose(text: str) -> Statement:
    """Find the statement whose first words these are: the earlier one where two would do."""
    reader = _Reader(text, "")
    first = reader.take("a statement")
    second = reader.peek()
    fitting = [statement for statement in STATEMENTS if first.says(statement.head[0])]
    if not fitting:  # the words of a statement end at spaces and commas alone
        raise MuqlError(f"`{shown(first.text)}` does not begin a statement", first.place, _SPACED)
    return next(
        (s for s in fitting if second and second.says(s.head[1])),
        next(s for s in fitting if s.head[1].startswith("{") or s is fitting[-1]),
    )


def _example(statement: Statement) -> str:
    return statement.examples[0]


def _read_part(reader: _Reader, part: str, parsed: Parsed) -> None:
    """Read a word or a slot of the head."""
    if not part.startswith("{"):
        word = reader.take(part)
        if not word.says(part):
            raise reader.error(f"expected {part} and not `{shown(word.text)}`", word)
        return
    if part.endswith("?}") and reader.peek() is None:
        return
    name = part.strip("{?}")
    names = {"node": "the node", "goal": "the node", "question": "what to show"}
    word = reader.take(names.get(name, f"the {name}"))
    if part in _CHOICES:
        word = _checked_choice(part, word)
    elif not word.value.strip():
        raise reader.error(f"{names.get(name, f'the {name}')} is empty", word)
    if part.endswith("?}"):
        word = reader.rest(word)
    parsed.words[name] = word


def _checked_choice(part: str, word: Word) -> Word:
    """Give the word as the grammar calls it; raises MuqlError for one it does not know."""
    verb, choices, others = _CHOICES[part]
    said = word.value.lower()
    for name in (said, f"{said}s", f"{said}es"):
        name = SYNONYMS.get(name, name)
        if name in choices:
            return replace(word, value=name)
    known = (*choices, *others)
    what = did_you_mean(f"{verb} does not know `{shown(word.text)}`", word.text, among=known)
    raise MuqlError(what, word.place, f"{verb} knows {', '.join(known)}")


def _clause(reader: _Reader, word: Word, parsed: Parsed) -> Clause:
    """Take the words that begin a clause; raises MuqlError when these begin none, or one again."""
    statement = parsed.statement
    clauses = [CLAUSES[name] for name in statement.clauses]
    clause = next((c for c in clauses if reader.takes(*c.words)), None)
    names = [clause.name for clause in clauses]
    if clause is None:
        what = f"`{shown(word.text)}` is one word too many"
        if names and not word.is_quoted:
            near = did_you_mean("", word.text.upper(), among=names)
            what = f"`{shown(word.text)}` is no clause of {statement.name}{near}" if near else what
        hint = f"{statement.name} takes {', '.join(names)}" if names else reader.example
        raise MuqlError(what, word.place, hint)
    if clause.name in {*parsed.words, *parsed.numbers, *parsed.spans} or (
        clause.slot == "kinds" and parsed.kinds
    ):
        raise reader.error(f"{clause.name} is given twice", word)
    return clause


def _read_clause(reader: _Reader, clause: Clause, parsed: Parsed) -> None:
    """Read what follows the words of a clause."""
    examples = parsed.statement.examples
    fitting = (example for example in examples if clause.name in example)
    reader.example = f"this works: {next(fitting, examples[0])}"
    match clause.slot:
        case "number":
            parsed.numbers[clause.name] = _number(reader, clause.name)
        case "kinds":
            parsed.kinds = _kinds(reader)
        case "condition" | "order":
            parsed.spans[clause.name] = _span(reader, clause)
        case "":
            parsed.is_transitive = True
        case slot:
            word = reader.take(f"the {slot}")
            if not word.value.strip():
                raise reader.error(f"the {slot} is empty", word)
            parsed.words[clause.name] = word


def _number(reader: _Reader, name: str) -> int:
    is_depth = name.endswith("DEPTH")
    least = is_depth or name == "LIMIT"
    word = reader.take("the depth" if is_depth else "the number")
    text = word.text if word.is_quoted else word.value
    if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= _MAX_NUMBER:
        what = "a depth is a whole number of 1 or more"
        raise reader.error(what if is_depth else f"{name} takes a whole number", word)
    return int(text)


def _kinds(reader: _Reader) -> tuple[EdgeKind, ...]:
    kinds = [_kind(reader)]
    while reader.takes(","):
        kinds.append(_kind(reader))
    return tuple(dict.fromkeys(kinds))


def _kind(reader: _Reader) -> EdgeKind:
    word = reader.take("the kind of edge")
    kinds = [kind.value for kind in EdgeKind]
    if word.value.lower() not in kinds:
        what = did_you_mean(f"unknown kind of edge `{shown(word.value)}`", word.value, among=kinds)
        raise MuqlError(what, word.place, f"the kinds are {', '.join(kinds)}")
    return EdgeKind(word.value.lower())


def _span(reader: _Reader, clause: Clause) -> Span:
    """Take all up to the next clause, which is looked for outside brackets and strings."""
    start, depth = reader.position, 0
    found = [Token(t.kind, t.text, t.start + start) for t in tokens(reader.text[start:])]
    end = start
    for token, following in pairwise([*found, Token("end", "", len(reader.text))]):
        depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "sign" else 0
        if depth == 0 and _begins_clause(token, following):
            break
        end = token.start + len(token.text)
    if end == start:
        word = reader.take(f"the {clause.slot}")  # at the end of the text it is missing
        raise reader.error(f"the {clause.slot} is missing", word)
    reader.position = end
    return Span(start, end)


def _begins_clause(token: Token, following: Token) -> bool:
    """Tell a clause's word from a column of that name: `via = 'calls'` is a condition."""
    if token.kind != "word":
        return False
    match token.text.upper():
        case "WHERE" | "LIMIT" | "OFFSET" | "TRANSITIVELY":
            return True
        case "ORDER":
            return following.text.upper() == "BY"
        case "DEPTH":
            return following.text.isdecimal()
        case "VIA":
            return following.text.lower() in set(EdgeKind)
        case "AT":
            return following.kind in {"string", "quoted"}
        case _:
            return False
