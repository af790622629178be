"""From facts to the graph: every reference is resolved, or stays in the ledger with the reason.

First what calls pass for parameters is gathered, in rounds; then one pass over the references of
each file asks the evaluator what they mean, which answers each question once. So the work grows
with the size of the repository, but for values that go in circles, which are bounded.
"""

from collections.abc import Iterator, Mapping, Sequence, Set

from mu.model.facts import FileFacts, Op, Reference, ReferenceKind, ScopeKind
from mu.model.graph import File, Graph, Limits
from mu.model.kinds import Reason, Rule, SiteKind
from mu.resolve import ledger as sorts
from mu.resolve.accessors import Accessors
from mu.resolve.awaiting import Awaiting
from mu.resolve.blanks import Blanks
from mu.resolve.callbacks import Callbacks
from mu.resolve.declaring import Declaring
from mu.resolve.defining import Defining
from mu.resolve.dispatch import MOST_OVERRIDES, Dispatch
from mu.resolve.evaluate import Evaluator
from mu.resolve.foreign import Foreign
from mu.resolve.gathering import Gathering
from mu.resolve.implicit import Implicit
from mu.resolve.imports import ImportLinker
from mu.resolve.inheriting import Inheriting
from mu.resolve.ledger import (
    NOTHING,
    Hit,
    Ledger,
    Mention,
    Outcome,
    also_open,
    is_use,
    resolved,
    site_of,
    unresolved,
    without,
)
from mu.resolve.nodes import NodeTable
from mu.resolve.overrides import Overrides
from mu.resolve.program import Program
from mu.resolve.rules import Declared, LanguageRules
from mu.resolve.search import Need
from mu.resolve.siblings import Siblings
from mu.resolve.targets import Targets
from mu.resolve.texts import Texts
from mu.resolve.unit import Unit
from mu.resolve.values import (
    CLASS,
    DEFINITION,
    EXTERNAL,
    FUNCTION,
    MODULE,
    NAMESPACE,
    VARIABLE,
    Symbol,
    Values,
    number_of,
)

_CALL, _BASE, _VALUE, _OPERATION = map(
    int,
    (ReferenceKind.CALL, ReferenceKind.BASE, ReferenceKind.VALUE, ReferenceKind.OPERATION),
)
_CALL_SITE, _VALUE_SITE = SiteKind.CALL, SiteKind.VALUE
_NAMING: dict[int, tuple[SiteKind, int]] = {
    _BASE: (SiteKind.BASE, sorts.INHERITS),
    int(ReferenceKind.ANNOTATION): (SiteKind.ANNOTATION, sorts.USES_ANNOTATION),
    int(ReferenceKind.DECORATOR): (SiteKind.DECORATOR, sorts.USES_DECORATOR),
    _VALUE: (SiteKind.VALUE, sorts.USES_VALUE),
}
_COMPUTED = frozenset(map(int, (Op.INDEX, Op.CALL, Op.AWAIT)))
_NAME, _ATTRIBUTE, _STORED = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.STORED)
_FUNCTION = int(Op.FUNCTION)
_IN_CLASS = int(ScopeKind.CLASS)
Asked = Mapping[int, Set[tuple[int, str]]]
_Beside = tuple[SiteKind, Outcome] | None
_QUIET = (MODULE, NAMESPACE)
_THROUGH_VARIABLES = (Rule.INFERRED, Rule.TYPED, Rule.RETURNED, Rule.CALLBACK)


def link(
    files: Sequence[File],
    facts: Mapping[int, FileFacts],
    *,
    rules: Mapping[str, LanguageRules],
    roots: Sequence[str] = (),
    declared: Sequence[Declared] = (),
    manifests: Mapping[str, Mapping[str, str]] | None = None,
) -> Graph:
    """The graph of `files`, of which those with `facts` (by file key) are linked.

    `rules` has an entry for each language among them; `roots` are folders that imports start from,
    besides those the languages find themselves; `declared` is what manifests name, and
    `manifests` their texts, by language and path. The order of `files` is part of the result.
    """
    program = Program(files, facts, rules=rules, roots=roots, manifests=manifests or {})
    linker = Linker(program)
    linker.gathering.gather()
    for unit in program.units.values():
        linker.link(unit)
    linker.gathering.entries.note_declared(declared)
    ledger, entries = linker.ledger, linker.gathering.entries.rows
    limits = linker.limits()
    prose = [row for unit in program.units.values() for row in linker.nodes.prose(unit)]
    linker.dissolve()
    return Graph(files, linker.nodes.rows, ledger.edges, ledger.sites, entries, limits, prose)


class Linker:
    """Holds what linking one file needs of all the others."""

    def __init__(self, program: Program, *, is_kept: bool = False) -> None:
        self._program = program
        self._evaluator = self.evaluator = Evaluator(program, is_kept=is_kept)
        self.nodes = NodeTable(program)
        self.ledger = Ledger()
        self._foreign = Foreign(program, self._evaluator)
        self._targets = Targets(program, self._evaluator, nodes=self.nodes, foreign=self._foreign)
        self._imports = ImportLinker(
            self._evaluator.names, nodes=self.nodes, targets=self._targets, ledger=self.ledger
        )
        self._dispatch = Dispatch(program, self._evaluator)
        self._declaring = Declaring(program, self._evaluator, self._dispatch)
        self._inheriting = Inheriting(
            program, self._evaluator, dispatch=self._dispatch, nodes=self.nodes
        )
        self._callbacks = Callbacks(program, self._evaluator)
        self._awaiting = Awaiting(program, self._evaluator)
        self._implicit = Implicit(
            program,
            self._evaluator,
            dispatch=self._dispatch,
            declaring=self._declaring,
            nodes=self.nodes,
        )
        self._defining = Defining(self._evaluator, nodes=self.nodes, targets=self._targets)
        self._accessors = Accessors(
            program,
            self._evaluator,
            dispatch=self._dispatch,
            declaring=self._declaring,
            nodes=self.nodes,
            targets=self._targets,
        )
        self._overrides = Overrides(program, self._evaluator)
        self._siblings = Siblings(program, self._evaluator)
        self._blanks = Blanks(program, self._evaluator, self._targets)
        self.gathering = Gathering(
            program, self._evaluator, dispatch=self._dispatch, nodes=self.nodes
        )

    @property
    def has_foreign(self) -> bool:
        """Whether languages provide each other functions, which names anywhere may mean."""
        return not self._foreign.is_empty

    def dissolve(self) -> None:
        """Let go of what was found, once the graph is made."""
        self._evaluator.dissolve()

    def asked_above(self, files: Set[int]) -> Asked:
        """The members that the classes of files ask for in classes above them."""
        self._inheriting.forget()
        self._awaiting.forget()
        return {file: self._inheriting.asked_above(file) for file in files}

    def gather_again(self, renewed: Set[int], *, asked: Asked) -> tuple[Set[Need], bool]:
        """Find out again what calls pass; see `Gathering`.

        Whether other classes have instances, or renewed files ask for other members of classes
        above than were `asked` for, is what the second answer tells.
        """
        changed, is_otherwise = self.gathering.gather_again(renewed)
        if is_otherwise:
            self._declaring.forget()
            self._implicit.forget()
        return changed, is_otherwise or self.asked_above(renewed) != asked

    def link(self, unit: Unit) -> list[Mention]:
        """Resolve every import and reference of one file; give what frameworks made of it."""
        self.ledger.note_parents(self.nodes.held_in(unit.file.key))
        self._link_overrides(unit)
        self._imports.link(unit)
        texts = Texts(unit.expressions)
        self.ledger.note(unit.file.key, self._names(unit, texts))
        self.ledger.note(unit.file.key, self._calls(unit, texts))
        self.ledger.note(unit.file.key, self._defining.decorations(unit, texts))
        self.ledger.note(unit.file.key, self._defining.extensions(unit))
        self.ledger.note(unit.file.key, self._operations(unit, texts))
        mentions = self.mentions(unit, texts)
        self.ledger.note(unit.file.key, mentions)
        if not self._foreign.is_empty:
            self.ledger.note(unit.file.key, self._foreign.mentions(unit, self.nodes))
        self.ledger.close_file(self.nodes.rows)
        self.gathering.entries.note_file(unit)
        return mentions

    def mentions(self, unit: Unit, texts: Texts | None = None) -> list[Mention]:
        """What frameworks make of a file by what they are told in others."""
        return list(self.gathering.registration.mentions(unit, texts or Texts(unit.expressions)))

    def limits(self) -> Limits:
        """How often a bound was reached."""
        evaluator = self._evaluator
        return Limits(
            values=len(evaluator.search.crowded),
            arguments=len(evaluator.arguments.limited),
            overrides=self._dispatch.limited(),
            depth=evaluator.search.limited,
            rounds=evaluator.arguments.unfinished,
        )

    def _link_overrides(self, unit: Unit) -> None:
        """Link methods to those they override, and classes to those whose shape they have."""
        of_definition = self.nodes.of_definition
        for number, shape in self._overrides.shapes(unit):
            line = self._program.definitions[number].start_line
            ends = of_definition(number), of_definition(shape)
            self.ledger.edge(*ends, sort=sorts.INHERITS_SHAPE, line=line, rule=Rule.SHAPE)
        for number, overridden, rule in self._overrides.of(unit):
            line = self._program.definitions[number].start_line
            ends = of_definition(number), of_definition(overridden)
            self.ledger.edge(*ends, sort=sorts.OVERRIDES, line=line, rule=rule)

    def _calls(self, unit: Unit, texts: Texts) -> Iterator[Mention]:
        """What became of each call; each distinct expression that is called is resolved once."""
        rows, owners = unit.expressions, self.nodes.owners(unit)
        known: dict[int | tuple[int, int | tuple[int, ...]], tuple[Outcome, _Beside, bool]] = {}
        are_apart = unit.rules.has_overloads or unit.rules.has_implementations
        waited = self._awaiting.calls(unit)
        handed: dict[int, list[Outcome]] = {}
        for kind, number, owner, line in unit.facts.references:
            if kind == _CALL:
                _, _, function, args = rows[number]
                place = self._place(unit, function, args) if are_apart else function
                if number in waited:
                    place = -function, 0
                outcomes = known.get(place)
                if outcomes is None:
                    given = args if are_apart else None
                    called = self._callee(unit, texts, function, given, is_awaited=number in waited)
                    outcomes = known[place] = (
                        called,
                        self._beside(unit, texts, function, called),
                        self._hands_on(unit, function),
                    )
                called = outcomes[0]
                if len(called[0]) > 1:
                    called = self._inheriting.seen_from(unit, called, row=function, owner=owner)
                yield site_of(called), owners[owner], line, called
                if outcomes[1] is not None:
                    yield outcomes[1][0], owners[owner], line, outcomes[1][1]
                if outcomes[2]:
                    if number not in handed:
                        handed[number] = self._handed_over(unit, texts, number)
                    for outcome in handed[number]:
                        met = self._inheriting.met(unit, outcome, by=owner)
                        yield _CALL_SITE, owners[owner], line, met

    def _place(
        self, unit: Unit, function: int, args: tuple[int, ...]
    ) -> tuple[int, int | tuple[int, ...]]:
        """What calls of an expression are alike by: the number of arguments, or these."""
        values = self._evaluator.called(unit, function)
        is_one = len(values) == 1 and values[0][0] == FUNCTION
        return function, len(args) if is_one or not values else args

    def _hands_on(self, unit: Unit, function: int) -> bool:
        """Whether calls of an expression may call what they are passed."""
        values = self._evaluator.called(unit, function)
        return self._implicit.is_caller(values) or self._callbacks.is_caller(values)

    def _operations(self, unit: Unit, texts: Texts) -> Iterator[Mention]:
        """What became of the methods that operations run."""
        owners = self.nodes.owners(unit)
        known: dict[int, list[tuple[SiteKind, Outcome]]] = {}
        for kind, number, owner, line in unit.facts.references:
            if kind == _OPERATION:
                outcomes = known.get(number)
                if outcomes is None:
                    outcomes = known[number] = self._operation(unit, texts, number)
                for site, outcome in outcomes:
                    yield site, owners[owner], line, self._inheriting.met(unit, outcome, by=owner)

    def _operation(self, unit: Unit, texts: Texts, number: int) -> list[tuple[SiteKind, Outcome]]:
        text = texts.of(number)
        op, _, base, _ = unit.expressions[number]
        if op == _STORED and unit.expressions[base][0] == _ATTRIBUTE:
            return list(self._accessors.of_storing(unit, number, text=text))
        found = self._implicit.of_operation(unit, number, text=text)
        return [(_CALL_SITE, outcome) for outcome in found]

    def _handed_over(self, unit: Unit, texts: Texts, number: int) -> list[Outcome]:
        """What became of what a function of the library calls: on its argument, or as it."""
        _, _, function, args = unit.expressions[number]
        text = texts.of(function)
        found = self._implicit.of_call(unit, number, text=text)
        values = self._callbacks.of(unit, function, args=args)
        for hit in self._targets.called(unit, values):
            name = self.nodes.rows[hit[0]].name
            found.append(resolved(text, name, hits=[hit], sort=sorts.CALLS))
        return found

    def _callee(
        self,
        unit: Unit,
        texts: Texts,
        function: int,
        args: tuple[int, ...] | None,
        *,
        is_awaited: bool,
    ) -> Outcome:
        """What became of calls of an expression, with these arguments if they matter."""
        text = texts.of(function)
        op, attribute, base, _ = unit.expressions[function]
        name = text if op == Op.INDEX else attribute or text
        if op == _FUNCTION:  # called where it is written: part of what is around it
            return NOTHING
        foreign = self._targets.foreign(unit, function)
        if foreign:
            return resolved(text, name, hits=foreign, sort=sorts.CALLS)
        values = self._evaluator.called(unit, function)
        if is_awaited:
            values = self._awaiting.meant(values)
        if op == _ATTRIBUTE and len(values) > 1:
            values = self._siblings.without(unit, values, base=base, name=attribute)
        holders = self._holders(unit, function)
        hidden = self._declaring.never_run(values, holders, name=attribute)
        if hidden:
            values = tuple([v for v in values if v[0] != FUNCTION or v[1] not in hidden])
            values += self._declaring.outside(holders, attribute)
        told = self._targets.told_apart(unit, values, args=args)
        if told is None:
            return self._blanks.ambiguous(text, name)
        values, args = told
        hits = self._targets.called(unit, values, args=args)
        below = self._dispatch.made(values)
        if below and len(below) <= MOST_OVERRIDES:
            made: Values = tuple((CLASS, number, Rule.VIRTUAL) for number in below)
            known = {hit[0] for hit in hits}
            hits += [hit for hit in self._targets.called(unit, made) if hit[0] not in known]
        below = self._dispatch.overrides(holders, attribute)
        if below:
            overrides = self._targets.chosen(unit, below, args=args)
            hits = self._with_overrides(hits, overrides)
        beside = self._dispatch.beside(holders, attribute)
        if beside:
            hits = self._with_overrides(hits, beside, rule=Rule.SUPER)
        if self._blanks.stand_for_others(holders, hits, name=attribute):
            return self._blanks.ambiguous(text, name)
        if not hits and self._evaluator.components(unit, function):
            hits = self._targets.named(unit, self._evaluator.symbols(unit, function))
            return resolved(text, name, hits=hits, sort=sorts.USES_VALUE)
        members = self._blanks.members_called(values)
        if hits or members:
            is_path = bool(holders) and all(hit[2] for hit in hits)
            is_path = is_path and self._declaring.is_path(unit, holders, name=attribute)
            sort = sorts.USES_VALUE if is_path else sorts.CALLS
            found = resolved(text, name, hits=hits, sort=sort) if hits else NOTHING
            return also_open(found, text, names=members)
        if hidden:
            return self._blanks.of_declared(text, name, declared=hidden)
        return self._blanks.of_unresolved(unit, function, text=text, holders=holders)

    def _holders(self, unit: Unit, function: int) -> Values:
        """What a function is called on that is named behind it, or in its class."""
        row = unit.expressions[function]
        if row[0] == _ATTRIBUTE:
            return self._evaluator.values(unit, row[2])
        if unit.rules.class_scopes_enclose:
            return self._evaluator.enclosing.holder(unit, row, is_called=True)
        return ()

    def _with_overrides(
        self, hits: list[Hit], overrides: Sequence[int], *, rule: Rule = Rule.VIRTUAL
    ) -> list[Hit]:
        """The same with the methods of subclasses, or their other bases, that may run instead."""
        if not overrides or len(overrides) > MOST_OVERRIDES:
            return hits
        known = {hit[0] for hit in hits}
        nodes = [self.nodes.of_definition(number) for number in overrides]
        return [*hits, *((node, rule, False) for node in nodes if node not in known)]

    def _beside(self, unit: Unit, texts: Texts, function: int, called: Outcome) -> _Beside:
        """What is read to be called: a variable, which is a use of it, or what a function gives."""
        rule = called[0][0][4] if called[0] else None
        op, name, _, _ = unit.expressions[function]
        if is_use(called):
            return None
        holders = self._holders(unit, function)
        called_as = self._evaluator.called(unit, function)
        hidden = self._declaring.never_run(called_as, holders, name=name)
        if hidden:
            hits = self._targets.declared(hidden)
            return _VALUE_SITE, resolved(texts.of(function), name, hits=hits, sort=sorts.USES_VALUE)
        if rule is not None and rule not in _THROUGH_VARIABLES:
            return None
        if unit.rules.has_function_names:  # a variable is nothing that could be called
            return None
        symbols = self._evaluator.symbols(unit, function)
        text = texts.of(function)
        gotten = (
            self._accessors.of_reading(unit, function, symbols=symbols, is_called=True)
            if op == _ATTRIBUTE
            else []
        )
        if gotten:
            return _CALL_SITE, resolved(text, name, hits=gotten, sort=sorts.CALLS)
        hits = self._targets.named(unit, tuple(s for s in symbols if s[0] == VARIABLE))
        if not hits:
            return None
        return _VALUE_SITE, resolved(text, name or text, hits=hits, sort=sorts.USES_VALUE)

    def _names(self, unit: Unit, texts: Texts) -> Iterator[Mention]:
        """What became of each name that is not called; a value that names no node is left out."""
        owners = self.nodes.owners(unit)
        inner = {base for op, _, base, _ in unit.expressions if op == _ATTRIBUTE}
        values: dict[int, Outcome] = {}
        for reference in unit.facts.references:
            kind, number, owner, line = reference
            if kind in (_CALL, _OPERATION):
                continue
            source = owners[owner]
            if source < 0:  # the base of a class without a name, which making it uses
                continue
            if kind == _VALUE:
                outcome = values.get(number)
                if outcome is None:
                    outcome = self._value(unit, texts, number, is_inner=number in inner)
                    values[number] = outcome
                tails = outcome[0]
                if tails and outcome[1] and outcome[1][0][0] & sorts.SORT_MASK == sorts.CALLS:
                    if len(tails) > 1:
                        outcome = self._inheriting.seen_from(unit, outcome, row=number, owner=owner)
                    yield _CALL_SITE, source, line, outcome
                    continue
                if tails:
                    if len(tails) > 1 or tails[0][2] == source:
                        outcome = without(outcome, (source,))
                    yield _VALUE_SITE, source, line, outcome
            else:
                outcome = self._declared(unit, texts, reference, source)
                yield _NAMING[kind][0], source, line, outcome

    def _value(self, unit: Unit, texts: Texts, number: int, *, is_inner: bool) -> Outcome:
        op, name, scope, _ = unit.expressions[number]
        if op == _NAME:
            entry = unit.names[scope].get(name)
            if entry is not None and entry.is_local and scope not in unit.shared:
                return NOTHING
        symbols = self._evaluator.symbols(unit, number)
        if op == _ATTRIBUTE:
            hits = self._accessors.of_reading(unit, number, symbols=symbols)
            if hits:
                return resolved(texts.of(number), name, hits=hits, sort=sorts.CALLS)
        is_told = is_inner or op != _NAME or not unit.rules.has_function_values
        if is_told and unit.rules.has_function_names:
            symbols = tuple(s for s in symbols if not self._is_function(s))
        hits = self._targets.named(unit, symbols)
        if is_inner:  # `os` in `os.path`: what it leads to says more
            hits = [hit for hit in hits if not hit[2]]
        if not hits:
            return NOTHING
        text = texts.of(number)
        return resolved(text, name or text, hits=hits, sort=sorts.USES_VALUE)

    def _is_function(self, symbol: Symbol) -> bool:
        kind, key, _ = symbol
        return kind == DEFINITION and self._program.definitions[number_of(key)].kind == "function"

    def _declared(self, unit: Unit, texts: Texts, reference: Reference, source: int) -> Outcome:
        """What became of a base class, an annotation or a decorator."""
        kind, number, owner, _ = reference
        symbols = self._evaluator.symbols(unit, number)
        if kind == _BASE:
            hits = self._base_hits(unit, number, owner)
        else:
            hits = self._targets.named(unit, symbols)
        if any(hit[0] == source for hit in hits):  # a class names itself inside
            hits = [hit for hit in hits if hit[0] != source]
            if not hits:
                return NOTHING
        text = texts.of(number)
        name = unit.expressions[number][1] or text
        if hits:
            return resolved(text, name, hits=hits, sort=_NAMING[kind][1])
        if any(symbol[0] in _QUIET for symbol in symbols):
            return NOTHING
        return unresolved(text, name, reason=Reason.UNKNOWN)

    def _base_hits(self, unit: Unit, number: int, owner: int) -> list[Hit]:
        """The class that a base names, by whatever alias; the one before, if it is its own name."""
        values = self._evaluator.values(unit, number)
        itself = unit.first + owner
        if any(value[0] == CLASS and value[1] == itself for value in values):
            return self._targets.named(unit, self._evaluator.names.before(unit, owner))
        classes = tuple((v[0], v[1], v[2]) for v in values if v[0] in (CLASS, EXTERNAL))
        return self._targets.stood_for(unit, classes)
