"""What files define, a line for each definition: its signature, its lines, its first sentence.

There are three depths: what is public; the same with its first sentences; and all, with what is
private and with variables. A text is made safe before it is counted, so that what is shown is what
was counted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import msgspec

from mu.model.relation import Relation
from mu.render.formats.mu_text import SIGILS
from mu.render.redaction import redact
from mu.render.text import printable
from mu.store import GraphFile

LONGEST = 160
"""Characters of a signature, and of a sentence, at most."""

_SENTENCE = re.compile(r"(?<=[.!?])\s")

_NODES = """
SELECT node.file, node.key, node.parent, node.kind::VARCHAR, node.name, node.signature,
    node.docstring, node.visibility = 'private', node.start_line, node.end_line
FROM node LEFT JOIN node AS holder ON holder.key = node.parent
WHERE list_contains($1::INTEGER[], node.file) AND node.start_line > 0
    AND coalesce(holder.kind <> 'function', TRUE)
ORDER BY node.file, node.start_line, node.key
"""


class Depth(IntEnum):
    """How much of a file is told."""

    PUBLIC = 0
    DESCRIBED = 1
    ALL = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """A definition; `depth` is the least at which it is told, `level` how deep it is nested."""

    name: str
    text: str
    sentence: str
    depth: Depth
    level: int


@dataclass(frozen=True, slots=True)
class Outline:
    """What a file says of itself, and what is defined in it, in order of lines."""

    sentence: str
    entries: tuple[Entry, ...]

    def lines(self, depth: Depth) -> list[tuple[str, str]]:
        """Give the name and the line of each definition, without secrets, nested by two spaces."""
        entries = [entry for entry in self.entries if entry.depth <= depth]
        lines = [_line(entry, depth) for entry in entries]
        safe = redact("\n".join(lines)).split("\n")
        if len(safe) != len(lines):  # a secret of several lines
            safe = [redact(line) for line in lines]
        return [(entry.name, line) for entry, line in zip(entries, safe, strict=True)]


class _Row(msgspec.Struct, array_like=True):
    file: int
    key: int
    parent: int | None
    kind: str
    name: str
    signature: str
    docstring: str
    is_private: bool
    line: int
    end_line: int


def read_outlines(graph: GraphFile, files: Sequence[int]) -> Mapping[int, Outline]:
    """Give the outline of each file that says anything, by its key."""
    rows = msgspec.convert(graph.run(Relation(_NODES, (list(files),)), limit=None).rows, list[_Row])
    by_file: dict[int, list[_Row]] = {}
    for row in rows:
        by_file.setdefault(row.file, []).append(row)
    return {file: _outline(members) for file, members in by_file.items()}


def _outline(rows: Sequence[_Row]) -> Outline:
    tops = [row for row in rows if row.kind in {"module", "document"}]
    sentence = _sentence(tops[0]) if tops else ""
    return Outline(sentence, tuple(_entries(rows)))


def _entries(rows: Sequence[_Row]) -> Iterator[Entry]:
    """Give what is defined; what stands in something private is private itself."""
    levels: dict[int, int] = {}
    hidden: set[int] = set()
    for row in rows:
        if row.kind in {"module", "document"}:
            continue
        parent = -1 if row.parent is None else row.parent
        level = levels[row.key] = levels.get(parent, -1) + 1
        is_hidden = row.is_private or parent in hidden or row.kind == "variable"
        if is_hidden:
            hidden.add(row.key)
        depth = Depth.ALL if is_hidden else Depth.PUBLIC
        yield Entry(printable(row.name or row.kind), _declared(row), _sentence(row), depth, level)


def _line(entry: Entry, depth: Depth) -> str:
    said = f" :: {entry.sentence}" if depth >= Depth.DESCRIBED and entry.sentence else ""
    return f"{'  ' * entry.level}{entry.text}{said}"


def _declared(row: _Row) -> str:
    """Write a name with its parameters as they are written, and its lines."""
    name = row.name or row.kind  # a heading may have no text
    _, found, rest = " ".join(row.signature.split()).partition(name)
    said = _cut(f"{name}{rest}" if found else name)
    lines = f"{row.line}" if row.line >= row.end_line else f"{row.line}-{row.end_line}"
    return printable(f"{SIGILS.get(row.kind, '?')} {said}  {lines}")


def _sentence(row: _Row) -> str:
    """Give the first sentence of what is said; a heading says nothing but its name."""
    if row.kind in {"document", "section"}:
        return row.name if row.kind == "document" else ""
    paragraph = " ".join(row.docstring.strip().partition("\n\n")[0].split())
    sentence = _SENTENCE.split(paragraph, maxsplit=1)[0]
    return printable(_cut(sentence))


def _cut(text: str) -> str:
    """Cut a text that is long; a secret in it goes first, as half of one looks like none."""
    return text if len(text) <= LONGEST else f"{redact(text)[:LONGEST]}..."
