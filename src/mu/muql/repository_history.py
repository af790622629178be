"""What queries ask beyond the graph: lines of files, and the history of the repository.

Whoever runs queries supplies both. A query compiles without them; one that needs them is refused.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mu.errors import ExitCode, MuError
from mu.model.relation import Cell
from mu.muql.errors import MuqlError
from mu.muql.text import Place

if TYPE_CHECKING:
    from mu.store import GraphFile

ReadSource = Callable[[Sequence[str]], Iterable[Sequence[str]]]
"""Reads the lines of files by their paths, in order: none of one that is not as it was when the
graph was built."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """What a query may ask beyond its graph; None where it cannot be asked."""

    read_source: ReadSource | None = None
    past: "Past | None" = None


@dataclass(frozen=True, slots=True)
class State:
    """The graph of a revision, what reads its files, and what answers from it have to say.

    `name` is the revision as asked for, with its commit; `lacks` says which files are missing.
    """

    name: str
    graph: "GraphFile"
    read_source: ReadSource
    lacks: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """Rows that the history gave, and what they rest on."""

    rows: Sequence[tuple[Cell, ...]]
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


class Past(Protocol):
    """The history of the repository that a graph is of."""

    @property
    def timeout(self) -> float:
        """Seconds that a query may take at one revision."""

    def at(self, revision: str) -> State:
        """Give the state of a revision, whose graph is built unless it is kept.

        Raises MuError (usage) for a revision that there is not, or that cannot be read.
        """

    def diff(self, before: str, after: str) -> Told:
        """Give the rows of `diff(before, after)`; raises as `at` does."""

    def history(self, node: str, most: int) -> Told:
        """Give at most `most` commits that changed a node, newest first.

        The columns are `functions.HISTORY_COLUMNS`.
        """

    def blame(self, node: str) -> Told:
        """Give the lines of a node by the commits they came with: `functions.BLAME_COLUMNS`."""


@contextmanager
def asking(past: Past | None, place: Place | None) -> Iterator[Past]:
    """Lend the past to what stands at `place`, where errors about revisions point to.

    Raises MuqlError where there is no past.
    """
    if past is None:
        raise MuqlError("revisions cannot be asked here", place, "ask the graph as it is")
    try:
        yield past
    except MuqlError:
        raise
    except MuError as error:
        if error.code is not ExitCode.USAGE:
            raise
        raise MuqlError(error.message, place, error.hint) from error
