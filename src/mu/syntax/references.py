"""Where things are used: every call, and each value once for the definition that names it."""

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
