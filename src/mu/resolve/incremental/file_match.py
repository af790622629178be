"""Whether all that other files can ask about a file is as it was, its text aside.

Two versions of a file are walked side by side, from what other files reach by name: definitions and
what they return, imports, variables of modules and classes, attributes and elements that are set.
Rows that these are made of have to be alike, and so has what local variables among them are bound
to. The rest of the bodies may differ: nobody outside asks about it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from mu.model.facts import Binding, BindingKind, Definition, FileFacts, Op, ScopeKind
from mu.resolve.abstract_values import Place
from mu.resolve.calls.variadic_parameters import find_read
from mu.resolve.evaluation.field_stores import stores_in
from mu.resolve.program.facts_diff import is_in_order
from mu.resolve.program.file_symbols import FileSymbols, Use

_NAME, _FUNCTION, _ITEM, _KEYWORD = map(int, (Op.NAME, Op.FUNCTION, Op.ITEM, Op.KEYWORD))
_OPEN = frozenset((ScopeKind.MODULE, ScopeKind.CLASS))
_VERSION, _TYPE_PARAMETER = ScopeKind.VERSION, BindingKind.TYPE_PARAMETER
_REST = "*"

_Pair = tuple[int, int]


def may_match(old: FileFacts, new: FileFacts) -> bool:
    """Whether two versions of a file may match, before anything is set up to find out.

    False where one has another definition, signature, import or attribute: most that do not match.
    """
    return (
        old.package == new.package
        and list(map(_said, old.definitions)) == list(map(_said, new.definitions))
        and [row[1:-1] for row in old.imports] == [row[1:-1] for row in new.imports]
        and [row.name for row in _shown(old)] == [row.name for row in _shown(new)]
    )


class OutsideMatch(NamedTuple):
    """Two versions of a file that others see no difference of, if `results` are the same.

    `scopes` are those of one version by those of the other; `results` the functions, by number in
    the file, that do not return what they did by the same expressions.
    """

    scopes: Mapping[int, int]
    results: Sequence[int]


def match_outside(
    old: FileSymbols,
    new: FileSymbols,
    *,
    rows: tuple[Sequence[_Pair], Sequence[_Pair]],
    is_filled: Callable[[Place], bool],
) -> OutsideMatch | None:
    """How two versions of a file match that differ only in what no other file can ask about.

    None where they differ in more. `rows` are more that have to be alike: (row, definition around
    it). What calls pass and make is not looked at. `is_filled` says of a variable of the old
    version whether methods put something into what it holds.
    """
    match = _FileMatch(old, new, is_filled)
    mine, other = rows
    if [owner for _, owner in mine] != [owner for _, owner in other]:
        return None
    is_same = match.add_all([row for row, _ in mine], [row for row, _ in other]) and match.is_same()
    return OutsideMatch(match.scopes, match.other_results()) if is_same else None


class _FileMatch:
    """Pairs the rows and `scopes` of two versions: each has one partner, or they are no match."""

    def __init__(
        self, old: FileSymbols, new: FileSymbols, is_filled: Callable[[Place], bool]
    ) -> None:
        self._old = old
        self._new = new
        self._is_filled = is_filled
        self.scopes: dict[int, int] = {-1: -1, 0: 0}
        self._taken: dict[int, int] = {-1: -1, 0: 0}  # the same, from the new version
        self._rows: dict[int, int] = {0: 0}
        self._todo: list[_Pair] = []
        self._looked_at: dict[tuple[int, str], None] = {}  # the variables, of the old version
        self._noted: list[Callable[[], object]] = []  # what takes back what was noted, in order

    def is_same(self) -> bool:
        """Whether all of it matches."""
        return (
            self._has_same_definitions()
            and self._has_same_imports()
            and self._has_same_bindings()
            and self._has_same_variables()
            and self._has_same_stores()
            and self._has_same_functions_in_place()
            and self._has_same_order()
            and self._do_rows_match()
        )

    def other_results(self) -> list[int]:
        """The functions whose results are not made of the same rows; once the rest matches."""
        found = []
        old, new = self._old.facts.definitions, self._new.facts.definitions
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            self._noted.clear()
            mine, its = (*one.returned, *one.yielded), (*other.returned, *other.yielded)
            if self.add_all(mine, its) and self._do_rows_match():
                continue
            found.append(number)
            self._todo.clear()
            for take_back in reversed(self._noted):
                take_back()
        return found

    def _has_same_definitions(self) -> bool:
        old, new = self._old.facts.definitions, self._new.facts.definitions
        if len(old) != len(new):
            return False
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            if _said(one) != _said(other):
                return False
            if _opens(self._old, one, number) != _opens(self._new, other, number):
                return False
            if _opens(self._old, one, number) and not self._pair(one.body, other.body):
                return False
        for one, other in zip(old, new, strict=True):
            if not (
                self._is_scope(one.scope, other.scope) and self._is_scope(one.body, other.body)
            ):
                return False
            if not self.add_all(_rows_of(one), _rows_of(other)):
                return False
        return find_read(self._old) == find_read(self._new)

    def _has_same_imports(self) -> bool:
        old, new = self._old.facts, self._new.facts
        rows = zip(old.imports, new.imports, strict=False)
        return (
            old.package == new.package
            and len(old.imports) == len(new.imports)
            and all(a[1:-1] == b[1:-1] and self._is_scope(a.scope, b.scope) for a, b in rows)
            and [text for _, text in old.directives] == [text for _, text in new.directives]
        )

    def _has_same_bindings(self) -> bool:
        old, new = _shown(self._old.facts), _shown(self._new.facts)
        if len(old) != len(new):
            return False
        for one, other in zip(old, new, strict=True):
            if (one.kind, one.name) != (other.kind, other.name):
                return False
            if not self._is_scope(one.scope, other.scope):
                return False
            self._todo += (one.base, other.base), (one.value, other.value)
        return True

    def _has_same_variables(self) -> bool:
        """Whether the same variables of the module and of classes are there, used as they were."""
        old, new = self._old, self._new
        if not self._are_variables(old.variables, new.variables):
            return False
        for scope, name in old.variables:
            partner = self.scopes[scope]
            gone = bool(old.names[scope][name].deleted_line)
            if gone != bool(new.names[partner][name].deleted_line):
                return False
        old.uses_of(0, "")
        new.uses_of(0, "")
        for scope, name in {*_used_outside(old)}.union(
            (self._taken.get(scope, -1), name) for scope, name in _used_outside(new)
        ):
            if scope not in self.scopes or scope < 0:
                return False
            if not self._are_uses(scope, self.scopes[scope], name):
                return False
        return True

    def _are_variables(
        self, old: Sequence[tuple[int, str]], new: Sequence[tuple[int, str]]
    ) -> bool:
        return len(old) == len(new) and all(
            one[1] == other[1] and self._is_scope(one[0], other[0])
            for one, other in zip(old, new, strict=True)
        )

    def _has_same_stores(self) -> bool:
        """Whether the same attributes are set, by whatever means."""
        old, new = [*stores_in(self._old)], [*stores_in(self._new)]
        if len(old) != len(new):
            return False
        for one, other in zip(old, new, strict=True):
            if (one.name, one.how) != (other.name, other.how):
                return False
            self._todo += (one.base, other.base), (one.value, other.value)
        return True

    def _has_same_functions_in_place(self) -> bool:
        """Whether functions and classes that are written in place stand in the same rows."""
        old, new = _with_functions(self._old), _with_functions(self._new)
        return self.add_all(old, new)

    def _has_same_order(self) -> bool:
        """Whether what other files can ask about stands in the same order: a name may mean what was
        bound last before.
        """
        old, new = tuple(_lines(self._old)), tuple(_lines(self._new))
        return len(old) == len(new) and is_in_order(old, new)

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
        """Whether two rows are alike but for what they are made of, which is looked at later."""
        op, text, base, args = self._old.expressions[old]
        other, said, below, given = self._new.expressions[new]
        if (op, text) != (other, said):
            return False
        if op == _NAME:
            is_alike = args == given and self._is_scope(base, below)
            return is_alike and self._is_variable(base, below, text)
        if op == _FUNCTION:
            return (base, args) == (below, given)
        if op == _ITEM and text == _REST and _parts(self._old, base) != _parts(self._new, below):
            return False
        self._todo.append((base, below))
        return self.add_all(args, given)

    def _is_variable(self, old: int, new: int, name: str) -> bool:
        """Whether a variable of a function holds the same, and the one that it is a version of."""
        if (old, name) in self._looked_at:
            return True
        self._looked_at[old, name] = None
        self._noted.append(partial(self._looked_at.pop, (old, name)))
        entry, other = self._old.names[old].get(name), self._new.names[new].get(name)
        if entry is None or other is None:
            if entry is not other:
                return False
        elif entry.is_local or other.is_local:
            one, another = list(entry.bindings), list(other.bindings)
            if [row.kind for row in one] != [row.kind for row in another]:
                return False
            if not self.add_all([row.value for row in one], [row.value for row in another]):
                return False
        if self._old.scopes[old].kind == _VERSION:
            above = self._old.scopes[old].parent, self._new.scopes[new].parent
            if not self._is_variable(*above, name):
                return False
        return self._are_uses(old, new, name)

    def _are_uses(self, old: int, new: int, name: str) -> bool:
        """Whether the same is done with a variable that puts something into it."""
        mine: Sequence[Use] = self._old.uses_of(old, name)
        other: Sequence[Use] = self._new.uses_of(new, name)
        if (mine or other) and not self._is_filled((self._old.file.key, old, name)):
            mine, other = [one for one in mine if not one[0]], [one for one in other if not one[0]]
        if len(mine) != len(other):
            return False
        for (method, args, steps), (called, given, taken) in zip(mine, other, strict=True):
            if (method, steps) != (called, taken) or not self.add_all(args, given):
                return False
        return True

    def _is_scope(self, old: int, new: int) -> bool:
        """Whether two scopes are partners, or may be."""
        if old in self.scopes or new in self._taken:
            return self.scopes.get(old) == new
        if old < 0 or new < 0:
            return False
        one, other = self._old.scopes[old], self._new.scopes[new]
        if one[0] != other[0] or one.definition != other.definition:
            return False
        return self._is_scope(one.parent, other.parent) and self._pair(old, new)

    def _pair(self, old: int, new: int) -> bool:
        if old in self.scopes or new in self._taken:
            return self.scopes.get(old) == new and self._taken.get(new) == old
        self.scopes[old], self._taken[new] = new, old
        self._noted += partial(self.scopes.pop, old), partial(self._taken.pop, new)
        return True

    def add_all(self, old: Iterable[int], new: Iterable[int]) -> bool:
        """Have rows looked at; whether there are as many."""
        one, other = tuple(old), tuple(new)
        if len(one) != len(other):
            return False
        self._todo += zip(one, other, strict=True)
        return True


def _said(row: Definition) -> tuple[object, ...]:
    """What a definition says besides rows, scopes, prose and places."""
    return (
        *(row.kind, row.subkind, row.name, row.signature, row.flags, row.returns_text),
        tuple([(one.name, one.kind, one.text) for one in row.parameters]),
        tuple([text for _, _, text in row.decorators]),
        tuple([keyword for _, _, keyword in row.bases]),
        min(len(row.returned), 2),  # which is told from one
    )


def _rows_of(row: Definition) -> Iterator[int]:
    """The rows that a definition is made of, but for what it returns and yields."""
    yield row.returns
    for parameter in row.parameters:
        yield parameter.annotation
        yield parameter.default
    for number, _, _ in (*row.decorators, *row.bases):
        yield number


def _opens(unit: FileSymbols, row: Definition, number: int) -> bool:
    """Whether a definition opens a scope of its own."""
    return row.body > 0 and unit.scopes[row.body].definition == number


def _shown(facts: FileFacts) -> list[Binding]:
    """The bindings that other files can ask about."""
    return [
        row
        for row in facts.bindings
        if row.base or row.kind == _TYPE_PARAMETER or facts.scopes[row.scope].kind in _OPEN
    ]


def _used_outside(unit: FileSymbols) -> Iterator[tuple[int, str]]:
    """The variables of the module and of classes, but what methods are called on, that something is
    done with.
    """
    for scope, name in unit.uses or ():
        if unit.scopes[scope].kind in _OPEN and name not in unit.receivers.get(scope, ()):
            yield scope, name


def _with_functions(unit: FileSymbols) -> list[int]:
    """The rows that hold functions and classes written in place, in the order of these."""
    rows, found = unit.expressions, []
    for number, (op, _, base, args) in enumerate(rows):
        inside = args if op in (_NAME, _FUNCTION) else (base, *args)
        for one in inside:
            at = rows[one][2] if rows[one][0] == _KEYWORD else one
            if rows[at][0] == _FUNCTION:
                found.append((rows[at][2], number))
    return [number for _, number in sorted(found)]


def _parts(unit: FileSymbols, whole: int) -> set[str]:
    """The parts of an unpacked row that have names."""
    return {text for op, text, base, _ in unit.expressions if op == _ITEM and base == whole}


def _lines(unit: FileSymbols) -> Iterator[int]:
    """The lines of what other files can ask about."""
    facts = unit.facts
    for row in facts.definitions:
        yield row.start_line
        yield row.end_line
        for _, line, _ in (*row.decorators, *row.bases):
            yield line
    for taken in facts.imports:
        yield taken.line
    for bound in _shown(facts):
        yield bound.line
    for line, _ in facts.directives:
        yield line
