"""What names and attributes may hold, target by target, unpacking followed into its parts."""

from collections import defaultdict
from collections.abc import Sequence
from operator import itemgetter

import tree_sitter as ts

from mu.model.facts import ASYNC, KEY, Binding, BindingKind, Op, ScopeKind
from mu.syntax.matching.shapes import Shape
from mu.syntax.matching.vocabulary import TYPE
from mu.syntax.roles.annotations import PLACED
from mu.syntax.roles.headers import last_name, plain_name
from mu.syntax.roles.imports import DEFAULT
from mu.syntax.roles.meeting import Met
from mu.syntax.roles.walk import AS_CHANGED, AS_VALUE, DEPTH, Walk
from mu.syntax.tables.names import NameScopes

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
"""What is made of the value; the rows are listed in this order."""

Place = tuple[tuple[str, ...], int, int, str, int]
"""Something in a target: (the parts of the value it takes, scope, base row or 0, name, line).

A part is what `Op.ITEM` says, the name of a member behind a dot, or behind `=` the row of what it
is by default.
"""

_SILENT = frozenset(("binding.caught", "binding.key"))
"""Those that run no method, or one that another binding tells of."""

_VARIANT = "."  # what parts the name of a variant from its member in what `Op.ITEM` says

_MEMBER = "."
_DEFAULT = "="  # what begins the part of a path that is a row by itself, whatever stands before


class Bindings:
    """Gathers the bindings of a file, but for those of parameters, definitions and imports."""

    def __init__(self) -> None:
        self._found: dict[str, list[tuple[int, Binding]]] = defaultdict(list)  # by first byte
        self._targets: list[list[Place]] = []
        self._drawn_in: set[int] = set()  # the comprehensions whose first clause has been read

    def read_target(self, walk: Walk, node: ts.Node) -> int:
        """Bind the names in a target; what is returned stands for it among the rows."""
        places: list[Place] = []
        _read(walk, node, (), places)
        number = len(self._targets)
        self._targets.append(places)
        return number

    def read_matched(self, walk: Walk, node: ts.Node) -> int:
        """The same of a pattern, in which a name may be that of a constant."""
        places: list[Place] = []
        _read_matched(walk, node, places)
        self._targets.append(places)
        return len(self._targets) - 1

    def read_assigned(self, walk: Walk, node: ts.Node) -> int:
        """The same of names that are bound elsewhere."""
        is_binding, walk.names.is_binding = walk.names.is_binding, False
        number = self.read_target(walk, node)
        walk.names.is_binding = is_binding
        return number

    def read_drawn(self, walk: Walk, node: ts.Node) -> int:
        """The row of what a clause of a comprehension iterates over: the first, outside of it."""
        scope = walk.scope
        is_drawn = walk.found.scopes[scope].kind == ScopeKind.BLOCK  # or it does not parse
        if scope in self._drawn_in or not is_drawn:
            return walk.value(node)
        self._drawn_in.add(scope)
        walk.resume(walk.found.scopes[scope].parent)
        row = walk.value(node)
        walk.resume(scope)
        return row

    def names(self, number: int) -> list[str]:
        """The names that are bound by a target."""
        return [name for _, _, base, name, _ in self._targets[number] if not base]

    def bind(self, walk: Walk, met: Met) -> None:
        """A target holds a value."""
        role = met.role
        value = met.row("value") or met.row("type")
        op = _OPS[role]
        if op:
            value = walk.table.row((op, _how(met), value, ()))
            if role not in _SILENT:
                walk.operate(value, met.needed("value"))
        elif value and role == "binding.value" and self._is_unpacked(walk, met, value):
            walk.operate(walk.table.row((_ELEMENT, "", value, ())), met.needed("value"))
        kind = _DECLARED if role == "binding.declared" else _VALUE
        found = self._found[role]
        is_plain = walk.table.rows[value][0] != _FUNCTION
        for target in met.parts["target"]:
            start = met.children[target].start_byte
            for place in self._targets[met.rows[target]]:
                path, scope, base, name, line = place
                if is_plain and not path:  # nearly all
                    found.append((start, Binding(kind, scope, base, name, value, line)))
                    if not base and walk.has_flow:
                        walk.reaching.bind(scope, name, row=value, role=role, line=line)
                else:
                    self._note(role, start, walk, place, value=value, kind=kind)

    def _note(
        self, role: str, start: int, walk: Walk, place: Place, *, value: int, kind: BindingKind
    ) -> None:
        path, scope, base, name, line = place
        part = value
        for step in path if value else ():
            if step[:1] == _DEFAULT:
                part = int(step[1:])
                continue
            is_member = step[:1] == _MEMBER
            row = (_ATTRIBUTE, step[1:], part, ()) if is_member else (_ITEM, step, part, ())
            part = walk.table.row(row)
        op, _, number, _ = walk.table.rows[part]
        if op == _FUNCTION and not base and walk.found.bound.get(number) == (scope, name):
            return  # the definition says so already
        self._found[role].append((start, Binding(kind, scope, base, name, part, line)))
        if not base and walk.has_flow:
            walk.reaching.bind(scope, name, row=part, role=role, line=line)

    def unpack(self, walk: Walk, node: ts.Node, *, value: int) -> None:
        """The names in a target hold parts of a value."""
        places: list[Place] = []
        _read(walk, node, (), places)
        for place in places:
            self._note("binding.value", node.start_byte, walk, place, value=value, kind=_VALUE)

    def share(self, walk: Walk, met: Met) -> None:
        """The member of a name holds what the variable of that name does."""
        name, line = walk.text(met.node), met.node.start_point[0] + 1
        value = walk.spell(met.node, AS_VALUE)
        walk.names.bind(walk.scope, name)
        row = Binding(_VALUE, walk.scope, 0, name, value, line)
        self._found["binding.value"].append((met.node.start_byte, row))

    def give_out(self, walk: Walk, node: ts.Node, *, value: int) -> None:
        """A value that has no name is what the file gives out by default."""
        walk.names.bind(walk.scope, DEFAULT)
        row = Binding(_VALUE, walk.scope, 0, DEFAULT, value, node.start_point[0] + 1)
        self._found["binding.value"].append((node.start_byte, row))

    def hoist(self, walk: Walk, met: Met) -> None:
        """The targets, names or what begins with one, live in the function around all blocks."""
        names = walk.grammar.nodes.names
        for place in met.parts["target"]:
            target = met.children[place]
            if target.kind_id not in names:
                target = target.named_children[0]
            if target.kind_id in names:
                walk.names.hoist(walk.scope, walk.text(target))

    def _is_unpacked(self, walk: Walk, met: Met, value: int) -> bool:
        """Tell whether the elements of a value are bound, and not the parts of an inline one."""
        if walk.table.rows[value][0] == _COLLECTION:
            return False
        for part in met.parts["target"]:
            for place in self._targets[met.rows[part]]:
                path = place[0]
                if path and _VARIANT not in path[0] and path[0][:1] != _DEFAULT:
                    return True
        return False

    def delete(self, walk: Walk, met: Met) -> None:
        """The targets, which are names, hold nothing from here on."""
        for place in met.parts["target"]:
            target = met.children[place]
            name, line = walk.text(target), target.start_point[0] + 1
            if not walk.flags:
                walk.names.delete(walk.scope, name)
            row = Binding(_DELETED, walk.scope, 0, name, 0, line)
            self._found["binding.deleted"].append((target.start_byte, row))

    def send(self, walk: Walk, met: Met) -> None:
        """A value is put into the target, at no place that is told."""
        place = walk.table.row((_INDEX, "", met.row("target"), ()))
        line = met.node.start_point[0] + 1
        row = Binding(_VALUE, walk.scope, place, "", met.row("value"), line)
        self._found["binding.sent"].append((met.node.start_byte, row))

    def apply(self, walk: Walk, met: Met) -> None:
        """Something is done with a value that may run a method of it, such as testing it."""
        value = met.row("value")
        walk.operate(walk.table.row((_OPERATOR, met.subkind, 0, (value,))), met.needed("value"))

    def change(self, walk: Walk, met: Met) -> None:
        """A target is set to what an operator makes of what it held."""
        node = met.needed("changed")
        held = walk.again(node)
        if walk.table.rows[held][0] == _INDEX:
            walk.operate(held, node)
        operator = walk.text(met.needed("operator"))
        walk.operate(walk.table.row((_OPERATOR, operator, 0, (held, met.row("right")))), node)

    def enter(self, walk: Walk, met: Met) -> None:
        """A context manager is entered whose value is bound to nothing."""
        row = walk.table.row((_OPS["binding.entered"], _how(met), met.row("value"), ()))
        walk.operate(row, met.needed("value"))

    def take_out(self, walk: Walk, node: ts.Node) -> int:
        """The row of an element or an attribute that is deleted."""
        row = walk.value(node, how=AS_CHANGED)
        walk.operate(walk.table.row((_STORED, "del", row, ())), node)
        return row

    def narrow(self, walk: Walk, met: Met) -> None:
        """In a region further in, the target is of a type that holds there alone."""
        name, node = walk.text(met.needed("target")), met.needed("type")

        def bind() -> None:
            line = node.start_point[0] + 1
            walk.names.bind(walk.scope, name)
            row = Binding(
                _DECLARED, walk.scope, 0, name, walk.roles.readers[TYPE](walk, node), line
            )
            self._found["binding.narrowed"].append((node.start_byte, row))

        walk.on_entry.setdefault(met.needed("region").id, []).append(bind)

    def match(self, walk: Walk, met: Met) -> None:
        """A target holds parts of a value; where none is said, of what is matched around it."""
        value = met.row("value") if "value" in met.parts else _subject(walk, met.node)
        for part in met.parts["target"]:
            target = met.children[part]
            for place in self._targets[met.rows[part]]:
                self._note(met.role, target.start_byte, walk, place, value=value, kind=_VALUE)

    def place(self, walk: Walk, met: Met) -> None:
        """The class here has a variant, whose members are known by their places in it."""
        name, parameters = walk.text(met.needed("target")), walk.grammar.parameters
        types = met.needed("types").named_children
        placed = [node for node in types if parameters.look(node)[0].role == PLACED]
        for place, node in enumerate(placed):
            member, line = f"{name}{_VARIANT}{place}", node.start_point[0] + 1
            walk.names.bind(walk.scope, member)
            row = Binding(
                _DECLARED, walk.scope, 0, member, walk.roles.readers[TYPE](walk, node), line
            )
            self._found["binding.declared"].append((node.start_byte, row))

    def declare(self, walk: Walk, met: Met) -> None:
        """The targets, which are names, live in a scope further out."""
        is_global = met.role == "binding.global"
        declare = walk.names.declare_global if is_global else walk.names.declare_nonlocal
        for place in met.parts["target"]:
            declare(walk.scope, walk.text(met.children[place]))

    def rows(self, names: NameScopes) -> list[Binding]:
        """All of them, once all names are known; data that is never looked at is left out."""
        rows = []
        for role in _OPS:
            for _, row in sorted(self._found.get(role, ()), key=itemgetter(0)):
                if row.base:
                    rows.append(row)
                    continue
                home = names.place(row.scope, row.name)
                if role == "binding.assigned" and not names.is_bound(home, row.name):
                    continue  # a variable of another file
                if role == "binding.deleted" and not names.is_deleted(home, row.name):
                    continue
                if row.value or not names.is_data(home, row.name):
                    rows.append(row if home == row.scope else row._replace(scope=home))
        return rows


def _how(met: Met) -> str:
    """`async` where a value is iterated over or entered asynchronously; which part is asked for."""
    if met.role == "binding.key":
        return KEY
    if met.role in _ENTERING:
        return ASYNC if _is_asynchronous(met.node) else ""
    return ASYNC if "async" in met.parts else ""


def _is_asynchronous(node: ts.Node) -> bool:
    """Tell whether the `with` or `for` around a node, at most two up, begins with `async`."""
    around = node.parent
    for _ in range(2):
        first = None if around is None else around.child(0)
        if around is None or first is None:
            return False
        if first.type == ASYNC:
            return True
        around = around.parent
    return False


def _subject(walk: Walk, node: ts.Node) -> int:
    """The row of the field `value` of the nearest node around one that has it, read outside."""
    around = node.parent
    while around is not None:
        value = around.child_by_field_name("value")
        if value is not None and value.end_byte <= node.start_byte:
            scope = walk.scope
            walk.resume(max(walk.found.scopes[scope].parent, 0))
            row = walk.again(value)
            walk.resume(scope)
            return row
        around = around.parent
    return 0


def _read_matched(walk: Walk, node: ts.Node, places: list[Place]) -> None:
    """Note what is bound in a pattern, or in each of several."""
    is_name = node.kind_id in walk.grammar.nodes.names
    if not walk.grammar.manifest.has_constant_patterns:
        _read(walk, node, (), places)
    elif is_name and walk.text(node)[:1].isupper():
        walk.value(node)
    elif not is_name and walk.grammar.targets.look(node)[0].role == "target.members":
        for part in node.named_children:
            _read_matched(walk, part, places)
    else:
        _read(walk, node, (), places)


def _read(walk: Walk, node: ts.Node, path: tuple[str, ...], places: list[Place]) -> None:
    """Note what is bound in a target, and walk what is in it."""
    line = node.start_point[0] + 1
    if node.kind_id in walk.grammar.nodes.names or not node.is_named:  # a token spells a name
        name = walk.text(node)
        if name == walk.grammar.manifest.blank:
            return
        if path and walk.grammar.manifest.has_constant_patterns and name[:1].isupper():
            walk.value(node)
            return
        walk.names.bind(walk.scope, name)
        places.append((path, walk.scope, 0, name, line))
        return
    shape, children = walk.grammar.targets.look(node)
    if len(path) >= DEPTH:
        walk.visit(node)
    elif shape.role == "target.member":
        key = node if "key" not in shape.parts else children[shape.parts["key"][0]]
        _walk_key(walk, key)
        step = f"{_MEMBER}{walk.text(key)}"
        if "name" in shape.parts:
            _read(walk, children[shape.parts["name"][0]], (*path, step), places)
        else:
            walk.names.bind(walk.scope, walk.text(node))
            places.append(((*path, step), walk.scope, 0, walk.text(node), line))
    elif shape.role == "target.key":
        _walk_key(walk, node)
        walk.names.bind(walk.scope, plain_name(walk.text(node)))
        places.append((path, walk.scope, 0, plain_name(walk.text(node)), line))
    elif shape.role == "target.members":
        for part in node.named_children:
            _read(walk, part, path, places)
    elif shape.role == "target.same":
        named = children[shape.parts["name"][0]]
        _read(walk, named, path, places)
        if "value" in shape.parts:
            row = walk.value(children[shape.parts["value"][0]])
            default = *path, f"{_DEFAULT}{row}"
            if row and walk.grammar.targets.look(named)[0].role == "target.member":
                places.append((default, walk.scope, 0, walk.text(named), line))
            elif row:
                _read(walk, named, default, places)
    elif shape.role == "target.variant":
        _read_variant(walk, node, shape, children, path=path, places=places)
    elif shape.role == "target.compared":
        walk.value(node)
    elif shape.role == "target.rest" and "name" in shape.parts:
        _read(walk, children[shape.parts["name"][0]], path, places)
    elif shape.role == "target.sequence":
        for place, part in _parted(walk, _with_holes(node.children)):
            _read(walk, part, (*path, place), places)
    else:
        row = walk.value(node, how=AS_CHANGED)
        op, text, base, _ = walk.table.rows[row]
        if op == _ATTRIBUTE:
            walk.operate(walk.table.row((_STORED, "=", row, ())), node)
            places.append((path, walk.scope, base, text, line))
        elif op == _INDEX:
            walk.operate(walk.table.row((_STORED, "=", row, ())), node)
            places.append((path, walk.scope, row, "", line))


def _walk_key(walk: Walk, node: ts.Node) -> None:
    """Walk the value that the key of a member is computed by, if it is."""
    if not node.named_child_count:
        return
    shape, children = walk.grammar.targets.look(node)
    if shape.role == "target.key" and "value" in shape.parts:
        walk.value(children[shape.parts["value"][0]])


def _read_variant(
    walk: Walk,
    node: ts.Node,
    shape: Shape,
    children: Sequence[ts.Node],
    *,
    path: tuple[str, ...],
    places: list[Place],
) -> None:
    """The same of a pattern that says by name what is taken apart."""
    kind = children[shape.parts["type"][0]]
    variant = last_name(walk.text(kind)) + _VARIANT
    walk.value(kind)
    parts = [part for part in node.named_children if part.id != kind.id]
    for place, part in _parted(walk, parts):
        inner, parted = walk.grammar.targets.look(part)
        if inner.role == "target.member":
            key = parted[inner.parts["key"][0]] if "key" in inner.parts else part
            named = parted[inner.parts["name"][0]] if "name" in inner.parts else key
            _read(walk, named, (*path, variant + walk.text(key)), places)
        else:
            _read(walk, part, (*path, variant + place), places)


def _parted(walk: Walk, parts: Sequence[ts.Node | None]) -> list[tuple[str, ts.Node]]:
    """The parts of a sequence, and what of the value each takes: see `Op.ITEM`."""
    roles = ["" if one is None else walk.grammar.targets.look(one)[0].role for one in parts]
    rest = roles.index("target.rest") if "target.rest" in roles else len(parts)
    return [
        (str(place) if place < rest else "*" if place == rest else str(place - len(parts)), part)
        for place, part in enumerate(parts)
        if part is not None
    ]


def _with_holes(children: Sequence[ts.Node]) -> list[ts.Node | None]:
    """The parts among the children of a sequence; None where nothing stands before a comma."""
    parts: list[ts.Node | None] = []
    is_taken = False  # whether there is a part since the comma before
    for child in children:
        if child.is_named:
            parts.append(child)
            is_taken = True
        elif child.type == ",":
            if not is_taken:
                parts.append(None)
            is_taken = False
    return parts
