"""Code that the build did not read: skipped and minified files, and lines with syntax errors.

What uses a node may be there, so an answer that lists what uses it is `at least` where such code
has its name as a word. A minified file does not count: it is made from source that is elsewhere.
What a node uses is not all known where its own text has syntax errors or is minified.
"""

import re
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple, TypeVar

from mu.analysis.completeness.cross_language_names import can_mean, languages_apart
from mu.analysis.walks.breadth_first import WalkResult, walk_graph
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.kinds import Verdict
from mu.model.relation import Answer, Cell, Relation
from mu.operations.results import with_notes
from mu.operations.workspace import Workspace
from mu.source import SkippedSource, read_source

MOST_FILES = 50
"""Files that are read for an answer; with more, each of the rest may have any name."""

MOST_BYTES = 20_000_000
"""Size of a file that is read for an answer; a larger one may have any name."""

_MOST_SHOWN = 3
_WORD = re.compile(rb"\w+")

_FAILED = "^(larger than|took|was ended|exited|unreadable)"
"""The reasons why a file was skipped that nobody asked for."""

_UNREAD = f"""
SELECT DISTINCT place.key, place.path, place.reason, place.problems
FROM file AS place JOIN node AS met ON met.key IN (
    SELECT node FROM {{walked}} WHERE distance < $depth
)
WHERE place.language <> '' AND {can_mean("place.language", "met.language")}
    AND (place.status = 'skipped' AND regexp_matches(place.reason, $failed)
        OR len(place.problems) > 0)
ORDER BY place.path
"""

_NAMES = """
SELECT DISTINCT met.name FROM {walked} AS walked JOIN node AS met ON met.key = walked.node
WHERE walked.distance < $depth AND met.kind <> 'module'
"""

_RESOLVED_LINES = """
SELECT file, line FROM site
WHERE file = $file AND name IN (SELECT unnest($names::VARCHAR[]))
UNION
SELECT file, start_line FROM node
WHERE file = $file AND name IN (SELECT unnest($names::VARCHAR[]))
"""

_OWN_TEXT = """
SELECT place.path, place.problems, met.start_line, met.end_line, met.kind = 'module',
    place.category = 'minified'
FROM node AS met JOIN file AS place ON place.key = met.file
WHERE met.key = $key AND (len(place.problems) > 0 OR place.category = 'minified')
"""


_Row = TypeVar("_Row", bound=tuple[object, ...])


class _Unread(NamedTuple):
    key: int
    path: str
    reason: str
    problems: Sequence[str]


class _OwnText(NamedTuple):
    path: str
    problems: Sequence[str]
    start: int
    end: int
    is_module: bool
    is_minified: bool


def with_unread_code(workspace: Workspace, answer: Answer, *, walked: WalkResult) -> Answer:
    """Return the answer with its verdict where code that was not read could add to it."""
    if answer.verdict is not Verdict.EXACT:
        return answer
    if walked.walk.direction is Direction.FORWARD:
        doubts = _in_own_text(workspace, walked)
    else:
        doubts = _in_other_text(workspace, walked)
    if not doubts:
        return answer
    more = [f"and {len(doubts) - _MOST_SHOWN} more files"] if len(doubts) > _MOST_SHOWN else []
    return with_notes(answer, *doubts[:_MOST_SHOWN], *more, verdict=Verdict.AT_LEAST)


def with_unread_mentions(workspace: Workspace, answer: Answer, *, key: int) -> Answer:
    """Return references to a node with their verdict where unread code could have more."""
    walked = walk_graph(workspace.graph, Walk(key, Direction.BACKWARD, 1))
    return with_unread_code(workspace, answer, walked=walked)


def _in_own_text(workspace: Workspace, walked: WalkResult) -> list[str]:
    """Say where the text of the start of a forward walk was not read."""
    found = workspace.graph.run(Relation(_OWN_TEXT, {"key": walked.walk.key})).rows
    doubts = []
    for text in _typed(found, _OwnText):
        if text.is_minified:
            doubts.append(f"{text.path} is minified and was not read")
        lines = [
            line
            for line in _problem_lines(text.problems)
            if text.is_module or text.start <= line <= text.end
        ]
        if lines:
            place = f"{text.path}:{lines[0]}"
            doubts.append(f"{place} has a syntax error, and what is there may be missing")
    return doubts


def _in_other_text(workspace: Workspace, walked: WalkResult) -> list[str]:
    """Say which files that were not read have the name of a node of a backward walk."""
    graph, name = workspace.graph, walked.table.name
    depth = {"depth": walked.walk.bound}
    inputs = (walked.table, languages_apart(graph))
    asked = Relation(_UNREAD.format(walked=name), {**depth, "failed": _FAILED}, inputs=inputs)
    found = graph.run(asked, limit=None).rows
    files = _typed(found, _Unread)
    if not files:
        return []
    rows = graph.run(Relation(_NAMES.format(walked=name), depth, inputs=inputs[:1]), limit=None)
    names = {str(row[0]) for row in rows.rows}
    doubts = (_doubt(workspace, file, names) for file in files[:MOST_FILES])
    rest = [f"{file.path} was not read" for file in files[MOST_FILES:]]
    return [*filter(None, doubts), *rest]


def _doubt(workspace: Workspace, file: _Unread, names: Set[str]) -> str:
    """Say that a file has one of the names where it was not read; empty if not."""
    if file.reason:
        said = f"{file.path} was not read ({file.reason})"
    else:
        said = f"{file.path} has syntax errors"
    try:
        text = read_source(workspace.root, file.path, max_file_size=MOST_BYTES).text
    except SkippedSource:
        return said
    there = _lines_with(text, names)
    if not file.reason:
        there = _unresolved(workspace, file, there)
    if not there:
        return ""
    line, name = min(there.items())
    return f"{said} and has the name `{name}` on line {line}"


def _lines_with(text: bytes, names: Set[str]) -> dict[int, str]:
    """Return the lines of a text that have one of the names as a word, with the first such name."""
    sought = {name.encode("utf-8", "surrogatepass"): name for name in names}
    if sought.keys().isdisjoint(_WORD.findall(text)):
        return {}
    return {
        number: sought[word]
        for number, line in enumerate(text.split(b"\n"), 1)
        for word in reversed(_WORD.findall(line))
        if word in sought
    }


def _unresolved(workspace: Workspace, file: _Unread, there: dict[int, str]) -> dict[int, str]:
    """Return the lines of which the graph has no reference or definition of the name, or in doubt.

    Those with a syntax error, and the lines beside it, are in doubt.
    """
    values: dict[str, Cell] = {"file": file.key, "names": sorted({*there.values()})}
    known = workspace.graph.run(Relation(_RESOLVED_LINES, values), limit=None).rows
    lines = {int(str(line)) for _, line in known}
    for line in _problem_lines(file.problems):
        lines -= {line - 1, line, line + 1}
    return {line: name for line, name in there.items() if line not in lines}


def _problem_lines(problems: Iterable[str]) -> list[int]:
    """Return the lines of problems, `line: what` texts."""
    starts = (problem.partition(":")[0] for problem in problems)
    return [int(start) for start in starts if start.isdecimal()]


def _typed(rows: Sequence[tuple[Cell, ...]], row: type[_Row]) -> list[_Row]:
    """Return rows of cells as those of a type."""
    if not rows:
        return []
    import msgspec  # takes longer to load than most answers to find that nothing is unread

    return [msgspec.convert(one, row) for one in rows]
