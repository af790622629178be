"""The settings as values: what is in force, and where each value came from."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class BuildSection:
    """What a build looks at. Patterns have git's ignore syntax; `max_file_size` is in bytes.

    `roots` are folders, relative to the repository, where imports are looked up; `jobs` counts
    worker processes, 0 for one on each processor.
    """

    include: tuple[str, ...]
    exclude: tuple[str, ...]
    languages: tuple[str, ...]
    roots: tuple[str, ...]
    max_file_size: int
    generated: tuple[str, ...]
    jobs: int


@dataclass(frozen=True, slots=True)
class QuerySection:
    """What an answer may cost: `timeout` in seconds, `rows` shown at most."""

    timeout: float
    rows: int


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting in force."""

    build: BuildSection
    query: QuerySection


class OriginKind(StrEnum):
    """Where a value can come from, strongest first."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    USER_FILE = "user file"
    REPOSITORY_FILE = "repository file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from; `name` is a variable's or a file's name, else empty."""

    kind: OriginKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".rstrip()
