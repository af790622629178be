"""Values as rows: every expression that is asked for, once for each scope and structure.

Names and chains of attributes are read off their text. The structure of calls and the like was
captured when the file was matched, so a node is looked up by its id and not asked again. A chain
such as `a.b().c()` is followed down its left side in a loop, so its length is no matter for the
stack; what is nested in arguments is, and deeper than `DEPTH` it is opaque. This is the hottest
code of a build: a million nodes for django.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping

import tree_sitter as ts

from mu.model.facts import Expression, Op
from mu.syntax.grammar import Captures, Found, Grammar
from mu.syntax.names import NameScopes
from mu.syntax.outline import Outline

DEPTH = 60
LONGEST_STRING = 200
LONGEST_NAME = 200  # in bytes, all of a chain; longer ones are followed node by node

# Plain numbers: reading a member of an enumeration takes ten times as long.
_NAME, _ATTRIBUTE, _CALL, _INDEX, _AWAIT, _SPREAD = map(
    int, (Op.NAME, Op.ATTRIBUTE, Op.CALL, Op.INDEX, Op.AWAIT, Op.SPREAD)
)
_LITERAL, _STRING, _COLLECTION, _PAIR, _KEYWORD, _UNION = map(
    int, (Op.LITERAL, Op.STRING, Op.COLLECTION, Op.PAIR, Op.KEYWORD, Op.UNION)
)
_OPERATOR, _COMPREHENSION, _FUNCTION, _YIELDED = map(
    int, (Op.OPERATOR, Op.COMPREHENSION, Op.FUNCTION, Op.YIELDED)
)

# How a node kind is built without asking for its structure; above these: as a row that is there.
_IS_SPELLED, _IS_STRING = -1, -2

_Step = tuple[int, str, tuple[int, ...]]


class ExpressionTable:
    """The expression rows of one file; row 0 is the one nothing is known of."""

    def __init__(
        self, outline: Outline, names: NameScopes, grammar: Grammar, known: Mapping[int, Found]
    ) -> None:
        query = grammar.expressions
        self._query = query
        self._separator = grammar.manifest.member_separator
        self._known = known
        self._names = grammar.name_kinds
        self._ways = dict.fromkeys(query.kinds_of("expression.string"), _IS_STRING)
        dotted = query.kinds_of("expression.attribute") | query.kinds_of("expression.dotted")
        self._ways.update(dict.fromkeys(self._names | dotted, _IS_SPELLED))
        self._skipped = query.kinds_of("skip")
        self._is_annotation = False
        self.names = names
        self.lambdas: Mapping[int, int] = outline.lambdas  # first byte of a body -> definition
        self._source = outline.source
        self._scopes = outline.scope_map
        self._scope_bounds, self._scope_numbers = self._scopes.bounds, self._scopes.numbers
        self._quoted_scope: int | None = None  # while a text inside a string is read
        self.rows: list[Expression] = [(int(Op.OPAQUE), "", 0, ())]
        self._numbers: dict[Expression, int] = {self.rows[0]: 0}
        for kind, role in query.bare.items():
            if role.name == "expression.literal":
                self._ways[kind] = self.row((_LITERAL, role.type, 0, ()))
        self._by_node: dict[int, int] = {}
        self._by_text: dict[tuple[int, bytes], int | None] = {}
        self._by_called_text: dict[tuple[int, bytes], int | None] = {}
        self._by_type_text: dict[tuple[int, bytes], int | None] = {}
        self.named: dict[tuple[int, int], int] = {}  # (row, scope) -> line where it is a value
        self.stored: list[ts.Node] = []  # subscripts that are set
        self._depth = 0
        self.is_cut = False

    def row(self, row: Expression) -> int:
        """The number of this row, added when it is new."""
        number = self._numbers.get(row)
        if number is None:
            number = self._numbers[row] = len(self.rows)
            self.rows.append(row)
        return number

    def scope_at(self, byte: int) -> int:
        """The scope that holds `byte`."""
        return self._scopes.at(byte) if self._quoted_scope is None else self._quoted_scope

    def text(self, node: ts.Node) -> str:
        """The text of a node."""
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def is_name(self, node: ts.Node) -> bool:
        """Whether `node` is a bare name."""
        return node.kind_id in self._names

    def build(self, node: ts.Node) -> int:
        """The row of the value that `node` gives."""
        way = self._ways.get(node.kind_id)
        if way is not None:
            number = self._build_plain(way, node)
            if number is not None:
                return number
        number = self._by_node.get(node.id)
        return self._build_deeper(node) if number is None else number

    def _build_plain(self, way: int, node: ts.Node, *, is_called: bool = False) -> int | None:
        """The row of a literal, a string, a name; None for attributes of more than a name."""
        if way > 0:
            return way
        if way == _IS_STRING:
            return self._string(node)
        return self._spell(node, self._by_called_text if is_called else self._by_text)

    def build_call(self, node: ts.Node, parts: Captures) -> int:
        """The row of a call whose parts are known; the same as `build`, sooner for plain ones."""
        base = parts["base"][0]
        if node.id not in self._by_node and self._ways.get(base.kind_id) == _IS_SPELLED:
            function = self._spell(base, self._by_called_text)
            if function is not None:
                number = self.row((_CALL, "", function, self._arguments(parts)))
                self._by_node[node.id] = number
                return number
        return self.build(node)

    def build_annotation(self, node: ts.Node) -> int:
        """The same for a type: what it names is not noted as a value. Build all values before."""
        self._is_annotation = True
        try:
            return self.build(node)
        finally:
            self._is_annotation = False

    def build_text(self, text: str, place: ts.Node, *, parser: ts.Parser) -> int:
        """The row of an expression written inside a string, read in the scope of `place`."""
        content = text.encode()
        root = parser.parse(content).root_node
        statements = root.named_children
        if root.has_error or len(statements) != 1 or not statements[0].named_children:
            return 0
        outer = self._source, self._known, self._by_node
        self._quoted_scope = self.scope_at(place.start_byte)
        self._source, self._known, self._by_node = content, {}, {}
        try:
            return self.build_annotation(statements[0].named_children[0])
        finally:
            self._source, self._known, self._by_node = outer
            self._quoted_scope = None

    def _spell(self, node: ts.Node, known: dict[tuple[int, bytes], int | None]) -> int | None:
        """The row of a name or of attributes of a name, from its text; None: it is neither."""
        start = node.start_byte
        if node.end_byte - start > LONGEST_NAME:
            return None
        scope = self._quoted_scope
        if scope is None:
            scope = self._scope_numbers[bisect_right(self._scope_bounds, start) - 1]
        key = (scope, self._source[start : node.end_byte])
        if self._is_annotation:
            known = self._by_type_text
        if key in known:
            return known[key]
        first, *rest = key[1].decode("utf-8", "replace").split(self._separator)
        if rest and not (first.isidentifier() and all(map(str.isidentifier, rest))):
            known[key] = None
            return None
        line = node.start_point[0] + 1
        number = self.row((_NAME, first, self.names.home(scope, first), ()))
        for name in rest:
            self._note(number, scope, line)
            number = self.row((_ATTRIBUTE, name, number, ()))
        if known is self._by_text:
            self._note(number, scope, line)
        known[key] = number
        return number

    def _note(self, number: int, scope: int, line: int) -> None:
        """Remember where a row is first a value."""
        if not self._is_annotation:
            self.named.setdefault((number, scope), line)

    def _build_deeper(self, node: ts.Node) -> int:
        if self._depth >= DEPTH:
            self.is_cut = True
            return 0
        self._depth += 1
        number = self._build_chain(node)
        self._by_node[node.id] = number
        self._depth -= 1
        return number

    def _build_chain(self, node: ts.Node) -> int:
        """Follow attributes, calls and the like down to what they start from, then back up."""
        steps: list[tuple[ts.Node, _Step]] = []
        known, ways = self._known, self._ways
        is_called = False
        while True:
            if node.kind_id in ways:
                plain = self._build_plain(ways[node.kind_id], node, is_called=is_called)
                if plain is not None:
                    number = plain
                    break
            built = self._by_node.get(node.id)
            if built is not None:
                number = built
                break
            found = known.get(node.id) or self._query.ask(node)
            if found is None:
                number = 0
                break
            role, parts = found
            name = role.name
            if name == "expression.call":
                steps.append((node, (_CALL, "", self._arguments(parts))))
            elif name == "expression.attribute":
                steps.append((node, (_ATTRIBUTE, self.text(parts["name"][0]), ())))
            elif name in _STEPS:
                steps.append((node, _STEPS[name](self, node, parts)))
            elif name != "expression.same":
                leaf = _LEAVES.get(name)
                number = 0 if leaf is None else leaf(self, node, role.type, parts)
                break
            is_called = name == "expression.call"
            node = parts["base"][0]
        return self._climb(number, steps) if steps else number

    def _climb(self, number: int, steps: list[tuple[ts.Node, _Step]]) -> int:
        for place, (node, (op, text, args)) in reversed(tuple(enumerate(steps))):
            number = self.row((op, text, number, args))
            is_called = place > 0 and steps[place - 1][1][0] == _CALL
            if op == _ATTRIBUTE and not is_called:
                self._note(number, self.scope_at(node.start_byte), node.end_point[0] + 1)
            self._by_node[node.id] = number
        return number

    def _arguments(self, parts: Captures) -> tuple[int, ...]:
        if "arguments" in parts:
            return self._children(parts["arguments"][0])
        if "argument" in parts:
            return (self.build(parts["argument"][0]),)
        return ()

    def _children(self, node: ts.Node, skip: ts.Node | None = None) -> tuple[int, ...]:
        """The rows of a node's children; `build`, spelled out for what is there most."""
        found: list[int] = []
        ways, by_text = self._ways, self._by_text
        for child in node.named_children:
            kind = child.kind_id
            way = ways.get(kind)
            if kind in self._skipped or (skip is not None and child == skip):
                continue
            number: int | None = None
            if way == _IS_SPELLED:
                number = self._spell(child, by_text)
            elif way is not None:
                number = way if way > 0 else self._string(child)
            found.append(self.build(child) if number is None else number)
        return tuple(found)

    def _index(self, node: ts.Node, parts: Captures) -> _Step:
        holder = parts["arguments"][0] if "arguments" in parts else node
        return _INDEX, "", self._children(holder, skip=parts["base"][0])

    def _await(self, _node: ts.Node, _parts: Captures) -> _Step:
        return _AWAIT, "", ()

    def _spread(self, node: ts.Node, parts: Captures) -> _Step:
        marker = self._source[node.start_byte : parts["base"][0].start_byte]
        return _SPREAD, marker.decode("utf-8", "replace").strip(), ()

    def _string(self, node: ts.Node) -> int:
        """A short plain string keeps its value: it may name something (`getattr`, `__all__`)."""
        if node.end_byte - node.start_byte > LONGEST_STRING:
            return self.row((_LITERAL, "str", 0, ()))
        text = self.text(node)
        quote = text[:1]
        if quote not in "\"'" or "\\" in text:
            return self.row((_LITERAL, "bytes" if quote in "bB" else "str", 0, ()))
        return self.row((_STRING, text.strip(quote), 0, ()))

    def _collection(self, node: ts.Node, kind: str, _parts: Captures) -> int:
        return self.row((_COLLECTION, kind, 0, self._children(node)))

    def _pair(self, _node: ts.Node, _kind: str, parts: Captures) -> int:
        sides = self.build(parts["key"][0]), self.build(parts["value"][0])
        return self.row((_PAIR, "", 0, sides))

    def _union(self, _node: ts.Node, _kind: str, parts: Captures) -> int:
        options = tuple(dict.fromkeys(map(self.build, parts["option"])))
        return self.row((_UNION, "", 0, options))

    def _operator(self, _node: ts.Node, _kind: str, parts: Captures) -> int:
        sides = self.build(parts["left"][0]), self.build(parts["right"][0])
        return self.row((_OPERATOR, self.text(parts["operator"][0]), 0, sides))

    def _keyword(self, _node: ts.Node, _kind: str, parts: Captures) -> int:
        value = self.build(parts["value"][0])
        return self.row((_KEYWORD, self.text(parts["name"][0]), value, ()))

    def _comprehension(self, _node: ts.Node, kind: str, parts: Captures) -> int:
        return self.row((_COMPREHENSION, kind, self.build(parts["body"][0]), ()))

    def _function(self, _node: ts.Node, _kind: str, parts: Captures) -> int:
        definition = self.lambdas.get(parts["body"][0].start_byte)
        return 0 if definition is None else self.row((_FUNCTION, "", definition, ()))

    def _yielded(self, _node: ts.Node, _kind: str, _parts: Captures) -> int:
        return self.row((_YIELDED, "", 0, ()))


# Functions and not bound methods: those would tie the table to itself, and workers run without the
# cycle collector.
_STEPS: dict[str, Callable[[ExpressionTable, ts.Node, Captures], _Step]] = {
    "expression.index": ExpressionTable._index,
    "expression.await": ExpressionTable._await,
    "expression.spread": ExpressionTable._spread,
}

_LEAVES: dict[str, Callable[[ExpressionTable, ts.Node, str, Captures], int]] = {
    "expression.collection": ExpressionTable._collection,
    "expression.pair": ExpressionTable._pair,
    "expression.union": ExpressionTable._union,
    "expression.operator": ExpressionTable._operator,
    "expression.keyword": ExpressionTable._keyword,
    "expression.comprehension": ExpressionTable._comprehension,
    "expression.function": ExpressionTable._function,
    "expression.yielded": ExpressionTable._yielded,
}
