"""What one page says, as plain rows: like `facts`, of one file alone and without its path."""

from enum import IntEnum
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from mu.model.words import FileWords

LONGEST_EXCERPT = 300
"""Characters of a page or section in its node."""


class PointerKind(IntEnum):
    """How a page points at something."""

    LINK = 0  # [text: the target as written, from the page's own place]
    LABEL = 1  # [text: the label of a section of any page]
    PAGE = 2  # [text: a page's path without its ending, from the root of the pages if it has a /]
    CODE = 3  # [text: what is set as code]
    NAME = 4  # [text: a name of code, said to be one]
    IMPORT = 5  # [text: a dotted name that an example imports]


class Section(NamedTuple):
    """A heading, and what stands under it up to the next heading of its level or above.

    `parent` is the number of the section around it, -1 for the page. `text` is what stands between
    this heading and the next one, as plain as it can be had, and `digest` a hex BLAKE2b-64 of it.
    Lines count from 1.
    """

    title: str
    level: int
    parent: int
    start_line: int
    end_line: int
    labels: tuple[str, ...]
    text: str
    digest: str


class Pointer(NamedTuple):
    """A link, or a mention of code. `section` is where it stands, -1 before the first heading.

    `scope` is the dotted name that names are said to be in, where the page says so.
    """

    kind: PointerKind
    section: int
    line: int
    text: str
    scope: str = ""


class DocumentFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that is known of one page; `text` is what stands before its first heading.

    Where `words` are there, they are those of the sections, and the texts of these are excerpts.
    """

    title: str
    category: str
    lines: int
    text: str
    sections: tuple[Section, ...]
    pointers: tuple[Pointer, ...]
    words: FileWords | None = None


def text_digest(text: str) -> str:
    """Give the hex BLAKE2b-64 of a text."""
    return blake2b(text.encode(), digest_size=8).hexdigest()
