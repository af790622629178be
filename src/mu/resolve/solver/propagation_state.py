"""What argument propagation found, to go on with after an edit, and what one file has part in."""

from collections.abc import Sequence, Set
from typing import NamedTuple

from mu.resolve.abstract_values import CALLABLES, Values
from mu.resolve.limits import MOST_FUNCTIONS
from mu.resolve.solver.argument_support import Supports
from mu.resolve.solver.parameter_sets import Argument, Passers
from mu.resolve.solver.solver import ParameterKey

Row = tuple[int, int]
"""An expression: (file, row)."""

Makers = dict[ParameterKey, dict[Row, set[Row]]]
"""The calls of constructors that pass an argument for a parameter."""


class PropagationState(NamedTuple):
    """The points-to sets of parameters, and what was found on the way to them.

    `limited` are the parameters that too many things are passed for, with files that pass them;
    `unfinished` counts those cut off by the bound on iterations. `spreading` are the functions that
    forward their arguments, `ways` the (function, that it forwards to, marker, first parameter) by
    which they do; `operators` names the methods that operations pass something to, and `setters`
    the attributes. `supports` tells how what is `shown` was found, `relinked` which files were
    linked again since.
    """

    shown: dict[ParameterKey, Values]
    supports: Supports
    limited: Passers
    unfinished: int
    makers: Makers
    spreading: set[int]
    ways: Sequence[tuple[int, int, str, int]]
    operators: frozenset[str]
    setters: frozenset[str]
    relinked: Set[int] = frozenset()


MadeWith = tuple[ParameterKey, frozenset[tuple[int, object]], frozenset[int]]
"""A parameter of a constructor, functions and classes that one argument for it may be, and the
classes that it is passed for; -1 for any.
"""


class Passed(NamedTuple):
    """What the calls, operations and decorators of one file pass, once all is known.

    `arguments` are (parameter, kind and key of the value), also those that go through functions
    which pass them on; `ways` are those by which this file's own do that; `made` are the classes
    that are called, and `made_with` which functions and classes constructors are passed.
    """

    arguments: Set[tuple[ParameterKey, tuple[int, object]]]
    ways: Set[tuple[int, tuple[int, str, int]]]
    made: Set[int]
    made_with: Set[MadeWith]
    makers: Makers


def readable(held: Values) -> Values:
    """A points-to set of a parameter as evaluation reads it: at most `MOST_FUNCTIONS` functions."""
    functions = [value for value in held if value[0] in CALLABLES]
    if len(functions) <= MOST_FUNCTIONS:
        return held
    return (*(v for v in held if v[0] not in CALLABLES), *functions[:MOST_FUNCTIONS])


def falls_within_bound(before: Values, after: Values) -> bool:
    """Tell whether a parameter held more functions than are read, and does not any more."""
    counts = (sum(value[0] in CALLABLES for value in values) for values in (before, after))
    return next(counts) > MOST_FUNCTIONS >= next(counts)


def are_known(passed: Passed, state: PropagationState, *, left_out: Set[Argument]) -> bool:
    """Tell whether parameters hold all that a file passes, but for what is `left_out`, and it is
    known which calls of constructors pass it.
    """
    shown, makers = state.shown, state.makers
    known = {need: {value[:2] for value in shown.get(need, ())} for need, _ in passed.arguments}
    return all(
        identity in known[need] or need in state.limited or (need, identity) in left_out
        for need, identity in passed.arguments
    ) and all(
        calls <= makers.get(need, {}).get(row, set())
        for need, arguments in passed.makers.items()
        for row, calls in arguments.items()
    )
