"""Reads one source file for the parser; runs in worker processes.

The digest is of the bytes on disk, and the text comes from those same bytes: a file that changes
under the build is indexed as it was at one moment, or reported.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from mu.errors import MuError
from mu.model.kinds import Category
from mu.source.classification import text_category
from mu.source.decoding import decode
from mu.source.opening import failure_reason
from mu.source.paths import native_path
from mu.source.trees import SourceTree, as_tree

_DIGEST_SIZE = 16  # bytes


class SkippedSource(MuError):  # noqa: N818 - no failure: the build goes on without the file
    """A file that is not to be indexed; `message` is the reason."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file as the parser gets it.

    `text` is UTF-8 with LF line ends; `digest` is a hex BLAKE2b-128 of the `size` bytes on disk;
    `lines` counts an unfinished last line; `category` is None when the text does not tell one;
    `problems` are `line: what` texts.
    """

    text: bytes
    digest: str
    size: int
    lines: int
    category: Category | None
    problems: tuple[str, ...]


def read_source(root: Path | SourceTree, path: str, *, max_file_size: int) -> SourceText:
    """Read the file that a walk listed as `path` under `root`, of at most `max_file_size` bytes.

    Raises `SkippedSource` when it is binary, too large, gone, unreadable or no regular file by now.
    """
    data = _read(as_tree(root), native_path(path), max_file_size)
    try:
        text, problems = decode(data)
    except ValueError as error:
        raise SkippedSource("binary") from error
    digest = hashlib.blake2b(data, digest_size=_DIGEST_SIZE).hexdigest()
    lines = text.count(b"\n") + (not text.endswith(b"\n") and text != b"")
    return SourceText(text, digest, len(data), lines, text_category(text, lines), problems)


def _read(tree: SourceTree, path: str, max_file_size: int) -> bytes:
    try:
        data = tree.read(path, max_file_size + 1)
    except OSError as error:
        raise SkippedSource(failure_reason(error)) from error
    if len(data) > max_file_size:
        raise SkippedSource(f"larger than {max_file_size} bytes")
    return data
