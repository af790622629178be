"""All facts of a repository, indexed for look-ups: scopes, classes and modules, program-wide.

Definitions of all files are numbered in one sequence, so a definition is one `int`; everything else
is reached by (file, row). Nothing is resolved here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

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
from mu.resolve.rules import LanguageRules, ModuleFinder, Receiver
from mu.resolve.values import Symbols, Values


_WILDCARD = int(Flag.WILDCARD)


@dataclass(slots=True)
class Name:
    """All that is bound to one name in one scope, or set as one attribute of a class."""

    definitions: list[int] = field(default_factory=list)  # numbers within the file
    imports: list[Import] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    symbols: Symbols | None = None  # what it was found to mean
    deleted_line: int = 0  # where a module or class takes the name away for good


class Unit:
    """One file: its facts, and what each scope binds."""

    __slots__ = (
        "expressions",
        "facts",
        "fields",
        "file",
        "finder",
        "first",
        "names",
        "outer",
        "receivers",
        "rules",
        "values",
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
        self.file = file
        self.facts = facts
        self.first = first  # the program-wide number of its definition 0
        self.rules = rules
        self.finder = finder
        self.expressions: Sequence[Expression] = facts.expressions
        self.names: dict[tuple[int, str], Name] = {}
        self.wildcards: list[Import] = []
        self.outer: dict[str, Symbols] = {}  # what names mean that no scope binds
        self.values: dict[int, Values] = {}  # what the evaluator has found of each expression
        self.fields: dict[int, dict[str, Name]] = {}  # class, numbered within the file -> fields
        self.receivers: dict[tuple[int, str], tuple[int, Receiver]] = {}
        self._index()

    def name(self, scope: int, name: str) -> Name:
        """The entry of a name in a scope, made when it is not there."""
        key = (scope, name)
        entry = self.names.get(key)
        if entry is None:
            entry = self.names[key] = Name()
        return entry

    def last_line(self, entry: Name) -> int:
        """The last line that binds a name."""
        lines = [row.line for row in (*entry.imports, *entry.bindings)]
        lines += (self.facts.definitions[number].start_line for number in entry.definitions)
        return max(lines, default=0)

    def enclosing_class(self, scope: int) -> int:
        """The class, numbered within the file, whose method or body holds `scope`; -1: none."""
        scopes = self.facts.scopes
        while scope >= 0:
            kind, parent, definition, *_ = scopes[scope]
            if kind == ScopeKind.CLASS:
                return definition
            scope = parent
        return -1

    def _index(self) -> None:
        for number, definition in enumerate(self.facts.definitions):
            if definition.name:
                self.name(definition.scope, definition.name).definitions.append(number)
            self._index_receiver(definition)
        for row in self.facts.imports:
            if row.flags & _WILDCARD:
                self.wildcards.append(row)
            else:
                self.name(row.scope, self.rules.bound_name(row)).imports.append(row)
        for binding in self.facts.bindings:
            if binding.base:
                self._index_field(binding)
            else:
                self._index_binding(binding)
        for entry in self.names.values():
            if entry.deleted_line and self.last_line(entry) > entry.deleted_line:
                entry.deleted_line = 0

    def _index_receiver(self, definition: Definition) -> None:
        """Note what the first parameter of a method stands for."""
        scope = self.facts.scopes[definition.scope]
        if scope.kind != ScopeKind.CLASS or not definition.parameters:
            return
        first = definition.parameters[0]
        receiver = None if first.kind else self.rules.receiver(definition)
        if receiver is not None and definition.kind == "function":
            self.receivers[definition.body, first.name] = (scope.definition, receiver)
            if not definition.decorators:  # its facts have it live in the class
                self.receivers[definition.scope, first.name] = (scope.definition, receiver)

    def _index_binding(self, binding: Binding) -> None:
        entry = self.name(binding.scope, binding.name)
        if binding.kind == BindingKind.DELETED:
            if self.facts.scopes[binding.scope].kind in (ScopeKind.MODULE, ScopeKind.CLASS):
                entry.deleted_line = binding.line
        else:
            entry.bindings.append(binding)

    def _index_field(self, binding: Binding) -> None:
        op, name, scope, _ = self.expressions[binding.base]
        if op != Op.NAME or not binding.name:
            return
        owner = self.receivers.get((scope, name))
        if owner is not None:
            fields = self.fields.setdefault(owner[0], {})
            fields.setdefault(binding.name, Name()).bindings.append(binding)


class Program:
    """Every indexed file, and definitions by their program-wide number."""

    def __init__(
        self,
        files: Sequence[File],
        facts: Mapping[int, FileFacts],
        rules: Mapping[str, LanguageRules],
        roots: Sequence[str],
    ) -> None:
        finders = _finders(files, facts, rules, roots)
        self.units: dict[int, Unit] = {}
        self.definitions: list[Definition] = []
        self.unit_of: list[Unit] = []
        for file in files:
            if file.key in facts:
                unit = Unit(
                    file,
                    facts[file.key],
                    first=len(self.definitions),
                    rules=rules[file.language],
                    finder=finders[file.language],
                )
                self.units[file.key] = unit
                self.definitions += unit.facts.definitions
                self.unit_of += [unit] * len(unit.facts.definitions)
        self.finders = finders

    def classes(self) -> Iterator[int]:
        """The numbers of all classes."""
        return (n for n, row in enumerate(self.definitions) if row.kind == "class")

    def members(self, class_number: int, name: str) -> Name | None:
        """What the body of a class binds to `name`."""
        unit = self.unit_of[class_number]
        return unit.names.get((self.definitions[class_number].body, name))

    def field(self, class_number: int, name: str) -> Name | None:
        """What methods of a class set as the attribute `name` of their receiver."""
        unit = self.unit_of[class_number]
        fields = unit.fields.get(class_number - unit.first)
        return None if fields is None else fields.get(name)


def _finders(
    files: Sequence[File],
    facts: Mapping[int, FileFacts],
    rules: Mapping[str, LanguageRules],
    roots: Sequence[str],
) -> dict[str, ModuleFinder]:
    paths: dict[str, dict[int, str]] = {}
    for file in files:
        if file.key in facts:
            paths.setdefault(file.language, {})[file.key] = file.path
    return {name: rules[name].module_finder(found, roots) for name, found in paths.items()}
