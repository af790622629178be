"""Where things are used: every call, and each value once for the definition that names it."""

from mu.model.facts import Op, Reference, ReferenceKind
from mu.syntax.expressions import ExpressionTable
from mu.syntax.grammar import Captures
from mu.syntax.locals import LocalNames
from mu.syntax.outline import Outline


def collect_references(
    matches: dict[str, list[Captures]],
    outline: Outline,
    *,
    values: ExpressionTable,
    local_names: LocalNames,
) -> list[Reference]:
    """Calls, and the values named outside of being called; what is local to a function is left out.

    Bases, annotations and decorators come with their definitions.
    """
    calls, called = _calls(matches.get("reference.call", ()), outline, values)
    named = _values(matches.get("reference.value", ()), outline, values)
    rows = values.rows
    return calls + [
        (ReferenceKind.VALUE, row, owner, line)
        for (owner, row), line in named.items()
        if row and row not in called and not local_names.holds(rows[row])
    ]


def _calls(
    captured: list[Captures] | tuple[()], outline: Outline, values: ExpressionTable
) -> tuple[list[Reference], set[int]]:
    build, rows, owner_at = values.build, values.rows, outline.named_owner_at
    found: list[Reference] = []
    called: set[int] = set()
    for parts in captured:
        node = parts["reference.call"][0]
        number = build(node)
        if rows[number][0] != Op.CALL:
            continue
        called.add(rows[number][2])
        line = parts["function"][0].end_point[0] + 1
        found.append((ReferenceKind.CALL, number, owner_at(node.start_byte), line))
    return found, called


def _values(
    captured: list[Captures] | tuple[()], outline: Outline, values: ExpressionTable
) -> dict[tuple[int, int], int]:
    """The first line of each (owner, row) that is named."""
    build, at, source = values.build, outline.scope_map.at, outline.source
    seen: set[tuple[int, bytes]] = set()
    lines: dict[tuple[int, int], int] = {}
    for parts in captured:
        node = parts["reference.value"][0]
        start = node.start_byte
        key = (at(start), source[start : node.end_byte])
        if key in seen:
            continue
        seen.add(key)
        owner = outline.named_owner_at(start)
        line = node.start_point[0] + 1
        for row in _chain(values, build(node)):
            lines[owner, row] = min(line, lines.get((owner, row), line))
    return lines


def _chain(values: ExpressionTable, number: int) -> list[int]:
    """The row itself and, when it is a plain attribute of a name, that name."""
    base = values.rows[number]
    if base[0] == Op.ATTRIBUTE and values.rows[base[2]][0] == Op.NAME:
        return [number, base[2]]
    return [number]
