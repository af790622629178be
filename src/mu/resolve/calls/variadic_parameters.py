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
"""Rows whose base is no expression, or only spread."""


class VariadicParameters:
    """Finds the variadic parameters whose contents are read, and their points-to sets."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._known: dict[int, frozenset[tuple[int, int]]] = {}

    def is_read(self, number: int, place: int) -> bool:
        """Tell whether the text does more with a parameter of a function than spread it."""
        unit = self._program.unit_of[number]
        known = self._known.get(unit.key)
        if known is None:
            known = self._known[unit.key] = frozenset(find_read(unit))
        return (number - unit.first, place) in known

    def whole(self, number: int, place: int) -> int:
        """The place of the parameter that takes an argument, which may be one of the rest."""
        rows = self._program.definitions[number].parameters
        if place < len(rows):
            return place
        return next(i for i, row in enumerate(rows) if row.kind == ANY_NUMBER)

    def parted(
        self, number: int, call: Call, *, is_bound: bool, wanted: Set[int]
    ) -> list[tuple[int, int]]:
        """What a call passes for which of the parameters at the places that are wanted, each of
        those that are left at its own place.
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
        """What a parameter for the rest holds."""
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
        if not parts and unit.prototypes is not None:  # templates pass what no call names
            return ((INSTANCE, made, Rule.INFERRED),)
        return (collection(made, tuple(parts), kind=TUPLE),) if parts else ()


def find_read(unit: FileSymbols) -> set[tuple[int, int]]:
    """(definition, place) of the parameters for the rest that anything but a spread refers to."""
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
