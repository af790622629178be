"""The arguments of a call, read from the source, and whether parameters take them.

The text behind the name of what is called is cut at commas outside of brackets and strings. What is
unpacked (`*more`, `**more`, `...more`) may be anything, so such a call may fit.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mu.analysis.review.parameters import How, Parameter, counted
from mu.analysis.review.statement_text import string_end

_MOST_LINES = 60
_KEYWORD = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)")
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a call passes: how many by position, which by name, and whether more is unpacked."""

    count: int
    names: tuple[str, ...]
    has_more: bool


def read_arguments(
    lines: Sequence[str], line: int, *, callee: str, takes_keywords: bool
) -> tuple[Arguments, ...]:
    """Read each call of `callee` that begins in a line, counted from 1; none where none is found.

    `callee` is as the text has it; a call that goes over more than 60 lines is not read.
    """
    text = "\n".join(lines[line - 1 : line - 1 + _MOST_LINES])
    first = text.partition("\n")[0]
    found = []
    for match in re.finditer(rf"(?<![\w]){re.escape(callee)}\s*(?:<[\w\s,.]*>\s*)?\(", text):
        if match.start() > len(first):
            break
        parts = _split(text[match.end() :], comment="#" if takes_keywords else "//")
        if parts is not None:
            found.append(_arguments(parts, takes_keywords=takes_keywords))
    return tuple(found)


def misfit(call: Arguments, parameters: Sequence[Parameter]) -> str:
    """Say why a call does not fit parameters; empty where it does, or may."""
    placed = [one for one in parameters if one.how in (How.POSITION, How.EITHER)]
    takes_more = any(one.how is How.REST for one in parameters)
    takes_names = any(one.how is How.KEYWORDS for one in parameters)
    if call.count > len(placed) and not takes_more:
        return f"passes {counted(call.count)} by position, where {len(placed)} are taken"
    named = {one.name for one in parameters if one.how in (How.EITHER, How.KEYWORD)}
    for name in call.names:
        if name not in named and not takes_names:
            return f"passes {name}, which is not taken"
        if name in {one.name for one in placed[: call.count]}:
            return f"passes {name} twice"
    if call.has_more:
        return ""
    for one in (*placed[call.count :], *(one for one in parameters if one.how is How.KEYWORD)):
        if not one.is_optional and one.name not in call.names:
            return f"does not pass {one.name}"
    return ""


def _arguments(parts: Sequence[str], *, takes_keywords: bool) -> Arguments:
    count, names, has_more = 0, [], False
    for part in parts:
        keyword = _KEYWORD.match(part) if takes_keywords else None
        stars = ("...", "*") if takes_keywords else ("...",)
        if part.startswith(stars) or part.endswith("..."):
            has_more = True
        elif keyword:
            names.append(keyword[1])
        else:
            count += 1
    return Arguments(count, tuple(names), has_more)


def _split(text: str, *, comment: str) -> list[str] | None:
    """Cut the text behind an opening bracket into arguments; None where it does not end."""
    parts, depth, start = [], 0, 0
    place, end = 0, len(text)
    while place < end:
        letter = text[place]
        if letter in "\"'`":
            place = string_end(text, place)
            continue
        if text.startswith(comment, place):
            place = text.find("\n", place)
            if place < 0:
                return None
        elif letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            if depth == 0:
                parts.append(text[start:place])
                return [_cleaned(part) for part in parts if _cleaned(part)]
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
        place += 1
    return None


def _cleaned(part: str) -> str:
    """Give an argument without comments above it."""
    lines = [line for line in part.split("\n") if not line.strip().startswith(("#", "//"))]
    return " ".join(lines).strip()
