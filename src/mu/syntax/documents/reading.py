"""The facts of one page, by the format that its name tells."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from mu.model.documents import DocumentFacts, PointerKind
from mu.syntax.documents.drafting import Draft
from mu.syntax.documents.marked import Code, read_asciidoc, read_restructured
from mu.syntax.grammars.manifest import load_manifests

if TYPE_CHECKING:
    from mu.syntax.extract import Extractor

_PLAIN = "text"


def read_document(text: bytes, name: str, *, extractor: "Extractor") -> DocumentFacts | None:
    """Give the facts of a page in the format `name`; None for plain text without a heading.

    Never raises for any bytes. Examples in a known language are read by `extractor`, for what they
    import.
    """
    draft = Draft()
    for language, code, line in _READERS[name](text, draft):
        _import(draft, extractor, language=language, code=code, line=line)
    facts = draft.finish(text.count(b"\n") + (bool(text) and not text.endswith(b"\n")))
    return None if name == _PLAIN and not facts.sections else facts


def read_metadata(text: bytes, name: str) -> dict[str, str]:
    """Give what a page in the format `name` says of itself before its text, and its `title`.

    The title is the first heading's where the page names none, and is left out without either.
    Never raises for any bytes.
    """
    draft = Draft()
    _READERS[name](text, draft)
    title = draft.finish(0).title
    return {**draft.metadata, "title": title} if title else dict(draft.metadata)


def read_headings(text: bytes, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the headings of a page in the format `name`, and the labels on it.

    Never raises for any bytes.
    """
    draft = Draft()
    _READERS[name](text, draft)
    sections = draft.finish(0).sections
    return tuple(one.title for one in sections), tuple(n for one in sections for n in one.labels)


def _markdown(text: bytes, draft: Draft) -> Code:
    from mu.syntax.documents.markdown import read_markdown

    return read_markdown(text, draft)


def _restructured(text: bytes, draft: Draft) -> Code:
    return read_restructured(text.decode("utf-8", "replace"), draft)


def _asciidoc(text: bytes, draft: Draft) -> Code:
    return read_asciidoc(text.decode("utf-8", "replace"), draft)


_READERS: Mapping[str, Callable[[bytes, Draft], Code]] = {
    "markdown": _markdown,
    "restructuredtext": _restructured,
    "asciidoc": _asciidoc,
    "text": _restructured,
}


def _import(draft: Draft, extractor: "Extractor", *, language: str, code: str, line: int) -> None:
    """Note what an example imports, where its language is one that MU reads."""
    name = _languages().get(language)
    if name is None:
        return
    for row in extractor.extract(code.encode(), name).imports:
        if not row.level and row.module:
            dotted = f"{row.module}.{row.name}" if row.name and row.name != "*" else row.module
            draft.point(PointerKind.IMPORT, dotted, line=line + row.line - 1)


@cache
def _languages() -> dict[str, str]:
    """The languages that MU reads, by their names and by the ends of their files."""
    known = load_manifests()
    ends = {end.lstrip("."): name for name, each in known.items() for end in each.extensions}
    return {**ends, **{name: name for name in known}}
