"""Constructor functions of JavaScript as classes: what prototypes say of them.

Each function that is used as a constructor gets a synthetic class for its instances (`new F()`,
`this`, `F.prototype`) and one for its own properties. They are added to the facts, so that the
rules for classes apply. Only the text of one file is used, and a name counts where it has one
binding.

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
"""The attribute of a function by which the members of what it makes are reached."""

_THIS = "this"
_PARENT = "__proto__"  # the member of an object that is its prototype
_COPIERS = frozenset(("assign", "setPrototypeOf"))  # last names of functions that give the first
# argument the members of the others, or make them its prototypes
_EXTENDERS = frozenset(("inherits", "_inherits", "__extends", "_inheritsLoose"))  # those that do so
# with what the arguments, which are functions, make
_EXPORTED = ("module", "exports")  # the object and its member that a file exports
_OBJECT, _CLOSURE = "object", "lambda"
_VALUE = int(BindingKind.VALUE)


def read_prototypes(facts: FileFacts) -> Prototypes:
    """What the facts of a file say of functions as classes."""
    reader = _Reader(facts)
    reader.read_bindings()
    reader.read_expressions()
    return reader.found()


class _Reader:
    """Reads one file."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._rows = facts.expressions
        self._prototypes = Prototypes(facts, written=len(facts.definitions))
        self._added: list[Definition] = []
        self._scopes: list[Scope] = []
        self._bases: dict[int, list[tuple[int, int, str]]] = {}
        self._named: dict[tuple[int, str], int] = {}
        self._labels: dict[str, int] = {}
        self._values: dict[tuple[int, str], int] = {}  # what is bound once; 0: it is not
        self._members = {row.name for row in facts.definitions}
        self._replaced: dict[int, Expression] = {}
        self._elements: list[int] = []  # of markup
        self._declaring = {  # the functions whose own name has a type: `function f(this: Query)`
            row.scope for row in facts.bindings if row.name == _THIS and not row.base
        }
        self._exported = 0  # what the file gives out in the place of an object with its members
        for number, row in enumerate(facts.definitions):
            if row.flags & _LABEL:
                self._labels[row.name] = number
            elif row.name:
                self._named[row.scope, row.name] = number

    def read_bindings(self) -> None:
        """Note what is set on functions, on what they make, and on objects."""
        values = self._values
        outside: list[Binding] = []
        for binding in self._facts.bindings:
            kind, scope, base, name, value, line = binding
            if base:
                outside.append(binding)
            elif kind == _VALUE:
                values[scope, name] = 0 if (scope, name) in values else value
                self._members.add(name)
                if name == _PARENT:
                    self._extend(self._facts.scopes[scope].definition, value, line)
        for binding in outside:
            if self._path(binding.base) == _EXPORTED[0] and binding.name == _EXPORTED[1]:
                self._exported = binding.value
        for binding in outside:
            self._read_set(binding)
        for binding in outside:
            self._read_own(binding)

    def read_expressions(self) -> None:
        """Note the functions whose prototypes are named, and what is copied or made a prototype."""
        rows = self._rows
        for number, (op, text, base, args) in enumerate(rows):
            if op == _ATTRIBUTE:
                if text == PROTOTYPE:
                    self._made_by(self._thing(base))
            elif op == _CALL and args:
                name = rows[base][1]
                if is_element(self._facts, args):
                    self._elements.append(number)
                if len(args) > 1 and (name in _COPIERS or name in _EXTENDERS):
                    self._read_copying(name, args)
            elif op == _INDEX and len(args) == 1:
                member = self._member(args[0])
                if member:
                    self._replaced[number] = (_ATTRIBUTE, member, base, ())

    def _read_copying(self, name: str, args: tuple[int, ...]) -> None:
        """A call gives its first argument what the others have."""
        if name in _EXTENDERS:
            target = self._made_by(self._thing(args[0]))
        else:
            target = self._holder(args[0])
        for arg in args[1:]:
            self._extend(target, arg, 0)

    def _member(self, key: int) -> str:
        """The name of the member that a key in brackets means, if the file has one; else empty."""
        for _ in range(DEEPEST_ALIAS):
            op, text, base, _ = self._rows[key]
            if op == _STRING:
                return text if text in self._members else ""
            if op not in _NAMES:
                return ""
            path = f"[{self._path(key)}]"
            if path in self._members or path.startswith(_SYMBOL):
                return path
            if op == _ATTRIBUTE:
                thing = self._thing(base)
                body = self._facts.definitions[thing].body if thing >= 0 else -1
                key = self._values.get((body, text), 0)
            else:
                key = self._values.get((base, text), 0)
            if not key:
                return ""
        return ""

    def found(self) -> Prototypes:
        """All of it."""
        if self._replaced:
            rows = list(self._rows)
            for kind, number, _, _ in self._facts.references:
                if kind == _OPERATION and number in self._replaced:  # else it is part of a type
                    rows[number] = self._replaced[number]
            self._facts = msgspec.structs.replace(self._facts, expressions=rows)
            self._prototypes.facts = self._facts
        if self._added or self._bases:
            facts, bases = self._facts, self._bases
            definitions = [*facts.definitions, *self._added]
            for number, given in bases.items():
                row = definitions[number]
                definitions[number] = row._replace(bases=(*row.bases, *given))
            self._prototypes.facts = msgspec.structs.replace(
                facts, definitions=tuple(definitions), scopes=(*facts.scopes, *self._scopes)
            )
        if self._elements:
            facts = self._prototypes.facts
            self._prototypes.facts = with_objects(facts, self._elements, subkind=_OBJECT)
        return self._prototypes

    def _read_set(self, binding: Binding) -> None:
        """What is set on a function, on what it makes, or on an object of the file."""
        _, _, base, name, value, line = binding
        function = self._function(value)
        self._members.add(name)
        if name == PROTOTYPE:
            made = self._made_by(self._thing(base))
            if made >= 0 and value:
                self._extend(made, value, line)
            return
        holder = self._holder(base)
        is_added = not self._prototypes.is_written(holder)
        if holder >= 0 and name and (is_added or function >= 0):
            self._prototypes.members.append((holder, name, binding))
        if function >= 0 and self._has_own_name(function):
            body = self._facts.definitions[function].body
            if holder >= 0:
                self._prototypes.receivers[body] = holder
            elif not self._is_constructor(function):
                self._prototypes.held[body] = base

    def _read_own(self, binding: Binding) -> None:
        """A function sets members of what it is called on: with `new`, of what it makes."""
        op, text, home, _ = self._rows[binding.base]
        if op == _NAME and text == _THIS and home:
            function = self._facts.scopes[home].definition
            prototypes = self._prototypes
            is_other = home in prototypes.receivers or home in prototypes.held
            if function >= 0 and not is_other and self._facts.definitions[function].name:
                self._made_by(function)

    def _extend(self, number: int, value: int, line: int) -> None:
        """Say that a class or object has the members of a value, too."""
        if number >= 0 and value:
            self._bases.setdefault(number, []).append((value, line, ""))

    def _holder(self, row: int) -> int:
        """The class that has what is set on an expression as its members; -1: it is not known."""
        for _ in range(DEEPEST_ALIAS):
            op, text, base, _ = self._rows[row]
            if op == _ATTRIBUTE and text == PROTOTYPE:
                return self._made_by(self._thing(base))
            if op == _NAME and text == _THIS:
                if base in self._prototypes.receivers:
                    return self._prototypes.receivers[base]
                return self._made_by(self._facts.scopes[base].definition if base else -1)
            thing = self._thing(row)
            if thing >= 0:
                return self._class_of(thing)
            if op != _NAME:
                return -1
            row = self._values.get((base, text), 0)
            if not row:
                return -1
        return -1

    def _class_of(self, number: int) -> int:
        """The class of a function or object as such; of a class itself there is none."""
        row = self._facts.definitions[number]
        if row.kind == "function":
            return self._class_for(number, self._prototypes.own)
        return number if row.subkind == _OBJECT else -1

    def _thing(self, row: int) -> int:
        """The function, class or object that an expression is, by its number; else -1."""
        for _ in range(DEEPEST_ALIAS):
            op, text, base, _ = self._rows[row]
            if op == _FUNCTION:
                return base
            if op == _ATTRIBUTE:
                path = self._path(row)
                number = self._labels.get(path, -1)
                if number >= 0 or path != ".".join(_EXPORTED):
                    return number
            elif op != _NAME:
                return -1
            number = self._named.get((base, text), -1)
            if number >= 0:
                return number
            row = self._values.get((base, text), 0)
            if not row and text == _EXPORTED[1]:
                row = self._exported
            if not row:
                return -1
        return -1

    def _path(self, row: int) -> str:
        """An attribute of a name as it is written, empty for anything else."""
        parts: list[str] = []
        while True:
            op, text, base, _ = self._rows[row]
            parts.append(text)
            if op == _NAME:
                return ".".join(reversed(parts))
            if op != _ATTRIBUTE:
                return ""
            row = base

    def _function(self, value: int) -> int:
        """The function that is written in place of a value, or that it names; -1: there is none."""
        op, _, number, _ = self._rows[value]
        if op == _FUNCTION and self._facts.definitions[number].kind == "function":
            return number
        return -1

    def _has_own_name(self, number: int) -> bool:
        """Tell whether a function has an own name of its own, which it does not declare, and not
        that of what is around it.
        """
        row = self._facts.definitions[number]
        is_function = row.kind == "function" and row.subkind != _CLOSURE
        return is_function and row.body not in self._declaring

    def _is_constructor(self, number: int) -> bool:
        """Tell whether a function is named like a constructor."""
        return self._facts.definitions[number].name.rpartition(".")[2][:1].isupper()

    def _made_by(self, number: int) -> int:
        """The class of what a function makes; a class makes itself, and nothing else anything."""
        if number < 0:
            return -1
        row = self._facts.definitions[number]
        if row.kind != "function":
            return number if row.kind == "class" and row.subkind != _OBJECT else -1
        if not self._has_own_name(number) or self._facts.scopes[row.scope].kind == _IN_CLASS:
            return -1
        made = self._class_for(number, self._prototypes.made)
        self._prototypes.receivers.setdefault(row.body, made)
        return made

    def _class_for(self, number: int, classes: dict[int, int]) -> int:
        """The class that is added for a function, made when it is not there."""
        known = classes.get(number)
        if known is None:
            row = self._facts.definitions[number]
            known = classes[number] = len(self._facts.definitions) + len(self._added)
            body = len(self._facts.scopes) + len(self._scopes)
            lines = row.start_line, row.end_line
            self._scopes.append(Scope(_IN_CLASS, row.scope, known, *lines))
            self._added.append(_class_like(row, body))
        return known


def _class_like(row: Definition, body: int) -> Definition:
    """A class without a name where a function stands."""
    return NO_DEFINITION._replace(
        kind="class",
        subkind=_OBJECT,
        scope=row.scope,
        body=body,
        start_line=row.start_line,
        end_line=row.end_line,
    )
