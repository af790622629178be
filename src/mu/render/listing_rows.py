"""What the line of a row is made of: the place, the source text there, and the names.

One function for each sort of row; which one an answer's rows are is told by its columns.
"""

from collections.abc import Iterator, Mapping, Sequence

from mu.model.kinds import Resolution, Rule
from mu.model.relation import Cell
from mu.render.cells import cell_text
from mu.render.parts import Part, Piece

Row = Mapping[str, Cell]

MOST_OTHERS_SHOWN = 5
"""Lines of other sites that a row shows."""

_PAST = {
    "calls": "called", "imports": "imported", "uses": "used", "inherits": "inherited",
    "tests": "tested", "links": "linked", "mentions": "mentioned",
}  # fmt: skip
_OWN = frozenset({
    "id", "name", "kind", "qualified_name", "path", "line", "score", "module", "from_id", "via",
    "distance", "confidence",
})  # fmt: skip
_UNSAID = frozenset({"call", "code", "string", "prose"})
"""Kinds of references and of text that the text of a row shows without a word."""

_COUNTED = frozenset({"lines", "parameters", "definitions"})
"""Columns that are a number of what they are called."""


def display_name(node: str) -> str:
    """Give the name to show for a node id: the qualified name inside its file, or the path."""
    kind, _, place = node.partition(":")
    if kind == "sec":
        return f"#{place.partition('#')[2]}"
    return place if kind in {"mod", "doc", "ext", "pkg"} else place.rpartition(":")[2]


def reference(row: Row) -> Iterator[Piece]:
    """A reference: its place, the source text there, and the definition it stands in."""
    yield from place(row["path"], row["line"])
    yield from source_text(row["code"])
    source = str(row["source"])
    name = display_name(source)
    yield Part.NAME, "  at module level" if source.startswith("mod:") else f"  in {name}"
    if row["kind"] not in _UNSAID:
        yield Part.DETAIL, f"  ({row['kind']})"


def open_reference(row: Row) -> Iterator[Piece]:
    """A reference that is not resolved: its place, the text, where it stands, and the reason."""
    yield from place(row["path"], row["line"])
    yield from source_text(row.get("code") or row["text"])
    source = str(row["source"])
    is_module = source.startswith("mod:")
    yield Part.NAME, "  at module level" if is_module else f"  in {display_name(source)}"
    yield Part.DETAIL, f"  ({row['reason']})"


def hop(row: Row) -> Iterator[Piece]:
    """A hop of a path: its site, and from which definition to which; the last row is the goal."""
    yield from place(row["path"], row["line"])
    name = display_name(str(row["id"]))
    if row["to"] is None:
        yield Part.NAME, f"  {name}"
        return
    if row["code"]:
        yield from source_text(row["code"])
    yield Part.NAME, f"  {name}"
    yield Part.NAME, f" -> {row['to']}"
    told = [] if row["via"] == "calls" else [str(row["via"])]
    if row["resolution"] != Resolution.DIRECT:
        told.append(str(row["rule"] if row["rule"] == Rule.CALLBACK else row["resolution"]))
        if (count := int(str(row["alternatives"] or 1))) > 1:
            told.append(f"one of {count}")
    else:
        told.extend(_choice(row))
    if told:
        yield Part.DETAIL, f"  ({', '.join(told)})"


def cycle_step(row: Row) -> Iterator[Piece]:
    """A step of a cycle: where a node depends on that of the next row."""
    yield from place(row["path"], row["line"])
    name = display_name(str(row["id"]))
    if row.get("code"):
        yield from source_text(row["code"])
    if name != row["path"]:
        yield Part.NAME, f"  in {name}"
    if "target_id" in row:
        yield Part.NAME, f"  -> {display_name(str(row['target_id']))}"
    if row["role"]:
        yield Part.DETAIL, f"  ({row['role']})"


def override(row: Row) -> Iterator[Piece]:
    """A member, and the member that it overrides."""
    yield from place(row["path"], row["line"])
    name, overridden = (display_name(str(row[each])) for each in ("id", "overridden_id"))
    if row.get("is_of_one"):
        yield Part.NAME, f"  {name}"
        return
    owner, _, member = overridden.rpartition(".")
    yield Part.NAME, f"  {name}"
    if owner and name.rpartition(".")[2] == member:
        yield Part.NAME, f"  overrides {owner}'s"
    else:
        yield Part.NAME, f"  overrides {overridden}"
    if row["overridden_path"] == row["path"]:
        yield Part.PLACE, f"  line {row['overridden_line']}"
    elif row["overridden_path"]:
        yield Part.PLACE, f"  {row['overridden_path']}:{row['overridden_line']}"


def user(row: Row) -> Iterator[Piece]:
    """A node that depends on another: the site, and the definition that the site stands in."""
    yield from place(row["site_path"] or row["path"], row["site_line"] or row["line"])
    if row["code"]:
        yield from source_text(row["code"])
    name, kind = display_name(str(row["id"])), row["kind"]
    if is_own_definition(row):
        yield from _details(row)
        return
    if row.get("is_of_bases") and not row["code"]:
        yield Part.NAME, f"  {kind} {name}"
    elif kind == "module" and row["via"] != "imports":
        yield Part.NAME, "  at module level"
    elif kind != "module":
        yield Part.NAME, f"  in {name}"
    yield from _details(row, *_via(row))


def _via(row: Row) -> list[str]:
    """Give the kind of the edge, unless it is a call or the same in all rows."""
    return [] if row["via"] == "calls" or row.get("is_of_bases") else [str(row["via"])]


def is_own_definition(row: Row) -> bool:
    """Tell whether a site names the bases of a definition, which its text then shows."""
    place = row["site_path"], row["site_line"]
    is_named = str(row["name"]) in str(row["code"])
    return row["via"] == "inherits" and place == (row["path"], row["line"]) and is_named


def used(row: Row) -> Iterator[Piece]:
    """A node that another depends on: where it is used, and where it is defined.

    What is further away is shown by its definition, and so is what no text uses.
    """
    if not row["site_line"] or is_far(row):
        yield from _reached(row)
        return
    yield from place(row["site_path"], row["site_line"])
    if row["code"]:
        yield from source_text(row["code"])
    name = display_name(str(row["id"]))
    yield Part.NAME, f"  -> {name}{'' if row['path'] else ' (external)'}"
    if row["path"] and row["kind"] != "module":
        yield Part.PLACE, f"  {row['path']}:{row['line']}"
    yield from _details(row, *_via(row))


def _reached(row: Row) -> Iterator[Piece]:
    """A definition that is reached, and from where."""
    yield from place(row["path"], row["line"])
    name = display_name(str(row["id"]))
    if not row["path"]:
        yield Part.NAME, f"{name} (external)"
    elif row["kind"] != "module":
        yield Part.NAME, f"  {name}"
    if row["site_line"]:
        how = _PAST.get(str(row["via"]), str(row["via"]))
        yield Part.PLACE, f"  {how} at {row['site_path']}:{row['site_line']}"
        yield from _details(row)
    else:
        yield from _details(row, str(row["via"]))


def _details(row: Row, *words: str) -> Iterator[Piece]:
    through = []
    if is_far(row):
        through.append(f"through {display_name(str(row['from_id']))}")
    told = [*words, *through, *_choice(row), *_others(row)]
    if told:
        yield Part.DETAIL, f"  ({', '.join(told)})"


def is_far(row: Row) -> bool:
    return int(str(row.get("distance") or 1)) > 1


def _choice(row: Row) -> Iterator[str]:
    """Say how many definitions a site may mean by the type of its receiver.

    Two are a class and its constructor.
    """
    count = int(str(row.get("alternatives") or 1))
    is_inferred = row.get("rule") in {Rule.INFERRED, Rule.RETURNED}
    if is_inferred and count > 2 and row["resolution"] == Resolution.DIRECT:
        yield f"one of {count} targets"


def _others(row: Row) -> Iterator[str]:
    """Say at which lines the other sites of an edge are, or how many there are."""
    more, lines = int(str(row["sites"])) - 1, row.get("other_lines")
    if more <= 0:
        return
    found = {int(str(line)) for line in lines} if isinstance(lines, Sequence) else set[int]()
    shown = sorted(found - {row.get("site_line")})[:MOST_OTHERS_SHOWN]
    if not shown:
        yield f"{more} more on this line" if found else f"+{more} more"
        return
    left = len(found) - len(shown) if more <= len(found) else more - len(shown)
    listed = ", ".join(map(str, shown))
    yield f"also {listed} and {left} more" if left > 0 else f"also {listed}"


def definition(row: Row) -> Iterator[Piece]:
    """A node alone, with what the other columns say of it."""
    yield from place(row["path"], row["line"])
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
        number = cell_text(cell)
        if column in _COUNTED:
            return f"{number} {column.removesuffix('s') if cell == 1 else column}"
        return f"{column} {number}"
    return " ".join(cell_text(cell).split())


def place(path: Cell, line: Cell) -> Iterator[Piece]:
    if path:
        yield Part.PATH, str(path)
        if line:
            yield Part.LINE, f":{line}"


def source_text(text: Cell) -> Iterator[Piece]:
    """A piece of source text, and the space before it, which is never cut."""
    yield Part.DETAIL, "  "
    yield Part.TEXT, str(text)
