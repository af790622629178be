"""What two versions of a program were found to be as a whole, and what a file adds to that,
compared: by what differs in it, not by what an edit did.
"""

from collections.abc import Iterable

from mu.resolve.abstract_values import CALLABLES, DEFINED, Values
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import FileReach


def has_several(values: Values) -> bool:
    """Tell whether several of some values are functions and classes."""
    return sum(value[0] in DEFINED for value in values) > 1


def files_above(one: ProgramVersion, classes: Iterable[int]) -> set[int]:
    """The files, by key, of the classes of the repository that some classes extend."""
    program, members = one.program, one.linker.evaluator.members
    return {
        program.unit_of[above].file.key
        for number in classes
        for above in members.order(number)[1:]
        if isinstance(above, int) and above < program.size
    }


def live_now(old: ProgramVersion, new: ProgramVersion, *, renumbering: Renumbering) -> set[int]:
    """The classes that may have instances and could have none, as the new program numbers them."""
    live = old.linker.whole_program.dispatch.live, new.linker.whole_program.dispatch.live
    return {*live[1]} - renumbering.numbers(live[0])


def live_before(old: ProgramVersion, new: ProgramVersion, *, renumbering: Renumbering) -> set[int]:
    """The classes that could have instances and may have none now, by their old numbers."""
    live = old.linker.whole_program.dispatch.live, new.linker.whole_program.dispatch.live
    return {
        number
        for number in live[0]
        if not renumbering.is_left(number) or renumbering.number(number) not in live[1]
    }


def other_supers(old: FileReach, new: FileReach, *, renumbering: Renumbering) -> set[int]:
    """The classes, as the new program numbers them, that ask other members of classes above them
    than before.
    """
    before = {*renumbering.left(old.supers)}
    after = {(number, name) for number, name in new.supers if not renumbering.is_new(number)}
    return {number for number, _ in before ^ after}


def lost_arguments(old: FileReach, new: FileReach, *, renumbering: Renumbering) -> set[Argument]:
    """The arguments that a file does not pass any more, as the new program numbers them."""
    arguments = {
        (renumbering.need(need), renumbering.identity(value))
        for need, value in old.passed.arguments
        if renumbering.is_here(need[0]) and renumbering.is_left_of(value)
    }
    return arguments - new.passed.arguments


def passed_what_is_gone(old: FileReach, *, renumbering: Renumbering) -> set[ParameterKey]:
    """The parameters, as the new program numbers them, for which a file passed anything but
    functions that is of what is gone.
    """
    return {
        renumbering.need(need)
        for need, value in old.passed.arguments
        if value[0] not in CALLABLES
        and renumbering.is_here(need[0])
        and not renumbering.is_left_of(value)
    }


def adds_same(old: FileReach, new: FileReach, *, renumbering: Renumbering) -> bool:
    """Tell whether a file hands arguments on as it did, and passes constructors the same."""
    is_same = renumbering.numbers(old.forwarding) == new.forwarding
    is_same = is_same and not made_otherwise(old, new, renumbering=renumbering)
    return is_same and not find_loss(old, new, renumbering=renumbering)


def made_otherwise(
    old: FileReach, new: FileReach, *, renumbering: Renumbering
) -> set[ParameterKey]:
    """The parameters of constructors, as the new program numbers them, for which a file passes
    other functions and classes, or passes them for other classes.
    """
    before, gone = renumbering.made_with(old.passed.made_with)
    return gone | {need for need, _, _ in before ^ new.passed.made_with}


def find_loss(old: FileReach, new: FileReach, *, renumbering: Renumbering) -> str:
    """What a file does not add any more to what is known of the whole program besides arguments,
    in words; or adds that only propagation over all calls can follow.
    """
    one, other = old.passed, new.passed
    if not renumbering.keeps_ways(one.ways, other.ways):
        return "arguments are forwarded otherwise"
    if renumbering.numbers(old.forwarding) - new.forwarding:
        return "a function does not forward its arguments any more"
    return ""
