"""Pages: Markdown by its grammar, other markup by its headings and its marks of links and code."""

from mu.syntax.documents.reading import (
    FORMATS,
    GRAMMARS,
    read_document,
    read_headings,
    read_metadata,
)

__all__ = ["FORMATS", "GRAMMARS", "read_document", "read_headings", "read_metadata"]
