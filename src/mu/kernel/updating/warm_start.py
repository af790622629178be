"""Prepare what an update needs and no edit changes, while there is none.

An idle process starts its worker, sets up the program of the current graph, and evaluates the file
that was edited last, since the next edit is mostly of the same one. An update takes over what
belongs to its graph, and makes everything else itself.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from mu.kernel.engine_digest import engine_digest
from mu.kernel.extraction.extraction_pool import extraction_pool
from mu.kernel.report import BuildReport
from mu.kernel.settings import BuildSettings
from mu.kernel.updating.program_state_cache import ProgramStateCache
from mu.kernel.workers.pool import WorkerPool
from mu.model.graph import File
from mu.model.relation import Relation
from mu.source import native_path
from mu.store import GraphFile

if TYPE_CHECKING:
    from mu.kernel.updating.edited_program import BuiltProgram

LARGEST_STATE = 20_000_000
"""Maximum size of a cached state, in bytes, of which the program is set up: django's has 4 MB, and
takes 150 MB when set up.
"""


class _ReadyPool(NamedTuple):
    root: Path
    settings: BuildSettings
    pool: WorkerPool


class _ReadyProgram(NamedTuple):
    digest: str
    files: Sequence[File]
    program: "BuiltProgram"


_pools: Final[list[_ReadyPool]] = []
_programs: Final[list[_ReadyProgram]] = []


def prepare(root: Path, graph: GraphFile, *, settings: BuildSettings) -> Iterator[None]:
    """Prepare, step by step, for an update of the `graph` of `root`.

    `settings` are those of its next build. The process that runs these steps has to be the one that
    updates, and the graph may be closed after the first step.
    """
    report = msgspec.json.decode(graph.meta().get("report", ""), type=BuildReport)
    files = _files_of(graph)
    one = replace(settings, jobs=1)
    languages = tuple(language.language for language in report.languages)
    pool = extraction_pool(root, one, is_known=False, languages=languages, has_few_files=True)
    pool.start()
    _pools.append(_ReadyPool(root, one, pool))
    yield
    from mu.kernel.updating.edited_program import set_up_program

    states = ProgramStateCache(settings.facts, engine_digest())
    state = states.find(states.name(report.digest, files)) or b""
    if not 0 < len(state) <= LARGEST_STATE:
        return
    program = yield from set_up_program(root, files, state=state, settings=settings)
    if program is None:
        return
    _programs.append(_ReadyProgram(report.digest, files, program))
    yield
    last = _last_edited(root, files)
    try:
        if last is not None:
            program.evaluate(last.key)
    except Exception:
        _programs.clear()  # it may be half evaluated
        raise


def take_pool(root: Path, settings: BuildSettings) -> WorkerPool | None:
    """Take over the pool with one worker for builds of `root`; None if none was prepared."""
    made = _pools.pop() if _pools else None
    if made is None or (made.root, made.settings) == (root, settings):
        return made and made.pool
    with made.pool:
        return None


def take_program(digest: str, files: Sequence[File]) -> "BuiltProgram | None":
    """Take over the prepared program of a graph with this digest and these files, if any."""
    made = _programs.pop() if _programs else None
    if made is None or (made.digest, made.files) != (digest, files):
        return None
    return made.program


def _files_of(graph: GraphFile) -> list[File]:
    """Return the rows of the files of a graph, in the order of their paths."""
    rows = graph.run(Relation("SELECT * FROM file"), limit=None).rows
    files = [File._make(row) for row in rows]
    files.sort(key=lambda file: file.path)
    return [file._replace(problems=tuple(file.problems)) for file in files]


def _last_edited(root: Path, files: Iterable[File]) -> File | None:
    """Return the file that was written last, of those that are in the graph."""
    last, found = 0, None
    for file in files:
        with suppress(OSError):
            written = os.lstat(root / native_path(file.path)).st_mtime_ns
            if file.status == "indexed" and written > last:
                last, found = written, file
    return found
