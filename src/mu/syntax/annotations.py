"""Type annotations: the types they name, strings that stand for annotations included."""

from collections.abc import Iterator

import tree_sitter as ts

from mu.model.facts import Op
from mu.syntax.expressions import ExpressionTable
from mu.syntax.manifest import AnnotationStyle

DEEPEST = 20


class AnnotationReader:
    """Reads annotations as expression rows in which no string is left that should be a type."""

    def __init__(self, style: AnnotationStyle, values: ExpressionTable, parser: ts.Parser) -> None:
        self._style = style
        self._values = values
        self._parser = parser
        self._leaves: dict[int, tuple[int, ...]] = {}

    def read(self, node: ts.Node) -> int:
        """The row of an annotation."""
        row = self._values.build_annotation(node)
        return self._unquoted(row, node, 0) if self._style.quoted else row

    def leaves(self, row: int) -> tuple[int, ...]:
        """The names and attribute chains an annotation is made of, each once."""
        found = self._leaves.get(row)
        if found is None:
            found = self._leaves[row] = tuple(dict.fromkeys(self._walk(row)))
        return found

    def arguments(self, row: int) -> tuple[int, ...]:
        """The same, of what stands between the brackets of a generic form alone."""
        op, _, _, args = self._values.rows[row]
        if op != Op.INDEX:
            return ()
        types = args[: self._count_of_types(row)]
        return tuple(dict.fromkeys(leaf for arg in types for leaf in self._walk(arg)))

    def _walk(self, row: int) -> Iterator[int]:
        op, _, base, args = self._values.rows[row]
        if op in (Op.NAME, Op.ATTRIBUTE):
            yield row
            return
        if op == Op.INDEX:
            yield from self._walk(base)
            args = args[: self._count_of_types(row)]
        for arg in args:
            yield from self._walk(arg)

    def _count_of_types(self, row: int) -> int:
        """How many of the things between the brackets are types and not values."""
        _, _, base, args = self._values.rows[row]
        name = self._values.rows[base][1]
        if name in self._style.opaque:
            return 0
        return 1 if name in self._style.first_only else len(args)

    def _unquoted(self, row: int, node: ts.Node, depth: int) -> int:
        op, text, base, args = self._values.rows[row]
        if op == Op.STRING:
            return self._values.build_text(text, node, parser=self._parser)
        if not args or depth > DEEPEST:
            return row
        types = self._count_of_types(row) if op == Op.INDEX else len(args)
        changed = [self._unquoted(arg, node, depth + 1) for arg in args[:types]]
        parts = (*changed, *args[types:])
        return row if parts == args else self._values.row((op, text, base, parts))
