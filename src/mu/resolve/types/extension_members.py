"""Extension members: receiver methods and `impl` blocks, attached to their classes.

The class has to be resolved by name, so this runs before any other query.
"""

from collections.abc import Container, Mapping, Set

from mu.model.facts import Op
from mu.resolve.abstract_values import (
    CALLABLE,
    INSTANCES,
    TYPE_VARIABLE,
    Place,
    Values,
    class_of,
    place_of,
)
from mu.resolve.program.file_symbols import EXTENSION, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.types.type_expressions import TypeExpressions

_INDEX = int(Op.INDEX)
_NONE: dict[int, int] = {}


def adopt(program: Program, annotations: TypeExpressions) -> None:
    """Attach the extensions of the repository to the classes that they extend."""
    for unit in sorted(program.unforeseen_units(), key=lambda unit: unit.file.path):
        extended = program.fence.run(
            unit.file, _extended, program, annotations, unit, otherwise=_NONE
        )
        if extended:
            program.extend(unit, extended)


def _extended(program: Program, annotations: TypeExpressions, unit: FileSymbols) -> dict[int, int]:
    """Return the class of each extension of a file, by its number within the file.

    Blanket implementations, which extend a type parameter, are recorded on the way.
    """
    extended = {}
    for local, row in enumerate(unit.facts.definitions):
        if row.kind == EXTENSION:
            values = _named(unit, row.bases[0][0], row.body, annotations)
            number = next((class_of(value) for value in values if value[0] in INSTANCES), -1)
            if number >= 0:
                extended[local] = number
            for value in values:
                if value[0] == TYPE_VARIABLE and len(row.bases) > 1:
                    _note_blanket(program, annotations, unit, local, place_of(value[1]))
    return extended


def _named(unit: FileSymbols, expression: int, scope: int, annotations: TypeExpressions) -> Values:
    """Return the values of the type that an extension extends.

    Type arguments of a class are not evaluated: they may name members that other extensions have
    yet to add.
    """
    op, _, base, _ = unit.expressions[expression]
    if op == _INDEX and annotations.form(unit, base) is None:
        expression = base
    return annotations.declared(unit, expression, scope=scope)


def _note_blanket(
    program: Program, annotations: TypeExpressions, unit: FileSymbols, local: int, place: Place
) -> None:
    """Record a blanket implementation: an extension that gives a base to a type parameter.

    One that forwards its own bound (`impl<T: Go> Go for &T`) is none. Bounds by library traits
    without members, such as `Debug`, do not count: which types derive them is not certain.
    """
    row = unit.facts.definitions[local]
    given = annotations.declared(unit, row.bases[1][0], scope=row.body)
    bases = [class_of(value) for value in given if value[0] in INSTANCES]
    limits = annotations.bound(place)
    bounds = [class_of(value) for value in limits if value[0] in INSTANCES]
    if not bases or bases[0] in bounds or program.is_library(bases[0]):
        return
    bounds = [bound for bound in bounds if _has_members(program, bound)]
    names = {*_members(program, bases[0]), *unit.names[row.body]}
    if not bounds:  # then it applies by name, where nothing else defines the name
        if any(value[0] == CALLABLE for value in limits):
            return
        own = (row.body, program.definitions[bases[0]].body)
        names -= _defined_elsewhere(program, names, own)
    program.blankets.add(unit.first + local, bases[0], bounds=bounds, names=sorted(names))


def _defined_elsewhere(program: Program, names: Set[str], own: Container[int]) -> set[str]:
    """Return those of `names` that functions outside an extension and its base have."""
    return {
        row.name
        for row in map(program.definitions.__getitem__, range(program.size))
        if row.name in names and row.kind == "function" and row.scope not in own
    }


def _has_members(program: Program, number: int) -> bool:
    return not program.is_library(number) or bool(_members(program, number))


def _members(program: Program, number: int) -> Mapping[str, object]:
    return program.unit_of[number].names[program.definitions[number].body]
