"""Inputs for ranking beside the graph: the text of files, and the history of changes."""

from collections.abc import Mapping, Sequence

from mu.context import Changes, Repository
from mu.operations.source_lines import SourceLines
from mu.operations.workspace import Workspace
from mu.source.git.recent_changes import read_changes
from mu.store import GraphFile


def repository_of(workspace: Workspace, source: SourceLines) -> Repository:
    """Give the repository of a workspace; its history is read once while the graph is open."""

    def lines(paths: Sequence[str]) -> Mapping[str, Sequence[str]]:
        source.expect(paths)
        return {path: found for path in paths if (found := source.whole(path))}

    return Repository(lines, workspace.graph.once(_read_changes))


def _read_changes(graph: GraphFile) -> Changes:
    return Changes(read_changes(graph.path.parent))
