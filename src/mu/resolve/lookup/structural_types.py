"""Structural types: classes that implement an interface by having its methods.

A class implements an interface if it has a method of each name, its own or inherited, with as many
parameters and results, of the same types where those are plain names.
"""

from collections.abc import Callable, Sequence

from mu.model.facts import Definition, Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import DEFINITION, INSTANCE, number_of
from mu.resolve.lookup.member_lookup import MemberLookup
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_NAME, _ATTRIBUTE, _COLLECTION = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.COLLECTION)


class StructuralTypes:
    """Finds the classes that implement an interface structurally."""

    def __init__(self, program: Program, members: MemberLookup) -> None:
        self._program = program
        self._members = members
        self._known: dict[str, set[int]] = {}

    def of(self, number: int, having: Callable[[str], set[int]]) -> set[int]:
        """The classes of the repository that have all methods of a class, and are no shapes.

        `having` tells which classes have a method of a name, always the same.
        """
        wanted = self._wanted(number)
        if not wanted or number >= self._program.size:
            return set()
        own_names = {
            self._program.definitions[method].name
            for method in wanted
            if not self._program.is_library(method)
        }  # one of the library's may come from there, too
        if not own_names:
            return set()
        found = set.intersection(*(self._owners(name, having) for name in own_names))
        unit = self._program.unit_of[number]
        return {
            own
            for own in found
            if own < self._program.size
            and self._program.unit_of[own].rules is unit.rules
            and not unit.types.is_shape(self._program.definitions[own])
            and all(self._has(own, method) for method in wanted)
        }

    def _owners(self, name: str, having: Callable[[str], set[int]]) -> set[int]:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = having(name)
        return known

    def _wanted(self, number: int) -> Sequence[int]:
        """The methods that a shape asks for; none where not all are known."""
        found: list[int] = []
        for ancestor in self._members.order(number):
            if not isinstance(ancestor, int):
                return ()
            unit, body = self._program.unit_of[ancestor], self._program.definitions[ancestor].body
            for entry in unit.names[body].values():
                found += (unit.first + local for local in entry.definitions)
        return found

    def _has(self, own: int, wanted: int) -> bool:
        """Whether a class has a method like another one."""
        name = self._program.definitions[wanted].name
        for kind, key, _ in self._members.of_class((INSTANCE, own, Rule.SHAPE), name):
            if kind == DEFINITION:
                return self._is_alike(number_of(key), wanted)
        return False

    def _is_alike(self, number: int, wanted: int) -> bool:
        own, other = self._signature(number), self._signature(wanted)
        return len(own) == len(other) and all(
            len(left) == len(right) and all(map(_may_be_equal, left, right))
            for left, right in zip(own, other, strict=True)
        )

    def _signature(self, number: int) -> tuple[Sequence[str], Sequence[str]]:
        """The types of the parameters and of the results of a method, by name; empty for others."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        taken = row.parameters[unit.calls.receiver(row) is not None :]
        return [_type_name(unit, one.annotation) for one in taken], _results(unit, row)


def _results(unit: FileSymbols, row: Definition) -> Sequence[str]:
    if not row.returns_text:
        return ()
    op, _, _, args = unit.expressions[row.returns]
    parts = args if op == _COLLECTION else (row.returns,)
    return [_type_name(unit, part) for part in parts]


def _type_name(unit: FileSymbols, number: int) -> str:
    """The last name of a type; empty for what is no name, or one of a type parameter."""
    op, text, scope, _ = unit.expressions[number]
    if op == _ATTRIBUTE or (op == _NAME and not scope):
        return text
    return ""


def _may_be_equal(left: str, right: str) -> bool:
    return left == right or not (left and right)
