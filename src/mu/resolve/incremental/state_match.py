"""What two versions of a program were found to be as a whole, and what a file adds to that,
compared: by what differs in it, not by what an edit did.
"""

from collections.abc import Iterable, Set

from mu.resolve.abstract_values import CALLABLES, DEFINED, Values, as_passed
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.limits import MOST_FUNCTIONS
from mu.resolve.solver.parameter_sets import Argument
from mu.resolve.solver.propagation_state import PropagationState
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import FileReach, WholeProgramState


def other_parameters(
    old: WholeProgramState, new: WholeProgramState, *, renumbering: Renumbering
) -> set[ParameterKey]:
    """The parameters, as the new program numbers them, that hold something else than before.

    Those of functions that are gone, or that take others now, are left out.
    """
    before = {
        renumbering.need(need): values
        for need, values in old.propagation.shown.items()
        if values and renumbering.is_here(need[0])
    }
    after = {need: values for need, values in new.propagation.shown.items() if values}
    return {
        need
        for need in before.keys() | after.keys()
        if _moved(before.get(need, ()), renumbering) != {*after.get(need, ())}
    }


def _moved(values: Values, renumbering: Renumbering) -> set[object] | None:
    """The same values in the new program; None where one of them is gone."""
    try:
        return {*renumbering.values(values)}
    except KeyError:
        return None


def are_made_otherwise(
    old: ProgramVersion, new: ProgramVersion, *, renumbering: Renumbering, but: Set[ParameterKey]
) -> bool:
    """Tell whether constructors are passed the functions and classes that they were for other
    classes.

    That tells fields of one class from those of another where several are passed. Of the
    parameters in `but`, as the new program numbers them, that is known.
    """
    states = [one.linker.whole_program.state().propagation for one in (old, new)]
    needs = {
        renumbering.need(need): need
        for need in states[0].makers
        if renumbering.is_here(need[0]) and _has_several(states[0].shown.get(need, ()))
    }
    more = {n for n in states[1].makers if _has_several(states[1].shown.get(n, ()))}
    for need in (needs.keys() | more) - but:
        before = needs.get(need)
        made = _made_with(old, before) if before is not None else set()
        try:
            if renumbering.made_with(made) != _made_with(new, need):
                return True
        except KeyError:
            return True
    return False


def _has_several(values: Values) -> bool:
    return sum(value[0] in DEFINED for value in values) > 1


def _made_with(one: ProgramVersion, need: ParameterKey) -> set[object]:
    """(parameter, functions and classes among what is passed, classes that it is passed for)."""
    found: set[object] = set()
    evaluator = one.linker.evaluator
    for (file, row), made in evaluator.parameter_propagation.makers(need).items():
        values = evaluator.values(one.program.unit(file), row)
        defined = frozenset(as_passed(v)[:2] for v in values if v[0] in DEFINED)
        if defined:
            found.add((need, defined, frozenset(made)))
    return found


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


def has_most_functions(state: PropagationState, need: ParameterKey) -> bool:
    """Tell whether a parameter is passed as many functions as are kept: there may be more."""
    functions = sum(value[0] in CALLABLES for value in state.shown.get(need, ()))
    return need in state.limited and functions >= MOST_FUNCTIONS


def adds_same(old: FileReach, new: FileReach, *, renumbering: Renumbering) -> bool:
    """Tell whether a file hands arguments on as it did, and passes constructors the same."""
    is_same = renumbering.numbers(old.forwarding) == new.forwarding
    return is_same and not find_loss(old, new, renumbering=renumbering)


def find_loss(old: FileReach, new: FileReach, *, renumbering: Renumbering) -> str:
    """What a file does not add any more to what is known of the whole program besides arguments,
    in words; or adds that only propagation over all calls can follow.
    """
    one, other = old.passed, new.passed
    if not renumbering.keeps_forwarding(one.forwarded, other.forwarded):
        return "arguments are forwarded otherwise"
    if renumbering.made_with(one.made_with) != other.made_with:
        return "constructors are called with other arguments"
    if renumbering.numbers(old.forwarding) - new.forwarding:
        return "a function does not forward its arguments any more"
    return ""
