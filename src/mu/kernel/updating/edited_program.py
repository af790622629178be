"""The old and the new program that an update compares: before and after the edit."""

import logging
from collections.abc import Generator, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import NamedTuple

import msgspec

from mu.kernel.inputs.package_manifests import PackageManifests, read_package_manifests
from mu.kernel.settings import BuildSettings
from mu.kernel.updating.cached_facts import CachedFacts, EditedFacts
from mu.languages.loading import load_rules
from mu.languages.stub_cache import stubs_cached_in
from mu.model.facts import FileFacts
from mu.model.graph import Entry, File
from mu.resolve import (
    LanguageRules,
    NeedsBuildError,
    ProgramText,
    ProgramVersion,
    WholeProgramState,
    decoding_state,
)

_logger = logging.getLogger(__name__)


class ChangedFiles(NamedTuple):
    """The files of a graph, and those that an edit changed.

    `files` are the changed and new ones, with their `facts` by key; `removed` are paths. With
    `has_pages` documents changed, too, and all documents are relinked.
    """

    known: Sequence[File]
    files: Sequence[File]
    facts: Mapping[int, FileFacts]
    removed: Set[str]
    has_pages: bool = False


class BuiltProgram(NamedTuple):
    """The program of a graph, set up for one comparison with the program after an edit.

    `folder` is where its `facts` are cached, `manifests` are those beside its files, `text` is its
    input, `state` is the whole-program state of the last build, and `version` the program itself.
    """

    folder: Path | None
    facts: CachedFacts
    manifests: PackageManifests
    text: ProgramText
    state: WholeProgramState
    version: ProgramVersion

    def declared(self, manifests: Set[str]) -> list[tuple[str, Entry]]:
        """Return the entries declared by some manifests (paths), each with the id of its node."""
        rows = [row for row in self.manifests.declared if row.path in manifests]
        return self.version.declared(rows)

    def evaluate(self, file: int) -> None:
        """Evaluate what an edit of a file, by key, needs first.

        That is the file's contribution to the whole-program facts, the indexes by name over all
        files, and its registrations with frameworks.
        """
        if file in self.facts:
            with stubs_cached_in(self.folder, is_read=True):
                self.version.contribution_of(file)
                self.version.index_names()
                telling = {file} & self.state.registering.files
                # The second call drops the registrations, and keeps the evaluated answers.
                for files in (telling, ()):
                    self.version.resume_registrations(self.state, files)


class ProgramAhead:
    """The program of a graph, set up in steps while there is time and finished on demand."""

    def __init__(self, steps: Generator[None, None, BuiltProgram | None]) -> None:
        self._steps = steps
        self._made: BuiltProgram | None = None
        self._failure: Exception | None = None
        self._is_done = False

    def step(self) -> bool:
        """Run one more step; return False if none is left."""
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
        """Run all steps that are left, and return the program; None if it cannot be set up.

        That is so if its state, or facts that it needs, are not cached. Raises what any step
        raised.
        """
        while self.step():
            pass
        if self._failure is not None:
            raise self._failure
        return self._made


class EditedProgram(NamedTuple):
    """The program after an edit, its facts, and the keys of changed files, without new ones."""

    text: ProgramText
    facts: EditedFacts
    changed: Sequence[int]


def set_up_program(
    root: Path, files: Sequence[File], *, state: bytes, settings: BuildSettings
) -> Generator[None, None, BuiltProgram | None]:
    """Set up the program of a graph of `files` from its cached `state`, in a few steps.

    The steps are of similar length. Returns None if the state, or facts that it needs, are not
    cached.
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
        with stubs_cached_in(settings.facts, is_read=True):
            version.resume(found)
    except (msgspec.DecodeError, NeedsBuildError):
        _logger.debug("not relinked: what was found of the program is not kept")
        return None
    return BuiltProgram(settings.facts, facts, manifests, text, found, version)


def edited_program(known: BuiltProgram, edit: ChangedFiles) -> EditedProgram:
    """Return the program after an edit; it has the same manifests."""
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
    """Return the rules of the languages of those files that have facts."""
    return load_rules({file.language for file in files if file.key in facts})


def _keys_of(files: Iterable[File], rows: Mapping[str, File]) -> dict[str, int]:
    """Return the keys of files by path; those of new files follow all others."""
    last = max(row.key for row in rows.values())
    new = sorted(file.path for file in files if file.path not in rows)
    keys = {path: last + count for count, path in enumerate(new, 1)}
    return keys | {file.path: rows[file.path].key for file in files if file.path in rows}
