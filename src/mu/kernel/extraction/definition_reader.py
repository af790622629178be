"""Read the definitions in blobs of git, parsed in a worker as in a build."""

from collections.abc import Sequence
from contextlib import closing

import msgspec

from mu.analysis.review.symbol_history import PARSED, Span
from mu.kernel.extraction.extraction_pool import extraction_pool
from mu.kernel.extraction.file_extraction import Request, Result
from mu.kernel.settings import BuildSettings
from mu.kernel.workers.pool import WorkerPool
from mu.kernel.workers.worker_process import Task
from mu.model.closing import Closing
from mu.model.facts import FileFacts
from mu.source.git.revisions import BlobTree
from mu.syntax import decode_facts


class DefinitionReader(Closing):
    """A reader of files in one language; its worker starts with the first, and ends on `close`."""

    def __init__(self, blobs: BlobTree, language: str, settings: BuildSettings) -> None:
        self._blobs = blobs
        self._language = language
        self._settings = settings
        self._pool: WorkerPool | None = None
        self._known: dict[str, tuple[Span, ...]] = {}

    def read(self, blobs: Sequence[str]) -> list[tuple[Span, ...]]:
        """Return the classes and functions of each file; none if it cannot be read or parsed."""
        new = [blob for blob in dict.fromkeys(blobs) if blob not in self._known]
        if new:
            self._parse(new)
        return [self._known[blob] for blob in blobs]

    def close(self) -> None:
        """End the worker."""
        if self._pool is not None:
            self._pool.__exit__(None, None, None)
            self._pool = None

    def _parse(self, blobs: Sequence[str]) -> None:
        if self._pool is None:
            self._pool = extraction_pool(self._blobs, self._settings, is_known=True)
            self._pool.__enter__()
        encode = msgspec.msgpack.Encoder().encode
        first = len(self._known)
        tasks = [
            Task(first + number, 0, encode(Request(blob, self._language)), kind=self._language)
            for number, blob in enumerate(blobs)
        ]
        self._known.update(dict.fromkeys(blobs, ()))
        decoder = msgspec.msgpack.Decoder(Result)
        with closing(self._pool.run(tasks)) as outcomes:
            for outcome in outcomes:
                result = None if outcome.failure else decoder.decode(outcome.payload)
                if result is not None and result.facts:
                    blob = blobs[outcome.key - first]
                    self._known[blob] = tuple(_spans(decode_facts(result.facts)))


def _spans(facts: FileFacts) -> list[Span]:
    found = []
    for one in facts.definitions:
        if one.kind in PARSED:
            start = min([one.start_line, *(line for _, line, _ in one.decorators)])
            found.append(Span(one.kind, _dotted(facts, one.name, one.scope), start, one.end_line))
    return found


def _dotted(facts: FileFacts, name: str, scope: int) -> str:
    """Return the name of a definition, after those of the definitions around it."""
    parts = [name]
    while scope > 0:
        around = facts.scopes[scope]
        if around.definition >= 0:
            parts.append(facts.definitions[around.definition].name)
        scope = around.parent
    return ".".join(reversed(parts))
