"""How much of a repository stands on each of its files and definitions.

A file is as important as those that depend on it: PageRank (Brin and Page 1998) over the files,
each handing on to what its text names. What is only reached through a value, such as a handler that
was registered, is no sign: a framework does not stand on its applications. A definition has what
the files that use it have. Tests have no say, and come last themselves.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from mu.context.relevance.ranking import rank
from mu.model.relation import Cell, Input, Relation
from mu.store import GraphFile

_KEPT = 0.85  # of what a file has it hands on so much, as Brin and Page did
_ROUNDS = 25

_PAIRS = """
SELECT near.file, far.file, count(*)
FROM edge JOIN node AS near ON near.key = edge.source JOIN node AS far ON far.key = edge.target
WHERE edge.kind IN ('imports', 'calls', 'inherits', 'uses', 'links', 'mentions')
    AND near.file <> far.file AND NOT near.is_test AND NOT far.is_test
    AND edge.rule NOT IN ('virtual', 'callback', 'inferred', 'returned', 'typed', 'unique-name')
GROUP BY ALL ORDER BY ALL
"""

_FILES = """
SELECT key, path, language, category::VARCHAR, bytes, lines,
    EXISTS (FROM node WHERE node.file = file.key AND node.kind = 'document')
FROM file
WHERE status = 'indexed' AND ($1 = '' OR path = $1 OR starts_with(path, $1 || '/'))
ORDER BY path
"""

_DEFINITIONS = """
WITH used AS (
    SELECT edge.target AS key, near.file AS file, max(ranked.score * CASE edge.kind
        WHEN 'calls' THEN 1.0 WHEN 'inherits' THEN 0.8 WHEN 'uses' THEN 0.5 ELSE 0.3 END) AS score
    FROM edge JOIN node AS near ON near.key = edge.source JOIN ranked ON ranked.file = near.file
    WHERE edge.kind IN ('calls', 'inherits', 'uses', 'imports', 'mentions') AND NOT near.is_test
    GROUP BY ALL
), total AS (SELECT key, sum(score) AS score FROM used GROUP BY key),
entered AS (SELECT DISTINCT node AS key FROM entry
    WHERE role IN ('main', 'script', 'route', 'command', 'task'))
SELECT node.key, node.file, node.kind::VARCHAR, node.start_line, node.end_line, node.docstring,
    node.digest,
    (0.1 * ranked.score + coalesce(total.score, 0) + if(entered.key IS NULL, 0, ranked.score))
        / sqrt(30 + node.lines) AS score
FROM node JOIN ranked ON ranked.file = node.file
LEFT JOIN total ON total.key = node.key LEFT JOIN entered ON entered.key = node.key
LEFT JOIN node AS holder ON holder.key = node.parent
WHERE list_contains($files::INTEGER[], node.file)
    AND (node.kind = 'function' OR node.kind = 'class' AND node.lines <= $whole)
    AND coalesce(holder.kind <> 'function', TRUE)
ORDER BY score DESC, node.key LIMIT $most
"""

WHOLE_CLASS = 40
"""Lines of a class that is shown as one; of a longer one the methods are."""

_MOST_DEFINITIONS = 4_000
_PAGE = 0.4
"""What a page counts for beside code."""


@dataclass(frozen=True, slots=True)
class PartFile:
    """A file of a part; `score` compares files of one part."""

    key: int
    path: str
    language: str
    category: str
    bytes: int
    lines: int
    is_page: bool = False
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, or a short class, of which the source may be shown."""

    key: int
    file: int
    kind: str
    line: int
    end_line: int
    docstring: str
    digest: str
    score: float


@dataclass(frozen=True, slots=True)
class Part:
    """The files of a part, the most important first, and what a focus ranks in them.

    `focused` are nodes by their keys; it is empty without a focus, and where nothing says anything
    about it.
    """

    files: tuple[PartFile, ...]
    focused: Mapping[int, float]


class FileRanks:
    """PageRank of each file that depends on another or is depended on, by its key."""

    def __init__(self, graph: GraphFile) -> None:
        rows = graph.run(Relation(_PAIRS), limit=None).rows
        pairs = msgspec.convert(rows, list[tuple[int, int, int]])
        self.scores = _page_rank(pairs)


def find_part(graph: GraphFile, prefix: str, *, focus: str = "") -> Part:
    """Give the files at or below a path, '' for all; for a focus, those that say most of it first.

    Without a focus a page that is called a readme stands first at its place, then code by its
    importance, then what is no source. Raises MuError (usage) for a focus that cannot be asked.
    """
    ranks = graph.once(FileRanks).scores
    rows = graph.run(Relation(_FILES, (prefix,)), limit=None).rows
    known = [
        PartFile(*row)
        for row in msgspec.convert(rows, list[tuple[int, str, str, str, int, int, bool]])
    ]
    least = 1 / (len(ranks) or 1)
    ranking = rank(graph, focus) if focus else None
    said = {} if ranking is None else {file.path: file.score for file in ranking.files}
    files = [
        replace(f, score=score)
        for f in known
        for score in [said.get(f.path, 0.0) + _scaled(f, ranks.get(f.key, 0.15 * least), prefix)]
    ]
    files.sort(key=lambda file: (file.category != "source", -file.score, file.path))
    inside = {file.path for file in files}
    nodes = () if ranking is None else ranking.nodes
    return Part(tuple(files), {n.key: n.score for n in nodes if n.path in inside})


def definitions(graph: GraphFile, part: Part) -> tuple[Definition, ...]:
    """Give what may be shown of a part: what the focus ranks, then the most important, 4,000."""
    scores = graph.once(FileRanks).scores
    least = 0.15 / (len(scores) or 1)
    table: list[tuple[Cell, ...]] = [(file.key, scores.get(file.key, least)) for file in part.files]
    ranked = Input("ranked", ("file", "score"), ("INTEGER", "DOUBLE"), table)
    parameters: dict[str, Cell] = {
        "files": [file.key for file in part.files],
        "whole": WHOLE_CLASS,
        "most": _MOST_DEFINITIONS,
    }
    rows = graph.run(Relation(_DEFINITIONS, parameters, inputs=(ranked,)), limit=None).rows
    found = [
        Definition(*row)
        for row in msgspec.convert(rows, list[tuple[int, int, str, int, int, str, str, float]])
    ]
    tests = {file.key for file in part.files if file.category != "source"}
    found.sort(
        key=lambda one: (-part.focused.get(one.key, 0.0), one.file in tests, -one.score, one.key)
    )
    return tuple(found)


def _scaled(file: PartFile, score: float, prefix: str) -> float:
    """Give the importance of a file among those of a part: under 0.01, readmes more."""
    below = file.path.removeprefix(prefix).lstrip("/")
    if below.lower().startswith("readme"):
        return 0.01
    return 0.01 * score * (_PAGE if file.is_page else 1.0)


def _page_rank(pairs: Sequence[tuple[int, int, int]]) -> dict[int, float]:
    """Rank what is linked; a pair that is linked often weighs more, by the logarithm.

    NetworkX has a PageRank, which takes SciPy.
    """
    files = {file for source, target, _ in pairs for file in (source, target)}
    if not files:
        return {}
    onward: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for source, target, count in pairs:
        onward[source].append((target, 1 + math.log(count)))
    shares = {source: _shared(targets) for source, targets in onward.items()}
    scores = dict.fromkeys(files, 1 / len(files))
    for _ in range(_ROUNDS):
        lost = sum(score for file, score in scores.items() if file not in shares)
        base = (1 - _KEPT + _KEPT * lost) / len(files)
        following = dict.fromkeys(files, base)
        for source, targets in shares.items():
            handed = _KEPT * scores[source]
            for target, share in targets:
                following[target] += handed * share
        scores = following
    return scores


def _shared(targets: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    whole = sum(weight for _, weight in targets)
    return [(target, weight / whole) for target, weight in targets]
