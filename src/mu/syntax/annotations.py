"""Type annotations: the types they name, strings that stand for annotations included."""

from collections.abc import Iterator

import tree_sitter as ts

from mu.model.facts import Expression, Op
from mu.syntax.grammar import Grammar
from mu.syntax.meeting import Met
from mu.syntax.vocabulary import TYPE
from mu.syntax.walk import Walk

DEEPEST = 20
PLACED, REST = "parameter.placed", "parameter.rest"

_CALLABLE = int(Op.CALLABLE)


class AnnotationReader:
    """Reads annotations as expression rows in which no string is left that should be a type."""

    def __init__(self, grammar: Grammar, parser: ts.Parser) -> None:
        self._style = grammar.manifest.annotations
        self._parser = parser
        self._leaves: dict[int, tuple[int, ...]] = {}

    def read(self, walk: Walk, node: ts.Node) -> int:
        """The row of an annotation, which is walked."""
        outer, walk.is_typed = walk.is_typed, True
        row = walk.value(node)
        if self._style.quoted:
            row = self._unquoted(walk, row, 0)
        walk.is_typed = outer
        return row

    def callable(self, walk: Walk, met: Met) -> int:
        """The row of the type of a function; of its parameters, only the types matter."""
        args, own = [], walk.grammar.manifest.own_names
        for holder in met.all("parameters"):
            for node in holder.named_children:
                found, inner = walk.grammar.parameters.look(node)
                places, names = found.parts.get("type"), found.parts.get("name", ())
                is_own = any(walk.text(inner[one]) in own for one in names)
                if found.role == "parameter" and not is_own:
                    row = walk.value(inner[places[0]]) if places else 0
                    args += [row] * max(1, len(names))
                elif found.role == REST and places:  # at no place of its own
                    walk.roles.readers[TYPE](walk, inner[places[0]])
                elif found.role == PLACED:
                    args.append(walk.value(node))
        for named in met.all("name"):
            walk.roles.readers[TYPE](walk, named)
        returns = met.part("returns")
        given = walk.value(returns) if returns is not None else 0
        return walk.table.row((_CALLABLE, "", given, tuple(args)))

    def leaves(self, rows: list[Expression], row: int) -> tuple[int, ...]:
        """The names and attribute chains an annotation is made of, each once."""
        found = self._leaves.get(row)
        if found is None:
            found = self._leaves[row] = tuple(dict.fromkeys(self._walk(rows, row)))
        return found

    def arguments(self, rows: list[Expression], row: int) -> tuple[int, ...]:
        """The same, of what stands between the brackets of a generic form alone."""
        op, _, base, args = rows[row]
        if op == Op.COMPREHENSION:
            return self.leaves(rows, base)
        if op != Op.INDEX:
            return ()
        types = args[: self._count_of_types(rows, row)]
        return tuple(dict.fromkeys(leaf for arg in types for leaf in self._walk(rows, arg)))

    def _walk(self, rows: list[Expression], row: int) -> Iterator[int]:
        op, _, base, args = rows[row]
        if op == Op.ATTRIBUTE:
            yield row
            while rows[base][0] == Op.ATTRIBUTE:
                base = rows[base][2]
            if rows[base][0] != Op.NAME:  # a member of what has arguments: `A<B>.C`
                yield from self._walk(rows, base)
            return
        if op == Op.NAME:
            yield row
            return
        if op in (Op.COMPREHENSION, Op.CALLABLE):
            yield from self._walk(rows, base)
        elif op == Op.INDEX:
            yield from self._walk(rows, base)
            args = args[: self._count_of_types(rows, row)]
        for arg in args:
            yield from self._walk(rows, arg)

    def _count_of_types(self, rows: list[Expression], row: int) -> int:
        """How many of the things between the brackets are types and not values."""
        _, _, base, args = rows[row]
        name = rows[base][1]
        if name in self._style.opaque:
            return 0
        return 1 if name in self._style.first_only else len(args)

    def _unquoted(self, walk: Walk, row: int, depth: int) -> int:
        rows = walk.table.rows
        op, text, base, args = rows[row]
        if op == Op.STRING:
            return self._parsed(walk, text)
        if not args or depth > DEEPEST:
            return row
        types = self._count_of_types(rows, row) if op == Op.INDEX else len(args)
        changed = [self._unquoted(walk, arg, depth + 1) for arg in args[:types]]
        parts = (*changed, *args[types:])
        return row if parts == args else walk.table.row((op, text, base, parts))

    def _parsed(self, walk: Walk, text: str) -> int:
        content = text.encode()
        root = self._parser.parse(content).root_node
        statements = root.named_children
        if root.has_error or len(statements) != 1 or not statements[0].named_children:
            return 0
        outer, walk.source = walk.source, content  # read as if it stood here
        row = walk.again(statements[0].named_children[0])
        walk.source = outer
        return row
