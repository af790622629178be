"""Results of operations: rows, their verdict, and how to get the rest.

Every result is bounded. `answer.total` counts the rows there are; when some were left out,
`next_offset` is what to pass as `offset` for the next ones, and None when there are no more.
"""

from dataclasses import dataclass, replace

from mu.errors import ExitCode, MuError
from mu.model.found import FoundNode
from mu.model.kinds import Verdict
from mu.model.relation import Answer, Cell
from mu.render.shown import Shown

DEFAULT_LIMIT = 1_000
MAX_LIMIT = 1_000_000


class Records(Shown):
    """Base of results that are rows: a mapping for each, and readable text in a shell too."""

    __slots__ = ()
    answer: Answer

    def __repr__(self) -> str:
        return str(self)

    def records(self) -> list[dict[str, Cell]]:
        """Give the rows as mappings from columns to values, as `pandas.DataFrame` takes them."""
        answer = self.answer
        return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]

    @property
    def count(self) -> str:
        """How many rows there are, and how many of them these are, in words."""
        rows, total = len(self.answer.rows), self.answer.total
        if rows < total:
            return f"{rows} of {total} rows"
        return "1 row" if total == 1 else f"{total} rows"


@dataclass(frozen=True, slots=True, repr=False)
class Rows(Records):
    """The rows of a question that is about no node in particular.

    `possible` are the references that could add to them, None where that was not asked.
    `is_backward` says that rows depend on the `from_id` they were reached from, and not it on them;
    None where rows have none, or that is not known. `is_select` says that a SELECT named the
    columns, so that all of them are shown.
    """

    answer: Answer
    next_offset: int | None = None
    possible: Answer | None = None
    is_backward: bool | None = None
    is_select: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class NodeRows(Records):
    """The rows of a question about `node`, and the references that could add to them.

    `possible` is None where that was not asked. Each row depends on the `from_id` it was reached
    from if `is_backward`, else that depends on it; None where rows have no `from_id`.
    """

    node: FoundNode
    answer: Answer
    possible: Answer | None = None
    next_offset: int | None = None
    is_backward: bool | None = False


@dataclass(frozen=True, slots=True, repr=False)
class RouteRows(Records):
    """A path from `start` to `goal`, a row for each node on it; no row when there is none."""

    start: FoundNode
    goal: FoundNode
    answer: Answer
    next_offset: int | None = None

    @property
    def count(self) -> str:
        """How many hops the path has."""
        if not self.answer.rows:
            return "no path"
        hops = len(self.answer.rows) - 1
        return "1 hop" if hops == 1 else f"{hops} hops"


def check_page(limit: int, offset: int) -> None:
    """Raise MuError (usage) for a limit that is not from 1 to a million, or a negative offset."""
    if not 1 <= limit <= MAX_LIMIT:
        raise MuError(
            f"limit {limit} is out of range", f"give one from 1 to {MAX_LIMIT}", ExitCode.USAGE
        )
    if offset < 0:
        raise MuError(f"offset {offset} is negative", "give 0 or more", ExitCode.USAGE)


def next_offset(answer: Answer, offset: int) -> int | None:
    """Say where the rows after those of `answer` begin, None when there are none."""
    end = offset + len(answer.rows)
    return end if answer.rows and end < answer.total else None


def with_notes(answer: Answer, *notes: str, verdict: Verdict | None = None) -> Answer:
    """Give the answer with more notes, empty ones left out, and another verdict if one is given."""
    kept = tuple(note for note in notes if note)
    return replace(answer, notes=answer.notes + kept, verdict=verdict or answer.verdict)
