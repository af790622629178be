"""What a walk over one file gathers, scope by scope, beside the values themselves."""

from collections import Counter
from dataclasses import dataclass, field

import tree_sitter as ts

from mu.model.facts import Expression, Op, ReferenceKind, Scope, ScopeKind
from mu.model.references import Reference
from mu.syntax.tables.names import NameScopes

_NAME, _ATTRIBUTE = int(Op.NAME), int(Op.ATTRIBUTE)
_OPERATOR, _STORED = int(Op.OPERATOR), int(Op.STORED)
_DATA = frozenset(map(int, (Op.OPAQUE, Op.LITERAL, Op.STRING, Op.COLLECTION, Op.BEGINNING)))
_VALUE, _OPERATION = int(ReferenceKind.VALUE), int(ReferenceKind.OPERATION)
_CALL = int(ReferenceKind.CALL)

Noted = dict[int, list[int]]
"""Rows, and the lines where they are what they are noted for, none twice in a row."""


@dataclass(slots=True)
class Gathered:
    """Scopes as rows, and by scope: whose code it is, and what is named in it.

    `owners` are definitions, -1 the file; in `named_owners` those without a name are passed over.
    `named` has what is a value and what is called; `here` the rows of the texts that have been read
    in the scope. `types` has what is named as a type, but for headers that have been read, and
    `quoted` the strings of an annotation that is being read.
    """

    scopes: list[Scope] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  # in bytes
    owners: list[int] = field(default_factory=list)
    named_owners: list[int] = field(default_factory=list)
    named: list[tuple[Noted, Noted]] = field(default_factory=list)
    here: list[dict[bytes, int]] = field(default_factory=list)
    calls: list[Reference] = field(default_factory=list)
    bound: dict[int, tuple[int, str]] = field(default_factory=dict)  # definitions and their names
    operations: dict[tuple[int, int], int] = field(default_factory=dict)  # (owner, row) -> line
    branches: Counter[int] = field(default_factory=Counter)  # by owner
    types: list[tuple[int, int, int]] = field(default_factory=list)  # (row, line, scope)
    quoted: list[tuple[int, int]] = field(default_factory=list)  # strings there: (row, line)
    generic: frozenset[str] = frozenset()  # what stands for any type here

    def open(
        self, node: ts.Node, kind: ScopeKind, *, parent: int, definition: int, is_named: bool
    ) -> int:
        """Add the scope of a node inside `parent`, -1 for the file's; its number."""
        owner = self.owners[parent] if self.scopes else -1
        named = self.named_owners[parent] if self.scopes else -1
        self.owners.append(owner if kind == ScopeKind.BLOCK else definition)
        self.named_owners.append(definition if is_named else named)
        lines = node.start_point[0] + 1, node.end_point[0] + 1
        self.ends.append(node.end_byte)
        self.scopes.append(Scope(kind, parent, definition, *lines))
        self.named.append(({}, {}))
        self.here.append({})
        return len(self.scopes) - 1

    def call(self, row: int, line: int, *, scope: int) -> None:
        """Note that `row` calls something."""
        self.calls.append((_CALL, row, self.named_owners[scope], line))

    def name_type(self, row: int, line: int, *, scope: int, rows: list[Expression]) -> None:
        """Note that a row is named as a type, if what it begins with is one that is used."""
        first = row
        while self.generic and rows[first][0] == _ATTRIBUTE:
            first = rows[first][2]
        if rows[first][1] not in self.generic:
            self.types.append((row, line, scope))

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
        """Calls one by one, operations once for each owner, then values for each of their lines."""
        operations = [
            (_OPERATION, row, owner, line) for (owner, row), line in self.operations.items()
        ]
        return [*self.calls, *operations, *self._values(rows, names)]

    def _values(self, rows: list[Expression], names: NameScopes) -> list[Reference]:
        """Each name and attribute that is used other than by calling it.

        Left out: what only ever holds data of the function around it.
        """
        mentions: dict[tuple[int, int, int], None] = {}  # (owner, row, line)
        for owner, (named, called) in zip(self.named_owners, self.named, strict=True):
            for row, lines in named.items():
                is_member = rows[row][0] == _ATTRIBUTE
                if not is_member and not _is_told(row, rows, names):
                    continue
                for line in lines:
                    mentions[owner, row, line] = None
                if is_member:
                    _note_bases(row, lines, owner=owner, rows=rows, mentions=mentions)
            for row, lines in called.items():
                if rows[row][0] == _ATTRIBUTE:
                    _note_bases(row, lines, owner=owner, rows=rows, mentions=mentions)
        told: dict[int, bool] = {}
        references = []
        for owner, row, line in mentions:
            is_told = told.get(row)
            if is_told is None:
                is_told = told[row] = _is_told(row, rows, names)
            if is_told:
                references.append((_VALUE, row, owner, line))
        return references


def note(noted: Noted, row: int, *, line: int) -> None:
    """Note that a row is what it is noted for on a line, too."""
    lines = noted.get(row)
    if lines is None:
        noted[row] = [line]
    elif lines[-1] != line:
        lines.append(line)


def _is_told(row: int, rows: list[Expression], names: NameScopes) -> bool:
    """Tell whether a row is a name or an attribute, and more than the data of a function."""
    op, text, home, _ = rows[row]
    return op == _ATTRIBUTE or (op == _NAME and not names.is_data(home, text))


def _note_bases(
    row: int,
    lines: list[int],
    *,
    owner: int,
    rows: list[Expression],
    mentions: dict[tuple[int, int, int], None],
) -> None:
    """Note what an attribute is one of, and what that is one of, on the same lines.

    A base that is noted on a line has its own bases noted there, so a chain is followed once.
    """
    while lines and rows[row][0] == _ATTRIBUTE:
        row = rows[row][2]
        lines = [line for line in lines if (owner, row, line) not in mentions]
        for line in lines:
            mentions[owner, row, line] = None
