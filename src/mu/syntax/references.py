"""Where things are used: every call, and each value once for the definition that names it."""

import tree_sitter as ts

from mu.model.facts import Op, Reference, ReferenceKind
from mu.syntax.expressions import ExpressionTable
from mu.syntax.grammar import Captures
from mu.syntax.outline import Outline

_NAME = int(Op.NAME)
_CALL, _VALUE = int(ReferenceKind.CALL), int(ReferenceKind.VALUE)


def collect_references(
    matches: dict[str, list[Captures]], outline: Outline, *, values: ExpressionTable
) -> list[Reference]:
    """Every call, in the order of the text; and see to it that every value has its row.

    Bases, annotations and decorators come with their definitions, values by `value_references`.
    """
    build, rows, owner_at = values.build, values.rows, outline.named_owner_at
    found: list[Reference] = []
    for parts in matches.get("expression.call", ()):
        node = parts["expression.call"][0]
        number = values.build_call(node, parts)
        if rows[number][0] == Op.CALL:
            line = parts["base"][0].end_point[0] + 1
            found.append((_CALL, number, owner_at(node.start_byte), line))
    for parts in matches.get("reference.value", ()):
        node = parts["reference.value"][0]
        if not outline.is_annotation(node):
            build(node)
    return found


_DATA = frozenset(map(int, (Op.OPAQUE, Op.LITERAL, Op.STRING, Op.COLLECTION)))
_OPERATION = int(ReferenceKind.OPERATION)
_INDEX, _OPERATOR, _ENTERED, _ELEMENT, _STORED = map(
    int, (Op.INDEX, Op.OPERATOR, Op.ENTERED, Op.ELEMENT, Op.STORED)
)


def collect_operations(
    matches: dict[str, list[Captures]], outline: Outline, *, values: ExpressionTable
) -> list[Reference]:
    """What may run a method without naming it, once for each owner; plain data has none of its own.

    To be called when all bindings are built: what they set is no subscript that is read.
    """
    lines: dict[tuple[int, int], int] = {}

    def note(row: int, node: ts.Node) -> None:
        op, _, base, args = values.rows[row]
        subject = args[0] if op == _OPERATOR else values.rows[base][2] if op == _STORED else base
        if values.rows[subject][0] not in _DATA:
            key = (outline.named_owner_at(node.start_byte), row)
            lines.setdefault(key, node.start_point[0] + 1)

    deleted = set()
    for parts in matches.get("operation.deleted", ()):
        for node in parts["value"]:
            deleted.add(node.id)
            note(values.row((_STORED, "del", values.build(node), ())), node)
    for node in values.stored:
        note(values.row((_STORED, "=", values.build(node), ())), node)
    changed = deleted | {node.id for node in values.stored}
    for role, op in (("expression.index", _INDEX), ("expression.operator", _OPERATOR)):
        for parts in matches.get(role, ()):
            node = parts[role][0]
            if node.id not in changed and not outline.is_annotation(node):
                row = values.build(node)
                if values.rows[row][0] == op:
                    note(row, node)
    for role, op in (
        ("operation.entered", _ENTERED),
        ("binding.entered", _ENTERED),
        ("binding.element", _ELEMENT),
    ):
        for parts in matches.get(role, ()):
            node = parts["value"][0]
            note(values.row((op, "", values.build(node), ())), node)
    return [(_OPERATION, row, owner, line) for (owner, row), line in lines.items()]


def value_references(values: ExpressionTable, outline: Outline) -> list[Reference]:
    """Each name and attribute that is used other than by calling it, once for each owner.

    Left out: what only ever holds data of the function around it.
    """
    rows, names = values.rows, values.names
    lines: dict[tuple[int, int], int] = {}
    for (row, scope), line in values.named.items():
        op, text, home, _ = rows[row]
        if not (op == _NAME and names.is_data(home, text)):
            key = (outline.named_owners[scope], row)
            lines[key] = min(line, lines.get(key, line))
    return [(_VALUE, row, owner, line) for (owner, row), line in lines.items()]
