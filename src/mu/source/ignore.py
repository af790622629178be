"""Which paths the ignore files of a tree leave out, asked folder by folder from the top.

Git asks the nearest ignore file first and takes its last pattern that matches; only when none does,
it asks the next one up. A folder that is left out is never entered, so nothing below it can be
taken back. The same patterns serve as the globs of settings (`include`, `exclude`, `tests`).
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from mu.source.opening import IrregularFileError
from mu.source.trees import SourceTree
from mu.source.wildmatch import Pattern, parse_pattern

MAX_IGNORE_FILE = 100_000
"""Bytes of an ignore file that are still compiled; the largest of GitHub's templates has 10,000."""

_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class _Run:
    """Patterns that follow each other and have the same sign: their order does not matter."""

    is_negated: bool
    names: re.Pattern[str]
    paths: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one ignore file, last run first."""

    runs: tuple[_Run, ...] = ()

    def verdict(self, path: str, name: str) -> bool | None:
        """Say whether the patterns match (True), take back (False) or are silent (None).

        Both in `byte_form`, with a slash at the end for a folder; `path` counts from the folder of
        the ignore file and ends with `name`.
        """
        for run in self.runs:
            if run.names.match(name) or run.paths.match(path):
                return not run.is_negated
        return None


def byte_form(name: str) -> str:
    """Give a native name or path as one character a byte, which is what patterns count."""
    return name if name.isascii() else os.fsencode(name).decode("latin-1")


def compile_globs(globs: Iterable[str]) -> Rules:
    """Compile globs of the settings, written like lines of a `.gitignore` at the root."""
    return _compile(byte_form(glob) for glob in globs)


def compile_ignore_file(data: bytes) -> Rules:
    """Compile the bytes of an ignore file; what can match nothing is left out without a word."""
    lines = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n")
    return _compile(line.removesuffix("\r") for line in lines)


def read_ignore_file(tree: SourceTree, path: str) -> Rules:
    """Read and compile one ignore file; OSError when it is no regular file of bounded size."""
    data = tree.read(path, MAX_IGNORE_FILE + 1)
    if len(data) > MAX_IGNORE_FILE:
        raise IrregularFileError(f"larger than {MAX_IGNORE_FILE} bytes")
    return compile_ignore_file(data)


def _compile(lines: Iterable[str]) -> Rules:
    patterns = [pattern for line in lines if (pattern := parse_pattern(line))]
    runs = [
        _compile_run(is_negated, list(run))
        for is_negated, run in groupby(patterns, key=lambda pattern: pattern.is_negated)
    ]
    return Rules(tuple(reversed(runs)))


def _compile_run(is_negated: bool, patterns: list[Pattern]) -> _Run:
    names = [pattern for pattern in patterns if not pattern.has_path]
    paths = [pattern for pattern in patterns if pattern.has_path]
    return _Run(is_negated, _alternatives(names), _alternatives(paths))


def _alternatives(patterns: list[Pattern]) -> re.Pattern[str]:
    either = "|".join(pattern.regex for pattern in patterns if not pattern.only_folders)
    folders = "|".join(pattern.regex for pattern in patterns if pattern.only_folders)
    parts = [f"(?:{either})/?" if either else "", f"(?:{folders})/" if folders else ""]
    joined = "|".join(part for part in parts if part)
    return re.compile(rf"(?:{joined})\Z", re.DOTALL) if joined else _NOTHING
