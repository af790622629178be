"""The summary of a repository as a tool that a model may call; it reads nothing until then."""

import logging
from threading import Lock

from mu.context.codebase import Detail
from mu.errors import MuError
from mu.operations.graph_file.build import changes_since, rebuild
from mu.operations.packing.pack import Codebase, PackRequest, pack_part
from mu.operations.workspace import Workspace
from mu.store import GraphFile

DEFAULT_TOKENS = 4_000

_MOST_KEPT = 32

_log = logging.getLogger(__name__)
_building = Lock()


def analyze_codebase(
    workspace: Workspace,
    path: str = "",
    *,
    focus: str = "",
    max_tokens: int = DEFAULT_TOKENS,
    detail: Detail = Detail.SIGNATURES,
    offset: int = 0,
) -> Codebase:
    """Summarise a repository, or the part at a path, as it is now, for a change of it.

    In lists alone (`overview`), with signatures, or with sources too. The graph is built again
    first when files have changed; where that fails, `notes` say so, and source of those is left
    out. Raises what `pack` raises.
    """
    stale = _rebuild_if_stale(workspace)
    asked = PackRequest(path, focus, max_tokens, detail, offset=offset, has_sample=True)
    answers = workspace.graph.once(_AnswerCache).given
    if asked in answers and not stale:
        return answers[asked]
    told = pack_part(workspace, asked, more=lambda rest: _call(asked, rest))
    if stale:
        return told.with_note(stale)
    if len(answers) < _MOST_KEPT:
        answers[asked] = told
    return told


class _AnswerCache:
    """Summaries of one graph, kept while it is open."""

    def __init__(self, graph: GraphFile) -> None:
        self.graph = graph
        self.given: dict[PackRequest, Codebase] = {}


def _rebuild_if_stale(workspace: Workspace) -> str:
    """Rebuild the graph if files have changed; returns why that failed, empty if it did not."""
    with _building:
        changes = changes_since(workspace)
        if not changes.total:
            return ""
        try:
            report = rebuild(workspace)
        except MuError as error:
            files = "1 file" if changes.total == 1 else f"{changes.total:,} files"
            return f"{files} changed after the build, which cannot be repeated: {error.message}"
    _log.info("built again in %.1f s: %d files had changed", report.seconds, changes.total)
    return ""


def _call(asked: PackRequest, rest: int) -> str:
    """Write the call for the next files."""
    given = {"path": asked.path, "focus": asked.focus, "detail": asked.detail.value}
    words = [f"{name}={value!r}" for name, value in given.items() if value]
    return (
        f"analyze_codebase({', '.join([*words, f'max_tokens={asked.tokens}', f'offset={rest}'])})"
    )
