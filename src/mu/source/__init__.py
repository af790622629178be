"""Finds the source files of a folder and reads them; the only package that touches the tree.

What walks a folder is found on first use and not imported here: who reads one file does without.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from mu.source.paths import native_path, path_text
from mu.source.reading import SkippedSource, SourceText, read_source
from mu.source.trees import SourceTree

if TYPE_CHECKING:
    from mu.source.discovery import discover
    from mu.source.walk_result import (
        Discovery,
        SkippedFile,
        SourceFile,
        UnknownFiles,
        WalkOptions,
    )

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

_RESULTS = frozenset(("Discovery", "SkippedFile", "SourceFile", "UnknownFiles", "WalkOptions"))


def __getattr__(name: str) -> object:
    if name not in _RESULTS and name != "discover":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "walk_result" if name in _RESULTS else "discovery"
    return getattr(import_module(f"mu.source.{home}"), name)
