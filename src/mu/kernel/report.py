"""Events of a running build, and the report of a finished one.

All are frozen values without absolute paths; callers render them.
"""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Self

import msgspec

import mu
from mu.render.shown import Shown
from mu.source import UnknownFiles


class Waiting(msgspec.Struct, frozen=True):
    """Another build of the same repository runs; this one waits up to `seconds` for it."""

    seconds: float


class Discovered(msgspec.Struct, frozen=True):
    """The walk is done: `files` of `bytes` in total will be read, `skipped` ones will not."""

    files: int
    skipped: int
    bytes: int


class Extracted(msgspec.Struct, frozen=True):
    """One more file was indexed or skipped: `done` of `files` so far, with `bytes` of source."""

    done: int
    files: int
    bytes: int


class Linking(msgspec.Struct, frozen=True):
    """References are being resolved in `files` files."""

    files: int


class Writing(msgspec.Struct, frozen=True):
    """The graph is being written."""

    nodes: int
    edges: int
    sites: int


class Published(msgspec.Struct, frozen=True):
    """The new graph is in place; its file has `bytes`."""

    bytes: int


Event = Waiting | Discovered | Extracted | Linking | Writing | Published

OnEvent = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not indexed, and the reason; `is_lost` if it should have been."""

    path: str
    reason: str
    is_lost: bool


@dataclass(frozen=True, slots=True)
class Unlinked:
    """An indexed file that was not linked completely because of an error in MU."""

    path: str
    error: str


@dataclass(frozen=True, slots=True)
class SiteCounts:
    """Numbers of references by outcome; a reference with several candidates counts once.

    `share_resolved` is the share that resolved to a target inside or outside the repository.
    """

    total: int
    resolved: int
    external: int
    ambiguous: int
    dynamic: int
    unknown: int
    share_resolved: float

    @classmethod
    def of(
        cls, *, resolved: int, external: int, ambiguous: int, dynamic: int, unknown: int
    ) -> Self:
        """Create the counts from the number of references with each outcome."""
        known = resolved + external
        total = known + ambiguous + dynamic + unknown
        share = known / total if total else 1.0
        return cls(total, resolved, external, ambiguous, dynamic, unknown, share)


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """The number of indexed files of a language."""

    language: str
    files: int


@dataclass(frozen=True, slots=True)
class Stage:
    """The wall time of one stage."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound that linking reached `count` times, by its name in `model.graph.Limits`."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class BuildReport(Shown):
    """The report of a finished build.

    `files` counts the files that were seen: those `indexed` and those in `skipped`. The report is
    partial if a file is missing that should be in the graph, or is among the `unlinked`. `problems`
    counts indexed files in which something could not be read as written, or not linked; `bytes` and
    `lines` are those of the indexed source. `limits` are the bounds that linking reached: no file
    or reference is lost there, but less may be resolved. `unknown` counts the files of no known
    language, which are not among `files`, and `minified` the indexed files that are modules without
    contents. `file_bytes` is the size of the `.mubase`, 0 when none was written. `digest` is the
    graph's, equal for equal graphs. With `is_unchanged` the report is that of the existing graph:
    nothing changed, and none was built. `updated` counts the files whose rows were replaced in the
    existing graph, and is None after a full build.
    """

    is_partial: bool
    files: int
    indexed: int
    skipped: tuple[Skipped, ...]
    problems: int
    bytes: int
    lines: int
    languages: tuple[LanguageCount, ...]
    nodes: int
    edges: int
    sites: SiteCounts
    digest: str
    seconds: float
    stages: tuple[Stage, ...]
    limits: tuple[Limit, ...] = ()
    unknown: tuple[UnknownFiles, ...] = ()
    file_bytes: int = 0
    is_unchanged: bool = False
    unlinked: tuple[Unlinked, ...] = ()
    updated: int | None = None
    minified: int = 0


def ignore_event(event: Event) -> None:
    """Do nothing with an event."""


def report_meta(report: BuildReport) -> dict[str, str]:
    """Return the report as rows of the file's `meta` table, without paths of this machine."""
    return {
        "mu_version": mu.__version__,
        "digest": report.digest,
        "partial": "true" if report.is_partial else "false",
        "files_indexed": str(report.indexed),
        "files_skipped": str(len(report.skipped)),
        "languages": " ".join(count.language for count in report.languages),
        "unknown_files": msgspec.json.encode([astuple(row) for row in report.unknown]).decode(),
        "limits": msgspec.json.encode({row.name: row.count for row in report.limits}).decode(),
        "report": msgspec.json.encode(report).decode(),
    }
