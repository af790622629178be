"""What a walk takes and leaves, and what it saw."""

from dataclasses import dataclass, field

import msgspec

from mu.model.kinds import Category
from mu.source.listings import Listings


class SourceFile(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A regular file of a known language; `path` as `path_text` writes it, `size` in bytes."""

    path: str
    language: str
    category: Category
    size: int


class SkippedFile(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What was seen and left out; a `path` with a slash at the end stands for a whole folder."""

    path: str
    reason: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class UnknownFiles:
    """How many files of no known language have names that end in `ending`, and the first such."""

    ending: str
    files: int
    path: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a walk saw, sorted by path and by ending; no order depends on the file system.

    `listings` is how it came to see that, which is no part of it.
    """

    files: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]
    unknown: tuple[UnknownFiles, ...] = ()
    listings: Listings = field(default_factory=Listings, compare=False)


@dataclass(frozen=True, slots=True)
class WalkOptions:
    """What a walk takes and leaves; globs are written like lines of a `.gitignore` at the root.

    With `include`, only what matches is taken; with `languages`, only theirs. `max_file_size` is in
    bytes. `generated` and `tests` tell categories and leave nothing out.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    max_file_size: int = 2_000_000
    generated: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
