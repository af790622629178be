"""The walk over the syntax tree of a file, with the scope and context of the current node.

A node is *visited* for what it contains, or evaluated for its *value*, a row built bottom-up. Its
shape lists the uses of its children and the roles to handle. Chains such as `a.b().c()` are
followed in a loop, not by recursion. This is the hottest code of a build: three million nodes for
django.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import tree_sitter as ts

from mu.model.facts import Flag, Op, ScopeKind
from mu.syntax.grammars.grammar import Grammar
from mu.syntax.matching.deep_matches import kind_of
from mu.syntax.matching.pattern_matcher import DESCEND, DOTTED, EVALUATE, IGNORE, STRING, TYPE_NAME
from mu.syntax.matching.shapes import RoleCaptures, Shape, Uses
from mu.syntax.matching.vocabulary import CONDITIONAL, REREAD, TYPE_ONLY, VALUE, VISIT
from mu.syntax.roles.role_match import RoleHandlers, RoleMatch, Rows
from mu.syntax.tables.expressions import LONGEST_STRING, REST, ExpressionTable, literal_index
from mu.syntax.tables.name_scopes import NameScopes, ScopeVariant
from mu.syntax.tables.reaching_definitions import ReachingDefinitions
from mu.syntax.tables.scope_records import ScopeRecords, add_line

DEPTH, LEVELS = 60, 60  # of nested values, then opaque; of visited nodes, then walked at the end
LONGEST_NAME = 200  # bytes of a name or attribute chain; longer ones are followed node by node

# Plain integers: reading a member of an enumeration takes ten times as long.
_ATTRIBUTE, _CALL, _INDEX, _SPREAD = map(int, (Op.ATTRIBUTE, Op.CALL, Op.INDEX, Op.SPREAD))
_COLLECTION, _FUNCTION, _ELEMENT = int(Op.COLLECTION), int(Op.FUNCTION), int(Op.ELEMENT)
_REGIONS = {CONDITIONAL: int(Flag.CONDITIONAL), TYPE_ONLY: int(Flag.TYPE_ONLY)}

AS_VALUE, AS_CALLED, AS_CHANGED = 0, 1, 2
"""How a value is used. What is called, set or deleted is not read itself, but its base is."""


class Walk:
    """The walk over one file: scopes and references go to `records`, values to `table`.

    It has at most thirty attributes: CPython looks up all of them more slowly if there are more.
    """

    def __init__(
        self, source: bytes, grammar: Grammar, *, names: NameScopes, roles: "RoleHandlers[Walk]"
    ) -> None:
        self.source = source
        self.grammar = grammar
        self.names = names
        self.roles = roles
        self.records = ScopeRecords()
        nodes, manifest = grammar.nodes, grammar.manifest
        self.table = ExpressionTable(manifest, nodes.literals)
        self._row = self.table.row
        self._modes, self._uniform = nodes.value_modes, nodes.uniform_shapes
        self._shapes, self._inner_actions = nodes.shape_cache, nodes.inner_actions
        self._dormant = nodes.dormant(source)
        self._interpolation = manifest.interpolation.encode()
        self.scope, self.flags = -1, 0
        self.is_typed = False  # in an annotation: names are types
        self.is_truncated = False
        self._is_reread = False  # see `reread`
        self._level = self._floor = 0  # nesting of the node, and of the value it is in
        self.body_id = -1  # the node whose scope is open: it opens no block of its own
        self._later: list[tuple[ts.Node, int, int, bool, frozenset[str]]] = []
        self.on_entry: dict[int, list[Callable[[], None]]] = {}  # by the id of the block
        self.reaching = ReachingDefinitions(names, self.table)
        self.has_flow = bool(grammar.flow.ends) and manifest.has_versions
        names.scopes, names.rows_by_text = self.records.scopes, self.records.rows_by_text
        names.texts, names.rehome = self.table.texts, self.table.rehome

    def file(self, root: ts.Node) -> None:
        """Walk the tree of a file."""
        self.enter(root, ScopeKind.MODULE)
        self.visit(root)
        if self._later:
            self.reaching.finish()
        while self._later:
            node, scope, self.flags, self.is_typed, self.records.generics = self._later.pop()
            self.resume(scope)
            self.visit(node)
        self.is_typed = False
        self.resume(0)

    def text(self, node: ts.Node) -> str:
        """Return the text of a node."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    @property
    def owner(self) -> int:
        """The number of the definition that the current code belongs to; -1 for the file."""
        return self.records.owners[self.scope]

    def enter(
        self,
        node: ts.Node,
        kind: ScopeKind,
        *,
        definition: int = -1,
        is_named: bool = False,
        variant: ScopeVariant = ScopeVariant.PLAIN,
    ) -> int:
        """Open the scope of `node` inside the current scope, and make it current."""
        scope = self.records.open(
            node, kind, parent=self.scope, definition=definition, is_named=is_named
        )
        self.names.open(scope, variant)
        self.resume(scope)
        return scope

    def resume(self, scope: int, homes: dict[str, int] | None = None) -> None:
        """Make an open scope current; `homes` overrides in which scope names are bound."""
        self.scope = scope
        self._named, self._called = self.records.named[scope]
        if homes is None:
            self._homes, self._texts = self.names.homes[scope], self.records.rows_by_text[scope]
        else:
            self._homes, self._texts = homes, {}

    def visit(self, node: ts.Node) -> None:
        """Walk a node whose value is not needed."""
        kind = node.kind_id
        mode = self._modes[kind]
        if mode > 0 or mode == STRING:
            self._visit_plain(node, mode)
            return
        level, floor = self._level, self._floor
        if level >= LEVELS:
            self._later.append((node, self.scope, self.flags, self.is_typed, self.records.generics))
            return
        self._level = self._floor = level + 1
        shape = self._uniform[kind]
        if shape is None:  # inlined as in `_chain`: a call costs more than the look-up
            children: Sequence[ts.Node] = node.children
            shape = self._shapes.get((kind, *map(kind_of, children)))
            if shape is None or shape.deep_patterns:
                shape, children = self._match_shape(node, shape, children)
        else:
            children = node.named_children
            if shape.block_kinds and not shape.block_kinds.isdisjoint(map(kind_of, children)):
                shape = self.grammar.nodes.blocks[kind]
        if shape.is_value:
            self.value(node)
        elif not shape.is_plain:
            self._process(node, children, shape, uses=shape.visited, rows={})
        elif shape.is_uniform:
            self._visit_all(children, self._inner_actions[kind])
        else:
            self.use(children, shape.visited, rows={})
        self._level, self._floor = level, floor

    def value(self, node: ts.Node, *, how: int = AS_VALUE) -> int:
        """Return the row of a node's value; `how` it is used decides which reference is noted."""
        mode = self._modes[node.kind_id]
        if not mode:
            return self._chain(node, how)
        if mode == DOTTED:
            return self.name_row(node, how) or self._chain(node, how)
        return self._plain_row(node, mode)

    def values(self, nodes: Iterable[ts.Node]) -> tuple[int, ...]:
        """Return the rows of several nodes: `value`, inlined for the most frequent cases."""
        found = []
        modes, skipped = self._modes, self.grammar.nodes.skipped
        for node in nodes:
            kind = node.kind_id
            mode = modes[kind]
            if mode == DOTTED:
                found.append(self.name_row(node, AS_VALUE) or self._chain(node, AS_VALUE))
            elif mode:
                found.append(self._plain_row(node, mode))
            elif kind not in skipped:
                found.append(self._chain(node, AS_VALUE))
        return tuple(found)

    def reread(self, node: ts.Node) -> int:
        """Return the row of a node that was walked before, or of a string: nothing is noted."""
        before = self._is_reread, self.is_typed
        self._is_reread = self.is_typed = True
        number = self.value(node)
        self._is_reread, self.is_typed = before
        return number

    def add_operation(self, row: int, node: ts.Node) -> None:
        """Note that the operation `row` at `node` may run a method."""
        if not self.is_typed:
            self.records.add_operation(row, node, scope=self.scope, rows=self.table.rows)

    def _plain_row(self, node: ts.Node, mode: int) -> int:
        """Return the row of a literal, a string with its interpolations, or the name of a type."""
        if mode == TYPE_NAME:
            outer, self.is_typed = self.is_typed, True
            number = self.name_row(node, AS_VALUE) or self._chain(node, AS_VALUE)
            self.is_typed = outer
            return number
        self._visit_plain(node, mode)
        if mode > 0:
            return mode
        text = self.source[node.start_byte : node.end_byte]
        number = (
            self.table.string(text) if len(text) <= LONGEST_STRING else self.table.literal("str")
        )
        if self.is_typed and not self._is_reread:
            self.records.quoted.append((number, node.start_point[0] + 1))
        return number

    def _visit_plain(self, node: ts.Node, mode: int) -> None:
        """Walk what a literal or a string contains."""
        if self._is_reread or (mode > 0 and not node.child_count):
            return
        mark = self._interpolation
        if mode > 0 or (mark and self.source.find(mark, node.start_byte, node.end_byte) >= 0):
            self._visit_all(node.named_children, self.grammar.nodes.default_actions)

    def name_row(self, node: ts.Node, how: int) -> int:
        """Return the row of a name or an attribute chain from its text; 0 for any other text."""
        start, end = node.start_byte, node.end_byte
        if end - start > LONGEST_NAME:  # each step of a long chain would keep all before it
            return 0
        text = self.source[start:end]
        number = self._texts.get(text)
        if number is None:
            number = self._texts[text] = self._new_name_row(text)
        if number:
            self._note(number, node.start_point[0] + 1, how=how)
        return number

    def _new_name_row(self, text: bytes) -> int:
        """Return the row of a text that was not read in this scope before."""
        name = self.table.dotted_names.get(text) or self.table.parse_dotted(text)
        parts, rows = name
        if not parts:
            return 0
        home = self._homes.get(parts[0])
        if home is None:
            home = self.names.home(self.scope, parts[0])
        return rows.get(home) or self.table.dotted_row(name, home)

    def _chain(self, node: ts.Node, how: int) -> int:
        """Return the row of a chain: descend to its innermost base, then build it step by step."""
        level = self._level
        if level - self._floor >= DEPTH:
            return self._defer(node)
        self._level = level + 1
        steps: list[tuple[ts.Node, Sequence[ts.Node], Shape, int]] = []
        uniform, modes, shapes = self._uniform, self._modes, self._shapes
        while True:
            kind = node.kind_id
            shape = uniform[kind]
            if shape is None:
                children: Sequence[ts.Node] = node.children
                shape = shapes.get((kind, *map(kind_of, children)))
                if shape is None or shape.deep_patterns:
                    shape, children = self._match_shape(node, shape, children)
            else:
                children = node.named_children
                if shape.block_kinds and not shape.block_kinds.isdisjoint(map(kind_of, children)):
                    shape = self.grammar.nodes.blocks[kind]
            if shape.base < 0:
                number = self._leaf(node, children, shape)
                break
            op = shape.op
            if op == _CALL and self.is_typed and not self._is_reread:
                self.is_typed = False  # the arguments of a call are values even in an annotation
                number = self.value(node)
                self.is_typed = True
                break
            if op == _SPREAD and steps:  # it applies to the whole chain; grammars have it innermost
                steps.insert(0, (node, children, shape, AS_VALUE))
            elif op or not shape.is_pure:
                steps.append((node, children, shape, how))
            if op != _SPREAD:
                how = AS_CALLED if op == _CALL and shape.member < 0 else AS_VALUE
            node = children[shape.base]
            mode = modes[node.kind_id]
            if mode:
                number = self.name_row(node, how) if mode == DOTTED else self._plain_row(node, mode)
                if number:
                    break
        while steps:
            node, children, shape, how = steps.pop()
            if shape.is_plain_call and not self._is_reread:
                line = children[shape.base].end_point[0] + 1
                if shape.member >= 0:
                    number, line = self._member(children[shape.member], number)
                args = self.roles.arguments(self, (number, children[shape.argument_list]))
                number = self._row((_CALL, "", number, args))
                self.records.add_call(number, line, scope=self.scope)
            elif shape.is_pure and shape.op == _ATTRIBUTE:
                number, line = self._member(children[shape.member], number, shape.type)
                self._note(number, line, how=how)
            else:
                number = self._up(node, children, shape, number=number, how=how)
        self._level = level
        return number

    def _up(
        self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, *, number: int, how: int
    ) -> int:
        """Return the row of one step of a chain, from the row of its base."""
        rows = {shape.base: number}
        if not shape.is_pure:
            self._process(node, children, shape, uses=shape.valued, rows=rows)
        number = self._step(node, children, shape, rows) if shape.op else number
        if shape.op == _ATTRIBUTE:
            self._note(number, node.end_point[0] + 1, how=how)
        elif shape.op == _INDEX and how != AS_CHANGED:
            self.add_operation(number, node)
        return number

    def _note(self, number: int, line: int, *, how: int) -> None:
        if not self.is_typed:
            add_line(self._called if how else self._named, number, line=line)
        elif not self._is_reread:
            self.records.add_type(number, line, scope=self.scope, rows=self.table.rows)

    def _match_shape(
        self, node: ts.Node, shape: Shape | None, children: Sequence[ts.Node]
    ) -> tuple[Shape, Sequence[ts.Node]]:
        """Return the shape of a node that needs a query, and the nodes its indices refer to."""
        nodes = self.grammar.nodes
        if shape is None:
            shape = nodes.shape_of(node, children)
        is_dormant = shape.deep_patterns <= self._dormant
        if is_dormant or not nodes.may_match(shape, children, source=self.source):
            return shape, children
        return nodes.match_deep(node, shape, children=children, dormant=self._dormant)

    def _defer(self, node: ts.Node) -> int:
        """Return 0 for a value that is nested too deep; its parts are walked at the end."""
        self.is_truncated = True
        if not self._is_reread:
            self._later.append((node, self.scope, self.flags, self.is_typed, self.records.generics))
        return 0

    def _step(self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, rows: Rows) -> int:
        """Return the row of one step of a chain, without what its roles note."""
        op, base, text = shape.op, children[shape.base], ""
        number, line = rows[shape.base], base.end_point[0] + 1
        if shape.member >= 0:
            number, line = self._member(children[shape.member], number, shape.type)
        if op == _ATTRIBUTE:
            return number
        if op == _SPREAD:
            text = self.source[node.start_byte : base.start_byte].decode("utf-8", "replace").strip()
            if text == REST:
                self.add_operation(self._row((_ELEMENT, "", number, ())), node)
        elif op == _INDEX:
            text = literal_index(shape, children, source=self.source)
        elif "generics" in shape.parts:
            args = tuple(map(self.reread, children[shape.parts["generics"][0]].named_children))
            number = self._row((_INDEX, self.table.rows[number][1], number, args))
        if shape.argument_list >= 0:
            args = self.roles.arguments(self, (number, children[shape.argument_list]))
        else:
            args = tuple([rows[index] for index in shape.arguments])
        number = self._row((op, text, number, args))
        if op == _CALL and not self._is_reread:
            self.records.add_call(number, line, scope=self.scope)
        return number

    def _member(self, name: ts.Node, base: int, mark: str = "") -> tuple[int, int]:
        row = (_ATTRIBUTE, self.text(name), base, (0,) if mark else ())
        return self._row(row), name.end_point[0] + 1

    def _leaf(self, node: ts.Node, children: Sequence[ts.Node], shape: Shape) -> int:
        """Return the row of a value that is not a chain."""
        if shape.op == _COLLECTION:
            args = self.values(children if shape.is_uniform else node.named_children)
            return self._row((_COLLECTION, shape.type, 0, args))
        if shape.definition is not None:
            if self._is_reread:
                return 0
            number = self._define(node, children, shape.definition)
            return self._row((_FUNCTION, "", number, ()))
        if shape.role == "expression.callable":
            return self.roles.callable(self, RoleMatch(shape.role, shape.parts, node, children, {}))
        if not shape.role:
            floor, self._floor = self._floor, self._level
            self._process(node, children, shape, uses=shape.visited, rows={})
            self._floor = floor
            return 0
        if shape.is_plain and not shape.is_uniform:
            rows = self.use(children, shape.valued, rows={})
        else:
            rows = self._process(node, children, shape, uses=shape.valued, rows={})
        for index in shape.assigned:  # `a ??= b`: the result for a target is not a row
            rows[index] = self.reread(children[index])
        number = self.table.make(shape, rows, children=children, source=self.source)
        if shape.role == "expression.operator":
            self.add_operation(number, node)
        return number

    def _visit_all(self, children: Iterable[ts.Node], actions: Mapping[int, int]) -> None:
        """Walk children whose treatment depends on their kinds alone."""
        if self._is_reread:
            return
        inner = self._inner_actions
        for child in children:
            action = actions[child.kind_id]
            if action == IGNORE:
                continue
            if action == EVALUATE:
                self.value(child)
            elif action == DESCEND and self._level < LEVELS:
                self._level += 1
                self._visit_all(child.named_children, inner[child.kind_id])
                self._level -= 1
            else:
                self.visit(child)

    def use(self, children: Sequence[ts.Node], uses: Uses, *, rows: Rows) -> Rows:
        """Use each child as `uses` says; return `rows` with the results added."""
        modes = self._modes
        for index, use in uses:
            child = children[index]
            if use == VALUE:
                mode = modes[child.kind_id]
                if mode == DOTTED:
                    rows[index] = self.name_row(child, AS_VALUE) or self._chain(child, AS_VALUE)
                elif mode:
                    rows[index] = self._plain_row(child, mode)
                else:
                    rows[index] = self._chain(child, AS_VALUE)
            elif self._is_reread:
                continue
            elif use == VISIT:
                self.visit(child)
            elif use in _REGIONS:
                flags, self.flags = self.flags, self.flags | _REGIONS[use]
                self.visit(child)
                self.flags = flags
            elif use == VALUE | REREAD:
                rows[index] = self.reread(child)
            else:
                rows[index] = self.roles.readers[use & ~REREAD](self, child)
        return rows

    def _process(
        self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, *, uses: Uses, rows: Rows
    ) -> Rows:
        """Use the children of a node and handle its roles; return `rows` with the results added."""
        if shape.is_plain or self._is_reread:
            self._use_all(children, shape, uses, rows)
            return rows
        if shape.branches:
            self.records.branches[self.records.owners[self.scope]] += shape.branches
        if shape.definition is not None:
            self._define(node, children, shape.definition)
            return rows
        handlers = self.roles.handlers
        for one in shape.before:
            handlers[one.role.name](self, RoleMatch(one.role.name, one.parts, node, children, rows))
        if shape.is_region or shape.flow is not None:
            self._use_region(node, children, shape, uses=uses, rows=rows)
        else:
            self._use_all(children, shape, uses, rows)
        for one in shape.after:
            name = one.role.name
            handlers[name](self, RoleMatch(name, one.parts, node, children, rows, one.role.type))
        return rows

    def _define(self, node: ts.Node, children: Sequence[ts.Node], definition: RoleCaptures) -> int:
        role, parts = definition.role, definition.parts
        match = RoleMatch(role.name, parts, node, children, {}, role.type)
        return self.roles.define(self, match)

    def _use_all(self, children: Sequence[ts.Node], shape: Shape, uses: Uses, rows: Rows) -> None:
        if shape.is_uniform:
            self._visit_all(children, self.grammar.nodes.child_actions[shape.value_kinds])
        elif uses:
            self.use(children, uses, rows=rows)

    def _use_region(
        self, node: ts.Node, children: Sequence[ts.Node], shape: Shape, *, uses: Uses, rows: Rows
    ) -> None:
        """Use the children of a node that opens a scope or a region, or that branches."""
        scope, flags, is_typed = self.scope, self.flags, self.is_typed
        generics = self.records.generics
        self.flags |= shape.flags
        self.is_typed |= shape.is_type
        is_block = shape.is_block and node.id != self.body_id
        if shape.block_kinds:  # bindings come first, as in other blocks
            binders = self.grammar.nodes.binders | shape.block_kinds
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
            match = RoleMatch(role, parts, node, children, rows, uses=uses, after=shape.after)
            self.roles.follow(self, match)
        self.flags, self.is_typed = flags, is_typed
        if shape.is_generic and not is_typed:
            self.records.generics = generics
        if is_block:
            self.resume(scope)
