"""Headers of definitions: decorators, type parameters, parameters, types and bases.

A reference in a header belongs to the definition, and its bindings live in the scope of the body.
Before that scope is open, the definition's own type parameters are looked up by name.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import tree_sitter as ts

from mu.model.facts import Binding, BindingKind, Op, Parameter, ReferenceKind, ScopeKind
from mu.model.references import Reference
from mu.syntax.matching.pattern_matcher import DOTTED, TYPE_NAME
from mu.syntax.roles.annotations import POSITIONAL, AnnotationReader
from mu.syntax.roles.headers import bases_in, last_name, one_line
from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.tree_walk import Walk

EXTENSION = "definition.extension"

_CALL, _INDEX, _KEYWORD, _COMPREHENSION, _NAME = map(
    int, (Op.CALL, Op.INDEX, Op.KEYWORD, Op.COMPREHENSION, Op.NAME)
)
_SPREAD = int(Op.SPREAD)
_BASE, _ANNOTATION, _DECORATOR = map(
    int, (ReferenceKind.BASE, ReferenceKind.ANNOTATION, ReferenceKind.DECORATOR)
)
_MARKERS = {"parameter.rest": "*", "parameter.keywords": "**"}
_COLLECTIONS = {"*": "tuple", "**": "dict"}
_TYPE_PARAMETER = re.compile(r"[^\w']*(\w+)")  # lifetimes are left out

RECEIVER = "own"
"""The role of a parameter that declares the receiver, such as `this` or `self`."""

Bases = tuple[tuple[int, int, str], ...]
"""(expression row, line, text): the text of a decorator, or of a base its keyword or empty."""


class HeaderReader:
    """Read headers, and collect their references and bindings."""

    def __init__(self, annotations: AnnotationReader) -> None:
        self._annotations = annotations
        self._decorators: list[tuple[int, int, str]] = []
        self._type_parameter_homes: dict[int, dict[str, int]] = {}  # by definition
        self._annotation_context = -1, -1  # scope and owner of the annotation being read
        self._anonymous: dict[int, int] = {}  # definition without a name -> named owner around
        self.type_parameters: dict[int, frozenset[str]] = {-1: frozenset()}
        self.body_bases: dict[int, list[tuple[int, int, str]]] = {}  # bases listed in class bodies
        self._references: dict[Reference, None] = {}
        self.bindings: list[Binding] = []

    def read_annotation(self, walk: Walk, node: ts.Node) -> int:
        """Return the row of a variable's annotation, and note its references."""
        scope, owner = self._annotation_context
        if scope != walk.scope:  # else it is part of the annotation being read
            owner = walk.records.named_owners[walk.scope]
        return self._annotation(walk, node, owner)

    def read_base(self, walk: Walk, node: ts.Node) -> int:
        """Return the row of a base class that is listed in the body of the class."""
        if not self._is_of_class(walk):
            return self._annotation(walk, node, self._annotation_context[1])
        if walk.owner in self._anonymous:  # of an inline type, or of a value
            is_type = walk.is_typed
            return self._annotation(walk, node, walk.owner) if is_type else walk.value(node)
        first, line = len(walk.records.types), node.start_point[0] + 1
        row = self._header(walk, node, is_base=True)
        self._add_base_reference(walk, row, walk.owner, line=line, first=first)
        return row

    def _is_of_class(self, walk: Walk) -> bool:
        """Tell whether what is read belongs to the enclosing class and not to an annotation."""
        is_class = walk.records.scopes[walk.scope].kind == ScopeKind.CLASS
        return is_class and self._annotation_context[0] != walk.scope

    def read_decorator(self, walk: Walk, node: ts.Node) -> int:
        """Return the row of a decorator of the next definition."""
        is_run = walk.grammar.manifest.decorators_run
        types, first = walk.records.types, len(walk.records.types)
        row = self._header(walk, node) if is_run else walk.reread(node)
        types[first:] = [one for one in types[first:] if one[0] != row]  # itself not a type
        if not is_run:
            self._visit_arguments(walk, node)
        line = node.start_point[0] + 1
        self._decorators.append((row, line, one_line(walk.text(node))))
        return row

    def _visit_arguments(self, walk: Walk, node: ts.Node) -> None:
        """Walk the arguments of a decorator that does not run."""
        shape, children = walk.grammar.nodes.match_shape(node)
        if shape.argument_list >= 0:
            walk.visit(children[shape.argument_list])

    def end_decorated(self, walk: Walk, match: RoleMatch) -> None:
        """End what is decorated, which may not be a definition."""
        if "of" in match.parts:
            self.take_decorators(walk, walk.records.named_owners[walk.scope])

    def add_base(self, walk: Walk, match: RoleMatch) -> None:
        """Add a base to the enclosing class; with a name, it is a member of it, too."""
        scope = walk.records.scopes[walk.scope]
        if not self._is_of_class(walk) or _is_in_list(walk, match.node):
            return
        line, row = match.required("value").start_point[0] + 1, match.row("value")
        self.body_bases.setdefault(scope.definition, []).append((row, line, ""))
        for named in match.all("name"):
            name, kind = last_name(walk.text(named)), BindingKind.DECLARED
            walk.names.bind(walk.scope, name)
            self.bindings.append(Binding(kind, walk.scope, 0, name, row, line))

    def take_decorators(self, walk: Walk, number: int) -> Bases:
        """Return the pending decorators as those of a definition: (row, line, text)."""
        if not self._decorators:
            return ()
        decorators = tuple(self._decorators)
        self._decorators.clear()
        for row, line, _ in decorators:
            op, _, base, _ = walk.table.rows[row]
            used = base if op == _CALL else row
            if used:
                self._references[_DECORATOR, used, number, line] = None
        return decorators

    def record_type_parameters(
        self, walk: Walk, number: int, *, holder: ts.Node | None, is_named: bool
    ) -> None:
        """Record which names are type parameters in a definition, inherited ones included."""
        if not is_named:
            self._anonymous[number] = walk.records.named_owners[walk.scope]
        own = self.type_parameters.get(walk.owner, frozenset())
        if holder is not None:
            own |= {name for name, _ in _type_parameters(walk, holder)}
        self.type_parameters[number] = own

    def declare_type_parameters(self, walk: Walk, number: int, *, holder: ts.Node) -> None:
        """Bind the type parameters of a definition in the current scope, that of its body."""
        found = list(_type_parameters(walk, holder))
        for name, _ in found:
            walk.names.bind_type_parameter(walk.scope, name)
        self._type_parameter_homes[number] = {name: walk.scope for name, _ in found}
        for name, node in found:
            self._bind_type_parameter(walk, number, name, node)

    def constrain_type_parameters(self, walk: Walk, number: int, *, holder: ts.Node) -> None:
        """Bind the constraints in a `where` clause on a definition's own type parameters."""
        own = self._type_parameter_homes[number]
        for node in holder.named_children:
            shape, children = walk.grammar.parameters.match_shape(node)
            names = [walk.text(children[index]) for index in shape.parts.get("name", ())]
            if names and names[0] in own:
                self._bind_type_parameter(walk, number, names[0], node)
            else:
                walk.visit(node)

    def _bind_type_parameter(self, walk: Walk, number: int, name: str, node: ts.Node) -> None:
        shape, children = walk.grammar.parameters.match_shape(node)
        holders = [children[index] for index in shape.parts.get("type", ())]
        bounds = [bound for holder in holders for bound in bases_in(walk, holder)]
        skipped = walk.grammar.nodes.skipped
        rows = [self._annotation(walk, b, number) for b in bounds if b.kind_id not in skipped]
        for index in shape.parts.get("value", ()):
            self._annotation(walk, children[index], number)
        kind, line = BindingKind.TYPE_PARAMETER, node.start_point[0] + 1
        self.bindings += [Binding(kind, walk.scope, 0, name, row, line) for row in rows or [0]]

    def read_type(self, walk: Walk, node: ts.Node, *, number: int) -> int:
        """Return the row of a type in a header, which may use its own type parameters."""
        self._use_own_type_parameters(walk, number)
        row = self._annotation(walk, node, number)
        walk.resume(walk.scope)
        return row

    def _use_own_type_parameters(self, walk: Walk, number: int) -> None:
        """Resolve a definition's own type parameters, until the walk is resumed."""
        if number in self._type_parameter_homes:
            walk.resume(walk.scope, self._type_parameter_homes[number])

    def read_parameters(
        self, walk: Walk, match: RoleMatch, *, holder: str, number: int
    ) -> tuple[list[tuple[str, Parameter]], list[tuple[ts.Node, str]]]:
        """Return the parameters in `holder` with their roles, and those that are unpacked.

        A node that declares several names yields several parameters. An unpacked parameter is a
        target and the text that stands for its name.
        """
        found: list[tuple[str, Parameter]] = []
        unpacked: list[tuple[ts.Node, str]] = []
        if holder not in match.parts:
            return found, unpacked
        table, holders = walk.grammar.parameters, match.all(holder)
        nodes: Sequence[ts.Node] = [node for one in holders for node in one.named_children]
        if not nodes and table.match_shape(holders[0])[0].role:
            nodes = holders  # a single parameter without a list
        for node in nodes:
            shape, children = table.match_shape(node)
            if not shape.role:
                walk.visit(node)
                continue
            text = walk.text(node)
            if not children and shape.role == "parameter":  # only a name
                role = RECEIVER if text in walk.grammar.manifest.own_names else shape.role
                found.append((role, Parameter(text, "", one_line(text), 0, 0)))
                continue
            if shape.role == POSITIONAL:
                row = self.read_type(walk, node, number=number)
                found.append((POSITIONAL, Parameter(str(len(found)), "", one_line(text), row, 0)))
                continue
            names = [""] if "type" in shape.parts else [text]
            annotation = default = 0
            for part, (index, *others) in shape.parts.items():
                if part == "name":
                    names = [walk.text(children[one]) for one in (index, *others)]
                    if children[index].kind_id not in walk.grammar.nodes.names:
                        unpacked.append((children[index], names[0]))
                elif part == "type":
                    annotation = self.read_type(walk, children[index], number=number)
                elif part == "value":
                    default = walk.value(children[index])
                elif part == "around":
                    self.read_type(walk, children[index], number=number)
                elif part == "decorators":
                    self._read_parameter_decorators(
                        walk, [children[one] for one in shape.parts[part]], number
                    )
            kind = _MARKERS.get(shape.role, "")
            role = RECEIVER if names[0] in walk.grammar.manifest.own_names else shape.role
            shown = one_line(text)
            rows = [Parameter(name, kind, shown, annotation, default) for name in names]
            found += [(role, row) for row in rows]
        return found, unpacked

    def _read_parameter_decorators(
        self, walk: Walk, decorators: list[ts.Node], number: int
    ) -> None:
        """Note the decorators of a parameter as references of the function."""
        for node in (inner for one in decorators for inner in one.named_children):
            if node.kind_id not in walk.grammar.nodes.skipped:
                self.read_decorator(walk, node)
        self.take_decorators(walk, self._anonymous.get(number, number))

    def bind_own_name(self, walk: Walk, name: str, *, row: int, line: int) -> None:
        """Bind the name of a function expression in its own scope, where alone it is visible."""
        if not walk.names.is_bound(walk.scope, name):  # else it is a parameter
            walk.names.bind(walk.scope, name)
            self.bindings.append(Binding(BindingKind.VALUE, walk.scope, 0, name, row, line))

    def bind_parameters(
        self, walk: Walk, parameters: list[tuple[str, Parameter]], *, line: int, receiver_of: int
    ) -> None:
        """Bind the parameters in the current scope, that of the body."""
        scope = walk.scope
        for index, (role, row) in enumerate(parameters):
            if row.name in ("", walk.grammar.manifest.blank):
                continue
            if role == "parameter.field":
                self._bind_field(walk, row.name, line)
            is_receiver = index == 0 and role == "parameter"
            if (
                walk.records.scopes[scope].kind == ScopeKind.CLASS
            ):  # a record or primary constructor
                walk.names.bind(scope, row.name)
            else:
                walk.names.bind_parameter(
                    scope, row.name, receiver_of=receiver_of if is_receiver else -1
                )
            if row.annotation:
                declared = row.annotation
                if row.kind:
                    declared = walk.table.row(
                        (_COMPREHENSION, _COLLECTIONS[row.kind], declared, ())
                    )
                kind = BindingKind.DECLARED
                self.bindings.append(Binding(kind, scope, 0, row.name, declared, line))
            if row.default:
                kind = BindingKind.VALUE
                self.bindings.append(Binding(kind, scope, 0, row.name, row.default, line))

    def _bind_field(self, walk: Walk, name: str, line: int) -> None:
        """Bind the member of the receiver that a parameter initialises."""
        own = walk.grammar.manifest.own_names[0]
        receiver = walk.table.row((_NAME, own, walk.names.home(walk.scope, own), ()))
        value = walk.table.row((_NAME, name, walk.scope, ()))
        row = Binding(BindingKind.VALUE, walk.scope, receiver, name, value, line)
        self.bindings.append(row)

    def _annotation(self, walk: Walk, node: ts.Node, owner: int) -> int:
        first, typed = len(walk.records.types), self._annotation_context
        self._annotation_context = walk.scope, owner
        row = self._annotations.read(walk, node)
        self._annotation_context = typed
        self._add_type_references(walk, first, owner)
        return row

    def _add_type_references(self, walk: Walk, first: int, owner: int, *, base: int = 0) -> None:
        """Turn the types named since index `first` into references of `owner`, except a `base`.

        The types of an anonymous definition belong to the definition around it.
        """
        types, named = walk.records.types, self._anonymous.get(owner, owner)
        for leaf, line, _ in types[first:]:
            if leaf == base:
                base = 0
            elif self._is_visible(walk, leaf, owner):
                self._references[_ANNOTATION, leaf, named, line] = None
        del types[first:]

    def _is_visible(self, walk: Walk, leaf: int, owner: int) -> bool:
        """Tell whether a type is named that exists outside of the definition."""
        op, text, _, _ = walk.table.rows[leaf]
        manifest = walk.grammar.manifest
        if text in manifest.own_names or text == manifest.blank:
            return False
        return op != _NAME or text not in self.type_parameters[owner]

    def references(self, walk: Walk) -> Iterable[Reference]:
        """Return the references of headers and of types named elsewhere; to be called once."""
        records = walk.records
        for leaf, line, scope in records.types:
            if self._is_visible(walk, leaf, records.owners[scope]):
                self._references[_ANNOTATION, leaf, records.named_owners[scope], line] = None
        return self._references

    def add_generic(self, walk: Walk, match: RoleMatch) -> None:
        """Add names that stand for any type in the rest of the type or definition."""
        walk.records.generics |= {walk.text(named) for named in match.all("name")}

    def read_bases(self, walk: Walk, match: RoleMatch, *, number: int) -> Bases:
        """Return the bases of a class, and the keywords among them."""
        if "bases" not in match.parts and match.role != EXTENSION:
            return ()
        found = []
        nodes, rows = walk.grammar.nodes, walk.table.rows
        if match.role == EXTENSION:
            node = match.required("class")
            found.append((self.read_type(walk, node, number=number), node.start_point[0] + 1, ""))
        for node in [node for holder in match.all("bases") for node in bases_in(walk, holder)]:
            if node.kind_id in nodes.skipped:
                continue
            self._use_own_type_parameters(walk, number)
            first, line = len(walk.records.types), node.start_point[0] + 1
            row = self._header(walk, node, is_base=True)
            walk.resume(walk.scope)
            op, text, base, _ = rows[row]
            if op == _KEYWORD:
                found.append((base, line, text))
                continue
            found.append((row, line, ""))
            self._add_base_reference(walk, row, number, line=line, first=first)
        return tuple(found)

    def _add_base_reference(
        self, walk: Walk, row: int, number: int, *, line: int, first: int
    ) -> None:
        """Note the class that a base names, and the types in its arguments.

        Types named since index `first` belong to the base.
        """
        op, _, base, _ = walk.table.rows[row]
        named = base if op == _INDEX else row
        if op != _COMPREHENSION:
            self._references[_BASE, named, number, line] = None
        self._add_type_references(walk, first, number, base=named)

    def _header(self, walk: Walk, node: ts.Node, *, is_base: bool = False) -> int:
        """Return the row of a decorator or base, which is neither a value nor an annotation."""
        nodes, kind = walk.grammar.nodes, node.kind_id
        is_type = nodes.value_modes[kind] in (DOTTED, TYPE_NAME) or kind in nodes.calls
        is_type = is_type or (is_base and (kind in nodes.indexes or kind in nodes.wrappers))
        outer, walk.is_typed = walk.is_typed, is_type
        row = walk.value(node)
        walk.is_typed = outer
        return row


def _is_in_list(walk: Walk, node: ts.Node) -> bool:
    """Tell whether a spread node unpacks into a list, and not into the enclosing class."""
    nodes, parent = walk.grammar.nodes, node.parent
    if parent is None or nodes.shape_of(node, node.children).op != _SPREAD:
        return False
    shape = nodes.uniform_shapes[parent.kind_id] or nodes.shape_of(parent, parent.children)
    return shape.definition is None


def _type_parameters(walk: Walk, holder: ts.Node) -> Iterator[tuple[str, ts.Node]]:
    """Yield the names of type parameters, each with the node that declares it."""
    for node in holder.named_children:
        shape, children = walk.grammar.parameters.match_shape(node)
        indices = shape.parts.get("name", ())
        if indices:
            yield from ((walk.text(children[index]), node) for index in indices)
        else:
            match = _TYPE_PARAMETER.match(walk.text(node))
            if match is not None:
                yield match[1], node
