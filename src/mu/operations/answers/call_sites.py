"""Rows of a walk with the sites of their edges, and the source line of each site."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from mu.analysis.walks.breadth_first import WalkResult
from mu.analysis.walks.edge_sites import SITE_COLUMNS, EdgeSite, site_cells
from mu.analysis.walks.row_order import near_in_order, with_sites
from mu.model.kinds import Verdict
from mu.model.relation import Answer, Cell, Derived, Relation
from mu.operations.results import with_notes
from mu.operations.source_lines import SourceLines, safe_lines
from mu.operations.workspace import Workspace
from mu.store import GraphFile


class Sites(StrEnum):
    """Which sites the rows of a walk come with; open ones are rows in the place of the others."""

    NONE = "none"
    FIRST = "first"
    EACH = "each"
    OPEN = "open"


MANY_ALTERNATIVES = 100
"""How many definitions a site may mean before its rows make an answer less than exact."""

CODE_COLUMNS = ("site_column", "code")
"""The column where the name begins in the line of a site, from 1, and the source text there."""

_NEAR = "SELECT count(*) FROM reached WHERE distance = 1"

_OPENING = ("(", "[", ",", "=", "\\")
_CLOSING = (")", "]", "}")
_CONTINUED = "\\"
_MOST_JOINED = 3
_LONGEST_JOINED = 120


def run_with_sites(
    graph: GraphFile,
    rows: Relation,
    *,
    walked: WalkResult,
    each: bool = False,
    limit: int,
    offset: int,
) -> Answer:
    """Run the relation of the rows of a walk and give them with their sites.

    The rows one step away come in the order of `row_order`. Of a walk of one step a site anywhere
    in it that may mean many definitions makes the verdict `unknown`. `each` gives a row for every
    site.
    """
    is_near = walked.walk.depth == 1
    if not (is_near or each):
        return _far(graph, rows, walked=walked, limit=limit, offset=offset)
    whole = graph.run(rows, limit=None)  # rows are counted and paged by site, so all get theirs
    whole = _with_sites(graph, whole, walked, each=each, is_sorted=is_near)
    shown = whole.rows[offset : offset + limit]
    is_cut = offset + len(shown) < len(whole.rows)
    page = replace(whole, rows=shown, total=len(whole.rows), truncated=is_cut)
    return _judged(page, whole.rows) if is_near else page


def _far(
    graph: GraphFile, rows: Relation, *, walked: WalkResult, limit: int, offset: int
) -> Answer:
    """Give a page of a walk of several steps, where only what is one step away is ordered."""
    near = Relation(_NEAR, inputs=(Derived("reached", rows),))
    count = int(str(graph.run(near).rows[0][0]))
    if offset >= count:
        page = graph.run(rows, limit=limit, offset=offset)
        return _with_sites(graph, page, walked)
    page = graph.run(rows, limit=max(count, offset + limit))
    first = _with_sites(graph, replace(page, rows=page.rows[:count]), walked, is_sorted=True)
    end = offset + limit
    after = _with_sites(graph, replace(page, rows=page.rows[count:end]), walked)
    shown = (*first.rows, *after.rows)[offset:end]
    is_cut = offset + len(shown) < page.total
    return replace(first, rows=shown, truncated=is_cut)


def page_with_code(workspace: Workspace, page: Answer, *, walked: WalkResult) -> Answer:
    """Give rows of a walk, in their order, with their sites and the source text there."""
    answer = _with_sites(workspace.graph, page, walked)
    answer = _judged(answer, answer.rows)
    return with_code(workspace, answer, path="site_path", line="site_line", text="site_text")


def _with_sites(
    graph: GraphFile,
    answer: Answer,
    walked: WalkResult,
    *,
    each: bool = False,
    is_sorted: bool = False,
) -> Answer:
    """Add SITE_COLUMNS to the rows: a row for `each` site, or for the first of each row."""
    started = time.perf_counter()
    pair = near_in_order if is_sorted else with_sites
    starts = frozenset(int(str(row[0])) for row in walked.table.rows if row[1] == 0)
    pairs = pair(graph, answer, direction=walked.walk.direction, starts=starts)
    rows = [(*row, *site_cells(some)) for row, sites in pairs for some in _shown(sites, each=each)]
    elapsed = answer.elapsed_ms + (time.perf_counter() - started) * 1000
    columns = (*answer.columns, *SITE_COLUMNS)
    return replace(answer, columns=columns, rows=tuple(rows), elapsed_ms=elapsed)


def _shown(sites: tuple[EdgeSite, ...], *, each: bool) -> list[tuple[EdgeSite, ...]]:
    """Give the sites that the rows of one edge stand for: all in one, or each by itself."""
    return [(site,) for site in sites] if each and sites else [sites]


def with_code(
    workspace: Workspace, answer: Answer, *, path: str, line: str, text: str = ""
) -> Answer:
    """Add CODE_COLUMNS for the places in the columns `path` and `line`, without secrets.

    Where the file is not as it was when the graph was built, the source text is the cell of the
    column `text`, the reference as written; without that column it is NULL.
    """
    at = [answer.columns.index(name) for name in (path, line, text) if name]
    lines = SourceLines(workspace)
    lines.expect(str(row[at[0]]) for row in answer.rows if row[at[0]])
    rows = tuple((*row, *_code(lines, *(row[place] for place in at))) for row in answer.rows)
    return replace(answer, columns=(*answer.columns, *CODE_COLUMNS), rows=rows)


def _code(lines: SourceLines, path: Cell, line: Cell, text: Cell = None) -> tuple[Cell, Cell]:
    """The column, and the statement that begins on a line as far as it is short; else the line."""
    if not path:
        return None, None
    first = int(str(line))
    found = lines.at(str(path), first)
    if found is None:
        return 1, text
    joined = [found]
    for number in range(first + 1, first + 1 + _MOST_JOINED):
        following = lines.at(str(path), number)
        if following is None or len(" ".join([*joined, following])) > _LONGEST_JOINED:
            break
        is_closing = len(joined) > 1 and following.startswith(_CLOSING)
        if not (is_closing or joined[-1].endswith(_OPENING)):
            break
        joined.append(following)
    whole = lines.between(str(path), first=first, last=first)
    column = _column(str(text or ""), whole[0] if whole else "")
    return column, safe_lines([_on_one_line(joined)])[0]


def _column(reference: str, line: str) -> int:
    """Find where the last name of a reference begins in a line, from 1; 1 where it is not there."""
    name = reference.rpartition(".")[2]
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line) if name else None
    return found.start() + 1 if found else 1


def _on_one_line(parts: Sequence[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        gap = "" if text.endswith(("(", "[", "{")) or part[:1] in ")]}" else " "
        text = f"{text.removesuffix(_CONTINUED)}{gap}{part}"
    return text


def _judged(answer: Answer, rows: Sequence[Sequence[Cell]]) -> Answer:
    """Lower the verdict of an answer where a site in any of `rows` may mean very many."""
    at = answer.columns.index("alternatives")
    most = max((int(str(row[at])) for row in rows), default=1)
    if most < MANY_ALTERNATIVES:
        return answer
    note = f"rows from sites that may mean up to {most} definitions are alternatives, not facts"
    return with_notes(answer, note, verdict=Verdict.UNKNOWN)
