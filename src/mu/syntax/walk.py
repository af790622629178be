"""One walk over the tree of a file, which knows at each node where it stands.

A node is *visited* for what is in it, or asked for its *value*, which is built bottom-up as a row.
Its shape tells what to do with its children and which roles to act on; what the roles come to is in
the modules of definitions, bindings and imports.

Names and chains of attributes are read off their text. A chain such as `a.b().c()` is followed down
its left side in a loop, so its length is no matter for the stack. What is nested deeper as a value
than `DEPTH` is opaque, and what is nested deeper than `LEVELS` is visited when all else is done.
This is the hottest code of a build: three million nodes for django.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import tree_sitter as ts

from mu.model.facts import Flag, Op, Reference, ReferenceKind, Scope, ScopeKind
from mu.syntax.expressions import LONGEST_STRING, REST, ExpressionTable
from mu.syntax.grammar import Grammar
from mu.syntax.meeting import Met, Rows
from mu.syntax.names import Inside, NameScopes
from mu.syntax.recognition import SPELLED, STRING, kind_of
from mu.syntax.shapes import Act, Shape, Uses
from mu.syntax.vocabulary import AGAIN, CONDITIONAL, TYPE_ONLY, VALUE, VISIT

DEPTH = 60
LEVELS = 60
LONGEST_NAME = 200  # in bytes, all of a chain; longer ones are followed node by node

# Plain numbers: reading a member of an enumeration takes ten times as long.
_ATTRIBUTE, _CALL, _INDEX, _SPREAD = map(int, (Op.ATTRIBUTE, Op.CALL, Op.INDEX, Op.SPREAD))
_COLLECTION, _FUNCTION, _CALLABLE = map(int, (Op.COLLECTION, Op.FUNCTION, Op.CALLABLE))
_OPERATOR, _STORED, _ELEMENT = map(int, (Op.OPERATOR, Op.STORED, Op.ELEMENT))
_BUILT = (_CALL, _INDEX)
_DATA = frozenset(map(int, (Op.OPAQUE, Op.LITERAL, Op.STRING, Op.COLLECTION, Op.BEGINNING)))
_IS_CALLED = int(ReferenceKind.CALL)
_REGIONS = {CONDITIONAL: int(Flag.CONDITIONAL), TYPE_ONLY: int(Flag.TYPE_ONLY)}

AS_VALUE, AS_CALLED, AS_CHANGED = 0, 1, 2
"""How a value is used: what is called, set or deleted is no value itself, but what it is of is."""


@dataclass(frozen=True, slots=True)
class Roles:
    """What to do about uses of children, roles and definitions; the walk knows only values.

    A reader makes a number of a child, `define` one of a definition.
    """

    readers: Mapping[int, Callable[["Walk", ts.Node], int]]
    handlers: Mapping[str, Callable[["Walk", Met], None]]
    define: Callable[["Walk", Met], int]


class Walk:
    """The walk over one file, and all that it gathers."""

    def __init__(self, source: bytes, grammar: Grammar, *, names: NameScopes, roles: Roles) -> None:
        self.source = source
        self.grammar = grammar
        self.names = names
        self.roles = roles
        nodes, manifest = grammar.nodes, grammar.manifest
        self.table = ExpressionTable(manifest, nodes.literals)
        self._spelled = self.table.spelled
        self._ways, self._alike, self._shape_of = nodes.ways, nodes.alike, nodes.shape_of
        self._kept, self._holders = nodes.kept, nodes.holders
        self._leaves, self._skipped = nodes.leaves, nodes.skipped
        self._dormant = nodes.dormant(source)
        self._interpolation = manifest.interpolation.encode()
        self.scope = -1
        self.flags = 0
        self.is_typed = False  # in an annotation: names are no values
        self.is_cut = False
        self._is_again = False  # in what has been walked, or in a string: nothing is noted
        self._depth = self._level = 0
        self.opened = -1  # the node, by its id, whose scope is open: it is no block of its own
        self._later: list[tuple[ts.Node, int, int, bool]] = []
        self.scopes: list[Scope] = []
        self.owners: list[int] = []  # the definition that each scope runs for; -1: the file
        self.named_owners: list[int] = []  # the same, functions without a name passed over
        self.calls: list[Reference] = []
        self.bound: dict[int, tuple[int, str]] = {}  # by definition, the name it is bound to
        # By scope, rows and the lines where they are first a value, and where they are called.
        self.named: list[tuple[dict[int, int], dict[int, int]]] = []
        self.operations: dict[tuple[int, int], int] = {}  # (owner, row) -> line
        self.branches: Counter[int] = Counter()  # by owner
        self.on_entry: dict[int, list[Callable[[], None]]] = {}  # by the block that is entered
        names.scopes = self.scopes

    def file(self, root: ts.Node) -> None:
        """Walk the tree of a file."""
        self.enter(root, ScopeKind.MODULE)
        self.visit(root)
        while self._later:
            node, scope, self.flags, self.is_typed = self._later.pop()
            self.resume(scope)
            self.visit(node)
        self.is_typed = False
        self.resume(0)

    def text(self, node: ts.Node) -> str:
        """The text of a node."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    @property
    def owner(self) -> int:
        """The definition on whose behalf the code here runs, or -1 for the file's own."""
        return self.owners[self.scope]

    @property
    def named_owner(self) -> int:
        """The same, but a function without a name counts as part of what is around it."""
        return self.named_owners[self.scope]

    def enter(
        self,
        node: ts.Node,
        kind: ScopeKind,
        *,
        definition: int = -1,
        is_named: bool = False,
        how: Inside = Inside.PLAIN,
    ) -> int:
        """Open the scope of `node` inside the present one, the body of a definition or not."""
        lines = node.start_point[0] + 1, node.end_point[0] + 1
        owner = self.owners[self.scope] if self.scopes else -1
        named = self.named_owners[self.scope] if self.scopes else -1
        self.owners.append(owner if kind == ScopeKind.BLOCK else definition)
        self.named_owners.append(definition if is_named else named)
        self.scopes.append(Scope(kind, self.scope, definition, *lines))
        self.named.append(({}, {}))
        self.names.open(len(self.scopes) - 1, how)
        self.resume(len(self.scopes) - 1)
        return self.scope

    def resume(self, scope: int, homes: dict[str, int] | None = None) -> None:
        """Go on in a scope that is there; `homes` tells of names that live elsewhere for now."""
        self.scope = scope
        self._named, self._called = self.named[scope]
        self._homes = self.names.homes[scope] if homes is None else homes

    def visit(self, node: ts.Node) -> None:
        """Find what is in a node whose value is of no interest."""
        way = self._ways[node.kind_id]
        if way > 0 or way == STRING:
            self._visit_plain(node, way)
            return
        if self._level >= LEVELS:
            self._later.append((node, self.scope, self.flags, self.is_typed))
            return
        shape = self._alike[node.kind_id]
        if shape is None:
            children: Sequence[ts.Node] = node.children
            shape = self._kept.get((node.kind_id, *map(kind_of, children)))
            if shape is None:
                shape = self._shape_of(node, children)
            if shape.asks and not shape.asks <= self._dormant:
                shape, children = self.grammar.nodes.ask(node, shape, dormant=self._dormant)
        else:
            children = node.named_children
        depth, self._depth = self._depth, 0
        self._level += 1
        if shape.op in _BUILT or shape.is_used:
            self.value(node)
        elif shape.is_plain:
            self._use_all(children, shape, uses=shape.visited, rows={})
        else:
            self._act(node, children, shape, uses=shape.visited, rows={})
        self._level -= 1
        self._depth = depth

    def name(self, node: ts.Node) -> int:
        """The row of a name that is written otherwise than names are."""
        return self._spell(node, AS_VALUE)

    def value(self, node: ts.Node, *, how: int = AS_VALUE) -> int:
        """The row of the value that `node` gives; `how` it is used decides on what is noted."""
        way = self._ways[node.kind_id]
        if not way:
            return self._chain(node, how)
        if way == SPELLED:
            return self._spell(node, how) or self._chain(node, how)
        return self._plain_value(node, way)

    def values(self, nodes: Iterable[ts.Node]) -> tuple[int, ...]:
        """The rows of several; `value`, spelled out for what is there most."""
        found = []
        ways = self._ways
        for node in nodes:
            kind = node.kind_id
            way = ways[kind]
            if way == SPELLED:
                found.append(self._spell(node, AS_VALUE) or self._chain(node, AS_VALUE))
            elif way:
                found.append(self._plain_value(node, way))
            elif kind not in self._skipped:
                found.append(self._chain(node, AS_VALUE))
        return tuple(found)

    def again(self, node: ts.Node) -> int:
        """The value of what has been walked before, or is written in a string: nothing is noted."""
        before = self._is_again, self.is_typed
        self._is_again = self.is_typed = True
        try:
            return self.value(node)
        finally:
            self._is_again, self.is_typed = before

    def quoted(self, node: ts.Node, source: bytes) -> int:
        """The value of a node of another text, which is read as if it stood here."""
        outer, self.source = self.source, source
        try:
            return self.again(node)
        finally:
            self.source = outer

    def operate(self, row: int, node: ts.Node) -> None:
        """Note that what `row` says of `node` may run a method; plain data has none of its own."""
        if self.is_typed:
            return
        rows = self.table.rows
        op, _, base, args = rows[row]
        subjects = args if op == _OPERATOR else (rows[base][2] if op == _STORED else base,)
        if any(rows[subject][0] not in _DATA for subject in subjects):
            key = (self.named_owners[self.scope], row)
            self.operations.setdefault(key, node.start_point[0] + 1)

    def _plain_value(self, node: ts.Node, way: int) -> int:
        """The row of a literal or a string, and what is in it."""
        if way > 0:
            if node.child_count:
                self._visit_plain(node, way)
            return way
        self._visit_plain(node, way)
        start, end = node.start_byte, node.end_byte
        if end - start > LONGEST_STRING:
            return self.table.literal("str")
        return self.table.string(self.source[start:end])

    def _visit_plain(self, node: ts.Node, way: int) -> None:
        """Find what is in a literal or a string."""
        if self._is_again:
            return
        start, end = node.start_byte, node.end_byte
        if way > 0 or self.source.find(self._interpolation, start, end) >= 0:
            self._visit_all(node.named_children, frozenset())

    def _spell(self, node: ts.Node, how: int) -> int:
        """The row of a name or of attributes of a name, from its text; 0: it is neither."""
        text = self.source[node.start_byte : node.end_byte]
        spelling = self._spelled.get(text)
        if spelling is None:
            if len(text) > LONGEST_NAME:
                return 0
            spelling = self.table.read(text)
        parts, rows = spelling
        if not parts:
            return 0
        home = self._homes.get(parts[0])
        if home is None:
            home = self.names.home(self.scope, parts[0])
        number = rows.get(home)
        if number is None:
            number = self.table.spell(spelling, home)
        if not self.is_typed:
            noted = self._called if how else self._named
            if number not in noted:
                noted[number] = node.start_point[0] + 1
        return number

    def _chain(self, node: ts.Node, how: int) -> int:
        """Follow attributes, calls and the like down to what they start from, then back up."""
        if self._depth >= DEPTH:
            return self._cut(node)
        self._depth += 1
        self._level += 1
        steps = []
        alike, ways = self._alike, self._ways
        while True:
            shape = alike[node.kind_id]
            if shape is None:
                children: Sequence[ts.Node] = node.children
                shape = self._kept.get((node.kind_id, *map(kind_of, children)))
                if shape is None:
                    shape = self._shape_of(node, children)
                if shape.asks and not shape.asks <= self._dormant:
                    shape, children = self.grammar.nodes.ask(node, shape, dormant=self._dormant)
            else:
                children = node.named_children
            if shape.base < 0:
                number = self._leaf(node, children, shape)
                break
            op = shape.op
            if op == _CALL and self.is_typed and not self._is_again:
                number = self._call_in_type(node)
                break
            steps.append((node, children, shape, how))
            how = AS_CALLED if op == _CALL and shape.member < 0 else AS_VALUE
            node = children[shape.base]
            way = ways[node.kind_id]
            if way:
                number = self._spell(node, how) if way == SPELLED else self._plain_value(node, way)
                if number:
                    break
        while steps:
            node, children, shape, how = steps.pop()
            if shape.is_plain_call and not self._is_again:
                line = children[shape.base].end_point[0] + 1
                if shape.member >= 0:
                    number, line = self._member(children[shape.member], number)
                args = self.values(children[shape.holder].named_children)
                number = self.table.row((_CALL, "", number, args))
                self.calls.append((_IS_CALLED, number, self.named_owners[self.scope], line))
            else:
                rows = self._act(
                    node, children, shape, uses=shape.valued, rows={shape.base: number}
                )
                if shape.op:
                    number = self._step(node, children, shape, rows)
                if shape.op == _ATTRIBUTE and not how and not self.is_typed:
                    self._named.setdefault(number, node.end_point[0] + 1)
                elif shape.op == _INDEX and how != AS_CHANGED:
                    self.operate(number, node)
        self._depth -= 1
        self._level -= 1
        return number

    def _cut(self, node: ts.Node) -> int:
        """Too deep for a value: what is in it is found when all else is done."""
        self.is_cut = True
        if not self._is_again:
            self._later.append((node, self.scope, self.flags, self.is_typed))
        return 0

    def _call_in_type(self, node: ts.Node) -> int:
        """A call is one wherever it stands, and its arguments are values."""
        self.is_typed = False
        number = self.value(node)
        self.is_typed = True
        return number

    def _step(self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, rows: Rows) -> int:
        """The row of one step of a chain."""
        op, base, text = shape.op, children[shape.base], ""
        number, line = rows[shape.base], base.end_point[0] + 1
        if shape.member >= 0:
            number, line = self._member(children[shape.member], number)
        if op == _ATTRIBUTE:
            text = self.text(children[shape.parts["name"][0]])
        elif op == _SPREAD:
            marker = self.source[node.start_byte : base.start_byte]
            text = marker.decode("utf-8", "replace").strip()
            if text == REST:
                self.operate(self.table.row((_ELEMENT, "", number, ())), node)
        if shape.holder >= 0:
            args = self.values(children[shape.holder].named_children)
        else:
            args = tuple([rows[place] for place in shape.arguments])
        number = self.table.row((op, text, number, args))
        if op == _CALL and not self._is_again:
            self.calls.append((_IS_CALLED, number, self.named_owners[self.scope], line))
        return number

    def _member(self, name: ts.Node, base: int) -> tuple[int, int]:
        row = self.table.row((_ATTRIBUTE, self.text(name), base, ()))
        return row, name.end_point[0] + 1

    def _leaf(self, node: ts.Node, children: Sequence[ts.Node], shape: Shape) -> int:
        """The row of what is no chain."""
        if shape.whole is not None:
            if self._is_again:
                return 0
            number = self._define(node, children, shape.whole)
            return self.table.row((_FUNCTION, "", number, ()))
        if shape.role == "expression.callable":
            return self._callable(children, shape)
        if shape.op == _COLLECTION:
            args = self.values(children if shape.is_alike else node.named_children)
            return self.table.row((_COLLECTION, shape.type, 0, args))
        if not shape.role:
            depth, self._depth = self._depth, 0
            self._act(node, children, shape, uses=shape.visited, rows={})
            self._depth = depth
            return 0
        if shape.is_plain and not shape.is_alike:
            rows = self._use(children, shape.valued, {})
        else:
            rows = self._act(node, children, shape, uses=shape.valued, rows={})
        number = self.table.make(shape, rows, children=children, source=self.source)
        if shape.role == "expression.operator":
            self.operate(number, node)
        return number

    def _callable(self, children: Sequence[ts.Node], shape: Shape) -> int:
        """The row of the type of a function; of its parameters, only the types matter."""
        args, own = [], self.grammar.manifest.own_names
        for holder in shape.parts.get("parameters", ()):
            for node in children[holder].named_children:
                found, inner = self.grammar.parameters.look(node)
                places, names = found.parts.get("type"), found.parts.get("name", ())
                is_own = any(self.text(inner[one]) in own for one in names)
                if found.role == "parameter" and not is_own:
                    row = self.value(inner[places[0]]) if places else 0
                    args += [row] * max(1, len(names))
        given = self.value(children[shape.parts["returns"][0]])
        return self.table.row((_CALLABLE, "", given, tuple(args)))

    def _visit_all(self, children: Iterable[ts.Node], wanted: Container[int]) -> None:
        """Find what is in children of which no more than their kind matters."""
        leaves, holders = self._leaves, self._holders
        for child in children:
            kind = child.kind_id
            if kind in wanted:
                self.value(child)
            elif kind in leaves:
                continue
            elif kind in holders and self._level < LEVELS:
                self._level += 1
                self._visit_all(child.named_children, holders[kind])
                self._level -= 1
            else:
                self.visit(child)

    def _use(self, children: Sequence[ts.Node], uses: Uses, rows: Rows) -> Rows:
        """Do with each child what is to be done; what comes of it is added to `rows`."""
        for place, use in uses:
            child = children[place]
            if use == VALUE:
                rows[place] = self.value(child)
            elif self._is_again:
                continue
            elif use == VISIT:
                self.visit(child)
            elif use in _REGIONS:
                flags, self.flags = self.flags, self.flags | _REGIONS[use]
                self.visit(child)
                self.flags = flags
            elif use == VALUE | AGAIN:
                rows[place] = self.again(child)
            else:
                rows[place] = self.roles.readers[use & ~AGAIN](self, child)
        return rows

    def _act(
        self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, *, uses: Uses, rows: Rows
    ) -> Rows:
        """Use the children of a node, and do what its roles ask for; `rows` has what is known."""
        if shape.is_plain or self._is_again:
            self._use_all(children, shape, uses=uses, rows=rows)
            return rows
        if shape.branches:
            self.branches[self.owners[self.scope]] += shape.branches
        if shape.whole is not None:
            self._define(node, children, shape.whole)
            return rows
        handlers = self.roles.handlers
        for act in shape.before:
            name = act.role.name
            handlers[name](self, Met(name, act.parts, node, children, rows))
        if shape.is_inside:
            self._use_inside(node, children, shape, uses=uses, rows=rows)
        else:
            self._use_all(children, shape, uses=uses, rows=rows)
        for act in shape.after:
            name = act.role.name
            handlers[name](self, Met(name, act.parts, node, children, rows, act.role.type))
        return rows

    def _define(self, node: ts.Node, children: Sequence[ts.Node], whole: Act) -> int:
        role = whole.role
        return self.roles.define(self, Met(role.name, whole.parts, node, children, {}, role.type))

    def _use_all(
        self, children: Sequence[ts.Node], shape: Shape, *, uses: Uses, rows: Rows
    ) -> None:
        if not shape.is_alike:
            self._use(children, uses, rows)
        elif not self._is_again:
            self._visit_all(children, shape.wanted)

    def _use_inside(
        self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, *, uses: Uses, rows: Rows
    ) -> None:
        """The same for a node that is a scope or a region of its own."""
        scope, flags, is_typed = self.scope, self.flags, self.is_typed
        self.flags |= shape.flags
        self.is_typed |= shape.is_type
        is_block = shape.is_block and node.id != self.opened
        if is_block:
            self.enter(node, ScopeKind.BLOCK)
            for bind in self.on_entry.pop(node.id, ()) if self.on_entry else ():
                bind()
        self._use_all(children, shape, uses=uses, rows=rows)
        self.flags, self.is_typed = flags, is_typed
        if is_block:
            self.resume(scope)
