"""A compiled query, and what its rows rest on: how far they are to be relied on follows from it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mu.model.relation import Relation

if TYPE_CHECKING:
    from mu.analysis.walks.breadth_first import WalkResult
    from mu.muql.repository_history import State


@dataclass(frozen=True, slots=True)
class Grounds:
    """What an answer follows from.

    References that are not resolved could add to what was `walked`. What was `sought` and not found
    could be there by one of them. `doubts` report other rows that may be missing, `notes` of what
    was left out on purpose.
    """

    walked: "tuple[WalkResult, ...]" = ()
    sought: "tuple[WalkResult, ...]" = ()
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __add__(self, other: "Grounds") -> "Grounds":
        """Give the grounds of what follows from both, each walk once."""
        walked = {each.table.name: each for each in (*self.walked, *other.walked)}
        sought = {each.table.name: each for each in (*self.sought, *other.sought)}
        doubts = dict.fromkeys((*self.doubts, *other.doubts))
        notes = dict.fromkeys((*self.notes, *other.notes))
        return Grounds(tuple(walked.values()), tuple(sought.values()), tuple(doubts), tuple(notes))


@dataclass(frozen=True, slots=True)
class Query:
    """A compiled query, and what its rows rest on; `is_select` says that it named its columns.

    It is to be run on the graph of `state`, if there is one.
    """

    relation: Relation
    grounds: Grounds = Grounds()
    is_select: bool = False
    state: "State | None" = None

    def at(self, state: "State") -> "Query":
        """Give this query as one for the graph of a revision, which it was compiled for."""
        dated = Grounds(notes=(f"as of {state.name}",), doubts=tuple(state.lacks))
        return replace(self, grounds=dated + self.grounds, state=state)
