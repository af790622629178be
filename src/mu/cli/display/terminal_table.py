"""A table on a terminal, by rich, which is imported for nothing else."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mu.model.relation import Answer
from mu.render.cells import cell_text
from mu.render.formats.table import numeric_columns
from mu.render.parts import columns_of
from mu.render.text import printable

_NARROWEST = 8
"""Characters that a column has at least where its cells are as long."""


def print_table(answer: Answer) -> None:
    """Print the rows as wide as the terminal; long cells go on in the next line, none is cut.

    Where there are too many columns for that, each row is a block with a line for each column.
    `NO_COLOR` and `COLUMNS` are honoured by rich. Cells are data and never markup.
    """
    if not answer.rows:
        return
    console = Console(highlight=False, emoji=False)
    names = [printable(column) for column in answer.columns]
    rows = [[printable(cell_text(cell)) for cell in row] for row in answer.rows]
    are_numbers = numeric_columns(answer)
    if _least_width(names, rows, are_numbers) > console.width:
        for row in rows:
            console.print(_block(names, row))
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, is_number in zip(names, are_numbers, strict=True):
        table.add_column(
            Text(name),
            justify="right" if is_number else "left",
            overflow="fold",
            no_wrap=is_number,
        )
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _least_width(names: list[str], rows: list[list[str]], are_numbers: list[bool]) -> int:
    """Give the width below which a column would be too narrow to read."""
    needed = 0
    for at, (name, is_number) in enumerate(zip(names, are_numbers, strict=True)):
        widest = max(columns_of(name), *(columns_of(row[at]) for row in rows))
        needed += 2 + (widest if is_number else min(widest, _NARROWEST))
    return needed


def _block(names: list[str], row: list[str]) -> Table:
    block = Table(box=None, show_header=False, pad_edge=False)
    block.add_column(style="bold", no_wrap=True)
    block.add_column(overflow="fold")
    for name, text in zip(names, row, strict=True):
        block.add_row(Text(name), Text(text))
    block.add_row("", "")
    return block
