"""An answer as CSV (RFC 4180), safe to open in a spreadsheet.

A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a
formula, and the text comes from a repository of a stranger: such a text gets a `'` in front (OWASP,
"CSV injection"). Numbers stay as they are. Quoting is the csv module's; line ends are line feeds.
"""

import csv
from typing import TextIO

from mu.model.relation import Answer, Cell
from mu.render.cells import cell_text
from mu.render.text import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(answer: Answer, out: TextIO) -> None:
    """Write the column names and the rows to `out`."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_safe(column) for column in answer.columns])
    writer.writerows([_field(cell) for cell in row] for row in answer.rows)


def _field(cell: Cell) -> str:
    text = cell_text(cell)
    return text if isinstance(cell, int | float) else _safe(text)


def _safe(text: str) -> str:
    guarded = f"'{text}" if text.startswith(_FORMULA) else text
    return printable(guarded, keep_lines=True)
