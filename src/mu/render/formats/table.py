"""An answer as an aligned table of plain text: for pipes and files, so nothing is cut off."""

from collections.abc import Iterator

from mu.model.relation import Answer
from mu.render.cells import cell_text
from mu.render.parts import columns_of
from mu.render.text import printable

_GAP = "  "


def table_lines(answer: Answer) -> Iterator[str]:
    """Give the lines of the table, the column names first; none when there is no row.

    Numbers stand to the right. Every name and cell is one line: control characters show as escapes.
    """
    if not answer.rows:
        return
    rows = [[printable(cell_text(cell)) for cell in row] for row in answer.rows]
    lines = [[printable(column) for column in answer.columns], *rows]
    widths = [max(map(columns_of, column)) for column in zip(*lines, strict=True)]
    numeric = numeric_columns(answer)
    for line in lines:
        cells = [
            _padded(text, width, is_right=right)
            for text, width, right in zip(line, widths, numeric, strict=True)
        ]
        yield _GAP.join(cells).rstrip()


def _padded(text: str, width: int, *, is_right: bool) -> str:
    space = " " * (width - columns_of(text))
    return f"{space}{text}" if is_right else f"{text}{space}"


def numeric_columns(answer: Answer) -> list[bool]:
    """Find the columns of numbers alone, which are set to the right."""
    return [_is_numeric(answer, place) for place in range(len(answer.columns))]


def _is_numeric(answer: Answer, place: int) -> bool:
    cells = [row[place] for row in answer.rows if row[place] is not None]
    return bool(cells) and all(
        isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells
    )
