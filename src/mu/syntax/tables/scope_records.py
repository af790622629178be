"""Per-scope records of a walk: scopes, owners, and the references found in each scope."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

import tree_sitter as ts

from mu.model.facts import Expression, Op, ReferenceKind, Scope, ScopeKind
from mu.model.references import Reference
from mu.syntax.tables.name_scopes import NameScopes

_NAME, _ATTRIBUTE = int(Op.NAME), int(Op.ATTRIBUTE)
_OPERATOR, _STORED, _UNION = int(Op.OPERATOR), int(Op.STORED), int(Op.UNION)
_KEYWORD_ARGUMENT = int(Op.KEYWORD)
_DATA = frozenset(map(int, (Op.OPAQUE, Op.LITERAL, Op.STRING, Op.COLLECTION, Op.BEGINNING)))
_MEMBERS = frozenset((_ATTRIBUTE, int(Op.ITEM)))  # of the items, those that a pattern names
_VALUE, _OPERATION = int(ReferenceKind.VALUE), int(ReferenceKind.OPERATION)
_CALL, _KEYWORD = int(ReferenceKind.CALL), int(ReferenceKind.KEYWORD)

Used = TypeVar("Used")

LinesByRow = dict[int, list[int]]
"""Rows with the lines on which they are used, without repeating a line."""


@dataclass(slots=True)
class ScopeRecords:
    """Scopes as rows, and for each scope its owner and its references.

    `owners` are definitions, -1 for the file; `named_owners` are the nearest ones with a name.
    `named` has the rows that are read, and those that are called or changed; `rows_by_text` caches
    the rows of texts read in the scope. `types` are names used as types outside of headers,
    `quoted` the strings in the annotation being read.
    """

    scopes: list[Scope] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  # in bytes
    owners: list[int] = field(default_factory=list)
    named_owners: list[int] = field(default_factory=list)
    named: list[tuple[LinesByRow, LinesByRow]] = field(default_factory=list)
    rows_by_text: list[dict[bytes, int]] = field(default_factory=list)
    calls: list[Reference] = field(default_factory=list)
    definition_names: dict[int, tuple[int, str]] = field(default_factory=dict)  # (scope, name)
    operations: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # by (owner, row)
    branches: Counter[int] = field(default_factory=Counter)  # by owner
    types: list[tuple[int, int, int]] = field(default_factory=list)  # (row, line, scope)
    quoted: list[tuple[int, int]] = field(default_factory=list)  # (row, line)
    generics: frozenset[str] = frozenset()  # names that stand for any type here

    def open(
        self, node: ts.Node, kind: ScopeKind, *, parent: int, definition: int, is_named: bool
    ) -> int:
        """Add the scope of a node inside `parent`, -1 for the file's; return its number."""
        owner = self.owners[parent] if self.scopes else -1
        named = self.named_owners[parent] if self.scopes else -1
        self.owners.append(owner if kind == ScopeKind.BLOCK else definition)
        self.named_owners.append(definition if is_named else named)
        lines = node.start_point[0] + 1, node.end_point[0] + 1
        self.ends.append(node.end_byte)
        self.scopes.append(Scope(kind, parent, definition, *lines))
        self.named.append(({}, {}))
        self.rows_by_text.append({})
        return len(self.scopes) - 1

    def add_call(self, row: int, line: int, *, scope: int) -> None:
        """Add a call."""
        self.calls.append((_CALL, row, self.named_owners[scope], line))

    def add_keywords(
        self,
        args: Iterable[tuple[int, ts.Node]],
        holder: ts.Node,
        *,
        scope: int,
        rows: list[Expression],
    ) -> None:
        """Add the arguments with names that stand below the line on which their list begins.

        To be called right before `add_call`, so that each call follows its keywords.
        """
        start, owner = holder.start_point[0], self.named_owners[scope]
        if holder.end_point[0] == start:
            return
        for arg, node in args:
            line = node.start_point[0]
            if line != start and rows[arg][0] == _KEYWORD_ARGUMENT:
                self.calls.append((_KEYWORD, arg, owner, line + 1))

    def add_read(self, row: int, line: int, *, scope: int) -> None:
        """Add a read of an attribute that no expression in the text has."""
        add_line(self.named[scope][0], row, line=line)

    def add_type(self, row: int, line: int, *, scope: int, rows: list[Expression]) -> None:
        """Add a name used as a type, unless it or its base is a generic parameter."""
        first = row
        while self.generics and rows[first][0] == _ATTRIBUTE:
            first = rows[first][2]
        if rows[first][1] not in self.generics:
            self.types.append((row, line, scope))

    def add_operation(self, row: int, node: ts.Node, *, scope: int, rows: list[Expression]) -> None:
        """Add an operation that may run a method; operations on plain data are left out."""
        op, _, base, args = rows[row]
        subjects = args if op == _OPERATOR else (rows[base][2] if op == _STORED else base,)
        for subject in subjects:
            if rows[subject][0] not in _DATA:
                key = (self.named_owners[scope], row)
                add_line(self.operations, key, line=node.start_point[0] + 1)
                return

    def references(self, rows: list[Expression], names: NameScopes) -> list[Reference]:
        """Return all references: calls, each behind its keywords, operations, reads by line."""
        operations = [
            (_OPERATION, row, owner, line)
            for (owner, row), lines in self.operations.items()
            for line in lines
        ]
        return [*self.calls, *operations, *self._values(rows, names)]

    def _values(self, rows: list[Expression], names: NameScopes) -> list[Reference]:
        """Return the reads of names and attributes, except local variables that hold only data."""
        mentions: dict[tuple[int, int, int], None] = {}  # (owner, row, line)
        for owner, (named, called) in zip(self.named_owners, self.named, strict=True):
            for row, lines in named.items():
                is_member = rows[row][0] == _ATTRIBUTE
                if not is_member and not _is_reference(row, rows, names):
                    continue
                for line in lines:
                    mentions[owner, row, line] = None
                if is_member:
                    _add_bases(row, lines, owner=owner, rows=rows, mentions=mentions)
            for row, lines in called.items():
                if rows[row][0] == _ATTRIBUTE:
                    _add_bases(row, lines, owner=owner, rows=rows, mentions=mentions)
        known: dict[int, bool] = {}
        references = []
        for owner, row, line in mentions:
            is_used = known.get(row)
            if is_used is None:
                is_used = known[row] = _is_reference(row, rows, names)
            if is_used:
                references.append((_VALUE, row, owner, line))
        return references


def add_line(lines_by_row: dict[Used, list[int]], row: Used, *, line: int) -> None:
    """Add a line to the uses of a row, or of one by an owner."""
    lines = lines_by_row.get(row)
    if lines is None:
        lines_by_row[row] = [line]
    elif lines[-1] != line:
        lines.append(line)


def _is_reference(row: int, rows: list[Expression], names: NameScopes) -> bool:
    """Tell whether a row is an attribute, or a name or label that is not just local data."""
    op, text, home, args = rows[row]
    if op == _UNION and text:
        return not names.is_data(rows[args[1]][2], text)
    return op in _MEMBERS or (op == _NAME and not names.is_data(home, text))


def _add_bases(
    row: int,
    lines: list[int],
    *,
    owner: int,
    rows: list[Expression],
    mentions: dict[tuple[int, int, int], None],
) -> None:
    """Add the bases of an attribute, transitively, as uses on the same lines.

    Where a base has a line already, its own bases have it too, so a chain is followed once.
    """
    while lines and rows[row][0] == _ATTRIBUTE:
        row = rows[row][2]
        lines = [line for line in lines if (owner, row, line) not in mentions]
        for line in lines:
            mentions[owner, row, line] = None
