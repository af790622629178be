"""JavaScript constructor functions as classes, read from assignments to their prototypes.

Each function that is used as a constructor gets a synthetic class for its instances (`new F()`,
`this`, `F.prototype`) and one for its own properties. They are added to the facts, so that the
rules for classes apply. Analysis is confined to one file, and follows only names with one binding.

Source: ECMA-262, "OrdinaryGetPrototypeOf" and "OrdinaryCreateFromConstructor".
"""

import msgspec

from mu.languages.typescript.elements import is_element, with_objects
from mu.model.facts import (
    NO_DEFINITION,
    Binding,
    BindingKind,
    Definition,
    Expression,
    FileFacts,
    Flag,
    Op,
    ReferenceKind,
    Scope,
    ScopeKind,
)
from mu.resolve import Prototypes
from mu.resolve.limits import DEEPEST_ALIAS

_NAME, _ATTRIBUTE, _CALL = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.CALL)
_FUNCTION, _INDEX, _STRING = int(Op.FUNCTION), int(Op.INDEX), int(Op.STRING)
_OPERATION = int(ReferenceKind.OPERATION)
_NAMES = frozenset((_NAME, _ATTRIBUTE))
_SYMBOL = "[Symbol."
_LABEL, _IN_CLASS = int(Flag.LABEL), ScopeKind.CLASS
PROTOTYPE = "prototype"
"""The attribute of a function with the members of its instances."""

_THIS = "this"
_PROTO = "__proto__"  # the member of an object literal that sets its prototype
_COPYING = frozenset(("assign", "setPrototypeOf"))
"""Last names of functions that copy members to the first argument, or set its prototype."""
_INHERITING = frozenset(("inherits", "_inherits", "__extends", "_inheritsLoose"))
"""Last names of functions that make their first argument, a constructor, extend the second."""
_EXPORTS = ("module", "exports")  # the object and its member that a file exports
_OBJECT, _CLOSURE = "object", "lambda"
_VALUE = int(BindingKind.VALUE)


def read_prototypes(facts: FileFacts) -> Prototypes:
    """Return the classes that the functions of a file define."""
    reader = _Reader(facts)
    reader.read_bindings()
    reader.read_expressions()
    return reader.result()


class _Reader:
    """Reads one file; rows are those of its expressions, numbers those of its definitions."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._rows = facts.expressions
        self._prototypes = Prototypes(facts, written=len(facts.definitions))
        self._added: list[Definition] = []
        self._scopes: list[Scope] = []
        self._bases: dict[int, list[tuple[int, int, str]]] = {}
        self._by_name: dict[tuple[int, str], int] = {}
        self._labels: dict[str, int] = {}
        self._values: dict[tuple[int, str], int] = {}  # rows, 0 for names with several bindings
        self._member_names = {row.name for row in facts.definitions}
        self._rewritten: dict[int, Expression] = {}
        self._elements: list[int] = []  # JSX
        self._typed_this = {  # bodies that declare the type of `this`: `function f(this: Query)`
            row.scope for row in facts.bindings if row.name == _THIS and not row.base
        }
        self._exported_value = 0  # the row of the value assigned to `module.exports`
        for number, row in enumerate(facts.definitions):
            if row.flags & _LABEL:
                self._labels[row.name] = number
            elif row.name:
                self._by_name[row.scope, row.name] = number

    def read_bindings(self) -> None:
        """Read assignments to members of functions, their instances, and objects."""
        values = self._values
        member_bindings: list[Binding] = []
        for binding in self._facts.bindings:
            kind, scope, base, name, value, line = binding
            if base:
                member_bindings.append(binding)
            elif kind == _VALUE:
                values[scope, name] = 0 if (scope, name) in values else value
                self._member_names.add(name)
                if name == _PROTO:
                    self._add_base(self._facts.scopes[scope].definition, value, line)
        for binding in member_bindings:
            if self._dotted_name(binding.base) == _EXPORTS[0] and binding.name == _EXPORTS[1]:
                self._exported_value = binding.value
        for binding in member_bindings:
            self._read_member(binding)
        for binding in member_bindings:
            self._read_this_member(binding)

    def read_expressions(self) -> None:
        """Read uses of prototypes, calls that copy members or set prototypes, and JSX elements."""
        rows = self._rows
        for number, (op, text, base, args) in enumerate(rows):
            if op == _ATTRIBUTE:
                if text == PROTOTYPE:
                    self._instance_class(self._referent(base))
            elif op == _CALL and args:
                name = rows[base][1]
                if is_element(self._facts, args):
                    self._elements.append(number)
                if len(args) > 1 and (name in _COPYING or name in _INHERITING):
                    self._read_inheritance(name, args)
            elif op == _INDEX and len(args) == 1:
                member = self._member_name(args[0])
                if member:
                    self._rewritten[number] = (_ATTRIBUTE, member, base, ())

    def _read_inheritance(self, name: str, args: tuple[int, ...]) -> None:
        """Read a call that adds the members of the other arguments to the first."""
        if name in _INHERITING:
            target = self._instance_class(self._referent(args[0]))
        else:
            target = self._member_class(args[0])
        for arg in args[1:]:
            self._add_base(target, arg, 0)

    def _member_name(self, key: int) -> str:
        """Return the member that a computed key refers to; empty if the file does not define it."""
        for _ in range(DEEPEST_ALIAS):
            op, text, base, _ = self._rows[key]
            if op == _STRING:
                return text if text in self._member_names else ""
            if op not in _NAMES:
                return ""
            path = f"[{self._dotted_name(key)}]"
            if path in self._member_names or path.startswith(_SYMBOL):
                return path
            if op == _ATTRIBUTE:
                referent = self._referent(base)
                body = self._facts.definitions[referent].body if referent >= 0 else -1
                key = self._values.get((body, text), 0)
            else:
                key = self._values.get((base, text), 0)
            if not key:
                return ""
        return ""

    def result(self) -> Prototypes:
        """Return all classes, with facts that include them."""
        if self._rewritten:
            rows = list(self._rows)
            for kind, number, _, _ in self._facts.references:
                if kind == _OPERATION and number in self._rewritten:  # not part of a type
                    rows[number] = self._rewritten[number]
            self._facts = msgspec.structs.replace(self._facts, expressions=rows)
            self._prototypes.facts = self._facts
        if self._added or self._bases:
            facts, bases = self._facts, self._bases
            definitions = [*facts.definitions, *self._added]
            for number, added in bases.items():
                row = definitions[number]
                definitions[number] = row._replace(bases=(*row.bases, *added))
            self._prototypes.facts = msgspec.structs.replace(
                facts, definitions=tuple(definitions), scopes=(*facts.scopes, *self._scopes)
            )
        if self._elements:
            facts = self._prototypes.facts
            self._prototypes.facts = with_objects(facts, self._elements, subkind=_OBJECT)
        return self._prototypes

    def _read_member(self, binding: Binding) -> None:
        """Read an assignment to a member of a function, its instances, or an object of the file."""
        _, _, base, name, value, line = binding
        function = self._function_literal(value)
        self._member_names.add(name)
        if name == PROTOTYPE:
            instances = self._instance_class(self._referent(base))
            if instances >= 0 and value:
                self._add_base(instances, value, line)
            return
        owner = self._member_class(base)
        is_synthetic = not self._prototypes.is_written(owner)
        if owner >= 0 and name and (is_synthetic or function >= 0):
            self._prototypes.members.append((owner, name, binding))
        if function >= 0 and self._binds_this(function):
            body = self._facts.definitions[function].body
            if owner >= 0:
                self._prototypes.receivers[body] = owner
            elif not self._is_capitalized(function):
                self._prototypes.held[body] = base

    def _read_this_member(self, binding: Binding) -> None:
        """Read an assignment to a member of `this`: its function is a constructor."""
        op, text, body, _ = self._rows[binding.base]
        if op == _NAME and text == _THIS and body:
            function = self._facts.scopes[body].definition
            prototypes = self._prototypes
            has_receiver = body in prototypes.receivers or body in prototypes.held
            if function >= 0 and not has_receiver and self._facts.definitions[function].name:
                self._instance_class(function)

    def _add_base(self, number: int, value: int, line: int) -> None:
        """Make the value in a row a base of a class or object."""
        if number >= 0 and value:
            self._bases.setdefault(number, []).append((value, line, ""))

    def _member_class(self, row: int) -> int:
        """Return the class that members assigned to an expression belong to; -1 if unknown."""
        for _ in range(DEEPEST_ALIAS):
            op, text, base, _ = self._rows[row]
            if op == _ATTRIBUTE and text == PROTOTYPE:
                return self._instance_class(self._referent(base))
            if op == _NAME and text == _THIS:
                if base in self._prototypes.receivers:
                    return self._prototypes.receivers[base]
                return self._instance_class(self._facts.scopes[base].definition if base else -1)
            referent = self._referent(row)
            if referent >= 0:
                return self._own_class(referent)
            if op != _NAME:
                return -1
            row = self._values.get((base, text), 0)
            if not row:
                return -1
        return -1

    def _own_class(self, number: int) -> int:
        """Return the class with the own members of a function or object; -1 for a class."""
        row = self._facts.definitions[number]
        if row.kind == "function":
            return self._synthetic_class(number, self._prototypes.own)
        return number if row.subkind == _OBJECT else -1

    def _referent(self, row: int) -> int:
        """Return the function, class or object that an expression refers to; -1 if unknown."""
        for _ in range(DEEPEST_ALIAS):
            op, text, base, _ = self._rows[row]
            if op == _FUNCTION:
                return base
            if op == _ATTRIBUTE:
                path = self._dotted_name(row)
                number = self._labels.get(path, -1)
                if number >= 0 or path != ".".join(_EXPORTS):
                    return number
            elif op != _NAME:
                return -1
            number = self._by_name.get((base, text), -1)
            if number >= 0:
                return number
            row = self._values.get((base, text), 0)
            if not row and text == _EXPORTS[1]:
                row = self._exported_value
            if not row:
                return -1
        return -1

    def _dotted_name(self, row: int) -> str:
        """Return the text of a dotted name; empty for other expressions."""
        parts: list[str] = []
        while True:
            op, text, base, _ = self._rows[row]
            parts.append(text)
            if op == _NAME:
                return ".".join(reversed(parts))
            if op != _ATTRIBUTE:
                return ""
            row = base

    def _function_literal(self, value: int) -> int:
        """Return the function literal in a row; -1 if the row is another expression."""
        op, _, number, _ = self._rows[value]
        if op == _FUNCTION and self._facts.definitions[number].kind == "function":
            return number
        return -1

    def _binds_this(self, number: int) -> bool:
        """Return whether a function binds `this`, without declaring its type.

        Arrow functions have the `this` of the enclosing function.
        """
        row = self._facts.definitions[number]
        is_function = row.kind == "function" and row.subkind != _CLOSURE
        return is_function and row.body not in self._typed_this

    def _is_capitalized(self, number: int) -> bool:
        """Return whether the name of a function is capitalized, as those of constructors are."""
        return self._facts.definitions[number].name.rpartition(".")[2][:1].isupper()

    def _instance_class(self, number: int) -> int:
        """Return the class of the instances of a function or class; -1 for anything else."""
        if number < 0:
            return -1
        row = self._facts.definitions[number]
        if row.kind != "function":
            return number if row.kind == "class" and row.subkind != _OBJECT else -1
        if not self._binds_this(number) or self._facts.scopes[row.scope].kind == _IN_CLASS:
            return -1
        instances = self._synthetic_class(number, self._prototypes.made)
        self._prototypes.receivers.setdefault(row.body, instances)
        return instances

    def _synthetic_class(self, number: int, classes: dict[int, int]) -> int:
        """Return the synthetic class of a function in `classes`; add it if missing."""
        synthetic = classes.get(number)
        if synthetic is None:
            row = self._facts.definitions[number]
            synthetic = classes[number] = len(self._facts.definitions) + len(self._added)
            body = len(self._facts.scopes) + len(self._scopes)
            lines = row.start_line, row.end_line
            self._scopes.append(Scope(_IN_CLASS, row.scope, synthetic, *lines))
            self._added.append(_new_class(row, body))
        return synthetic


def _new_class(row: Definition, body: int) -> Definition:
    """Return a synthetic class, without a name, in the scope and lines of a function."""
    return NO_DEFINITION._replace(
        kind="class",
        subkind=_OBJECT,
        scope=row.scope,
        body=body,
        start_line=row.start_line,
        end_line=row.end_line,
    )
