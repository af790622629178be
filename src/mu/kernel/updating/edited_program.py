"""The two programs that an update compares: that of the graph, and what an edit makes of it."""

import logging
from collections.abc import Generator, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import NamedTuple

import msgspec

from mu.kernel.inputs.package_manifests import PackageManifests, read_package_manifests
from mu.kernel.settings import BuildSettings
from mu.kernel.updating.cached_facts import CachedFacts, EditedFacts
from mu.languages.loading import load_rules
from mu.languages.stub_cache import stubs_kept_in
from mu.model.facts import FileFacts
from mu.model.graph import Entry, File
from mu.resolve import (
    AlteredElsewhereError,
    LanguageRules,
    ProgramText,
    ProgramVersion,
    WholeProgramState,
    decoding_state,
)

_logger = logging.getLogger(__name__)


class ChangedFiles(NamedTuple):
    """The files of a graph, those that changed or are new (`files`), with their `facts` by
    key, and the paths of those that are there no more. With `has_pages` pages changed, too, and all
    of these are linked again.
    """

    known: Sequence[File]
    files: Sequence[File]
    facts: Mapping[int, FileFacts]
    removed: Set[str]
    has_pages: bool = False


class BuiltProgram(NamedTuple):
    """The program of a graph: its facts and the `folder` in which they are kept, the manifests
    beside its files, its text, what was found of it, and itself, set up to be compared with what an
    edit makes of it, once.
    """

    folder: Path | None
    facts: CachedFacts
    manifests: PackageManifests
    text: ProgramText
    state: WholeProgramState
    version: ProgramVersion

    def declared(self, manifests: Set[str]) -> list[tuple[str, Entry]]:
        """The entries that some manifests tell of, by path, each with its node by id."""
        rows = [row for row in self.manifests.declared if row.path in manifests]
        return self.version.declared(rows)

    def evaluate(self, file: int) -> None:
        """Find what an edit of a file, by key, asks first: what that adds to what is known of the
        program, what is indexed by name over all files, and what frameworks are told.
        """
        if file in self.facts:
            with stubs_kept_in(self.folder, is_read=True):
                self.version.reach_of(file)
                self.version.index_names()
                telling = {file} & self.state.registering.files
                for files in (telling, ()):  # of what it told, only what that took is kept
                    self.version.resume_registrations(self.state, files)


class ProgramAhead:
    """The program of a graph, set up in steps while there is time, and else when it is needed."""

    def __init__(self, steps: Generator[None, None, BuiltProgram | None]) -> None:
        self._steps = steps
        self._made: BuiltProgram | None = None
        self._failure: Exception | None = None
        self._is_done = False

    def step(self) -> bool:
        """Take one more step; False where there is none."""
        if self._is_done:
            return False
        try:
            next(self._steps)
        except StopIteration as end:
            self._made = end.value
            self._is_done = True
        except Exception as error:  # noqa: BLE001 - raised where the program is needed
            self._failure = error
            self._is_done = True
        return not self._is_done

    def program(self) -> BuiltProgram | None:
        """The program, after all steps that are left; None where it is not kept. Raises what any
        step raised.
        """
        while self.step():
            pass
        if self._failure is not None:
            raise self._failure
        return self._made


class EditedProgram(NamedTuple):
    """The program after an edit, its facts, and the keys of those of its files that changed."""

    text: ProgramText
    facts: EditedFacts
    changed: Sequence[int]


def set_up_program(
    root: Path, files: Sequence[File], *, state: bytes, settings: BuildSettings
) -> Generator[None, None, BuiltProgram | None]:
    """Set up the program of a graph of `files`, of which `state` was kept, in a few steps of much
    the same length; returns None where that or the facts that it takes are not kept.
    """
    facts = CachedFacts(files, settings.facts)
    rules = _rules_of(files, facts)
    manifests = read_package_manifests(
        root,
        (file for file in files if file.key in facts),
        rules=rules,
        max_file_size=settings.walk.max_file_size,
    )
    text = ProgramText(files, facts, rules, settings.roots, manifests.texts)
    yield
    try:
        found = yield from decoding_state(state)
        yield
        version = ProgramVersion(text._replace(outlines=found.outlines), found.names)
        yield
        with stubs_kept_in(settings.facts, is_read=True):
            version.resume(found)
    except (msgspec.DecodeError, AlteredElsewhereError):
        _logger.debug("not relinked: what was found of the program is not kept")
        return None
    return BuiltProgram(settings.facts, facts, manifests, text, found, version)


def edited_program(known: BuiltProgram, edit: ChangedFiles) -> EditedProgram:
    """What an edit makes of the program of a graph; the manifests are the same."""
    rows = {row.path: row for row in edit.known}
    keys = _keys_of(edit.files, rows)
    there = {path: row for path, row in rows.items() if path not in edit.removed}
    there |= {file.path: file._replace(key=keys[file.path]) for file in edit.files}
    after = [row for _, row in sorted(there.items())]
    gone = {rows[path].key for path in edit.removed}
    changed = {keys[file.path]: edit.facts[file.key] for file in edit.files}
    facts = EditedFacts(known.facts, gone=gone, new=changed)
    text = known.text._replace(files=after, facts=facts, rules=_rules_of(after, facts))
    return EditedProgram(text, facts, [key for path, key in keys.items() if path in rows])


def _rules_of(files: Iterable[File], facts: Mapping[int, FileFacts]) -> dict[str, LanguageRules]:
    """The rules of the languages of those files that have facts."""
    return load_rules({file.language for file in files if file.key in facts})


def _keys_of(files: Iterable[File], rows: Mapping[str, File]) -> dict[str, int]:
    """The keys of files by path: those that new ones get come after all others."""
    last = max(row.key for row in rows.values())
    new = sorted(file.path for file in files if file.path not in rows)
    keys = {path: last + count for count, path in enumerate(new, 1)}
    return keys | {file.path: rows[file.path].key for file in files if file.path in rows}
