"""Read the files that an edit changed, and separate code from documents."""

import logging
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from mu.kernel.change_detection.existing_graph import ExistingGraph
from mu.kernel.change_detection.file_changes import Changes
from mu.kernel.extraction.collected_facts import CollectedFacts
from mu.kernel.extraction.extraction_pool import extraction_pool
from mu.kernel.settings import BuildSettings
from mu.kernel.updating.warm_start import take_pool
from mu.model.documents import DocumentFacts
from mu.model.facts import FileFacts
from mu.model.graph import File
from mu.source import Discovery
from mu.syntax.documents import FORMATS

_logger = logging.getLogger(__name__)


class Edit(NamedTuple):
    """The files that an edit changed, with code and documents apart.

    `files` and `pages` are the rows of those that changed or are new, `facts` and `documents` their
    facts by key, `left_out` the rows of those that were skipped, of which the graph has nothing
    else. `added`, `removed` and `removed_pages` are paths; those added are of both sorts.
    """

    files: Sequence[File]
    facts: Mapping[int, FileFacts]
    pages: Sequence[File]
    documents: Mapping[int, DocumentFacts]
    left_out: Sequence[File]
    added: Set[str]
    removed: Set[str]
    removed_pages: Set[str]


@contextmanager
def read_changed(
    root: Path, existing: ExistingGraph, *, settings: BuildSettings
) -> Iterator[CollectedFacts]:
    """Yield a collection of the changed files, which a worker reads while the caller prepares."""
    changed = {*existing.changes.changed, *existing.changes.added}
    files = tuple(file for file in existing.found.files if file.path in changed)
    collection = CollectedFacts(Discovery(files, (), ()))
    if not files:
        yield collection
        return
    settings = replace(settings, jobs=1)
    ready = take_pool(root, settings)
    with ready or extraction_pool(root, settings, is_known=False, has_few_files=True) as pool:
        collection.begin(pool)
        import_module("mu.kernel.updating.file_relinking")
        yield collection


def edit_of(changes: Changes, collection: CollectedFacts) -> Edit | None:
    """Return the edit of files that were read; None if a new one was skipped."""
    rows, facts, documents = collection.files(), collection.facts, collection.documents
    left_out = [row for row in rows if row.key not in facts and row.key not in documents]
    if not {*changes.added}.isdisjoint(row.path for row in left_out):
        _logger.debug("not updated: a new file is left out")
        return None
    pages = {*filter(is_page, changes.removed)}
    return Edit(
        *([row for row in rows if row.key in facts], facts),
        *([row for row in rows if row.key in documents], documents),
        left_out,
        {*changes.added},
        {*changes.removed} - pages,
        pages,
    )


def is_page(path: str) -> bool:
    """Return whether a file is a document, by its path."""
    return path.endswith((*FORMATS,))
