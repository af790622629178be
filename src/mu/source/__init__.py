"""Finds the source files of a folder and reads them; the only package that touches the tree."""

from mu.source.discovery import (
    Discovery,
    SkippedFile,
    SourceFile,
    UnknownFiles,
    WalkOptions,
    discover,
)
from mu.source.history import Commit, Losses, find_losses
from mu.source.paths import native_path, path_text
from mu.source.reading import SkippedSource, SourceText, read_source

__all__ = [
    "Commit",
    "Discovery",
    "Losses",
    "SkippedFile",
    "SkippedSource",
    "SourceFile",
    "SourceText",
    "UnknownFiles",
    "WalkOptions",
    "discover",
    "find_losses",
    "native_path",
    "path_text",
    "read_source",
]
