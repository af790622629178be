"""The signatures of files, as many as there is room for, in the order of the files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mu.context.codebase.forms import FileOutline, Writer
from mu.context.codebase.importance import PartFile
from mu.context.codebase.outlines import Depth, Outline
from mu.context.codebase.room import Room

_AT_ONCE = 50
"""So many files are asked about at a time."""

_NOTHING = Outline("", ())

Outlines = Callable[[Sequence[int]], Mapping[int, Outline]]
"""Gives the outlines of files by their keys."""


@dataclass(slots=True)
class _Told:
    """A file whose signatures are told, all or not, and how that is written."""

    outline: FileOutline
    source: Outline
    text: str


class Signatures:
    """What is told of files, and how far it went."""

    def __init__(
        self, files: Sequence[PartFile], outlines: Outlines, writer: Writer, room: Room
    ) -> None:
        self._files = files
        self._read = _in_turn(files, outlines)
        self._next: Outline | None = next(self._read, None)
        self._writer = writer
        self._room = room
        self.told: list[_Told] = []

    @property
    def texts(self) -> list[str]:
        """What is told of each file, in order."""
        return [each.text for each in self.told]

    def take(self, limit: int, *, most_of_one: int) -> None:
        """Outline the next files in `limit` characters, one file in at most `most_of_one`.

        Stops at the first that has no room, so that what is told are the first files of all.
        """
        while self._next is not None:
            room = min(limit, self._room.left)
            file = self._files[len(self.told)]
            told = self._fitting(file, self._next, room=min(room, most_of_one))
            if told is None and room > most_of_one:
                told = self._fitting(file, self._next, room=room)
            if told is None or not self._room.replace("", told.text):
                return
            limit -= len(told.text)
            self.told.append(told)
            self._next = next(self._read, None)

    def lengthen(self) -> None:
        """Tell more of the signatures that were cut off, in order, as far as there is room."""
        for place, told in enumerate(self.told):
            if told.outline.others or told.outline.left_out:
                room = self._room.left + len(told.text)
                longer = self._fitting(self._files[place], told.source, room=room)
                if longer is not None and self._room.replace(told.text, longer.text):
                    self.told[place] = longer

    def deepen(self, depth: Depth) -> None:
        """Tell more of each file that was told of, in order, as far as there is room for it."""
        for told in self.told:
            lines = tuple(line for _, line in told.source.lines(depth))
            outline = replace(told.outline, definitions=lines, others=(), left_out=0)
            text = self._writer.outline(outline)
            if text != told.text and self._room.replace(told.text, text):
                told.outline, told.text = outline, text

    def _fitting(self, file: PartFile, source: Outline, *, room: int) -> _Told | None:
        """Write as many lines as fit, and names of the rest; None where not even the file does."""
        whole = FileOutline(file.path, file.language, file.lines, source.sentence)
        lines = source.lines(Depth.PUBLIC)
        kept, named = len(lines), len(lines)  # lines up to the one, only names up to the other
        while True:
            outline = replace(
                whole,
                definitions=tuple(line for _, line in lines[:kept]),
                others=tuple(dict.fromkeys(name for name, _ in lines[kept:named])),
                left_out=len(lines) - named,
            )
            text = self._writer.outline(outline)
            excess = len(text) - room
            if excess <= 0:
                return _Told(outline, source, text)
            if not named:
                return None
            while excess > 0 and kept:
                kept -= 1
                excess -= len(lines[kept][1]) - len(lines[kept][0]) + 1
            while excess > 0 and named > kept:
                named -= 1
                excess -= len(lines[named][0]) + 2


def _in_turn(files: Sequence[PartFile], outlines: Outlines) -> Iterator[Outline]:
    """Read the outlines of files in their order, some at a time."""
    for start in range(0, len(files), _AT_ONCE):
        keys = [file.key for file in files[start : start + _AT_ONCE]]
        found = outlines(keys)
        yield from (found.get(key, _NOTHING) for key in keys)
