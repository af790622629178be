"""Insert a member into a JSON document with comments, leaving every other byte as it is."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from mu.errors import ExitCode, MuError


class _Object(NamedTuple):
    """An object in the text: where its braces are, and the places of its members by key."""

    start: int
    end: int
    members: dict[str, tuple[int, int]]


def insert(text: str, path: Sequence[str], *, value: object) -> tuple[str, int, str]:
    """Add `value` under `path`, whose last key is new; give the text, the place, what was added.

    Objects on the path that are missing are added too. Line ends and tabs are those of the text.
    Raises MuError when the text is no object, something on the path is none, or the last key is
    there already.
    """
    found = _object_at(text, _skip(text, 0))
    rest = list(path)
    while rest[0] in found.members:
        start, _ = found.members[rest.pop(0)]
        if not rest:
            raise MuError(f"{path[-1]} is there already", code=ExitCode.FAILED)
        found = _object_at(text, start)
    for key in reversed(rest[1:]):
        value = {key: value}
    indent = _indent(text, found)
    step = "\t" if "\t" in indent else "  "
    body = json.dumps(value, indent=step, ensure_ascii=False).replace("\n", f"\n{indent}")
    added = f"\n{indent}{json.dumps(rest[0])}: {body}"
    if found.members:
        added += ","
    elif "\n" not in text[found.start : found.end]:
        added += f"\n{indent.removesuffix(step)}"
    if "\r\n" in text:
        added = added.replace("\n", "\r\n")
    place = found.start + 1
    return text[:place] + added + text[place:], place, added


def has(text: str, path: Sequence[str]) -> bool:
    """Tell whether there is a value under `path`."""
    start = _skip(text, 0)
    for key in path:
        if text[start : start + 1] != "{":
            return False
        members = _object_at(text, start).members
        if key not in members:
            return False
        start = members[key][0]
    return True


def is_object(text: str) -> bool:
    """Tell whether a text is one object, with comments, and nothing else."""
    try:
        found = _object_at(text, _skip(text, 0))
    except MuError:
        return False
    return _skip(text, found.end + 1) == len(text)


def _indent(text: str, found: _Object) -> str:
    """The white space before the members of an object; two spaces more than the object's line."""
    if found.members:
        first = min(start for start, _ in found.members.values())
        line = text.rfind("\n", 0, first) + 1
        if line > found.start:
            return text[line : len(text[:first]) - len(text[line:first].lstrip())]
    line = text.rfind("\n", 0, found.start) + 1
    own = text[line : found.start]
    return own[: len(own) - len(own.lstrip())] + ("\t" if "\n\t" in text else "  ")


def _object_at(text: str, start: int) -> _Object:
    """Scan the object that begins at a place."""
    if text[start : start + 1] != "{":
        raise _broken(text, start)
    members: dict[str, tuple[int, int]] = {}
    place = _skip(text, start + 1)
    while text[place : place + 1] != "}":
        end = _value_end(text, place)
        try:
            key = json.loads(text[place:end])
        except ValueError:
            raise _broken(text, place) from None
        place = _skip(text, end)
        if not isinstance(key, str) or text[place : place + 1] != ":":
            raise _broken(text, place)
        value = _skip(text, place + 1)
        end = _value_end(text, value)
        members[key] = (value, end)
        place = _skip(text, end)
        if text[place : place + 1] == ",":
            place = _skip(text, place + 1)
        elif text[place : place + 1] != "}":
            raise _broken(text, place)
    return _Object(start, place, members)


def _value_end(text: str, start: int) -> int:
    """The place behind the value that begins at a place."""
    first = text[start : start + 1]
    if first == '"':
        place = start + 1
        while text[place : place + 1] not in {'"', ""}:
            place += 2 if text[place] == "\\" else 1
        if place >= len(text):
            raise _broken(text, start)
        return place + 1
    if first in {"{", "["}:
        place, depth = start, 0
        while place < len(text):
            character = text[place]
            if character == '"':
                place = _value_end(text, place)
                continue
            depth += (character in "{[") - (character in "}]")
            if not depth:
                return place + 1
            place = _skip(text, place + 1)
        raise _broken(text, start)
    place = start
    while place < len(text) and text[place] not in ",}] \t\r\n/":
        place += 1
    if place == start:
        raise _broken(text, start)
    return place


def _skip(text: str, place: int) -> int:
    """The next place that is neither white space nor in a comment."""
    while place < len(text):
        if text[place] in " \t\r\n\ufeff":
            place += 1
        elif text.startswith("//", place):
            place = _behind(text, "\n", place)
        elif text.startswith("/*", place):
            place = _behind(text, "*/", place + 2)
        else:
            break
    return place


def _behind(text: str, mark: str, place: int) -> int:
    found = text.find(mark, place)
    return len(text) if found < 0 else found + len(mark)


def _broken(text: str, place: int) -> MuError:
    line = text.count("\n", 0, place) + 1
    return MuError(f"line {line} is not JSON with comments", "mend it first; nothing was changed")
