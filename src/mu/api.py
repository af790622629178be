"""The Python API behind `mu.open` and `mu.build`: a workspace whose methods are the operations.

An operation takes a workspace first, so it is a method as it stands: signatures, types and
documentation are those of the operation, and cannot differ from them.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import mu.operations.architecture.cycles
import mu.operations.architecture.dead_code
import mu.operations.architecture.rule_check
import mu.operations.architecture.what_if
import mu.operations.graph_file.added_columns
import mu.operations.graph_file.build
import mu.operations.graph_file.doctor
import mu.operations.graph_file.ledger_audit
import mu.operations.graph_file.rebuild_check
import mu.operations.navigation.dependencies
import mu.operations.navigation.dependency_path
import mu.operations.navigation.describe
import mu.operations.navigation.explanation
import mu.operations.navigation.grep
import mu.operations.navigation.members
import mu.operations.navigation.node_source
import mu.operations.navigation.search
import mu.operations.navigation.wiki
import mu.operations.packing.codebase
import mu.operations.packing.context
import mu.operations.packing.pack
import mu.operations.packing.planning
import mu.operations.queries.named_queries
import mu.operations.queries.query
import mu.operations.revisions.affected_tests
import mu.operations.revisions.diff
import mu.operations.revisions.history
import mu.operations.workflows
from mu import config
from mu.config import Configuration, SettingRow, Value
from mu.errors import ExitCode, MuError
from mu.kernel.report import BuildReport, OnEvent, ignore_event
from mu.operations.graph_file.build import LanguageRow
from mu.operations.graph_file.doctor import Diagnosis
from mu.operations.workspace import Workspace


class OpenWorkspace(Workspace):
    """A repository with its graph; each operation is a method.

    A context manager: leaving it closes the graph. Threads may share it. Each method raises MuError
    with `message`, `hint` and `code`.
    """

    query = mu.operations.queries.query.query
    queries = mu.operations.queries.named_queries.queries
    describe = mu.operations.navigation.describe.describe
    read = mu.operations.navigation.node_source.read
    deps = mu.operations.navigation.dependencies.deps
    dependents = mu.operations.navigation.dependencies.dependents
    callees = mu.operations.navigation.dependencies.callees
    callers = mu.operations.navigation.dependencies.callers
    ancestors = mu.operations.navigation.dependencies.ancestors
    impact = mu.operations.navigation.dependencies.impact
    references = mu.operations.navigation.members.references
    members = mu.operations.navigation.members.members
    bases = mu.operations.navigation.members.bases
    subclasses = mu.operations.navigation.members.subclasses
    overrides = mu.operations.navigation.members.overrides
    find_tests = mu.operations.navigation.members.find_tests
    path = mu.operations.navigation.dependency_path.path
    why = mu.operations.navigation.explanation.why
    why_not = mu.operations.navigation.explanation.why_not
    cycles = mu.operations.architecture.cycles.cycles
    cycle_cuts = mu.operations.architecture.cycles.cycle_cuts
    unused = mu.operations.architecture.dead_code.unused
    diff = mu.operations.revisions.diff.diff
    history = mu.operations.revisions.history.history
    blame = mu.operations.revisions.history.blame
    change_impact = mu.operations.revisions.affected_tests.change_impact
    check = mu.operations.architecture.rule_check.check
    suggest_contracts = mu.operations.architecture.rule_check.suggest_contracts
    what_if = mu.operations.architecture.what_if.what_if
    select_tests = mu.operations.revisions.affected_tests.select_tests
    search = mu.operations.navigation.search.search
    grep = mu.operations.navigation.grep.grep
    context = mu.operations.packing.context.context
    pack = mu.operations.packing.pack.pack
    compress = mu.operations.packing.pack.compress
    analyze_codebase = mu.operations.packing.codebase.analyze_codebase
    discover = mu.operations.packing.planning.discover
    plan = mu.operations.packing.planning.plan
    run_workflow = mu.operations.workflows.run_workflow
    wiki_list = mu.operations.navigation.wiki.wiki_list
    wiki_search = mu.operations.navigation.wiki.wiki_search
    wiki_read = mu.operations.navigation.wiki.wiki_read
    wiki_drift = mu.operations.navigation.wiki.wiki_drift
    add_columns = mu.operations.graph_file.added_columns.add_columns
    list_columns = mu.operations.graph_file.added_columns.list_columns
    remove_column = mu.operations.graph_file.added_columns.remove_column
    status = mu.operations.graph_file.build.status
    stats = mu.operations.graph_file.build.stats
    audit = mu.operations.graph_file.ledger_audit.audit
    verify = mu.operations.graph_file.rebuild_check.verify

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
        return mu.operations.graph_file.build.settings(_configuration(self.root, {}))

    def languages(self) -> tuple[LanguageRow, ...]:
        """List the languages and the formats of documents that MU reads."""
        return mu.operations.graph_file.build.languages()

    def doctor(self) -> Diagnosis:
        """Check the installation, the settings, this repository, its graph and the cache.

        Reads the whole graph and changes nothing.
        """
        return mu.operations.graph_file.doctor.doctor(self.root, environment=os.environ)


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
    root = mu.operations.graph_file.build.build_root(Path(path), ".").absolute()
    configuration = _configuration(root, settings or {})
    return mu.operations.graph_file.build.build(
        root, configuration, on_event=on_event, is_full=is_full, rev=rev
    )


def _configuration(root: Path, settings: Mapping[str, Value]) -> Configuration:
    return config.load(
        root, environment=os.environ, user_folder=config.user_folder(), flags=settings
    )
