"""Turns of a small model as JSON: one object a reply, a call of a tool or the answer.

    {"tool": "mu_search", "args": {"words": "login"}}      {"done": true, "response": "..."}

Small models wrap the object in a fence, write prose around it, quote with apostrophes or leave a
comma before a closing bracket: all of that is taken. What cannot be is a `Correction` that says
where the mistake is and shows a reply that is right, and the model tries again.
"""

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from mu.agent.values import Json

EXAMPLES = '{"tool": "mu_search", "args": {"words": "login"}} or {"done": true, "response": "..."}'
_ARGUMENTS = ("arguments", "args", "parameters", "input")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_LONGEST = 200_000
_MOST_TRIED = 50  # brackets that begin no object, until the reply is given up


@dataclass(frozen=True, slots=True)
class Call:
    """A tool is to be called."""

    tool: str
    args: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Done:
    """The answer."""

    response: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What is wrong with a reply, for the model."""

    text: str


def parse_reply(text: str, *, tools: Sequence[str]) -> Call | Done | Correction:
    """Read a reply; anything that is no call and no answer gives a correction."""
    if len(text) > _LONGEST:
        return _correction(f"the reply has {len(text):,} characters")
    objects = list(_objects(text))
    turns = [found for found in objects if "tool" in found or "done" in found]
    calls = [] if turns else bare_calls(text, tools=tools)
    if max(len(turns), len(calls)) > 1:
        count = len(turns) or len(calls)
        return _correction(f"{count} objects in one reply: give one, and wait for its result")
    if turns:
        return _turn(turns[0], tools)
    if calls:
        return Call(*calls[0])
    if objects:
        return _correction("the object has neither `tool` nor `done`")
    start = text.find("{")
    if start < 0:
        return _correction("there is no JSON object in the reply")
    return _correction(f"the JSON breaks off or is wrong {_where(text[start:])}")


def bare_calls(text: str, *, tools: Sequence[str]) -> tuple[tuple[str, dict[str, Json]], ...]:
    """Give the calls that stand in a text as JSON, by name and arguments.

    Models that were taught to call tools often write the call out instead; an object counts when
    its name is a tool's. The keys are those that models use.
    """
    calls: list[tuple[str, dict[str, Json]]] = []
    for found in _objects(text) if len(text) <= _LONGEST else ():
        inner = found.get("function")
        row = inner if isinstance(inner, dict) else found
        name = next((row[key] for key in ("name", "tool", "function") if key in row), None)
        given = next((row[key] for key in _ARGUMENTS if key in row), {})
        if isinstance(given, str):
            given = next(_objects(given), {})
        if isinstance(name, str) and name in tools and isinstance(given, dict):
            calls.append((name, given))
    return tuple(calls)


def is_bare_call(text: str, *, tools: Sequence[str]) -> bool:
    """Recognise a text that is only tool calls, written as JSON with or without a fence."""
    stripped = text.strip()
    return (
        stripped[:1] in tuple("{[`")
        and stripped[-1:] in tuple("}]`")
        and bool(bare_calls(stripped, tools=tools))
    )


def _turn(found: dict[str, Json], tools: Sequence[str]) -> Call | Done | Correction:
    if "tool" in found and "done" in found:
        return _correction("both `tool` and `done`: call a tool, or answer")
    if "done" in found:
        response = found.get("response")
        if found["done"] is not True:
            return _correction("`done` is not true: call a tool instead")
        if not isinstance(response, str) or not response.strip():
            return _correction("`response` has to be a text that is not empty")
        return Done(response)
    tool, args = found["tool"], found.get("args", {})
    if not isinstance(tool, str) or tool not in tools:
        return _correction(f"there is no tool {tool!r}; the tools are {', '.join(tools)}")
    if isinstance(args, str):
        inner = next(_objects(args), None)
        return Call(tool, inner) if inner is not None else _correction("`args` has to be an object")
    if not isinstance(args, dict):
        return _correction("`args` has to be an object; it may be {}")
    return Call(tool, args)


def _objects(text: str) -> Iterator[dict[str, Json]]:
    """Give the outermost objects in a text, whatever stands around them."""
    place, tried = text.find("{"), 0
    while place >= 0 and tried < _MOST_TRIED:
        end = _closing(text, place)
        found = None if end < 0 else _decoded(text[place : end + 1])
        if found is None:
            place, tried = text.find("{", place + 1), tried + 1
            continue
        yield found
        place = text.find("{", end + 1)


def _closing(text: str, start: int) -> int:
    """The place of the bracket that closes the one at `start`, outside of strings; -1 for none."""
    depth, quote, place = 0, "", start
    while place < len(text):
        character = text[place]
        if quote:
            if character == "\\":
                place += 1
            elif character == quote:
                quote = ""
        elif character == '"' or (character == "'" and _opens(text, place)):
            quote = character
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return place
        place += 1
    return -1


def _opens(text: str, place: int) -> bool:
    """Tell whether an apostrophe opens a string: it follows punctuation, not a letter."""
    before = place - 1
    while before >= 0 and text[before].isspace():
        before -= 1
    return before >= 0 and text[before] in "{[:,("


def _decoded(text: str) -> dict[str, Json] | None:
    for attempt in (text, _TRAILING_COMMA.sub(r"\1", text)):
        try:
            value = json.loads(attempt, strict=False)
        except ValueError:
            continue
        return value if isinstance(value, dict) else None
    try:
        literal = ast.literal_eval(_python(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return cast(dict[str, Json], literal) if isinstance(literal, dict) else None


def _python(text: str) -> str:
    """Write JSON's own words as Python's, outside of strings."""
    words = {"true": "True", "false": "False", "null": "None"}
    parts = re.split(r"('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", text)
    for place in range(0, len(parts), 2):
        parts[place] = re.sub(r"\b(true|false|null)\b", lambda m: words[m[0]], parts[place])
    return "".join(parts)


def _where(text: str) -> str:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"at line {error.lineno}, column {error.colno}: {error.msg}"
    return ""


def _correction(what: str) -> Correction:
    return Correction(f"That reply cannot be used: {what}. Reply with one JSON object: {EXAMPLES}")
