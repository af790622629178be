"""Structural types: classes that implement an interface by having its methods.

A class implements an interface if it has a method of each name, its own or inherited, with as many
parameters and results, of the same types where those are plain names.
"""

from collections.abc import Callable, Sequence

from mu.model.facts import Definition, Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import DEFINITION, INSTANCE, number_of
from mu.resolve.lookup.member_lookup import MemberLookup
from mu.resolve.lookup.name_lookup import NameLookup
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_NAME, _ATTRIBUTE, _COLLECTION = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.COLLECTION)

_Type = tuple[FileSymbols, int]
"""The file of a type expression, and its row."""


class StructuralTypes:
    """Finds the classes that implement an interface structurally."""

    def __init__(self, program: Program, names: NameLookup, members: MemberLookup) -> None:
        self._program = program
        self._names = names
        self._members = members
        self._known: dict[str, set[int]] = {}

    def of(self, number: int, having: Callable[[str], set[int]]) -> set[int]:
        """Return the repository's classes, not themselves shapes, with all methods of a class.

        `having` returns the classes that have a method of a name. Its answers are cached, so it
        must return the same in every call.
        """
        wanted = self._wanted(number)
        if not wanted or number >= self._program.size:
            return set()
        own_names = {
            self._program.definitions[method].name
            for method in wanted
            if not self._program.is_library(method)
        }  # one of the library's may be inherited from there, too
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
        """Return the methods that a structural type requires; none if not all are known."""
        found: list[int] = []
        for ancestor in self._members.order(number):
            if not isinstance(ancestor, int):
                return ()
            unit, body = self._program.unit_of[ancestor], self._program.definitions[ancestor].body
            for entry in unit.names[body].values():
                found += (unit.first + local for local in entry.definitions)
        return found

    def _has(self, own: int, wanted: int) -> bool:
        """Return whether a class has a method with the name and signature of another."""
        name = self._program.definitions[wanted].name
        for kind, key, _ in self._members.of_class((INSTANCE, own, Rule.SHAPE), name):
            if kind == DEFINITION:
                return self._is_alike(number_of(key), wanted)
        return False

    def _is_alike(self, number: int, wanted: int) -> bool:
        own, other = self._signature(number), self._signature(wanted)
        return len(own) == len(other) and all(
            len(left) == len(right) and all(map(self._may_be_equal, left, right))
            for left, right in zip(own, other, strict=True)
        )

    def _signature(self, number: int) -> tuple[list[_Type], list[_Type]]:
        """Return the types of the parameters and of the results of a method."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        taken = row.parameters[unit.calls.receiver(row) is not None :]
        given = _results(unit, row)
        return [(unit, one.annotation) for one in taken], [(unit, part) for part in given]

    def _may_be_equal(self, left: _Type, right: _Type) -> bool:
        """Return whether two types may be the same.

        They are compared by their last names and, in different files, by what plain names refer to.
        """
        one, other = _type_name(*left), _type_name(*right)
        if one != other or not one:
            return not (one and other)
        if left[0] is right[0]:
            return True
        first, second = self._class(*left), self._class(*right)
        return first == second or first < 0 or second < 0

    def _class(self, unit: FileSymbols, number: int) -> int:
        """Return the definition that a type without a package names; -1 for any other type."""
        row = unit.expressions[number]
        symbols = self._names.find(unit, row) if row[0] == _NAME else ()
        is_class = len(symbols) == 1 and symbols[0][0] == DEFINITION
        return number_of(symbols[0][1]) if is_class else -1


def _results(unit: FileSymbols, row: Definition) -> Sequence[int]:
    if not row.returns_text:
        return ()
    op, _, _, args = unit.expressions[row.returns]
    return args if op == _COLLECTION else (row.returns,)


def _type_name(unit: FileSymbols, number: int) -> str:
    """Return the last name of a type; empty for a type parameter and for other expressions."""
    op, text, scope, _ = unit.expressions[number]
    if op == _ATTRIBUTE or (op == _NAME and not scope):
        return text
    return ""
