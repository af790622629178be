"""What a file does not add any more to what is known of the whole program."""

from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.solver.propagation_state import Passed
from mu.resolve.whole_program import FileReach

NO_REACH = FileReach(
    Passed(frozenset(), frozenset(), frozenset(), frozenset(), {}),
    frozenset(),
    frozenset(),
    frozenset(),
    (),
)
"""What a file adds that is not there."""


def other_supers(old: FileReach, new: FileReach, *, renumbering: Renumbering) -> set[int]:
    """The classes, as the new program numbers them, that ask other members of classes above them
    than before.
    """
    before = {*renumbering.left(old.supers)}
    after = {(number, name) for number, name in new.supers if not renumbering.is_new(number)}
    return {number for number, _ in before ^ after}


def find_loss(old: FileReach, new: FileReach, *, renumbering: Renumbering) -> str:
    """What a file does not add any more to what is known of the whole program, in words; or adds
    that only propagation over all calls can follow.
    """
    one, other = old.passed, new.passed
    arguments = {
        (renumbering.need(need), renumbering.identity(value))
        for need, value in one.arguments
        if renumbering.is_here(need[0])
    }
    if arguments - other.arguments:
        return "an argument is passed no more"
    if not renumbering.keeps_forwarding(one.forwarded, other.forwarded):
        return "arguments are forwarded otherwise"
    if renumbering.made_with(one.made_with) != other.made_with:
        return "constructors are called with other arguments"
    if renumbering.numbers(old.forwarding) - new.forwarding:
        return "a function does not forward its arguments any more"
    return ""
