"""Keys of composite literals that are names: constants in maps and arrays, fields in others.

Their syntax is the same (`{Idle: "i"}`), so the type of the literal decides. The type of an inner
literal that leaves it out is that of the elements of the outer one.
"""

import tree_sitter as ts

from mu.model.facts import Op
from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.tree_walk import Walk

_COMPREHENSION = int(Op.COMPREHENSION)
_KEYED, _COLLECTION = "expression.keyword", "expression.collection"
_ELEMENTS = {_KEYED: "value", "expression.pair": "value", "expression.same": "base"}
"""The part that is the value of an element, by the role of the element."""


def read_keys(walk: Walk, match: RoleMatch) -> None:
    """Note the names that are keys or indices in a composite literal."""
    _read_keys(walk, match.required("value"), of=match.row("type"))


def _read_keys(walk: Walk, literal: ts.Node, *, of: int) -> None:
    op, _, element, _ = walk.table.rows[of]
    if op != _COMPREHENSION:
        return
    match_shape = walk.grammar.nodes.match_shape
    is_nested = walk.table.rows[element][0] == _COMPREHENSION
    for child in literal.named_children:
        shape, nodes = match_shape(child)
        if shape.role == _KEYED:
            walk.value(nodes[shape.parts["name"][0]])
        if is_nested and shape.role in _ELEMENTS:
            value = nodes[shape.parts[_ELEMENTS[shape.role]][0]]
            if match_shape(value)[0].role == _COLLECTION:
                _read_keys(walk, value, of=element)
