"""Any frozen result as sections of tables, written as plain text or as HTML.

A result's plain fields are one table of two columns, an answer is a table, and so is each tuple of
values of one class. Texts come from a repository: each is escaped, and its hidden characters show.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from html import escape
from itertools import islice
from typing import NamedTuple

from mu.model.relation import Answer, Cell
from mu.render.cells import cell_text
from mu.render.formats.table import numeric_columns, table_lines
from mu.render.listing import is_listing, listing
from mu.render.redaction import redact
from mu.render.text import printable

MOST_ROWS = 50
"""Rows of a table that are shown; the rest are counted."""

_HINTS = ("is_backward", "is_select")
"""Fields that say how to show the others."""

_SOURCES = ("text", "source", "code")
"""Fields that hold lines of text, which are shown as lines."""

_PAIR = ("field", "value")
_SIDES = ("left", "right")


class Section(NamedTuple):
    """A part of a result below a title: a table of all its rows, or lines of text.

    `is_answer` says that the table has a verdict; `is_backward` is that of the result.
    """

    title: str
    content: Answer | str
    is_answer: bool = False
    is_backward: bool | None = None


def text_of(result: object) -> str:
    """Write a result as plain text."""
    parts = []
    for section in _sections(result):
        body = "\n".join(_lines(section))
        parts.append(f"{section.title}:\n{body}" if section.title else body)
    return redact("\n\n".join(parts))


def html_of(result: object) -> str:
    """Write a result as HTML, everything in it escaped."""
    parts = []
    for section in _sections(result):
        content = section.content
        heading = f"<p><b>{_html(section.title)}</b></p>" if section.title else ""
        if isinstance(content, str):
            body = f"<pre>{escape(redact(printable(content, keep_lines=True)))}</pre>"
        else:
            foot = "".join(f"<p>{_html(line)}</p>" for line in _foot(section, content))
            body = _table(_cut(content)) + foot
        parts.append(heading + body)
    return f"<div>{''.join(parts)}</div>"


def _lines(section: Section) -> Iterator[str]:
    content = section.content
    if isinstance(content, str):
        yield printable(content, keep_lines=True)
        return
    if section.is_answer and is_listing(content):
        rows = _cut(content)
        yield from (line.plain() for line in listing(rows, is_backward=section.is_backward))
    else:
        first = int(content.columns == _PAIR)
        yield from islice(table_lines(_cut(content)), first, None)
    yield from _foot(section, content)


def _sections(result: object, title: str = "") -> Iterator[Section]:
    """Split a result into its plain fields, its texts and its tables."""
    if isinstance(result, Answer):
        yield Section(title, result, is_answer=True)
        return
    plain: list[tuple[Cell, ...]] = []
    parts: list[Section] = []
    is_backward = getattr(result, "is_backward", None)
    for name, value in _members(result):
        if name in _HINTS or value is None or value in ((), ""):
            continue
        if isinstance(value, str) and (name in _SOURCES or "\n" in value):
            parts.append(Section(name, value))
        elif isinstance(value, Answer):
            if name == "answer" or value.total:
                shown = "" if name == "answer" else name
                parts.append(Section(shown, value, is_answer=True, is_backward=is_backward))
        elif isinstance(value, tuple) and is_dataclass(value[0]):
            parts.append(Section(name, _rows_of(value)))
        elif is_dataclass(value) and _identity(value) is None:
            parts += _sections(value, name)
        else:
            plain.append((name, _cell(value)))
    if plain:
        yield Section(title, Answer(_PAIR, tuple(plain), len(plain)))
    yield from parts


def _members(result: object) -> list[tuple[str, object]]:
    if not is_dataclass(result):
        return [("value", result)]
    return [(field.name, getattr(result, field.name)) for field in fields(result)]


def _rows_of(values: Sequence[object]) -> Answer:
    """Make a table of values of one class, columns without any value left out."""
    rows = [dict(_members(value)) for value in values]
    names = [name for name in rows[0] if any(row.get(name) not in (None, (), "") for row in rows)]
    cells = tuple(tuple(_cell(row.get(name)) for name in names) for row in rows)
    return Answer(tuple(names), cells, len(cells))


def _cell(value: object) -> Cell:
    """Write a value in a cell; one that has an id is shown by it."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_cell(each)}" for name, each in value.items())
    if isinstance(value, (tuple, list, frozenset)):
        return ", ".join(str(_cell(each)) for each in value)
    identity = _identity(value)
    if identity is not None:
        return identity
    if is_dataclass(value):
        shown = [f"{name}={_cell(each)}" for name, each in _members(value) if each is not None]
        return " ".join(shown)
    return str(value)


def _identity(value: object) -> str | None:
    identity = getattr(value, "id", None)
    return identity if isinstance(identity, str) else None


def _cut(answer: Answer) -> Answer:
    return replace(answer, rows=answer.rows[:MOST_ROWS])


def _foot(section: Section, answer: Answer) -> Iterator[str]:
    """Say how many rows there are, how far they are to be relied on, and what is noted of them."""
    shown = min(len(answer.rows), MOST_ROWS)
    noun = "row" if answer.total == 1 else "rows"
    count = f"{shown} of {answer.total} {noun}" if shown < answer.total else f"{shown} {noun}"
    if section.is_answer:
        yield f"({count}, {answer.verdict})"
    elif shown < answer.total:
        yield f"({count})"
    for note in answer.notes:
        yield f"note: {printable(note)}"


def _table(answer: Answer) -> str:
    if not answer.rows:
        return "<p>no rows</p>"
    head = "".join(f"<th>{_html(column)}</th>" for column in answer.columns)
    right = numeric_columns(answer)
    rows = []
    for row in answer.rows:
        cells = [
            f'<td style="text-align: {_SIDES[is_right]}">{_html(cell_text(cell))}</td>'
            for cell, is_right in zip(row, right, strict=True)
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _html(text: str) -> str:
    return escape(redact(printable(text)))
