"""Headers of definitions read: decorators, type parameters, parameters, types and bases.

What a header names is a reference of the definition, and what it binds lives in the scope of the
body. Where a header stands before that scope is open, its own type parameters are told by name.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import tree_sitter as ts

from mu.model.facts import Binding, BindingKind, Op, Parameter, ReferenceKind, ScopeKind
from mu.model.references import Reference
from mu.syntax.matching.recognition import SPELLED, TYPE_NAME
from mu.syntax.roles.annotations import PLACED, AnnotationReader
from mu.syntax.roles.headers import last_name, parts_of, squeezed
from mu.syntax.roles.meeting import Met
from mu.syntax.roles.walk import Walk

EXTENSION = "definition.extension"

_CALL, _INDEX, _KEYWORD, _COMPREHENSION, _NAME = map(
    int, (Op.CALL, Op.INDEX, Op.KEYWORD, Op.COMPREHENSION, Op.NAME)
)
_SPREAD = int(Op.SPREAD)
_BASE, _ANNOTATION, _DECORATOR = map(
    int, (ReferenceKind.BASE, ReferenceKind.ANNOTATION, ReferenceKind.DECORATOR)
)
_MARKERS = {"parameter.rest": "*", "parameter.keywords": "**"}
_HOLDERS = {"*": "tuple", "**": "dict"}
_TYPE_PARAMETER = re.compile(r"[^\w']*(\w+)")  # but for lifetimes

OWN = "own"
"""The role of a parameter that only declares what the function is called on."""

Bases = tuple[tuple[int, int, str], ...]
"""(expression, line, text): of decorators theirs, of bases a keyword, empty for a base."""


class HeaderReader:
    """Reads headers, and gathers the references and bindings that they are."""

    def __init__(self, annotations: AnnotationReader) -> None:
        self._annotations = annotations
        self._decorators: list[tuple[int, int, str]] = []
        self._headers: dict[int, dict[str, int]] = {}  # where type parameters live
        self._typed = -1, -1  # the scope and the owner of the annotation that is being read
        self._nameless: dict[int, int] = {}  # definitions without a name, and what is around them
        self.type_parameters: dict[int, frozenset[str]] = {-1: frozenset()}
        self.extended: dict[int, list[tuple[int, int, str]]] = {}  # bases told of in bodies
        self._references: dict[Reference, None] = {}
        self.bindings: list[Binding] = []

    def declare(self, walk: Walk, node: ts.Node) -> int:
        """The row of an annotation that stands with a variable, its references noted."""
        scope, owner = self._typed
        if scope != walk.scope:  # else it is read as a part of another
            owner = walk.found.named_owners[walk.scope]
        return self._annotation(walk, node, owner)

    def read_base(self, walk: Walk, node: ts.Node) -> int:
        """The row of a base that stands in the body of its class."""
        if not self._is_of_class(walk):
            return self._annotation(walk, node, self._typed[1])
        if walk.owner in self._nameless:  # of a type that is written in place, or of a value
            is_type = walk.is_typed
            return self._annotation(walk, node, walk.owner) if is_type else walk.value(node)
        first, line = len(walk.found.types), node.start_point[0] + 1
        row = self._header(walk, node, is_base=True)
        self._note_base(walk, row, walk.owner, line=line, first=first)
        return row

    def _is_of_class(self, walk: Walk) -> bool:
        """Tell whether what is read belongs to the class around it, and to no type named there."""
        is_class = walk.found.scopes[walk.scope].kind == ScopeKind.CLASS
        return is_class and self._typed[0] != walk.scope

    def decorate(self, walk: Walk, node: ts.Node) -> int:
        """The row of a decorator of the definition that comes next."""
        is_run = walk.grammar.manifest.decorators_run
        types, first = walk.found.types, len(walk.found.types)
        row = self._header(walk, node) if is_run else walk.again(node)
        types[first:] = [one for one in types[first:] if one[0] != row]  # no type
        if not is_run:
            self._visit_arguments(walk, node)
        line = node.start_point[0] + 1
        self._decorators.append((row, line, squeezed(walk.text(node))))
        return row

    def _visit_arguments(self, walk: Walk, node: ts.Node) -> None:
        """Find what a decorator that does not run is given."""
        shape, children = walk.grammar.nodes.look(node)
        if shape.holder >= 0:
            walk.visit(children[shape.holder])

    def leave_decorated(self, walk: Walk, met: Met) -> None:
        """What is decorated has been walked, whether it is a definition or not."""
        if "of" in met.parts:
            self.take_decorators(walk, walk.found.named_owners[walk.scope])

    def extend(self, walk: Walk, met: Met) -> None:
        """The class here extends a value, which may be a member of it, too."""
        scope = walk.found.scopes[walk.scope]
        if not self._is_of_class(walk) or _is_in_list(walk, met.node):
            return
        line, row = met.needed("value").start_point[0] + 1, met.row("value")
        self.extended.setdefault(scope.definition, []).append((row, line, ""))
        for named in met.all("name"):
            name, kind = last_name(walk.text(named)), BindingKind.DECLARED
            walk.names.bind(walk.scope, name)
            self.bindings.append(Binding(kind, walk.scope, 0, name, row, line))

    def take_decorators(self, walk: Walk, number: int) -> Bases:
        """The decorators read last, which are those of the definition: (row, line, text)."""
        if not self._decorators:
            return ()
        taken = tuple(self._decorators)
        self._decorators.clear()
        for row, line, _ in taken:
            op, _, base, _ = walk.table.rows[row]
            used = base if op == _CALL else row
            if used:
                self._references[_DECORATOR, used, number, line] = None
        return taken

    def note_type_parameters(
        self, walk: Walk, number: int, *, holder: ts.Node | None, is_named: bool
    ) -> None:
        """Note which names are type parameters in a definition: those around, and its own."""
        if not is_named:
            self._nameless[number] = walk.found.named_owners[walk.scope]
        own = self.type_parameters.get(walk.owner, frozenset())
        if holder is not None:
            own |= {name for name, _ in _type_parameters(walk, holder)}
        self.type_parameters[number] = own

    def declare_type_parameters(self, walk: Walk, number: int, *, holder: ts.Node) -> None:
        """Bind the type parameters of a definition in the scope of its body, where the walk is."""
        found = list(_type_parameters(walk, holder))
        for name, _ in found:
            walk.names.declare_type(walk.scope, name)
        self._headers[number] = {name: walk.scope for name, _ in found}
        for name, node in found:
            self._bind_type_parameter(walk, number, name, node)

    def limit_type_parameters(self, walk: Walk, number: int, *, holder: ts.Node) -> None:
        """Bind what a list says of a definition's own type parameters, where the walk is."""
        own = self._headers[number]
        for node in holder.named_children:
            shape, children = walk.grammar.parameters.look(node)
            names = [walk.text(children[place]) for place in shape.parts.get("name", ())]
            if names and names[0] in own:
                self._bind_type_parameter(walk, number, names[0], node)
            else:
                walk.visit(node)

    def _bind_type_parameter(self, walk: Walk, number: int, name: str, node: ts.Node) -> None:
        shape, children = walk.grammar.parameters.look(node)
        holders = [children[place] for place in shape.parts.get("type", ())]
        bounds = [bound for holder in holders for bound in parts_of(walk, holder)]
        skipped = walk.grammar.nodes.skipped
        rows = [self._annotation(walk, b, number) for b in bounds if b.kind_id not in skipped]
        for place in shape.parts.get("value", ()):
            self._annotation(walk, children[place], number)
        kind, line = BindingKind.TYPE_PARAMETER, node.start_point[0] + 1
        self.bindings += [Binding(kind, walk.scope, 0, name, row, line) for row in rows or [0]]

    def read_type(self, walk: Walk, node: ts.Node, *, number: int) -> int:
        """The row of a type in a header, read where its own type parameters are known."""
        self._read_header(walk, number)
        row = self._annotation(walk, node, number)
        walk.resume(walk.scope)
        return row

    def _read_header(self, walk: Walk, number: int) -> None:
        """Read a definition's own type parameters as such, until the walk is resumed."""
        if number in self._headers:
            walk.resume(walk.scope, self._headers[number])

    def read_parameters(
        self, walk: Walk, met: Met, *, holder: str, number: int
    ) -> tuple[list[tuple[str, Parameter]], list[tuple[ts.Node, str]]]:
        """The parameters in the part `holder` with their roles, and those that are unpacked into
        names on the spot; a node that names several is as many.
        """
        found: list[tuple[str, Parameter]] = []
        unpacked: list[tuple[ts.Node, str]] = []
        if holder not in met.parts:
            return found, unpacked
        table, holders = walk.grammar.parameters, met.all(holder)
        nodes: Sequence[ts.Node] = [node for one in holders for node in one.named_children]
        if not nodes and table.look(holders[0])[0].role:
            nodes = holders  # a parameter by itself
        for node in nodes:
            shape, children = table.look(node)
            if not shape.role:
                walk.visit(node)
                continue
            text = walk.text(node)
            if not children and shape.role == "parameter":  # no more than a name
                role = OWN if text in walk.grammar.manifest.own_names else shape.role
                found.append((role, Parameter(text, "", squeezed(text), 0, 0)))
                continue
            if shape.role == PLACED:
                row = self.read_type(walk, node, number=number)
                found.append((PLACED, Parameter(str(len(found)), "", squeezed(text), row, 0)))
                continue
            names = [""] if "type" in shape.parts else [text]
            annotation = default = 0
            for part, (place, *others) in shape.parts.items():
                if part == "name":
                    names = [walk.text(children[one]) for one in (place, *others)]
                    if children[place].kind_id not in walk.grammar.nodes.names:
                        unpacked.append((children[place], names[0]))
                elif part == "type":
                    annotation = self.read_type(walk, children[place], number=number)
                elif part == "value":
                    default = walk.value(children[place])
                elif part == "around":
                    self.read_type(walk, children[place], number=number)
                elif part == "decorators":
                    self._decorate_parameter(
                        walk, [children[one] for one in shape.parts[part]], number
                    )
            kind = _MARKERS.get(shape.role, "")
            role = OWN if names[0] in walk.grammar.manifest.own_names else shape.role
            shown = squeezed(text)
            rows = [Parameter(name, kind, shown, annotation, default) for name in names]
            found += [(role, row) for row in rows]
        return found, unpacked

    def _decorate_parameter(self, walk: Walk, decorators: list[ts.Node], number: int) -> None:
        """Note what decorates a parameter: it is used by the function."""
        for node in (inner for one in decorators for inner in one.named_children):
            if node.kind_id not in walk.grammar.nodes.skipped:
                self.decorate(walk, node)
        self.take_decorators(walk, self._nameless.get(number, number))

    def bind_own_name(self, walk: Walk, name: str, *, row: int, line: int) -> None:
        """Bind the name of a function in place, which nothing around it sees, in its own scope."""
        if not walk.names.is_bound(walk.scope, name):  # else a parameter has it
            walk.names.bind(walk.scope, name)
            self.bindings.append(Binding(BindingKind.VALUE, walk.scope, 0, name, row, line))

    def bind_parameters(
        self, walk: Walk, parameters: list[tuple[str, Parameter]], *, line: int, receiver_of: int
    ) -> None:
        """Bind the parameters in the scope of the body, in which the walk is."""
        scope = walk.scope
        for place, (role, row) in enumerate(parameters):
            if row.name in ("", walk.grammar.manifest.blank):
                continue
            if role == "parameter.field":
                self._bind_field(walk, row.name, line)
            is_receiver = place == 0 and role == "parameter"
            if walk.found.scopes[scope].kind == ScopeKind.CLASS:  # what the head of a class lists
                walk.names.bind(scope, row.name)
            else:
                walk.names.take(scope, row.name, receiver_of=receiver_of if is_receiver else -1)
            if row.annotation:
                declared = row.annotation
                if row.kind:
                    declared = walk.table.row((_COMPREHENSION, _HOLDERS[row.kind], declared, ()))
                kind = BindingKind.DECLARED
                self.bindings.append(Binding(kind, scope, 0, row.name, declared, line))
            if row.default:
                kind = BindingKind.VALUE
                self.bindings.append(Binding(kind, scope, 0, row.name, row.default, line))

    def _bind_field(self, walk: Walk, name: str, line: int) -> None:
        """Bind a member of what a method is called on to a parameter."""
        own = walk.grammar.manifest.own_names[0]
        receiver = walk.table.row((_NAME, own, walk.names.home(walk.scope, own), ()))
        value = walk.table.row((_NAME, name, walk.scope, ()))
        row = Binding(BindingKind.VALUE, walk.scope, receiver, name, value, line)
        self.bindings.append(row)

    def _annotation(self, walk: Walk, node: ts.Node, owner: int) -> int:
        first, typed = len(walk.found.types), self._typed
        self._typed = walk.scope, owner
        row = self._annotations.read(walk, node)
        self._typed = typed
        self._note_types(walk, first, owner)
        return row

    def _note_types(self, walk: Walk, first: int, owner: int, *, base: int = 0) -> None:
        """Note for `owner` what was named as a type from the place `first` on, but for a `base`.

        What has no name of its own names them on behalf of what is around it.
        """
        types, named = walk.found.types, self._nameless.get(owner, owner)
        for leaf, line, _ in types[first:]:
            if leaf == base:
                base = 0
            elif self._is_told(walk, leaf, owner):
                self._references[_ANNOTATION, leaf, named, line] = None
        del types[first:]

    def _is_told(self, walk: Walk, leaf: int, owner: int) -> bool:
        """Tell whether a type has a name that is visible outside of the definition around it."""
        op, text, _, _ = walk.table.rows[leaf]
        manifest = walk.grammar.manifest
        if text in manifest.own_names or text == manifest.blank:
            return False
        return op != _NAME or text not in self.type_parameters[owner]

    def references(self, walk: Walk) -> Iterable[Reference]:
        """Those of headers, and what was named as a type elsewhere; once, at the end."""
        found = walk.found
        for leaf, line, scope in found.types:
            if self._is_told(walk, leaf, found.owners[scope]):
                self._references[_ANNOTATION, leaf, found.named_owners[scope], line] = None
        return self._references

    def note_generic(self, walk: Walk, met: Met) -> None:
        """A name stands for any type, as long as the type or the definition goes on."""
        walk.found.generic |= {walk.text(named) for named in met.all("name")}

    def read_bases(self, walk: Walk, met: Met, *, number: int) -> Bases:
        """The bases of a class, and what stands among them by keyword."""
        if "bases" not in met.parts and met.role != EXTENSION:
            return ()
        found = []
        nodes, rows = walk.grammar.nodes, walk.table.rows
        if met.role == EXTENSION:
            node = met.needed("class")
            found.append((self.read_type(walk, node, number=number), node.start_point[0] + 1, ""))
        for node in [node for holder in met.all("bases") for node in parts_of(walk, holder)]:
            if node.kind_id in nodes.skipped:
                continue
            self._read_header(walk, number)
            first, line = len(walk.found.types), node.start_point[0] + 1
            row = self._header(walk, node, is_base=True)
            walk.resume(walk.scope)
            op, text, base, _ = rows[row]
            if op == _KEYWORD:
                found.append((base, line, text))
                continue
            found.append((row, line, ""))
            self._note_base(walk, row, number, line=line, first=first)
        return tuple(found)

    def _note_base(self, walk: Walk, row: int, number: int, *, line: int, first: int) -> None:
        """Note what a base names: the class, and what stands in it as an argument or element, of
        which `first` is the place among what was named as a type.
        """
        op, _, base, _ = walk.table.rows[row]
        named = base if op == _INDEX else row
        if op != _COMPREHENSION:
            self._references[_BASE, named, number, line] = None
        self._note_types(walk, first, number, base=named)

    def _header(self, walk: Walk, node: ts.Node, *, is_base: bool = False) -> int:
        """The row of a decorator or a base: itself no value, nor are the types it is made of."""
        nodes, kind = walk.grammar.nodes, node.kind_id
        is_type = nodes.ways[kind] in (SPELLED, TYPE_NAME) or kind in nodes.calls
        is_type = is_type or (is_base and (kind in nodes.indexes or kind in nodes.same))
        outer, walk.is_typed = walk.is_typed, is_type
        row = walk.value(node)
        walk.is_typed = outer
        return row


def _is_in_list(walk: Walk, node: ts.Node) -> bool:
    """Tell whether what is unpacked here goes into a list, and not into the class around."""
    nodes, parent = walk.grammar.nodes, node.parent
    if parent is None or nodes.shape_of(node, node.children).op != _SPREAD:
        return False
    shape = nodes.alike[parent.kind_id] or nodes.shape_of(parent, parent.children)
    return shape.whole is None


def _type_parameters(walk: Walk, holder: ts.Node) -> Iterator[tuple[str, ts.Node]]:
    """The names of type parameters, each with the node that declares it, alone or with others."""
    for node in holder.named_children:
        shape, children = walk.grammar.parameters.look(node)
        places = shape.parts.get("name", ())
        if places:
            yield from ((walk.text(children[place]), node) for place in places)
        else:
            match = _TYPE_PARAMETER.match(walk.text(node))
            if match is not None:
                yield match[1], node
