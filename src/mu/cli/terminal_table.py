"""A table on a terminal, by rich, which is imported for nothing else."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mu.model.relation import Answer
from mu.render.cells import cell_text
from mu.render.table import numeric_columns
from mu.render.text import printable


def print_table(answer: Answer) -> None:
    """Print the rows as wide as the terminal; long cells go on in the next line, none is cut.

    `NO_COLOR` and `COLUMNS` are honoured by rich. Cells are data and never markup.
    """
    if not answer.rows:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, is_number in zip(answer.columns, numeric_columns(answer), strict=True):
        table.add_column(
            Text(printable(column)),
            justify="right" if is_number else "left",
            overflow="fold",
            no_wrap=is_number,
        )
    for row in answer.rows:
        table.add_row(*(Text(printable(cell_text(cell))) for cell in row))
    Console(highlight=False, emoji=False).print(table)
