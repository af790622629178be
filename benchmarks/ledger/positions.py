"""Finds each identifier of a source, and says what it can name by the nodes it stands in.

What a language's grammar calls things is data: `<language>.toml` beside this module. An identifier
that no line there excuses counts as one that names something, so what is forgotten is asked for and
not passed over.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import msgspec
import tree_sitter as ts

from mu.syntax.grammars.grammar import load_grammar
from mu.syntax.grammars.manifest import lineage, load_manifests
from mu.syntax.text.embedded_code import embedded_code

_NEAR = 100  # bytes in which the name before a bracket is looked for
_BEFORE_BRACKET = re.compile(rb"(\w+)\s*[\[(]\s*$")
_QUOTED = re.compile(rb"""[rRuU]?("{3}|'{3}|"|')(.*)\1""", re.DOTALL)


class Position(StrEnum):
    """What an identifier can name where it stands."""

    CALL = "call"
    TYPE = "type"
    VALUE = "value"
    DEFINITION = "definition"


_EXCUSED = (Position.TYPE, Position.DEFINITION)


@dataclass(frozen=True, slots=True)
class Names:
    """Names that live in a part of the text: those at some places, in the next of some nodes.

    With `are_free` their definitions need no node, either.
    """

    at: tuple[str, ...]
    within: tuple[str, ...]
    are_free: bool = False


@dataclass(frozen=True, slots=True)
class Types:
    """Where what would be a value is a type: in nodes `within`, unless one of `but` is between.

    So it is in `arguments` of the functions of `calls`, by place from 0 or as a node `keyword`
    whose name is given, and in `brackets`; but not behind a name of `opaque`, and behind one of
    `first_only` only in the first place. A node `string` there is one written in quotes.
    """

    within: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    arguments: str = ""
    keyword: str = ""
    calls: dict[str, tuple[int | str, ...]] = field(default_factory=dict)
    brackets: tuple[str, ...] = ()
    opaque: tuple[str, ...] = ()
    first_only: tuple[str, ...] = ()
    string: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Where the identifiers of a language stand, by the kinds of the nodes around them.

    A place is `PARENT.FIELD`, or `PARENT` for any child of it; what is no field has its number
    among the named children. Longer ones begin further out: `FIRST.FIELD>SECOND`, and one more.
    `leaves` are the kinds of identifiers, with the position of one of which nothing else is said.
    `positions` and `reasons` (to need no row) list places; of one that is in `same` the parent's
    place counts instead. `spelled` has patterns for names, without which a reason is none. `names`
    have a reason each, as have `words`, wherever they stand.
    """

    leaves: dict[str, Position]
    positions: dict[Position, tuple[str, ...]]
    reasons: dict[str, tuple[str, ...]]
    same: tuple[str, ...] = ()
    spelled: dict[str, str] = field(default_factory=dict)
    names: dict[str, Names] = field(default_factory=dict)
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    types: Types = Types()


class Identifier(NamedTuple):
    """An identifier of a source; `reason` says why it needs no row, and is empty if it needs one.

    `line` is from 1; one in a string is on the line on which the string begins. `place` is the kind
    of the node around it and its field there.
    """

    name: str
    line: int
    position: Position
    reason: str
    place: str


class _Step(NamedTuple):
    """A node, its field in the one around it (or its number there), and that one."""

    node: ts.Node
    field: str
    outer: "_Step | None"

    @property
    def place(self) -> str:
        """The kind of the node around it, and the field."""
        return "" if self.outer is None else f"{self.outer.node.type}.{self.field}"

    @property
    def places(self) -> tuple[str, ...]:
        """The names that the data may have for where it stands."""
        if self.outer is None:
            return ()
        kind, around = self.outer.node.type, self.outer.outer
        two = f"{self.outer.place}>{kind}"
        three = f"{around.place}>{around.node.type}>{kind}" if around is not None else two
        return self.place, kind, two, three

    def around(self) -> "Iterator[_Step]":
        """The step itself, and those around it."""
        step: _Step | None = self
        while step is not None:
            yield step
            step = step.outer


@cache
def table_of(language: str) -> Table | None:
    """The data of a language, or of the one that it extends; None where there is none."""
    for name in lineage(language, load_manifests()):
        path = Path(__file__).with_name(f"{name}.toml")
        if path.is_file():
            return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Table)
    return None


def identifiers(text: bytes, language: str) -> list[Identifier]:
    """Each identifier of a source but those next to mistakes; the language must have data."""
    table, grammar = table_of(language), load_grammar(language)
    assert table is not None
    if grammar.manifest.inside:
        text = embedded_code(text, grammar.manifest.inside).text
    return _Walk(table, ts.Parser(grammar.language)).read(text)


class _Walk:
    """A walk over the tree of one source."""

    def __init__(self, table: Table, parser: ts.Parser) -> None:
        self._table, self._parser = table, parser
        self._positions = {at: one for one, places in table.positions.items() for at in places}
        self._reasons = {at: one for one, places in table.reasons.items() for at in places}
        self._words = {word: why for why, words in table.words.items() for word in words}
        self._same = frozenset(table.same)
        self._found: list[tuple[int, Identifier]] = []  # with the byte at which it stands
        self._declared: dict[str, list[tuple[int, int, str]]] = defaultdict(list)  # first, end, why

    def read(self, text: bytes) -> list[Identifier]:
        """All of them, in the order of the text; names that live in a part of it are excused."""
        for step in self._leaves(_Step(self._parser.parse(text).root_node, "", None), text):
            self._note(step, text, line=step.node.start_point[0] + 1, byte=step.node.start_byte)
        rows = []
        for byte, one in sorted(self._found, key=itemgetter(0)):
            spans = self._declared.get(one.name, ())
            reasons = [why for first, end, why in spans if first <= byte < end]
            if one.position is Position.DEFINITION:
                reasons = [why for why in reasons if self._table.names[why].are_free]
            is_excused = reasons and not one.reason and one.position in _EXCUSED
            rows.append(one._replace(reason=reasons[0]) if is_excused else one)
        return rows

    def _leaves(self, root: _Step, text: bytes) -> Iterator[_Step]:
        waiting = [root]
        while waiting:
            step = waiting.pop()
            node = step.node
            if node.type in self._table.leaves and not node.is_missing:
                yield step
            elif node.type == self._table.types.string and self._is_type(step, text):
                self._read_string(step, text)
            elif node.type != "ERROR":
                waiting += reversed([_Step(c, f, step) for f, c in _children(node)])

    def _read_string(self, step: _Step, text: bytes) -> None:
        """Read a string as if what is in it stood in its place."""
        quoted = _QUOTED.fullmatch(text[step.node.start_byte : step.node.end_byte])
        content = quoted[2].strip() if quoted is not None else b""
        root = self._parser.parse(content).root_node
        statements = root.named_children
        if root.has_error or len(statements) != 1 or not statements[0].named_children:
            return  # no type, or one with a comment
        inner = _Step(statements[0].named_children[0], step.field, step.outer)
        for leaf in self._leaves(inner, content):
            self._note(leaf, content, line=step.node.start_point[0] + 1, byte=step.node.start_byte)

    def _note(self, step: _Step, text: bytes, *, line: int, byte: int) -> None:
        table, outer = self._table, step
        name = text[step.node.start_byte : step.node.end_byte].decode("utf-8", "replace")
        while outer.outer is not None and not self._same.isdisjoint(outer.places):
            outer = outer.outer
        for why, names in table.names.items():
            if not {*step.places, *outer.places}.isdisjoint(names.at):
                self._declare(step, name, names, why)
        default = table.leaves[step.node.type]
        at = next((at for at in outer.places if at in self._positions), "")
        position = self._positions.get(at, default)
        at = next((at for at in outer.places if at in self._reasons), "")
        reason = self._reasons.get(at, "")
        if not re.search(table.spelled.get(reason, ""), name):
            reason = ""
        reason = reason or self._words.get(name, "")
        if position is Position.VALUE and self._is_type(step, text):
            position = Position.TYPE
        self._found.append((byte, Identifier(name, line, position, reason, step.place)))

    def _declare(self, step: _Step, name: str, names: Names, why: str) -> None:
        """Note that a name lives in the next of some nodes around a step."""
        for one in step.around():
            if one.node.type in names.within:
                self._declared[name].append((one.node.start_byte, one.node.end_byte, why))
                return

    def _is_type(self, step: _Step, text: bytes) -> bool:
        """Whether what would be a value is a type by what it stands in."""
        types = self._table.types
        for one in step.around():
            kind, outer = one.node.type, one.outer
            if outer is not None and outer.node.type in types.brackets and one.field != "value":
                place, name = _key(one, types, text), _holder(one.node, text, first=outer.node)
                if name in types.opaque or (name in types.first_only and place != 0):
                    return False
            if one is not step and kind in types.within:
                return True
            if outer is None or (one is not step and kind in types.but):
                return False
            if outer.node.type == types.arguments:
                return _key(one, types, text) in types.calls.get(_holder(outer.node, text), ())
        return False


def _children(node: ts.Node) -> Iterator[tuple[str, ts.Node]]:
    """The children of a node, each with its field or, without one, its number among the named."""
    number = 0
    for place, child in enumerate(node.children):
        yield node.field_name_for_child(place) or str(number), child
        number += child.is_named


def _key(step: _Step, types: Types, text: bytes) -> int | str:
    """The place of an argument among those beside it, or its name."""
    assert step.outer is not None
    node = step.node
    if node.type == types.keyword:
        named = node.named_children[0]
        return text[named.start_byte : named.end_byte].decode("utf-8", "replace")
    return sum(1 for one in _arguments(step.outer.node) if one.start_byte < node.start_byte)


def _arguments(holder: ts.Node) -> list[ts.Node]:
    """What stands between the brackets of a node, which may begin with what they stand behind."""
    return [child for field, child in _children(holder) if child.is_named and field != "value"]


def _holder(node: ts.Node, text: bytes, *, first: ts.Node | None = None) -> str:
    """The last name before the brackets that a node is, or before the first thing in some."""
    start = _arguments(first)[0].start_byte if first is not None else node.start_byte + 1
    found = _BEFORE_BRACKET.search(text[max(0, start - _NEAR) : start])
    return found[1].decode() if found is not None else ""
