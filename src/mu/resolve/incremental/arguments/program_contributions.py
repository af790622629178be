"""What the files of a program pass and instantiate, where parameters hold one thing or another."""

from collections.abc import Callable, Iterable, Mapping, Set
from functools import cache
from typing import NamedTuple, Protocol

from mu.resolve.abstract_values import Values
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.program.program import Program
from mu.resolve.solver.propagation_state import PropagationState
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import FileContribution, WholeProgramState

ContributionOf = Callable[[int], FileContribution]
"""Returns the contribution of a file, by key."""


class CountShare(Protocol):
    """Counts a share of the program that is evaluated, of which a number of files are."""

    def __call__(self, share: float, /, *, files: int) -> None: ...


class Spending(NamedTuple):
    """Functions that count work before it is done: `linked` that the linked parts of some files are
    evaluated in a program, `whole` that whole files are.
    """

    linked: Callable[[ProgramVersion, Set[int]], None]
    whole: CountShare


class ProgramContributions(NamedTuple):
    """The contributions of files, by key, where parameters hold what the program found (`every`) or
    nothing (`alone`), and the program where they hold other points-to sets (`given`).
    """

    program: Program
    every: ContributionOf
    alone: ContributionOf
    given: Callable[[Mapping[ParameterKey, Values]], ProgramVersion]
    state: PropagationState


def program_contributions(
    version: ProgramVersion, state: WholeProgramState, *, changed: Iterable[int] = ()
) -> ProgramContributions:
    """Return the contributions of files of a program restored from a state, since which some
    changed.
    """
    alone = cache(lambda: version.alone(state, changed))
    return ProgramContributions(
        version.program,
        version.whole_contribution_of,
        lambda key: alone().contribution_of(key),
        lambda points_to: version.alone(state, changed, points_to=points_to),
        state.propagation,
    )
