"""Import edges: to modules, and to each name imported from them."""

from collections.abc import Iterator

from mu.model.facts import Flag, Import, ScopeKind
from mu.model.kinds import Reason, Rule, SiteKind
from mu.resolve.abstract_values import MODULE, NAMESPACE
from mu.resolve.emit.ledger import (
    IMPORTS,
    IMPORTS_LATE,
    IMPORTS_TYPES,
    NOTHING,
    Hit,
    Ledger,
    Mention,
    Outcome,
    resolved,
    unresolved,
    without,
)
from mu.resolve.emit.nodes import NodeTable, last_part
from mu.resolve.emit.value_nodes import ValueNodes
from mu.resolve.lookup.name_lookup import NameLookup
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.semantics.module_resolver import Target

_TYPE_ONLY = int(Flag.TYPE_ONLY)
_FUNCTION = int(ScopeKind.FUNCTION)
_IMPORT, _BY_IMPORT = SiteKind.IMPORT, Rule.IMPORT


class ImportEdges:
    """A resolver of imports, one file at a time."""

    def __init__(
        self, names: NameLookup, *, nodes: NodeTable, targets: ValueNodes, ledger: Ledger
    ) -> None:
        self._names = names
        self._nodes = nodes
        self._targets = targets
        self._ledger = ledger

    def link(self, unit: FileSymbols) -> None:
        """Record every import of `unit`."""
        self._ledger.note(unit.key, self._imports(unit))

    def leave_open(self, unit: FileSymbols) -> Iterator[Mention]:
        """Yield every import of `unit` as unknown."""
        source = self._nodes.of_module(unit.key)
        for row in unit.facts.imports:
            yield _IMPORT, source, row.line, _unknown(row)

    def _imports(self, unit: FileSymbols) -> Iterator[Mention]:
        file = unit.key
        source = self._nodes.of_module(file)
        running = frozenset(unit.finder.packages_of(file))
        known: dict[tuple[int, str, bool, bool, int], Outcome] = {}
        for row in unit.facts.imports:
            if not (row.module or row.level):  # an alias of a name in the file itself
                continue
            target = unit.finder.find(file, row.module, level=row.level)
            if target.missing:
                yield _IMPORT, source, row.line, _unknown(row)
                continue
            sort = _sort(unit, row)
            taken, is_submodule = self._taken(unit, row, target)
            if taken:
                text, name = _shown(row)
                named = without(resolved(text, name, hits=taken, sort=sort), (source,))
                yield _IMPORT, source, row.line, named
            elif unit.modules.taken_name(row):
                yield _IMPORT, source, row.line, _unknown(row)
            key = (row.level, row.module, bool(row.name), is_submodule, sort)
            outcome = known.get(key)
            if outcome is None:
                left_out = running if is_submodule else running - {target.file}
                hits = self._modules(unit, target, left_out if row.name else frozenset())
                hits = [hit for hit in hits if hit[0] != source]
                outcome = known[key] = _of_modules(row, hits, sort)
            yield _IMPORT, source, row.line, outcome

    def _taken(self, unit: FileSymbols, row: Import, target: Target) -> tuple[list[Hit], bool]:
        """Return what a `from` import names, and whether that is a module of its own."""
        target, name = self._names.taken(unit, row, target=target)
        if not name:
            return [], False
        symbols = self._names.of_target(unit, target, name=name)
        is_submodule = all(symbol[0] in (MODULE, NAMESPACE) for symbol in symbols)
        return self._targets.named(unit, symbols, with_modules=True), is_submodule

    def _modules(self, unit: FileSymbols, target: Target, running: frozenset[int]) -> list[Hit]:
        """Return the modules that run: the named one and the packages around it."""
        if target.external:
            return [(self._nodes.of_external(target.external, unit.rules), _BY_IMPORT, True)]
        if target.namespace:
            node = self._nodes.of_namespace(target.namespace, unit)
            return [(node, _BY_IMPORT, False)]
        files = dict.fromkeys((target.file, *unit.finder.packages_of(target.file)))
        return [
            (self._nodes.of_module(file), _BY_IMPORT, False)
            for file in files
            if file not in running
        ]


def _unknown(row: Import) -> Outcome:
    shown, name = _shown(row)
    return unresolved(shown, name, reason=Reason.UNKNOWN)


def _of_modules(row: Import, hits: list[Hit], sort: int) -> Outcome:
    """Return the outcome for the module that an import names, or imports names from."""
    if not hits:
        return NOTHING
    name = last_part(row.module)
    return resolved("." * row.level + row.module, name, hits=hits, sort=sort)


def _shown(row: Import) -> tuple[str, str]:
    """Return (text, name) of the imported symbol or module."""
    dotted = f"{row.module}.{row.name}" if row.module and row.name else row.module or row.name
    return "." * row.level + dotted, row.name or last_part(row.module)


def _sort(unit: FileSymbols, row: Import) -> int:
    if row.flags & _TYPE_ONLY:
        return IMPORTS_TYPES
    scope = row.scope
    while scope > 0:
        kind, parent, _, _, _ = unit.scopes[scope]
        if kind == _FUNCTION:
            return IMPORTS_LATE
        scope = parent
    return IMPORTS
