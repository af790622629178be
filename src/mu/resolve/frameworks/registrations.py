"""Registrations with frameworks: handlers, listeners, providers, scheduled calls.

All calls and decorators are scanned before files are resolved, since a listener may be registered
in a file after the one that publishes the event. A registration is recognised by the function that
it resolves to, never by its name alone; the last part of the name only excludes other calls from
evaluation.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from mu.model.facts import Op, ReferenceKind
from mu.model.graph import Entry
from mu.model.kinds import EntryRole, Rule, SiteKind
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.ledger import Mention, resolved
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.argument_syntax import ArgumentSyntax, RegistrationCall
from mu.resolve.frameworks.entry_points import EntryPoints
from mu.resolve.frameworks.event_channels import EventChannels
from mu.resolve.frameworks.framework_detection import (
    FrameworkDetection,
    SharedKind,
    shared_kind,
    words_of,
)
from mu.resolve.frameworks.framework_overrides import FrameworkOverrides
from mu.resolve.frameworks.handler_arguments import HandlerArguments
from mu.resolve.frameworks.injected_defaults import InjectedDefaults
from mu.resolve.frameworks.injection_edges import InjectionEdges
from mu.resolve.frameworks.routes import Routes
from mu.resolve.frameworks.test_isolation import TestIsolation
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.reference_text import ReferenceText
from mu.resolve.semantics.framework_models import (
    Framework,
    Group,
    Handling,
    Listening,
    Meaning,
    Mount,
    Providing,
    Running,
    Sending,
)
from mu.resolve.semantics.language_rules import LanguageRules

_CALL, _CALL_REFERENCE = int(Op.CALL), int(ReferenceKind.CALL)
_COLLECTION, _STRING = int(Op.COLLECTION), int(Op.STRING)

Meanings = Sequence[tuple[Framework, Meaning]]


_Mentioned = tuple[int, int, int, int, int]
"""A call or decorator with a name that frameworks use: (row of the call, 0 for a decorator without
arguments; row of the callee; definition around it, or -1; definition it decorates, or -1; line).
"""


class Registering(NamedTuple):
    """The result of a scan: the files with registrations, by key, those of them with registrations
    of each shared kind, and the names of the frameworks used.

    What a filter, a command or a thread runs depends on its own file alone; routes, events and
    providers are composed from the registrations of several files.
    """

    files: Set[int]
    shared: Mapping[SharedKind, Set[int]]
    frameworks: Sequence[str]

    def kinds_in(self, files: Set[int]) -> set[SharedKind]:
        """Return the shared kinds of the registrations in some files."""
        return {kind for kind, sharing in self.shared.items() if not files.isdisjoint(sharing)}

    def sharing(self, kinds: Iterable[SharedKind]) -> set[int]:
        """Return the files with registrations of some shared kinds."""
        return {key for kind in kinds for key in self.shared.get(kind, ())}


class _Beside(NamedTuple):
    """Unchanged files that are scanned only for registrations of some kinds."""

    files: Set[int]
    kinds: Set[SharedKind]


_NONE_BESIDE = _Beside(frozenset(), frozenset())


class Registrations:
    """Scans all files for registrations, then adds the edges of each file."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, nodes: NodeTable, entries: EntryPoints
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._nodes = nodes
        self._entries = entries
        self._written = ArgumentSyntax(program, evaluator)
        self._events = EventChannels(
            evaluator, self._written, TestIsolation(program, evaluator.members)
        )
        self._handlers = HandlerArguments(program, evaluator, self._written)
        self._routes = Routes(program, evaluator, written=self._written, handlers=self._handlers)
        self._extensions = FrameworkOverrides(program, evaluator, nodes=nodes, entries=entries)
        self._providers = InjectedDefaults(evaluator, self._written, self._handlers)
        self._fixtures = InjectionEdges(program, evaluator, nodes=nodes, entries=entries)
        self._running: dict[int, list[tuple[RegistrationCall, Running | Sending]]] = {}
        self._detected: list[tuple[LanguageRules, FrameworkDetection]] = []
        self._words: dict[str, set[str]] = {}  # by language
        self._files: set[int] = set()  # those with registrations
        self._shared: defaultdict[SharedKind, set[int]] = defaultdict(set)  # of those files
        self._used: list[str] = []

    @property
    def registering(self) -> Registering:
        """The result of the scan, from which another one may start."""
        return Registering(self._files, self._shared, self._used)

    def scan(self, before: Registering | None = None, others: Set[int] = frozenset()) -> None:
        """Scan all calls and decorators for registrations, and add the entry points.

        Given the result `before` of another scan, only its files and `others` are scanned, as long
        as the same frameworks are used.
        """
        self._detect()
        is_same = before is not None and self._used == [*before.frameworks]
        self._look_at(before.files | others if before is not None and is_same else None)

    def resume(
        self, before: Registering, others: Set[int], *, parts: Mapping[int, FileSymbols]
    ) -> bool:
        """Scan the files `others`, and those whose registrations are composed with theirs.

        All other registrations are as they were `before`. Of files that had none, only `parts` are
        scanned. Return False if that is not enough and a scan from the start is needed: other
        frameworks are used, one of them injects parameters (by type aliases of any file), or
        `others` have registrations of a shared kind that they had none of before.
        """
        self._detect()
        used = [framework for _, known in self._detected for framework in known.used]
        has_aliases = any(framework.providings for framework in used)
        if has_aliases or self._used != [*before.frameworks]:
            return False
        kinds = before.kinds_in(others)
        beside = before.sharing(kinds) - others
        told_nothing = {key: parts[key] for key in parts.keys() - before.files}
        self._look_at(others | beside, told_nothing, beside=_Beside(beside, kinds))
        is_enough = self.registering.kinds_in(others) <= kinds
        left = self._program.files.keys() - others
        self._files |= before.files & left
        for kind in before.shared.keys() - kinds:
            self._shared[kind] |= before.shared[kind] & left
        return is_enough

    def _detect(self) -> None:
        """Find the frameworks that each language uses."""
        self._detected = [
            (rules, known)
            for rules in self._program.rules
            if (known := FrameworkDetection(self._program, self._evaluator, rules)).used
        ]
        self._used = [framework.name for _, known in self._detected for framework in known.used]
        self._words = {rules.name: known.words for rules, known in self._detected}

    def _look_at(
        self,
        wanted: Set[int] | None,
        parts: Mapping[int, FileSymbols] = MappingProxyType({}),
        *,
        beside: "_Beside | None" = None,
    ) -> None:
        """Scan the `wanted` files, or all if None, for registrations.

        Of files in `parts` only these parts are scanned, and files `beside` only for its kinds.
        """
        beside = beside or _NONE_BESIDE
        for rules, known in self._detected:
            units = [
                parts.get(key) or self._program.units[key]
                for key in self._program.files
                if (wanted is None or key in wanted) and self._program.rules_of(key) is rules
            ]
            run = self._program.fence.run
            words = known.words, known.words_sharing(beside.kinds)
            mentioned = [
                run(unit.file, _mentioned, unit, words[unit.key in beside.files], otherwise=())
                for unit in units
            ]
            listing = [
                unit
                for unit in units
                if unit.key not in beside.files or SharedKind.ROUTES in beside.kinds
                if run(unit.file, self._routes.has_list, unit, known, otherwise=False)
            ]
            if listing or any(mentioned):
                self._prepare(known)
            for unit in listing:
                self._files.add(unit.key)
                self._shared[SharedKind.ROUTES].add(unit.key)
                run(unit.file, self._routes.walk_lists, unit, otherwise=None)
            for unit, calls in zip(units, mentioned, strict=True):
                run(unit.file, self._scan_file, unit, known, calls, otherwise=None)
                if unit.key not in beside.files:
                    run(unit.file, self._note_overrides, unit, known, otherwise=None)
            self._routes.follow_parameters()
        self._fixtures.note_entries()
        for entry in self._routes.entries(self._nodes):
            self._entries.add(entry)

    def _prepare(self, known: FrameworkDetection) -> None:
        """Resolve the names of frameworks."""
        self._written.own |= known.own
        self._handlers.prepare(known)
        self._routes.prepare(known)
        for framework in known.used:
            self._events.know_makers(known.keys(framework.named_sources))

    def mentions(self, unit: FileSymbols, texts: ReferenceText) -> Iterator[Mention]:
        """Yield the edges of a file: what frameworks run, injections and included modules."""
        owners, file = self._nodes.owners(unit), unit.key
        for told, meaning in self._running.get(file, ()):
            if isinstance(meaning, Sending):
                found: Sequence[int] = self._events.listeners(told, meaning)
            elif self._is_given(told, meaning.unless):
                continue
            else:
                found = self._handlers.of(told, meaning.takes)
            yield from self._edge(
                texts.of(told.function), owners[told.owner], told.line, found, sort=sorts.CALLS
            )
        for owner, row, line, provider in self._providers.of(unit):
            yield from self._edge(
                texts.of(row), owners[owner], line, (provider,), sort=sorts.USES_INJECTED
            )
        for owner, text, line, provider in self._fixtures.of(unit):
            yield from self._edge(text, owners[owner], line, (provider,), sort=sorts.USES_INJECTED)
        for line, target, text in self._routes.included(file):
            module = self._nodes.of_module(target)
            if module != owners[-1]:
                outcome = resolved(
                    text,
                    text.rpartition(".")[2],
                    hits=[(module, Rule.REGISTERED, False)],
                    sort=sorts.IMPORTS,
                )
                yield SiteKind.IMPORT, owners[-1], line, outcome

    def _is_given(self, told: RegistrationCall, texts: tuple[str, ...]) -> bool:
        """Return whether one of some strings is an argument of a call, or in a list that is one."""
        rows = told.unit.expressions
        given = [rows[arg] for arg in told.args] if texts else []
        given += [rows[arg] for op, _, _, args in given if op == _COLLECTION for arg in args]
        return any(op == _STRING and text in texts for op, text, _, _ in given)

    def _edge(
        self, text: str, source: int, line: int, targets: Sequence[int], *, sort: int
    ) -> Iterator[Mention]:
        nodes = {node for n in targets if (node := self._nodes.of_definition(n)) >= 0}
        hits = [(node, Rule.REGISTERED, False) for node in sorted(nodes)]
        if hits:
            is_one = len(hits) == 1  # several have no name in common
            name = self._nodes.node(hits[0][0]).name if is_one else text.rpartition(".")[2]
            kind = SiteKind.CALL if sort == sorts.CALLS else SiteKind.VALUE
            yield kind, source, line, resolved(text, name, hits=hits, sort=sort)

    def _scan_file(
        self, unit: FileSymbols, known: FrameworkDetection, mentioned: Sequence[_Mentioned]
    ) -> None:
        is_of_framework = bool(mentioned) and known.is_of_framework(unit)
        meanings: dict[int, Meanings] = {}
        for call, function, owner, decorated, line in mentioned:
            if function not in meanings:
                meanings[function] = known.meanings(self._evaluator.values(unit, function))
            if not meanings[function]:
                continue
            self._files.add(unit.key)
            if not known.is_own(unit, owner if decorated < 0 else decorated):
                told = RegistrationCall(
                    unit, call, function, owner, decorated, line, is_of_framework
                )
                for framework, meaning in meanings[function]:
                    self._take(told, framework, meaning)

    def _note_overrides(self, unit: FileSymbols, known: FrameworkDetection) -> None:
        if self._extensions.note(unit, known):
            self._files.add(unit.key)

    def _take(self, told: RegistrationCall, framework: Framework, meaning: Meaning) -> None:
        kind = shared_kind(meaning)
        if kind is not None:
            self._shared[kind].add(told.unit.key)
        if isinstance(meaning, Handling):
            self._handle(told, framework, meaning)
        elif isinstance(meaning, Listening):
            self._listen(told, framework, meaning)
        elif isinstance(meaning, Providing):
            self._providers.note(told, meaning)
        elif isinstance(meaning, Mount):
            self._routes.note_mount(told, meaning)
        elif isinstance(meaning, Group):
            self._routes.note_group(told, meaning)
        elif told.decorated < 0:
            running = told._replace(is_of_framework=False)  # here, parameters count: it runs them
            self._running.setdefault(told.unit.key, []).append((running, meaning))

    def _handle(self, told: RegistrationCall, framework: Framework, meaning: Handling) -> None:
        for number in self._handlers.of(told, meaning.takes):
            if meaning.role == EntryRole.ROUTE:
                self._routes.note(told, framework, meaning=meaning, number=number)
            else:
                label = self._label(told, meaning, number)
                self._enter(told, number, meaning.role, framework, label)

    def _label(self, told: RegistrationCall, meaning: Handling, number: int) -> str:
        row = self._written.argument(told.unit, told.args, wanted=meaning.label)
        if row:
            return self._written.text(told.unit, row) or ""
        if not meaning.is_named or self._written.is_open(told.unit, told.args):
            return ""
        name = self._program.definitions[number].name
        for ending in meaning.endings:
            name = name.removesuffix(ending) or name
        return name.lower().replace("_", "-")

    def _listen(self, told: RegistrationCall, framework: Framework, meaning: Listening) -> None:
        for number in self._handlers.of(told, meaning.takes):
            for event, name in self._events.of(told, meaning):
                self._events.listen(event, number, told=told)
                self._enter(told, number, EntryRole.RECEIVER, framework, name)

    def _enter(
        self, told: RegistrationCall, number: int, role: EntryRole, framework: Framework, label: str
    ) -> None:
        node = self._nodes.of_definition(number)
        if node < 0 and role == EntryRole.TEST:  # an anonymous one, with a label
            node = self._nodes.of_owner(told.unit, told.owner)
        if node >= 0:
            path = told.unit.file.path
            self._entries.add(Entry(node, role, "", label, framework.name, path, told.line))


def _mentioned(unit: FileSymbols, words: Set[str]) -> list[_Mentioned]:
    """Return the calls and decorators of a file whose last name part is one of `words`."""
    words, rows = words_of(unit, words), unit.expressions
    found = [
        (number, rows[number][2], owner, -1, line)
        for kind, number, owner, line in unit.facts.references
        if kind == _CALL_REFERENCE and rows[rows[number][2]][1] in words
    ]
    for local, row in enumerate(unit.facts.definitions):
        for number, line, _ in row.decorators if local not in unit.left_out else ():
            is_call = rows[number][0] == _CALL
            function = rows[number][2] if is_call else number
            if rows[function][1] in words:
                found.append((number if is_call else 0, function, -1, local, line))
    return found
