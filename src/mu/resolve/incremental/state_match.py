"""Compare the whole-program facts of two program versions, and a file's contribution to them.

The facts themselves are compared; the edit that changed them is not considered.
"""

from collections.abc import Iterable, Iterator

from mu.resolve.abstract_values import CALLABLES, DEFINED, Values, as_passed
from mu.resolve.incremental.comparison.expression_hashes import ExpressionHashes
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import FileContribution


def has_several(values: Values) -> bool:
    """Return whether more than one of the values is a function or a class."""
    return sum(value[0] in DEFINED for value in values) > 1


def files_above(one: ProgramVersion, classes: Iterable[int]) -> set[int]:
    """Return the files, by key, of all repository superclasses of some classes."""
    program, members = one.program, one.linker.evaluator.members
    return {
        program.unit_of[above].file.key
        for number in classes
        for above in members.order(number)[1:]
        if isinstance(above, int) and above < program.size
    }


def newly_instantiated(
    old: ProgramVersion, new: ProgramVersion, *, renumbering: Renumbering
) -> set[int]:
    """Return the classes, by new number, that may have instances in the new program alone."""
    live = old.linker.whole_program.dispatch.live, new.linker.whole_program.dispatch.live
    return {*live[1]} - renumbering.numbers(live[0])


def no_longer_instantiated(
    old: ProgramVersion, new: ProgramVersion, *, renumbering: Renumbering
) -> set[int]:
    """Return the classes, by old number, that may have instances in the old program alone."""
    live = old.linker.whole_program.dispatch.live, new.linker.whole_program.dispatch.live
    return {
        number
        for number in live[0]
        if not renumbering.is_left(number) or renumbering.number(number) not in live[1]
    }


def changed_super_lookups(
    old: FileContribution, new: FileContribution, *, renumbering: Renumbering
) -> set[int]:
    """Return the classes, by new number, with other lookups of superclass members than before."""
    before = {*renumbering.left(old.supers)}
    after = {(number, name) for number, name in new.supers if not renumbering.is_new(number)}
    return {number for number, _ in before ^ after}


def lost_arguments(
    old: FileContribution, new: FileContribution, *, renumbering: Renumbering
) -> set[Argument]:
    """Return the arguments, with new numbers, that a file no longer passes."""
    arguments = {
        (renumbering.need(need), renumbering.identity(value))
        for need, value in old.passed.arguments
        if renumbering.is_here(need[0]) and renumbering.is_left_of(value)
    }
    return arguments - new.passed.arguments


def lost_in_places(
    old: ProgramVersion,
    new: ProgramVersion,
    *,
    file: int,
    is_changed: bool,
    renumbering: Renumbering,
) -> set[Argument]:
    """Return the arguments, with new numbers, that an expression of a file no longer passes.

    The file may still pass them: a recursive function forwards a value that it was only passed
    because another expression passed it first. Expressions of a file that `is_changed` are the same
    if they are written alike.
    """
    before = {
        (renumbering.need(need), place, renumbering.identity(identity))
        for need, place, identity in _arguments(old, file, is_changed=is_changed)
        if renumbering.is_here(need[0]) and renumbering.is_left_of(identity)
    }
    if not before:
        return set()
    after = {*_arguments(new, file, is_changed=is_changed)}
    return {(need, identity) for need, _, identity in before - after}


def _arguments(
    version: ProgramVersion, file: int, *, is_changed: bool
) -> Iterator[tuple[ParameterKey, int, tuple[int, object]]]:
    """Yield (parameter, expression, kind and key of a value) of all that a file passes."""
    unit = version.program.units.get(file)
    if unit is None:
        return
    values, hashes = version.linker.evaluator.values, ExpressionHashes(unit)
    for need, row in version.contribution_of(file).passed.places:
        place = hashes.of(row) if is_changed else row
        for value in values(unit, row):
            yield need, place, as_passed(value)[:2]


def passed_what_is_gone(old: FileContribution, *, renumbering: Renumbering) -> set[ParameterKey]:
    """Return the parameters, with new numbers, to which a file passed removed values.

    A value counts if it names a removed definition and is not a function.
    """
    return {
        renumbering.need(need)
        for need, value in old.passed.arguments
        if value[0] not in CALLABLES
        and renumbering.is_here(need[0])
        and not renumbering.is_left_of(value)
    }


def contributes_same(
    old: FileContribution, new: FileContribution, *, renumbering: Renumbering
) -> bool:
    """Return whether a file forwards the same arguments and passes the same to constructors."""
    is_same = renumbering.numbers(old.forwarding) == new.forwarding
    is_same = is_same and not changed_constructor_arguments(old, new, renumbering=renumbering)
    return is_same and not forwarding_otherwise(old, new, renumbering=renumbering)


def changed_constructor_arguments(
    old: FileContribution, new: FileContribution, *, renumbering: Renumbering
) -> set[ParameterKey]:
    """Return the constructor parameters, with new numbers, whose arguments in a file changed.

    The file passes other functions or classes, or passes them to constructors of other classes.
    """
    before, gone = renumbering.made_with(old.passed.made_with)
    return gone | {need for need, _, _ in before ^ new.passed.made_with}


def forwarding_otherwise(
    old: FileContribution, new: FileContribution, *, renumbering: Renumbering
) -> set[int]:
    """Return the functions, by old number, that forward their arguments otherwise than before.

    What is forwarded is not considered.
    """
    found = renumbering.forwarding_otherwise(old.passed.forwardings, new.passed.forwardings)
    found |= renumbering.numbers(old.forwarding) - new.forwarding
    return {before for number in found for before in renumbering.before(number)}
