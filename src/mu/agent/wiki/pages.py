"""The pages of a folder, read as they are now and kept until a file changes.

A wiki may be anybody's: only regular files below its folder are read, never through a link, and
what a model asks for is looked up among them, so no path can lead anywhere else.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from mu.agent.values import Record
from mu.errors import ExitCode, MuError
from mu.lexical.words import split_words
from mu.resolve.documents.document_nodes import page_category
from mu.source.decoding import decode
from mu.source.opening import open_regular
from mu.source.paths import path_text
from mu.syntax.documents import FORMATS, read_metadata

LARGEST_PAGE = 2_000_000
"""Bytes; a larger file is no page that anybody reads."""

_HIDDEN = (".", "_")
_NEAR = 3
_LONGEST_PATH = 300
_HEAD = 64_000  # bytes in which metadata and the first heading are looked for

Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Page(Record):
    """A page: its path from the wiki's folder, and what it says of itself and to the reader."""

    path: str
    title: str
    category: str
    metadata: dict[str, str]
    content: str


@dataclass(frozen=True, slots=True)
class WikiFailure(Record):
    """Why there is no such page, and what to do; `near` are paths that look alike."""

    error: str
    hint: str = ""
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A page with the words of its title and how often each word stands in its text."""

    page: Page
    title_words: frozenset[str]
    counts: Counter[str]
    length: int


class WikiPages:
    """The pages below a folder. Raises MuError (usage) when it is no folder."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        if not self.root.is_dir():
            raise MuError(f"no folder {root}", "name the folder of the pages", ExitCode.USAGE)
        self._kept: dict[str, tuple[Stamp, Entry]] = {}

    def entries(self) -> tuple[Entry, ...]:
        """Give all pages in order of paths; a file is read again only when it has changed."""
        kept: dict[str, tuple[Stamp, Entry]] = {}
        for path, file, stamp in self._files():
            old = self._kept.get(path)
            if old is not None and old[0] == stamp:
                kept[path] = old
            elif (entry := _read(path, file)) is not None:
                kept[path] = stamp, entry
        self._kept = kept
        return tuple(entry for _, entry in kept.values())

    def find(self, path: str) -> Page | WikiFailure:
        """Give the page at a path from the wiki's folder, or say why there is none."""
        return self.find_all((path,))[0]

    def find_all(self, paths: Sequence[str]) -> tuple[Page | WikiFailure, ...]:
        """Give for each path what `find` gives for it, after one look at the folder."""
        pages = {entry.page.path: entry.page for entry in self.entries()}
        return tuple(self._found(path, pages) for path in paths)

    def _found(self, path: str, pages: Mapping[str, Page]) -> Page | WikiFailure:
        parts = PurePosixPath(path.strip())
        if parts.is_absolute() or ".." in parts.parts:
            return WikiFailure(
                f"{path} is outside of the wiki", "give a path as the index has it, from its root"
            )
        page = pages.get(parts.as_posix())
        if page is not None:
            return page
        wanted = parts.as_posix()[:_LONGEST_PATH]
        near = tuple(get_close_matches(wanted, pages, n=_NEAR, cutoff=0.5))
        hint = f"near: {', '.join(near)}" if near else "search_wiki_content finds pages by words"
        is_link = any(map(self._is_link, (parts, *parts.parents)))
        told = "is a link, and links are not followed" if is_link else "there is no page"
        shown = path[:_LONGEST_PATH]
        return WikiFailure(f"{shown} {told}" if is_link else f"{told} {shown}", hint, near)

    def _is_link(self, path: PurePosixPath) -> bool:
        try:
            return (self.root / path).is_symlink()
        except (OSError, ValueError):  # no system has such a path
            return False

    def _files(self) -> Iterator[tuple[str, Path, Stamp]]:
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if not name.startswith(_HIDDEN)]
            for name in names:
                if name.startswith(_HIDDEN) or Path(name).suffix.lower() not in FORMATS:
                    continue
                file = Path(folder, name)
                try:
                    status = file.lstat()
                except OSError:  # gone since the folder was listed
                    continue
                stamp = status.st_mtime_ns, status.st_size, status.st_ino
                path = path_text(file.relative_to(self.root).as_posix())
                if status.st_size <= LARGEST_PAGE:
                    found.append((path, file, stamp))
        return iter(sorted(found))


def _read(path: str, file: Path) -> Entry | None:
    """Read a page; None for what is no text in a regular file."""
    try:
        with open_regular(str(file)) as opened:
            data = opened.read(LARGEST_PAGE)
        text, _ = decode(data)
    except (OSError, ValueError):
        return None
    metadata = read_metadata(text[:_HEAD], FORMATS[file.suffix.lower()])
    title = metadata.get("title") or PurePosixPath(path).stem
    said = metadata.get("category") or metadata.get("type") or page_category(path)
    content = text.decode("utf-8", "replace")
    counts = Counter(words_of(content))
    page = Page(path, title, singular(said), metadata, content)
    return Entry(page, frozenset(words_of(title)), counts, counts.total())


def words_of(text: str) -> list[str]:
    """Give the words of a text in lower case, identifiers split, plurals as singulars."""
    return [singular(word) for word in split_words(text)]


def singular(word: str) -> str:
    """Give a word in lower case without the `s` of a plural."""
    lowered = word.strip().lower()
    is_plural = len(lowered) > 3 and lowered.endswith("s") and not lowered.endswith("ss")
    return lowered[:-1] if is_plural else lowered
