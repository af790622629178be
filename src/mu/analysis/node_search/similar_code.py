"""Find definitions with similar text, by the measure that finds renames."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mu.analysis.review.similarity import fingerprint, likeness
from mu.model.found import FoundNode
from mu.model.relation import Cell, Relation
from mu.store import GraphFile

LEAST = 0.3
"""The least score: below it, definitions share little more than the words of the language."""

MOST = 20_000
"""Definitions whose text is compared: some 3 s."""

_CANDIDATES = """
SELECT node.id, node.name, file.path, node.start_line, node.end_line,
    node.end_line - node.start_line + 1 AS height
FROM node JOIN file ON file.key = node.file
WHERE node.kind = $kind AND node.end_line > 0 AND file.status = 'indexed'
    AND height BETWEEN $height / 6 - 2 AND $height * 6 + 2
    AND NOT (file.path = $path AND node.start_line <= $last AND node.end_line >= $first)
ORDER BY abs(height - $height), file.path, node.start_line
"""
_LAST = "SELECT end_line FROM node WHERE key = ?"

ReadFiles = Callable[[Sequence[str]], Iterable[Sequence[str]]]
"""Reads the lines of files by their paths, in order; none of one that has changed."""


@dataclass(frozen=True, slots=True)
class Similar:
    """Ids with scores, at least `LEAST`; not `is_whole` where not all candidates were compared.

    `is_readable` says that the text of the node itself could be read.
    """

    scores: tuple[tuple[str, float], ...]
    is_whole: bool = True
    is_readable: bool = True


def find_similar(graph: GraphFile, node: FoundNode, *, read: ReadFiles) -> Similar:
    """Find the definitions of the same kind whose text is like that of `node`.

    What contains the node or stands in it is left out. Only definitions of a comparable number of
    lines are read, those of the nearest number first.
    """
    last = int(str(graph.run(Relation(_LAST, (node.key,))).rows[0][0]))
    (own,) = read([node.path])
    lines = own[node.line - 1 : last] if node.line else own
    if not lines:
        return Similar((), is_readable=False)
    parameters: dict[str, Cell] = {
        "kind": node.kind,
        "height": len(lines),
        "path": node.path,
        "first": node.line,
        "last": last,
    }
    found = graph.run(Relation(_CANDIDATES, parameters), limit=MOST)
    rows = [(str(row[0]), str(row[1]), str(row[2]), *_span(row)) for row in found.rows]
    paths = list(dict.fromkeys(row[2] for row in rows))
    texts = dict(zip(paths, read(paths), strict=True))
    goal = fingerprint(lines, name=node.name)
    scores = []
    for id_, name, path, start, end in rows:
        other = fingerprint(texts[path][max(start, 1) - 1 : end], name=name)
        score = likeness(goal, other, least=LEAST)
        if score:
            scores.append((id_, round(score, 3)))
    return Similar(tuple(scores), is_whole=not found.truncated)


def _span(row: Sequence[object]) -> tuple[int, int]:
    return int(str(row[3])), int(str(row[4]))
