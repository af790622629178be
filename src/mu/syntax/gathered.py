"""What a walk over one file gathers, scope by scope, beside the values themselves."""

from collections import Counter
from dataclasses import dataclass, field

import tree_sitter as ts

from mu.model.facts import Expression, Op, ReferenceKind, Scope, ScopeKind
from mu.model.references import Reference
from mu.syntax.names import NameScopes

_NAME, _ATTRIBUTE = int(Op.NAME), int(Op.ATTRIBUTE)
_OPERATOR, _STORED = int(Op.OPERATOR), int(Op.STORED)
_DATA = frozenset(map(int, (Op.OPAQUE, Op.LITERAL, Op.STRING, Op.COLLECTION, Op.BEGINNING)))
_VALUE, _OPERATION = int(ReferenceKind.VALUE), int(ReferenceKind.OPERATION)

Noted = dict[int, int]
"""Rows, and the lines where they first are what they are noted for."""


@dataclass(slots=True)
class Gathered:
    """Scopes as rows, and by scope: whose code it is, and what is named in it.

    `owners` are definitions, -1 the file; in `named_owners` those without a name are passed over.
    `named` has what is first a value and what is called; `here` the rows of the texts that have
    been read in the scope. `types` has the names and attributes in the annotation that is being
    read, and the line of each.
    """

    scopes: list[Scope] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    named_owners: list[int] = field(default_factory=list)
    named: list[tuple[Noted, Noted]] = field(default_factory=list)
    here: list[dict[bytes, int]] = field(default_factory=list)
    calls: list[Reference] = field(default_factory=list)
    types: list[tuple[int, int]] = field(default_factory=list)
    bound: dict[int, tuple[int, str]] = field(default_factory=dict)  # definitions and their names
    operations: dict[tuple[int, int], int] = field(default_factory=dict)  # (owner, row) -> line
    branches: Counter[int] = field(default_factory=Counter)  # by owner

    def open(
        self, node: ts.Node, kind: ScopeKind, *, parent: int, definition: int, is_named: bool
    ) -> int:
        """Add the scope of a node inside `parent`, -1 for the file's; its number."""
        owner = self.owners[parent] if self.scopes else -1
        named = self.named_owners[parent] if self.scopes else -1
        self.owners.append(owner if kind == ScopeKind.BLOCK else definition)
        self.named_owners.append(definition if is_named else named)
        lines = node.start_point[0] + 1, node.end_point[0] + 1
        self.scopes.append(Scope(kind, parent, definition, *lines))
        self.named.append(({}, {}))
        self.here.append({})
        return len(self.scopes) - 1

    def operate(self, row: int, node: ts.Node, *, scope: int, rows: list[Expression]) -> None:
        """Note that what `row` says of `node` may run a method; plain data has none of its own."""
        op, _, base, args = rows[row]
        subjects = args if op == _OPERATOR else (rows[base][2] if op == _STORED else base,)
        for subject in subjects:
            if rows[subject][0] not in _DATA:
                key = (self.named_owners[scope], row)
                self.operations.setdefault(key, node.start_point[0] + 1)
                return

    def references(self, rows: list[Expression], names: NameScopes) -> list[Reference]:
        """Calls one by one, and the rest once for each owner: operations, then values."""
        operations = [
            (_OPERATION, row, owner, line) for (owner, row), line in self.operations.items()
        ]
        return [*self.calls, *operations, *self._values(rows, names)]

    def _values(self, rows: list[Expression], names: NameScopes) -> list[Reference]:
        """Each name and attribute that is used other than by calling it.

        Left out: what only ever holds data of the function around it.
        """
        lines: dict[tuple[int, int], int] = {}
        for owner, (named, called) in zip(self.named_owners, self.named, strict=True):
            for row, line in named.items():
                known = lines.get((owner, row))
                if known is None or line < known:
                    lines[owner, row] = line
                    if rows[row][0] == _ATTRIBUTE:
                        _note_bases(row, line, owner=owner, rows=rows, lines=lines)
            for row, line in called.items():
                if rows[row][0] == _ATTRIBUTE:
                    _note_bases(row, line, owner=owner, rows=rows, lines=lines)
        references = []
        is_data = names.is_data
        for (owner, row), line in lines.items():
            op, text, home, _ = rows[row]
            if op == _ATTRIBUTE or (op == _NAME and not is_data(home, text)):
                references.append((_VALUE, row, owner, line))
        return references


def _note_bases(
    row: int,
    line: int,
    *,
    owner: int,
    rows: list[Expression],
    lines: dict[tuple[int, int], int],
) -> None:
    """Note what an attribute is one of, and what that is one of, on the first of their lines."""
    while rows[row][0] == _ATTRIBUTE:
        row = rows[row][2]
        known = lines.get((owner, row))
        if known is not None and known <= line:
            return
        lines[owner, row] = line
