"""Find arguments that a build omits or forwards early because a limit is reached.

For a parameter over the limit, only functions are kept. A build forwards its first arguments before
the limit is reached, so what is forwarded depends on the order of evaluation, which an update does
not repeat. Where the state before the edit does not show what a build would forward, the checks
raise an error, and a build is made.
"""

from collections.abc import Iterable, Mapping, Set
from typing import cast

from mu.model.facts import Op, ReferenceKind
from mu.resolve.abstract_values import CALLABLES, Value, as_passed, number_of
from mu.resolve.incremental.arguments.program_contributions import ContributionOf
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.file_set import NeedsBuildError
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.renumbering import Renumbering
from mu.resolve.limits import MOST_PASSERS, MOST_VALUES
from mu.resolve.program.file_part import home_of
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.solver.argument_support import (
    UNKNOWN,
    exceeding_iteration,
    first_file,
    is_as_found,
    iteration_of,
    passed_at_once,
    passing_file,
)
from mu.resolve.solver.parameter_sets import Argument, value_digest
from mu.resolve.solver.propagation_state import PropagationState
from mu.resolve.solver.solver import ParameterKey

_NAME = int(Op.NAME)
_WITHOUT_BASE = frozenset(map(int, (Op.NAME, Op.FUNCTION)))  # their `base` is not an expression
_CALL_REFERENCE = int(ReferenceKind.CALL)


def omitted_arguments(
    old: ProgramVersion,
    renumbering: Renumbering,
    *,
    files: Set[int],
    state: PropagationState,
    freed: Set[ParameterKey],
) -> set[Argument]:
    """Return the arguments that files passed before the edit and that the parameters did not hold.

    A build does not pass them either. Parameters in `freed`, as the new program numbers them, are
    no longer over the limit, so that what was counted for them then is passed now. Raises
    NeedsBuildError if such an argument is a removed function, and the parameter not over the limit:
    a build may omit an added one instead.
    """
    points_to, over_limit = state.points_to, state.over_limit
    found: set[Argument] = set()
    for key in files:
        for need, value in old.contribution_of(key).passed.arguments:
            if not renumbering.is_here(need[0]):
                continue
            if value in {known[:2] for known in points_to.get(need, ())}:
                continue
            if renumbering.is_left_of(value):
                moved = renumbering.need(need)
                if moved not in freed or not _was_counted(old, value, over_limit.get(need, {})):
                    found.add((moved, renumbering.identity(value)))
            elif need not in over_limit and value[0] in CALLABLES:
                raise NeedsBuildError("what is gone was not known to be passed")
    return found


def _was_counted(
    old: ProgramVersion, identity: tuple[int, object], passers: Mapping[int, int]
) -> bool:
    """Return whether a value, by kind and key, is among those recorded for a parameter."""
    value = as_passed(cast(Value, (*identity, None)))
    return value_digest(old.program, value) in passers


def check_limits_of_unchanged_files(
    old: ProgramVersion,
    new: ProgramVersion,
    *,
    lost: Mapping[int, Set[Argument]],
    gone: Set[Argument],
    state: PropagationState,
    renumbering: Renumbering,
) -> None:
    """Check that unchanged files lose no arguments because something in them is over the limit now.

    A build forwards the first values before the limit is reached. `lost` are the arguments that
    each file no longer passes, `gone` the arguments already known not to be passed, and `state` is
    from before the edit. A repository function, or an instance of a repository class, may have been
    forwarded by any parameter of the file that holds it, unless one is known to have lost it.
    Raises NeedsBuildError.
    """
    if new.variables_over_limit({*lost}) - old.variables_over_limit({*lost}):
        raise NeedsBuildError("a variable may have passed on more values before")
    values = {key: {value for _, value in arguments} for key, arguments in lost.items()}
    explained = {(new.program.file_of(need[0]), value) for need, value in gone if need[0] >= 0}
    missing = {*gone}.union(*lost.values())
    for need, held in state.points_to.items():
        number = need[0]
        key = old.program.file_of(number) if 0 <= number < old.program.size else -1
        if key not in values or not renumbering.is_here(number):
            continue
        moved = renumbering.need(need)
        for one in held:
            value = one[:2]
            if not renumbering.is_left_of(value):
                continue
            now = renumbering.identity(value)
            if now not in values[key] or (moved, now) in missing:
                continue
            is_unexplained = (key, now) not in explained and old.program.is_own(one)
            if is_unexplained or (
                value in old.held_by_parameter(need) and now not in new.held_by_parameter(moved)
            ):
                raise NeedsBuildError("an argument may have been passed on before")


def check_handed_on_before_limit(
    new: ProgramVersion,
    lost: Mapping[int, Set[Argument]],
    *,
    state: PropagationState,
    renumbering: Renumbering,
    alone: ContributionOf,
) -> None:
    """Check that no file passes less because a parameter in it is over the limit now: a build hands
    its first values on before that, unless it is over the limit in the first iteration.

    `lost` are the arguments that each linked file no longer passes; `state` is from before the
    edit, and `alone` returns what files pass in the first iteration. Raises NeedsBuildError.
    """
    for number, place in new.over_limit:
        before = renumbering.before(number)
        values = {value for _, value in lost.get(new.program.file_of(number), ())}
        if not before or not values or (before[0], place) in state.over_limit:
            continue
        need = before[0], place
        held = {
            renumbering.identity(value[:2]): support
            for value, support in zip(
                state.points_to.get(need, ()), state.supports.get(need, ()), strict=False
            )
            if renumbering.is_left_of(value[:2])
        }
        if values.isdisjoint(held):
            continue
        altered = state.relinked | lost.keys()
        first = {
            v for v, one in held.items() if not iteration_of(one) and is_as_found(one, altered)
        }
        first |= {
            value
            for key in lost
            for taker, value in alone(key).passed.arguments
            if taker == (number, place)
        }
        if sum(kind not in CALLABLES for kind, _ in first) <= MOST_VALUES:
            raise NeedsBuildError("an argument may have been passed on before")


def edited_early_readers(
    old: ProgramVersion,
    new: ProgramVersion,
    *,
    differences: Mapping[int, FileDifference],
    changed: Iterable[int],
    state: PropagationState,
) -> dict[int, int]:
    """Return the files with an edited function that read a parameter before it exceeded the limit,
    with the last iteration in which one did: what it passes on then is not known from the state,
    which is from before the edit.

    Raises NeedsBuildError if such a function is gone or has other parameters, or where the state
    does not have what was read.
    """
    units, found = {key: old.program.units[key] for key in old.there(changed)}, dict[int, int]()
    for need, read in state.read_before_limit.items():
        key = old.program.file_of(need[0]) if 0 <= need[0] < old.program.size else -1
        if key not in units:
            continue
        local, difference = need[0] - units[key].first, differences.get(key)
        pair = -1 if difference is None else difference.numbers.get(local, -1)
        text = units[key].facts.definitions[local].digest
        if pair >= 0 and new.program.units[key].facts.definitions[pair].digest == text:
            continue
        iteration = exceeding_iteration(state.over_limit.get(need, {}).values())
        is_other = difference is None or pair < 0 or local in difference.reset
        if is_other or not read or iteration == UNKNOWN:
            raise NeedsBuildError("an edited function read arguments before the limit was exceeded")
        found[key] = max(iteration, found.get(key, 0))
    return found


def check_forwarding_to_new_signatures(
    old: ProgramVersion,
    new: ProgramVersion,
    *,
    renumbering: Renumbering,
    files: Set[int],
    state: PropagationState,
) -> None:
    """Check that no parameter over the limit forwards to functions added or with a new signature.

    Those that are over the limit from the start are skipped. `state` is from before the edit. For
    added functions, only their call sites in functions that have such a parameter are examined.
    Raises NeedsBuildError.
    """
    held = {
        (need, value[:2])
        for need, values in state.points_to.items()
        if need[0] in renumbering.reset and need not in state.over_limit
        for value in values
    }
    for key in files if held else ():
        held -= old.contribution_of(key).passed.arguments
    over_limit = new.linker.whole_program.state().propagation.over_limit
    now = [need for need, one in over_limit.items() if not _is_over_limit_at_once(one, files)]
    units = [new.program.units[key] for key in new.there(files)]
    numbers = (unit.first + local for unit in units for local in range(len(unit.facts.definitions)))
    came = {number for number in numbers if renumbering.is_new(number)}
    if held or (came and _is_passed_on(new, came, files, now)):
        raise NeedsBuildError(
            "a function takes arguments that were passed on before the limit was exceeded"
        )


def check_first_forwarded(
    old: ProgramVersion,
    new: ProgramVersion,
    *,
    renumbering: Renumbering,
    files: Set[int],
    state: PropagationState,
) -> None:
    """Check that a build still forwards the same arguments before a limit is reached.

    Raises NeedsBuildError if `files` pass other arguments than before to a parameter over the
    limit, and the file of that parameter was the first to pass an argument that it does not pass
    at the fixpoint: others may be first now. `state` is from before the edit. Parameters that are
    over the limit from the start are skipped.
    """
    over_limit = {
        need: renumbering.need(need)
        for need, passers in state.over_limit.items()
        if not _is_over_limit_at_once(passers, files)
        and 0 <= need[0] < old.program.size
        and renumbering.is_here(need[0])
    }
    here = {moved: need for need, moved in over_limit.items()}
    homes: set[int] = set()
    for key in files:
        was, other = set[Argument](), set[ParameterKey]()
        for need, value in old.contribution_of(key).passed.arguments:
            if need in over_limit and value[0] not in CALLABLES:
                if renumbering.is_left_of(value):
                    was.add((over_limit[need], renumbering.identity(value)))
                else:
                    other.add(over_limit[need])
        arguments = new.contribution_of(key).passed.arguments
        now = {one for one in arguments if one[0] in here and one[1][0] not in CALLABLES}
        other |= {need for need, _ in was ^ now}
        homes |= {old.program.file_of(here[need][0]) for need in other}
    if homes and any(
        (need, value[:2]) not in old.whole_contribution_of(home).passed.arguments
        for need, held in state.points_to.items()
        for value, support in zip(held, state.supports.get(need, ()), strict=False)
        if iteration_of(support) and (home := first_file(support)) in homes
    ):
        raise NeedsBuildError("arguments may be passed on later now")


def _is_over_limit_at_once(passers: Mapping[int, int], files: Set[int]) -> bool:
    """Return whether a parameter exceeds the limit in the first iteration of a build, whatever
    `files` pass: then no value of it is ever read.
    """
    others = (one for one in passers.values() if passing_file(one) not in files)
    return len(passers) >= MOST_PASSERS or sum(map(passed_at_once, others)) > MOST_VALUES


def _is_passed_on(
    new: ProgramVersion, came: Set[int], files: Set[int], over_limit: Iterable[ParameterKey]
) -> bool:
    """Return whether a function in the files passes such a parameter to an added function.

    Values computed from the parameter count, too.
    """
    program, called = new.program, new.linker.evaluator.called
    for number, place in over_limit:
        if program.file_of(number) not in files:
            continue
        unit, row = program.unit_of[number], program.definitions[number]
        if not 0 <= place < len(row.parameters):
            continue  # a field of a record, or the receiver: it has no name
        names = _names_made_of(unit, row.body, row.parameters[place].name)
        for kind, call, owner, _ in unit.facts.references:
            if kind != _CALL_REFERENCE or not _is_inside(unit, owner, number - unit.first):
                continue
            _, _, function, args = unit.expressions[call]
            if _mentions(unit, args, names) and any(
                kind in CALLABLES and number_of(key) in came
                for kind, key, _ in called(unit, function)
            ):
                return True
    return False


def _names_made_of(unit: FileSymbols, scope: int, parameter: str) -> set[str]:
    """Return the local names whose bindings mention a parameter, directly or transitively."""
    names, size = {parameter}, 0
    while size < len(names):
        size = len(names)
        names |= {
            name
            for name, entry in unit.names[scope].items()
            if name not in names and _mentions(unit, [row.value for row in entry.bindings], names)
        }
    return names


def _mentions(unit: FileSymbols, rows: Iterable[int], names: Set[str]) -> bool:
    """Return whether any of the names occurs in the expressions."""
    waiting, seen = [*rows], set[int]()
    while waiting:
        number = waiting.pop()
        op, text, base, args = unit.expressions[number]
        if op == _NAME and text in names:
            return True
        inside = args if op in _WITHOUT_BASE else (base, *args)
        new = [one for one in inside if one and one not in seen]
        seen.update(new)
        waiting += new
    return False


def _is_inside(unit: FileSymbols, owner: int, function: int) -> bool:
    """Return whether a definition is a function or is inside it, both by number in the file."""
    while owner >= 0 and owner != function:
        owner = home_of(unit, unit.facts.definitions[owner].scope)
    return owner == function
