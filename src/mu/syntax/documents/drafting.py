"""A page while it is read: sections open and close, and what is said goes to the innermost."""

import re
from dataclasses import dataclass, field

from mu.model.documents import DocumentFacts, Pointer, PointerKind, Section, text_digest

LONGEST_TEXT = 20_000
"""Characters that are kept of one section."""

MOST_POINTERS = 20_000
"""Of one page; a page of more is a listing."""

LONGEST_POINTER = 300

_SPACE = re.compile(r"\s+")


@dataclass
class _Open:
    title: str
    level: int
    parent: int
    start_line: int
    labels: list[str]
    end_line: int = 0
    text: list[str] = field(default_factory=list)


class Draft:
    """What has been read of a page so far."""

    def __init__(self) -> None:
        self.metadata: dict[str, str] = {}
        self.scope = ""
        self._sections: list[_Open] = []
        self._open: list[int] = []
        self._text: list[str] = []
        self._labels: list[str] = []
        self._pointers: list[Pointer] = []

    def open(self, title: str, level: int, *, line: int) -> None:
        """Begin a section; those of its level and below end on the line before."""
        self._close(level, line - 1)
        parent = self.section
        self._open.append(len(self._sections))
        labels, self._labels = self._labels, []
        self._sections.append(_Open(_plain(title), level, parent, line, labels))

    def label(self, name: str) -> None:
        """Note a label of the section that begins next."""
        self._labels.append(name)

    def mark(self, name: str) -> None:
        """Note an anchor within the section that is open; before the first it is that one's."""
        if self._open:
            self._sections[self._open[-1]].labels.append(name)
        else:
            self._labels.append(name)

    def say(self, text: str) -> None:
        """Add text to the section that is open."""
        held = self._sections[self._open[-1]].text if self._open else self._text
        held.append(text)

    @property
    def section(self) -> int:
        """The number of the section that is open, -1 before the first."""
        return self._open[-1] if self._open else -1

    def point(self, kind: PointerKind, text: str, *, line: int, section: int | None = None) -> None:
        """Note a link or a mention in a section: the one that is open, unless said."""
        text = _plain(text)
        if text and len(text) <= LONGEST_POINTER and len(self._pointers) < MOST_POINTERS:
            section = self.section if section is None else section
            self._pointers.append(Pointer(kind, section, line, text, self.scope))

    def finish(self, lines: int) -> DocumentFacts:
        """Give the facts of a page of so many lines."""
        self._close(0, lines)
        first = next((row.title for row in self._sections if row.title), "")
        category = self.metadata.get("category") or self.metadata.get("type") or ""
        return DocumentFacts(
            title=_plain(self.metadata.get("title") or first),
            category=category.lower(),
            lines=lines,
            text=_joined(self._text),
            sections=tuple(
                Section(
                    row.title,
                    row.level,
                    row.parent,
                    row.start_line,
                    max(row.end_line, row.start_line),
                    tuple(row.labels),
                    text := _joined(row.text),
                    text_digest(text),
                )
                for row in self._sections
            ),
            pointers=tuple(self._pointers),
        )

    def _close(self, level: int, line: int) -> None:
        while self._open and self._sections[self._open[-1]].level >= level:
            self._sections[self._open.pop()].end_line = line


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _joined(parts: list[str]) -> str:
    return "\n".join(part.strip() for part in parts if part.strip())[:LONGEST_TEXT]
