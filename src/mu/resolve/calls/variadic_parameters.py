"""Variadic parameters: `*args` holds a tuple, `**kwargs` a dict.

Most functions only forward such a parameter, which `argument_forwarding` follows; only those that
read its contents are handled here.
"""

from collections.abc import Set

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import INSTANCE, TUPLE, Values, bounded, collection
from mu.resolve.calls.argument_binding import ANY_NUMBER, Call, part_of_rest
from mu.resolve.limits import MOST_VARIADIC_ARGUMENTS
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow

_NAME = int(Op.NAME)
_NOT_READ = frozenset(map(int, (Op.NAME, Op.FUNCTION, Op.SPREAD)))
"""Expressions whose base is not an expression, or is only spread."""


class VariadicParameters:
    """Finds the variadic parameters whose contents are read, and their points-to sets."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._known: dict[int, frozenset[tuple[int, int]]] = {}

    def is_read(self, number: int, place: int) -> bool:
        """Return whether a function uses a variadic parameter other than by spreading it."""
        unit = self._program.unit_of[number]
        known = self._known.get(unit.key)
        if known is None:
            known = self._known[unit.key] = frozenset(find_read(unit))
        return (number - unit.first, place) in known

    def is_wanted(self, number: int, place: int) -> bool:
        """Return whether a variadic parameter is read whose type leaves open what runs.

        Keyword arguments whose type is declared are left out: all keys would have all of them.
        """
        parameter = self._program.definitions[number].parameters[place]
        if not self.is_read(number, place):
            return False
        if not parameter.annotation:
            return True
        functions = self._flow.functional_interfaces
        pattern = self._flow.argument_binding.pattern(number, place)
        return parameter.kind == ANY_NUMBER and (
            functions.are_functions(pattern)
            or any(map(functions.is_type, pattern))
            or self._flow.declared_types.are_abstract(pattern)
        )

    def whole(self, number: int, place: int) -> int:
        """Return the place of the parameter that takes an argument; beyond the list, of `*args`."""
        rows = self._program.definitions[number].parameters
        if place < len(rows):
            return place
        return next(i for i, row in enumerate(rows) if row.kind == ANY_NUMBER)

    def parted(
        self, number: int, call: Call, *, is_bound: bool, wanted: Set[int]
    ) -> list[tuple[int, int]]:
        """Return (place, argument row) of a call, for the parameters at the places `wanted`.

        Each argument that `*args` takes has a place of its own; see `part_of_rest`.
        """
        rows, index = self._program.definitions[number].parameters, 0
        found: list[tuple[int, int]] = []
        for one in self._flow.argument_binding.passed(number, call, is_bound=is_bound):
            place, arg = one
            if place not in wanted:
                continue
            if rows[place][1] == ANY_NUMBER:
                found.append((part_of_rest(rows, place, index=index), arg))
                index += 1
            else:
                found.append(one)
        return found

    def held(self, unit: FileSymbols, number: int, *, place: int) -> Values:
        """Return the points-to set of a variadic parameter whose contents are read."""
        rows = self._program.definitions[number].parameters
        kind = unit.calls.variadic_types.get(rows[place].kind)
        if kind is None or not self.is_read(number, place):
            return ()
        of = self._flow.parameter_propagation.of
        made = self._program.literal_class(unit, kind)
        further = of(number, place)
        if made < 0:
            return ()
        if rows[place].kind != ANY_NUMBER:
            text = self._program.literal_class(unit, "str")
            keys: Values = ((INSTANCE, text, Rule.INFERRED),) if text >= 0 else ()
            return (collection(made, (keys, further)),) if further else ()
        parts = [of(number, len(rows) + index) for index in range(MOST_VARIADIC_ARGUMENTS)]
        while parts and not parts[-1]:
            parts.pop()
        if further:
            return (collection(made, (bounded([*further, *(v for p in parts for v in p)]),)),)
        if not parts and unit.prototypes is not None:  # template tags are passed unseen arguments
            return ((INSTANCE, made, Rule.INFERRED),)
        return (collection(made, tuple(parts), kind=TUPLE),) if parts else ()


def find_read(unit: FileSymbols) -> set[tuple[int, int]]:
    """Return (definition, place) of the variadic parameters that are not only spread."""
    named: dict[int, tuple[int, int]] = {}
    rows = unit.expressions
    rest = {
        (row.body, parameter.name): (number, place)
        for number, row in enumerate(unit.facts.definitions)
        for place, parameter in enumerate(row.parameters)
        if parameter.kind in unit.calls.variadic_types
    }
    if not rest:
        return set()
    for number, (op, text, base, _) in enumerate(rows):
        if op == _NAME and (base, text) in rest:
            named[number] = rest[base, text]
    used = {value for _, _, _, _, value, _ in unit.facts.bindings}
    used.update([row[2] for row in rows if row[0] not in _NOT_READ])
    used.update(*[row[3] for row in rows if row[3]])
    used.update(row for d in unit.facts.definitions for row in (*d.returned, *d.yielded))
    return {parameter for row, parameter in named.items() if row in used}
