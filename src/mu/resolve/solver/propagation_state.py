"""What argument propagation found, to go on with after an edit, and what one file has part in."""

from collections.abc import Sequence, Set
from typing import NamedTuple

from mu.resolve.abstract_values import CALLABLES, Values
from mu.resolve.limits import MOST_FUNCTIONS
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
    the attributes.
    """

    shown: dict[ParameterKey, Values]
    limited: Passers
    unfinished: int
    makers: Makers
    spreading: set[int]
    ways: Sequence[tuple[int, int, str, int]]
    operators: frozenset[str]
    setters: frozenset[str]


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


def has_most_functions(state: PropagationState, need: ParameterKey) -> bool:
    """Tell whether a parameter is passed as many functions as are kept: there may be more."""
    functions = sum(value[0] in CALLABLES for value in state.shown.get(need, ()))
    return need in state.limited and functions >= MOST_FUNCTIONS


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
