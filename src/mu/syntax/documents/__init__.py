"""Pages: Markdown by its grammar, other markup by its headings and its marks of links and code.

What reads one is found on first use and not imported here: a walk asks for formats alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mu.syntax.documents.formats import FORMATS, GRAMMARS

if TYPE_CHECKING:
    from mu.syntax.documents.reading import read_document, read_headings, read_metadata

__all__ = ["FORMATS", "GRAMMARS", "read_document", "read_headings", "read_metadata"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("mu.syntax.documents.reading"), name)
