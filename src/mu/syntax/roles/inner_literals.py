"""Inner composite literals that leave out their type, and keys that are names.

In `[]Point{{X: 1}}` the inner literal makes a `Point`: its type is that of the elements of the
outer one. Keys of maps and arrays that are names are constants, and those of other literals fields;
their syntax is the same (`{Idle: "i"}`), so the type of the literal decides.
"""

import tree_sitter as ts

from mu.model.facts import Op
from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.tree_walk import Walk

_CALL, _COMPREHENSION, _FUNCTION = int(Op.CALL), int(Op.COMPREHENSION), int(Op.FUNCTION)
_PAIR, _KEYWORD = int(Op.PAIR), int(Op.KEYWORD)
_SAME = "expression.same"


def read_inner_literals(walk: Walk, match: RoleMatch) -> None:
    """Note the keys that are names, and the calls that literals without a type are."""
    of = match.row("type")
    if walk.table.rows[of][0] == _COMPREHENSION:
        _read_inner(walk, match.required("value"), row=match.row("value"), of=of)


def _read_inner(walk: Walk, literal: ts.Node, *, row: int, of: int) -> None:
    """Note those in a literal of a container, whose type is the row `of`."""
    rows = walk.table.rows
    _, _, element, keys = rows[of]
    key = keys[0] if keys else 0
    for node, part in zip(_elements(walk, literal), rows[row][3], strict=True):
        kind, _, base, sides = rows[part]
        shape, children = walk.grammar.nodes.match_shape(node)
        if kind == _PAIR:
            _read_part(walk, children[shape.parts["key"][0]], row=sides[0], of=key)
            _read_part(walk, children[shape.parts["value"][0]], row=sides[1], of=element)
        elif kind == _KEYWORD:
            walk.value(children[shape.parts["name"][0]])
            _read_part(walk, children[shape.parts["value"][0]], row=base, of=element)
        elif shape.role == _SAME:
            _read_part(walk, children[shape.parts["base"][0]], row=part, of=element)


def _read_part(walk: Walk, node: ts.Node, *, row: int, of: int) -> None:
    """Note what a key or value of a literal calls, if it is a literal that leaves out its type."""
    rows = walk.table.rows
    typed = walk.table.with_type(row, of)
    if typed == row or rows[of][0] == _FUNCTION:  # a class without a name, which has no node
        return
    if rows[typed][0] == _CALL:
        parts = zip(rows[row][3], _elements(walk, node), strict=True)
        walk.records.add_keywords(parts, node, scope=walk.scope, rows=rows)
        walk.records.add_call(typed, node.start_point[0] + 1, scope=walk.scope)
    elif rows[of][0] == _COMPREHENSION:
        _read_inner(walk, node, row=row, of=of)


def _elements(walk: Walk, literal: ts.Node) -> list[ts.Node]:
    skipped = walk.grammar.nodes.skipped
    return [node for node in literal.named_children if node.kind_id not in skipped]
