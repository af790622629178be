"""The outermost functions of a file, and the names in their source text.

An edit affects the references of only those functions whose text names something that it changed.
The names of a function are those in its expressions, its parameters, its bindings and its imports;
decorators, defaults and types are part of its text.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property

from mu.model.facts import BindingKind, Definition, Op
from mu.resolve.program.file_outline import begun_names
from mu.resolve.program.file_part import home_of
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.mentioned_names import parts_of

_NAME, _FUNCTION, _DECLARED = int(Op.NAME), int(Op.FUNCTION), int(BindingKind.DECLARED)
_PLAIN = frozenset((int(Op.OPAQUE), int(Op.LITERAL), int(Op.STRING)))


class FunctionTexts:
    """The outermost functions of one file, by number in the file."""

    def __init__(self, unit: FileSymbols) -> None:
        self._unit = unit
        self.around = _outermost(unit)  # the outermost function of each definition, or -1

    @cached_property
    def inside(self) -> Mapping[int, list[int]]:
        """The definitions inside each function, itself first."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for local, function in enumerate(self.around):
            if function >= 0:
                found[function].append(local)
        return found

    def of(self, definitions: Iterable[int]) -> set[int]:
        """Return the functions that are, or enclose, the given definitions."""
        return {self.around[local] for local in definitions} - {-1}

    def run_by_others(self) -> set[int]:
        """Return the functions of which the enclosing code evaluates a part.

        These are inline functions, and those with decorators or defaults that are not plain values.
        """
        rows, definitions = self._unit.expressions, self._unit.facts.definitions
        found = {base for op, _, base, _ in rows if op == _FUNCTION}
        for local in self.inside:
            row = definitions[local]
            outer = (
                *(number for number, _, _ in row.decorators),
                *(parameter.default for parameter in row.parameters),
            )
            if any(rows[number][0] not in _PLAIN for number in outer):
                found.add(local)
        return found & self.inside.keys()

    def naming(self, names: Set[str]) -> set[int] | None:
        """Find the functions that may name any of `names`; None if a match has no known owner.

        A function matches if its text contains a name or computes one with the same beginning, or
        if it is in a class of such a name.
        """
        rows, unit = self._unit.expressions, self._unit
        seeds = {
            number
            for number, (_, text, _, _) in enumerate(rows)
            if text and (text in names or not names.isdisjoint(parts_of(text)))
        }
        for number, begins in begun_names(unit.facts):
            if any(name.startswith(begins) for name in names):
                seeds.add(number)
        found: set[int] = set()
        for local, row in enumerate(unit.facts.definitions):
            if row.kind == "class" and row.own_name in names:
                found |= self._within(local)
            elif row.own_name in names or any(one.name in names for one in row.parameters):
                found.add(self.around[local])
        for place in unit.facts.imports:
            if not names.isdisjoint((place.local, place.name, *parts_of(place.module))):
                found.add(self._at(place.scope))
        found.update(self._at(row.scope) for row in unit.facts.bindings if row.name in names)
        if seeds:
            owners = self._owners(seeds)
            if owners is None:
                return None
            found |= owners
        return found - {-1}

    def having(self, rows: Set[int]) -> set[int] | None:
        """Find the functions that contain any of `rows`; None if one has no known owner."""
        owners = self._owners(rows)
        return None if owners is None else owners - {-1}

    def inside_of(self, classes: Iterable[int]) -> set[int]:
        """Return the functions inside the given classes."""
        return {function for owner in classes for function in self._within(owner)} - {-1}

    def _within(self, owner: int) -> set[int]:
        """Return the functions inside a class, by line ranges; may include -1."""
        first, rows = self._unit.facts.definitions[owner], self._unit.facts.definitions
        return {
            self.around[local]
            for local, row in enumerate(rows)
            if first.start_line <= row.start_line and row.end_line <= first.end_line
        }

    def _at(self, scope: int) -> int:
        """Return the function that contains a scope; -1 for none."""
        home = home_of(self._unit, scope)
        return self.around[home] if home >= 0 else -1

    def _owners(self, seeds: Set[int]) -> set[int] | None:
        """Find the functions that contain any of `seeds`, -1 for code outside of functions.

        None if a seed is part of no expression with a known owner.
        """
        rows = self._unit.expressions
        holding = {*seeds}
        for number in range(min(seeds) + 1, len(rows)):  # operands have lower numbers
            op, _, base, args = rows[number]
            if (op != _NAME and op != _FUNCTION and base in holding) or not holding.isdisjoint(
                args
            ):
                holding.add(number)
        found: set[int] = set()
        used: set[int] = set()
        for row, function in self._uses():
            if row in holding:
                found.add(function)
                used.add(row)
        waiting = [*used]
        while waiting:
            op, _, base, args = rows[waiting.pop()]
            for part in args if op in (_NAME, _FUNCTION) else (base, *args):
                if part in holding and part not in used:
                    used.add(part)
                    waiting.append(part)
        return found | self._typed_by(holding) if seeds <= used else None

    def _typed_by(self, holding: Set[int]) -> set[int]:
        """Find the inline functions that get types from code with any of `holding`, outside of
        functions: what they are passed to, or assigned to, declares their parameters and results.
        """
        facts, rows = self._unit.facts, self._unit.expressions
        waiting = [row for row, function in self._uses() if function < 0 and row in holding]
        if not waiting:
            return set()
        outside = {*waiting}
        declared = {
            (one.scope, one.name)
            for one in facts.bindings
            if one.kind == _DECLARED and not one.base and one.value in outside
        }
        waiting += [
            one.value
            for one in facts.bindings
            if (one.base in outside if one.base else (one.scope, one.name) in declared)
        ]
        found = {n for n, row in enumerate(facts.definitions) if (row.scope, row.name) in declared}
        seen: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number not in seen:
                seen.add(number)
                op, _, base, args = rows[number]
                waiting += args if op in (_NAME, _FUNCTION) else (base, *args)
                if op == _FUNCTION:
                    found.add(base)
        return {
            function
            for local in found
            for function in (
                [self.around[local]] if self.around[local] >= 0 else self._within(local)
            )
        }

    def _uses(self) -> Iterator[tuple[int, int]]:
        """Yield the expressions with a known owner, each with its function; -1 for none."""
        facts, around = self._unit.facts, self.around
        for _, row, owner, _ in facts.references:
            yield row, around[owner] if owner >= 0 else -1
        for one in facts.bindings:
            function = self._at(one.scope)
            yield one.value, function
            yield one.base, function
        for local, definition in enumerate(facts.definitions):
            for number in _rows_of(definition):
                yield number, around[local]


def _rows_of(row: Definition) -> Iterator[int]:
    """Yield the expressions that are parts of a definition."""
    yield row.returns
    yield from row.returned
    yield from row.yielded
    yield from (number for number, _, _ in row.decorators)
    yield from (number for number, _, _ in row.bases)
    for parameter in row.parameters:
        yield parameter.annotation
        yield parameter.default


def _outermost(unit: FileSymbols) -> list[int]:
    """Return the outermost function that is, or encloses, each definition; -1 for none."""
    found: list[int] = []
    for local, row in enumerate(unit.facts.definitions):
        home = home_of(unit, row.scope)
        around = found[home] if 0 <= home < local else -1
        found.append(around if around >= 0 else local if row.kind == "function" else -1)
    return found
