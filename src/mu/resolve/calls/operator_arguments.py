"""Arguments that operators pass: `a + b`, `x[key] = value`, `x.size = value`.

Every operator and assignment of the repository is a candidate, so operators whose method no class
of the repository defines are left out by name, before any operand is evaluated. Keys of subscripts
and operands that are only compared are left out, too: of networkx they are three in four, most of
them graph nodes of any type, and no method is called on them.
"""

from collections.abc import Callable, Iterator, Sequence

from mu.model.facts import Definition, Op, ScopeKind
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    DEFINITION,
    INSTANCE,
    INSTANCES,
    MAY_BE_MORE,
    VARIABLE,
    Value,
    Values,
    class_of,
    number_of,
)
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.implicit_calls import NO_SIDES
from mu.resolve.solver.flow import Flow

_OPERATOR, _CALL = int(Op.OPERATOR), int(Op.CALL)
_PLAIN = frozenset(map(int, (Op.LITERAL, Op.STRING)))  # without methods of the repository
_IN_CLASS = int(ScopeKind.CLASS)

Given = tuple[int, int, int]
"""(function, place of the parameter, argument row)."""


class OperatorArguments:
    """Finds the methods that operators and assignments call, and their arguments."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._asked: tuple[frozenset[str], frozenset[str]] | None = None

    def operations(self, unit: FileSymbols, wants: Callable[[int], bool]) -> list[int]:
        """Return the rows of operations that may pass an argument to a method of the repository.

        Assignments are numbered by their place in the list of bindings, counted down from -1.
        `wants` says whether the arguments of a function are of interest.
        """
        asked, setters = self.asked(wants)
        rows, known, found = unit.expressions, dict[str, bool](), list[int]()
        for number, (op, how, _, args) in enumerate(rows if asked else ()):
            if op != _OPERATOR or len(args) != 2 or how in unit.implicit.key_operators:
                continue
            if how not in known:
                left, right = unit.implicit.infix.get(how, NO_SIDES)
                known[how] = not asked.isdisjoint((*left, *right))
            if known[how] and not any([rows[arg][0] in _PLAIN for arg in args]):  # noqa: C419 - faster
                found.append(number)
        sets_items = unit.implicit.set_index_method in asked
        for place, row in enumerate(unit.facts.bindings if sets_items or setters else ()):
            is_asked = row.base and (row.name in setters if row.name else sets_items)
            if is_asked and row.value and rows[row.value][0] not in _PLAIN:
                found.append(-1 - place)
        return found

    def asked(self, wants: Callable[[int], bool]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the names of the repository's operator methods and attributes with setters.

        Only methods that `wants` accepts count.
        """
        if self._asked is None:
            self._asked = self._find_asked(wants)
        return self._asked

    def asks_more(self, unit: FileSymbols, wants: Callable[[int], bool]) -> bool:
        """Return whether a file defines operator methods or setters of names that `asked` lacks."""
        asked, setters = set[str](), set[str]()
        self._find_asked_in(unit, wants, asked, setters)
        known, known_setters = self.asked(wants)
        return not (asked <= known and setters <= known_setters)

    def resume(self, operators: frozenset[str], setters: frozenset[str]) -> None:
        """Restore the result of `asked`."""
        self._asked = operators, setters

    def extend(self, units: Sequence[FileSymbols], wants: Callable[[int], bool]) -> None:
        """Add the setters that some files declare as such to `asked`: whoever assigns to them names
        them.
        """
        operators, setters = self.asked(wants)
        found = [self._setters_in(unit, wants) for unit in units]
        self._asked = operators, setters.union(*found)

    def _find_asked(self, wants: Callable[[int], bool]) -> tuple[frozenset[str], frozenset[str]]:
        asked, setters = set[str](), set[str]()
        for unit in self._program.units.values():
            run = self._program.fence.run
            run(unit.file, self._find_asked_in, unit, wants, asked, setters, otherwise=None)
        return frozenset(asked), frozenset(setters)

    def _find_asked_in(
        self, unit: FileSymbols, wants: Callable[[int], bool], asked: set[str], setters: set[str]
    ) -> None:
        """Add the names of one file."""
        setters |= self._setters_in(unit, wants)
        for local, row in enumerate(unit.facts.definitions):
            is_common = unit.implicit.is_common_method(row.name) and _is_method(unit, row)
            if is_common and not _is_setter(unit, row) and wants(unit.first + local):
                asked.add(row.name)
        for scope, name in (
            unit.variables if unit.implicit.property_class or unit.implicit.set_method else ()
        ):
            if unit.scopes[scope][0] == _IN_CLASS and self._is_set_through(unit, scope, name):
                setters.add(name)

    def _setters_in(self, unit: FileSymbols, wants: Callable[[int], bool]) -> set[str]:
        """Return the names of the methods of a file that are declared as setters."""
        return {
            row.name
            for local, row in enumerate(unit.facts.definitions)
            if _is_setter(unit, row) and _is_method(unit, row) and wants(unit.first + local)
        }

    def _is_set_through(self, unit: FileSymbols, scope: int, name: str) -> bool:
        """Return whether a class variable may be a property or descriptor with a setter."""
        rows = [b.value for b in unit.names[scope][name].bindings]
        if not any(unit.expressions[row][0] == _CALL for row in rows):
            return False
        symbol = VARIABLE, (unit.key, scope, name), Rule.INFERRED
        descriptors, method = self._flow.descriptors, unit.implicit.set_method
        return bool(descriptors.accessors(symbol, method) or descriptors.of(symbol, method))

    def given(self, unit: FileSymbols, number: int) -> list[Given]:
        """Return the arguments that an operation passes."""
        if number < 0:
            return self._by_assignment(unit, -1 - number)
        _, how, _, args = unit.expressions[number]
        left, right = unit.implicit.infix.get(how, NO_SIDES)
        found = [(one, 1, args[1]) for one in self._run(unit, args[0], left)]
        return found or [(one, 1, args[0]) for one in self._run(unit, args[1], right)]

    def _by_assignment(self, unit: FileSymbols, place: int) -> list[Given]:
        _, _, base, name, value, _ = unit.facts.bindings[place]
        if name:
            holders = self._flow.values(unit, base)
            return [(one, at, value) for one, at in self._setting(holders, name)]
        _, _, holder, _ = unit.expressions[base]
        methods = (unit.implicit.set_index_method,)
        return [(one, 2, value) for one in self._run(unit, holder, methods)]

    def _setting(self, holders: Values, name: str) -> Iterator[tuple[int, int]]:
        """Yield (setter of the attribute `name`, place of the parameter for the value)."""
        descriptors = self._flow.descriptors
        for holder in holders:
            if holder[0] not in INSTANCES or class_of(holder) < 0:
                continue
            method = self._program.unit_of[class_of(holder)].implicit.set_method
            for symbol in self._flow.members.of_class(holder, name):
                if symbol[0] == VARIABLE:
                    yield from ((number, 2) for _, number in descriptors.of(symbol, method))
                    yield from ((number, 1) for number in descriptors.accessors(symbol, method))
                elif symbol[0] == DEFINITION and not self._is_outside(number_of(symbol[1])):
                    yield from ((number, 1) for number in self._setters_of(number_of(symbol[1])))

    def _setters_of(self, number: int) -> Iterator[int]:
        """Yield the setters of the property that a function belongs to."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        entry = unit.names[row.scope].get(row.name)  # None for a member set on a prototype
        for local in entry.definitions if entry else ():
            if unit.members.accessor(unit.facts.definitions[local]) == "=":
                yield unit.first + local

    def _run(self, unit: FileSymbols, row: int, methods: Sequence[str]) -> list[int]:
        """Return the methods of the repository that run on the values of a row.

        These are, for each value, the first of `methods` that it has, and overrides in subclasses.
        """
        found: dict[int, None] = {}
        for value in self._flow.values(unit, row) if methods else ():
            if value[0] in INSTANCES and class_of(value) >= 0:
                found.update(dict.fromkeys(self._run_on(value, methods)))
        return list(found)

    def _run_on(self, value: Value, methods: Sequence[str]) -> Iterator[int]:
        instance = (INSTANCE, class_of(value), value[2])
        for name in methods:
            if value[0] in MAY_BE_MORE:
                yield from self._flow.hierarchy.overriding(class_of(value), name)
            number = self._flow.descriptors.method(instance, name)
            if number >= 0:
                yield number
                return

    def _is_outside(self, number: int) -> bool:
        return self._program.is_library(number)


def _is_method(unit: FileSymbols, row: Definition) -> bool:
    return row.kind == "function" and unit.scopes[row.scope][0] == _IN_CLASS


def _is_setter(unit: FileSymbols, row: Definition) -> bool:
    return bool(row.decorators) and unit.members.accessor(row) == "="
