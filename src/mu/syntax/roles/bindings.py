"""Bindings: which values names and attributes may hold, with unpacking resolved to parts."""

from collections import defaultdict
from operator import itemgetter

import tree_sitter as ts

from mu.model.facts import ASYNC, KEY, Binding, BindingKind, Op, ScopeKind
from mu.syntax.matching.vocabulary import TYPE
from mu.syntax.roles.annotations import POSITIONAL
from mu.syntax.roles.binding_targets import (
    DEFAULT_VALUE,
    MEMBER,
    VARIANT,
    Target,
    is_field,
    read_pattern,
    read_target,
)
from mu.syntax.roles.imports import DEFAULT
from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.switch_labels import read_subject
from mu.syntax.roles.tree_walk import AS_CHANGED, AS_VALUE, Walk
from mu.syntax.roles.visibility import BoundName
from mu.syntax.tables.name_scopes import NameScopes

_ITEM, _ATTRIBUTE, _INDEX, _STORED, _FUNCTION = map(
    int, (Op.ITEM, Op.ATTRIBUTE, Op.INDEX, Op.STORED, Op.FUNCTION)
)
_OPERATOR, _ELEMENT, _COLLECTION = map(int, (Op.OPERATOR, Op.ELEMENT, Op.COLLECTION))

_ENTERING = ("binding.entered", "operation.entered")

_VALUE, _DECLARED, _DELETED = BindingKind.VALUE, BindingKind.DECLARED, BindingKind.DELETED

_OPS = {
    "binding.declared": 0,
    "binding.alias": 0,
    "binding.assigned": 0,
    "binding.narrowed": 0,
    "binding.value": 0,
    "binding.added": 0,
    "binding.element": int(Op.ELEMENT),
    "binding.key": int(Op.ELEMENT),
    "binding.drawn": int(Op.ELEMENT),
    "binding.entered": int(Op.ENTERED),
    "binding.matched": 0,
    "binding.caught": int(Op.CAUGHT),
    "binding.sent": 0,
    "binding.opaque": 0,
    "binding.deleted": 0,
}
"""The operation that each role applies to its value; rows are listed in the order of the roles."""

_WITHOUT_OPERATION = frozenset(("binding.caught", "binding.key"))
"""Roles that run no method, or one that another binding already notes."""


class Bindings:
    """Collect the bindings of a file, except those of parameters, definitions and imports."""

    def __init__(self) -> None:
        self._found: dict[str, list[tuple[int, Binding]]] = defaultdict(list)  # by first byte
        self._targets: list[list[Target]] = []
        self._drawn_in: set[int] = set()  # comprehensions whose first clause was read

    def read_target(self, walk: Walk, node: ts.Node) -> int:
        """Bind the names in a target; return its number, for the rows of the match."""
        self._targets.append(read_target(walk, node))
        return len(self._targets) - 1

    def read_pattern(self, walk: Walk, node: ts.Node) -> int:
        """Bind the names in a pattern, in which a name may be a constant; return its number."""
        self._targets.append(read_pattern(walk, node))
        return len(self._targets) - 1

    def read_assigned(self, walk: Walk, node: ts.Node) -> int:
        """Read a target whose names are bound elsewhere; return its number."""
        is_binding, walk.names.is_binding = walk.names.is_binding, False
        number = self.read_target(walk, node)
        walk.names.is_binding = is_binding
        return number

    def read_iterable(self, walk: Walk, node: ts.Node) -> int:
        """Return the row of the iterable of a comprehension clause.

        The first one is evaluated in the scope around the comprehension.
        """
        scope = walk.scope
        is_drawn = walk.records.scopes[scope].kind == ScopeKind.BLOCK  # unless it does not parse
        if scope in self._drawn_in or not is_drawn:
            return walk.value(node)
        self._drawn_in.add(scope)
        walk.resume(walk.records.scopes[scope].parent)
        row = walk.value(node)
        walk.resume(scope)
        return row

    def names(self, number: int) -> list[str]:
        """Return the names that a target binds."""
        return [name for _, _, base, name, _ in self._targets[number] if name and not base]

    def bind(self, walk: Walk, match: RoleMatch) -> None:
        """Bind the targets to a value, or to what the role makes of it."""
        role = match.role
        value = match.row("value") or match.row("type")
        op = _OPS[role]
        if op:
            value = walk.table.row((op, _element_text(match), value, ()))
            if role not in _WITHOUT_OPERATION:
                walk.add_operation(value, match.required("value"))
        elif value and role == "binding.value" and self._is_unpacked(walk, match, value):
            walk.add_operation(walk.table.row((_ELEMENT, "", value, ())), match.required("value"))
        kind = _DECLARED if role == "binding.declared" else _VALUE
        found = self._found[role]
        is_plain = walk.table.rows[value][0] != _FUNCTION
        for index in match.parts["target"]:
            start = match.children[index].start_byte
            for target in self._targets[match.rows[index]]:
                path, scope, base, name, line = target
                if is_plain and not path:  # nearly all targets
                    found.append((start, Binding(kind, scope, base, name, value, line)))
                    if not base and walk.has_flow:
                        walk.reaching.bind(scope, name, row=value, role=role, line=line)
                else:
                    self._add(role, start, walk, target, value=value, kind=kind)

    def _add(
        self, role: str, start: int, walk: Walk, target: Target, *, value: int, kind: BindingKind
    ) -> None:
        path, scope, base, name, line = target
        part = value
        for step, step_line in path if value else ():
            if step[:1] == DEFAULT_VALUE:
                part = int(step[1:])
                continue
            is_member = step[:1] == MEMBER
            row = (_ATTRIBUTE, step[1:], part, ()) if is_member else (_ITEM, step, part, ())
            part = walk.table.row(row)
            if is_member or is_field(step):
                walk.records.add_read(part, step_line, scope=walk.scope)
        if not name and not base:
            return
        op, _, number, _ = walk.table.rows[part]
        is_function = op == _FUNCTION and not base
        if is_function and walk.records.definition_names.get(number) == (scope, name):
            return  # the definition itself binds the name
        self._found[role].append((start, Binding(kind, scope, base, name, part, line)))
        if not base and walk.has_flow:
            walk.reaching.bind(scope, name, row=part, role=role, line=line)

    def unpack(self, walk: Walk, node: ts.Node, *, value: int) -> None:
        """Bind the names in a target to parts of a value."""
        for target in read_target(walk, node):
            self._add("binding.value", node.start_byte, walk, target, value=value, kind=_VALUE)

    def bind_shorthand(self, walk: Walk, match: RoleMatch) -> None:
        """Bind a member to the variable of the same name, as in `{name}`."""
        name, line = walk.text(match.node), match.node.start_point[0] + 1
        value = walk.name_row(match.node, AS_VALUE)
        walk.names.bind(walk.scope, name)
        row = Binding(_VALUE, walk.scope, 0, name, value, line)
        self._found["binding.value"].append((match.node.start_byte, row))

    def bind_default_export(self, walk: Walk, node: ts.Node, *, value: int) -> None:
        """Bind the default export to a value without a name."""
        walk.names.bind(walk.scope, DEFAULT)
        row = Binding(_VALUE, walk.scope, 0, DEFAULT, value, node.start_point[0] + 1)
        self._found["binding.value"].append((node.start_byte, row))

    def hoist(self, walk: Walk, match: RoleMatch) -> None:
        """Declare that targets belong to the enclosing function and not to the blocks in it."""
        names = walk.grammar.nodes.names
        for index in match.parts["target"]:
            target = match.children[index]
            if target.kind_id not in names:
                target = target.named_children[0]
            if target.kind_id in names:
                walk.names.hoist(walk.scope, walk.text(target))

    def _is_unpacked(self, walk: Walk, match: RoleMatch, value: int) -> bool:
        """Tell whether a value is iterated over to bind its elements; literals are not."""
        if walk.table.rows[value][0] == _COLLECTION:
            return False
        for index in match.parts["target"]:
            for path, *_ in self._targets[match.rows[index]]:
                if path and VARIANT not in path[0][0] and path[0][0][:1] != DEFAULT_VALUE:
                    return True
        return False

    def delete(self, walk: Walk, match: RoleMatch) -> None:
        """Note that the targets, which are names, are unbound."""
        for index in match.parts["target"]:
            target = match.children[index]
            name, line = walk.text(target), target.start_point[0] + 1
            if not walk.flags:
                walk.names.delete(walk.scope, name)
            row = Binding(_DELETED, walk.scope, 0, name, 0, line)
            self._found["binding.deleted"].append((target.start_byte, row))

    def bind_sent(self, walk: Walk, match: RoleMatch) -> None:
        """Store a value in the target at an unknown index, as when sending to a channel."""
        element = walk.table.row((_INDEX, "", match.row("target"), ()))
        line = match.node.start_point[0] + 1
        row = Binding(_VALUE, walk.scope, element, "", match.row("value"), line)
        self._found["binding.sent"].append((match.node.start_byte, row))

    def apply_operation(self, walk: Walk, match: RoleMatch) -> None:
        """Note an operation on a value that may run one of its methods, such as a test."""
        value = match.row("value")
        walk.add_operation(
            walk.table.row((_OPERATOR, match.subkind, 0, (value,))), match.required("value")
        )

    def augment(self, walk: Walk, match: RoleMatch) -> None:
        """Note the operator of an augmented assignment such as `a += b`."""
        node = match.required("changed")
        old = walk.reread(node)
        if walk.table.rows[old][0] == _INDEX:
            walk.add_operation(old, node)
        operator = walk.text(match.required("operator"))
        walk.add_operation(
            walk.table.row((_OPERATOR, operator, 0, (old, match.row("right")))), node
        )

    def enter_context(self, walk: Walk, match: RoleMatch) -> None:
        """Note that a context manager is entered without being bound."""
        row = walk.table.row(
            (_OPS["binding.entered"], _element_text(match), match.row("value"), ())
        )
        walk.add_operation(row, match.required("value"))

    def read_deleted(self, walk: Walk, node: ts.Node) -> int:
        """Return the row of an element or attribute that is deleted."""
        row = walk.value(node, how=AS_CHANGED)
        walk.add_operation(walk.table.row((_STORED, "del", row, ())), node)
        return row

    def narrow(self, walk: Walk, match: RoleMatch) -> None:
        """Declare the type of a target inside a region, once the walk enters it."""
        name, node = walk.text(match.required("target")), match.required("type")

        def bind() -> None:
            line = node.start_point[0] + 1
            walk.names.bind(walk.scope, name)
            row = Binding(
                _DECLARED, walk.scope, 0, name, walk.roles.readers[TYPE](walk, node), line
            )
            self._found["binding.narrowed"].append((node.start_byte, row))

        walk.on_entry.setdefault(match.required("region").id, []).append(bind)

    def bind_pattern(self, walk: Walk, match: RoleMatch) -> None:
        """Bind the names of a pattern to parts of its value, or of the subject around it."""
        value = (
            match.row("value")
            if "value" in match.parts
            else read_subject(walk, match.node, field="value")
        )
        for index in match.parts["target"]:
            start = match.children[index].start_byte
            for target in self._targets[match.rows[index]]:
                self._add(match.role, start, walk, target, value=value, kind=_VALUE)

    def declare_variant(self, walk: Walk, match: RoleMatch) -> None:
        """Declare the positional members of an enum variant: `Circle.0`."""
        name, parameters = walk.text(match.required("target")), walk.grammar.parameters
        types = match.required("types").named_children
        placed = [node for node in types if parameters.match_shape(node)[0].role == POSITIONAL]
        for position, node in enumerate(placed):
            member, line = f"{name}{VARIANT}{position}", node.start_point[0] + 1
            walk.names.bind(walk.scope, member)
            row = Binding(
                _DECLARED, walk.scope, 0, member, walk.roles.readers[TYPE](walk, node), line
            )
            self._found["binding.declared"].append((node.start_byte, row))

    def declare_scope(self, walk: Walk, match: RoleMatch) -> None:
        """Declare that the targets are global or nonlocal."""
        is_global = match.role == "binding.global"
        declare = walk.names.declare_global if is_global else walk.names.declare_nonlocal
        for index in match.parts["target"]:
            declare(walk.scope, walk.text(match.children[index]))

    def bound(self) -> list[BoundName]:
        """Return the names that are bound here, after the walk."""
        found = (row for rows in self._found.values() for row in rows)
        return [(start, row.scope, row.name) for start, row in found if not row.base]

    def rows(self, names: NameScopes) -> list[Binding]:
        """Return all bindings, after the walk; those of data that is never used are left out."""
        rows = []
        for role in _OPS:
            for _, row in sorted(self._found.get(role, ()), key=itemgetter(0)):
                if row.base:
                    rows.append(row)
                    continue
                home = names.binding_home(row.scope, row.name)
                if role == "binding.assigned" and not names.is_bound(home, row.name):
                    continue  # a variable of another file
                if role == "binding.deleted" and not names.is_deleted(home, row.name):
                    continue
                if row.value or not names.is_data(home, row.name):
                    rows.append(row if home == row.scope else row._replace(scope=home))
        return rows


def _element_text(match: RoleMatch) -> str:
    """Return the `text` of an ELEMENT or ENTERED row: `async`, KEY or empty."""
    if match.role == "binding.key":
        return KEY
    if match.role in _ENTERING:
        return ASYNC if _is_asynchronous(match.node) else ""
    return ASYNC if "async" in match.parts else ""


def _is_asynchronous(node: ts.Node) -> bool:
    """Tell whether the `with` or `for` around a node, at most two levels up, is `async`."""
    ancestor = node.parent
    for _ in range(2):
        first = None if ancestor is None else ancestor.child(0)
        if ancestor is None or first is None:
            return False
        if first.type == ASYNC:
            return True
        ancestor = ancestor.parent
    return False
