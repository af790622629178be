"""The facts of a document under construction: open sections, their text, labels and pointers."""

import re
from dataclasses import dataclass, field

from mu.model.documents import DocumentFacts, Pointer, PointerKind, Section, text_digest

LONGEST_TEXT = 20_000
"""Characters kept of one section."""

MOST_POINTERS = 20_000
"""Pointers kept of one document; one with more is a listing."""

LONGEST_POINTER = 300

_SPACE = re.compile(r"\s+")


@dataclass
class _OpenSection:
    title: str
    level: int
    parent: int
    start_line: int
    labels: list[str]
    end_line: int = 0
    text: list[str] = field(default_factory=list)


class DocumentBuilder:
    """Collect the sections, text and pointers of a document in source order."""

    def __init__(self) -> None:
        self.metadata: dict[str, str] = {}
        self.scope = ""
        self._sections: list[_OpenSection] = []
        self._open: list[int] = []
        self._text: list[str] = []
        self._labels: list[str] = []
        self._pointers: list[Pointer] = []

    def open_section(self, title: str, level: int, *, line: int) -> None:
        """Open a section; open sections of its level or deeper end on the line before."""
        self._close(level, line - 1)
        parent = self.section
        self._open.append(len(self._sections))
        labels, self._labels = self._labels, []
        self._sections.append(_OpenSection(_plain(title), level, parent, line, labels))

    def add_label(self, name: str) -> None:
        """Add a label to the next section."""
        self._labels.append(name)

    def add_anchor(self, name: str) -> None:
        """Add an anchor to the open section; before the first one, to the first."""
        if self._open:
            self._sections[self._open[-1]].labels.append(name)
        else:
            self._labels.append(name)

    def add_text(self, text: str) -> None:
        """Add text to the open section."""
        held = self._sections[self._open[-1]].text if self._open else self._text
        held.append(text)

    @property
    def section(self) -> int:
        """The index of the open section; -1 before the first."""
        return self._open[-1] if self._open else -1

    def add_pointer(
        self, kind: PointerKind, text: str, *, line: int, section: int | None = None
    ) -> None:
        """Add a link or mention, by default to the open section."""
        text = _plain(text)
        if text and len(text) <= LONGEST_POINTER and len(self._pointers) < MOST_POINTERS:
            section = self.section if section is None else section
            self._pointers.append(Pointer(kind, section, line, text, self.scope))

    def finish(self, lines: int) -> DocumentFacts:
        """Return the facts of the document, which has that number of `lines`."""
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
