"""Find the documents that an edit of code can affect, by what they mention.

Links and mentions are resolved by name, so a document that has none of the names that an edit
changes keeps its rows.
"""

import re
from collections.abc import Iterable, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from mu.kernel.updating.document_relinking import FORMAT_NAMES, KeptDocuments
from mu.model.documents import DocumentFacts
from mu.model.graph import File
from mu.resolve import CLEAR_NAME
from mu.source import SkippedSource, native_path, read_source
from mu.source.trees import WorkingTree

_CODE_MARKS = (b"`", b"import", b"::")


class MentionedChanges(NamedTuple):
    """The changes that documents may mention.

    `names` are those of nodes, and `files` those of files. `imports` are pairs of names, of an
    importing module and of what it imports: a document that mentions the import contains both.
    `classes` are the names of classes with other ancestors: a document may name members that they
    inherit.
    """

    names: Set[str]
    files: Set[str]
    imports: Set[tuple[str, str]]
    classes: Set[str]


def documents_in(files: Iterable[File]) -> list[File]:
    """Return those of some files that are documents with rows of their own."""
    return [row for row in files if row.status == "indexed" and row.language in FORMAT_NAMES]


def mentioning_documents(
    root: Path, documents: Sequence[File], *, told: MentionedChanges, facts: Path | None
) -> set[int]:
    """Find the documents, by key, that may mention any of some changes.

    They mention a name if it is in a line with code or can be nothing else (`CLEAR_NAME`), a file,
    an import by both of its names, or a member of a class with other ancestors.
    """
    if not any(told) or not documents:
        return set()
    search, found = _Search(told, facts), set()
    for file in documents:
        text = _text_of(root, file)
        if text is None or search.is_mentioned(file, text):
            found.add(file.key)
    return found


def _text_of(root: Path, file: File) -> bytes | None:
    """Return the text of a document; None if it cannot be read or has grown.

    Most documents are ASCII, and are returned without being decoded.
    """
    try:
        data = WorkingTree(root).read(native_path(file.path), file.bytes + 1)
        if data.isascii() and len(data) == file.bytes:
            return data
        return read_source(root, file.path, max_file_size=file.bytes).text
    except (OSError, SkippedSource):
        return None


class _Search:
    """A search for changes in one document after the other."""

    def __init__(self, told: MentionedChanges, facts: Path | None) -> None:
        self._told = told
        self._facts = facts
        self._kept: KeptDocuments | None = None
        self._ends = [name.encode() for name in told.files]
        self._imports = [(one.encode(), other.encode()) for one, other in told.imports]
        self._words = [name.encode() for name in sorted(told.names)]
        names, classes = _any_of(told.names), _any_of(told.classes)
        self._lines = re.compile(rb"^.*\b(" + names + rb")\b.*$", re.MULTILINE)
        self._classes = re.compile(rb"\b(" + classes + rb")\b")

    def is_mentioned(self, file: File, text: bytes) -> bool:
        """Return whether a document may mention what changed."""
        if any(end in text for end in self._ends):
            return True
        if any(one in text and other in text for one, other in self._imports):
            return True
        if self._told.classes and self._classes.search(text) and self._tells_members(file):
            return True
        if not any(name in text for name in self._words):
            return False
        for line in self._lines.finditer(text):
            is_clear = CLEAR_NAME.search(line[1].decode(errors="replace"))
            if is_clear or any(mark in line[0] for mark in _CODE_MARKS):
                return True
        return False

    def _tells_members(self, file: File) -> bool:
        """Return whether a document may refer to a member of a class with other ancestors."""
        if self._facts is None:
            return True
        if self._kept is None:
            self._kept = KeptDocuments(self._facts)
        page = self._kept.find(file)
        return page is None or _points_into(page, self._told.classes)


def _points_into(page: DocumentFacts, classes: Set[str]) -> bool:
    """Return whether a pointer of a document contains the name of a class before another name."""
    for pointer in page.pointers:
        *above, _ = re.split(r"\W+", f"{pointer.scope}.{pointer.text.rstrip('()')}")
        if not classes.isdisjoint(above):
            return True
    return False


def _any_of(names: Set[str]) -> bytes:
    return "|".join(re.escape(name) for name in sorted(names)).encode()
