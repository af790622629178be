"""Draws edges or unresolved sites of a graph to be judged by reading.

The draw is seeded by the graph's logical digest: the same graph gives the same rows, whoever draws,
and nobody chooses them. Verdict and reason are left empty for whoever judges.
"""

import random
from collections.abc import Collection
from pathlib import Path

from mu.model.relation import Cell, Relation
from mu.source import SkippedSource, read_source
from mu.store import open_graph

KINDS = {
    "calls": (
        "SELECT s.id AS source, t.id AS target, e.rule::VARCHAR AS rule, f.path, e.line"
        " FROM edge e JOIN node s ON s.key = e.source JOIN node t ON t.key = e.target"
        " JOIN file f ON f.key = s.file WHERE e.kind = 'calls'"
        " ORDER BY e.source, e.target, e.role"
    ),
    "unresolved": (
        "SELECT n.id AS source, s.kind::VARCHAR AS kind, s.text, s.reason::VARCHAR AS ledger,"
        " s.candidates, f.path, s.line"
        " FROM site s JOIN node n ON n.key = s.source JOIN file f ON f.key = s.file"
        " WHERE s.target IS NULL AND s.choice = 0 ORDER BY s.file, s.line, s.kind, s.text, s.source"
    ),
}
"""Each kind's query: any columns, then the path and the line; in an order that never changes."""

_RULE = 2  # the column of a call's rule
_LONGEST = 300  # characters of a source line that are shown
_MAX_SOURCE = 2_000_000  # bytes; what a build reads


def draw(graph: Path, root: Path, kind: str, *, count: int, rules: Collection[str] = ()) -> str:
    """Draw `count` rows and give them as tab-separated text with a header, nothing quoted.

    `root` is the folder that the graph was built of: the source line comes from there. Calls may be
    held to some rules; then the seed has their names as well.
    """
    with open_graph(graph) as opened:
        answer = opened.run(Relation(KINDS[kind]), limit=None)
        digest = opened.meta()["digest"]
    fitting = [row for row in answer.rows if not rules or row[_RULE] in rules]
    seed = " ".join((digest, kind, *sorted(rules)))
    chosen = random.Random(seed).sample(range(len(fitting)), min(count, len(fitting)))
    rows = [("item", *answer.columns[:-2], "place", "source line", "verdict", "reason")]
    for number, place in enumerate(chosen, 1):
        *cells, path, line = fitting[place]
        source = _source_line(root, str(path), line)
        row = (str(number), *map(str, cells), f"{path}:{line}", source, "", "")
        rows.append(tuple(" ".join(cell.split()) for cell in row))
    return "".join("\t".join(row) + "\n" for row in rows)


def _source_line(root: Path, path: str, line: Cell) -> str:
    assert isinstance(line, int)
    try:
        lines = read_source(root, path, max_file_size=_MAX_SOURCE).text.split(b"\n")
    except SkippedSource as skipped:
        return f"({skipped.message})"
    text = lines[line - 1].decode().strip() if line <= len(lines) else ""
    return text[:_LONGEST]
