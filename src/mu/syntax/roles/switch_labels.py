"""Labels of switches: the constant of an enumeration, or any other constant that has the name.

Which of both depends on the type of what the switch is on, so the row of a label holds both.
"""

import tree_sitter as ts

from mu.model.facts import Op
from mu.syntax.roles.tree_walk import Walk
from mu.syntax.tables.scope_records import add_line

_ATTRIBUTE, _UNION = int(Op.ATTRIBUTE), int(Op.UNION)


def read_label(walk: Walk, node: ts.Node) -> int:
    """Return the row of a label; its subject is the nearest `condition` before and around it."""
    name = walk.text(node)
    member = walk.table.row((_ATTRIBUTE, name, read_subject(walk, node, field="condition"), ()))
    row = walk.table.row((_UNION, name, 0, (member, walk.reread(node))))
    add_line(walk.records.named[walk.scope][0], row, line=node.start_point[0] + 1)
    return row


def read_subject(walk: Walk, node: ts.Node, *, field: str) -> int:
    """Return the row of the nearest such field before and around a node, read outside."""
    ancestor = node.parent
    while ancestor is not None:
        value = ancestor.child_by_field_name(field)
        if value is not None and value.end_byte <= node.start_byte:
            scope = walk.scope
            walk.resume(max(walk.records.scopes[scope].parent, 0))
            row = walk.reread(value)
            walk.resume(scope)
            return row
        ancestor = ancestor.parent
    return 0
