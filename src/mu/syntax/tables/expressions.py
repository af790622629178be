"""Expression rows, hash-consed: one row for each distinct structure and scope.

Names, attribute chains and strings are read off their text, once per text and scope.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import tree_sitter as ts

from mu.model.facts import Expression, Op
from mu.syntax.grammars.manifest import Manifest
from mu.syntax.matching.shapes import Shape

LONGEST_STRING = 200
LONGEST_INDEX = 3  # characters of an integer subscript
SHORTEST_BEGINNING = 3  # characters of the constant prefix of an interpolated string
REST = "*"  # the marker of iterable unpacking
_QUOTES, _RAW, _BYTES = "\"'", "rR", ("b", "rb")

# Plain integers: reading a member of an enumeration takes ten times as long.
_NAME, _ATTRIBUTE, _LITERAL, _STRING = map(int, (Op.NAME, Op.ATTRIBUTE, Op.LITERAL, Op.STRING))
_PAIR, _KEYWORD, _UNION, _OPERATOR = map(int, (Op.PAIR, Op.KEYWORD, Op.UNION, Op.OPERATOR))
_COMPREHENSION, _YIELDED, _CAST = int(Op.COMPREHENSION), int(Op.YIELDED), int(Op.CAST)

_BEGINNING, _CALL, _COLLECTION = int(Op.BEGINNING), int(Op.CALL), int(Op.COLLECTION)
_OF_CLASSES = frozenset(map(int, (Op.NAME, Op.ATTRIBUTE, Op.INDEX, Op.FUNCTION)))
_TABLE = "dict"  # the type of collection literals with keys

DottedName = tuple[list[str], dict[int, int]]
"""The parts of a name or attribute chain, and its rows by home; no parts for any other text."""


class ExpressionTable:
    """The expression rows of one file; row 0 is an unknown value."""

    def __init__(self, manifest: Manifest, literals: Iterable[str]) -> None:
        self.rows: list[Expression] = [(int(Op.OPAQUE), "", 0, ())]
        self.rows += ((_LITERAL, kind, 0, ()) for kind in literals)
        self._numbers = {row: number for number, row in enumerate(self.rows)}
        self._separator = manifest.member_separator
        self._path_separator = manifest.path_separator
        self._interpolation = manifest.interpolation
        self.dotted_names: dict[bytes, DottedName] = {}
        self.texts: dict[str, list[bytes]] = {}  # dotted names, by their first name
        self._strings: dict[bytes, int] = {}

    def row(self, row: Expression) -> int:
        """Return the number of a row, adding it if it is new."""
        rows = self.rows
        number = self._numbers.setdefault(row, len(rows))
        if number == len(rows):
            rows.append(row)
        return number

    def literal(self, kind: str) -> int:
        """Return the row of a literal of the type named `kind`."""
        return self.row((_LITERAL, kind, 0, ()))

    def string(self, text: bytes) -> int:
        """Return the row of a string literal.

        A short plain one keeps its value, since it may name something.
        """
        number = self._strings.get(text)
        if number is None:
            number = self._strings[text] = self._read_string(text)
        return number

    def parse_dotted(self, text: bytes) -> DottedName:
        """Split a name or attribute chain into its parts; the result is kept in `dotted_names`."""
        spelled = text.decode("utf-8", "replace")
        if self._path_separator:
            spelled = spelled.replace(self._path_separator, self._separator)
        parts = [spelled]
        if self._separator in spelled:
            parts = spelled.split(self._separator)
            if not all(map(str.isidentifier, spelled.replace("$", "_").split(self._separator))):
                parts = []
        dotted = self.dotted_names[text] = (parts, {})
        if parts:
            self.texts.setdefault(parts[0], []).append(text)
        return dotted

    def move(self, name: str, *, home: int, new: int) -> bool:
        """Move the rows of a name from one home to another; return False if there are none."""
        number = self._numbers.pop((_NAME, name, home, ()), None)
        if number is None:
            return False
        row = self.rows[number] = (_NAME, name, new, ())
        self._numbers[row] = number
        for text in self.texts.get(name, ()):
            _, rows = self.dotted_names[text]
            if home in rows:
                rows[new] = rows.pop(home)
        return True

    def rehome(self, name: str, *, home: int, new: int) -> bool:
        """Move the rows of a name, unless the new home has some, which would be duplicates."""
        if (_NAME, name, new, ()) in self._numbers:
            return False
        self.move(name, home=home, new=new)
        return True

    def dotted_row(self, dotted: DottedName, home: int) -> int:
        """Return the row of a dotted name whose first part is at home in `home`."""
        parts, known = dotted
        number = self.row((_NAME, parts[0], home, ()))
        if len(parts) > 1:
            for name in parts[1:]:
                number = self.row((_ATTRIBUTE, name, number, ()))
        known[home] = number
        return number

    def make(
        self, shape: Shape, rows: Mapping[int, int], *, children: Sequence[ts.Node], source: bytes
    ) -> int:
        """Return the row of an expression from the rows of its children; 0 if nothing is known."""
        if shape.role == "expression.composite":
            (of,), (value,) = shape.parts["type"], shape.parts["value"]
            return self._composite(rows.get(of, 0), rows[value])
        maker = _MAKERS.get(shape.role)
        return 0 if maker is None else self.row(maker(shape, rows, children, source))

    def _composite(self, of: int, value: int) -> int:
        """Return the row of a literal of type `of`; untyped literals in it get its element type.

        The keys of a composite literal that is not a map are indices or field names, and are
        dropped.
        """
        op, kind, element, keys = self.rows[of]
        held, _, _, args = self.rows[value]
        if op == _COMPREHENSION and held == _COLLECTION:
            key = keys[0] if keys else 0
            parts = [self._part(arg, element, key) for arg in args]
            if kind != _TABLE:
                parts = [self._value_of(part) for part in parts]
            value = self.row((_COLLECTION, kind, 0, tuple(parts)))
        return self.row((_CAST, "", value, (of,)))

    def _part(self, number: int, element: int, key: int) -> int:
        """Return the row of a part of a literal, given the types of its elements and keys."""
        op, _, base, args = self.rows[number]
        if op == _PAIR:
            pair = (self.with_type(args[0], key), self.with_type(args[1], element))
            return self.row((_PAIR, "", 0, pair))
        if op == _KEYWORD:
            return self.row((_PAIR, "", 0, (0, self.with_type(base, element))))
        return self.with_type(number, element)

    def with_type(self, number: int, of: int) -> int:
        """Return the row of a literal with the type it omits; any other row unchanged."""
        op, _, _, args = self.rows[number]
        if op != _COLLECTION:
            return number
        if self.rows[of][0] in _OF_CLASSES:
            return self.row((_CALL, "", of, args))
        return self._composite(of, number)

    def _value_of(self, number: int) -> int:
        op, _, _, args = self.rows[number]
        return args[1] if op == _PAIR else number

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


def literal_index(shape: Shape, children: Sequence[ts.Node], *, source: bytes) -> str:
    """Return the integer of at most three characters that a subscript is; empty for any other."""
    if len(shape.arguments) != 1:
        return ""
    node = children[shape.arguments[0]]
    start, end = node.start_byte, node.end_byte
    if end - start > LONGEST_INDEX:
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
    return _UNION, "", 0, tuple(dict.fromkeys(rows[index] for index in shape.parts["option"]))


def _operator(
    shape: Shape, rows: Mapping[int, int], children: Sequence[ts.Node], source: bytes
) -> Expression:
    parts = shape.parts
    sides = tuple(rows[parts[side][0]] for side in ("left", "right") if side in parts)
    return _OPERATOR, _text(children[parts["operator"][0]], source), 0, sides


def _comprehension(
    shape: Shape, rows: Mapping[int, int], _children: Sequence[ts.Node], _source: bytes
) -> Expression:
    parts = shape.parts
    keys = tuple([rows[index] for index in parts.get("key", ())])
    return _COMPREHENSION, shape.type, rows[parts["body"][0]], keys


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
    "expression.literal": _literal,  # those whose kind of node has other meanings, too
}
