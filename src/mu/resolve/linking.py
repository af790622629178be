"""From facts to the graph: every reference is resolved, or stays in the ledger with the reason.

One pass over the references of each file; what an expression means is asked of the evaluator, which
answers each question once. So the work is linear in the size of the repository, but for values that
go in circles, which are bounded.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from mu.model.facts import FileFacts, Op, Reference, ReferenceKind, ScopeKind
from mu.model.graph import File, Graph
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind
from mu.resolve.evaluate import Evaluator
from mu.resolve.imports import ImportLinker
from mu.resolve.ledger import Hit, Ledger
from mu.resolve.nodes import NodeTable, containment
from mu.resolve.program import Program, Unit
from mu.resolve.rules import LanguageRules
from mu.resolve.targets import Targets
from mu.resolve.texts import Texts
from mu.resolve.values import SymbolKind, ValueKind

_CALL, _BASE, _VALUE = (
    int(ReferenceKind.CALL),
    int(ReferenceKind.BASE),
    int(ReferenceKind.VALUE),
)
_NAMING: dict[int, tuple[SiteKind, EdgeKind, str]] = {
    _BASE: (SiteKind.BASE, EdgeKind.INHERITS, "extends"),
    int(ReferenceKind.ANNOTATION): (SiteKind.ANNOTATION, EdgeKind.USES, "annotation"),
    int(ReferenceKind.DECORATOR): (SiteKind.DECORATOR, EdgeKind.USES, "decorator"),
    _VALUE: (SiteKind.VALUE, EdgeKind.USES, "value"),
}
_COMPUTED = frozenset(map(int, (Op.INDEX, Op.CALL, Op.AWAIT)))
_ATTRIBUTE = int(Op.ATTRIBUTE)
_QUIET = (SymbolKind.MODULE, SymbolKind.NAMESPACE)


def link(
    files: Sequence[File],
    facts: Mapping[int, FileFacts],
    rules: Mapping[str, LanguageRules],
    *,
    roots: Sequence[str] = (),
) -> Graph:
    """The graph of `files`, of which those with `facts` (by file key) are linked.

    `rules` has an entry for each language among them; `roots` are folders that imports start from,
    besides those the languages find themselves. The order of `files` is part of the result.
    """
    program = Program(files, facts, rules, roots)
    linker = _Linker(program)
    for unit in program.units.values():
        linker.link(unit)
    linker.link_overrides()
    return Graph(files, linker.nodes.rows, linker.ledger.edges(), linker.ledger.sites)


class _Linker:
    """Holds what linking one file needs of all the others."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._evaluator = Evaluator(program)
        self.nodes = NodeTable(program)
        self.ledger = Ledger()
        self._targets = Targets(self._evaluator, self.nodes)
        names = self._evaluator.names
        self._imports = ImportLinker(names, self.nodes, self._targets, self.ledger)
        self._methods = self._methods_by_name()
        for parent, child in containment(self.nodes.rows):
            line = self.nodes.rows[child].start_line
            self.ledger.edge((parent, child, EdgeKind.CONTAINS, ""), line, Rule.SYNTAX)

    def link(self, unit: Unit) -> None:
        """Resolve every import and reference of one file."""
        self._imports.link(unit)
        texts = Texts(unit)
        inner = {row[2] for row in unit.expressions if row[0] == _ATTRIBUTE}
        calls = []
        for reference in unit.facts.references:
            if reference[0] == _CALL:
                calls.append(reference)
            else:
                self._link_name(unit, texts, reference, is_inner=reference[1] in inner)
        self._link_calls(unit, texts, calls)

    def link_overrides(self) -> None:
        """Link each method to the nearest one it overrides."""
        for number in self._program.classes():
            unit, row = self._program.unit_of[number], self._program.definitions[number]
            order = [a for a in self._evaluator.members.order(number)[1:] if isinstance(a, int)]
            if not order:
                continue
            for local, method in enumerate(unit.facts.definitions):
                if method.scope == row.body and method.name:
                    self._link_override(unit.first + local, order)

    def _link_override(self, number: int, order: list[int]) -> None:
        method = self._program.definitions[number]
        for ancestor in order:
            entry = self._program.members(ancestor, method.name)
            if entry is None:
                continue
            if entry.definitions:
                first = self._program.unit_of[ancestor].first
                target = self.nodes.of_definition(first + entry.definitions[-1])
                key = (self.nodes.of_definition(number), target, EdgeKind.OVERRIDES, "")
                self.ledger.edge(key, method.start_line, Rule.INHERITED)
            return

    def _link_calls(self, unit: Unit, texts: Texts, calls: list[Reference]) -> None:
        """Resolve what each distinct expression calls, and note every call of it."""
        file, owner_of = unit.file.key, self.nodes.of_owner
        known: dict[int, tuple[str, str, list[Hit], tuple[Reason, int]]] = {}
        for _, number, owner, line in calls:
            function = unit.expressions[number][2]
            found = known.get(function)
            if found is None:
                found = known[function] = self._callee(unit, texts, function)
            text, name, hits, failure = found
            mention = (SiteKind.CALL, owner_of(unit, owner), file, line, text, name)
            if hits:
                self.ledger.resolved(mention, hits, EdgeKind.CALLS, "")
            else:
                self.ledger.unresolved(mention, *failure)

    def _callee(
        self, unit: Unit, texts: Texts, function: int
    ) -> tuple[str, str, list[Hit], tuple[Reason, int]]:
        """(text, name, what it calls, why nothing where that is empty) of a called expression."""
        hits = self._targets.called(unit, self._evaluator.values(unit, function))
        text = texts.of(function)
        name = unit.expressions[function][1] or text
        failure = (Reason.UNKNOWN, 0) if hits else self._unresolved_call(unit, function)
        return text, name, hits, failure

    def _unresolved_call(self, unit: Unit, function: int) -> tuple[Reason, int]:
        op, text, base, _ = unit.expressions[function]
        if op in _COMPUTED:
            return Reason.DYNAMIC, 0
        if op == _ATTRIBUTE and not self._evaluator.values(unit, base):
            candidates = len(self._methods.get(text, ()))
            return (Reason.AMBIGUOUS if candidates > 1 else Reason.UNKNOWN), candidates
        return Reason.UNKNOWN, 0

    def _link_name(self, unit: Unit, texts: Texts, reference: Reference, *, is_inner: bool) -> None:
        kind, number, owner, line = reference
        symbols = self._evaluator.symbols(unit, number)
        if kind == _BASE:
            hits = self._base_hits(unit, number, owner)
        else:
            hits = self._targets.named(unit, symbols)
        if kind == _VALUE:
            if is_inner:  # `os` in `os.path`: what it leads to says more
                hits = [hit for hit in hits if not hit[2]]
            if not hits:
                return
        source = self.nodes.of_owner(unit, owner)
        hits = [hit for hit in hits if hit[0] != source]
        site_kind, edge, role = _NAMING[kind]
        text = texts.of(number)
        mention = (
            site_kind,
            source,
            unit.file.key,
            line,
            text,
            unit.expressions[number][1] or text,
        )
        if hits:
            self.ledger.resolved(mention, hits, edge, role)
        elif kind != _VALUE and not any(symbol[0] in _QUIET for symbol in symbols):
            self.ledger.unresolved(mention, Reason.UNKNOWN)

    def _base_hits(self, unit: Unit, number: int, owner: int) -> list[Hit]:
        """The class that a base names, by whatever alias; the one before, if it is its own name."""
        values = self._evaluator.values(unit, number)
        itself = unit.first + owner
        if any(value[0] == ValueKind.CLASS and value[1] == itself for value in values):
            return self._targets.named(unit, self._evaluator.names.before(unit, owner))
        classes = tuple(v for v in values if v[0] in (ValueKind.CLASS, ValueKind.EXTERNAL))
        return self._targets.stood_for(unit, classes)

    def _methods_by_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(self._program.definitions):
            scopes = self._program.unit_of[number].facts.scopes
            if row.kind == "function" and scopes[row.scope].kind == ScopeKind.CLASS:
                found[row.name].append(number)
        return found
