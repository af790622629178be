"""Answers as short text for assistants: places with the source there, verdict, and the next call.

The number of characters is bounded; what was left out is counted, and `next_offset` reads on.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from mu.model.kinds import Verdict
from mu.operations.answers.possible_references import possible_summary
from mu.operations.results import NodeRows, RouteRows, Rows
from mu.render.formats.table import table_lines
from mu.render.listing import fitting, is_listing, listing, open_references
from mu.render.parts import ListingLine, Part
from mu.render.redaction import redact
from mu.render.text import printable

DEFAULT_BUDGET = 2_000
"""Characters of an answer unless more is asked for."""

ROWS_A_PAGE = 200
"""Rows to ask an operation for, of which as many are shown as fit."""

_LONGEST_NOTE = 240


@dataclass(frozen=True, slots=True)
class AnswerText:
    """A text with what it says of the rows: how many there are and are shown, and the verdict."""

    text: str
    total: int
    shown: int
    verdict: Verdict
    next_offset: int | None


def answer_text(
    result: Rows | NodeRows | RouteRows, *, budget: int = DEFAULT_BUDGET, offset: int = 0
) -> AnswerText:
    """Write an answer: the node, its rows, references that could add to them, and the verdict."""
    answer = result.answer
    after = [line.plain() for line in _possible(result)]
    about = [*_about(result)]
    notes = [f"note: {note[:_LONGEST_NOTE]}" for note in _notes(result)]
    room = budget - sum(len(line) + 1 for line in (*about, *after, *notes)) - 80
    kept = list(fitting(_rows(result), max(room, budget // 4)))
    shown = sum(line.rows for line in kept)
    end = offset + shown
    following = end if shown and end < answer.total else None
    count = f"{shown} of {answer.total} rows" if following or offset else result.count
    more = f"; more: offset={following}" if following else ""
    foot = f"({count}, {answer.verdict}{more})"
    lines = [*about, *(line.plain() for line in kept), *after, *notes, foot]
    text = redact("\n".join(map(printable, lines)))
    return AnswerText(text, answer.total, shown, answer.verdict, following)


def _about(result: Rows | NodeRows | RouteRows) -> Iterator[str]:
    match result:
        case NodeRows(node=node):
            yield f"of {node.id}" + (f"  {node.path}:{node.line}" if node.line else "")
        case RouteRows(start=start, goal=goal):
            yield f"from {start.id} to {goal.id}"


def _rows(result: Rows | NodeRows | RouteRows) -> Iterator[ListingLine]:
    answer = result.answer
    if is_listing(answer):
        is_backward = None if isinstance(result, RouteRows) else result.is_backward
        yield from listing(answer, is_backward=is_backward)
        return
    for place, line in enumerate(table_lines(answer)):
        yield ListingLine(((Part.TEXT, line),), rows=int(place > 0))


def _possible(result: Rows | NodeRows | RouteRows) -> Iterator[ListingLine]:
    if not isinstance(result, RouteRows) and result.possible is not None:
        yield from open_references(result.possible)


def _notes(result: Rows | NodeRows | RouteRows) -> tuple[str, ...]:
    notes = result.answer.notes
    if isinstance(result, RouteRows) or result.possible is None:
        return notes
    shown = possible_summary(result.possible)
    return tuple(note for note in notes if note != shown)
