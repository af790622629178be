"""Run one MUQL query."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mu.model.kinds import Verdict
from mu.model.relation import Answer, Cell
from mu.muql import compile_query
from mu.muql.repository_history import Beyond
from mu.operations.line_reader import read_source_of
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset, with_notes
from mu.operations.workspace import Workspace
from mu.store import DamagedGraphError

if TYPE_CHECKING:
    from mu.analysis.walks.breadth_first import WalkResult
    from mu.kernel.report import OnEvent
    from mu.model.relation import Input
    from mu.muql.compiled_query import Query
    from mu.store import GraphFile

DEFAULT_TIMEOUT = 30.0


@dataclass(frozen=True, slots=True)
class Supplied:
    """What a query is given beside its text.

    `parameters` are the values of the `$name`s in it; they are bound, and never become a part of
    it. `files` are files of rows that a SELECT may read as tables, by name; they are read before.
    `on_event` is told of the builds of graphs of revisions.
    """

    parameters: Mapping[str, Cell] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    on_event: "OnEvent | None" = None


_NOTHING = Supplied()


def query(
    workspace: Workspace,
    text: str,
    *,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
    timeout: float = DEFAULT_TIMEOUT,
    supplied: Supplied = _NOTHING,
) -> Rows:
    """Run one query in MUQL: a SELECT over the relations of the graph, a graph statement, or a
    named query, `@name(argument := value)`.

    It can read the graph and nothing else, and is stopped after `timeout` seconds. The answer has
    the verdict of the walks in it: those of SHOW and FIND, and of graph functions. With `AT 'rev'`
    behind it, the graph is that of a revision of git, which is built first unless it is kept.
    """
    from mu.operations.revisions.past_workspace import WorkspacePast

    check_page(limit, offset)
    beside = _read(supplied.files)
    with WorkspacePast(workspace, timeout=timeout, on_event=supplied.on_event) as past:
        while True:
            try:
                compiled = compile_query(
                    text,
                    workspace.graph,
                    project=workspace.root,
                    parameters=supplied.parameters,
                    beside=beside,
                    beyond=Beyond(read_source_of(workspace), past),
                )
                here = workspace if compiled.state is None else past.workspace_of(compiled.state)
                return _answer(here, text, compiled, page=(limit, offset), timeout=timeout)
            except DamagedGraphError:
                if not past.renew():
                    raise


def _answer(
    workspace: Workspace, text: str, compiled: "Query", *, page: tuple[int, int], timeout: float
) -> Rows:
    """Run a compiled query on the graph of `workspace`; `page` is the limit and the offset."""
    from mu.operations.freshness import with_staleness_note

    graph, (limit, offset) = workspace.graph, page
    answer = graph.run(compiled.relation, limit=limit, offset=offset, timeout=timeout)
    if _is_walk(text, compiled, answer):
        from mu.operations.answers.call_sites import page_with_code

        answer = page_with_code(workspace, answer, walked=compiled.grounds.walked[0])
    elif _is_of_references(text, answer):
        from mu.operations.answers.call_sites import with_code
        from mu.operations.answers.possible_references import with_open_references_note

        answer = with_open_references_note(graph, compiled.relation, answer=answer)
        answer = with_code(workspace, answer, path="path", line="line", text="text")
    nothing = "" if answer.total else "no matches"
    grounds = compiled.grounds
    is_lower = grounds.doubts and answer.verdict is Verdict.EXACT
    verdict = Verdict.AT_LEAST if is_lower else answer.verdict
    answer = with_notes(answer, nothing, *grounds.notes, *grounds.doubts, verdict=verdict)
    following = next_offset(answer, offset)
    if grounds.sought:
        answer = _unfound(graph, grounds.sought, answer)
    if not grounds.walked:
        rows = Rows(answer, following, is_select=compiled.is_select)
        return with_staleness_note(workspace.freshness, rows)
    from mu.analysis.walks.traversal import Direction
    from mu.operations.answers.possible_references import (  # no SELECT pays for it
        find_possible,
        with_external_callers,
        with_verdict,
    )
    from mu.operations.answers.unread_code import with_unread_code

    doubts = [find_possible(graph, walked) for walked in grounds.walked]
    for doubt in doubts:
        answer = with_verdict(answer, doubt)
    for walked in grounds.walked:
        answer = with_external_callers(answer, graph, walked=walked)
        answer = with_unread_code(workspace, answer, walked=walked)
    if len(doubts) > 1:
        rows = Rows(answer, following, is_select=compiled.is_select)
        return with_staleness_note(workspace.freshness, rows)
    is_backward = grounds.walked[0].walk.direction is Direction.BACKWARD
    rows = Rows(answer, following, doubts[0], is_backward=is_backward, is_select=compiled.is_select)
    return with_staleness_note(workspace.freshness, rows)


def _is_walk(text: str, compiled: "Query", answer: Answer) -> bool:
    """Tell whether an answer is that of SHOW for one walk, whose rows have sites."""
    is_show = text.split(maxsplit=1)[0].lower() == "show"
    is_of_edges = {"id", "from_id", "via"} <= set(answer.columns)
    return is_show and is_of_edges and len(compiled.grounds.walked) == 1


def _is_of_references(text: str, answer: Answer) -> bool:
    """Tell whether an answer is that of SHOW references, whose rows are places in the text."""
    is_show = text.split(maxsplit=1)[0].lower() == "show"
    return is_show and {"source", "path", "line", "text", "is_possible"} <= set(answer.columns)


def _read(files: Mapping[str, Path]) -> "tuple[Input, ...]":
    if not files:
        return ()
    from mu.store.engine.outside_files import read_table  # few queries have any

    return tuple(read_table(name, path) for name, path in files.items())


def _unfound(graph: "GraphFile", sought: "tuple[WalkResult, ...]", answer: Answer) -> Answer:
    """Say that a way which was not found may be there, when a reference on it is not resolved."""
    from mu.analysis.completeness.verdict import possible_sites

    possible = sum(graph.run(possible_sites(graph, each), limit=1).total for each in sought)
    if not possible:
        return answer
    count = "1 open reference" if possible == 1 else f"{possible} open references"
    return with_notes(answer, f"{count} on the way could make one", verdict=Verdict.UNKNOWN)
