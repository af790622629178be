"""Every setting there is: its name, default, how it is read, and what a repository may do to it.

A repository's file may come from a stranger, so it may only narrow what MU does; `Reach` says so
for each key.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import PurePosixPath, PureWindowsPath
from typing import Generic, TypeVar

from mu.errors import ExitCode, MuError

Value = int | float | tuple[str, ...]
"""What a setting may hold."""

ValueType = TypeVar("ValueType", int, float, tuple[str, ...])


class ConfigError(MuError):
    """A setting that cannot be used; the message names the file, variable or flag it is in."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, ExitCode.USAGE)


class Reach(Enum):
    """What a repository's own file may do with a key."""

    FREE = auto()
    LOWER = auto()
    NONE = auto()


@dataclass(frozen=True, slots=True)
class Kind(Generic[ValueType]):
    """A type of value: `read` checks what a file or flag holds, `parse` reads a variable's text.

    Both raise ValueError with what was expected.
    """

    read: Callable[[object], ValueType]
    parse: Callable[[str], ValueType]


@dataclass(frozen=True, slots=True)
class Key(Generic[ValueType]):
    """One setting; `name` is dotted: section, then key."""

    name: str
    default: ValueType
    kind: Kind[ValueType]
    reach: Reach
    summary: str

    @property
    def section(self) -> str:
        """The table of the file that holds it."""
        return self.name.partition(".")[0]

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "MU_" + self.name.replace(".", "_").upper()


def _read_texts(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple) and all(isinstance(item, str) and item for item in value):
        return tuple(value)
    raise ValueError(f"a list of strings, found {_shape(value)}")


def _parse_texts(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _read_folders(value: object) -> tuple[str, ...]:
    folders = _read_texts(value)
    for folder in folders:
        path = PurePosixPath(folder)
        if path.is_absolute() or ".." in path.parts or PureWindowsPath(folder).drive:
            raise ValueError(f"folders inside the repository, found {folder!r}")
    return folders


def _whole_from(minimum: int) -> Kind[int]:
    expected = f"a whole number from {minimum}"

    def read(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and value >= minimum:
            return value
        raise ValueError(f"{expected}, found {_shape(value)}")

    def parse(text: str) -> int:
        return read(int(text) if text.strip().isdecimal() and len(text) < 20 else text)

    return Kind(read, parse)


def _read_seconds(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = float(value)
        if math.isfinite(seconds) and seconds > 0:
            return seconds
    raise ValueError(f"a number of seconds above 0, found {_shape(value)}")


def _parse_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return _read_seconds(text)
    return _read_seconds(seconds)


def _shape(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float | str | list | tuple):
        text = repr(value)
        return text if len(text) <= 60 else f"{text[:60]}..."
    return "a table" if isinstance(value, dict) else f"a {type(value).__name__}"


_TEXTS = Kind(_read_texts, _parse_texts)
_FOLDERS = Kind(_read_folders, lambda text: _read_folders(_parse_texts(text)))
_SECONDS = Kind(_read_seconds, _parse_seconds)

INCLUDE = Key("build.include", (), _TEXTS, Reach.FREE, "only files that match are indexed")
EXCLUDE = Key("build.exclude", (), _TEXTS, Reach.FREE, "files that match are left out")
LANGUAGES = Key("build.languages", (), _TEXTS, Reach.FREE, "only these languages; empty for all")
ROOTS = Key("build.roots", (), _FOLDERS, Reach.FREE, "folders where imports are looked up")
MAX_FILE_SIZE = Key(
    "build.max_file_size", 2_000_000, _whole_from(1), Reach.LOWER, "larger files are skipped, bytes"
)
GENERATED = Key("build.generated", (), _TEXTS, Reach.FREE, "files that match count as generated")
JOBS = Key("build.jobs", 0, _whole_from(0), Reach.NONE, "worker processes; 0: one a processor")
TIMEOUT = Key("query.timeout", 30.0, _SECONDS, Reach.LOWER, "a query is ended after it, seconds")
ROWS = Key("query.rows", 1000, _whole_from(1), Reach.LOWER, "rows of an answer at most")

AnyKey = Key[int] | Key[float] | Key[tuple[str, ...]]

KEYS: tuple[AnyKey, ...] = (
    INCLUDE,
    EXCLUDE,
    LANGUAGES,
    ROOTS,
    MAX_FILE_SIZE,
    GENERATED,
    JOBS,
    TIMEOUT,
    ROWS,
)
