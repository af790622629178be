"""The Python API behind `mu.open` and `mu.build`: a workspace whose methods are the operations.

An operation takes a workspace first, so it is a method as it stands: signatures, types and
documentation are those of the operation, and cannot differ from them.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import mu.operations.audit
import mu.operations.build
import mu.operations.check
import mu.operations.codebase
import mu.operations.columns
import mu.operations.context
import mu.operations.describe
import mu.operations.diff
import mu.operations.doctor
import mu.operations.graph
import mu.operations.grep
import mu.operations.history
import mu.operations.members
import mu.operations.named
import mu.operations.pack
import mu.operations.paths
import mu.operations.planning
import mu.operations.query
import mu.operations.read
import mu.operations.selection
import mu.operations.structure
import mu.operations.unused
import mu.operations.verifying
import mu.operations.what_if
import mu.operations.why
import mu.operations.wiki
import mu.operations.workflows
from mu import config
from mu.config import Configuration, SettingRow, Value
from mu.errors import ExitCode, MuError
from mu.kernel.report import BuildReport, OnEvent, ignore_event
from mu.operations.build import LanguageRow
from mu.operations.doctor import Diagnosis
from mu.operations.workspace import Workspace


class OpenWorkspace(Workspace):
    """A repository with its graph; each operation is a method.

    A context manager: leaving it closes the graph. Threads may share it. Each method raises MuError
    with `message`, `hint` and `code`.
    """

    query = mu.operations.query.query
    queries = mu.operations.named.queries
    describe = mu.operations.describe.describe
    read = mu.operations.read.read
    deps = mu.operations.graph.deps
    dependents = mu.operations.graph.dependents
    callees = mu.operations.graph.callees
    callers = mu.operations.graph.callers
    ancestors = mu.operations.graph.ancestors
    impact = mu.operations.graph.impact
    references = mu.operations.members.references
    members = mu.operations.members.members
    bases = mu.operations.members.bases
    subclasses = mu.operations.members.subclasses
    overrides = mu.operations.members.overrides
    find_tests = mu.operations.members.find_tests
    path = mu.operations.paths.path
    why = mu.operations.why.why
    why_not = mu.operations.why.why_not
    cycles = mu.operations.structure.cycles
    cycle_cuts = mu.operations.structure.cycle_cuts
    unused = mu.operations.unused.unused
    diff = mu.operations.diff.diff
    history = mu.operations.history.history
    blame = mu.operations.history.blame
    change_impact = mu.operations.selection.change_impact
    check = mu.operations.check.check
    suggest_contracts = mu.operations.check.suggest_contracts
    what_if = mu.operations.what_if.what_if
    select_tests = mu.operations.selection.select_tests
    search = mu.operations.structure.search
    grep = mu.operations.grep.grep
    context = mu.operations.context.context
    pack = mu.operations.pack.pack
    compress = mu.operations.pack.compress
    analyze_codebase = mu.operations.codebase.analyze_codebase
    discover = mu.operations.planning.discover
    plan = mu.operations.planning.plan
    run_workflow = mu.operations.workflows.run_workflow
    wiki_list = mu.operations.wiki.wiki_list
    wiki_search = mu.operations.wiki.wiki_search
    wiki_read = mu.operations.wiki.wiki_read
    wiki_drift = mu.operations.wiki.wiki_drift
    add_columns = mu.operations.columns.add_columns
    list_columns = mu.operations.columns.list_columns
    remove_column = mu.operations.columns.remove_column
    status = mu.operations.build.status
    stats = mu.operations.build.stats
    audit = mu.operations.audit.audit
    verify = mu.operations.verifying.verify

    @classmethod
    def find(cls, start: Path) -> Self:
        """Give the nearest workspace, as `mu.open` does."""
        try:
            return cls(Workspace.find(start).root)
        except MuError as error:
            if error.code is not ExitCode.NO_GRAPH:
                raise
            hint = f"call mu.build({str(start)!r}) to make it"
            raise MuError(error.message, hint, error.code) from error

    def build(self, *, is_full: bool = False, on_event: OnEvent = ignore_event) -> BuildReport:
        """Build the graph again, from what has changed, and answer from it; see `mu.build`."""
        report = build(self.root, is_full=is_full, on_event=on_event)
        self.renew()
        return report

    def settings(self) -> tuple[SettingRow, ...]:
        """List every setting in force and where it came from."""
        return mu.operations.build.settings(_configuration(self.root, {}))

    def languages(self) -> tuple[LanguageRow, ...]:
        """List the languages and the formats of documents that MU reads."""
        return mu.operations.build.languages()

    def doctor(self) -> Diagnosis:
        """Check the installation, the settings, this repository, its graph and the cache.

        Reads the whole graph and changes nothing.
        """
        return mu.operations.doctor.doctor(self.root, environment=os.environ)


def open_workspace(path: str | os.PathLike[str]) -> OpenWorkspace:
    """Give the nearest workspace; see `mu.open`."""
    return OpenWorkspace.find(Path(path))


def build(
    path: str | os.PathLike[str],
    *,
    is_full: bool = False,
    rev: str = "",
    settings: Mapping[str, Value] | None = None,
    on_event: OnEvent = ignore_event,
) -> BuildReport:
    """Build the graph of a folder; see `mu.build`."""
    root = mu.operations.build.build_root(Path(path), ".").absolute()
    configuration = _configuration(root, settings or {})
    return mu.operations.build.build(
        root, configuration, on_event=on_event, is_full=is_full, rev=rev
    )


def _configuration(root: Path, settings: Mapping[str, Value]) -> Configuration:
    return config.load(
        root, environment=os.environ, user_folder=config.user_folder(), flags=settings
    )
