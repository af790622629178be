"""Edges and entry points of dependency injection by parameter name."""

from collections.abc import Iterator

from mu.model.facts import Op, ReferenceKind, ScopeKind
from mu.model.graph import Entry
from mu.model.kinds import EntryRole
from mu.resolve.abstract_values import EXTERNAL
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.entry_points import EntryPoints
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_CALL, _NAME, _ATTRIBUTE = int(Op.CALL), int(Op.NAME), int(Op.ATTRIBUTE)
_STRING = int(Op.STRING)
_CALL_REFERENCE, _IN_MODULE = int(ReferenceKind.CALL), int(ScopeKind.MODULE)

Filled = tuple[int, str, int, int]
"""(definition within the file, or -1; the provider's name; line; number of the provider)."""


class InjectionEdges:
    """Adds edges from injected functions to their providers, one file at a time."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, nodes: NodeTable, entries: EntryPoints
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._injection = evaluator.injected_parameters
        self._nodes = nodes
        self._entries = entries

    def note_entries(self) -> None:
        """Add what the framework calls by itself as entry points: automatic fixtures, hooks."""
        self._injection.prepare()
        for provider in self._injection.providers:
            if provider.is_automatic:
                unit = self._program.unit_of[provider.number]
                self._enter(unit, provider.number, EntryRole.FIXTURE, provider.name)
        for key, file in self._program.files.items():
            injected = self._program.rules_of(key).entries.injected
            hooks, is_named = injected.hooks, file.path.rpartition("/")[2] in injected.shared
            if hooks and (is_named or self._injection.is_shared(key)):
                unit = self._program.units[key]
                for local, row in enumerate(unit.facts.definitions):
                    is_top = unit.scopes[row.scope].kind == _IN_MODULE
                    if is_top and row.kind == "function" and row.name.startswith(hooks):
                        self._enter(unit, unit.first + local, EntryRole.HOOK, row.name)

    def of(self, unit: FileSymbols) -> Iterator[Filled]:
        """Yield the injections of a file: by parameters, decorators and lookups."""
        if not self._injection.providers:
            return
        for local, row in enumerate(unit.facts.definitions):
            number = unit.first + local
            if row.kind == "function" and row.parameters and self._injection.is_given(number):
                for parameter in row.parameters:
                    provider = self._injection.provider(number, parameter.name)
                    if provider >= 0:
                        yield local, parameter.name, row.start_line, provider
            for decorator, line, text in row.decorators:
                if "(" in text:
                    yield from self._marked(unit, local, decorator, line)
        yield from self._asked(unit)

    def _marked(self, unit: FileSymbols, local: int, decorator: int, line: int) -> Iterator[Filled]:
        """Yield the providers that a decorator names in strings."""
        op, _, function, args = unit.expressions[decorator]
        marks = unit.entries.injected.marks
        ends = {mark.rpartition(".")[2] for mark in marks}
        if op != _CALL or unit.expressions[function][1] not in ends:
            return
        symbols = self._evaluator.symbols(unit, function)
        if any(kind == EXTERNAL and key in marks for kind, key, _ in symbols):
            for arg in args:
                kind, name, _, _ = unit.expressions[arg]
                if kind == _STRING:
                    provider = self._injection.named(unit.first + local, name)
                    if provider >= 0:
                        yield local, name, line, provider

    def _asked(self, unit: FileSymbols) -> Iterator[Filled]:
        """Yield the providers that are looked up by name on the parameter `request`."""
        injected, rows = unit.entries.injected, unit.expressions
        for kind, number, owner, line in unit.facts.references:
            if kind != _CALL_REFERENCE or owner < 0:
                continue
            _, _, function, args = rows[number]
            op, name, base, _ = rows[function]
            if op != _ATTRIBUTE or name != injected.lookup or not args:
                continue
            is_request = rows[base][:2] == (_NAME, injected.request)
            text = rows[args[0]]
            if is_request and text[0] == _STRING and self._injection.is_given(unit.first + owner):
                provider = self._injection.named(unit.first + owner, text[1])
                if provider >= 0:
                    yield owner, text[1], line, provider

    def _enter(self, unit: FileSymbols, number: int, role: EntryRole, label: str) -> None:
        node = self._nodes.of_definition(number)
        line = self._program.definitions[number].start_line
        framework = unit.entries.injected.framework
        if node >= 0:
            self._entries.add(Entry(node, role, "", label, framework, unit.file.path, line))
