"""The formats of pages, told by the names of files alone."""

from collections.abc import Mapping
from types import MappingProxyType

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        ".md": "markdown",
        ".markdown": "markdown",
        ".mdx": "markdown",
        ".rst": "restructuredtext",
        ".adoc": "asciidoc",
        ".asciidoc": "asciidoc",
        ".txt": "text",
    }
)
"""The formats of pages by the end of a file's name."""

GRAMMARS: Mapping[str, str] = MappingProxyType({"markdown": "tree_sitter_markdown"})
"""The modules of the formats that are parsed by a grammar."""
