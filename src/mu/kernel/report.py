"""Events of a running build, and the report of a finished one.

All are frozen values that hold no absolute path; surfaces render them.
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
    """The walk is done: `files` will be read, of `bytes` in all; `skipped` were left out by it."""

    files: int
    skipped: int
    bytes: int


class Extracted(msgspec.Struct, frozen=True):
    """Another file is done with, indexed or not: `done` files of `files`, `bytes` of source."""

    done: int
    files: int
    bytes: int


class Linking(msgspec.Struct, frozen=True):
    """Names are being resolved over `files` files."""

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
    """A file that is not in the graph, and why; `is_lost` when it should have been."""

    path: str
    reason: str
    is_lost: bool


@dataclass(frozen=True, slots=True)
class Unlinked:
    """A file that is in the graph, but an error of MU's kept it from being linked in full."""

    path: str
    error: str


@dataclass(frozen=True, slots=True)
class SiteCounts:
    """References by what became of them; a reference with several candidates counts once.

    `share_resolved` is the share whose meaning is known, inside or outside the repository.
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
        """Count references that became of this or that."""
        known = resolved + external
        total = known + ambiguous + dynamic + unknown
        share = known / total if total else 1.0
        return cls(total, resolved, external, ambiguous, dynamic, unknown, share)


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """How many files of a language were indexed."""

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
    """A finished build.

    `files` were seen: `indexed` and those in `skipped`. It is partial when a file is missing that
    should be in the graph, or is among the `unlinked`. `problems` counts files that were indexed
    although something in them could not be read as it stands, or linked; `bytes` and `lines` are of
    the source indexed. `limits` are the bounds that linking reached: nothing is lost where it did,
    but less is known. `unknown` counts the files of no known language, which are not among `files`.
    `file_bytes` is the size of the `.mubase`, 0 when none was written. `digest` is the graph's,
    equal for equal graphs. With `is_unchanged` it tells of the graph that was there: nothing
    changed, and none was made. `updated` counts the files whose rows were replaced in the
    graph that was there, and is None where all were made anew.
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


def ignore_event(event: Event) -> None:
    """Do nothing with an event."""


def report_meta(report: BuildReport) -> dict[str, str]:
    """Give what the file says of itself; no value of it names a place on this machine."""
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
