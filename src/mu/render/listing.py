"""Rows of nodes as lines to read: where, the source text there, and in which definition.

Rows that have the columns of a site (`site_path`, `site_line`, `code`) show it; others show
the definition. A line is a sequence of parts, each with the role it plays, so that a terminal can
colour them. Characters that do not show as themselves are escaped before anything is measured.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby, islice
from typing import NamedTuple

from mu.model.kinds import Resolution
from mu.model.relation import Answer, Cell
from mu.render.cells import cell_text
from mu.render.text import printable


class Part(StrEnum):
    """The role of a piece of a line."""

    PATH = "path"
    LINE = "line"
    TEXT = "text"
    NAME = "name"
    DETAIL = "detail"
    HEADING = "heading"


class ListingLine(NamedTuple):
    """A line as pieces of text with their roles; a heading is no row."""

    parts: tuple[tuple[Part, str], ...]
    is_row: bool = True

    @classmethod
    def of(cls, text: str, *, is_row: bool = True) -> "ListingLine":
        """Make a line of one piece."""
        return cls(((Part.TEXT, text),), is_row)

    def plain(self) -> str:
        """Join the pieces."""
        return "".join(text for _, text in self.parts)


Row = Mapping[str, Cell]

LONGEST_TEXT = 100
"""Characters of a source line that are shown where the width is not limited."""

MOST_OTHERS_SHOWN = 5
"""Lines of other sites that a row shows."""

MOST_OPEN_SHOWN = 3
"""Open references that are shown with an answer."""

_PAST = {
    "calls": "called", "imports": "imported", "uses": "used", "inherits": "inherited",
    "tests": "tested", "links": "linked", "mentions": "mentioned",
}  # fmt: skip
_OWN = frozenset({
    "id", "name", "kind", "qualified_name", "path", "line", "score", "module", "from_id", "via",
    "distance",
})  # fmt: skip
_SORTS = {
    Resolution.REGISTRATION.value: "by registration",
    Resolution.DISPATCH.value: "by override or callback",
}
"""The mark behind a row, by its resolution, where rows of several are mixed."""

_SHORTEST_TEXT = 24


def is_listing(answer: Answer) -> bool:
    """Tell whether the rows are nodes with a place, which a listing can show."""
    columns = set(answer.columns)
    is_steps = "step" in columns and not columns & {"code", "cycle_id"}
    is_nodes = {"id", "path", "line"} <= columns and not is_steps
    return is_nodes or {"source", "path", "line", "code"} <= columns


def listing(
    answer: Answer, *, is_backward: bool | None = None, width: int | None = None
) -> Iterator[ListingLine]:
    """Give the lines of an answer whose rows are nodes.

    `is_backward` says that rows depend on their `from_id`. With a `width` no line is longer: rows
    stand below the path of their file, and texts lose their end. Without it every row has its path,
    and only long texts are cut.
    """
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    write = _writer(answer, is_backward=is_backward)
    headings = _headings(rows)
    is_grouped = _is_contiguous(headings)
    if rows and write is _hop:
        names = [display_name(str(row["id"])) for row in rows]
        rows = [{**row, "to": to} for row, to in zip(rows, [*names[1:], None], strict=True)]
    group, path = "", ""
    for row, heading in zip(rows, headings, strict=True):
        if is_grouped and heading != group:
            group, path = heading, ""
            yield _heading(heading, Part.HEADING)
        parts = _printable(write(row))
        if not is_grouped and (sort := _SORTS.get(str(row["resolution"]))):
            parts.append((Part.DETAIL, f"  [{sort}]"))
        if width is None:
            yield ListingLine(tuple(_cut(parts, Part.TEXT, LONGEST_TEXT)))
            continue
        own = next((text for part, text in parts if part is Part.PATH), "")
        if own and own != path:
            yield _heading(own if len(own) <= width else _without_start(own, width), Part.PATH)
        path = own
        yield _fitted([part for part in parts if part[0] is not Part.PATH], width, is_below=own)


def fitting(lines: Iterable[ListingLine], room: int) -> Iterator[ListingLine]:
    """Give the first lines that fit in `room` characters, each with a line feed.

    At least one row, however long, and no heading without a row below it.
    """
    headings: list[ListingLine] = []
    is_first = True
    for line in lines:
        if not line.is_row:
            headings.append(line)
            continue
        room -= sum(len(each.plain()) + 1 for each in (*headings, line))
        if room < 0 and not is_first:
            return
        yield from headings
        yield line
        headings, is_first = [], False


def display_name(node: str) -> str:
    """Give the name to show for a node id: the qualified name inside its file, or the path."""
    kind, _, place = node.partition(":")
    if kind == "sec":
        return f"#{place.partition('#')[2]}"
    return place if kind in {"mod", "doc", "ext", "pkg"} else place.rpartition(":")[2]


def _heading(text: str, part: Part) -> ListingLine:
    return ListingLine(((part, text),), is_row=False)


def _writer(
    answer: Answer, *, is_backward: bool | None
) -> Callable[[Row], Iterator[tuple[Part, str]]]:
    """Choose what the line of a row is made of, by the columns."""
    columns = set(answer.columns)
    if "is_possible" in columns:
        return _reference
    if "cycle_id" in columns:
        return _cycle_step
    if "step" in columns:
        return _hop
    if "overridden_id" in columns:
        return _override
    if "code" not in columns:
        return _definition
    return _user if is_backward else _used


def _headings(rows: Sequence[Row]) -> Sequence[str]:
    """Give the heading that each row stands below; empty ones where all rows are of the surest."""
    if rows and "cycle_id" in rows[0]:
        return [f"cycle {row['cycle_id']} (component of {row['size']}):" for row in rows]
    if all(row.get("resolution") in {None, Resolution.DIRECT} or "step" in row for row in rows):
        return ["possible (not resolved):" if row.get("is_possible") else "" for row in rows]
    most = max(int(str(row["alternatives"])) for row in rows)
    headings = {
        Resolution.DIRECT: "direct:",
        Resolution.REGISTRATION: "by registration:",
        Resolution.DISPATCH: f"by override or callback (a site may mean up to {most} definitions):",
    }
    return [
        headings[Resolution(str(row["resolution"]))] if row.get("distance") == 1 else "transitive:"
        for row in rows
    ]


def _is_contiguous(headings: Sequence[str]) -> bool:
    """Tell whether the rows of each group are together, so that a heading stands once."""
    groups = [heading for heading, _ in groupby(headings)]
    return len(groups) == len(set(groups))


def _reference(row: Row) -> Iterator[tuple[Part, str]]:
    """A reference: its place, the source text there, and the definition it stands in."""
    yield from _place(row["path"], row["line"])
    yield Part.TEXT, f"  {row['code']}"
    source = str(row["source"])
    name = display_name(source)
    yield Part.NAME, "  at module level" if source.startswith("mod:") else f"  in {name}"
    if row["kind"] != "call":
        yield Part.DETAIL, f"  ({row['kind']})"


def _hop(row: Row) -> Iterator[tuple[Part, str]]:
    """A hop of a path: its site, and from which definition to which; the last row is the goal."""
    yield from _place(row["path"], row["line"])
    name = display_name(str(row["id"]))
    if row["to"] is None:
        yield Part.NAME, f"  {name}"
        return
    if row["code"]:
        yield Part.TEXT, f"  {row['code']}"
    yield Part.NAME, f"  {name} -> {row['to']}"
    told = [] if row["via"] == "calls" else [str(row["via"])]
    if row["resolution"] != Resolution.DIRECT:
        told.append(f"{row['resolution']}, one of {row['alternatives']}")
    if told:
        yield Part.DETAIL, f"  ({', '.join(told)})"


def _cycle_step(row: Row) -> Iterator[tuple[Part, str]]:
    """A step of a cycle: where a node depends on that of the next row."""
    yield from _place(row["path"], row["line"])
    name = display_name(str(row["id"]))
    if name != row["path"]:
        yield Part.NAME, f"  {name}"
    if row["role"]:
        yield Part.DETAIL, f"  ({row['role']})"


def _override(row: Row) -> Iterator[tuple[Part, str]]:
    """A member, and the member that it overrides."""
    yield from _place(row["path"], row["line"])
    yield Part.NAME, f"  {display_name(str(row['id']))}"
    yield Part.DETAIL, f"  overrides {display_name(str(row['overridden_id']))}"
    if row["overridden_path"]:
        yield Part.DETAIL, f"  {row['overridden_path']}:{row['overridden_line']}"


def _user(row: Row) -> Iterator[tuple[Part, str]]:
    """A node that depends on another: the site, and the definition that the site stands in."""
    yield from _place(row["site_path"] or row["path"], row["site_line"] or row["line"])
    if row["code"]:
        yield Part.TEXT, f"  {row['code']}"
    name, kind = display_name(str(row["id"])), row["kind"]
    if kind == "module" and row["via"] != "imports":
        yield Part.NAME, "  at module level"
    elif kind != "module":
        yield Part.NAME, f"  in {name}"
    yield from _details(row, *([] if row["via"] == "calls" else [str(row["via"])]))


def _used(row: Row) -> Iterator[tuple[Part, str]]:
    """A node that another depends on: its definition, and where it is used."""
    yield from _place(row["path"], row["line"])
    name = display_name(str(row["id"]))
    if not row["path"]:
        yield Part.NAME, f"{name} (external)"
    elif row["kind"] != "module":
        yield Part.NAME, f"  {name}"
    if row["site_line"]:
        how = _PAST.get(str(row["via"]), str(row["via"]))
        yield Part.NAME, f"  {how} at "
        yield Part.NAME, f"{row['site_line']}"
        yield Part.TEXT, f": {row['code']}"
        yield from _details(row)
    else:
        yield from _details(row, str(row["via"]))


def _details(row: Row, *words: str) -> Iterator[tuple[Part, str]]:
    told = [*words, *_others(row)]
    if (distance := int(str(row["distance"]))) > 1:
        told.append(f"distance {distance}, through {display_name(str(row['from_id']))}")
    if told:
        yield Part.DETAIL, f"  ({', '.join(told)})"


def _others(row: Row) -> Iterator[str]:
    """Say at which lines the other sites of an edge are, or how many there are."""
    more, lines = int(str(row["sites"])) - 1, row.get("other_lines")
    if more <= 0:
        return
    shown = lines[:MOST_OTHERS_SHOWN] if isinstance(lines, Sequence) else ()
    if not shown:
        yield f"+{more} more"
        return
    left = more - len(shown)
    listed = ", ".join(map(str, shown))
    yield f"also {listed} and {left} more" if left > 0 else f"also {listed}"


def _definition(row: Row) -> Iterator[tuple[Part, str]]:
    """A node alone, with what the other columns say of it."""
    yield from _place(row["path"], row["line"])
    name, kind = display_name(str(row["id"])), str(row.get("kind") or "")
    if not row["path"]:
        yield Part.NAME, f"{name} (external)"
    elif kind not in {"module", "document"}:
        yield Part.NAME, f"  {kind} {name}" if kind else f"  {name}"
    told = [_named(column, cell) for column, cell in row.items() if column not in _OWN]
    if row.get("via") not in {None, "contains"}:
        told.insert(0, str(row["via"]))
    if told := [text for text in told if text]:
        yield Part.DETAIL, f"  {', '.join(told)}"


def _named(column: str, cell: Cell) -> str:
    if isinstance(cell, bool):
        return column.removeprefix("is_") if cell else ""
    if isinstance(cell, int | float):
        return f"{column} {cell_text(cell)}"
    return " ".join(cell_text(cell).split())


def _place(path: Cell, line: Cell) -> Iterator[tuple[Part, str]]:
    if path:
        yield Part.PATH, str(path)
        if line:
            yield Part.LINE, f":{line}"


def _printable(parts: Iterable[tuple[Part, str]]) -> list[tuple[Part, str]]:
    return [(part, printable(text)) for part, text in parts]


def _fitted(parts: Sequence[tuple[Part, str]], width: int, *, is_below: str) -> ListingLine:
    """Indent a row below its file, and shorten it to the width."""
    pieces = [(part, text.replace(":", "  ", 1) if part is Part.LINE and text[:1] == ":" else text)
              for part, text in parts]  # fmt: skip
    if not is_below:
        pieces = [(Part.NAME, "  "), *pieces]
    return ListingLine(tuple(_shortened(pieces, width)))


def _shortened(pieces: Sequence[tuple[Part, str]], width: int) -> list[tuple[Part, str]]:
    """Cut texts until the line fits: the source text first, and in the end whatever is last."""
    for part, least in ((Part.TEXT, _SHORTEST_TEXT), (Part.DETAIL, 12), (Part.NAME, 12)):
        over = sum(len(text) for _, text in pieces) - width
        if over <= 0:
            return list(pieces)
        longest = max((len(text) for role, text in pieces if role is part), default=0)
        pieces = _cut(pieces, part, max(longest - over, least))
    kept: list[tuple[Part, str]] = []
    for role, text in pieces:
        room = width - sum(len(each) for _, each in kept)
        if room > 0:
            kept.append((role, _without_end(text, room)))
    return kept


def _cut(pieces: Sequence[tuple[Part, str]], part: Part, room: int) -> list[tuple[Part, str]]:
    return [(role, _without_end(text, room) if role is part else text) for role, text in pieces]


def _without_end(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"


def _without_start(path: str, room: int) -> str:
    return f"…{path[1 - room :]}"


def open_references(possible: Answer, *, width: int | None = None) -> Iterator[ListingLine]:
    """Give the first references that are not resolved and could add to an answer, and the count.

    With a `width` no line is longer.
    """
    rows = [dict(zip(possible.columns, row, strict=True)) for row in possible.rows]
    if not rows:
        return
    total = possible.total
    alike = groupby(rows, key=lambda row: (row["source"], row["path"], row["line"], row["text"]))
    shown = [list(group) for _, group in islice(alike, MOST_OPEN_SHOWN)]
    count = "1 reference" if total == 1 else f"{total} references"
    yield ListingLine(((Part.HEADING, f"possible ({count} not resolved):"),), is_row=False)
    for group in shown:
        parts = _printable(_open_reference(group[0]))
        fitted = _shortened(parts, width) if width else _cut(parts, Part.TEXT, LONGEST_TEXT)
        yield ListingLine(tuple(fitted), is_row=False)
    if left := total - sum(map(len, shown)):
        yield ListingLine(((Part.DETAIL, f"and {left} more"),), is_row=False)


def _open_reference(row: Row) -> Iterator[tuple[Part, str]]:
    yield from _place(row["path"], row["line"])
    yield Part.TEXT, f"  {row['text']}"
    yield Part.NAME, f"  in {display_name(str(row['source']))}"
    yield Part.DETAIL, f"  ({row['reason']})"
