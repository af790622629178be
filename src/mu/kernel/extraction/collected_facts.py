"""The files of one build, by number, with the results that workers return for each.

Files are numbered by path, skipped ones too, before anything is extracted.
"""

from collections.abc import Generator
from contextlib import closing

import msgspec

from mu.kernel.extraction import file_extraction
from mu.kernel.report import Discovered, Extracted, OnEvent, Skipped
from mu.kernel.workers.pool import Outcome, WorkerPool
from mu.kernel.workers.worker_process import Task
from mu.model.documents import DocumentFacts
from mu.model.facts import FileFacts
from mu.model.graph import File
from mu.model.kinds import Category
from mu.source import Discovery, SkippedFile, SourceFile
from mu.syntax import FactsDecoder

_unpack = msgspec.msgpack.Decoder(DocumentFacts).decode


class CollectedFacts:
    """The results so far: `facts` and `documents` by number, and `skipped` files.

    After `finish` all are in the order of paths, whatever the order of the results was.
    """

    def __init__(self, discovery: Discovery) -> None:
        seen: list[SourceFile | SkippedFile] = [*discovery.files, *discovery.skipped]
        seen.sort(key=lambda file: file.path)
        self._rows: list[File] = []
        self._todo: dict[int, SourceFile] = {}
        self._outcomes: Generator[Outcome] = _none()
        self._pool: WorkerPool | None = None
        self.facts: dict[int, FileFacts] = {}
        self.documents: dict[int, DocumentFacts] = {}
        self.skipped: list[Skipped] = []
        for key, file in enumerate(seen):
            if isinstance(file, SourceFile):
                self._todo[key] = file
                self._rows.append(_unread(key, file))
            else:
                self._rows.append(_left_out(key, file.path, file.language, file.reason))
                self.skipped.append(Skipped(file.path, file.reason, is_loss(file.reason)))

    def discovered_event(self) -> Discovered:
        """Return the event that reports what the walk found."""
        size = sum(file.size for file in self._todo.values())
        return Discovered(len(self._todo), len(self.skipped), size)

    def fill(self, pool: WorkerPool, on_event: OnEvent) -> None:
        """Extract all files in `pool` and collect the results."""
        self.begin(pool)
        self.finish(on_event)

    def begin(self, pool: WorkerPool) -> None:
        """Begin to extract all files in `pool`."""
        self._pool = pool
        encode = msgspec.msgpack.Encoder().encode
        self._outcomes = pool.run(
            Task(
                key,
                file.size,
                encode(file_extraction.Request(file.path, file.language)),
                kind=file.language,
            )
            for key, file in self._todo.items()
        )

    def is_waiting(self) -> bool:
        """Return whether extraction has begun and no result is ready to be collected."""
        return self._pool is not None and not self._pool.has_arrived()

    def finish(self, on_event: OnEvent) -> None:
        """Collect the results of the extraction that was begun, until all have arrived."""
        decoder = msgspec.msgpack.Decoder(file_extraction.Result)
        done = size = 0
        facts_decoder = FactsDecoder()
        with closing(self._outcomes) as outcomes:
            for outcome in outcomes:
                self._take(outcome, decoder, facts_decoder)
                done += 1
                size += self._todo[outcome.key].size
                on_event(Extracted(done, len(self._todo), size))
        self.facts = dict(sorted(self.facts.items()))
        self.documents = dict(sorted(self.documents.items()))
        self.skipped.sort(key=lambda skip: skip.path)

    def files(self) -> tuple[File, ...]:
        """Return a row for each file that was seen."""
        return tuple(self._rows)

    def _take(
        self,
        outcome: Outcome,
        decoder: msgspec.msgpack.Decoder[file_extraction.Result],
        facts_decoder: FactsDecoder,
    ) -> None:
        row = self._rows[outcome.key]
        if outcome.failure:
            self._skip(row, outcome.failure, is_lost=True)
            return
        result = decoder.decode(outcome.payload)
        if result.reason:
            self._skip(row, result.reason, is_lost=is_loss(result.reason))
            read = self._rows[outcome.key]
            self._rows[outcome.key] = read._replace(digest=result.digest, bytes=result.size)
            return
        found: tuple[str, ...] = ()
        if result.document:
            self.documents[outcome.key] = _unpack(result.document)
        else:
            facts = self.facts[outcome.key] = facts_decoder.decode(result.facts)
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


def _none() -> Generator[Outcome]:
    yield from ()


def is_loss(reason: str) -> bool:
    """Return whether a file was skipped because it could not be read, and not on purpose."""
    return reason.startswith("unreadable")


def _unread(key: int, file: SourceFile) -> File:
    return File(key, file.path, file.language, file.category, "skipped", "", "", file.size, 0, ())


def _left_out(key: int, path: str, language: str, reason: str) -> File:
    return File(key, path, language, Category.SOURCE, "skipped", reason, "", 0, 0, ())
