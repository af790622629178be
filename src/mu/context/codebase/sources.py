"""Sources of definitions and of whole files, as many as there is room for.

A definition is shown with what is said about it cut to its first paragraph; a body that was shown
elsewhere is left out. Definitions of one file stand together, in the order of their lines.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mu.context.codebase.forms import Block, Excerpt, Writer
from mu.context.codebase.importance import Definition, PartFile
from mu.context.codebase.room import Room
from mu.context.packing import shorten_docstring

_LEAST_ROOM = 150
"""Characters that a source is not begun for: its place would take most of them."""

_FEWEST_LINES = 4
"""A source of more lines is not begun for less of them."""

Lines = Callable[[PartFile, int, int], Sequence[str]]
"""Gives lines of a file, safe to show; none when it is not as it was when the graph was built."""


@dataclass(slots=True)
class _Shown:
    """What is shown of a file, and how it is written."""

    file: PartFile
    blocks: list[Block] = field(default_factory=list)
    text: str = ""


class Sources:
    """What is shown of files, in the order in which they were first shown."""

    def __init__(self, lines: Lines, writer: Writer, room: Room) -> None:
        self._lines = lines
        self._writer = writer
        self._room = room
        self._bodies: set[str] = set()
        self._shown: dict[int, _Shown] = {}
        self.changed: set[str] = set()

    @property
    def texts(self) -> list[str]:
        """What is shown of each file."""
        return [each.text for each in self._shown.values()]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of which something is shown."""
        return tuple(each.file.path for each in self._shown.values())

    def add(self, definition: Definition, file: PartFile, *, most: int) -> None:
        """Show a definition in at most `most` characters, if there is room."""
        room = min(most, self._room.left)
        is_twin = definition.digest != "" and definition.digest in self._bodies
        if room < _LEAST_ROOM or is_twin or self._has(definition, file):
            return
        lines = self._read(file, definition.line, definition.end_line)
        shown = shorten_docstring(lines, definition.docstring)
        if self._put(file, shown, definition.line, definition.end_line, room):
            self._bodies.add(definition.digest)

    def complete(self, file: PartFile) -> None:
        """Show the whole of a file in the place of its parts, or begin it, if there is room."""
        shown = self._shown.get(file.key)
        least = 0 if shown is None else file.bytes // 4
        if self._room.left < max(_LEAST_ROOM, least if shown else 0) or file.lines == 0:
            return
        lines = self._read(file, 1, file.lines)
        if shown is None:
            self._put(file, lines, 1, file.lines, self._room.left)
        elif lines:
            self._replace(shown, [Block(1, file.lines, tuple(lines))])

    def _read(self, file: PartFile, first: int, last: int) -> Sequence[str]:
        lines = list(self._lines(file, first, last))
        if not lines:
            self.changed.add(file.path)
        while lines and not lines[-1].strip():
            lines.pop()
        return lines

    def _put(self, file: PartFile, lines: Sequence[str], first: int, last: int, room: int) -> bool:
        """Show as many lines as fit; False for fewer than are worth it."""
        shown = self._shown.get(file.key) or _Shown(file)
        others = [each for each in shown.blocks if not first <= each.line <= each.end_line <= last]
        fewest = len(lines) if len(others) < len(shown.blocks) else _FEWEST_LINES
        kept = len(lines)
        while kept >= min(fewest, max(len(lines), 1)):
            block = Block(first, last, tuple(lines[:kept]), len(lines) - kept)
            blocks = sorted([*others, block], key=lambda each: each.line)
            excess = len(self._written(file, blocks)) - len(shown.text) - room
            if excess <= 0 and self._replace(shown, blocks):
                self._shown[file.key] = shown
                return True
            while excess > 0 and kept:
                kept -= 1
                excess -= len(lines[kept]) + 1
        return False

    def _replace(self, shown: _Shown, blocks: list[Block]) -> bool:
        text = self._written(shown.file, blocks)
        if not self._room.replace(shown.text, text):
            return False
        shown.blocks, shown.text = blocks, text
        return True

    def _written(self, file: PartFile, blocks: Sequence[Block]) -> str:
        return self._writer.excerpt(Excerpt(file.path, file.language, tuple(blocks)))

    def _has(self, definition: Definition, file: PartFile) -> bool:
        shown = self._shown.get(file.key)
        blocks = () if shown is None else shown.blocks
        return any(b.line <= definition.line <= b.end_line for b in blocks)
