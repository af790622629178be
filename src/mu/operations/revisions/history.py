"""The history and the blame of a node: commits that changed it, and those of its lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.review.blame import Blame, Bounds, kept_lines
from mu.analysis.review.blame import blame as blame_lines
from mu.analysis.review.symbol_history import PARSED, Span, SymbolChange, follow
from mu.errors import MuError
from mu.kernel.extraction.definition_reader import DefinitionReader
from mu.model.found import FoundNode
from mu.model.kinds import Verdict
from mu.model.relation import Answer, Cell, Relation
from mu.muql.graph_functions.functions import BLAME_COLUMNS, HISTORY_COLUMNS, ResultColumn
from mu.muql.repository_history import Told
from mu.operations.freshness import with_staleness_note
from mu.operations.results import DEFAULT_LIMIT, NodeRows, check_page, next_offset
from mu.operations.revisions.snapshots import snapshot_settings
from mu.operations.source_lines import SourceLines
from mu.operations.workspace import Workspace
from mu.source.git.commits import Commits, Hunk, Version
from mu.source.git.revisions import Revisions

SECONDS = 20.0
"""How long a history is followed."""

_NOT_COMMITTED = "not committed yet"
_NODE = "SELECT language, end_line FROM node WHERE key = ?"


def history(
    workspace: Workspace, node: str, *, limit: int = DEFAULT_LIMIT, offset: int = 0
) -> NodeRows:
    """List the commits that changed a node, newest first: what it was called, where, by whom.

    Renames and moves of the node and of its file are followed, as `diff` finds them. What is not
    committed comes first. The history is followed for 20 seconds or 100,000 commits at most, and
    the answer says where it stopped. Raises MuError without a git repository.
    """
    check_page(limit, offset)
    found = resolve_node(workspace.graph, node)
    told = node_history(workspace, found, most=offset + limit, seconds=SECONDS)
    return _answered(workspace, found, told, columns=HISTORY_COLUMNS, page=(limit, offset))


def blame(
    workspace: Workspace, node: str, *, limit: int = DEFAULT_LIMIT, offset: int = 0
) -> NodeRows:
    """Give the commit that each line of a node came with, a row for each stretch of lines.

    Renames of the file are followed. Lines that are not committed have no commit. The history is
    followed for 20 seconds or 100,000 commits at most, and the answer says where it stopped.
    Raises MuError without a git repository.
    """
    check_page(limit, offset)
    found = resolve_node(workspace.graph, node)
    told = node_blame(workspace, found, seconds=SECONDS)
    return _answered(workspace, found, told, columns=BLAME_COLUMNS, page=(limit, offset))


def node_history(workspace: Workspace, node: FoundNode, *, most: int, seconds: float) -> Told:
    """Give the rows of `history`: `HISTORY_COLUMNS`, `most` of them at most."""
    present = _present(workspace, node)
    rows: list[tuple[Cell, ...]] = []
    if present.is_touched:
        change = "changed" if present.lines else "added"
        place = (present.name, node.path, present.first)
        rows.append((None, None, None, change, *place, None, _NOT_COMMITTED))
    if present.version is None or (not present.lines and node.kind not in ("module", "document")):
        return Told(tuple(rows[:most]))
    revisions = Revisions(workspace.root)
    settings = snapshot_settings(workspace)
    with DefinitionReader(revisions.blobs(), present.language, settings) as reader:
        span = _span(present, node, reader)
        followed = follow(
            present.commits,
            present.version,
            span=span,
            read=reader.read,
            most=most - len(rows),
            bounds=Bounds(seconds=seconds),
        )
    rows += [_change_row(change) for change in followed.changes]
    return Told(tuple(rows), doubts=(followed.stopped,) if followed.stopped else ())


def node_blame(workspace: Workspace, node: FoundNode, *, seconds: float) -> Told:
    """Give the rows of `blame`: `BLAME_COLUMNS`."""
    present = _present(workspace, node)
    found = Blame()
    if present.version is not None:
        lines = present.lines.values()
        bounds = Bounds(seconds=seconds)
        found = blame_lines(present.commits, present.version, lines=lines, bounds=bounds)
    rows = tuple(_blame_rows(present, found))
    return Told(rows, doubts=(found.stopped,) if found.stopped else ())


@dataclass(frozen=True, slots=True)
class _Present:
    """A node as it is in the folder, and in the commit that is checked out (None: not there).

    `lines` are those of the node that are committed, with their numbers there. `is_touched` says
    that others are not.
    """

    commits: Commits
    version: Version | None
    name: str
    language: str
    first: int
    last: int
    lines: Mapping[int, int]
    is_touched: bool


def _present(workspace: Workspace, node: FoundNode) -> _Present:
    if not node.path:
        raise MuError(f"{node.id} has no history here: it is outside the repository")
    commits = Revisions(workspace.root).commits()
    lines = SourceLines(workspace).whole(node.path)
    if not lines:
        raise MuError(
            f"the lines of {node.id} are not there as they were when the graph was built",
            "run `mu kernel build` to build it again",
        )
    row = workspace.graph.run(Relation(_NODE, (node.key,))).rows[0]
    language, end = str(row[0]), int(str(row[1] or 0))
    is_whole = node.kind in ("module", "document") or not node.line
    first, last = (1, _count(lines)) if is_whole else (node.line, end)
    name = "" if is_whole else node.id.rpartition(":")[2].partition("~")[0]
    version = commits.head(node.path)
    hunks: Sequence[Hunk] = ()
    if version is not None:
        head = commits.data(version.blob).replace(b"\r\n", b"\n")
        now = "\n".join(lines).encode()
        hunks = () if head == now else commits.compared(head, now)
    own = range(first, last + 1)
    kept = {} if version is None else kept_lines(hunks, own)
    is_touched = len(kept) < len(own) or any(_is_within(hunk, first, last) for hunk in hunks)
    return _Present(commits, version, name, language, first, last, kept, is_touched)


def _is_within(hunk: Hunk, first: int, last: int) -> bool:
    """Tell whether lines were deleted from a range."""
    return not hunk.new_lines and first <= hunk.new_start < last


def _span(present: _Present, node: FoundNode, reader: DefinitionReader) -> Span:
    """Give the node as it is in the commit that is checked out."""
    version, lines = present.version, present.lines
    if node.kind in ("module", "document") or version is None:
        return Span(node.kind, "", present.first, present.last)
    first, last = min(lines.values()), max(lines.values())
    if node.kind in PARSED:
        (spans,) = reader.read([version.blob])
        same = [one for one in spans if (one.kind, one.name) == (node.kind, present.name)]
        if same:
            return min(same, key=lambda one: abs(one.start - first))
        return Span("lines", present.name, first, last)
    return Span(node.kind, present.name, first, last)


def _change_row(change: SymbolChange) -> tuple[Cell, ...]:
    told = change.commit
    return (
        told.id,
        told.date,
        told.author,
        change.change,
        change.name,
        change.path,
        change.line,
        change.before or None,
        told.summary,
    )


def _blame_rows(present: _Present, found: Blame) -> Iterator[tuple[Cell, ...]]:
    def source(number: int) -> tuple[Cell, ...]:
        if number not in present.lines:
            return None, None, None, None, _NOT_COMMITTED
        line = found.lines.get(present.lines[number])
        if line is None:
            return None, None, None, None, "older than where the history was followed to"
        return line.commit.id, line.commit.date, line.commit.author, line.path, line.commit.summary

    for key, group in groupby(range(present.first, present.last + 1), key=source):
        numbers = list(group)
        yield numbers[0], numbers[-1], *key


def _count(lines: Sequence[str]) -> int:
    """Count lines, without the empty one behind the last."""
    return len(lines) - (not lines[-1])


def _answered(
    workspace: Workspace,
    node: FoundNode,
    told: Told,
    *,
    columns: Sequence[ResultColumn],
    page: tuple[int, int],
) -> NodeRows:
    """Give a page of the rows; changes of other files since the build do not alter them."""
    limit, offset = page
    rows = tuple(told.rows[offset : offset + limit])
    answer = Answer(
        tuple(column.name for column in columns),
        rows,
        len(told.rows),
        truncated=offset + len(rows) < len(told.rows),
        verdict=Verdict.AT_LEAST if told.doubts else Verdict.EXACT,
        notes=(*told.notes, *told.doubts),
    )
    shown = NodeRows(node, answer, next_offset=next_offset(answer, offset), is_backward=None)
    return with_staleness_note(workspace.freshness, shown, could_alter=lambda *_: False)
