"""Values as rows: each once for each scope and structure.

Names, chains of attributes and strings are read off their text, once for each text in a scope.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import tree_sitter as ts

from mu.model.facts import Expression, Op
from mu.syntax.manifest import Manifest
from mu.syntax.shapes import Shape

LONGEST_STRING = 200
LONGEST_PLACE = 3  # of a whole number in a subscript, as written
SHORTEST_BEGINNING = 3  # of a string that is put together, for it to tell anything
REST = "*"  # the marker of what is unpacked element by element
_QUOTES, _RAW, _BYTES = "\"'", "rR", ("b", "rb")

# Plain numbers: reading a member of an enumeration takes ten times as long.
_NAME, _ATTRIBUTE, _LITERAL, _STRING = map(int, (Op.NAME, Op.ATTRIBUTE, Op.LITERAL, Op.STRING))
_PAIR, _KEYWORD, _UNION, _OPERATOR = map(int, (Op.PAIR, Op.KEYWORD, Op.UNION, Op.OPERATOR))
_COMPREHENSION, _YIELDED, _CAST = int(Op.COMPREHENSION), int(Op.YIELDED), int(Op.CAST)

_BEGINNING = int(Op.BEGINNING)

Spelling = tuple[list[str], dict[int, int]]
"""A name and the members of it, none where it is no such thing; its row for each home it has."""


class ExpressionTable:
    """The expression rows of one file; row 0 is the one nothing is known of."""

    def __init__(self, manifest: Manifest, literals: Iterable[str]) -> None:
        self.rows: list[Expression] = [(int(Op.OPAQUE), "", 0, ())]
        self.rows += ((_LITERAL, kind, 0, ()) for kind in literals)
        self._numbers = {row: number for number, row in enumerate(self.rows)}
        self._separator = manifest.member_separator
        self._path_separator = manifest.path_separator
        self._interpolation = manifest.interpolation
        self.spelled: dict[bytes, Spelling] = {}
        self.texts: dict[str, list[bytes]] = {}  # those that have been read, by their first name
        self._strings: dict[bytes, int] = {}

    def row(self, row: Expression) -> int:
        """The number of this row, added when it is new."""
        rows = self.rows
        number = self._numbers.setdefault(row, len(rows))
        if number == len(rows):
            rows.append(row)
        return number

    def literal(self, kind: str) -> int:
        """The row of a literal whose type is called `kind`."""
        return self.row((_LITERAL, kind, 0, ()))

    def string(self, text: bytes) -> int:
        """The row of a string; a short plain one keeps its value, for it may name something."""
        number = self._strings.get(text)
        if number is None:
            number = self._strings[text] = self._read_string(text)
        return number

    def read(self, text: bytes) -> Spelling:
        """What a name, or attributes of one, are made of; remembered in `spelled`."""
        spelled = text.decode("utf-8", "replace")
        if self._path_separator:
            spelled = spelled.replace(self._path_separator, self._separator)
        parts = [spelled]
        if self._separator in spelled:
            parts = spelled.split(self._separator)
            if not all(map(str.isidentifier, spelled.replace("$", "_").split(self._separator))):
                parts = []
        spelling = self.spelled[text] = (parts, {})
        if parts:
            self.texts.setdefault(parts[0], []).append(text)
        return spelling

    def move(self, name: str, *, home: int, new: int) -> bool:
        """Say that what has been read of a name so far lives elsewhere; whether there is any."""
        number = self._numbers.pop((_NAME, name, home, ()), None)
        if number is None:
            return False
        row = self.rows[number] = (_NAME, name, new, ())
        self._numbers[row] = number
        for text in self.texts.get(name, ()):
            _, rows = self.spelled[text]
            if home in rows:
                rows[new] = rows.pop(home)
        return True

    def rehome(self, name: str, *, home: int, new: int) -> bool:
        """Do so unless some of it lives there already, which would be rows that are the same."""
        if (_NAME, name, new, ()) in self._numbers:
            return False
        self.move(name, home=home, new=new)
        return True

    def spell(self, spelling: Spelling, home: int) -> int:
        """The row of a text whose first name lives in `home`."""
        parts, known = spelling
        number = self.row((_NAME, parts[0], home, ()))
        if len(parts) > 1:
            for name in parts[1:]:
                number = self.row((_ATTRIBUTE, name, number, ()))
        known[home] = number
        return number

    def make(
        self, shape: Shape, rows: Mapping[int, int], *, children: Sequence[ts.Node], source: bytes
    ) -> int:
        """The row of what is no chain, from those of its children; 0 where nothing is known."""
        maker = _MAKERS.get(shape.role)
        return 0 if maker is None else self.row(maker(shape, rows, children, source))

    def _read_string(self, text: bytes) -> int:
        if len(text) > LONGEST_STRING:
            return self.literal("str")
        value = text.decode("utf-8", "replace")
        if value[:1] in _RAW and value[1:2] in _QUOTES:
            return self.row((_STRING, value[1:].strip(value[1]), 0, ()))
        quote = value[:1]
        if self._interpolation and value[1:2] in _QUOTES and self._interpolation in value:
            beginning = value[2:].partition(self._interpolation)[0]
            if len(beginning) >= SHORTEST_BEGINNING and beginning.isidentifier():
                return self.row((_BEGINNING, beginning, 0, ()))
        if quote not in _QUOTES or "\\" in value:
            return self.literal("bytes" if value.lower().startswith(_BYTES) else "str")
        return self.row((_STRING, value.strip(quote), 0, ()))


Maker = Callable[[Shape, Mapping[int, int], Sequence[ts.Node], bytes], Expression]


def written_place(shape: Shape, children: Sequence[ts.Node], *, source: bytes) -> str:
    """The place that a subscript names by a whole number of at most two digits; else empty."""
    if len(shape.arguments) != 1:
        return ""
    node = children[shape.arguments[0]]
    start, end = node.start_byte, node.end_byte
    if end - start > LONGEST_PLACE:
        return ""
    text = source[start:end].decode("utf-8", "replace")
    return text if text.isdecimal() or (text[:1] == "-" and text[1:].isdecimal()) else ""


def _pair(
    shape: Shape, rows: Mapping[int, int], _children: Sequence[ts.Node], _source: bytes
) -> Expression:
    parts = shape.parts
    return _PAIR, "", 0, (rows[parts["key"][0]], rows[parts["value"][0]])


def _keyword(
    shape: Shape, rows: Mapping[int, int], children: Sequence[ts.Node], source: bytes
) -> Expression:
    parts = shape.parts
    return _KEYWORD, _text(children[parts["name"][0]], source), rows[parts["value"][0]], ()


def _union(
    shape: Shape, rows: Mapping[int, int], _children: Sequence[ts.Node], _source: bytes
) -> Expression:
    return _UNION, "", 0, tuple(dict.fromkeys(rows[place] for place in shape.parts["option"]))


def _operator(
    shape: Shape, rows: Mapping[int, int], children: Sequence[ts.Node], source: bytes
) -> Expression:
    parts = shape.parts
    sides = tuple(rows[parts[side][0]] for side in ("left", "right") if side in parts)
    return _OPERATOR, _text(children[parts["operator"][0]], source), 0, sides


def _comprehension(
    shape: Shape, rows: Mapping[int, int], _children: Sequence[ts.Node], _source: bytes
) -> Expression:
    return _COMPREHENSION, shape.type, rows[shape.parts["body"][0]], ()


def _yielded(
    _shape: Shape, _rows: Mapping[int, int], _children: Sequence[ts.Node], _source: bytes
) -> Expression:
    return _YIELDED, "", 0, ()


def _cast(
    shape: Shape, rows: Mapping[int, int], _children: Sequence[ts.Node], _source: bytes
) -> Expression:
    parts = shape.parts
    value = rows[parts["value"][0]] if "value" in parts else 0
    return _CAST, "", value, (rows.get(parts["type"][0], 0),)


def _literal(
    shape: Shape, _rows: Mapping[int, int], _children: Sequence[ts.Node], _source: bytes
) -> Expression:
    return _LITERAL, shape.type, 0, ()


def _text(node: ts.Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


_MAKERS: dict[str, Maker] = {
    "expression.pair": _pair,
    "expression.keyword": _keyword,
    "expression.union": _union,
    "expression.operator": _operator,
    "expression.comprehension": _comprehension,
    "expression.yielded": _yielded,
    "expression.cast": _cast,
    "expression.literal": _literal,  # those that their kind alone does not tell
}
