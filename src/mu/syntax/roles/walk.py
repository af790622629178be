"""One walk over the tree of a file, which knows at each node where it stands.

A node is *visited* for what is in it, or asked for its *value*, which is built bottom-up as a row.
Its shape tells what to do with its children and which roles to act on, which other modules do.

Names and chains of attributes are read off their text. A chain such as `a.b().c()` is followed down
its left side in a loop, so its length is no matter for the stack. What is nested deeper as a value
than `DEPTH` is opaque, and what is nested deeper than `LEVELS` is visited when all else is done.
This is the hottest code of a build: three million nodes for django.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import tree_sitter as ts

from mu.model.facts import Flag, Op, ScopeKind
from mu.syntax.grammars.grammar import Grammar
from mu.syntax.matching.deeper import kind_of
from mu.syntax.matching.recognition import GO_IN, NOTHING, SPELLED, STRING, TYPE_NAME, USE
from mu.syntax.matching.shapes import Act, Shape, Uses
from mu.syntax.matching.vocabulary import AGAIN, CONDITIONAL, TYPE_ONLY, VALUE, VISIT
from mu.syntax.roles.meeting import Met, Roles, Rows
from mu.syntax.tables.expressions import LONGEST_STRING, REST, ExpressionTable, written_place
from mu.syntax.tables.gathered import Gathered, note
from mu.syntax.tables.names import Inside, NameScopes
from mu.syntax.tables.reaching import Reaching

DEPTH, LEVELS = 60, 60
LONGEST_NAME = 200  # in bytes, all of a chain; longer ones are followed node by node

# Plain numbers: reading a member of an enumeration takes ten times as long.
_ATTRIBUTE, _CALL, _INDEX, _SPREAD = map(int, (Op.ATTRIBUTE, Op.CALL, Op.INDEX, Op.SPREAD))
_COLLECTION, _FUNCTION, _ELEMENT = int(Op.COLLECTION), int(Op.FUNCTION), int(Op.ELEMENT)
_REGIONS = {CONDITIONAL: int(Flag.CONDITIONAL), TYPE_ONLY: int(Flag.TYPE_ONLY)}

AS_VALUE, AS_CALLED, AS_CHANGED = 0, 1, 2
"""How a value is used: what is called, set or deleted is no value itself, but what it is of is."""


class Walk:
    """The walk over one file; what it gathers is in `found`, values are in `table`.

    It has at most thirty attributes: of more, CPython would look up all more slowly.
    """

    def __init__(
        self, source: bytes, grammar: Grammar, *, names: NameScopes, roles: "Roles[Walk]"
    ) -> None:
        self.source = source
        self.grammar = grammar
        self.names = names
        self.roles = roles
        self.found = Gathered()
        nodes, manifest = grammar.nodes, grammar.manifest
        self.table = ExpressionTable(manifest, nodes.literals)
        self._row = self.table.row
        self._ways, self._alike, self._kept = nodes.ways, nodes.alike, nodes.kept
        self._inner = nodes.inner
        self._dormant = nodes.dormant(source)
        self._interpolation = manifest.interpolation.encode()
        self.scope, self.flags = -1, 0
        self.is_typed = False  # in an annotation: names are no values
        self.is_cut = False
        self._is_again = False  # in what has been walked, or in a string: nothing is noted
        self._level = self._floor = 0  # how many nodes it is in, and where its value begins
        self.opened = -1  # the node, by its id, whose scope is open: it is no block of its own
        self._later: list[tuple[ts.Node, int, int, bool, frozenset[str]]] = []
        self.on_entry: dict[int, list[Callable[[], None]]] = {}  # by the block that is entered
        self.reaching = Reaching(names, self.table)
        self.has_flow = bool(grammar.flow.ends) and manifest.has_versions
        names.scopes, names.here = self.found.scopes, self.found.here
        names.texts, names.rehome = self.table.texts, self.table.rehome

    def file(self, root: ts.Node) -> None:
        """Walk the tree of a file."""
        self.enter(root, ScopeKind.MODULE)
        self.visit(root)
        if self._later:
            self.reaching.finish()
        while self._later:
            node, scope, self.flags, self.is_typed, self.found.generic = self._later.pop()
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
        return self.found.owners[self.scope]

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
        scope = self.found.open(
            node, kind, parent=self.scope, definition=definition, is_named=is_named
        )
        self.names.open(scope, how)
        self.resume(scope)
        return scope

    def resume(self, scope: int, homes: dict[str, int] | None = None) -> None:
        """Go on in a scope that is there; `homes` tells of names that live elsewhere for now."""
        self.scope = scope
        self._named, self._called = self.found.named[scope]
        if homes is None:
            self._homes, self._here = self.names.homes[scope], self.found.here[scope]
        else:
            self._homes, self._here = homes, {}

    def visit(self, node: ts.Node) -> None:
        """Find what is in a node whose value is of no interest."""
        kind = node.kind_id
        way = self._ways[kind]
        if way > 0 or way == STRING:
            self._visit_plain(node, way)
            return
        level, floor = self._level, self._floor
        if level >= LEVELS:
            self._later.append((node, self.scope, self.flags, self.is_typed, self.found.generic))
            return
        self._level = self._floor = level + 1
        shape = self._alike[kind]
        if shape is None:  # spelled out as in `_chain`: a call would cost more than the look-up
            children: Sequence[ts.Node] = node.children
            shape = self._kept.get((kind, *map(kind_of, children)))
            if shape is None or shape.asks:
                shape, children = self._ask(node, shape, children)
        else:
            children = node.named_children
            if shape.opens and not shape.opens.isdisjoint(map(kind_of, children)):
                shape = self.grammar.nodes.blocks[kind]
        if shape.is_value:
            self.value(node)
        elif not shape.is_plain:
            self._act(node, children, shape, uses=shape.visited, rows={})
        elif shape.is_alike:
            self._visit_all(children, self._inner[kind])
        else:
            self.use(children, shape.visited, rows={})
        self._level, self._floor = level, floor

    def value(self, node: ts.Node, *, how: int = AS_VALUE) -> int:
        """The row of the value that `node` gives; `how` it is used decides on what is noted."""
        way = self._ways[node.kind_id]
        if not way:
            return self._chain(node, how)
        if way == SPELLED:
            return self.spell(node, how) or self._chain(node, how)
        return self._plain_value(node, way)

    def values(self, nodes: Iterable[ts.Node]) -> tuple[int, ...]:
        """The rows of several; `value`, spelled out for what is there most."""
        found = []
        ways, skipped = self._ways, self.grammar.nodes.skipped
        for node in nodes:
            kind = node.kind_id
            way = ways[kind]
            if way == SPELLED:
                found.append(self.spell(node, AS_VALUE) or self._chain(node, AS_VALUE))
            elif way:
                found.append(self._plain_value(node, way))
            elif kind not in skipped:
                found.append(self._chain(node, AS_VALUE))
        return tuple(found)

    def again(self, node: ts.Node) -> int:
        """The value of what has been walked before, or is written in a string: nothing is noted."""
        before = self._is_again, self.is_typed
        self._is_again = self.is_typed = True
        number = self.value(node)
        self._is_again, self.is_typed = before
        return number

    def operate(self, row: int, node: ts.Node) -> None:
        """Note that what `row` says of `node` may run a method."""
        if not self.is_typed:
            self.found.operate(row, node, scope=self.scope, rows=self.table.rows)

    def _plain_value(self, node: ts.Node, way: int) -> int:
        """The row of a literal, a string and what is in it, or the name of a type."""
        if way == TYPE_NAME:
            outer, self.is_typed = self.is_typed, True
            number = self.spell(node, AS_VALUE) or self._chain(node, AS_VALUE)
            self.is_typed = outer
            return number
        self._visit_plain(node, way)
        if way > 0:
            return way
        text = self.source[node.start_byte : node.end_byte]
        number = (
            self.table.string(text) if len(text) <= LONGEST_STRING else self.table.literal("str")
        )
        if self.is_typed and not self._is_again:
            self.found.quoted.append((number, node.start_point[0] + 1))
        return number

    def _visit_plain(self, node: ts.Node, way: int) -> None:
        """Find what is in a literal or a string."""
        if self._is_again or (way > 0 and not node.child_count):
            return
        mark = self._interpolation
        if way > 0 or (mark and self.source.find(mark, node.start_byte, node.end_byte) >= 0):
            self._visit_all(node.named_children, self.grammar.nodes.bare)

    def spell(self, node: ts.Node, how: int) -> int:
        """The row of a name or of attributes of a name, from its text; 0: it is neither."""
        start, end = node.start_byte, node.end_byte
        if end - start > LONGEST_NAME:  # of a long chain, each step would keep all before it
            return 0
        text = self.source[start:end]
        number = self._here.get(text)
        if number is None:
            number = self._here[text] = self._spell_anew(text)
        if number:
            self._note(number, node.start_point[0] + 1, how=how)
        return number

    def _spell_anew(self, text: bytes) -> int:
        """The same for a text that has not been read in this scope."""
        spelling = self.table.spelled.get(text) or self.table.read(text)
        parts, rows = spelling
        if not parts:
            return 0
        home = self._homes.get(parts[0])
        if home is None:
            home = self.names.home(self.scope, parts[0])
        return rows.get(home) or self.table.spell(spelling, home)

    def _chain(self, node: ts.Node, how: int) -> int:
        """Follow attributes, calls and the like down to what they start from, then back up."""
        level = self._level
        if level - self._floor >= DEPTH:
            return self._cut(node)
        self._level = level + 1
        steps: list[tuple[ts.Node, Sequence[ts.Node], Shape, int]] = []
        alike, ways, kept = self._alike, self._ways, self._kept
        while True:
            kind = node.kind_id
            shape = alike[kind]
            if shape is None:
                children: Sequence[ts.Node] = node.children
                shape = kept.get((kind, *map(kind_of, children)))
                if shape is None or shape.asks:
                    shape, children = self._ask(node, shape, children)
            else:
                children = node.named_children
                if shape.opens and not shape.opens.isdisjoint(map(kind_of, children)):
                    shape = self.grammar.nodes.blocks[kind]
            if shape.base < 0:
                number = self._leaf(node, children, shape)
                break
            op = shape.op
            if op == _CALL and self.is_typed and not self._is_again:
                self.is_typed = False  # a call is one wherever it stands, its arguments values
                number = self.value(node)
                self.is_typed = True
                break
            if op == _SPREAD and steps:  # of all of the chain, though a grammar has it innermost
                steps.insert(0, (node, children, shape, AS_VALUE))
            elif op or not shape.is_idle:
                steps.append((node, children, shape, how))
            if op != _SPREAD:
                how = AS_CALLED if op == _CALL and shape.member < 0 else AS_VALUE
            node = children[shape.base]
            way = ways[node.kind_id]
            if way:
                number = self.spell(node, how) if way == SPELLED else self._plain_value(node, way)
                if number:
                    break
        while steps:
            node, children, shape, how = steps.pop()
            if shape.is_plain_call and not self._is_again:
                line = children[shape.base].end_point[0] + 1
                if shape.member >= 0:
                    number, line = self._member(children[shape.member], number)
                args = self.roles.arguments(self, (number, children[shape.holder]))
                number = self._row((_CALL, "", number, args))
                self.found.call(number, line, scope=self.scope)
            elif shape.is_idle and shape.op == _ATTRIBUTE:
                number, line = self._member(children[shape.member], number, shape.type)
                self._note(number, line, how=how)
            else:
                number = self._up(node, children, shape, number=number, how=how)
        self._level = level
        return number

    def _up(
        self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, *, number: int, how: int
    ) -> int:
        """One step back up a chain, from the row of what it is a step from."""
        rows = {shape.base: number}
        if not shape.is_idle:
            self._act(node, children, shape, uses=shape.valued, rows=rows)
        number = self._step(node, children, shape, rows) if shape.op else number
        if shape.op == _ATTRIBUTE:
            self._note(number, node.end_point[0] + 1, how=how)
        elif shape.op == _INDEX and how != AS_CHANGED:
            self.operate(number, node)
        return number

    def _note(self, number: int, line: int, *, how: int) -> None:
        if not self.is_typed:
            note(self._called if how else self._named, number, line=line)
        elif not self._is_again:
            self.found.name_type(number, line, scope=self.scope, rows=self.table.rows)

    def _ask(
        self, node: ts.Node, shape: Shape | None, children: Sequence[ts.Node]
    ) -> tuple[Shape, Sequence[ts.Node]]:
        """The shape of a node that is new, or with what looks deeper; what its places refer to."""
        nodes = self.grammar.nodes
        if shape is None:
            shape = nodes.shape_of(node, children)
        if shape.asks <= self._dormant or not nodes.may_fit(shape, children, source=self.source):
            return shape, children
        return nodes.ask(node, shape, children=children, dormant=self._dormant)

    def _cut(self, node: ts.Node) -> int:
        """Too deep for a value: what is in it is found when all else is done."""
        self.is_cut = True
        if not self._is_again:
            self._later.append((node, self.scope, self.flags, self.is_typed, self.found.generic))
        return 0

    def _step(self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, rows: Rows) -> int:
        """The row of one step of a chain."""
        op, base, text = shape.op, children[shape.base], ""
        number, line = rows[shape.base], base.end_point[0] + 1
        if shape.member >= 0:
            number, line = self._member(children[shape.member], number, shape.type)
        if op == _ATTRIBUTE:
            return number
        if op == _SPREAD:
            text = self.source[node.start_byte : base.start_byte].decode("utf-8", "replace").strip()
            if text == REST:
                self.operate(self._row((_ELEMENT, "", number, ())), node)
        elif op == _INDEX:
            text = written_place(shape, children, source=self.source)
        elif "generics" in shape.parts:
            args = tuple(map(self.again, children[shape.parts["generics"][0]].named_children))
            number = self._row((_INDEX, self.table.rows[number][1], number, args))
        if shape.holder >= 0:
            args = self.roles.arguments(self, (number, children[shape.holder]))
        else:
            args = tuple([rows[place] for place in shape.arguments])
        number = self._row((op, text, number, args))
        if op == _CALL and not self._is_again:
            self.found.call(number, line, scope=self.scope)
        return number

    def _member(self, name: ts.Node, base: int, mark: str = "") -> tuple[int, int]:
        row = (_ATTRIBUTE, self.text(name), base, (0,) if mark else ())
        return self._row(row), name.end_point[0] + 1

    def _leaf(self, node: ts.Node, children: Sequence[ts.Node], shape: Shape) -> int:
        """The row of what is no chain."""
        if shape.op == _COLLECTION:
            args = self.values(children if shape.is_alike else node.named_children)
            return self._row((_COLLECTION, shape.type, 0, args))
        if shape.whole is not None:
            if self._is_again:
                return 0
            number = self._define(node, children, shape.whole)
            return self._row((_FUNCTION, "", number, ()))
        if shape.role == "expression.callable":
            return self.roles.callable(self, Met(shape.role, shape.parts, node, children, {}))
        if not shape.role:
            floor, self._floor = self._floor, self._level
            self._act(node, children, shape, uses=shape.visited, rows={})
            self._floor = floor
            return 0
        if shape.is_plain and not shape.is_alike:
            rows = self.use(children, shape.valued, rows={})
        else:
            rows = self._act(node, children, shape, uses=shape.valued, rows={})
        for place in shape.assigned:  # `a ??= b`: what was made of a target is no row
            rows[place] = self.again(children[place])
        number = self.table.make(shape, rows, children=children, source=self.source)
        if shape.role == "expression.operator":
            self.operate(number, node)
        return number

    def _visit_all(self, children: Iterable[ts.Node], todo: Mapping[int, int]) -> None:
        """Find what is in children of which no more than their kind matters."""
        if self._is_again:
            return
        inner = self._inner
        for child in children:
            what = todo[child.kind_id]
            if what == NOTHING:
                continue
            if what == USE:
                self.value(child)
            elif what == GO_IN and self._level < LEVELS:
                self._level += 1
                self._visit_all(child.named_children, inner[child.kind_id])
                self._level -= 1
            else:
                self.visit(child)

    def use(self, children: Sequence[ts.Node], uses: Uses, *, rows: Rows) -> Rows:
        """Do with each child what is to be done; what comes of it is added to `rows`."""
        ways = self._ways
        for place, use in uses:
            child = children[place]
            if use == VALUE:
                way = ways[child.kind_id]
                if way == SPELLED:
                    rows[place] = self.spell(child, AS_VALUE) or self._chain(child, AS_VALUE)
                elif way:
                    rows[place] = self._plain_value(child, way)
                else:
                    rows[place] = self._chain(child, AS_VALUE)
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
            self._use_all(children, shape, uses, rows)
            return rows
        if shape.branches:
            self.found.branches[self.found.owners[self.scope]] += shape.branches
        if shape.whole is not None:
            self._define(node, children, shape.whole)
            return rows
        handlers = self.roles.handlers
        for act in shape.before:
            handlers[act.role.name](self, Met(act.role.name, act.parts, node, children, rows))
        if shape.is_inside or shape.flow is not None:
            self._use_inside(node, children, shape, uses=uses, rows=rows)
        else:
            self._use_all(children, shape, uses, rows)
        for act in shape.after:
            name = act.role.name
            handlers[name](self, Met(name, act.parts, node, children, rows, act.role.type))
        return rows

    def _define(self, node: ts.Node, children: Sequence[ts.Node], whole: Act) -> int:
        role = whole.role
        return self.roles.define(self, Met(role.name, whole.parts, node, children, {}, role.type))

    def _use_all(self, children: Sequence[ts.Node], shape: Shape, uses: Uses, rows: Rows) -> None:
        if shape.is_alike:
            self._visit_all(children, self.grammar.nodes.todo[shape.wanted])
        elif uses:
            self.use(children, uses, rows=rows)

    def _use_inside(
        self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, *, uses: Uses, rows: Rows
    ) -> None:
        """The same for a node that is a scope or a region of its own, or forks."""
        scope, flags, is_typed, generic = self.scope, self.flags, self.is_typed, self.found.generic
        self.flags |= shape.flags
        self.is_typed |= shape.is_type
        is_block = shape.is_block and node.id != self.opened
        if shape.opens:  # what it binds comes first, as in other blocks
            binders = self.grammar.nodes.binders | shape.opens
            children = sorted(children, key=lambda child: child.kind_id not in binders)
        if is_block:
            self.enter(node, ScopeKind.BLOCK)
            self.reaching.enter(self.scope, scope)
            for bind in self.on_entry.pop(node.id, ()) if self.on_entry else ():
                bind()
        if shape.flow is None:
            self._use_all(children, shape, uses, rows)
        else:
            role, parts = shape.flow.role.name, shape.flow.parts
            met = Met(role, parts, node, children, rows, uses=uses, after=shape.after)
            self.roles.follow(self, met)
        self.flags, self.is_typed = flags, is_typed
        if shape.is_generic and not is_typed:
            self.found.generic = generic
        if is_block:
            self.resume(scope)
