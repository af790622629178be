"""Document formats by file name suffix."""

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
"""The document formats by file name suffix."""

GRAMMARS: Mapping[str, str] = MappingProxyType({"markdown": "tree_sitter_markdown"})
"""The grammar modules of the formats that are parsed by a grammar."""
