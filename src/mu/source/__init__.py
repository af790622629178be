"""Finds the source files of a folder and reads them; the only package that touches the tree."""

from mu.source.discovery import (
    Discovery,
    SkippedFile,
    SourceFile,
    UnknownFiles,
    WalkOptions,
    discover,
)
from mu.source.paths import native_path, path_text
from mu.source.reading import SkippedSource, SourceText, read_source
from mu.source.trees import SourceTree

__all__ = [
    "Discovery",
    "SkippedFile",
    "SkippedSource",
    "SourceFile",
    "SourceText",
    "SourceTree",
    "UnknownFiles",
    "WalkOptions",
    "discover",
    "native_path",
    "path_text",
    "read_source",
]
