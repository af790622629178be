"""Rows of a walk with the sites of their edges, and the source line of each site."""

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from mu.analysis.edge_sites import REACHED, with_sites
from mu.analysis.traversal import Direction, Walk
from mu.model.kinds import Verdict
from mu.model.relation import Answer, Cell, Derived, Input, Relation
from mu.operations.results import noted
from mu.operations.source_lines import SourceLines, safe_lines
from mu.operations.workspace import Workspace
from mu.store import GraphFile


class Sites(StrEnum):
    """Which sites the rows of a walk come with."""

    NONE = "none"
    FIRST = "first"
    EACH = "each"


MANY_ALTERNATIVES = 100
"""How many definitions a site may mean before its rows make an answer less than exact."""

CODE_COLUMNS = ("site_column", "code")
"""The column where the name begins in the line of a site, from 1, and the source text there."""

_TYPES = {"line": "INTEGER", "distance": "INTEGER", "is_test": "BOOLEAN"}
_OPENING = ("(", "[", "{", ",", "=", "\\")
_CLOSING = (")", "]", "}")
_CONTINUED = "\\"
_MOST_JOINED = 3
_LONGEST_JOINED = 120


def sited(
    graph: GraphFile,
    rows: Relation,
    *,
    walk: Walk,
    each: bool = False,
    limit: int,
    offset: int,
) -> Answer:
    """Run the relation of the rows of a walk and give them with their sites.

    Of a walk of one step the surest rows come first, and a site anywhere in it that may mean many
    definitions makes the verdict `unknown`. `each` gives a row for every site.
    """
    is_near = walk.depth == 1
    if is_near or each:  # rows are counted and paged by site, so all of them get theirs
        table = Derived(REACHED, rows)
        relation = with_sites(table, walk.direction, by_distance=not is_near, each=each)
        answer = graph.run(relation, limit=limit, offset=offset)
        return _judged(answer) if is_near else _without_most(answer)
    page = graph.run(rows, limit=limit, offset=offset)
    return _without_most(_of_page(graph, page, walk.direction))


def page_with_code(workspace: Workspace, page: Answer, *, walk: Walk) -> Answer:
    """Give rows of a walk, in their order, with their sites and the source text there."""
    answer = _judged(_of_page(workspace.graph, page, walk.direction))
    return with_code(workspace, answer, path="site_path", line="site_line", text="site_text")


def _of_page(graph: GraphFile, page: Answer, direction: Direction) -> Answer:
    types = tuple(_TYPES.get(column, "VARCHAR") for column in page.columns)
    table = Input(REACHED, page.columns, types, page.rows)
    found = graph.run(with_sites(table, direction, by_distance=True), limit=None)
    elapsed = page.elapsed_ms + found.elapsed_ms
    return replace(page, columns=found.columns, rows=found.rows, elapsed_ms=elapsed)


def with_code(workspace: Workspace, answer: Answer, *, path: str, line: str, text: str) -> Answer:
    """Add CODE_COLUMNS for the places in the columns `path` and `line`, without secrets.

    Where the file is not as it was when the graph was built, the source text is the cell of the
    column `text`, the reference as written.
    """
    at = [answer.columns.index(name) for name in (path, line, text)]
    lines = SourceLines(workspace)
    lines.expect(str(row[at[0]]) for row in answer.rows if row[at[0]])
    rows = tuple((*row, *_code(lines, *(row[place] for place in at))) for row in answer.rows)
    return replace(answer, columns=(*answer.columns, *CODE_COLUMNS), rows=rows)


def _code(lines: SourceLines, path: Cell, line: Cell, text: Cell) -> tuple[Cell, Cell]:
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


def _judged(answer: Answer) -> Answer:
    """Drop the last column, and lower the verdict where a site may mean very many definitions."""
    most = int(str(answer.rows[0][-1])) if answer.rows else 1
    answer = _without_most(answer)
    if most < MANY_ALTERNATIVES:
        return answer
    note = f"rows from sites that may mean up to {most} definitions are alternatives, not facts"
    return noted(answer, note, verdict=Verdict.UNKNOWN)


def _without_most(answer: Answer) -> Answer:
    """Drop the last column, the largest number of alternatives."""
    rows = tuple(row[:-1] for row in answer.rows)
    return replace(answer, columns=answer.columns[:-1], rows=rows)
