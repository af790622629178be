"""Type annotations: the types they name, including annotations written as strings."""

from collections.abc import Iterable, Iterator

import tree_sitter as ts

from mu.model.facts import Expression, Op
from mu.syntax.grammars.grammar import Grammar
from mu.syntax.matching.vocabulary import TYPE
from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.tree_walk import Walk

DEEPEST = 20
POSITIONAL, REST = "parameter.placed", "parameter.rest"

_CALLABLE, _KEYWORD, _STRING = int(Op.CALLABLE), int(Op.KEYWORD), int(Op.STRING)


class AnnotationReader:
    """Read annotations as expression rows; strings in them are replaced by the types they spell."""

    def __init__(self, grammar: Grammar, parser: ts.Parser) -> None:
        self._style = grammar.manifest.annotations
        self._parser = parser
        self._leaves: dict[int, tuple[int, ...]] = {}

    def read(self, walk: Walk, node: ts.Node) -> int:
        """Walk an annotation and return its row."""
        outer, walk.is_typed = walk.is_typed, True
        records = walk.records
        generic, quoted = records.generics, len(records.quoted)
        row = walk.value(node)
        if self._style.quoted:
            row = self._unquoted(walk, row, 0)
        walk.is_typed = outer
        if not outer:
            records.generics = generic
        del records.quoted[quoted:]
        return row

    def read_arguments(self, walk: Walk, call: tuple[int, ts.Node]) -> tuple[int, ...]:
        """Return the rows of a call's arguments; `call` is the row called and the list node.

        Strings that are types according to the manifest (`AnnotationStyle.calls`) are read as such.
        """
        called, holder = call
        args, rows = walk.values(holder.named_children), walk.table.rows
        positions = self._style.calls.get(rows[called][1])
        is_named = args and rows[args[-1]][0] == _KEYWORD
        if not is_named and positions is None:
            return args
        skipped = walk.grammar.nodes.skipped
        nodes = [node for node in holder.named_children if node.kind_id not in skipped]
        if is_named:
            named = zip(args, nodes, strict=True)
            walk.records.add_keywords(named, holder, scope=walk.scope, rows=rows)
        if positions is None:
            return args
        read = []
        for position, (arg, node) in enumerate(zip(args, nodes, strict=True)):
            line = node.start_point[0] + 1
            op, text, base, _ = rows[arg]
            if op == _KEYWORD and text in positions and rows[base][0] == _STRING:
                value = self._parsed(walk, base, lines=[line])
                arg = walk.table.row((_KEYWORD, text, value, ())) if value else arg
            elif op == _STRING and position in positions:
                arg = self._parsed(walk, arg, lines=[line]) or arg
            read.append(arg)
        return tuple(read)

    def callable(self, walk: Walk, match: RoleMatch) -> int:
        """Return the row of a function type, which has only the types of its parameters."""
        args, own = [], walk.grammar.manifest.own_names
        for holder in match.all("generics"):
            walk.visit(holder)
        for holder in match.all("parameters"):
            for node in holder.named_children:
                found, inner = walk.grammar.parameters.match_shape(node)
                indices, names = found.parts.get("type"), found.parts.get("name", ())
                is_own = any(walk.text(inner[one]) in own for one in names)
                row = walk.value(inner[indices[0]]) if indices else 0
                for index in found.parts.get("around", ()):
                    walk.value(inner[index])
                if found.role == "parameter" and not is_own:
                    args += [row] * max(1, len(names))
                elif found.role == POSITIONAL:
                    args.append(walk.value(node))
        for named in match.all("name"):
            walk.roles.readers[TYPE](walk, named)
        returns = match.part("returns")
        result = walk.value(returns) if returns is not None else 0
        return walk.table.row((_CALLABLE, "", result, tuple(args)))

    def leaves(self, rows: list[Expression], row: int) -> tuple[int, ...]:
        """Return the rows of the names and attribute chains in an annotation, each once."""
        found = self._leaves.get(row)
        if found is None:
            found = self._leaves[row] = tuple(dict.fromkeys(self._walk(rows, row)))
        return found

    def _walk(self, rows: list[Expression], row: int) -> Iterator[int]:
        op, _, base, args = rows[row]
        if op == Op.ATTRIBUTE:
            yield row
            while rows[base][0] == Op.ATTRIBUTE:
                base = rows[base][2]
            if rows[base][0] != Op.NAME:  # a member of a type with arguments: `A<B>.C`
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
        """Return how many of the arguments in brackets are types; the others are values."""
        _, _, base, args = rows[row]
        name = rows[base][1]
        if name in self._style.opaque:
            return 0
        return 1 if name in self._style.first_only else len(args)

    def _unquoted(self, walk: Walk, row: int, depth: int) -> int:
        rows = walk.table.rows
        op, text, base, args = rows[row]
        if op == Op.STRING:
            lines = [line for one, line in walk.records.quoted if one == row]
            return self._parsed(walk, row, lines=lines)
        if not args or depth > DEEPEST:
            return row
        types = self._count_of_types(rows, row) if op == Op.INDEX else len(args)
        changed = [self._unquoted(walk, arg, depth + 1) for arg in args[:types]]
        parts = (*changed, *args[types:])
        return row if parts == args else walk.table.row((op, text, base, parts))

    def _parsed(self, walk: Walk, number: int, *, lines: Iterable[int]) -> int:
        """Return the row of the type that a string spells, 0 if none; it is named on `lines`."""
        content = walk.table.rows[number][1].encode()
        root = self._parser.parse(content).root_node
        statements = root.named_children
        if root.has_error or len(statements) != 1 or not statements[0].named_children:
            return 0
        outer, walk.source = walk.source, content  # read as part of this file
        row = walk.reread(statements[0].named_children[0])
        walk.source = outer
        for leaf in self.leaves(walk.table.rows, row):
            walk.records.types += [(leaf, line, walk.scope) for line in dict.fromkeys(lines)]
        return row
