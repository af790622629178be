"""Values as rows: every expression that is asked for, once for each scope and structure.

Two facts make this cheap enough for every call of a repository. The same text in the same scope has
the same structure, so most expressions are answered by their text alone. And a chain such as
`a.b().c()` is followed down its left side in a loop, so its length is no matter for the stack; what
is nested in arguments is, and deeper than `DEPTH` it is opaque.
"""

import tree_sitter as ts

from mu.model.facts import Expression, Op
from mu.syntax.grammar import Captures, Grammar
from mu.syntax.scopes import RegionMap

DEPTH = 60
LONGEST_STRING = 200
LONGEST_MEMO = 400

_Step = tuple[int, str, tuple[int, ...]]


class ExpressionTable:
    """The expression rows of one file; row 0 is the one nothing is known of."""

    def __init__(self, grammar: Grammar, source: bytes, scopes: RegionMap) -> None:
        self._grammar = grammar
        self._ask = grammar.expressions.ask
        self._bare = grammar.expressions.bare
        self._source = source
        self._scopes = scopes
        self._scope: int | None = None  # the one scope of a text parsed on its own
        self.lambdas: dict[int, int] = {}  # first byte of a body -> its definition
        self.rows: list[Expression] = [(Op.OPAQUE, "", 0, ())]
        self._numbers: dict[Expression, int] = {self.rows[0]: 0}
        self._texts: dict[tuple[int, bytes], int] = {}
        self._depth = 0
        self.deepest = 0

    def row(self, op: Op, text: str = "", base: int = 0, args: tuple[int, ...] = ()) -> int:
        """The number of this row, added when it is new."""
        row = (op, text, base, args)
        number = self._numbers.get(row)
        if number is None:
            number = self._numbers[row] = len(self.rows)
            self.rows.append(row)
        return number

    def scope_at(self, byte: int) -> int:
        """The scope that holds `byte`."""
        return self._scopes.at(byte) if self._scope is None else self._scope

    def text(self, node: ts.Node) -> str:
        """The text of a node."""
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def build(self, node: ts.Node) -> int:
        """The row of the value that `node` gives."""
        start = node.start_byte
        text = self._source[start : node.end_byte]
        key = (self.scope_at(start), text)
        number = self._texts.get(key)
        if number is None:
            number = self._build_deeper(node)
            if len(text) <= LONGEST_MEMO:
                self._texts[key] = number
        return number

    def build_text(self, text: str, place: ts.Node, parser: ts.Parser) -> int:
        """The row of an expression written inside a string, read in the scope of `place`."""
        content = text.encode()
        root = parser.parse(content).root_node
        statement = root.named_child(0)
        value = None if statement is None else statement.named_child(0)
        if value is None or root.has_error:
            return 0
        outer = self._source, self._scope
        self._source, self._scope = content, self.scope_at(place.start_byte)
        try:
            return self.build(value)
        finally:
            self._source, self._scope = outer

    def _build_deeper(self, node: ts.Node) -> int:
        self._depth += 1
        self.deepest = max(self.deepest, self._depth)
        try:
            return 0 if self._depth > DEPTH else self._build_chain(node)
        finally:
            self._depth -= 1

    def _build_chain(self, node: ts.Node) -> int:
        """Follow attributes, calls and the like down to what they start from, then back up."""
        steps: list[_Step] = []
        current = node
        number = 0
        while True:
            found = self._ask(current)
            if found is None:
                break
            role, parts = found
            if role.name == "expression.same":
                current = parts["base"][0]
                continue
            step = self._step(role.name, parts, current)
            if step is None:
                number = self._leaf(role.name, role.type, parts, current)
                break
            steps.append(step)
            current = parts["base"][0]
        for op, text, args in reversed(steps):
            number = self.row(Op(op), text, number, args)
        return number

    def _step(self, role: str, parts: Captures, node: ts.Node) -> _Step | None:
        if role == "expression.attribute":
            return Op.ATTRIBUTE, self.text(parts["name"][0]), ()
        if role == "expression.call":
            return Op.CALL, "", self._arguments(parts)
        if role == "expression.index":
            base = parts["base"][0]
            holder = parts.get("arguments", [node])[0]
            return Op.INDEX, "", self._children(holder, skip=base)
        if role == "expression.await":
            return Op.AWAIT, "", ()
        if role == "expression.spread":
            marker = self._source[node.start_byte : parts["base"][0].start_byte]
            return Op.SPREAD, marker.decode("utf-8", "replace").strip(), ()
        return None

    def _arguments(self, parts: Captures) -> tuple[int, ...]:
        if "argument" in parts:
            return (self.build(parts["argument"][0]),)
        if "arguments" in parts:
            return self._children(parts["arguments"][0])
        return ()

    def _children(self, node: ts.Node, skip: ts.Node | None = None) -> tuple[int, ...]:
        return tuple(
            self.build(child)
            for child in node.named_children
            if child != skip and not self._is_skipped(child)
        )

    def _is_skipped(self, node: ts.Node) -> bool:
        role = self._bare.get(node.kind_id)
        return role is not None and role.name == "skip"

    def _leaf(self, role: str, kind: str, parts: Captures, node: ts.Node) -> int:
        """The row of what does not continue leftwards."""
        match role.removeprefix("expression."):
            case "name":
                return self.row(Op.NAME, self.text(node), self.scope_at(node.start_byte))
            case "dotted":
                return self._dotted(node)
            case "string":
                return self._string(node)
            case "literal":
                return self.row(Op.LITERAL, kind)
            case "collection":
                return self.row(Op.COLLECTION, kind, 0, self._children(node))
            case "pair":
                pair = self.build(parts["key"][0]), self.build(parts["value"][0])
                return self.row(Op.PAIR, "", 0, pair)
            case "union":
                options = tuple(dict.fromkeys(map(self.build, parts["option"])))
                return self.row(Op.UNION, "", 0, options)
            case "operator":
                sides = self.build(parts["left"][0]), self.build(parts["right"][0])
                return self.row(Op.OPERATOR, self.text(parts["operator"][0]), 0, sides)
            case _:
                return self._rare_leaf(role, kind, parts)

    def _rare_leaf(self, role: str, kind: str, parts: Captures) -> int:
        match role.removeprefix("expression."):
            case "keyword":
                value = self.build(parts["value"][0])
                return self.row(Op.KEYWORD, self.text(parts["name"][0]), value)
            case "comprehension":
                return self.row(Op.COMPREHENSION, kind, self.build(parts["body"][0]))
            case "function":
                definition = self.lambdas.get(parts["body"][0].start_byte)
                return 0 if definition is None else self.row(Op.FUNCTION, "", definition)
            case "yielded":
                return self.row(Op.YIELDED)
            case _:
                return 0

    def _dotted(self, node: ts.Node) -> int:
        first, *rest = self.text(node).split(".")
        number = self.row(Op.NAME, first.strip(), self.scope_at(node.start_byte))
        for name in rest:
            number = self.row(Op.ATTRIBUTE, name.strip(), number)
        return number

    def _string(self, node: ts.Node) -> int:
        """A short plain string keeps its value: names are looked up by such (`getattr`, `__all__`)."""
        text = self.text(node)
        quote = text[:1]
        if quote not in "\"'" or len(text) > LONGEST_STRING or "\\" in text:
            return self.row(Op.LITERAL, "bytes" if quote in "bB" else "str")
        return self.row(Op.STRING, text.strip(quote))
