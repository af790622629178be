"""The facts of one document, by its format."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from mu.model.documents import DocumentFacts, PointerKind
from mu.syntax.documents.document_builder import DocumentBuilder
from mu.syntax.documents.line_markup import CodeBlocks, read_asciidoc, read_restructured
from mu.syntax.grammars.manifest import load_manifests

if TYPE_CHECKING:
    from mu.syntax.extractor import Extractor

_PLAIN = "text"


def read_document(text: bytes, name: str, *, extractor: "Extractor") -> DocumentFacts | None:
    """Return the facts of a document in a format; None for plain text without a heading.

    Never raises for any bytes. Code examples in a known language are read by `extractor`, for their
    imports.
    """
    builder = DocumentBuilder()
    for language, code, line in _READERS[name](text, builder):
        _import(builder, extractor, language=language, code=code, line=line)
    facts = builder.finish(text.count(b"\n") + (bool(text) and not text.endswith(b"\n")))
    return None if name == _PLAIN and not facts.sections else facts


def read_metadata(text: bytes, name: str) -> dict[str, str]:
    """Return the metadata of a document in a format, with its `title`.

    The title defaults to the first heading, and is left out if there is none. Never raises for any
    bytes.
    """
    builder = DocumentBuilder()
    _READERS[name](text, builder)
    title = builder.finish(0).title
    return {**builder.metadata, "title": title} if title else dict(builder.metadata)


def read_headings(text: bytes, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the headings and the labels of a document in a format.

    Never raises for any bytes.
    """
    builder = DocumentBuilder()
    _READERS[name](text, builder)
    sections = builder.finish(0).sections
    return tuple(one.title for one in sections), tuple(n for one in sections for n in one.labels)


def _markdown(text: bytes, builder: DocumentBuilder) -> CodeBlocks:
    from mu.syntax.documents.markdown import read_markdown

    return read_markdown(text, builder)


def _restructured(text: bytes, builder: DocumentBuilder) -> CodeBlocks:
    return read_restructured(text.decode("utf-8", "replace"), builder)


def _asciidoc(text: bytes, builder: DocumentBuilder) -> CodeBlocks:
    return read_asciidoc(text.decode("utf-8", "replace"), builder)


_READERS: Mapping[str, Callable[[bytes, DocumentBuilder], CodeBlocks]] = {
    "markdown": _markdown,
    "restructuredtext": _restructured,
    "asciidoc": _asciidoc,
    "text": _restructured,
}


def _import(
    builder: DocumentBuilder, extractor: "Extractor", *, language: str, code: str, line: int
) -> None:
    """Add what an example imports, if its language is supported."""
    name = _languages().get(language)
    if name is None:
        return
    for row in extractor.extract(code.encode(), name).imports:
        if not row.level and row.module:
            dotted = f"{row.module}.{row.name}" if row.name and row.name != "*" else row.module
            builder.add_pointer(PointerKind.IMPORT, dotted, line=line + row.line - 1)


@cache
def _languages() -> dict[str, str]:
    """Return the supported languages, by their names and by file name suffixes."""
    known = load_manifests()
    ends = {end.lstrip("."): name for name, each in known.items() for end in each.extensions}
    return {**ends, **{name: name for name in known}}
