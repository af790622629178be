"""Imports as edges: the modules that are run, and each name that is taken out of them."""

from dataclasses import replace

from mu.model.facts import Flag, Import, ScopeKind
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind
from mu.resolve.ledger import Hit, Ledger, Mention
from mu.resolve.names import Names
from mu.resolve.nodes import NodeTable
from mu.resolve.program import Unit
from mu.resolve.rules import Target
from mu.resolve.targets import Targets

TYPE_ONLY = "type-only"
LAZY = "lazy"


class ImportLinker:
    """Links the imports of one file after another."""

    def __init__(self, names: Names, nodes: NodeTable, targets: Targets, ledger: Ledger) -> None:
        self._names = names
        self._nodes = nodes
        self._targets = targets
        self._ledger = ledger

    def link(self, unit: Unit) -> None:
        """Note every import of `unit`."""
        source = self._nodes.of_module(unit.file.key)
        running = set(unit.finder.packages_of(unit.file.key))
        for row in unit.facts.imports:
            mention = _mention(unit, row, source)
            target = unit.finder.find(unit.file.key, row.level, row.module)
            role = _role(unit, row)
            if target.missing:
                self._ledger.unresolved(mention, Reason.UNKNOWN)
                continue
            taken = self._taken(unit, row, target, role)
            modules = self._modules(unit, target, role, running=running if taken else set())
            if taken:
                self._resolve(mention, taken)
            elif row.name:
                self._ledger.unresolved(mention, Reason.UNKNOWN)
            if row.name:
                name = row.module.rpartition(".")[2]
                mention = replace(mention, text="." * row.level + row.module, name=name)
            self._resolve(mention, modules)

    def _resolve(self, mention: Mention, hits: list[Hit]) -> None:
        hits = [hit for hit in dict.fromkeys(hits) if hit.target != mention.source]
        if hits:
            self._ledger.resolved(mention, hits)

    def _taken(self, unit: Unit, row: Import, target: Target, role: str) -> list[Hit]:
        """What a `from` import takes by name."""
        if not row.name:
            return []
        symbols = self._names.of_target(unit, target, row.name)
        return [
            Hit(node, Rule.IMPORT, EdgeKind.IMPORTS, role, is_external=is_external)
            for node, _, is_external in self._targets.named(unit, symbols, with_modules=True)
        ]

    def _modules(self, unit: Unit, target: Target, role: str, *, running: set[int]) -> list[Hit]:
        """The modules that run: the one that is named, and the packages above it."""
        kind, rule = EdgeKind.IMPORTS, Rule.IMPORT
        if target.external:
            node = self._nodes.of_external(target.external, unit.rules)
            return [Hit(node, rule, kind, role, is_external=True)]
        if target.namespace:
            node = self._nodes.of_namespace(target.namespace, unit.file.language)
            return [Hit(node, rule, kind, role)]
        files = dict.fromkeys((target.file, *unit.finder.packages_of(target.file)))
        return [
            Hit(self._nodes.of_module(file), rule, kind, role)
            for file in files
            if file not in running
        ]


def _mention(unit: Unit, row: Import, source: int) -> Mention:
    shown = ".".join(filter(None, ("." * row.level + row.module, row.name)))
    name = row.name or row.module.rpartition(".")[2]
    return Mention(SiteKind.IMPORT, source, unit.file.key, row.line, shown, name)


def _role(unit: Unit, row: Import) -> str:
    if row.flags & Flag.TYPE_ONLY:
        return TYPE_ONLY
    scope = row.scope
    while scope >= 0:
        if unit.facts.scopes[scope].kind == ScopeKind.FUNCTION:
            return LAZY
        scope = unit.facts.scopes[scope].parent
    return ""
