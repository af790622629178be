"""The worker pool that reads and extracts the files of a folder or revision."""

import os
from pathlib import Path

import msgspec

from mu.kernel.extraction import file_extraction
from mu.kernel.settings import BuildSettings
from mu.kernel.workers.pool import WorkerPool
from mu.source.git.revisions import BlobTree, RevisionTree


def extraction_pool(
    root: Path | RevisionTree | BlobTree,
    settings: BuildSettings,
    *,
    is_known: bool,
    languages: tuple[str, ...] = (),
    has_few_files: bool = False,
) -> WorkerPool:
    """Return a pool of workers that read and extract the files of `root`.

    With `is_known` most facts are expected to be cached. The grammars of `languages` are loaded at
    the start, others when a file needs them. With `has_few_files`, what a worker learns of a
    language is cached for the next one.
    """
    folder = root if isinstance(root, Path) else root.repository
    configuration = file_extraction.Configuration(
        os.fsencode(folder.absolute()),
        settings.walk.max_file_size,
        os.fsencode(settings.facts.absolute()) if settings.facts else b"",
        is_known,
        not settings.is_full,
        root.tree if isinstance(root, RevisionTree) else "",
        isinstance(root, BlobTree),
        languages,
        has_few_files,
    )
    return WorkerPool(
        settings.entry,
        msgspec.msgpack.encode(configuration),
        limit=settings.processes,
        limits=settings.limits,
    )
