"""Definitions as rows: headers read part by part, bodies by what they give and how they branch."""

import inspect
import re
from collections.abc import Sequence
from functools import partial
from hashlib import blake2b

import tree_sitter as ts

from mu.model.facts import (
    Binding,
    BindingKind,
    Definition,
    Flag,
    Op,
    Parameter,
    Reference,
    ReferenceKind,
    ScopeKind,
)
from mu.syntax.annotations import AnnotationReader
from mu.syntax.bindings import Bindings
from mu.syntax.headers import (
    CONSTRUCTOR,
    EMPTY,
    OBJECT,
    Header,
    flags_of,
    header_text,
    inside_of,
    last_name,
    parts_of,
    plain_name,
    signature_of,
    squeezed,
)
from mu.syntax.meeting import Met
from mu.syntax.recognition import SPELLED
from mu.syntax.walk import Walk

LONGEST_DOCSTRING = 4000

_CALL, _INDEX, _KEYWORD, _COMPREHENSION, _COLLECTION = map(
    int, (Op.CALL, Op.INDEX, Op.KEYWORD, Op.COMPREHENSION, Op.COLLECTION)
)
_ASYNC, _GENERATOR, _STATIC = int(Flag.ASYNC), int(Flag.GENERATOR), int(Flag.STATIC)
_LABEL, _NAME = int(Flag.LABEL), int(Op.NAME)
_BASE, _ANNOTATION, _DECORATOR = map(
    int, (ReferenceKind.BASE, ReferenceKind.ANNOTATION, ReferenceKind.DECORATOR)
)
_EXTENSION = "definition.extension"
_KINDS = {"definition.class": "class", "scope.class": "class", _EXTENSION: "extension"}
_OWN = "own"  # the role of a parameter that only declares what the function is called on
_IN_PLACE = ("scope.class", "scope.function")
_MARKERS = {"parameter.rest": "*", "parameter.keywords": "**"}
_HOLDERS = {"*": "tuple", "**": "dict"}
_TYPE_PARAMETER = re.compile(r"\W*(\w+)")


class Definitions:
    """Gathers the definitions of a file, and the references and bindings of their headers."""

    def __init__(self, annotations: AnnotationReader, bindings: Bindings) -> None:
        self._annotations = annotations
        self._unpacked = bindings
        self._count = 0
        self._rows: dict[int, Definition] = {}
        # Of what is written in place, by the byte its body begins at: its name, and whether that
        # is no more than a label.
        self._names: dict[int, tuple[str, bool]] = {}
        self._decorators: list[tuple[int, int, str]] = []
        self._given: dict[str, dict[int, dict[int, None]]] = {"return": {}, "yield": {}}
        self._generators: set[int] = set()
        self._type_parameters: dict[int, frozenset[str]] = {-1: frozenset()}
        self._headers: dict[int, dict[str, int]] = {}  # where type parameters live
        self._extensions: dict[str, int] = {}  # those of single functions, by the class they name
        self._extended: dict[int, list[tuple[int, int, str]]] = {}  # bases told of in bodies
        self._annotated: set[tuple[int, int]] = set()  # (row, owner) of the references there are
        self.package = ""
        self.references: list[Reference] = []
        self.bindings: list[Binding] = []

    def define(self, walk: Walk, met: Met) -> int:
        """Walk a definition, in the order of the text; its number."""
        extended = met.part("class")
        if extended is None or met.role == _EXTENSION:
            return self._define(walk, met, scope=walk.scope)
        return self._define(walk, met, scope=self._extension(walk, extended))

    def _extension(self, walk: Walk, node: ts.Node) -> int:
        """The scope of what is defined for a class outside of its body, one for each class."""
        name = walk.text(node)
        number = self._extensions.get(name)
        if number is None:
            number = self._extensions[name] = self._count
            self._count += 1
            line = node.start_point[0] + 1
            scope, row = walk.scope, walk.again(node)
            inside = walk.enter(node, ScopeKind.CLASS, definition=number, is_named=True)
            walk.resume(scope)
            self._type_parameters[number] = frozenset()
            self._rows[number] = EMPTY._replace(
                kind="extension",
                name=name,
                scope=scope,
                body=inside,
                start_line=line,
                end_line=line,
                bases=((row, line, ""),),
            )
        return self._rows[number].body

    def _define(self, walk: Walk, met: Met, *, scope: int) -> int:
        """The same; `scope` is where its name is bound, which may lie elsewhere."""
        number = self._count
        self._count += 1
        name, is_label = self._name_of(walk, met)
        if name and not is_label and met.role != _EXTENSION:
            walk.names.define(scope, name)
            walk.bound[number] = scope, name
        if "decorators" in met.parts:
            for decorator in met.all("decorators"):
                walk.visit(decorator)
        decorators = () if met.role in _IN_PLACE else self._take_decorators(walk, number)
        generics = met.part("generics")
        outer, inside = walk.scope, -1
        enter = partial(self._enter, walk, met, number, scope=scope, is_named=bool(name))
        self._note_type_parameters(walk, number, generics)
        if generics is not None:  # these belong to the scope of the body
            inside = enter()
            self._declare_type_parameters(walk, number, generics)
            walk.resume(outer)
        parameters, targets = self._parameters(walk, number, met.all("parameters"))
        bases = self._bases(walk, number, met)
        results, _ = self._parameters(walk, number, met.all("results"))
        declared = self._given_type(walk, met, number, results)
        if inside >= 0:
            walk.resume(inside)
        else:
            inside = enter()
        line = met.node.start_point[0] + 1
        self._bind(walk, parameters, line, receiver_of=-1 if decorators else scope)
        self._bind(walk, results, line, receiver_of=-1)
        for target, text in targets:
            row = walk.table.row((_NAME, text, inside, ()))
            self._unpacked.unpack(walk, target, value=row)
        self._walk_body(walk, met, number)
        walk.resume(outer)
        flags = walk.flags | flags_of(met, is_label=is_label)
        taken = tuple([parameter for role, parameter in parameters if role != _OWN])
        home = walk.names.place(scope, name) if number in walk.bound else scope
        header = Header(name, home, inside, flags, taken, declared, decorators, bases)
        self._rows[number] = self._row(walk, met, header)
        return number

    def _row(self, walk: Walk, met: Met, header: Header) -> Definition:
        """The row of a definition, but for what its body comes to."""
        node, body = met.node, met.part("body")
        returns = met.part("returns") or met.part("results")
        is_lambda = met.role == "scope.function"
        name, scope, inside, flags, parameters, declared, decorators, bases = header
        text = walk.source[node.start_byte : node.end_byte] if name else b""
        subkind = "lambda" if is_lambda and not met.subkind else met.subkind
        if name and name == walk.grammar.manifest.constructor:
            subkind = CONSTRUCTOR
        return Definition(
            kind=_KINDS.get(met.role, "function"),
            subkind=subkind,
            name=name,
            scope=scope,
            body=inside,
            start_line=node.start_point[0] + 1,
            end_line=node.end_point[0] + 1,
            signature=signature_of(header_text(met, text)) if name else "",
            docstring=self.docstring(walk, body) if body is not None and not is_lambda else "",
            flags=flags,
            parameters=parameters,
            returns=declared,
            returns_text="" if returns is None else squeezed(walk.text(returns)).lstrip(": "),
            decorators=decorators,
            bases=bases,
            returned=(),
            yielded=(),
            complexity=1,
            digest=blake2b(text, digest_size=8).hexdigest() if text else "",
        )

    def _given_type(
        self, walk: Walk, met: Met, number: int, results: Sequence[tuple[str, Parameter]]
    ) -> int:
        """The row of the type of what a function gives: of one thing, or several together."""
        returns = met.part("returns")
        if returns is not None:
            return self._typed(walk, returns, number)
        rows = tuple(row.annotation for _, row in results)
        several = (_COLLECTION, "tuple", 0, rows)
        return walk.table.row(several) if len(rows) > 1 else sum(rows)

    def _enter(self, walk: Walk, met: Met, number: int, *, scope: int, is_named: bool) -> int:
        """Open the scope of a definition, inside `scope`."""
        walk.resume(scope)
        body = met.part("body")
        return walk.enter(
            met.node if body is None else body,
            ScopeKind.CLASS if met.role in _KINDS else ScopeKind.FUNCTION,
            definition=number,
            is_named=is_named and met.subkind != OBJECT,
            how=inside_of(walk, met),
        )

    def _name_of(self, walk: Walk, met: Met) -> tuple[str, bool]:
        """The name of what is defined, of its class for an extension, empty for none; and whether
        it is only a label.
        """
        named = met.part("class" if met.role == _EXTENSION else "name")
        if named is not None and met.role not in _IN_PLACE:
            name = walk.text(named)
            return (last_name(name) if met.role == _EXTENSION else plain_name(name)), False
        body = met.part("body")
        found = self._names.get(met.node.start_byte)
        if found is None and body is not None:
            found = self._names.get(body.start_byte)
        if found is not None:
            return found[0], found[1] or met.subkind == OBJECT
        return ("", False) if named is None else (walk.text(named), False)

    def _walk_body(self, walk: Walk, met: Met, number: int) -> None:
        """Walk what a definition holds, in the scope it has opened."""
        body = met.part("body")
        if met.role == "scope.function" and body is not None:
            walk.opened = body.id
            given = walk.value(body)
            if given:
                self._given["return"].setdefault(number, {})[given] = None
        elif body is not None:
            walk.opened = body.id
            walk.visit(body)
        elif met.role == "scope.class":
            for child in met.node.named_children:
                walk.visit(child)

    def rows(self, walk: Walk) -> tuple[Definition, ...]:
        """All of them, in the order of the text, with what their bodies come to."""
        returned, yielded = self._given["return"], self._given["yield"]
        rows = []
        for number in range(self._count):
            row = self._rows[number]
            if number in self._extended:
                row = row._replace(bases=(*row.bases, *self._extended[number]))
            is_generator = number in self._generators
            if is_generator or number in returned or number in yielded or number in walk.branches:
                row = row._replace(
                    flags=row.flags | (_GENERATOR if is_generator else 0),
                    returned=tuple(returned.get(number, ())),
                    yielded=tuple(yielded.get(number, ())),
                    complexity=walk.branches[number] + 1,
                )
            rows.append(row)
        return tuple(rows)

    def docstring(self, walk: Walk, body: ts.Node) -> str:
        """What documents the definition of this body, or the file."""
        docstrings = walk.grammar.docstrings
        if not docstrings.known:
            return ""
        for node in body.named_children:
            if node.kind_id in walk.grammar.nodes.skipped:
                continue
            captures = docstrings.captures(node)
            if captures is None:
                break
            text = walk.text(captures["text"][0])
            return (inspect.cleandoc(text) if "\n" in text else text.strip())[:LONGEST_DOCSTRING]
        return ""

    def name(self, walk: Walk, met: Met) -> None:
        """What is written in place and has this body is known by a name: bound to it, or, where
        that is the name of a member of something, only called so.
        """
        owner = met.part("owner")
        name = plain_name(walk.text(met.needed("name")))
        if owner is not None:
            name = f"{walk.text(owner)}.{name}"
        self._names[met.needed("body").start_byte] = name, owner is not None

    def give(self, walk: Walk, met: Met) -> None:
        """The function here returns or yields a value."""
        self._given[met.role].setdefault(walk.owner, {})[met.row("value")] = None

    def generate(self, walk: Walk, _met: Met) -> None:
        """The function here is a generator."""
        self._generators.add(walk.owner)

    def declare(self, walk: Walk, node: ts.Node) -> int:
        """The row of an annotation that stands with a variable, its references noted."""
        return self._annotation(walk, node, walk.named_owner)

    def belong(self, walk: Walk, met: Met) -> None:
        """The file belongs to a package."""
        self.package = walk.text(met.needed("name"))

    def extend(self, walk: Walk, met: Met) -> None:
        """The class here extends a value, which may be a member of it, too."""
        if walk.scopes[walk.scope].kind != ScopeKind.CLASS:
            return
        line, row = met.needed("value").start_point[0] + 1, met.row("value")
        self._extended.setdefault(walk.owner, []).append((row, line, ""))
        for named in met.all("name"):
            name, kind = last_name(walk.text(named)), BindingKind.DECLARED
            walk.names.bind(walk.scope, name)
            self.bindings.append(Binding(kind, walk.scope, 0, name, row, line))

    def read_base(self, walk: Walk, node: ts.Node) -> int:
        """The row of a base that stands in the body of its class."""
        row, line = self._header(walk, node, is_base=True), node.start_point[0] + 1
        if walk.scopes[walk.scope].kind == ScopeKind.CLASS:
            self._note_base(walk, row, walk.owner, line)
        return row

    def decorate(self, walk: Walk, node: ts.Node) -> int:
        """The row of a decorator of the definition that comes next."""
        row = self._header(walk, node)
        line = node.start_point[0] + 1
        self._decorators.append((row, line, squeezed(walk.text(node))))
        return row

    def leave_decorated(self, _walk: Walk, met: Met) -> None:
        """What is decorated has been walked, whether it is a definition or not."""
        if "of" in met.parts:
            self._decorators.clear()

    def _take_decorators(self, walk: Walk, number: int) -> tuple[tuple[int, int, str], ...]:
        taken = tuple(self._decorators)
        self._decorators.clear()
        for row, line, _ in taken:
            op, _, base, _ = walk.table.rows[row]
            used = base if op == _CALL else row
            if used:
                self.references.append((_DECORATOR, used, number, line))
        return taken

    def _note_type_parameters(self, walk: Walk, number: int, holder: ts.Node | None) -> None:
        own = self._type_parameters.get(walk.owner, frozenset())
        if holder is not None:
            walk.visit(holder)
            found = (_TYPE_PARAMETER.match(walk.text(node)) for node in holder.named_children)
            own |= {match[1] for match in found if match is not None}
        self._type_parameters[number] = own

    def _declare_type_parameters(self, walk: Walk, number: int, holder: ts.Node) -> None:
        """Bind the type parameters of a definition in the scope of its body, where the walk is."""
        found = []
        for node in holder.named_children:
            match = _TYPE_PARAMETER.match(walk.text(node))
            if match is not None:
                walk.names.declare_type(walk.scope, match[1])
                found.append((match[1], node))
        self._headers[number] = {name: walk.scope for name, _ in found}
        for name, node in found:
            shape, children = walk.grammar.parameters.look(node)
            places = shape.parts.get("type")
            bound = self._annotation(walk, children[places[0]], number) if places else 0
            line = node.start_point[0] + 1
            row = Binding(BindingKind.TYPE_PARAMETER, walk.scope, 0, name, bound, line)
            self.bindings.append(row)

    def _typed(self, walk: Walk, node: ts.Node, number: int) -> int:
        """The row of a type in a header, read where its own type parameters are known."""
        self._read_header(walk, number)
        row = self._annotation(walk, node, number)
        walk.resume(walk.scope)
        return row

    def _read_header(self, walk: Walk, number: int) -> None:
        """Read a definition's own type parameters as such, until the walk is resumed."""
        if number in self._headers:
            walk.resume(walk.scope, self._headers[number])

    def _parameters(
        self, walk: Walk, number: int, holders: Sequence[ts.Node]
    ) -> tuple[list[tuple[str, Parameter]], list[tuple[ts.Node, str]]]:
        """The parameters with their roles, and those that are unpacked into names on the spot; a
        node that names several is as many.
        """
        found = []
        unpacked = []
        table = walk.grammar.parameters
        nodes: Sequence[ts.Node] = [node for holder in holders for node in holder.named_children]
        if holders and not nodes and table.look(holders[0])[0].role:
            nodes = holders  # a parameter by itself
        for node in nodes:
            shape, children = table.look(node)
            if not shape.role:
                walk.visit(node)
                continue
            text = walk.text(node)
            names = [""] if "type" in shape.parts else [text]
            annotation = default = 0
            for part, (place, *others) in shape.parts.items():
                if part == "name":
                    names = [walk.text(children[one]) for one in (place, *others)]
                    if children[place].kind_id not in walk.grammar.nodes.names:
                        unpacked.append((children[place], names[0]))
                elif part == "type":
                    annotation = self._typed(walk, children[place], number)
                elif part == "value":
                    default = walk.value(children[place])
            kind = _MARKERS.get(shape.role, "")
            role = _OWN if names[0] in walk.grammar.manifest.own_names else shape.role
            shown = squeezed(text)
            rows = [Parameter(name, kind, shown, annotation, default) for name in names]
            found += [(role, row) for row in rows]
        return found, unpacked

    def _bind(
        self, walk: Walk, parameters: list[tuple[str, Parameter]], line: int, *, receiver_of: int
    ) -> None:
        """Bind the parameters in the scope of the body, in which the walk is."""
        scope = walk.scope
        for place, (role, row) in enumerate(parameters):
            if row.name in ("", walk.grammar.manifest.blank):
                continue
            if role == "parameter.field":
                self._bind_field(walk, row.name, line)
            is_receiver = place == 0 and role == "parameter"
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
        row = self._annotations.read(walk, node)
        line = node.start_point[0] + 1
        own, rows = self._type_parameters[owner], walk.table.rows
        skipped = (*walk.grammar.manifest.own_names, walk.grammar.manifest.blank)
        for leaf in self._annotations.leaves(rows, row):
            if rows[leaf][1] in skipped:
                continue
            if (leaf, owner) not in self._annotated and rows[leaf][1] not in own:
                self._annotated.add((leaf, owner))
                self.references.append((_ANNOTATION, leaf, owner, line))
        return row

    def _bases(self, walk: Walk, number: int, met: Met) -> tuple[tuple[int, int, str], ...]:
        found = []
        nodes, rows = walk.grammar.nodes, walk.table.rows
        if met.role == _EXTENSION:
            self._read_header(walk, number)
            node = met.needed("class")
            found.append((walk.again(node), node.start_point[0] + 1, ""))
            walk.resume(walk.scope)
        for node in [node for holder in met.all("bases") for node in parts_of(walk, holder)]:
            if node.kind_id in nodes.skipped:
                continue
            self._read_header(walk, number)
            row, line = self._header(walk, node, is_base=True), node.start_point[0] + 1
            walk.resume(walk.scope)
            op, text, base, _ = rows[row]
            if op == _KEYWORD:
                found.append((base, line, text))
                continue
            found.append((row, line, ""))
            self._note_base(walk, row, number, line)
        return tuple(found)

    def _note_base(self, walk: Walk, row: int, number: int, line: int) -> None:
        """Note what a base names: the class, and what stands in it as an argument or element."""
        rows = walk.table.rows
        op, _, base, _ = rows[row]
        if op != _COMPREHENSION:
            self.references.append((_BASE, base if op == _INDEX else row, number, line))
        for leaf in self._annotations.arguments(rows, row):
            if rows[leaf][1] not in self._type_parameters[number]:
                self.references.append((_ANNOTATION, leaf, number, line))

    def _header(self, walk: Walk, node: ts.Node, *, is_base: bool = False) -> int:
        """The row of a decorator or a base: itself no value, nor are the types it is made of."""
        nodes, kind = walk.grammar.nodes, node.kind_id
        is_type = nodes.ways[kind] == SPELLED or kind in nodes.calls
        outer, walk.is_typed = walk.is_typed, is_type or (is_base and kind in nodes.indexes)
        row = walk.value(node)
        walk.is_typed = outer
        return row
