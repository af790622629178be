"""The text of a query while it is rewritten, which never forgets where a user wrote what."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Edit:
    """A stretch that was replaced, in bytes of the text as it was just before."""

    start: int
    old: int
    new: int


class Draft:
    """A query's text, and the way back from a place in it to the text as written.

    Places are bytes of UTF-8 from 0. What was put in counts as standing where it begins.
    """

    def __init__(self, text: str) -> None:
        self.original = text
        self.text = text
        self._edits: list[_Edit] = []

    def replace(self, start: int, end: int, *, text: str) -> None:
        """Replace the bytes from `start` to `end` of the text as it is now."""
        data, new = self.text.encode(), text.encode()
        self.text = (data[:start] + new + data[end:]).decode()
        self._edits.append(_Edit(start, end - start, len(new)))

    def now_at(self, place: int) -> int:
        """Give where the byte `place` of the original stands now; it may not have been replaced."""
        for edit in self._edits:
            if place >= edit.start + edit.old:
                place += edit.new - edit.old
        return place

    def originally_at(self, place: int) -> int:
        """Give where the byte `place` of the text as it is now stood in the original."""
        for edit in reversed(self._edits):
            if place >= edit.start + edit.new:
                place -= edit.new - edit.old
            elif place > edit.start:
                place = edit.start
        return place

    @property
    def is_changed(self) -> bool:
        """Tell whether anything was replaced."""
        return bool(self._edits)
