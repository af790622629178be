"""Documents: Markdown by its grammar, other markup by its headings, links and code marks.

The readers are imported on first use: listing files needs the formats alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mu.syntax.documents.formats import FORMATS, GRAMMARS

if TYPE_CHECKING:
    from mu.syntax.documents.document_reader import read_document, read_headings, read_metadata

__all__ = ["FORMATS", "GRAMMARS", "read_document", "read_headings", "read_metadata"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("mu.syntax.documents.document_reader"), name)
