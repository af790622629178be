"""Rows as `path:line:column: text`, the form that editors and `grep -n` readers jump by."""

from collections.abc import Iterator

from mu.errors import ExitCode, MuError
from mu.model.relation import Answer
from mu.render.listing_rows import display_name
from mu.render.text import printable


def vimgrep_lines(answer: Answer) -> Iterator[str]:
    """Give a line for each row that has a place: of its site, else of its definition.

    Columns count from 1. Raises MuError (usage) for rows without places.
    """
    columns = set(answer.columns)
    if not {"path", "line"} <= columns:
        raise MuError(
            "these rows have no places",
            "rows with `path` and `line` do: those of callers, references, search",
            ExitCode.USAGE,
        )
    for cells in answer.rows:
        row = dict(zip(answer.columns, cells, strict=True))
        path, line = row.get("site_path") or row["path"], row.get("site_line") or row["line"]
        if path:
            text = str(row.get("code") or row.get("text") or display_name(str(row.get("id", ""))))
            column = row.get("site_column") or 1
            yield printable(f"{path}:{line or 1}:{column}: {text}")
