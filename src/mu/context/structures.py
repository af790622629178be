"""Structures of values as people write them: `{id: int, user: {login: str}, tags: [str]}`.

A dictionary is names and types between braces, a list its one type in brackets; a name may stand
before either, as in `issue: {id: int}`. Types are str, int,
float, bool, dict and list; any other is a str, as there are neither unions nor optional ones.
Nothing raises: what cannot be read is given back as the text it was, and what is nested deeper than
MOST_DEPTH is a dict or list of nothing that is known.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from mu.errors import MuError

MOST_DEPTH = 20
"""Levels that are read; what is deeper is left out."""

_CLOSING = {"{": "}", "[": "]"}

ITEM = "[]"
"""The key of what a list holds, where that is no dictionary."""

_TYPES = {
    "str": "str", "string": "str", "text": "str", "int": "int", "integer": "int",
    "float": "float", "number": "float", "bool": "bool", "boolean": "bool",
    "dict": "dict", "object": "dict", "list": "list", "array": "list",
}  # fmt: skip
_TOKEN = re.compile(r"""\s*(?:(?P<sign>[{}\[\],:])|"(?P<double>[^"]*)"|'(?P<single>[^']*)'"""
                    r"""|(?P<word>[^\s{}\[\],:"']+))""")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """A value of a structure: its `key`, its `type`, and what it holds, empty where not known.

    A list of dictionaries holds the fields of one of them, another list one field called ITEM.
    """

    key: str
    type: str
    structure: tuple["Field", ...] = ()


def parse_structure(text: str) -> tuple[Field, ...] | str:
    """Read the structure in a text: the fields of a dictionary, or one called ITEM for a list.

    Of a structure with a name it is the one field of that name. Gives the text itself where it is
    no structure.
    """
    try:
        tokens = _Tokens(text)
        key = tokens.key()
        if not tokens.is_at_bracket:
            return text
        value = tokens.value(key, 0)
        tokens.end()
    except _UnreadableError:
        return text
    if key:
        return (value,)
    return value.structure if value.type == "dict" else (replace(value, key=ITEM),)


def dotted_paths(fields: tuple[Field, ...], prefix: str = "") -> Iterator[str]:
    """Give each value of a structure as `labels[].name: str`, outer ones before inner ones."""
    for field in fields:
        is_item = field.key == ITEM
        path = f"{prefix}{ITEM}" if is_item else f"{prefix}.{field.key}" if prefix else field.key
        yield f"{path}: {field.type}"
        is_of_items = field.structure[:1] and field.structure[0].key == ITEM
        inner = f"{path}{ITEM}" if field.type == "list" and not is_of_items else path
        yield from dotted_paths(field.structure, inner)


class _UnreadableError(MuError):
    """The text is no structure."""

    def __init__(self) -> None:
        super().__init__("this is no structure")


class _Tokens:
    """Reads a text from its start; raises _UnreadableError for what does not belong there."""

    def __init__(self, text: str) -> None:
        self._tokens = self._split(text.strip())
        self._place = 0

    @staticmethod
    def _split(text: str) -> list[tuple[str, str]]:
        """Give the signs and words of a text, each with the sort it is."""
        found, place = [], 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise _UnreadableError()
            sort = match.lastgroup or ""
            found.append((sort, match[sort]))
            place = match.end()
        return found

    @property
    def is_at_bracket(self) -> bool:
        """True if a dictionary or a list comes next."""
        return self._tokens[self._place : self._place + 1] in ([("sign", "{")], [("sign", "[")])

    def key(self) -> str:
        """Take the name before the structure; empty where it has none."""
        if len(self._tokens) < 2 or self._tokens[0][0] == "sign":
            return ""
        _, name = self._take()
        if not self._is_next(":"):
            raise _UnreadableError()
        return name

    def value(self, key: str, depth: int) -> Field:
        """Read what stands here as the value of `key`."""
        sort, text = self._take()
        if sort != "sign":
            return Field(key, _TYPES.get(text.strip().lower(), "str"))
        if text not in _CLOSING:
            raise _UnreadableError()
        kind = "dict" if text == "{" else "list"
        if depth >= MOST_DEPTH:
            self._skip(text)
            return Field(key, kind)
        held = tuple(self._members(depth)) if kind == "dict" else self._item(depth)
        return Field(key, kind, held)

    def end(self) -> None:
        """Make sure that nothing follows."""
        if self._place < len(self._tokens):
            raise _UnreadableError()

    def _members(self, depth: int) -> Iterator[Field]:
        while not self._is_next("}"):
            sort, key = self._take()
            if sort == "sign" or not self._is_next(":"):
                raise _UnreadableError()
            yield self.value(key, depth + 1)
            if not self._is_next(","):
                if not self._is_next("}"):
                    raise _UnreadableError()
                return

    def _item(self, depth: int) -> tuple[Field, ...]:
        """Read what a list holds; of several types the first one counts."""
        held: list[Field] = []
        while not self._is_next("]"):
            held.append(self.value(ITEM, depth + 1))
            if not self._is_next(","):
                if not self._is_next("]"):
                    raise _UnreadableError()
                break
        if not held:
            return ()
        return held[0].structure if held[0].type == "dict" and held[0].structure else (held[0],)

    def _skip(self, opening: str) -> None:
        """Leave out all up to the bracket that closes this one."""
        waiting = [_CLOSING[opening]]
        while waiting:
            sort, text = self._take()
            if sort == "sign" and text in _CLOSING:
                waiting.append(_CLOSING[text])
            elif sort == "sign" and text in _CLOSING.values() and text != waiting.pop():
                raise _UnreadableError()

    def _is_next(self, sign: str) -> bool:
        """Take a sign if it is the next thing."""
        is_it = self._tokens[self._place : self._place + 1] == [("sign", sign)]
        self._place += is_it
        return is_it

    def _take(self) -> tuple[str, str]:
        if self._place >= len(self._tokens):
            raise _UnreadableError()
        self._place += 1
        return self._tokens[self._place - 1]
