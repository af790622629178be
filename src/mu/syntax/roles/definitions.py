"""Definitions as rows: headers read part by part, bodies by what they give and how they branch."""

import inspect
from collections.abc import Sequence
from hashlib import blake2b

import tree_sitter as ts

from mu.model.facts import NO_DEFINITION, RAISING, Definition, Flag, Op, Parameter, ScopeKind
from mu.syntax.roles.bindings import Bindings
from mu.syntax.roles.header_reader import EXTENSION, OWN, HeaderReader
from mu.syntax.roles.headers import (
    CONSTRUCTOR,
    OBJECT,
    Header,
    flags_of,
    header_text,
    inside_of,
    last_name,
    plain_name,
    signature_of,
    squeezed,
)
from mu.syntax.roles.meeting import Met
from mu.syntax.roles.walk import Walk

LONGEST_DOCSTRING = 4000

_COLLECTION, _NAME, _GENERATOR = int(Op.COLLECTION), int(Op.NAME), int(Flag.GENERATOR)
_ELEMENT, _OPERATOR = int(Op.ELEMENT), int(Op.OPERATOR)
_KINDS = {"definition.class": "class", "scope.class": "class", EXTENSION: "extension"}
_FUNCTION = int(Op.FUNCTION)
_IN_PLACE = ("scope.class", "scope.function")

_FUNCTIONS = frozenset(("scope.function", "definition.function", "definition.lambda"))


class Definitions:
    """Gathers the definitions of a file."""

    def __init__(self, headers: HeaderReader, bindings: Bindings) -> None:
        self._headers = headers
        self._unpacked = bindings
        self._count = 0
        self._rows: dict[int, Definition] = {}
        # Of what is written in place, by the byte its body begins at: its name, and whether that
        # is no more than a label.
        self._names: dict[int, tuple[str, bool]] = {}
        self._given: dict[str, dict[int, dict[int, None]]] = {"return": {}, "yield": {}}
        self._declared: dict[int, int] = {}  # the types of what the open functions give
        self._generators: set[int] = set()
        self._extensions: dict[str, int] = {}  # those of single functions, by the class they name
        self.package = ""

    def define(self, walk: Walk, met: Met) -> int:
        """Walk a definition, in the order of the text; its number."""
        extended = met.part("class")
        if extended is None or met.role == EXTENSION:
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
            self._headers.type_parameters[number] = frozenset()
            self._rows[number] = NO_DEFINITION._replace(
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
        if name and not is_label and met.role != EXTENSION:
            walk.names.define(scope, name)
            walk.found.bound[number] = scope, name
        headers = self._headers
        named = met.part("name")
        if named is not None and named.named_child_count:  # what it is computed from is run here
            walk.visit(named)
        if "decorators" in met.parts:
            for decorator in met.all("decorators"):
                walk.visit(decorator)
        decorators = () if met.role in _IN_PLACE else headers.take_decorators(walk, number)
        generics, generic = met.part("generics"), walk.found.generic
        outer, inside = walk.scope, -1
        headers.note_type_parameters(walk, number, holder=generics, is_named=bool(name))
        if generics is not None:  # these belong to the scope of the body
            inside = self._enter(walk, met, number, scope=scope, is_named=bool(name))
            headers.declare_type_parameters(walk, number, holder=generics)
            limits = met.part("limits")
            if limits is not None:
                headers.limit_type_parameters(walk, number, holder=limits)
            walk.resume(outer)
        parameters, targets = headers.read_parameters(walk, met, holder="parameters", number=number)
        bases = headers.read_bases(walk, met, number=number)
        results = headers.read_parameters(walk, met, holder="results", number=number)[0]
        declared = self._declared[number] = self._given_type(walk, met, number, results)
        if inside >= 0:
            walk.resume(inside)
        else:
            inside = self._enter(walk, met, number, scope=scope, is_named=bool(name))
        line = met.node.start_point[0] + 1
        is_of_class = name in walk.grammar.manifest.implicit_class_methods
        receiver_of = -1 if decorators or is_of_class else scope
        headers.bind_parameters(walk, parameters, line=line, receiver_of=receiver_of)
        if results:
            headers.bind_parameters(walk, results, line=line, receiver_of=-1)
        if met.role == "scope.function" and "name" in met.parts:
            row = walk.table.row((_FUNCTION, "", number, ()))
            headers.bind_own_name(walk, walk.text(met.needed("name")), row=row, line=line)
        for target, text in targets:
            row = walk.table.row((_NAME, text, inside, ()))
            self._unpacked.unpack(walk, target, value=row)
        for other in met.all("header") + ([] if generics else met.all("limits")):
            walk.visit(other)
        self._walk_body(walk, met, number)
        walk.found.generic = generic
        walk.resume(outer)
        del self._declared[number]
        flags = walk.flags | flags_of(met, is_label=is_label)
        taken = tuple([parameter for role, parameter in parameters if role != OWN])
        home = walk.names.place(scope, name) if number in walk.found.bound else scope
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
        marks = walk.grammar.manifest.comments.line
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
            end_line=_last_line(node),
            signature=signature_of(header_text(met, text, marks=marks)) if name else "",
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

    def hand_on(self, walk: Walk, met: Met) -> None:
        """An error in a value becomes one of what the function here is declared to give."""
        declared = self._declared.get(walk.owner, 0)
        if declared:
            row = walk.table.row((_OPERATOR, RAISING, 0, (met.row("value"), declared)))
            walk.operate(row, met.needed("value"))

    def _given_type(
        self, walk: Walk, met: Met, number: int, results: Sequence[tuple[str, Parameter]]
    ) -> int:
        """The row of the type of what a function gives: of one thing, or several together."""
        returns = met.part("returns")
        if returns is not None:
            return self._headers.read_type(walk, returns, number=number)
        if not results:
            return 0
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
        named = met.part("class" if met.role == EXTENSION else "name")
        if named is not None and met.role not in _IN_PLACE:
            name = walk.text(named)
            return (last_name(name) if met.role == EXTENSION else plain_name(name)), False
        body = met.part("body")
        found = self._names.get(met.node.start_byte)
        if found is None and body is not None:
            found = self._names.get(body.start_byte)
        if found is not None:
            return found[0], found[1] or met.subkind == OBJECT
        if named is None:
            return "", False
        around = met.node.parent  # next to a mistake a declaration may be taken for a value
        is_whole = around is not None and not around.has_error
        return walk.text(named), is_whole and met.role == "scope.function"  # it sees that alone

    def _walk_body(self, walk: Walk, met: Met, number: int) -> None:
        """Walk what a definition holds, in the scope it has opened."""
        body = met.part("body")
        is_given = met.role == "scope.function" or walk.grammar.manifest.bodies_give_values
        if is_given and body is not None and met.role in _FUNCTIONS:
            walk.opened = body.id
            given = walk.value(body)
            if given and (met.role != "definition.function" or "returns" in met.parts):
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
            if number in self._headers.extended:
                row = row._replace(bases=(*row.bases, *self._headers.extended[number]))
            is_generator = number in self._generators
            if (
                is_generator
                or number in returned
                or number in yielded
                or number in walk.found.branches
            ):
                row = row._replace(
                    flags=row.flags | (_GENERATOR if is_generator else 0),
                    returned=tuple(returned.get(number, ())),
                    yielded=tuple(yielded.get(number, ())),
                    complexity=walk.found.branches[number] + 1,
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
        """The function here returns or yields a value, or all that is in one."""
        row = met.row("value")
        if "all" in met.parts:
            row = walk.table.row((_ELEMENT, "", row, ()))
            walk.operate(row, met.needed("value"))
        self._given[met.role].setdefault(walk.owner, {})[row] = None

    def generate(self, walk: Walk, _met: Met) -> None:
        """The function here is a generator."""
        self._generators.add(walk.owner)

    def belong(self, walk: Walk, met: Met) -> None:
        """The file belongs to a package."""
        self.package = walk.text(met.needed("name"))


def _last_line(node: ts.Node) -> int:
    """The last line, from 1, that has any of a node: an end that is missing stands behind a file's
    last line.
    """
    row, column = node.end_point
    return max(row + bool(column), node.start_point[0] + 1)
