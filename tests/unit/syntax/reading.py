"""Facts written as text, so that a test can say what it expects in a line.

A name is followed by the scope it lives in, unless that is the file: `x@f`, `self@C`. Scopes are
named by what opens them: `C.f`, `f.<lambda>`, `f.<block>` for a comprehension.
"""

from collections.abc import Callable
from textwrap import dedent

from mu.model.facts import (
    BindingKind,
    Definition,
    Expression,
    FileFacts,
    Flag,
    Import,
    Op,
    ReferenceKind,
    ScopeKind,
)
from mu.syntax import Extractor

_EXTRACTOR = Extractor()
_WRAPPED = {
    Op.AWAIT: "await",
    Op.ELEMENT: "element",
    Op.ENTERED: "entered",
    Op.CAUGHT: "caught",
}
_MARKS = {BindingKind.VALUE: "=", BindingKind.DECLARED: ":", BindingKind.DELETED: "deleted"}


class Reading:
    """The facts of a piece of Python, row by row as text."""

    def __init__(self, source: str) -> None:
        self.facts: FileFacts = _EXTRACTOR.extract(dedent(source).encode(), "python")

    def value(self, name: str = "x") -> str:
        """What the last binding of `name` says it holds."""
        rows = [row.value for row in self.facts.bindings if row.name == name]
        return self.expression(rows[-1])

    def expressions(self) -> list[str]:
        """Every expression row."""
        return [self.expression(number) for number in range(len(self.facts.expressions))]

    def bindings(self) -> list[str]:
        """Every binding, in the order of the text: `4 x@f = <int>`."""
        shown = []
        for row in self.facts.bindings:
            target = row.name + self._at(row.scope)
            if row.base:
                base = self.expression(row.base)
                target = f"{base}.{row.name}" if row.name else base
            shown.append((row.line, f"{target} {_MARKS[row.kind]} {self.expression(row.value)}"))
        return [f"{line} {text}" for line, text in sorted(shown, key=lambda item: item[0])]

    def references(self, *kinds: ReferenceKind) -> list[str]:
        """Every reference of `kinds` (none: all), sorted: `3 call f() in C.m`."""
        shown = []
        for kind, expression, owner, line in self.facts.references:
            if not kinds or kind in kinds:
                word = ReferenceKind(kind).name.lower()
                where = f" in {self.path(owner)}" if owner >= 0 else ""
                shown.append((line, f"{word} {self.expression(expression)}{where}"))
        return [f"{line} {text}" for line, text in sorted(shown)]

    def imports(self) -> list[str]:
        """Every import: `1 path as p <- os, path`, its flags and scope behind it."""
        return [self._import(row) for row in self.facts.imports]

    def definition(self, name: str) -> Definition:
        """The last definition of that name."""
        return [row for row in self.facts.definitions if row.name == name][-1]

    def path(self, definition: int) -> str:
        """The dotted name of a definition inside the file."""
        row = self.facts.definitions[definition]
        return ".".join(filter(None, (self.scope(row.scope), row.name or "<lambda>")))

    def scope(self, number: int) -> str:
        """The dotted name of a scope, empty for the file."""
        row = self.facts.scopes[number]
        if row.kind == ScopeKind.MODULE:
            return ""
        if row.kind == ScopeKind.BLOCK:
            return ".".join(filter(None, (self.scope(row.parent), "<block>")))
        return self.path(row.definition)

    def expression(self, number: int) -> str:
        """One expression row."""
        row = self.facts.expressions[number]
        op = Op(row[0])
        if op in _WRAPPED:
            return f"{_WRAPPED[op]}({self.expression(row[2])})"
        return _SHOWN[op](self, row)

    def all(self, numbers: tuple[int, ...]) -> str:
        """Several expression rows."""
        return ", ".join(map(self.expression, numbers))

    def _at(self, scope: int) -> str:
        return f"@{self.scope(scope)}" if scope else ""

    def _import(self, row: Import) -> str:
        source = ", ".join(filter(None, ("." * row.level + row.module, row.name)))
        words = [f"{row.line} {row.local or '-'} <- {source}"]
        words += [str(flag.name).lower() for flag in Flag if row.flags & flag]
        return " ".join(words) + (f" in {self.scope(row.scope)}" if row.scope else "")


def _sided(reading: Reading, row: Expression) -> str:
    sides = [reading.expression(number) for number in row[3]]
    if len(sides) == 1:
        return f"{row[1]} {sides[0]}" if row[1].isalpha() else row[1] + sides[0]
    return "(" + f" {row[1]} ".join(sides) + ")"


_SHOWN: dict[Op, Callable[[Reading, Expression], str]] = {
    Op.OPAQUE: lambda _, row: "?",
    Op.NAME: lambda r, row: row[1] + r._at(row[2]),
    Op.ATTRIBUTE: lambda r, row: f"{r.expression(row[2])}.{row[1]}",
    Op.CALL: lambda r, row: f"{r.expression(row[2])}({r.all(row[3])})",
    Op.INDEX: lambda r, row: f"{r.expression(row[2])}[{r.all(row[3])}]",
    Op.ITEM: lambda r, row: f"item({r.expression(row[2])}, {row[1]})",
    Op.LITERAL: lambda _, row: f"<{row[1]}>",
    Op.STRING: lambda _, row: repr(row[1]),
    Op.COLLECTION: lambda r, row: f"{row[1]}{{{r.all(row[3])}}}",
    Op.PAIR: lambda r, row: ": ".join(map(r.expression, row[3])),
    Op.KEYWORD: lambda r, row: f"{row[1]}={r.expression(row[2])}",
    Op.SPREAD: lambda r, row: row[1] + r.expression(row[2]),
    Op.UNION: lambda r, row: f"either({r.all(row[3])})",
    Op.FUNCTION: lambda r, row: f"function({r.path(row[2])})",
    Op.OPERATOR: _sided,
    Op.COMPREHENSION: lambda r, row: f"{row[1]} of {r.expression(row[2])}",
    Op.YIELDED: lambda _, row: "sent",
    Op.STORED: lambda r, row: f"{'set' if row[1] == '=' else row[1]}({r.expression(row[2])})",
}
