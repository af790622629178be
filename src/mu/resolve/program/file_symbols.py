"""Symbol table of one file: its facts, indexed by scope and name. Nothing is resolved here."""

from collections.abc import Sequence
from typing import TypeVar

from mu.model.facts import (
    Binding,
    BindingKind,
    Definition,
    Expression,
    FileFacts,
    Flag,
    Import,
    Op,
    ScopeKind,
)
from mu.model.graph import File
from mu.model.kinds import Rule
from mu.resolve.abstract_values import SELF, SELF_CLASS, SUPER, Symbols, Values, number_of
from mu.resolve.limits import DEEPEST_STORE
from mu.resolve.pending import SURE, Pending
from mu.resolve.semantics.call_semantics import Receiver
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.semantics.module_resolver import ModuleFinder
from mu.resolve.semantics.prototypes import Prototypes

_WILDCARD, _LABEL, _STATIC = int(Flag.WILDCARD), int(Flag.LABEL), int(Flag.STATIC)
_NAME, _ATTRIBUTE = int(Op.NAME), int(Op.ATTRIBUTE)
_CALL, _INDEX, _FUNCTION = int(Op.CALL), int(Op.INDEX), int(Op.FUNCTION)
_UNION = int(Op.UNION)
_INTO = frozenset((_CALL, _INDEX))
_DELETED, _TYPE_PARAMETER = int(BindingKind.DELETED), int(BindingKind.TYPE_PARAMETER)
_BY_SELF = Rule.SELF
_IN_MODULE, _IN_CLASS = int(ScopeKind.MODULE), int(ScopeKind.CLASS)
VERSION = int(ScopeKind.VERSION)
_OF_FILE = (VERSION, 0)
_OPEN = frozenset((_IN_MODULE, _IN_CLASS))  # scopes whose names are members of a node


EXTENSION = "extension"
"""The kind of definitions that hold members of a class outside its body."""

WHOLE, EXPORT = "=", "= "
"""The name of the one value that a module exports, where it does (`module.exports = x`); the prefix
of the names of members that it sets on its exports (`exports.f = f`).
"""

OBJECT = "object"
"""The subkind of inline definitions that are instances of a class without a name."""

CONSTANT = "constant"
"""The subkind of the class of a constant with a body, which extends the enclosing class."""

NAMESPACE = "namespace"
"""The subkind of classes that are only containers of definitions."""

IN_PLACE = frozenset((OBJECT, CONSTANT))
"""The subkinds of classes with a single instance, created where they are written."""

ENUMERATION = "enum"
"""The subkind of classes whose members without a type and a value are their instances."""

CONSTRUCTOR = "constructor"
"""The subkind of functions that run when their class is called, and are never called by name."""

Row = TypeVar("Row")
Rows = list[Row] | tuple[Row, ...]
"""A tuple until the second row is added: most of django's 100,000 names are bound once."""


Use = tuple[str, tuple[int, ...], tuple[str, ...]]
"""A method call on a variable or on an element of it: method, arguments and steps to the receiver.

An empty method is an assignment to an element; its arguments are the key (0: not followed), the
value and the subscript. The steps lead from the variable to the receiver, outermost first: names of
methods, empty for a subscript.
"""


class NameEntry:
    """All bindings of one name in one scope, or of one attribute of a class.

    `definitions` are numbers within the file; `symbols` caches what the name was resolved to;
    `is_local` says that it is only a variable of a function; `deleted_line` is where a module or
    class deletes the name, 0 for nowhere.
    """

    __slots__ = (
        "bindings",
        "definitions",
        "deleted_line",
        "imports",
        "is_local",
        "symbols",
    )

    def __init__(self) -> None:
        self.definitions: Rows[int] = ()
        self.imports: Rows[Import] = ()
        self.bindings: Rows[Binding] = ()
        self.symbols: Symbols | None = None
        self.is_local = False
        self.deleted_line = 0


_NO_NAMES: dict[str, NameEntry] = {}  # of scopes that bind nothing, as most functions


class FileSymbols:
    """One file: its facts, and what each scope binds.

    `names` are the entries of each scope by name; `receivers` the values of names for the receiver,
    such as `self` and `this` (by scope and name); `fields` the attributes that methods set on it
    (by class, numbered within the file, and name). `variables` are the (scope, name) of module and
    class variables in text order; `type_parameters` those that a scope declares, in order;
    `parameters` the positions of a function's parameters, by its body and their names; `extended`
    the program-wide numbers of extended classes, by the numbers of the extensions here; `shared`
    the scopes of versions of the file's own names.

    `values` (by expression), `outer` (by name, for names that no scope binds) and `uses` are
    caches. `waiting` (by expression) has answers that are valid until something they depend on
    changes, or marks an expression that is being evaluated.

    `rules` are those of the file's language, with its strategies as `members`, `calls`, `implicit`,
    `types`, `modules`, `library` and `entries`. `left_out` are the definitions whose references are
    left out of a part (`file_part`).
    """

    __slots__ = (
        "calls",
        "entries",
        "expressions",
        "extended",
        "facts",
        "fields",
        "file",
        "finder",
        "first",
        "implicit",
        "is_listing_exports",
        "key",
        "left_out",
        "library",
        "members",
        "modules",
        "names",
        "outer",
        "parameters",
        "prototypes",
        "receivers",
        "rules",
        "scopes",
        "shared",
        "type_parameters",
        "types",
        "uses",
        "values",
        "variables",
        "waiting",
        "wildcards",
    )

    def __init__(
        self,
        file: File,
        facts: FileFacts,
        *,
        first: int,
        rules: LanguageRules,
        finder: ModuleFinder,
    ) -> None:
        self.first = first  # the program-wide number of its first definition
        self.rules = rules
        self.members, self.calls, self.implicit = rules.members, rules.calls, rules.implicit
        self.types, self.modules = rules.types, rules.modules
        self.library, self.entries = rules.library, rules.entries
        self.finder = finder
        self.extended: dict[int, int] = {}
        self.file = file
        self.key = file.key  # copied: it is read millions of times
        self.prototypes = self.members.prototypes_in(facts)  # where functions are classes, too
        if self.prototypes is not None:
            facts = self.prototypes.facts
        self.facts = facts
        self.expressions: Sequence[Expression] = facts.expressions
        self.scopes = facts.scopes
        self.names = [_NO_NAMES] * (len(facts.scopes) + 1)  # scope -1 binds nothing
        self.variables: list[tuple[int, str]] = []
        self.wildcards: list[Import] = []
        self.outer: dict[str, Symbols] = {}
        self.values: list[Values | None] = [None] * len(facts.expressions)
        self.waiting: dict[int, Pending | int] = {}
        self.fields: dict[int, dict[str, NameEntry]] = {}
        self.receivers: dict[int, dict[str, Values]] = {}
        self.parameters: dict[int, dict[str, int]] = {}
        self.type_parameters: dict[int, list[str]] = {}
        self.uses: dict[tuple[int, str], list[Use]] | None = None
        self.shared: set[int] = set()
        self.is_listing_exports = False
        self.left_out: frozenset[int] = frozenset()
        self._index()

    def settle(self) -> None:
        """Keep the valid answers in `waiting` as final values: nothing changes any more."""
        for row, pending in self.waiting.items():
            if not isinstance(pending, int) and pending.state == SURE:
                self.values[row] = pending.answer  # type: ignore[assignment]  # that of a row
        self.waiting.clear()

    def name(self, scope: int, name: str) -> NameEntry:
        """Return the entry of a name in a scope, created if there is none."""
        entry = self.names[scope].get(name)
        return self._new_name(scope, name) if entry is None else entry

    def last_line(self, entry: NameEntry) -> int:
        """Return the last line that binds a name; 0 if none does."""
        lines = [row.line for row in (*entry.imports, *entry.bindings)]
        lines += (self.facts.definitions[number].start_line for number in entry.definitions)
        return max(lines, default=0)

    def bound(self, scope: int, name: str) -> list[NameEntry]:
        """Return the entries of a variable: of its scope and, for a class, of its fields."""
        entry = self.names[scope].get(name)
        entries = [] if entry is None else [entry]
        fields = self.fields.get(self.scopes[scope][2])
        if fields is not None and name in fields:
            entries.append(fields[name])
        return entries

    def uses_of(self, scope: int, name: str) -> Sequence[Use]:
        """Return the method calls on a variable, with their arguments; see `Use`."""
        if self.uses is None:
            self.uses = {}
            self._index_uses(self.uses)
        return self.uses.get((scope, name), ())

    def enclosing_class(self, scope: int) -> int:
        """Return the number of the class whose body encloses `scope`; -1 for none."""
        while scope >= 0:
            kind, parent, _, _, _ = self.scopes[scope]
            if kind == _IN_CLASS:
                return self.owner(scope)
            scope = parent
        return -1

    def owner(self, scope: int) -> int:
        """Return the definition with the body `scope`, for an extension its class; or -1."""
        definition = self.scopes[scope].definition
        if definition < 0:
            return -1
        return self.extended.get(definition, self.first + definition)

    def extend(self, extended: dict[int, int]) -> None:
        """Set the classes that the extensions here extend, also as the class of receivers."""
        self.extended = extended
        own = {self.first + local: number for local, number in extended.items()}
        for received in self.receivers.values():
            for name, ((kind, key, rule),) in list(received.items()):
                received[name] = ((kind, own.get(number_of(key), key), rule),)

    def extensions(self) -> dict[int, int]:
        """Map the extensions to the classes they extend, as far as these are in this file."""
        found = {}
        for local, row in enumerate(self.facts.definitions):
            entry = self.names[0].get(row.name) if row.kind == EXTENSION else None
            if entry is not None and entry.definitions:
                found[local] = self.first + entry.definitions[-1]
        return found

    def takes_receiver(self, definition: Definition) -> bool:
        """Return whether the first parameter of a function is its receiver."""
        names = self.receivers.get(definition.body)
        rows = definition.parameters
        return bool(names and rows) and rows[0].name in (names or ())

    def _new_name(self, scope: int, name: str) -> NameEntry:
        names = self.names[scope]
        if names is _NO_NAMES:
            names = self.names[scope] = {}
        entry = names[name] = NameEntry()
        return entry

    def _index(self) -> None:
        shared: dict[tuple[int, str, int], dict[str, Values]] = {}
        for number, definition in enumerate(self.facts.definitions):
            if definition.subkind == CONSTRUCTOR:
                entry = self.name(definition.scope, self.calls.constructors[0])
                entry.definitions = _added(entry.definitions, number)
            elif definition.name and definition.kind != EXTENSION and not definition.flags & _LABEL:
                entry = self.name(definition.scope, definition.name)
                entry.definitions = _added(entry.definitions, number)
            if definition.parameters:
                self._index_receiver(definition, shared)
                self.parameters[definition.body] = {
                    row[0]: place for place, row in enumerate(definition.parameters)
                }
            if self.members.this_name:
                self._index_own_names(number, definition)
            if self.members.self_type_name and definition.kind in ("class", EXTENSION):
                itself: Values = ((SELF_CLASS, self.first + number, _BY_SELF),)
                names = self.receivers.setdefault(definition.body, {})
                names[self.members.self_type_name] = itself
        if self.prototypes is not None:
            for body, local in self.prototypes.receivers.items():
                self.receivers[body] = self.receivers[self.facts.definitions[local].body]
        for row in self.facts.imports:
            if row.flags & _WILDCARD:
                self.wildcards.append(row)
            else:
                own = "" if row.local or row.name else self.finder.called(self.file.key, row.module)
                entry = self.name(row.scope, own or self.modules.bound_name(row))
                entry.imports = _added(entry.imports, row)
        self._index_bindings()
        if self.prototypes is not None:
            self._index_members(self.prototypes)

    def _index_members(self, prototypes: Prototypes) -> None:
        """Add what is set on functions and their instances as members of synthetic classes."""
        for local, name, binding in prototypes.members:
            entry = self.name(self.facts.definitions[local].body, name)
            op, _, number, _ = self.expressions[binding.value]
            if op == _FUNCTION and self.facts.definitions[number].kind == "function":
                entry.definitions = _added(entry.definitions, number)
            else:
                entry.bindings = _added(entry.bindings, binding)

    def _index_own_names(self, number: int, definition: Definition) -> None:
        """Note the values of `this` and `super` in a class or in a static method."""
        kind, owner = SELF, number
        if definition.kind != "class":
            if not definition.flags & _STATIC:
                return
            kind, owner = SELF_CLASS, self.scopes[definition.scope].definition
        itself = self.first + owner
        self.receivers[definition.body] = {
            self.members.this_name: ((kind, itself, _BY_SELF),),
            self.members.super_name: ((SUPER, itself, Rule.SUPER),),
        }

    def _index_receiver(
        self, definition: Definition, shared: dict[tuple[int, str, int], dict[str, Values]]
    ) -> None:
        """Note the value of a method's first parameter; most methods of a class share it."""
        scope = self.scopes[definition.scope]
        first = definition.parameters[0]
        if scope.kind != _IN_CLASS or first.kind or definition.kind != "function":
            return
        receiver = self.calls.receiver(definition)
        if receiver is None:
            return
        kind = SELF if receiver is Receiver.INSTANCE else SELF_CLASS
        place = (definition.scope, first.name, kind)
        received = shared.get(place)
        if received is None:
            values: Values = ((kind, self.first + scope.definition, _BY_SELF),)
            received = shared[place] = {first.name: values}
        self.receivers[definition.body] = received
        if not definition.decorators and kind == SELF:  # facts place it in the class
            self.receivers.setdefault(definition.scope, {}).update(received)

    def _index_bindings(self) -> None:
        deleted: list[NameEntry] = []
        are_apart = self.members.namespaces.are_apart
        for binding in self.facts.bindings:
            kind, scope, base, name, _, line = binding
            if base:
                self._index_field(binding)
                continue
            is_open = self.scopes[scope][0] in _OPEN
            entry = self.names[scope].get(name)
            if entry is None:
                entry = self._new_name(scope, name)
                entry.is_local = not is_open
                if not is_open and self.scopes[scope][:2] == _OF_FILE:
                    self.shared.add(scope)
                if kind == _TYPE_PARAMETER:
                    self.type_parameters.setdefault(scope, []).append(name)
                elif is_open and name != WHOLE:
                    self.variables.append((scope, name))
                elif is_open:
                    self.is_listing_exports = True
            elif is_open and are_apart and not entry.bindings:
                self.variables.append((scope, name))
            if kind != _DELETED:
                entry.bindings = _added(entry.bindings, binding)
            elif is_open:
                entry.deleted_line = line
                deleted.append(entry)
        for entry in deleted:
            if self.last_line(entry) > entry.deleted_line:
                entry.deleted_line = 0

    def _index_field(self, binding: Binding) -> None:
        if self.modules.export_objects:
            self._index_export(binding)
        op, name, scope, _ = self.expressions[binding.base]
        if op != _NAME or not binding.name or scope not in self.receivers:
            return
        received = self.receivers[scope].get(name)
        if received is not None:
            owner = number_of(received[0][1]) - self.first
            if self.facts.definitions[owner].kind == EXTENSION:
                return  # the class declares its fields
            fields = self.fields.setdefault(owner, {})
            entry = fields.get(binding.name)
            if entry is None:
                entry = fields[binding.name] = NameEntry()
            entry.bindings = _added(entry.bindings, binding)

    def _index_export(self, binding: Binding) -> None:
        """Note an assignment to the module's exports, or to a member of them."""
        op, text, home, _ = self.expressions[binding.base]
        if op == _ATTRIBUTE:
            op, name, home, _ = self.expressions[home]
            text = f"{name}.{text}"
        if op != _NAME or home:
            return
        if f"{text}.{binding.name}" in self.modules.export_objects:
            entry = self.name(0, WHOLE)
        elif text in self.modules.export_objects:
            entry = self.name(0, f"{EXPORT}{binding.name}")
        else:
            return
        entry.bindings = _added(entry.bindings, binding)
        self.is_listing_exports = True

    def _index_uses(self, uses: dict[tuple[int, str], list[Use]]) -> None:
        fillers = self.library.fillers
        for op, _, function, args in self.expressions:
            if op == _CALL and args:
                kind, method, base, _ = self.expressions[function]
                if method in self.library.element_fillers and len(args) > 1:
                    self._note_use(uses, args[0], self.library.element_fillers[method], args[1:])
                elif kind == _ATTRIBUTE:
                    self._note_use(uses, base, method, args)
                elif kind == _NAME and method in fillers:
                    self._note_use(uses, args[0], method, args[1:])
        for binding in self.facts.bindings:
            if binding.base and not binding.name and binding.value:
                base = self.expressions[binding.base][2]
                self._note_use(uses, base, "", (0, binding.value, binding.base))

    def _note_use(
        self,
        uses: dict[tuple[int, str], list[Use]],
        base: int,
        method: str,
        args: tuple[int, ...],
    ) -> None:
        """Note a method call on the value of a row, or on an element of it."""
        steps: tuple[str, ...] = ()
        op, _, inner, options = self.expressions[base]
        if op == _UNION:  # `(x[key] || []).push(y)`
            for option in options:
                self._note_use(uses, option, method, args)
            return
        while op in _INTO and len(steps) < DEEPEST_STORE:
            if op == _CALL:
                op, step, inner, _ = self.expressions[inner]
                if op != _ATTRIBUTE:
                    return
            else:
                step = ""
            steps = (step, *steps)
            base = inner
            op, _, inner, _ = self.expressions[base]
        place = self._place(base)
        if place is not None:
            uses.setdefault(place, []).append((method, args, steps))

    def _place(self, number: int) -> tuple[int, str] | None:
        """Return (scope, name) of the variable, or of the receiver's field, that a row reads."""
        op, name, base, _ = self.expressions[number]
        if op == _NAME:
            home = self.scopes[base]
            return (home.parent if home.kind == VERSION else base), name
        if op == _ATTRIBUTE:
            kind, text, scope, _ = self.expressions[base]
            received = self.receivers.get(scope, {}).get(text) if kind == _NAME else None
            if received is not None:
                owner = number_of(received[0][1]) - self.first
                if 0 <= owner < len(self.facts.definitions):
                    return self.facts.definitions[owner].body, name
            entry = self.names[scope].get(text) if kind == _NAME and self.prototypes else None
            if entry is not None and len(entry.definitions) == 1:  # of a class itself
                row = self.facts.definitions[entry.definitions[0]]
                return (row.body, name) if row.kind == "class" else None
        return None


def _added(rows: Rows[Row], row: Row) -> Rows[Row]:
    if not rows:
        return (row,)
    if isinstance(rows, list):
        rows.append(row)
        return rows
    return [*rows, row]
