"""From a folder to a graph in memory: walk, extract in worker processes, link.

Files are numbered by path before anything is extracted, so the order of the walk and the number of
workers cannot change the graph. Facts are unpacked as they arrive, while the workers go on.
"""

import gc
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from mu.errors import ExitCode, MuError
from mu.kernel import extraction
from mu.kernel.digest import graph_digest
from mu.kernel.pool import Outcome, WorkerPool
from mu.kernel.process import Task
from mu.kernel.report import (
    BuildReport,
    Discovered,
    Event,
    Extracted,
    LanguageCount,
    Linking,
    OnEvent,
    SiteCounts,
    Skipped,
)
from mu.kernel.sources import list_sources
from mu.kernel.stopwatch import Stopwatch
from mu.languages import load_rules
from mu.model.facts import FileFacts
from mu.model.graph import File, Graph, Site
from mu.model.kinds import Category, Reason
from mu.resolve import link
from mu.source import Discovery, SkippedFile, SourceFile, WalkOptions
from mu.syntax import Manifest, decode_facts, load_manifests


class NothingToIndexError(MuError):
    """The folder holds no file that could be indexed."""


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """What to build and how.

    `jobs` counts worker processes, 0 for one on each processor available. `deadline` is in seconds
    a file, `lock_wait` in seconds for another build to end. `entry` names what a worker runs.
    """

    walk: WalkOptions = field(default_factory=WalkOptions)
    jobs: int = 0
    roots: tuple[str, ...] = ()
    deadline: float = 20.0
    lock_wait: float = 30.0
    entry: str = extraction.ENTRY


def ignore_event(event: Event) -> None:
    """Do nothing with an event."""


def index(
    root: Path, settings: BuildSettings, *, on_event: OnEvent = ignore_event
) -> tuple[Graph, BuildReport]:
    """Make the graph of the folder `root`.

    Raises `NothingToIndexError` when no file could be indexed, `WorkerStartError` when worker
    processes cannot be started. One bad file never raises: it is in the report.
    """
    check_folder(root)
    watch = Stopwatch()
    with collector_paused(), _pool(root, settings) as pool:
        manifests = load_manifests()
        discovery = list_sources(root, settings.walk, manifests=manifests)
        collected = _Collected(discovery)
        watch.lap("discover")
        on_event(collected.announcement())
        collected.fill(pool, on_event)
        watch.lap("extract")
        files = collected.files()
        if not collected.facts:
            raise _nothing(manifests, collected.skipped)
        on_event(Linking(len(collected.facts)))
        rules = load_rules({files[key].language for key in collected.facts})
        graph = link(files, collected.facts, rules, roots=settings.roots)
        watch.lap("link")
        digest = graph_digest(graph)
        watch.lap("digest")
    return graph, _report(graph, collected.skipped, digest, watch)


def check_folder(root: Path) -> None:
    """Raise a `MuError` (usage) unless `root` is a folder that can be listed."""
    if not root.exists():
        raise MuError(f"no such folder: {root}", "check the path", ExitCode.USAGE)
    if not root.is_dir():
        raise MuError(
            f"not a folder: {root}", "give the folder that holds the repository", ExitCode.USAGE
        )
    if not os.access(root, os.R_OK | os.X_OK):
        raise MuError(f"cannot read the folder {root}: permission denied", code=ExitCode.USAGE)


class _Collected:
    """What is known of each file so far, by its number; skipped files have numbers too."""

    def __init__(self, discovery: Discovery) -> None:
        seen: list[SourceFile | SkippedFile] = [*discovery.files, *discovery.skipped]
        seen.sort(key=lambda file: file.path)
        self._rows: list[File] = []
        self._todo: dict[int, SourceFile] = {}
        self.facts: dict[int, FileFacts] = {}
        self.skipped: list[Skipped] = []
        for key, file in enumerate(seen):
            if isinstance(file, SourceFile):
                self._todo[key] = file
                self._rows.append(_unread(key, file))
            else:
                self._rows.append(_left_out(key, file.path, file.language, file.reason))
                self.skipped.append(Skipped(file.path, file.reason, is_loss(file.reason)))

    def announcement(self) -> Discovered:
        """Say what the walk found."""
        size = sum(file.size for file in self._todo.values())
        return Discovered(len(self._todo), len(self.skipped), size)

    def fill(self, pool: WorkerPool, on_event: OnEvent) -> None:
        """Extract all files in `pool` and take in what comes back."""
        encoder = msgspec.msgpack.Encoder()
        tasks = [
            Task(
                key,
                file.size,
                encoder.encode(extraction.Request(file.path, file.language)),
            )
            for key, file in self._todo.items()
        ]
        decoder = msgspec.msgpack.Decoder(extraction.Result)
        done = size = 0
        with closing(pool.run(tasks)) as outcomes:
            for outcome in outcomes:
                self._take(outcome, decoder)
                done += 1
                size += self._todo[outcome.key].size
                on_event(Extracted(done, len(tasks), size))

    def files(self) -> tuple[File, ...]:
        """Give a row for each file that was seen."""
        self.skipped.sort(key=lambda skip: skip.path)
        return tuple(self._rows)

    def _take(self, outcome: Outcome, decoder: msgspec.msgpack.Decoder[extraction.Result]) -> None:
        row = self._rows[outcome.key]
        if outcome.failure:
            self._skip(row, outcome.failure, is_lost=True)
            return
        result = decoder.decode(outcome.payload)
        if result.reason:
            self._skip(row, result.reason, is_lost=is_loss(result.reason))
            return
        facts = decode_facts(result.facts)
        self.facts[outcome.key] = facts
        found = tuple(f"{problem.line}: {problem.message}" for problem in facts.problems)
        self._rows[outcome.key] = row._replace(
            status="indexed",
            reason="",
            digest=result.digest,
            bytes=result.size,
            lines=result.lines,
            category=Category(result.category) if result.category else row.category,
            problems=(*result.problems, *found),
        )

    def _skip(self, row: File, reason: str, *, is_lost: bool) -> None:
        self._rows[row.key] = _left_out(row.key, row.path, row.language, reason)
        self.skipped.append(Skipped(row.path, reason, is_lost=is_lost))


def is_loss(reason: str) -> bool:
    """Tell a file that the system would not give from one that was left out on purpose."""
    return reason.startswith("unreadable")


def _unread(key: int, file: SourceFile) -> File:
    return File(key, file.path, file.language, file.category, "skipped", "", "", file.size, 0, ())


def _left_out(key: int, path: str, language: str, reason: str) -> File:
    return File(key, path, language, Category.SOURCE, "skipped", reason, "", 0, 0, ())


def _pool(root: Path, settings: BuildSettings) -> WorkerPool:
    configuration = extraction.Configuration(
        os.fsencode(root.absolute()), settings.walk.max_file_size
    )
    return WorkerPool(
        settings.entry,
        msgspec.msgpack.encode(configuration),
        limit=settings.jobs or available_processors(),
        deadline=settings.deadline,
    )


def available_processors() -> int:
    """Count the processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the cyclic garbage collector off: facts and rows are millions of objects, no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _nothing(manifests: Mapping[str, Manifest], skipped: Sequence[Skipped]) -> NothingToIndexError:
    known = ", ".join(
        f"{name} ({' '.join(manifest.extensions)})" for name, manifest in manifests.items()
    )
    if not skipped:
        return NothingToIndexError(
            "nothing to index: no file of a known language here", f"known: {known}"
        )
    first, count = skipped[0], len(skipped)
    seen = "the only file was skipped:" if count == 1 else f"all {count} files were skipped, first"
    return NothingToIndexError(
        f"nothing to index: {seen} {first.path}: {first.reason}", f"known languages: {known}"
    )


def _report(graph: Graph, skipped: Sequence[Skipped], digest: str, watch: Stopwatch) -> BuildReport:
    indexed = [file for file in graph.files if file.status == "indexed"]
    languages = Counter(file.language for file in indexed)
    return BuildReport(
        is_partial=any(skip.is_lost for skip in skipped),
        files=len(graph.files),
        indexed=len(indexed),
        skipped=tuple(skipped),
        problems=sum(1 for file in indexed if file.problems),
        bytes=sum(file.bytes for file in indexed),
        lines=sum(file.lines for file in indexed),
        languages=tuple(LanguageCount(*item) for item in sorted(languages.items())),
        nodes=len(graph.nodes),
        edges=len(graph.edges),
        sites=count_sites(graph.sites),
        digest=digest,
        seconds=watch.total,
        stages=tuple(watch.stages),
    )


def count_sites(sites: Sequence[Site]) -> SiteCounts:
    """Count references by what became of them."""
    by_reason = Counter(site.reason for site in sites if site.choice == 0)
    total = by_reason.total()
    known = by_reason[None] + by_reason[Reason.EXTERNAL]
    return SiteCounts(
        total=total,
        resolved=by_reason[None],
        external=by_reason[Reason.EXTERNAL],
        ambiguous=by_reason[Reason.AMBIGUOUS],
        dynamic=by_reason[Reason.DYNAMIC],
        unknown=by_reason[Reason.UNKNOWN],
        share_resolved=known / total if total else 1.0,
    )
