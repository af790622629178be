"""Queries of the solver: their order, and their pending answers."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from mu.resolve.pending import Pending
from mu.resolve.program.file_symbols import FileSymbols

if TYPE_CHECKING:
    from mu.resolve.solver.flow import Flow


def rank_of(key: Hashable) -> tuple[tuple[int, str], ...]:
    """Return a sort key of a query, by its own key: the files and definitions that it is about.

    Files and definitions of the repository are numbered in the order of paths, so it orders queries
    alike in each process that links a program, and before and after an edit.
    """
    parts = key if isinstance(key, tuple) else (key,)
    return tuple([(part, "") if isinstance(part, int) else (-1, repr(part)) for part in parts])


class PendingAnswer(Pending):
    """The pending answer to a query: `ask(*about)` asks it."""

    __slots__ = ("about", "ask")

    def __init__(  # type: ignore[explicit-any]  # `ask` takes `about`
        self, ask: Callable[..., object], about: tuple[object, ...]
    ) -> None:
        super().__init__()
        self.ask = ask
        self.about = about

    def find_again(self) -> None:
        """Ask the query again."""
        self.ask(*self.about)

    def forget(self) -> None:
        """Drop the references to the query as well."""
        super().forget()
        self.about = ()


class PendingValues(Pending):
    """The pending points-to set of an expression.

    Most pending answers are of this kind; a tuple of arguments, as in `PendingAnswer`, would double
    their size.
    """

    __slots__ = ("flow", "number", "unit")

    def __init__(self, flow: "Flow", unit: FileSymbols, number: int) -> None:
        super().__init__()
        self.flow = flow
        self.unit = unit
        self.number = number

    def find_again(self) -> None:
        """Evaluate the expression."""
        self.flow.values(self.unit, self.number)
