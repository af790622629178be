"""State of argument propagation, to resume after an edit, and one file's contribution to it."""

from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from mu.resolve.abstract_values import CALLABLES, Values
from mu.resolve.limits import MOST_FUNCTIONS
from mu.resolve.solver.argument_support import UNSUPPORTED, Supports
from mu.resolve.solver.parameter_sets import Argument, Passers
from mu.resolve.solver.solver import ParameterKey

Row = tuple[int, int]
"""An expression: (file, row)."""

Makers = dict[ParameterKey, dict[Row, set[Row]]]
"""By parameter of a constructor and by argument, the constructor calls that pass the argument."""


class PropagationState(NamedTuple):
    """The points-to sets of parameters (`points_to`), and what was found while computing them.

    `supports` has the support of the values in `points_to`. `over_limit` are the parameters over
    the limit, with files that pass arguments to them; `unfinished` counts the parameters cut off by
    the bound on iterations. `forwarders` are the functions that forward their arguments,
    `forwardings` are (function, callee that it forwards to, marker, first parameter). `operators`
    are the names of methods that operators pass arguments to, `setters` those of attributes that
    assignments do. `read_before_limit` maps the parameters over the limit of which values were read
    before they exceeded it to these values, but for functions; to none if they are not known.
    `relinked` are the files that were relinked since the build.
    """

    points_to: dict[ParameterKey, Values]
    supports: Supports
    over_limit: Passers
    unfinished: int
    makers: Makers
    forwarders: set[int]
    forwardings: Sequence[tuple[int, int, str, int]]
    operators: frozenset[str]
    setters: frozenset[str]
    read_before_limit: Mapping[ParameterKey, Values] = MappingProxyType({})
    relinked: Set[int] = frozenset()


MadeWith = tuple[ParameterKey, frozenset[tuple[int, object]], frozenset[int]]
"""A constructor's parameter, the functions and classes that one argument may be, and the classes
that the calls with this argument instantiate; -1 for any.
"""


class Passed(NamedTuple):
    """What the calls, operators and decorators of one file pass, after propagation.

    `arguments` are (parameter, kind and key of the value), forwarded ones included; `forwardings`
    are those by calls in this file; `made` are the instantiated classes; `made_with` are the
    functions and classes passed to constructors, and `makers` the calls that do so. `places` are
    (parameter, row) of the expressions of the file that are passed.
    """

    arguments: Set[tuple[ParameterKey, tuple[int, object]]]
    forwardings: Set[tuple[int, tuple[int, str, int]]]
    made: Set[int]
    made_with: Set[MadeWith]
    makers: Makers
    places: Set[tuple[ParameterKey, int]]


def support_of(argument: Argument, state: PropagationState) -> int:
    """Return the support of an argument in a state; `UNSUPPORTED` if that has none."""
    need, identity = argument
    held = zip(state.points_to.get(need, ()), state.supports.get(need, ()), strict=False)
    return next((support for value, support in held if value[:2] == identity), UNSUPPORTED)


def readable(held: Values) -> Values:
    """Limit a parameter's points-to set to `MOST_FUNCTIONS` functions, as evaluation reads it."""
    functions = [value for value in held if value[0] in CALLABLES]
    if len(functions) <= MOST_FUNCTIONS:
        return held
    return (*(v for v in held if v[0] not in CALLABLES), *functions[:MOST_FUNCTIONS])


def falls_within_bound(before: Values, after: Values) -> bool:
    """Return whether the functions of a parameter fell from above `MOST_FUNCTIONS` to within it."""
    counts = (sum(value[0] in CALLABLES for value in values) for values in (before, after))
    return next(counts) > MOST_FUNCTIONS >= next(counts)


def are_known(passed: Passed, state: PropagationState, *, left_out: Set[Argument]) -> bool:
    """Return whether a state includes all arguments and constructor calls of a file.

    Arguments that are `left_out`, or passed to a parameter over the limit, need not be included.
    """
    points_to, makers = state.points_to, state.makers
    known = {need: {value[:2] for value in points_to.get(need, ())} for need, _ in passed.arguments}
    return all(
        identity in known[need] or need in state.over_limit or (need, identity) in left_out
        for need, identity in passed.arguments
    ) and all(
        calls <= makers.get(need, {}).get(row, set())
        for need, arguments in passed.makers.items()
        for row, calls in arguments.items()
    )
