"""The words of one file, weighed when its facts are made and packed to be stored with them.

Whether a definition is part of a test depends on the path of the file, which facts do not contain.
So its words are stored twice, as weighed in source and as weighed in a test, where only names and
docstrings count. Words of the file itself depend on its path; `index_words` weighs those.
"""

from array import array
from collections.abc import Iterator, Sequence

from mu.lexical.weighing import Field, Weighed, Weigher
from mu.model.documents import LONGEST_EXCERPT, DocumentFacts
from mu.model.facts import Definition, FileFacts, Prose
from mu.model.words import FileWords

Texts = Sequence[tuple[Field, str]]


def definition_words(facts: FileFacts) -> FileWords:
    """Weigh the words of the definitions of a file."""
    packer = _Packer()
    prose = {row.definition: row for row in facts.prose}
    for number, row in enumerate(facts.definitions):
        if row.name and row.kind != "extension":
            rest = [*_texts(row, prose.get(number))]
            packer.add(number, row.own_name, docstring=row.docstring, rest=rest)
    return packer.finish()


def unweighed_prose(facts: FileFacts) -> tuple[Prose, ...]:
    """Return the prose of the file itself, which is not weighed here."""
    return tuple(row for row in facts.prose if row.definition < 0)


def section_words(page: DocumentFacts) -> FileWords:
    """Weigh the words of the sections of a document."""
    packer = _Packer()
    for number, section in enumerate(page.sections):
        excerpt, rest = section.text[:LONGEST_EXCERPT], section.text[LONGEST_EXCERPT:]
        packer.add(number, section.title, docstring=excerpt, rest=[(Field.COMMENT, rest)])
    return packer.finish()


def signature_text(parameters: Sequence[str], returns: str) -> str:
    """Return the text of a signature, parameters and result; empty if it has neither."""
    return f"{' '.join(parameters)} {returns}" if parameters or returns else ""


def _texts(row: Definition, prose: Prose | None) -> Iterator[tuple[Field, str]]:
    """Yield the texts that count in source and not in tests: signature, comments, strings."""
    yield Field.SIGNATURE, signature_text([one.text for one in row.parameters], row.returns_text)
    if prose is not None:
        yield Field.COMMENT, prose.comments
        yield Field.STRING, prose.strings


class _Packer:
    """A builder of `FileWords`, which weighs and packs words."""

    def __init__(self) -> None:
        self._weigher = Weigher()
        self._places = array("I")
        self._weights = bytearray()
        self._fields = bytearray()
        self._spans = array("i")

    def add(self, definition: int, name: str, *, docstring: str, rest: Texts) -> None:
        """Weigh a definition; the texts `rest` count in source only."""
        weigher = self._weigher
        start = len(self._places)
        self._append(weigher.node(name, [(Field.DOCSTRING, docstring), *rest], is_joined=True))
        middle = len(self._places)
        if docstring:
            self._append(weigher.node(name, [(Field.DOCSTRING, docstring)], is_joined=False))
        else:
            self._append(weigher.name(name, is_joined=False))
        self._spans.extend((definition, start, middle, len(self._places)))

    def finish(self) -> FileWords:
        """Return all words added so far, packed."""
        return FileWords(
            vocabulary="\n".join(self._weigher.words),
            places=self._places.tobytes(),
            weights=bytes(self._weights),
            fields=bytes(self._fields),
            spans=self._spans.tobytes(),
        )

    def _append(self, weighed: Weighed) -> None:
        places, weights, fields = weighed
        self._places.extend(places)
        self._weights.extend(weights)
        self._fields.extend(fields)
