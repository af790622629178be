"""Unresolved call and attribute sites: external, ambiguous, dynamic or unknown."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain

from mu.model.facts import BindingKind, Op, ScopeKind
from mu.model.kinds import Reason
from mu.resolve.abstract_values import (
    EXTERNAL,
    INSTANCES,
    MEMBER,
    OF_CLASS,
    Values,
    class_of,
    is_about_own,
    is_result,
    member_of,
)
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.ledger import NOTHING, Hit, Outcome, resolved, unresolved
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.emit.value_nodes import ValueNodes
from mu.resolve.evaluator import Evaluator
from mu.resolve.limits import MOST_CANDIDATES
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.reference_text import ReferenceText
from mu.resolve.semantics.library_models import CallModel

_NAME, _ATTRIBUTE, _CALL, _INDEX, _UNION = map(
    int, (Op.NAME, Op.ATTRIBUTE, Op.CALL, Op.INDEX, Op.UNION)
)
_BOUND = int(BindingKind.VALUE)
_COMPUTED = frozenset(map(int, (Op.INDEX, Op.CALL, Op.AWAIT)))
_IN_CLASS = int(ScopeKind.CLASS)


class NameCounts:
    """How many times each name occurs in some files, by key; counted when first requested."""

    def __init__(
        self, files: Mapping[int, object], names_in: Callable[[int], Iterable[str]]
    ) -> None:
        self._files = files
        self._names_in = names_in
        self._like: tuple[NameCounts, Set[int]] | None = None

    def __getitem__(self, name: str) -> int:
        return self._counts[name]

    def count_like(self, other: "NameCounts", *, but: Set[int]) -> None:
        """Derive the counts from those of other files, which are the same except `but`."""
        self._like = other, but

    @cached_property
    def _counts(self) -> Counter[str]:
        if self._like is None:
            return Counter(chain.from_iterable(map(self._names_in, self._files)))
        other, but = self._like
        found = other._counts.copy()
        for counts, step in ((other, -1), (self, 1)):
            for key in but & counts._files.keys():
                for name in counts._names_in(key):
                    found[name] += step
        return found


class UnresolvedSites:
    """The reasons why calls and attributes have no edge."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, targets: ValueNodes, nodes: NodeTable
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._targets = targets
        self._readable = NameCounts(program.files, lambda key: nodes.names(key).names)
        self._methods = NameCounts(program.files, lambda key: _methods_in(program, key))

    def count_like(self, other: "UnresolvedSites", *, but: Set[int]) -> None:
        """Derive name counts from another program's, whose files are the same except `but`."""
        self._readable.count_like(other._readable, but=but)
        self._methods.count_like(other._methods, but=but)

    def counts_named(self, name: str) -> tuple[int, int]:
        """Return how many nodes in files have a name, and how many methods.

        Each is at most `MOST_CANDIDATES`.
        """
        counts = self._readable[name], self._methods[name]
        return min(counts[0], MOST_CANDIDATES), min(counts[1], MOST_CANDIDATES)

    def of_unresolved(
        self, unit: FileSymbols, function: int, *, text: str, holders: Values
    ) -> Outcome:
        """Return the outcome of calls of an expression that resolves to nothing."""
        op, attribute, base, marks = unit.expressions[function]
        name = attribute or text
        if op == _ATTRIBUTE and marks and not base:  # text that may be a call
            return self.of_name(text, name)
        if op in _COMPUTED or (op == _ATTRIBUTE and self._is_computed(holders)):
            return unresolved(text, name, reason=Reason.DYNAMIC)
        if op == _ATTRIBUTE and not self._evaluator.values(unit, base):
            return self.ambiguous(text, name)
        return unresolved(text, name, reason=Reason.UNKNOWN)

    def of_read(self, unit: FileSymbols, texts: ReferenceText, *, row: int) -> Outcome:
        """Return the outcome of an attribute read that resolves to nothing.

        `NOTHING` if no node of the repository has the name.
        """
        _, name, base, _ = unit.expressions[row]
        if not self._readable[name]:
            return NOTHING
        text, holders = texts.of(row), self._evaluator.values(unit, base)
        if not holders:
            return self.of_name(text, name)
        reason = Reason.DYNAMIC if self._is_computed(holders) else Reason.UNKNOWN
        return unresolved(text, name, reason=reason)

    def of_name(self, text: str, name: str) -> Outcome:
        """Return the outcome of a reference to any node of the repository with a name."""
        count, _ = self.counts_named(name)
        if not count:
            return NOTHING
        return unresolved(text, name, reason=Reason.AMBIGUOUS, candidates=count)

    def of_declared(self, text: str, name: str, *, declared: Set[int]) -> Outcome:
        """Return the outcome of a call whose declared callee is known, but not what runs."""
        if self._methods[name]:
            return self.ambiguous(text, name)
        hits = self._targets.declared(declared)
        return resolved(text, name, hits=hits, sort=sorts.USES_VALUE)

    def ambiguous(self, text: str, name: str) -> Outcome:
        """Return the outcome of a call of any method of a name, if there are some."""
        _, candidates = self.counts_named(name)
        reason = Reason.AMBIGUOUS if candidates else Reason.UNKNOWN
        return unresolved(text, name, reason=reason, candidates=candidates)

    def members_called(self, values: Values) -> tuple[str, ...]:
        """Return the names of the methods that values with a computed name may be."""
        for value in values:
            if value[0] == MEMBER:
                break
        else:
            return ()
        keys = [member_of(key) for kind, key, _ in values if kind == MEMBER]
        beginning = self._evaluator.hierarchy.beginning
        return tuple(dict.fromkeys(name for key in keys for name in beginning(*key)))

    def any_members(
        self, unit: FileSymbols, function: int, *, is_resolved: bool
    ) -> tuple[str, ...]:
        """Return `Class.*` for each class of which a callee may be any member.

        So it may if the name of the member is computed, and nothing of it is known. A subscript
        that is resolved is not of these: all values of an object literal are known.
        """
        rows = [
            row
            for row in _sources(unit, function)
            if not is_resolved or unit.expressions[row][0] != _INDEX
        ]
        holders = [one for row in rows for one in self._searched(unit, row)]
        numbers = [class_of(one) for one in holders if one[0] in OF_CLASS]
        names = [self._program.definitions[n].name for n in numbers if 0 <= n < self._program.size]
        return tuple(dict.fromkeys(f"{name}.*" for name in names if name))

    def _searched(self, unit: FileSymbols, number: int) -> Values:
        """Return the values of which an expression reads a member by a name that is not known."""
        op, _, base, args = unit.expressions[number]
        if op == _INDEX:
            reads_members = unit.prototypes is not None
            return self._evaluator.values(unit, base) if reads_members else ()
        if op != _CALL or len(args) < 2:
            return ()
        called = self._evaluator.values(unit, base)
        if len(called) != 1 or called[0][0] != EXTERNAL:
            return ()
        reads_members = unit.library.call_model(str(called[0][1])) is CallModel.ATTRIBUTE
        if not reads_members or self._evaluator.constant_strings.texts(unit, args[1]):
            return ()
        return self._evaluator.values(unit, args[0])

    def stand_for_others(
        self, unit: FileSymbols, holders: Values, *, hits: Sequence[Hit], name: str
    ) -> bool:
        """Return whether a call with external `hits` may run methods of the repository.

        So it may if the receiver's type is structural, or if it is a member of an external object
        with type arguments of the repository; where access is forwarded (`_may_point`), also if it
        is such an object.
        """
        if not self._methods[name] or not _are_outside(hits):
            return False
        for value in holders:
            if is_about_own(value) and (value[0] == EXTERNAL or _may_point(unit)):
                return True
        return self._evaluator.declared_types.are_structural(holders)

    def of_read_outside(
        self, unit: FileSymbols, texts: ReferenceText, *, row: int, hits: Sequence[Hit]
    ) -> Outcome | None:
        """Return the outcome of an attribute read with external `hits`, or None if these are right.

        They are not if the receiver may be internal: held or returned by something external.
        """
        _, name, base, _ = unit.expressions[row]
        if not self._readable[name] or not _are_outside(hits):
            return None
        for value in self._evaluator.values(unit, base):
            is_held = is_about_own(value) and (value[0] == EXTERNAL or _may_point(unit))
            if is_held or is_result(value):
                return self.of_name(texts.of(row), name)
        return None

    def _is_computed(self, holders: Values) -> bool:
        """Return whether a receiver's class computes attributes at run time."""
        for value in holders:
            if value[0] in INSTANCES and class_of(value) >= 0:
                method = self._program.unit_of[class_of(value)].members.fallback_member
                if method and self._evaluator.members.of_class(value, method):
                    return True
        return False


def _sources(unit: FileSymbols, function: int) -> list[int]:
    """Return the calls and subscripts that a callee is, or that the local variable which it names
    may hold.
    """
    seen = {function}
    found: list[int] = []
    open_rows = [function]
    while open_rows:
        number = open_rows.pop()
        op, name, scope, args = unit.expressions[number]
        more: Iterable[int] = ()
        if op in (_CALL, _INDEX):
            found.append(number)
        elif op == _UNION:
            more = args
        elif op == _NAME:
            entry = unit.names[scope].get(name)
            if entry is not None and entry.is_local:
                more = [one.value for one in entry.bindings if one.kind == _BOUND]
        open_rows += [row for row in more if row not in seen]
        seen.update(more)
    return sorted(found)


def _are_outside(hits: Sequence[Hit]) -> bool:
    return all(is_external for _, _, is_external in hits)


def _may_point(unit: FileSymbols) -> bool:
    """Return whether access to an instance may reach another one that it holds."""
    return bool(unit.members.deref_method or unit.implicit.get_method)


def _methods_in(program: Program, key: int) -> list[str]:
    """Return the names of the methods of a file."""
    outline = program.outline(key)
    return [*(name for name, _ in outline.methods), *outline.constructors]
