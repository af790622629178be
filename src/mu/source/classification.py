"""What sort of file it is, as far as the path and the text tell.

Paths tell tests (globs that the languages bring), vendored code (folder names) and generated code
(globs of the settings). The text tells the rest: a marker near the top says generated, very long
lines of code say minified.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mu.model.kinds import Category

if TYPE_CHECKING:
    from mu.source.ignore import Rules

VENDORED = ("vendor/", "_vendor/", "vendored/", "_vendored/", "third_party/", "site-packages/")
"""Folders that hold other people's code, as globs."""

INSTALLED = frozenset({"node_modules", "bower_components"})
"""Folders that a package manager fills: skipped as a whole, reported once each."""

VIRTUAL_ENVIRONMENT = "pyvenv.cfg"
"""The file that marks a folder as a virtual environment: skipped as a whole, reported once."""

STATE = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "__pycache__"})
"""Folders that hold a tool's state and never a source: left out without a word."""

_MARKER_REACH = 1_000  # bytes from the top; what stands further down is code about markers
_COMMENT = re.compile(rb"\s*(?:#|//|/\*|\*|--|;|<!--|%)")
_MEAN_LINE = 200  # bytes; written code has 20 to 50
_MINIFIED_SIZE = 2_000  # bytes below which the mean says nothing
_LONG_LINE = 500  # bytes; other files have at most data in such lines
_LONG_SHARE = 0.9  # of a bundle's text is in long lines
_CODE_WORD = re.compile(rb"\b(?:function|return)\b|=>")
_CODE_EVERY = 4_000  # bytes of code in which there is such a word; data has one by chance


@dataclass(frozen=True, slots=True)
class PathClasses:
    """The compiled globs of one walk, by what they tell; the first that matches counts."""

    rules: "tuple[tuple[Category, Rules], ...]"

    def of(self, path: str, name: str, *, inherited: Category) -> Category:
        """Classify a path (see `Rules.verdict`) within a folder that is `inherited`."""
        for category, rules in self.rules:
            if category is inherited or rules.verdict(path, name):
                return category
        return inherited


def path_classes(tests: Sequence[str], generated: Sequence[str]) -> PathClasses:
    """Compile what tells categories by the path: vendored before generated before tests."""
    from mu.source.ignore import compile_globs  # who reads one file does without

    globs = (
        (Category.VENDORED, VENDORED),
        (Category.GENERATED, generated),
        (Category.TEST, tests),
    )
    return PathClasses(tuple((category, compile_globs(found)) for category, found in globs))


def text_category(text: bytes, lines: int) -> Category | None:
    """Tell generated and minified text; None when the text does not tell."""
    if _has_generated_marker(text[:_MARKER_REACH]):
        return Category.GENERATED
    is_long = len(text) >= _MINIFIED_SIZE and len(text) > _MEAN_LINE * lines
    return Category.MINIFIED if is_long and _is_code_in_long_lines(text) else None


def _is_code_in_long_lines(text: bytes) -> bool:
    """Tell a bundle from a file with a long line of data in it, such as a font or a style sheet."""
    long = [line for line in text.split(b"\n") if len(line) > _LONG_LINE]
    size = sum(map(len, long))
    if size < _LONG_SHARE * len(text):
        return False
    return _CODE_EVERY * sum(len(_CODE_WORD.findall(line)) for line in long) > size


def _has_generated_marker(head: bytes) -> bool:
    """Look for `@generated`, or for "generated" with "do not edit", in comments."""
    if b"enerated" not in head and b"ENERATED" not in head:
        return False
    found = (line for line in head.split(b"\n") if _COMMENT.match(line))
    comments = b"\n".join(found).lower()
    if b"@generated" in comments:
        return True
    is_final = b"do not edit" in comments or b"do not modify" in comments
    return is_final and b"generated" in comments
