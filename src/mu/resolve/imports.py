"""Imports as edges: the modules that are run, and each name that is taken out of them."""

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
            taken = self._taken(unit, row, target)
            modules = self._modules(unit, target, running if taken else set())
            if row.name and not taken:
                self._ledger.unresolved(mention, Reason.UNKNOWN)
            elif row.name:
                self._resolve(mention, taken, role)
            self._resolve(_of_module(mention, row) if row.name else mention, modules, role)

    def _resolve(self, mention: Mention, hits: list[Hit], role: str) -> None:
        source = mention[1]
        hits = [hit for hit in dict.fromkeys(hits) if hit[0] != source]
        if hits:
            self._ledger.resolved(mention, hits, EdgeKind.IMPORTS, role)

    def _taken(self, unit: Unit, row: Import, target: Target) -> list[Hit]:
        """What a `from` import takes by name."""
        if not row.name:
            return []
        symbols = self._names.of_target(unit, target, row.name)
        hits = self._targets.named(unit, symbols, with_modules=True)
        return [(node, Rule.IMPORT, is_external) for node, _, is_external in hits]

    def _modules(self, unit: Unit, target: Target, running: set[int]) -> list[Hit]:
        """The modules that run: the one that is named, and the packages above it."""
        if target.external:
            return [(self._nodes.of_external(target.external, unit.rules), Rule.IMPORT, True)]
        if target.namespace:
            node = self._nodes.of_namespace(target.namespace, unit.file.language)
            return [(node, Rule.IMPORT, False)]
        files = dict.fromkeys((target.file, *unit.finder.packages_of(target.file)))
        return [
            (self._nodes.of_module(file), Rule.IMPORT, False)
            for file in files
            if file not in running
        ]


def _mention(unit: Unit, row: Import, source: int) -> Mention:
    shown = "." * row.level + ".".join(filter(None, (row.module, row.name)))
    name = row.name or row.module.rpartition(".")[2]
    return SiteKind.IMPORT, source, unit.file.key, row.line, shown, name


def _of_module(mention: Mention, row: Import) -> Mention:
    """The mention of the module that names are taken from."""
    name = row.module.rpartition(".")[2]
    return (*mention[:4], "." * row.level + row.module, name)


def _role(unit: Unit, row: Import) -> str:
    if row.flags & Flag.TYPE_ONLY:
        return TYPE_ONLY
    scope = row.scope
    while scope >= 0:
        if unit.facts.scopes[scope].kind == ScopeKind.FUNCTION:
            return LAZY
        scope = unit.facts.scopes[scope].parent
    return ""
