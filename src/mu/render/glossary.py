"""Rows that explain a name each, as `DESCRIBE` has them: the name, its sort, and what it means.

Without a width only the first sentence stands, on the line of its name; on a terminal the whole
text follows below it.
"""

import re
import textwrap
from collections.abc import Iterator

from mu.model.relation import Answer
from mu.render.cells import cell_text
from mu.render.parts import ListingLine, Part, without_end
from mu.render.text import printable

_TEXTS = ("meaning", "description")
_SENTENCE = re.compile(r"(?<=[^.].)[.:;](?=\s)")
_LONGEST = 120


def is_glossary(answer: Answer) -> bool:
    """Tell whether the first column of an answer is a name that another column explains."""
    return any(text in answer.columns[1:] for text in _TEXTS)


def glossary(answer: Answer, *, width: int | None = None) -> Iterator[ListingLine]:
    """Give the lines of an answer whose rows explain a name each."""
    place = next(answer.columns.index(name) for name in _TEXTS if name in answer.columns)
    for row in answer.rows:
        cells = [printable(" ".join(cell_text(cell).split())) for cell in row]
        meaning = cells.pop(place)
        name, *others = cells
        parts = [(Part.NAME, name)]
        if sort := ", ".join(filter(None, others)):
            parts.append((Part.DETAIL, f"  {sort}"))
        if width is None:
            first = without_end(_SENTENCE.split(meaning, maxsplit=1)[0], _LONGEST)
            yield ListingLine((*parts, (Part.TEXT, f"  {first}")) if first else tuple(parts))
            continue
        yield ListingLine(tuple(parts))
        for line in textwrap.wrap(
            meaning, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
        ):
            yield ListingLine(((Part.TEXT, line),), rows=0)
