"""An answer as MU text, the compact notation for people and models.

A node is a line: a sigil for what it is (`!` module, `$` class, `#` function, `%` variable, `~`
outside the repository, `&` document), its name, with its signature where the rows have it, what is
known of it behind `::`, and at the end its place: `# Store.save(item) :: calls  shop/db.py:10-24`.
What was reached from a node is nested below it by two spaces. Rows that are no nodes are lines of
metadata: `@ path=shop/db.py functions=4`.
"""

from collections.abc import Iterator, Mapping, Sequence

from mu.model.relation import Answer, Cell
from mu.render.formats.drawing import kind_of
from mu.render.text import printable

SIGILS = {
    "module": "!", "class": "$", "function": "#", "variable": "%", "external": "~",
    "document": "&", "section": "&",
}  # fmt: skip
"""The sigil of a node of each kind."""

Row = Mapping[str, Cell]

_ITS_OWN = frozenset({
    "id", "kind", "name", "qualified_name", "module", "path", "line", "start_line", "end_line",
    "signature", "returns", "parameters", "via", "distance", "from_id", "step",
    "site_path", "site_line", "site_text", "site_column", "code", "rule", "resolution",
    "alternatives", "sites", "other_lines",
})  # fmt: skip
_OF_SITES = frozenset({
    "site_path", "site_line", "site_text", "site_column", "code", "rule", "resolution",
    "alternatives", "sites", "other_lines",
})  # fmt: skip
_DEEPEST = 50


def mu_lines(answer: Answer) -> Iterator[str]:
    """Give the lines of an answer; text of the repository is made to show as itself."""
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    if {"id", "from_id"} <= set(answer.columns):
        yield from map(printable, _nested(rows))
    else:
        write = node_line if "id" in answer.columns else metadata_line
        yield from (printable(write(row)) for row in rows)


def node_line(row: Row) -> str:
    """Write a row that has an `id` as the line of that node."""
    node = str(row["id"])
    kind = str(row.get("kind") or kind_of(node))
    words = [SIGILS.get(kind, "?"), _declared(row, node, kind)]
    known = list(_known(row))
    if known:
        words += ["::", ", ".join(known)]
    place = _place(row)
    if place and kind != "module":
        words += ["", place]
    return " ".join(words)


def metadata_line(row: Row) -> str:
    """Write a row that is no node by the names of its columns."""
    return " ".join(["@", *(f"{name}={cell_text(value)}" for name, value in row.items())])


def cell_text(value: Cell) -> str:
    """Write a value on one line: nothing for NULL, four digits of a fraction."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(cell_text, value))
    return " ".join(str(value).split())


def _declared(row: Row, node: str, kind: str) -> str:
    """Give the name with what the rows tell of its declaration."""
    place = node.partition(":")[2]
    name = place if kind in {"module", "document"} else place.rpartition(":")[2]
    own = name.rpartition(".")[2]
    _, found, rest = cell_text(row.get("signature")).partition(own)
    return name + rest if found else name


def _known(row: Row) -> Iterator[str]:
    """Tell how the node was reached and what else the columns say of it."""
    if row.get("via"):
        site = f" at {row['site_path']}:{row['site_line']}" if row.get("site_path") else ""
        yield f"{row['via']}{site}"
    distance = row.get("distance")
    if isinstance(distance, int) and distance > 1:
        yield f"distance {distance}"
    left_out = _ITS_OWN | _OF_SITES if "site_path" in row else _ITS_OWN
    for name, value in row.items():
        if value is True:
            yield name.removeprefix("is_")
        elif name not in left_out and cell_text(value) not in ("", "no"):
            yield f"{name} {cell_text(value)}"


def _place(row: Row) -> str:
    path, line = row.get("path"), row.get("line") or row.get("start_line")
    if not path or not line:
        return str(path or "")
    end = row.get("end_line")
    return f"{path}:{line}" + (f"-{end}" if end and end != line else "")


def _nested(rows: Sequence[Row]) -> Iterator[str]:
    """Nest rows below what they were reached from; a node is opened the first time alone."""
    below: dict[str, list[Row]] = {}
    for row in rows:
        below.setdefault(str(row["from_id"]), []).append(row)
    reached = {str(row["id"]) for row in rows}
    opened: set[str] = set()
    for top in sorted(below, key=reached.__contains__):  # in a circle, all were reached
        if top not in opened:
            yield from _branches(below, top, opened)


def _branches(below: Mapping[str, list[Row]], top: str, opened: set[str]) -> Iterator[str]:
    pending: list[tuple[int, Row]] = [(0, {"id": top})]
    while pending:
        depth, row = pending.pop()
        node = str(row["id"])
        yield "  " * depth + node_line({k: v for k, v in row.items() if k != "distance"})
        if node not in opened and depth < _DEEPEST:
            opened.add(node)
            pending += [(depth + 1, child) for child in reversed(below.get(node, ()))]
