"""Targets of bindings: the names that a pattern binds, each with its path into the value."""

from collections.abc import Sequence

import tree_sitter as ts

from mu.model.facts import Op
from mu.syntax.matching.shapes import Shape
from mu.syntax.roles.headers import last_name, plain_name
from mu.syntax.roles.tree_walk import AS_CHANGED, DEPTH, Walk

_ATTRIBUTE, _INDEX, _STORED = int(Op.ATTRIBUTE), int(Op.INDEX), int(Op.STORED)

Step = tuple[str, int]
"""A step into a value, and its line.

It is a position as in `Op.ITEM`, a member name behind a dot, or behind `=` the row of a default
value.
"""

Target = tuple[tuple[Step, ...], int, int, str, int]
"""A name or attribute in a target: (path into the value, scope, base row or 0, name, line).

Without name and base, the path is read, and nothing is bound to it.
"""

VARIANT = "."  # between the name of a variant and its member, in a position of `Op.ITEM`

MEMBER = "."
DEFAULT_VALUE = "="  # begins a path step that is a row by itself, regardless of the steps before

_FIELDS = frozenset(("target.member", "target.field"))


def is_field(step: str) -> bool:
    """Tell whether a step into a variant leads to a member by its name, and not by its place."""
    variant, _, member = step.rpartition(VARIANT)
    return bool(variant) and member.isidentifier()


def read_target(walk: Walk, node: ts.Node) -> list[Target]:
    """Return the names that a target binds, and walk the values in it."""
    reader = _TargetReader(walk)
    reader.read(node, ())
    return reader.targets


def read_pattern(walk: Walk, node: ts.Node) -> list[Target]:
    """Return the names that a pattern binds, or each of several patterns."""
    reader = _TargetReader(walk)
    reader.read_pattern(node)
    return reader.targets


class _TargetReader:
    """Reads one target or pattern."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._has_constants = walk.grammar.manifest.has_constant_patterns
        self.targets: list[Target] = []

    def read_pattern(self, node: ts.Node) -> None:
        walk = self._walk
        is_name = node.kind_id in walk.grammar.nodes.names
        if not self._has_constants:
            self.read(node, ())
        elif is_name and walk.text(node)[:1].isupper():
            walk.value(node)
        elif not is_name and walk.grammar.targets.match_shape(node)[0].role == "target.members":
            for part in node.named_children:
                self.read_pattern(part)
        else:
            self.read(node, ())

    def read(self, node: ts.Node, path: tuple[Step, ...]) -> None:
        """Read the target of what is at `path` in the value."""
        walk, line = self._walk, node.start_point[0] + 1
        if node.kind_id in walk.grammar.nodes.names or not node.is_named:  # a token is a name, too
            self._read_name(node, path)
            return
        shape, children = walk.grammar.targets.match_shape(node)
        if len(path) >= DEPTH:
            walk.visit(node)
        elif shape.role in _FIELDS:
            self._read_member(node, path, shape=shape, children=children)
        elif shape.role == "target.key":
            _walk_key(walk, node)
            self._bind(plain_name(walk.text(node)), path, line=line)
        elif shape.role == "target.members":
            for part in node.named_children:
                self.read(part, path)
        elif shape.role == "target.same":
            self._read_same(path, shape=shape, children=children)
        elif shape.role == "target.variant":
            self._read_variant(node, path, shape=shape, children=children)
        elif shape.role == "target.compared":
            walk.value(node)
        elif shape.role == "target.rest" and "name" in shape.parts:
            self.read(children[shape.parts["name"][0]], path)
        elif shape.role == "target.sequence":
            for position, part in _positions(walk, _with_holes(node.children)):
                self.read(part, (*path, (position, line)))
        else:
            self._read_stored(node, path)

    def _bind(self, name: str, path: tuple[Step, ...], *, line: int) -> None:
        self._walk.names.bind(self._walk.scope, name)
        self.targets.append((path, self._walk.scope, 0, name, line))

    def _read_name(self, node: ts.Node, path: tuple[Step, ...]) -> None:
        name = self._walk.text(node)
        if path and self._has_constants and name[:1].isupper():
            self._walk.value(node)
        elif name != self._walk.grammar.manifest.blank:
            self._bind(name, path, line=node.start_point[0] + 1)

    def _read_member(
        self, node: ts.Node, path: tuple[Step, ...], *, shape: Shape, children: Sequence[ts.Node]
    ) -> None:
        walk, line = self._walk, node.start_point[0] + 1
        key = node if "key" not in shape.parts else children[shape.parts["key"][0]]
        _walk_key(walk, key)
        member = *path, (f"{MEMBER}{walk.text(key)}", line)
        if shape.role == "target.field":
            self._read_compared(member, line=line)
            walk.visit(node)
        elif "name" in shape.parts:
            self._read_held(children[shape.parts["name"][0]], member)
        else:
            self._bind(walk.text(node), member, line=line)

    def _read_held(self, node: ts.Node, path: tuple[Step, ...]) -> None:
        """Read the target that holds a member; the member is read, even if nothing is bound."""
        count = len(self.targets)
        self.read(node, path)
        if len(self.targets) == count:
            self._read_compared(path, line=node.start_point[0] + 1)

    def _read_compared(self, path: tuple[Step, ...], *, line: int) -> None:
        self.targets.append((path, self._walk.scope, 0, "", line))

    def _read_same(
        self, path: tuple[Step, ...], *, shape: Shape, children: Sequence[ts.Node]
    ) -> None:
        """Read a target in brackets and the like, or one with a default value."""
        walk, named = self._walk, children[shape.parts["name"][0]]
        self.read(named, path)
        row = walk.value(children[shape.parts["value"][0]]) if "value" in shape.parts else 0
        if not row:
            return
        line = named.start_point[0] + 1
        default = *path, (f"{DEFAULT_VALUE}{row}", line)
        if walk.grammar.targets.match_shape(named)[0].role == "target.member":
            self.targets.append((default, walk.scope, 0, walk.text(named), line))
        else:
            self.read(named, default)

    def _read_stored(self, node: ts.Node, path: tuple[Step, ...]) -> None:
        """Read an attribute or an element that is assigned."""
        walk, line = self._walk, node.start_point[0] + 1
        row = walk.value(node, how=AS_CHANGED)
        op, text, base, _ = walk.table.rows[row]
        if op in (_ATTRIBUTE, _INDEX):
            walk.add_operation(walk.table.row((_STORED, "=", row, ())), node)
            held = (base, text) if op == _ATTRIBUTE else (row, "")
            self.targets.append((path, walk.scope, *held, line))

    def _read_variant(
        self, node: ts.Node, path: tuple[Step, ...], *, shape: Shape, children: Sequence[ts.Node]
    ) -> None:
        """Read a pattern that names the type it takes apart."""
        walk, kind = self._walk, children[shape.parts["type"][0]]
        variant = last_name(walk.text(kind)) + VARIANT
        walk.value(kind)
        parts = [part for part in node.named_children if part.id != kind.id]
        for position, part in _positions(walk, parts):
            inner, parted = walk.grammar.targets.match_shape(part)
            line = part.start_point[0] + 1
            if inner.role not in _FIELDS:
                self.read(part, (*path, (variant + position, line)))
                continue
            key = parted[inner.parts["key"][0]] if "key" in inner.parts else part
            field = *path, (variant + walk.text(key), line)
            if inner.role == "target.field":
                self._read_compared(field, line=line)
            else:
                named = parted[inner.parts["name"][0]] if "name" in inner.parts else key
                self._read_held(named, field)


def _walk_key(walk: Walk, node: ts.Node) -> None:
    """Walk the expression that computes the key of a member, if any."""
    if not node.named_child_count:
        return
    shape, children = walk.grammar.targets.match_shape(node)
    if shape.role == "target.key" and "value" in shape.parts:
        walk.value(children[shape.parts["value"][0]])


def _positions(walk: Walk, parts: Sequence[ts.Node | None]) -> list[tuple[str, ts.Node]]:
    """Return the parts of a sequence, each with its position in the value: see `Op.ITEM`."""
    roles = ["" if one is None else walk.grammar.targets.match_shape(one)[0].role for one in parts]
    rest = roles.index("target.rest") if "target.rest" in roles else len(parts)
    return [
        (
            str(position)
            if position < rest
            else "*"
            if position == rest
            else str(position - len(parts)),
            part,
        )
        for position, part in enumerate(parts)
        if part is not None
    ]


def _with_holes(children: Sequence[ts.Node]) -> list[ts.Node | None]:
    """Return the parts of a sequence; None for an omitted part, as in `[, b]`."""
    parts: list[ts.Node | None] = []
    is_taken = False  # a part was found since the last comma
    for child in children:
        if child.is_named:
            parts.append(child)
            is_taken = True
        elif child.type == ",":
            if not is_taken:
                parts.append(None)
            is_taken = False
    return parts
