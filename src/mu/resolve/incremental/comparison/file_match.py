"""Find the externally visible difference between two versions of a file.

Both versions are walked in parallel from what other files reach by name: definitions and their
results, imports, variables of modules and classes, attributes and elements that are set. Each is
listed as different unless its rows, and the values of the local variables in them, match. Other
differences in function bodies are ignored: no other file depends on them.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Sequence, Set
from functools import partial

from mu.model.facts import Definition, FileFacts, Flag, Import, Op, ScopeKind
from mu.resolve.abstract_values import Place
from mu.resolve.calls.variadic_parameters import find_read
from mu.resolve.incremental.comparison.compared_rows import (
    names_unpacked,
    results_of,
    rows_of_definition,
    rows_of_stores,
    rows_with_functions,
    values_of,
)
from mu.resolve.incremental.comparison.definition_pairs import pair_definitions
from mu.resolve.incremental.comparison.definition_texts import are_said_alike, taken_by
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.visible_names import (
    Variable,
    bound_name,
    class_around,
    deleted_in,
    imports_of,
    is_seen,
    rebound_in,
    stores_by_name,
    used_outside,
    variables_of,
)
from mu.resolve.program.attribute_stores import FieldStore
from mu.resolve.program.facts_diff import is_in_order
from mu.resolve.program.file_symbols import EXTENSION, FileSymbols, NameEntry, Use

_NAME, _FUNCTION, _ITEM = map(int, (Op.NAME, Op.FUNCTION, Op.ITEM))
_OPEN = frozenset((ScopeKind.MODULE, ScopeKind.CLASS))
_VERSION = ScopeKind.VERSION
_WILDCARD = int(Flag.WILDCARD)
_REST = "*"

_Pair = tuple[int, int]


def may_match(old: FileFacts, new: FileFacts) -> bool:
    """Return whether two versions of a file can be compared, from their facts alone."""
    return _frame(old) == _frame(new)


def find_difference(
    old: FileSymbols,
    new: FileSymbols,
    *,
    is_filled: Callable[[Place], bool],
) -> FileDifference | None:
    """Compare two versions of a file; None where the difference cannot be narrowed down.

    Arguments, instantiations and registrations are not compared. `is_filled` returns whether a
    variable of the old version may hold a container, which method calls can fill.
    """
    if not may_match(old.facts, new.facts) or old.is_listing_exports != new.is_listing_exports:
        return None
    apart: set[int] = set()
    while True:
        match = _FileMatch(old, new, is_filled, apart)
        found = match.difference()
        if found is not None or not match.apart:
            return found
        apart |= match.apart


class _FileMatch:
    """A pairing of the rows and scopes of two versions, each with at most one partner."""

    def __init__(
        self,
        old: FileSymbols,
        new: FileSymbols,
        is_filled: Callable[[Place], bool],
        apart: Set[int],
    ) -> None:
        """Leave the definitions in `apart`, by number in the old version, without a partner."""
        self._old = old
        self._new = new
        self._is_filled = is_filled
        self.apart: set[int] = set()  # paired definitions that have to be unpaired
        self._numbers = pair_definitions(old, new, apart=apart)
        self._partners = frozenset(self._numbers.values())
        self._extended = old.extensions(), new.extensions()  # those of classes of the file
        self._scopes: dict[int, int] = {-1: -1, 0: 0}
        self._taken: dict[int, int] = {-1: -1, 0: 0}  # the inverse of `_scopes`
        self._rows: dict[int, int] = {0: 0}
        self._todo: list[_Pair] = []
        self._looked_at: dict[Variable, None] = {}  # compared variables, of the old version
        self._noted: list[Callable[[], object]] = []  # undo log of the current attempt
        self._lines: list[_Pair] = []  # of definitions, imports and bindings in both versions
        self._changed: set[int] = set()
        self._reset: set[int] = set()
        self._rebased: set[int] = set()
        self._variables: set[Variable] = set()
        self._names: set[str] = set()
        self._members: set[str] = set()  # of classes that are in only one version
        self._imported: set[str] = set()

    def difference(self) -> FileDifference | None:
        """Return the difference; None where it cannot be narrowed down."""
        if not self._pair_bodies():
            return None
        if not self._compare_definitions():
            return None
        self._compare_imports()
        self._compare_variables()
        stores = self._find_stores()
        if not self._has_same_functions_in_place():
            return None
        old, new = zip(*self._lines, strict=True) if self._lines else ((), ())
        if not is_in_order(old, new):
            return None
        return FileDifference(
            self._numbers,
            self._scopes,
            frozenset(self._changed),
            frozenset(self._reset),
            frozenset(self._rebased),
            self._other_results(),
            frozenset(self._variables),
            frozenset(self._names),
            frozenset(self._members),
            frozenset(self._imported),
            stores,
        )

    def _pair_bodies(self) -> bool:
        """Pair the scopes of paired definitions; False if one opens a scope and the other not."""
        old, new = self._old.facts.definitions, self._new.facts.definitions
        for number, partner in self._numbers.items():
            one, other = old[number], new[partner]
            is_open = _opens(self._old, one, number)
            if is_open != _opens(self._new, other, partner):
                return False
            if is_open and not self._pair(one.body, other.body):
                return False
        return True

    def _compare_definitions(self) -> bool:
        """Record added, removed and changed definitions; False if the pairing does not hold.

        It does not where the bases of a definition changed that is no class, or is anonymous:
        an anonymous class with other bases is put into `apart`.
        """
        old, new = self._old.facts.definitions, self._new.facts.definitions
        read, now_read = _by_number(find_read(self._old)), _by_number(find_read(self._new))
        for number, one in enumerate(old):
            partner = self._numbers.get(number)
            if partner is None:
                self._note_name(self._old, one)
                continue
            other = new[partner]
            if not _starts_with_member(self._old, number):
                self._lines.append((one.start_line, other.start_line))
            if not self._are_bases_alike(one, other):
                if one.kind != "class":
                    return False
                (self._rebased if one.name else self.apart).add(number)
            is_taken = taken_by(one) == taken_by(other) and read[number] == now_read[partner]
            if not (
                is_taken
                and are_said_alike((self._old, one), (self._new, other))
                and self._are_type_parameters_alike(one, other)
                and self._are_alike(rows_of_definition(one), rows_of_definition(other))
            ):
                self._changed.add(number)
                if not is_taken:
                    self._reset.add(number)
        come = set(range(len(new))) - self._partners
        for number in come:
            self._note_name(self._new, new[number])
        return not self.apart

    def _note_name(self, unit: FileSymbols, row: Definition) -> None:
        """Record an added or removed definition, unless it is local to a function."""
        if is_seen(unit, row):
            self._note_one(unit, row.scope, row.name)

    def _note_one(self, unit: FileSymbols, scope: int, name: str) -> None:
        """Record a name that was added, removed or changed in a module or class."""
        paired: Container[int] = self._numbers if unit is self._old else self._partners
        extension = self._extended[unit is self._new].get(unit.scopes[scope].definition)
        owner = class_around(unit, scope) if extension is None else extension - unit.first
        is_member = owner >= 0 and owner not in paired
        (self._members if is_member else self._names).add(name)

    def _are_bases_alike(self, old: Definition, new: Definition) -> bool:
        """Return whether two definitions have the same bases, by the same expressions.

        What a class of another sort inherits from them may differ.
        """
        if old.kind == "class" and old.subkind != new.subkind:
            return False
        one, other = old.bases, new.bases
        return [row[2] for row in one] == [row[2] for row in other] and self._are_alike(
            [row[0] for row in one], [row[0] for row in other]
        )

    def _are_type_parameters_alike(self, old: Definition, new: Definition) -> bool:
        """Return whether two definitions declare the same type parameters, with the same bounds."""
        one = self._old.type_parameters.get(old.body, [])
        other = self._new.type_parameters.get(new.body, [])
        if one != other:
            return False
        mine, its = self._old.names[old.body], self._new.names[new.body]
        return all(self._are_entries_alike(mine[name], its[name]) for name in one)

    def _compare_imports(self) -> None:
        """Record the visible names bound by imports that were added or removed."""
        old, new = imports_of(self._old), imports_of(self._new)
        before = {self._at(row): row.line for row in old}
        after: dict[tuple[object, ...], int] = {row[:-1]: row.line for row in new}
        for place in before.keys() & after.keys():
            self._lines.append((before[place], after[place]))
        names = [
            *(row for row in old if self._at(row) not in after),
            *(row for row in new if row[:-1] not in before),
        ]
        self._imported.update(bound_name(self._old, row) for row in names)
        members = [row for row in names if row.scope]  # of classes, where these import them
        self._names.update(bound_name(self._old, row) for row in members)

    def _at(self, row: Import) -> tuple[object, ...]:
        return (self._scopes.get(row.scope, -2), *row[1:-1])

    def _compare_variables(self) -> None:
        """Record the added, removed and changed variables of the module and of classes."""
        self._old.uses_of(0, "")
        self._new.uses_of(0, "")
        old, new = dict(variables_of(self._old)), dict(variables_of(self._new))
        used = {*used_outside(self._new)}
        for scope, name in used_outside(self._old):
            if scope in self._scopes:
                used.add((self._scopes[scope], name))
            else:
                self._note_one(self._old, scope, name)
        for (scope, name), entries in old.items():
            partner = self._scopes.get(scope, -2), name
            others = new.pop(partner, None)
            if others is None:
                self._note_one(self._old, scope, name)
            elif not self._is_variable_alike((scope, name), partner, (entries, others)):
                self._variables.add((scope, name))
            used.discard(partner)
        for scope, name in new:
            self._note_one(self._new, scope, name)
        rebound = {(self._scopes.get(at, -2), n): one for (at, n), one in rebound_in(self._old)}
        its = dict(rebound_in(self._new))
        for variable in rebound.keys() | its.keys():
            one, other = rebound.get(variable), its.get(variable)
            if one is None or other is None or not self._are_entries_alike(one, other):
                self._names.add(variable[1])
        gone = {(self._scopes.get(at, -2), name) for at, name in deleted_in(self._old)}
        self._names.update(name for _, name in gone.symmetric_difference(deleted_in(self._new)))
        for place, name in used:
            scope = self._taken.get(place, -2)
            match = partial(self._are_uses, scope, place, name)
            if scope < 0 or not self._tried(match):
                self._note_one(self._new, place, name)

    def _is_variable_alike(
        self,
        old: Variable,
        new: Variable,
        entries: tuple[Sequence[NameEntry], Sequence[NameEntry]],
    ) -> bool:
        one, other = entries
        if len(one) != len(other):
            return False
        for mine, its in zip(one, other, strict=True):
            if bool(mine.deleted_line) != bool(its.deleted_line):
                return False
            if not self._are_entries_alike(mine, its):
                return False
        return self._tried(partial(self._are_uses, old[0], new[0], old[1]))

    def _are_entries_alike(self, old: NameEntry, new: NameEntry) -> bool:
        """Return whether a name has the same bindings, with matching rows."""
        one, other = list(old.bindings), list(new.bindings)
        if [row.kind for row in one] != [row.kind for row in other]:
            return False
        if not self._are_alike(values_of(one), values_of(other)):
            return False
        self._lines += [(a.line, b.line) for a, b in zip(one, other, strict=True)]
        return True

    def _find_stores(self) -> list[tuple[bool, FieldStore]]:
        """Find the attribute stores that changed, except those on receivers."""
        old, new = stores_by_name(self._old), stores_by_name(self._new)
        found: list[tuple[bool, FieldStore]] = []
        for place in old.keys() | new.keys():
            one, other = old.get(place, []), new.get(place, [])
            if not self._are_alike(rows_of_stores(one), rows_of_stores(other)):
                found += [(False, store) for store in one]
                found += [(True, store) for store in other]
        return found

    def _has_same_functions_in_place(self) -> bool:
        """Return whether the rows around paired inline functions and classes match.

        Those whose rows do not match are put into `apart`.
        """
        old, new = rows_with_functions(self._old), rows_with_functions(self._new)
        self.apart = {
            number
            for number, rows in old.items()
            if (partner := self._numbers.get(number)) is not None
            and not self._are_alike(rows, new.get(partner, []))
        }
        return not self.apart

    def _other_results(self) -> list[int]:
        """Return the functions whose returned or yielded rows do not match."""
        old, new = self._old.facts.definitions, self._new.facts.definitions
        return [
            number
            for number, partner in self._numbers.items()
            if not self._are_alike(results_of(old[number]), results_of(new[partner]))
        ]

    def _are_alike(self, old: Iterable[int], new: Iterable[int]) -> bool:
        """Return whether rows match; if not, undo the pairings made while comparing them."""
        return self._tried(partial(self._add_all, old, new))

    def _tried(self, match: Callable[[], bool]) -> bool:
        self._noted.clear()
        if match() and self._do_rows_match():
            return True
        self._todo.clear()
        for take_back in reversed(self._noted):
            take_back()
        return False

    def _do_rows_match(self) -> bool:
        while self._todo:
            old, new = self._todo.pop()
            known = self._rows.get(old)
            if known is None:
                self._rows[old] = new
                self._noted.append(partial(self._rows.pop, old))
                if not self._is_row(old, new):
                    return False
            elif known != new:
                return False
        return True

    def _is_row(self, old: int, new: int) -> bool:
        """Return whether two rows match apart from their operands, which are queued."""
        op, text, base, args = self._old.expressions[old]
        other, said, below, given = self._new.expressions[new]
        if (op, text) != (other, said):
            return False
        if op == _NAME:
            is_alike = args == given and self._is_scope(base, below)
            return is_alike and self._is_variable(base, below, text)
        if op == _FUNCTION:
            return self._numbers.get(base) == below and args == given
        if (
            op == _ITEM
            and text == _REST
            and names_unpacked(self._old, base) != names_unpacked(self._new, below)
        ):
            return False
        self._todo.append((base, below))
        return self._add_all(args, given)

    def _is_variable(self, old: int, new: int, name: str) -> bool:
        """Return whether a local variable, and the one it is a version of, hold the same.

        Bindings of modules and classes are compared by `_compare_variables` instead.
        """
        if (old, name) in self._looked_at:
            return True
        self._looked_at[old, name] = None
        self._noted.append(partial(self._looked_at.pop, (old, name)))
        entry, other = self._old.names[old].get(name), self._new.names[new].get(name)
        if (entry is None) != (other is None):
            return False
        if entry is not None and other is not None and self._old.scopes[old].kind not in _OPEN:
            one, another = list(entry.bindings), list(other.bindings)
            if [row.kind for row in one] != [row.kind for row in another]:
                return False
            if [row[1:-1] for row in entry.imports] != [row[1:-1] for row in other.imports]:
                return False
            if [self._numbers.get(one) for one in entry.definitions] != [*other.definitions]:
                return False
            if not self._add_all(values_of(one), values_of(another)):
                return False
        if self._old.scopes[old].kind == _VERSION:
            above = self._old.scopes[old].parent, self._new.scopes[new].parent
            if not self._is_variable(*above, name):
                return False
        return self._old.scopes[old].kind in _OPEN or self._are_uses(old, new, name)

    def _are_uses(self, old: int, new: int, name: str) -> bool:
        """Return whether the uses that may fill a variable (method calls, subscripts) match."""
        mine: Sequence[Use] = self._old.uses_of(old, name)
        other: Sequence[Use] = self._new.uses_of(new, name)
        if any(one[0] for one in (*mine, *other)):
            if self._at_once(partial(self._are_calls_alike, mine, other)):
                return True  # without `is_filled`, which costs an evaluation
            if not self._is_filled((self._old.file.key, old, name)):
                mine = [one for one in mine if not one[0]]
                other = [one for one in other if not one[0]]
        return self._are_calls_alike(mine, other)

    def _at_once(self, match: Callable[[], bool]) -> bool:
        """Return whether rows match, without touching the rows that are queued already."""
        waiting, self._todo = self._todo, []
        before = len(self._noted)
        is_match = match() and self._do_rows_match()
        self._todo = waiting
        while not is_match and len(self._noted) > before:
            self._noted.pop()()
        return is_match

    def _are_calls_alike(self, mine: Sequence[Use], other: Sequence[Use]) -> bool:
        """Return whether the same methods are called, with matching arguments."""
        if len(mine) != len(other):
            return False
        for (method, args, steps), (called, given, taken) in zip(mine, other, strict=True):
            if (method, steps) != (called, taken) or not self._add_all(args, given):
                return False
        return True

    def _is_scope(self, old: int, new: int) -> bool:
        """Return whether two scopes are partners; pair them if neither has one and they match."""
        if old in self._scopes or new in self._taken:
            return self._scopes.get(old) == new
        if old < 0 or new < 0:
            return False
        one, other = self._old.scopes[old], self._new.scopes[new]
        if one[0] != other[0] or self._numbers.get(one.definition, -1) != other.definition:
            return False
        return self._is_scope(one.parent, other.parent) and self._pair(old, new)

    def _pair(self, old: int, new: int) -> bool:
        if old in self._scopes or new in self._taken:
            return self._scopes.get(old) == new and self._taken.get(new) == old
        self._scopes[old], self._taken[new] = new, old
        self._noted += partial(self._scopes.pop, old), partial(self._taken.pop, new)
        return True

    def _add_all(self, old: Iterable[int], new: Iterable[int]) -> bool:
        """Queue pairs of rows to compare; False if the counts differ."""
        one, other = tuple(old), tuple(new)
        if len(one) != len(other):
            return False
        self._todo += zip(one, other, strict=True)
        return True


def _frame(facts: FileFacts) -> tuple[object, ...]:
    """Return what must be equal in two versions: package, wildcard imports and directives."""
    wildcards = [row[1:-1] for row in facts.imports if row.flags & _WILDCARD]
    return facts.package, wildcards, [text for _, text in facts.directives]


def _opens(unit: FileSymbols, row: Definition, number: int) -> bool:
    """Return whether a definition opens a scope of its own."""
    return row.body > 0 and unit.scopes[row.body].definition == number


def _starts_with_member(unit: FileSymbols, number: int) -> bool:
    """Return whether a definition is an extension that starts where its first function does: one
    that the functions make up, as the methods of a type in Go.
    """
    rows = unit.facts.definitions
    row, first = rows[number], rows[number + 1 : number + 2]
    return (
        row.kind == EXTENSION
        and bool(first)
        and (first[0].scope, first[0].start_line) == (row.body, row.start_line)
    )


def _by_number(read: Iterable[_Pair]) -> defaultdict[int, set[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for number, place in read:
        found[number].add(place)
    return found
