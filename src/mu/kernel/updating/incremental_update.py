"""Update a graph after an edit instead of building it again.

Rows of the files that the edit affects are replaced in a copy of the graph, which is then published
like any other. Where only positions and prose changed, the lines in the rows move (`line_shifts`);
else files are relinked without the rest of the program (`file_relinking`). The result is the graph
that a full build would make; where that is not certain, there is no result, and the caller builds.
"""

import logging
import os
import shutil
from collections.abc import Callable, Generator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mu.errors import MuError
from mu.kernel.change_detection.build_inputs import walk_digest
from mu.kernel.change_detection.existing_graph import ExistingGraph
from mu.kernel.change_detection.file_changes import Changes, KnownFile
from mu.kernel.indexing.graph_digest import (
    digest_text,
    entries_digest,
    file_digest,
    node_hash,
    outside_digest,
)
from mu.kernel.report import BuildReport, OnEvent, report_meta
from mu.kernel.settings import BuildSettings
from mu.kernel.stopwatch import Stopwatch
from mu.kernel.updating.edited_files import Edit, edit_of, is_page, read_changed
from mu.kernel.updating.posting_changes import changed_words, merged_postings
from mu.kernel.updating.program_state_cache import ProgramStateCache
from mu.kernel.updating.report_changes import with_more_limits, with_replaced
from mu.kernel.updating.warm_start import take_program
from mu.model.facts import FileFacts
from mu.model.graph import Entry, File, FileRows, Posted
from mu.model.kinds import EdgeKind
from mu.store.graph_update import GraphUpdate, Placed
from mu.syntax import decode_facts
from mu.syntax.facts_cache import FactsCache

if TYPE_CHECKING:
    from mu.kernel.updating.document_relinking import KnownDocuments
    from mu.kernel.updating.edited_program import BuiltProgram, ProgramAhead
    from mu.kernel.updating.file_relinking import ProgramChange
    from mu.resolve import WholeProgramState

_logger = logging.getLogger(__name__)

MOST_FILES = 50
"""Maximum number of changed files; for more, a full build costs no more than an update."""

LARGEST_GRAPH_AHEAD = 200_000
"""Maximum number of nodes of a graph whose program is set up while files are read: if the edit does
not need it, the step under way is wasted, 50 ms for 75,000 nodes.
"""


class Updated(NamedTuple):
    """An updated graph, and a function that caches its whole-program state for the next update.

    Caching takes as long as writing the graph, so callers do it once the graph is published.
    """

    graph: ExistingGraph
    keep_state: Callable[[], None]


def update(
    root: Path,
    existing: ExistingGraph,
    *,
    settings: BuildSettings,
    new: Path,
    built_at: int,
    on_event: OnEvent,
) -> Updated | None:
    """Write the updated version of the existing graph into the file `new`.

    `built_at` is when the walk began, in nanoseconds. Returns None where a full build is needed;
    `new` may exist then.
    """
    changes, facts = existing.changes, settings.facts
    if facts is None or changes.total > MOST_FILES:
        _logger.debug("not updated: %d files changed", changes.total)
        return None
    watch = Stopwatch()
    with read_changed(root, existing, settings=settings) as collection:
        if not _copy(existing.file, new):
            return None
        with GraphUpdate(new) as graph:
            step = _Update(root, settings, facts, graph=graph, existing=existing)
            graph.read_ahead(changes.changed)
            if not all(map(is_page, (*changes.changed, *changes.added))):
                step.get_ahead(has_time=collection.is_waiting)
            collection.finish(on_event)
            watch.lap("extract")
            edit = edit_of(changes, collection)
            if edit is None or not step.apply(edit) or not step.declare():
                return None
            report = replace(step.finish(), unknown=existing.found.unknown)
            watch.lap("update")
            report = replace(report, stages=tuple(watch.stages), seconds=watch.total)
            inputs = msgspec.structs.replace(
                existing.inputs,
                commit=existing.commit,
                walked=walk_digest(existing.found),
                manifests={**existing.inputs.manifests, **existing.manifests},
            )
            graph.finish(
                {
                    **report_meta(report),
                    "built_at": str(built_at),
                    "commit": existing.commit,
                    "basis": msgspec.json.encode(inputs).decode(),
                }
            )
    updated = existing._replace(
        report=report,
        inputs=inputs,
        changes=Changes((), (), ()),
        built_at=built_at,
        known=_known_after(existing, edit),
        manifests={},
    )
    return Updated(updated, step.keep_state)


def _copy(file: Path, new: Path) -> bool:
    """Copy a graph; return False if it is gone, as a cached one that another build removed."""
    try:
        shutil.copyfile(file, new)
    except FileNotFoundError:
        _logger.debug("not updated: the graph is gone")
        return False
    return True


def _known_after(existing: ExistingGraph, edit: Edit) -> tuple[KnownFile, ...]:
    """Return the files of a graph after an edit."""
    known = {file.path: file for file in existing.known}
    for path in existing.changes.removed:
        del known[path]
    for row in (*edit.files, *edit.pages, *edit.left_out):
        known[row.path] = KnownFile(row.path, row.bytes, row.digest)
    return (*known.values(),)


_NodeHashes = Mapping[int, int]
"""The hashes of nodes in the digest, by their keys."""


class _Update:
    """One update: it replaces rows of files, and keeps the report and the digest current."""

    def __init__(
        self,
        root: Path,
        settings: BuildSettings,
        facts: Path,
        *,
        graph: GraphUpdate,
        existing: ExistingGraph,
    ) -> None:
        self._root = root
        self._settings = settings
        self._facts = facts
        self._graph = graph
        self._report = replace(existing.report, updated=0)
        self._files = graph.files()
        self._states = ProgramStateCache(facts, existing.inputs.engine)
        self._manifests = existing.manifests.keys()
        self._before = self._states.name(existing.report.digest, self._files)
        self._state: WholeProgramState | None = None  # the new one, if it changed
        self._name = ""  # the cache key of the state
        self._program: ProgramAhead | None = None  # of the old graph, once begun
        self._decoded: dict[str, FileFacts] = {}  # of old files, by digest
        self._has_other_files = False
        self._total = 0  # to be added to the digest
        self._said: list[tuple[list[Posted], list[Posted]]] = []

    def get_ahead(self, *, has_time: Callable[[], bool]) -> None:
        """Set up the program of the graph while there is time: most edits need it."""
        if self._report.nodes <= LARGEST_GRAPH_AHEAD:
            program = self._program_before()
            while has_time() and program.step():
                pass

    def are_all_like(
        self,
        files: Sequence[File],
        facts: Mapping[int, FileFacts],
        *,
        is_like: Callable[[FileFacts, FileFacts], bool],
    ) -> bool:
        """Return whether the facts of each file and those in the graph satisfy `is_like`."""
        known = {row.path: row for row in self._files}
        for file in files:
            row = known.get(file.path)
            old = row and self._facts_before(file.language, row.digest)
            if not old or not is_like(old, facts[file.key]):
                return False
        return True

    def _facts_before(self, language: str, digest: str) -> FileFacts | None:
        """Return the old facts of a file; None if they are not cached."""
        if digest not in self._decoded:
            data = FactsCache(language, self._facts).find(digest)
            if not data:
                return None
            self._decoded[digest] = decode_facts(data)
        return self._decoded[digest]

    def apply(self, edit: Edit) -> bool:
        """Replace all rows that an edit changes; return False where a full build is needed."""
        from mu.kernel.updating.line_shifts import can_shift_lines

        if not self._take_left_out(edit.left_out):
            _logger.debug("not updated: a file is left out now")
            return False
        facts, has_pages = edit.facts, bool(edit.pages or edit.removed_pages)
        known = self._known_pages() if has_pages else None
        is_same_set = not edit.removed and all(file.path not in edit.added for file in edit.files)
        if (
            is_same_set
            and self.are_all_like(edit.files, facts, is_like=can_shift_lines)
            and not self._graph.referring.sharing(self._keys_there(edit.files))
        ):
            is_done = all(self.take(file, facts[file.key]) for file in edit.files)
        else:
            is_done, known = self.relink(edit, pages=known)
        has_other_code = bool(edit.files) or not is_same_set
        return is_done and (
            known is None or self._relink_documents(edit, known, has_other_code=has_other_code)
        )

    def _keys_there(self, files: Sequence[File]) -> set[int]:
        """Return the keys that some files have in the graph."""
        paths = {file.path for file in files}
        return {row.key for row in self._files if row.path in paths}

    def _take_left_out(self, files: Sequence[File]) -> bool:
        """Replace the rows of skipped files; return False if one was not skipped so before."""
        known = {row.path: row for row in self._files}
        for file in files:
            row = known[file.path]
            if (row.status, row.reason) != (file.status, file.reason):
                return False
            before, after = (FileRows(one, [], [], []) for one in (row, file._replace(key=row.key)))
            self._graph.replace_files([(before, after)])
            self._total += file_digest(after, {}) - file_digest(before, {})
        self._report = replace(self._report, updated=len(files))
        return True

    def _known_pages(self, altered: Set[int] | None = None) -> "KnownDocuments":
        from mu.kernel.updating.document_relinking import known_pages

        return known_pages(self._graph, altered)

    def _relink_documents(
        self, edit: Edit, known: "KnownDocuments", *, has_other_code: bool
    ) -> bool:
        """Replace the rows of documents that changed; return False where a full build is needed."""
        from mu.kernel.updating.document_relinking import ChangedDocuments, relink_documents

        there = {page.path for page in edit.pages} - edit.added
        if not known.rows.keys() >= there | edit.removed_pages:
            _logger.debug("not updated: a document was left out before")
            return False
        pages = ChangedDocuments(edit.pages, edit.documents, edit.removed_pages)
        changes = relink_documents(
            *(self._graph, pages),
            known=known,
            facts=self._facts,
            has_other_code=has_other_code,
        )
        if changes is None:
            _logger.debug("not updated: the facts of a document are not kept")
            return False
        self._graph.replace_files([(one.before, one.after) for one in changes])
        for one in changes:
            self._note_replaced(one.before, one.after, (), (), names=one.names)
            self._said.append(one.said)
        self._report = replace(self._report, updated=(self._report.updated or 0) + len(changes))
        return True

    def relink(
        self, edit: Edit, *, pages: "KnownDocuments | None"
    ) -> tuple[bool, "KnownDocuments | None"]:
        """Relink files and replace their rows; return False where a full build is needed.

        Also returns the old rows of documents if these have to be relinked: `pages` if given.
        """
        from mu.kernel.updating.edited_program import ChangedFiles
        from mu.kernel.updating.file_relinking import relink_files
        from mu.resolve import may_match

        files, facts = edit.files, edit.facts
        changed = [file for file in files if file.path not in edit.added]
        if not self.are_all_like(changed, facts, is_like=may_match):
            _logger.debug("not updated: a package, wildcard import or directive changed")
            return False, None
        languages = {one.language for one in self._report.languages}
        if not {file.language for file in files} <= languages:
            _logger.debug("not updated: a language is new")
            return False, None
        has_pages = pages is not None
        try:
            known = self._program_before().program()
            change = known and relink_files(
                *(self._root, self._graph),
                known=known,
                edit=ChangedFiles(self._files, files, facts, edit.removed, has_pages=has_pages),
                settings=self._settings,
            )
        except (MuError, MemoryError):
            raise
        except Exception as error:
            if os.environ.get("MU_DEBUG"):
                raise
            _logger.debug("not updated: a fault of MU, %r", error)
            return False, None  # at the cost of a build, not of a wrong graph
        if change is None:
            return False, None
        if pages is None and change.documents:
            pages = self._known_pages(change.documents)
        self._state = change.state
        self._graph.add_nodes(change.outside)
        self._total += outside_digest(change.outside) - outside_digest(change.unused)
        count = self._report.nodes + len(change.outside) - len(change.unused)
        limits = with_more_limits(self._report.limits, change.limits)
        self._report = replace(self._report, nodes=count, limits=limits)
        self._said += (change.said, *(one.said for one in change.files))
        names = self._names_of(change)
        self._graph.remove_nodes(change.unused)
        self._graph.replace_files([(one.before, one.after) for one in change.files])
        for one in change.files:
            self._note_replaced(one.before, one.after, one.placed, one.entries, names=names)
        for one in change.files:
            if one.after is not None:
                self._move_contained(one.after)
        updated = (self._report.updated or 0) + len(change.files)
        self._report = replace(self._report, updated=updated)
        return {one.language for one in self._report.languages} == languages, pages

    def _program_before(self) -> "ProgramAhead":
        """Return the program of the old graph, as far as it is set up."""
        from mu.kernel.updating.edited_program import ProgramAhead

        if self._program is None:
            self._program = ProgramAhead(self._set_up_program())
        return self._program

    def _set_up_program(self) -> Generator[None, None, "BuiltProgram | None"]:
        """Set up the program of the old graph, step by step, unless one is ready (`warm_start`)."""
        from mu.kernel.updating.edited_program import set_up_program

        ready = take_program(self._report.digest, self._files)
        if ready is not None and not self._manifests:
            return ready
        state = self._states.find(self._before) or b""
        yield
        return (
            yield from set_up_program(self._root, self._files, state=state, settings=self._settings)
        )

    def declare(self) -> bool:
        """Replace the entries of changed manifests; return False where a full build is needed.

        The edit neither added nor removed the definitions that they name.
        """
        if not self._manifests:
            return True
        known = self._program_before().program()
        rows = known.declared(self._manifests) if known else ()
        keys = self._graph.node_keys(name for name, _ in rows)
        if known is None or not all(name in keys for name, _ in rows):
            return False
        for path in self._manifests:
            told = [one._replace(node=keys[name]) for name, one in rows if one.path == path]
            self._note_replaced(None, None, self._graph.entries(path), sorted(told))
        return True

    def take(self, file: File, facts: FileFacts) -> bool:
        """Replace the rows of a file; return False if more than lines and prose changed."""
        from mu.kernel.updating.line_shifts import shift_lines
        from mu.languages.loading import load_rules

        before = self._graph.file_rows(file.path)
        old = before and self._facts_before(file.language, before.file.digest)
        if not before or not old or before.file.language != file.language:
            return False
        rules = load_rules([file.language])[file.language]
        shifted = shift_lines(before, file, old=old, new=facts, rules=rules)
        if shifted is None:
            return False
        placed = self._graph.entries(file.path)
        if not all(one.entry.line in shifted.lines for one in placed):
            return False
        entries = [shifted.entry(one.entry) for one in placed]
        self._graph.replace_files([(before, shifted.rows)])
        self._note_replaced(before, shifted.rows, placed, entries)
        self._move_contained(shifted.rows)
        self._said.append(shifted.said)
        self._report = replace(self._report, updated=(self._report.updated or 0) + 1)
        return True

    def finish(self) -> BuildReport:
        """Replace the postings of changed words; return the report."""
        words = changed_words(self._said)
        known = {row.word: row for row in self._graph.postings([*words])}
        changed = merged_postings(words, known)
        self._graph.replace_postings([*words], changed)
        digest = digest_text(int(self._report.digest, 16) + self._total)
        files = self._graph.files() if self._has_other_files else self._files
        self._name = self._states.name(digest, files)
        return replace(self._report, digest=digest)

    def keep_state(self) -> None:
        """Cache the whole-program state for the next update, once this one is finished."""
        from mu.resolve import encode_state

        if self._state is None:
            self._states.keep_same(self._name, as_of=self._before)
        else:
            self._states.keep(self._name, state=encode_state(self._state))

    def _note_replaced(
        self,
        before: FileRows | None,
        after: FileRows | None,
        placed: Sequence[Placed],
        entries: Sequence[Entry],
        *,
        names: tuple[_NodeHashes, _NodeHashes] | None = None,
    ) -> None:
        """Replace entries, and adjust report and digest for the replaced rows of a file.

        `names` are the hashes of nodes before and after.
        """
        if names is None:
            known = self._hashed(_keys(before, placed) | _keys(after, entries))
            names = known, known
        self._graph.replace_entries(placed, entries)
        old, new = names
        self._total += 0 if after is None else file_digest(after, new)
        self._total -= 0 if before is None else file_digest(before, old)
        self._total += entries_digest(entries, new)
        self._total -= entries_digest([one.entry for one in placed], old)
        self._has_other_files |= (before is None) != (after is None)
        self._report = with_replaced(self._report, before=before, after=after)

    def _names_of(self, change: "ProgramChange") -> tuple[_NodeHashes, _NodeHashes]:
        """Return the hashes of nodes before and after a change, by key."""
        keys: set[int] = set()
        for one in change.files:
            keys |= _keys(one.before, one.placed) | _keys(one.after, one.entries)
        old = self._hashed(keys)
        new = {**old}
        after = [one.after.nodes for one in change.files if one.after is not None]
        for node in chain(change.outside, *after):
            new[node.key] = node_hash(node.id)
        return old, new

    def _hashed(self, keys: Set[int]) -> _NodeHashes:
        return {key: node_hash(text) for key, text in self._graph.node_ids(keys - {-1}).items()}

    def _move_contained(self, rows: FileRows) -> None:
        """Update the lines of `contains` edges from other files to members in this one."""
        lines = {node.key: node.start_line for node in rows.nodes}
        homes = {node.parent for node in rows.nodes} - lines.keys() - {-1}
        for before in self._graph.files_of(homes):
            edges = [
                edge._replace(line=lines[edge.target])
                if edge.kind == EdgeKind.CONTAINS and edge.target in lines
                else edge
                for edge in before.edges
            ]
            after = replace(before, edges=edges)
            self._graph.replace_files([(before, after)])
            self._note_replaced(before, after, [], [])


def _keys(rows: FileRows | None, entries: Sequence[Entry | Placed]) -> set[int]:
    """Return the keys of all nodes that the rows of a file name."""
    if rows is None:
        return {row.entry.node if isinstance(row, Placed) else row.node for row in entries}
    return {
        *chain.from_iterable((row.parent, row.key) for row in rows.nodes),
        *chain.from_iterable(row[:2] for row in rows.edges),
        *chain.from_iterable((row.source, row.target) for row in rows.sites),
        *((one.entry if isinstance(one, Placed) else one).node for one in entries),
    }
