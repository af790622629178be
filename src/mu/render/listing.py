"""Rows of nodes as lines to read: where, the source text there, and in which definition.

Rows that have the columns of a site (`site_path`, `site_line`, `code`) show it; others show
the definition. A line is a sequence of parts, each with the role it plays, so that a terminal can
colour them. Characters that do not show as themselves are escaped before anything is measured.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice

from mu.model.kinds import EdgeKind, Resolution
from mu.model.relation import Answer, Cell
from mu.render.listing_rows import (
    Row,
    cycle_step,
    definition,
    display_name,
    hop,
    is_far,
    is_own_definition,
    open_reference,
    override,
    reference,
    used,
    user,
)
from mu.render.parts import (
    ListingLine,
    Part,
    Piece,
    cut,
    shortened,
)
from mu.render.text import printable

LONGEST_TEXT = 100
"""Columns of a source line that are shown where the width is not limited."""

LEAST_WITH_TEXT = 100
"""Columns from which on rows of a farther distance show their source text beside both names."""

OUTSIDE = "outside the repository"
"""The heading of rows without a path, below those of files."""

MOST_OPEN_SHOWN = 3
"""Open references that are shown with an answer."""

_SORTS = {
    Resolution.REGISTRATION.value: "by registration",
    Resolution.DISPATCH.value: "by override or callback",
}
"""The mark behind a row, by its resolution, where rows of several are mixed."""


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

    `is_backward` says that rows depend on their `from_id`. With a `width` no row is longer, and
    rows stand below the path of their file, those of a file in the order of its lines. Without it
    every row has its path, and only long texts are cut. Rows of one site share a line.
    """
    rows: list[Row] = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    write = _writer(answer, is_backward=is_backward)
    if write is hop:
        names = [display_name(str(row["id"])) for row in rows]
        rows = [{**row, "to": to} for row, to in zip(rows, [*names[1:], None], strict=True)]
    elif write is used:
        rows = _texts_once(rows)
    elif write is override and _are_alike(rows, "overridden_id"):
        rows = [{**row, "is_of_one": True} for row in rows]
        yield ListingLine(_overridden(rows[0], width), rows=0)
    if rows and rows[0].get("via") == EdgeKind.INHERITS and _are_alike(rows, "via"):
        rows = [{**row, "is_of_bases": True} for row in rows]
    if width and width < LEAST_WITH_TEXT and "score" in answer.columns:  # names say more than why
        rows = [{name: cell for name, cell in row.items() if name != "why"} for row in rows]
    headings = _headings(rows)
    is_grouped = _is_contiguous(headings)
    by_file = width is not None and not _is_apart(write, rows)
    groups = _sites(rows, headings, is_sorted=by_file) if write is user else _each(rows, headings)
    above, path = "", ""
    for heading, group in groups:
        if is_grouped and heading != above:
            above, path = heading, ""
            yield _heading(heading, Part.HEADING)
        first = group[0]
        parts = _printable(_with_names(write(first), group[1:]))
        if not is_grouped and (mark := _mark(first)):
            parts.append((Part.DETAIL, f"  [{mark}]"))
        own = next((text for part, text in parts if part is Part.PATH), OUTSIDE)
        if by_file and width and own != path and (own != OUTSIDE or path):
            yield _heading(own, Part.PATH)
        path = own
        yield ListingLine(tuple(_fitted(parts, first, width, by_file=by_file)), len(group))


def _are_alike(rows: Sequence[Row], column: str) -> bool:
    """Tell whether several rows have the same in a column, so that it need not be repeated."""
    return len(rows) > 1 and len({row[column] for row in rows}) == 1


def _overridden(row: Row, width: int | None) -> tuple[Piece, ...]:
    """Write the heading of members that override one and the same."""
    pieces = [
        (Part.HEADING, "overriding "),
        (Part.NAME, display_name(str(row["overridden_id"]))),
        (Part.PLACE, f"  {row['overridden_path']}:{row['overridden_line']}"),
    ]
    if not row["overridden_path"]:
        pieces[-1] = (Part.DETAIL, "  (external)")
    parts = [*_printable(pieces), (Part.HEADING, ":")]
    return tuple(shortened(parts, width) if width else parts)


def fitting(lines: Iterable[ListingLine], room: int) -> Iterator[ListingLine]:
    """Give the first lines that fit in `room` characters, each with a line feed.

    At least one row, however long, and no heading without a row below it.
    """
    headings: list[ListingLine] = []
    is_first = True
    for line in lines:
        if not line.rows:
            headings.append(line)
            continue
        room -= sum(len(each.plain()) + 1 for each in (*headings, line))
        if room < 0 and not is_first:
            return
        yield from headings
        yield line
        headings, is_first = [], False


def _heading(text: str, part: Part) -> ListingLine:
    return ListingLine(((part, text),), rows=0)


def _writer(answer: Answer, *, is_backward: bool | None) -> Callable[[Row], Iterator[Piece]]:
    """Choose what the line of a row is made of, by the columns."""
    columns = set(answer.columns)
    if {"source", "is_possible"} <= columns:
        return reference
    if {"source", "reason"} <= columns:
        return open_reference
    if {"source", "site_column"} <= columns:  # of `grep`
        return reference
    if "cycle_id" in columns or "is_minimum" in columns:
        return cycle_step
    if "step" in columns:
        return hop
    if "overridden_id" in columns:
        return override
    if "code" not in columns:
        return definition
    return user if is_backward else used


def _headings(rows: Sequence[Row]) -> Sequence[str]:
    """Give the heading that each row stands below; empty ones where all rows are of one sort."""
    if rows and "is_minimum" in rows[0]:
        return _component_headings(rows)
    if rows and "cycle_id" in rows[0]:
        return [f"cycle {row['cycle_id']} (component of {row['size']}):" for row in rows]
    if rows and "confidence" in rows[0] and "reason" in rows[0]:
        return [f"{row['confidence']} confidence:" for row in rows]
    if rows and "step" in rows[0]:
        return [""] * len(rows)
    is_near = all(row.get("distance") in {None, 1} for row in rows)
    if is_near and all(row.get("resolution") in {None, Resolution.DIRECT} for row in rows):
        return ["possible (not resolved):" if row.get("is_possible") else "" for row in rows]
    dispatched = [row for row in rows if _is_dispatched(row)]
    most = max((int(str(row.get("alternatives") or 1)) for row in dispatched), default=1)
    alternatives = f" (a site may mean up to {most} definitions)" if most > 1 else ""
    headings = {
        Resolution.DIRECT: "direct:",
        Resolution.REGISTRATION: "by registration:",
        Resolution.DISPATCH: f"by override or callback{alternatives}:",
    }
    return [
        headings[Resolution(str(row.get("resolution") or Resolution.DIRECT))]
        if row["distance"] in {None, 1}
        else f"distance {row['distance']}:"
        for row in rows
    ]


def _is_dispatched(row: Row) -> bool:
    return row.get("resolution") == Resolution.DISPATCH and row["distance"] in {None, 1}


def _component_headings(rows: Sequence[Row]) -> list[str]:
    headings = []
    for row in rows:
        edges = "1 edge" if row["cut"] == 1 else f"{row['cut']} edges"
        how = "the minimum" if row["is_minimum"] else "found by a heuristic"
        headings.append(f"component {row['component']} (of {row['size']}): cut {edges}, {how}:")
    return headings


def _mark(row: Row) -> str:
    """Say of a row by itself what its heading would say."""
    told = [_SORTS.get(str(row.get("resolution")), "")]
    if row.get("distance") not in {None, 0, 1}:
        told.append(f"distance {row['distance']}")
    if row.get("confidence"):
        told.append(f"{row['confidence']} confidence")
    return ", ".join(filter(None, told))


Group = tuple[str, Sequence[Row]]


def _each(rows: Sequence[Row], headings: Sequence[str]) -> Iterator[Group]:
    return ((heading, (row,)) for heading, row in zip(headings, rows, strict=True))


def _sites(rows: Sequence[Row], headings: Sequence[str], *, is_sorted: bool) -> Iterator[Group]:
    """Give rows that follow each other and have the same site together, with their heading.

    `is_sorted` orders the rows of each file below a heading by the lines of their sites.
    """
    pairs = list(zip(headings, rows, strict=True))
    if is_sorted:
        blocks = [list(block) for _, block in groupby(pairs, key=lambda pair: _site(*pair)[:2])]
        pairs = [pair for block in blocks for pair in sorted(block, key=_line_of_site)]
    for (heading, _, line, _), group in groupby(pairs, key=lambda pair: _site(*pair)):
        found = [row for _, row in group]
        yield from ((heading, same) for same in ([found] if line else [[row] for row in found]))


def _site(heading: str, row: Row) -> tuple[str, Cell, Cell, Cell]:
    return heading, row["site_path"], row["site_line"], row["distance"]


def _line_of_site(pair: tuple[str, Row]) -> int:
    return int(str(pair[1]["site_line"] or pair[1]["line"] or 0))


def _with_names(parts: Iterator[Piece], others: Iterable[Row]) -> Iterator[Piece]:
    """Add the names of the other definitions that a site stands in: a class and its attribute."""
    names = [display_name(str(row["id"])) for row in others if row["kind"] != "module"]
    for part, text in parts:
        yield part, ", ".join([text, *names]) if part is Part.NAME else text


def _texts_once(rows: Sequence[Row]) -> list[Row]:
    """Leave out the source text of a site that the row above has shown."""
    sites = [(row["site_path"], row["site_line"]) for row in rows]
    above = [None, *sites]
    return [{**row, "code": None} if site == last else row
            for row, site, last in zip(rows, sites, above, strict=False)]  # fmt: skip


def _is_contiguous(headings: Sequence[str]) -> bool:
    """Tell whether the rows of each group are together, so that a heading stands once."""
    groups = [heading for heading, _ in groupby(headings)]
    return len(groups) == len(set(groups))


def _is_apart(write: Callable[[Row], Iterator[Piece]], rows: Sequence[Row]) -> bool:
    """Tell whether each row is to have its own path, as steps do, and a ranking across files."""
    if write is not definition or (rows and "confidence" in rows[0]):
        return write is cycle_step
    return sum(1 for _ in groupby(rows, key=lambda row: row.get("path"))) > max(2, len(rows) // 2)


def _printable(parts: Iterable[Piece]) -> list[Piece]:
    return [(part, printable(text)) for part, text in parts]


def _fitted(
    parts: Sequence[Piece], row: Row, width: int | None, *, by_file: bool
) -> Sequence[Piece]:
    """Shorten a row to the width; indent it below its file, or let its name lead its place."""
    focus = _focus(row)
    if width is None:
        return cut(parts, Part.TEXT, room=LONGEST_TEXT, focus=focus)
    if by_file:
        is_narrow = width < LEAST_WITH_TEXT and is_far(row)
        below = _below(_without_text(parts) if is_narrow else parts)
        return shortened(below, width, focus=focus)
    is_place = [part in {Part.PATH, Part.LINE} for part, _ in parts]
    if "role" in row or Part.NAME not in {part for part, _ in parts}:
        return shortened(parts, width, focus=focus)
    place = [part for part, here in zip(parts, is_place, strict=True) if here]
    (part, name), *rest = [part for part, here in zip(parts, is_place, strict=True) if not here]
    pieces = [(part, name.lstrip()), (Part.NAME, "  "), *place, *rest]
    return shortened(pieces, width, focus=focus)


def _without_text(parts: Sequence[Piece]) -> list[Piece]:
    gap = (Part.DETAIL, "  ")
    return [piece for piece in parts if piece[0] is not Part.TEXT and piece != gap]


def _below(parts: Sequence[Piece]) -> list[Piece]:
    """Write a row below the path of its file: indented, and its line without a colon."""
    if not any(part is Part.PATH for part, _ in parts):
        return [
            (Part.NAME, "  "),
            *((part, text.replace(" (external)", "")) for part, text in parts),
        ]
    own = next(f"  {text}:" for part, text in parts if part is Part.PATH)
    below: list[Piece] = []
    for part, text in parts:
        if part is Part.LINE and text[:1] == ":":
            below.append((part, text.replace(":", "  ", 1)))
        elif part is Part.PLACE and text.startswith(own):  # in the same file
            below.append((part, f"  line {text.removeprefix(own)}"))
        elif part is not Part.PATH:
            below.append((part, text))
    return below


def _focus(row: Row) -> str:
    """Give the name that a site refers to, which its text shows even where it is cut; where the
    text names the definition of the row, that.
    """
    if "via" in row and row.get("code") and is_own_definition(row):
        return str(row["name"])
    return str(row.get("site_text") or row.get("text") or "").rpartition(".")[2]


def open_references(
    possible: Answer, *, width: int | None = None, more: str = ""
) -> Iterator[ListingLine]:
    """Give the first references that are not resolved and could add to an answer, and the count.

    Those whose name few definitions have come first, as possible; the others are open. With a
    `width` no line is longer. The command `more` lists all.
    """
    rows: list[Row] = [dict(zip(possible.columns, row, strict=True)) for row in possible.rows]
    alike = groupby(
        sorted(rows, key=_is_open), key=lambda row: (*(row[name] for name in _PLACE), _is_open(row))
    )
    shown = [list(group) for _, group in islice(alike, MOST_OPEN_SHOWN)]
    for is_open in (False, True):
        of_sort = [row for row in rows if _is_open(row) is is_open]
        below = [group[0] for group in shown if _is_open(group[0]) is is_open]
        if of_sort:
            is_all = len(of_sort) == len(rows)
            total = possible.total if is_all else len(of_sort)
            end = ":" if below else ""
            yield _open_heading(of_sort, total, end, is_known=is_all or len(rows) == possible.total)
        for row in below:
            yield _fitted_open(row, width)
    if left := possible.total - sum(map(len, shown)):
        how = f": {more}" if more else ""
        yield ListingLine(((Part.DETAIL, f"and {left:,} more{how}"),), rows=0)


def _fitted_open(row: Row, width: int | None) -> ListingLine:
    parts, focus = _printable(open_reference(row)), _focus(row)
    if width:
        return ListingLine(tuple(shortened(parts, width, focus=focus)), rows=0)
    return ListingLine(tuple(cut(parts, Part.TEXT, room=LONGEST_TEXT, focus=focus)), rows=0)


_PLACE = ("source", "path", "line", "text")

FEW_DEFINITIONS = 9
"""How many definitions may have the name of a reference that counts as possible, not as open."""


def _is_open(row: Row) -> bool:
    """Tell whether many definitions have the name of a reference, whose receiver is not known."""
    return int(str(row.get("definitions") or 0)) > FEW_DEFINITIONS and row["reason"] != "virtual"


def _open_heading(rows: Sequence[Row], total: int, end: str, *, is_known: bool) -> ListingLine:
    """Say how many references are not resolved, and of how many definitions one may mean any.

    Where `is_known` is false, there may be more than `total`.
    """
    sort = "open" if _is_open(rows[0]) else "possible"
    more = "" if is_known else " or more"
    count = "1 reference" if total == 1 and is_known else f"{total:,}{more} references"
    names = {_focus(row) for row in rows}
    definitions = int(str(rows[0].get("definitions") or 0))
    named = ""
    if len(names) == 1 and definitions:
        are = "1 definition is" if definitions == 1 else f"{definitions:,} definitions are"
        named = f"; {are} named {printable(names.pop())}"
    return _heading(f"{sort} ({count} not resolved{named}){end}", Part.HEADING)
