"""Write an answer for reading: a listing, a path or a table; short in a pipe, coloured on a screen.

In a pipe an answer has at most TEXT_BUDGET characters unless a number of rows was asked for. On a
terminal lines fit its width, and what is longer than the screen goes through a pager.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from mu.cli.arguments.options import TEXT_BUDGET
from mu.cli.terminal import width
from mu.model.relation import Answer
from mu.operations.answers.possible_references import possible_summary
from mu.operations.results import NodeRows, RouteRows, Rows
from mu.render.glossary import glossary, is_glossary
from mu.render.listing import fitting, is_listing, listing, open_references
from mu.render.parts import ListingLine, Part

if TYPE_CHECKING:
    from click.core import ParameterSource

Result = Rows | NodeRows | RouteRows

_STYLES: dict[Part, dict[str, str | bool]] = {
    Part.PATH: {"fg": "magenta"},
    Part.PLACE: {"fg": "magenta", "dim": True},
    Part.LINE: {"fg": "green"},
    Part.NAME: {"fg": "cyan"},
    Part.DETAIL: {"dim": True},
    Part.HEADING: {"bold": True},
}


def write_text(result: Result, *, possible: str = "") -> Result:
    """Write the rows to standard output, and give the result with what is still to be said.

    Rows that were not written are left out of it, and so is the note on references that are listed
    below the rows; the command `possible` lists those that are not.
    """
    is_terminal = sys.stdout.isatty()
    answer = result.answer
    is_select = isinstance(result, Rows) and result.is_select
    if not is_select and is_glossary(answer):
        return _shortened(result, _write_glossary(answer, is_terminal=is_terminal))
    if is_select or not is_listing(answer):
        return _shortened(result, _write_rows(answer, is_terminal=is_terminal))
    is_backward = None if isinstance(result, RouteRows) else result.is_backward
    columns = width() if is_terminal else None
    lines = list(listing(answer, is_backward=is_backward, width=columns))
    doubt = None if isinstance(result, RouteRows) else result.possible
    after = list(open_references(doubt, width=columns, more=possible)) if doubt is not None else []
    if doubt is not None and doubt.total:
        listed = possible_summary(doubt)
        notes = tuple(note for note in answer.notes if note != listed)
        result = replace(result, answer=replace(answer, notes=notes))
    if is_terminal:
        _write_screen([_coloured(line) for line in (*lines, *after)])
        return result
    room = TEXT_BUDGET - sum(len(line.plain()) + 1 for line in after)
    kept = list(lines if is_limit_given() else fitting(lines, room))
    sys.stdout.writelines(line.plain() + "\n" for line in (*kept, *after))
    return _shortened(result, sum(line.rows for line in kept))


def write_lines(lines: Sequence[ListingLine]) -> int:
    """Write lines as `write_text` does, and give the number of rows that were written."""
    if sys.stdout.isatty():
        _write_screen([_coloured(line) for line in lines])
        return sum(line.rows for line in lines)
    kept = list(lines if is_limit_given() else fitting(lines, TEXT_BUDGET))
    sys.stdout.writelines(line.plain() + "\n" for line in kept)
    return sum(line.rows for line in kept)


def _shortened(result: Result, written: int) -> Result:
    """Give the result with the rows that were written alone, and where to read on."""
    answer = result.answer
    if written == len(answer.rows):
        return result
    end = result.next_offset or answer.total
    kept = replace(answer, rows=answer.rows[:written], truncated=True)
    return replace(result, answer=kept, next_offset=end - len(answer.rows) + written)


def is_limit_given() -> bool:
    """Tell whether the user asked for a number of rows."""
    context = click.get_current_context(silent=True)
    source: ParameterSource | None = context.get_parameter_source("limit") if context else None
    return source is not None and source is not click.core.ParameterSource.DEFAULT


def _write_glossary(answer: Answer, *, is_terminal: bool) -> int:
    if is_terminal:
        _write_screen([_coloured(line) for line in glossary(answer, width=width())])
        return len(answer.rows)
    lines = list(glossary(answer))
    kept = lines if is_limit_given() else list(fitting(lines, TEXT_BUDGET))
    sys.stdout.writelines(line.plain() + "\n" for line in kept)
    return len(kept)


def _write_rows(answer: Answer, *, is_terminal: bool) -> int:
    if is_terminal:
        from mu.cli.display.terminal_table import print_table

        print_table(answer)
        return len(answer.rows)
    from mu.render.formats.table import table_lines

    room, count = TEXT_BUDGET, -1  # the first line has the names of the columns
    for line in table_lines(answer):
        room -= len(line) + 1
        if room < 0 and count > 0 and not is_limit_given():
            break
        sys.stdout.write(f"{line}\n")
        count += 1
    return max(count, 0)


def _write_screen(lines: Sequence[str]) -> None:
    if len(lines) >= _height():
        click.echo_via_pager(f"{line}\n" for line in lines)
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines)


def _height() -> int:
    """Give the lines of the terminal, and very many where it does not tell."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).lines or sys.maxsize
    except (OSError, ValueError):
        return sys.maxsize


def _coloured(line: ListingLine) -> str:
    if os.environ.get("NO_COLOR"):
        return line.plain()
    return "".join(
        click.style(text, **_STYLES[part]) if part in _STYLES else text  # type: ignore[arg-type] # click types each style by name
        for part, text in line.parts
    )
