"""From facts to the graph: every reference is resolved, or stays in the ledger with the reason.

One pass over the references of each file; what an expression means is asked of the evaluator, which
answers each question once. So the work is linear in the size of the repository, but for values that
go in circles, which are bounded.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from mu.model.facts import FileFacts, Op, Reference, ReferenceKind
from mu.model.graph import File, Graph
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind
from mu.resolve.evaluate import Evaluator
from mu.resolve.imports import ImportLinker
from mu.resolve.ledger import Hit, Ledger, Mention
from mu.resolve.nodes import NodeTable, containment
from mu.resolve.program import Program, Unit
from mu.resolve.rules import LanguageRules
from mu.resolve.targets import Target, Targets
from mu.resolve.texts import Texts
from mu.resolve.values import SymbolKind, Symbols

_SITE_KINDS = {
    ReferenceKind.CALL: SiteKind.CALL,
    ReferenceKind.BASE: SiteKind.BASE,
    ReferenceKind.ANNOTATION: SiteKind.ANNOTATION,
    ReferenceKind.DECORATOR: SiteKind.DECORATOR,
    ReferenceKind.VALUE: SiteKind.VALUE,
}
_ROLES = {
    ReferenceKind.BASE: "extends",
    ReferenceKind.ANNOTATION: "annotation",
    ReferenceKind.DECORATOR: "decorator",
    ReferenceKind.VALUE: "value",
}


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
            self.ledger.edge(parent, child, EdgeKind.CONTAINS, role="", line=line, rule=Rule.SYNTAX)

    def link(self, unit: Unit) -> None:
        """Resolve every import and reference of one file."""
        self._imports.link(unit)
        texts = Texts(unit)
        inner = {row[2] for row in unit.expressions if row[0] == Op.ATTRIBUTE}
        for reference in unit.facts.references:
            if reference[0] == ReferenceKind.CALL:
                self._link_call(unit, texts, reference)
            else:
                self._link_name(unit, texts, reference, is_inner=reference[1] in inner)

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
                self.ledger.edge(
                    self.nodes.of_definition(number),
                    target,
                    EdgeKind.OVERRIDES,
                    role="",
                    line=method.start_line,
                    rule=Rule.INHERITED,
                )
            return

    def _link_call(self, unit: Unit, texts: Texts, reference: Reference) -> None:
        _, number, owner, line = reference
        function = unit.expressions[number][2]
        mention = self._mention(unit, texts, (ReferenceKind.CALL, function, owner, line))
        targets = self._targets.called(unit, self._evaluator.values(unit, function))
        if targets:
            self.ledger.resolved(mention, [_call_hit(target) for target in targets])
            return
        reason, candidates = self._unresolved_call(unit, function)
        self.ledger.unresolved(mention, reason, candidates)

    def _unresolved_call(self, unit: Unit, function: int) -> tuple[Reason, int]:
        op, text, base, _ = unit.expressions[function]
        if op in (Op.INDEX, Op.CALL, Op.AWAIT):
            return Reason.DYNAMIC, 0
        if op == Op.ATTRIBUTE and not self._evaluator.values(unit, base):
            candidates = len(self._methods.get(text, ()))
            return (Reason.AMBIGUOUS if candidates > 1 else Reason.UNKNOWN), candidates
        return Reason.UNKNOWN, 0

    def _link_name(self, unit: Unit, texts: Texts, reference: Reference, *, is_inner: bool) -> None:
        kind, number, owner, _ = reference
        symbols = self._evaluator.symbols(unit, number)
        if kind == ReferenceKind.BASE:
            symbols = self._as_base(unit, owner, symbols)
        targets = self._targets.named(unit, symbols)
        if kind == ReferenceKind.VALUE:
            if is_inner:  # `os` in `os.path`: what it leads to says more
                targets = [target for target in targets if not target[2]]
            if not targets:
                return
        mention = self._mention(unit, texts, reference)
        source = mention.source
        targets = [target for target in targets if target[0] != source]
        if targets:
            edge = EdgeKind.INHERITS if kind == ReferenceKind.BASE else EdgeKind.USES
            role = _ROLES[ReferenceKind(kind)]
            self.ledger.resolved(
                mention, [Hit(node, rule, edge, role, out) for node, rule, out in targets]
            )
        elif not any(symbol[0] in _QUIET for symbol in symbols):
            self.ledger.unresolved(mention, Reason.UNKNOWN)

    def _as_base(self, unit: Unit, owner: int, symbols: Symbols) -> Symbols:
        """A class may extend the one whose name it takes."""
        itself = unit.first + owner
        if any(s[0] == SymbolKind.DEFINITION and s[1] == itself for s in symbols):
            return self._evaluator.names.before(unit, owner)
        return symbols

    def _mention(self, unit: Unit, texts: Texts, reference: Reference) -> Mention:
        kind, number, owner, line = reference
        source = self.nodes.of_owner(unit, owner)
        text = texts.of(number)
        name = unit.expressions[number][1] or text
        return Mention(_SITE_KINDS[ReferenceKind(kind)], source, unit.file.key, line, text, name)

    def _methods_by_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(self._program.definitions):
            unit = self._program.unit_of[number]
            scopes = unit.facts.scopes
            if row.kind == "function" and scopes[row.scope].definition >= 0:
                found[row.name].append(number)
        return found


_QUIET = (SymbolKind.MODULE, SymbolKind.NAMESPACE)


def _call_hit(target: Target) -> Hit:
    node, rule, is_external = target
    return Hit(node, rule, EdgeKind.CALLS, "", is_external)
