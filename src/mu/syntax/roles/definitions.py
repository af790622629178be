"""Definitions as rows: their headers, scopes, results and complexity."""

import inspect
from collections.abc import Sequence
from hashlib import blake2b

import tree_sitter as ts

from mu.model.facts import (
    IMPLIED,
    NO_DEFINITION,
    RAISING,
    Definition,
    Flag,
    Op,
    Parameter,
    ScopeKind,
)
from mu.syntax.roles.bindings import Bindings
from mu.syntax.roles.header_reader import EXTENSION, RECEIVER, HeaderReader
from mu.syntax.roles.headers import (
    CONSTRUCTOR,
    OBJECT,
    Header,
    flags_of,
    header_text,
    last_name,
    one_line,
    plain_name,
    signature_of,
    variant_of,
)
from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.tree_walk import Walk
from mu.syntax.roles.visibility import BoundName

LONGEST_DOCSTRING = 4000

_COLLECTION, _NAME, _GENERATOR = int(Op.COLLECTION), int(Op.NAME), int(Flag.GENERATOR)
_CALL, _ELEMENT, _OPERATOR = int(Op.CALL), int(Op.ELEMENT), int(Op.OPERATOR)
_KINDS = {"definition.class": "class", "scope.class": "class", EXTENSION: "extension"}
_FUNCTION = int(Op.FUNCTION)
_INLINE = ("scope.class", "scope.function")

_FUNCTIONS = frozenset(("scope.function", "definition.function", "definition.lambda"))


class Definitions:
    """Collect the definitions of a file."""

    def __init__(self, headers: HeaderReader, bindings: Bindings) -> None:
        self._headers = headers
        self._bindings = bindings
        self._count = 0
        self._rows: dict[int, Definition] = {}
        # Names of function and class expressions by the first byte of the body, and whether the
        # name is only a label.
        self._names: dict[int, tuple[str, bool]] = {}
        self._results: dict[str, dict[int, dict[int, None]]] = {"return": {}, "yield": {}}
        self._result_types: dict[int, int] = {}  # rows of types, of functions being walked
        self._generators: set[int] = set()
        self._starts: dict[int, int] = {}  # by number, the first byte
        self._extensions: dict[str, int] = {}  # of methods outside any class body, by its name
        self.package = ""

    def define(self, walk: Walk, match: RoleMatch) -> int:
        """Walk a definition, in source order; return its number."""
        extended = match.part("class")
        is_outside = extended is not None and match.role != EXTENSION
        scope = self._extension(walk, extended) if extended and is_outside else walk.scope
        number = self._define(walk, match, scope=scope)
        self._starts[number] = match.node.start_byte
        return number

    def _extension(self, walk: Walk, node: ts.Node) -> int:
        """Return the scope for members defined outside the body of a class, one for each class."""
        name = walk.text(node)
        number = self._extensions.get(name)
        if number is None:
            number = self._extensions[name] = self._count
            self._count += 1
            line = node.start_point[0] + 1
            scope, row = walk.scope, walk.reread(node)
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

    def _define(self, walk: Walk, match: RoleMatch, *, scope: int) -> int:
        """Walk a definition; its name is bound in `scope`, which need not be the current one."""
        number = self._count
        self._count += 1
        name, is_label = self._name_of(walk, match)
        if name and not is_label and match.role != EXTENSION:
            walk.names.define(scope, name)
            walk.records.definition_names[number] = scope, name
        headers = self._headers
        named = match.part("name")
        if named is not None and named.named_child_count:  # a computed name is evaluated here
            walk.visit(named)
        if "decorators" in match.parts:
            for decorator in match.all("decorators"):
                walk.visit(decorator)
        decorators = () if match.role in _INLINE else headers.take_decorators(walk, number)
        generics, generic = match.part("generics"), walk.records.generics
        outer, inside = walk.scope, -1
        headers.record_type_parameters(walk, number, holder=generics, is_named=bool(name))
        if generics is not None:  # type parameters belong to the scope of the body
            inside = self._enter(walk, match, number, scope=scope, is_named=bool(name))
            headers.declare_type_parameters(walk, number, holder=generics)
            limits = match.part("limits")
            if limits is not None:
                headers.constrain_type_parameters(walk, number, holder=limits)
            walk.resume(outer)
        read = headers.read_parameters
        parameters, targets = read(walk, match, holder="parameters", number=number)
        bases = headers.read_bases(walk, match, number=number)
        results, _ = read(walk, match, holder="results", number=number)
        declared = self._result_types[number] = self._result_type(walk, match, number, results)
        if inside >= 0:
            walk.resume(inside)
        else:
            inside = self._enter(walk, match, number, scope=scope, is_named=bool(name))
        line = match.node.start_point[0] + 1
        is_of_class = name in walk.grammar.manifest.implicit_class_methods
        receiver_of = -1 if decorators or is_of_class else scope
        headers.bind_parameters(walk, parameters, line=line, receiver_of=receiver_of)
        if results:
            headers.bind_parameters(walk, results, line=line, receiver_of=-1)
        if match.role == "scope.function" and "name" in match.parts:
            row = walk.table.row((_FUNCTION, "", number, ()))
            headers.bind_own_name(walk, walk.text(match.required("name")), row=row, line=line)
        for target, text in targets:
            row = walk.table.row((_NAME, text, inside, ()))
            self._bindings.unpack(walk, target, value=row)
        for other in match.all("header") + ([] if generics else match.all("limits")):
            walk.visit(other)
        self._walk_body(walk, match, number)
        walk.records.generics = generic
        walk.resume(outer)
        del self._result_types[number]
        flags = walk.flags | flags_of(match, is_label=is_label)
        visible = tuple([parameter for role, parameter in parameters if role != RECEIVER])
        is_bound = number in walk.records.definition_names
        home = walk.names.binding_home(scope, name) if is_bound else scope
        header = Header(name, home, inside, flags, visible, declared, decorators, bases)
        self._rows[number] = self._row(walk, match, header)
        return number

    def _row(self, walk: Walk, match: RoleMatch, header: Header) -> Definition:
        """Return the row of a definition, without what its body adds."""
        node, body = match.node, match.part("body")
        returns = match.part("returns") or match.part("results")
        is_lambda = match.role == "scope.function"
        name, scope, inside, flags, parameters, declared, decorators, bases = header
        text = walk.source[node.start_byte : node.end_byte] if name else b""
        marks = walk.grammar.manifest.comments.line
        subkind = "lambda" if is_lambda and not match.subkind else match.subkind
        if name and name == walk.grammar.manifest.constructor:
            subkind = CONSTRUCTOR
        return Definition(
            kind=_KINDS.get(match.role, "function"),
            subkind=subkind,
            name=name,
            scope=scope,
            body=inside,
            start_line=node.start_point[0] + 1,
            end_line=_last_line(node),
            signature=signature_of(header_text(match, text, marks=marks)) if name else "",
            docstring=self.docstring(walk, body) if body is not None and not is_lambda else "",
            flags=flags,
            parameters=parameters,
            returns=declared,
            returns_text="" if returns is None else one_line(walk.text(returns)).lstrip(": "),
            decorators=decorators,
            bases=bases,
            returned=(),
            yielded=(),
            complexity=1,
            digest=blake2b(text, digest_size=8).hexdigest() if text else "",
        )

    def propagate_error(self, walk: Walk, match: RoleMatch) -> None:
        """Note that an error is converted to the declared result of the function, as by `?`."""
        declared = self._result_types.get(walk.owner, 0)
        if declared:
            row = walk.table.row((_OPERATOR, RAISING, 0, (match.row("value"), declared)))
            walk.add_operation(row, match.required("value"))

    def _result_type(
        self, walk: Walk, match: RoleMatch, number: int, results: Sequence[tuple[str, Parameter]]
    ) -> int:
        """Return the row of the declared result type; a tuple if there are several results."""
        returns = match.part("returns")
        if returns is not None:
            return self._headers.read_type(walk, returns, number=number)
        if not results:
            return 0
        rows = tuple(row.annotation for _, row in results)
        several = (_COLLECTION, "tuple", 0, rows)
        return walk.table.row(several) if len(rows) > 1 else sum(rows)

    def _enter(
        self, walk: Walk, match: RoleMatch, number: int, *, scope: int, is_named: bool
    ) -> int:
        """Open the scope of a definition, inside `scope`."""
        walk.resume(scope)
        body = match.part("body")
        return walk.enter(
            match.node if body is None else body,
            ScopeKind.CLASS if match.role in _KINDS else ScopeKind.FUNCTION,
            definition=number,
            is_named=is_named and match.subkind != OBJECT,
            variant=variant_of(walk, match),
        )

    def _name_of(self, walk: Walk, match: RoleMatch) -> tuple[str, bool]:
        """Return the name of a definition, and whether it is only a label.

        The name of an extension is that of its class; it is empty for an anonymous function or
        class.
        """
        named = match.part("class" if match.role == EXTENSION else "name")
        if named is not None and match.role not in _INLINE:
            name = walk.text(named)
            return (last_name(name) if match.role == EXTENSION else plain_name(name)), False
        body = match.part("body")
        found = self._names.get(match.node.start_byte)
        if found is None and body is not None:
            found = self._names.get(body.start_byte)
        if found is not None:
            return found[0], found[1] or match.subkind == OBJECT
        if named is None:
            return "", False
        parent = match.node.parent  # next to an error, a declaration may parse as an expression
        is_whole = parent is not None and not parent.has_error
        return walk.text(
            named
        ), is_whole and match.role == "scope.function"  # visible in itself alone

    def _walk_body(self, walk: Walk, match: RoleMatch, number: int) -> None:
        """Walk the body of a definition, in the scope that it has opened."""
        body = match.part("body")
        is_result = match.role == "scope.function" or walk.grammar.manifest.bodies_give_values
        if is_result and body is not None and match.role in _FUNCTIONS:
            walk.body_id = body.id
            result = walk.value(body)
            if result and (match.role != "definition.function" or "returns" in match.parts):
                self._results["return"].setdefault(number, {})[result] = None
        elif body is not None and walk.grammar.nodes.match_shape(body)[0].definition is not None:
            for child in body.named_children:  # a class without a name elsewhere
                walk.visit(child)
        elif body is not None:
            walk.body_id = body.id
            walk.visit(body)
        elif match.role == "scope.class":
            for child in match.node.named_children:
                walk.visit(child)
        if match.subkind == CONSTRUCTOR:
            _add_implied_call(walk, match)

    def rows(self, walk: Walk) -> tuple[Definition, ...]:
        """Return all definitions in source order, with what their bodies add."""
        returned, yielded = self._results["return"], self._results["yield"]
        rows = []
        for number in range(self._count):
            row = self._rows[number]
            if number in self._headers.body_bases:
                row = row._replace(bases=(*row.bases, *self._headers.body_bases[number]))
            is_generator = number in self._generators
            if (
                is_generator
                or number in returned
                or number in yielded
                or number in walk.records.branches
            ):
                row = row._replace(
                    flags=row.flags | (_GENERATOR if is_generator else 0),
                    returned=tuple(returned.get(number, ())),
                    yielded=tuple(yielded.get(number, ())),
                    complexity=walk.records.branches[number] + 1,
                )
            rows.append(row)
        return tuple(rows)

    def bound(self) -> list[BoundName]:
        """Return the names that definitions bind, after the walk."""
        rows = self._rows
        return [(start, rows[one].scope, rows[one].name) for one, start in self._starts.items()]

    def docstring(self, walk: Walk, body: ts.Node) -> str:
        """Return the documentation in the body of a definition, or of the file."""
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

    def name_value(self, walk: Walk, match: RoleMatch) -> None:
        """Name the function or class that has this body.

        It is bound to the name, unless that is a member of an `owner`: then the name is only a
        label.
        """
        owner = match.part("owner")
        name = plain_name(walk.text(match.required("name")))
        if owner is not None:
            name = f"{walk.text(owner)}.{name}"
        self._names[match.required("body").start_byte] = name, owner is not None

    def add_result(self, walk: Walk, match: RoleMatch) -> None:
        """Add a returned or yielded value, or all elements of it, to the current function."""
        row = match.row("value")
        if "all" in match.parts:
            row = walk.table.row((_ELEMENT, "", row, ()))
            walk.add_operation(row, match.required("value"))
        self._results[match.role].setdefault(walk.owner, {})[row] = None

    def mark_generator(self, walk: Walk, _match: RoleMatch) -> None:
        """Mark the current function as a generator."""
        self._generators.add(walk.owner)

    def set_package(self, walk: Walk, match: RoleMatch) -> None:
        """Record the package that the file belongs to."""
        self.package = walk.text(match.required("name"))


def _add_implied_call(walk: Walk, match: RoleMatch) -> None:
    """Note the call of the superclass's constructor, if the one just walked makes none."""
    names, rows, records = walk.grammar.manifest.constructor_calls, walk.table.rows, walk.records
    owner = records.named_owners[walk.scope]
    for _, row, maker, _ in reversed(records.calls):
        if maker < owner:
            break
        op, name, _, _ = rows[rows[row][2]]
        if maker == owner and op == _NAME and name in names:
            return
    if names:
        home = walk.names.home(walk.scope, names[0])
        base = walk.table.row((_NAME, names[0], home, ()))
        line = match.required("name").start_point[0] + 1
        records.add_call(walk.table.row((_CALL, IMPLIED, base, ())), line, scope=walk.scope)


def _last_line(node: ts.Node) -> int:
    """Return the last line of a node, from 1.

    A missing end token lies behind the last line of the file.
    """
    row, column = node.end_point
    return max(row + bool(column), node.start_point[0] + 1)
