"""Lines of the source that match a pattern, each with the definition it stands in.

Patterns are run by the engine, whose RE2 takes time in proportion to the text whatever the pattern.
"""

import re
import time
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from mu.analysis.node_search.listing_scope import EVERYTHING, Scope, checked
from mu.errors import ExitCode, MuError
from mu.model.kinds import Category, TextKind, Verdict
from mu.model.relation import Answer, Cell, Input, Relation
from mu.operations.freshness import with_staleness_note
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset, with_notes
from mu.operations.source_lines import SourceLines, safe_lines
from mu.operations.workspace import Workspace
from mu.store import GraphFile, QueryError
from mu.syntax import load_manifests, text_kinds

GREP_COLUMNS = ("kind", "source", "path", "line", "text", "site_column", "code")
"""`text` is what matched in the line `code`, and `source` the definition that it stands in."""

_GONE = "changed or gone since the build"
_FILES_AT_ONCE = 500
_LONGEST_LINE = 200
_SHOWN_BEFORE = 60
"""Characters before the match that are shown of a longer line."""

_FILES = """
SELECT path, language FROM file
WHERE digest <> '' AND ($1 = '' OR path = $1 OR starts_with(path, $1 || '/'))
ORDER BY path
"""

_MATCHES = """
WITH split AS (
    SELECT place, string_split(text, chr(10)) AS lines
    FROM source_text WHERE regexp_matches(text, '(?m)' || $1)
), numbered AS (
    SELECT place, unnest(lines) AS line, generate_subscripts(lines, 1) AS number FROM split
)
SELECT place, number, line, string_split_regex(line, $1), regexp_extract_all(line, $1)
FROM numbered WHERE regexp_matches(line, $1)
ORDER BY place, number
"""

_DEFINITIONS = """
SELECT
    arg_min(node.id, row(node.end_line - node.start_line, -node.key)),
    bool_or(node.is_test) OR any_value(file.category) = $1
FROM hit
JOIN file ON file.path = hit.path
LEFT JOIN node ON node.file = file.key
    AND node.start_line <= hit.line AND hit.line <= node.end_line
    AND node.kind IN ('module', 'class', 'function', 'document', 'section')
GROUP BY hit.place
ORDER BY hit.place
"""


class _Line(NamedTuple):
    """A line that matches; `starts` are where its matches begin, in characters from 0."""

    path: str
    language: str
    number: int
    text: str
    starts: tuple[int, ...]
    matched: tuple[str, ...]


class _Hit(NamedTuple):
    """A match of a line, by its place among them, and what sort of text it is."""

    line: _Line
    match: int
    kind: TextKind


class _Definition(NamedTuple):
    """What a line stands in, and whether that is part of the tests."""

    id: str
    is_test: bool


def grep_expression(
    text: str, *, is_fixed: bool = False, ignores_case: bool = False, whole_word: bool = False
) -> str:
    """Give the regular expression for a pattern that may be a plain text (`is_fixed`).

    `whole_word` wants no letter, digit or underscore beside it.
    """
    expression = re.escape(text) if is_fixed else text
    if whole_word:
        expression = rf"\b(?:{expression})\b"
    return f"(?i){expression}" if ignores_case else expression


def grep(
    workspace: Workspace,
    pattern: str,
    *,
    kinds: Sequence[TextKind] = (),
    scope: Scope = EVERYTHING,
    limit: int = DEFAULT_LIMIT,
    offset: int = 0,
) -> Rows:
    """List the lines that a regular expression matches, with the definition each stands in.

    The files of the graph are searched line by line, documents too; what the graph leaves out is
    not. The syntax is RE2's. `kinds` keeps matches in code, in string literals, in comments, or in
    documents. The columns are GREP_COLUMNS, a row for each line. Raises MuError (usage) for a
    pattern that is empty or no regular expression.
    """
    check_page(limit, offset)
    started = time.perf_counter()
    graph = workspace.graph
    scope = checked(graph, scope)
    lines, searched, unread = _matching(workspace, pattern, within=scope.within)
    if not scope.tests:
        around = _definitions(graph, lines)
        lines = [line for line, one in zip(lines, around, strict=True) if not one.is_test]
    hits = _hits(workspace, lines, kinds) if kinds else []
    total = len(hits) if kinds else len(lines)
    end = offset + limit
    page = hits[offset:end] if kinds else _hits(workspace, lines[offset:end], tuple(TextKind))
    around = _definitions(graph, [hit.line for hit in page])
    answer = Answer(
        GREP_COLUMNS,
        tuple(map(_row, page, around)),
        total=total,
        truncated=offset + len(page) < total,
        elapsed_ms=(time.perf_counter() - started) * 1000,
    )
    if not total:
        answer = with_notes(answer, f"no line in the {_files(searched)} of the graph matches")
    if unread:
        answer = with_notes(
            answer, f"{_files(unread)} could not be searched: {_GONE}", verdict=Verdict.AT_LEAST
        )
    return with_staleness_note(workspace.freshness, Rows(answer, next_offset(answer, offset)))


def _matching(workspace: Workspace, pattern: str, *, within: str) -> tuple[list[_Line], int, int]:
    """Give the lines that match, the number of files searched, and of those that could not be."""
    if not pattern:
        raise MuError("the pattern is empty", "give the text to look for", ExitCode.USAGE)
    files = workspace.graph.run(Relation(_FILES, (within,)), limit=None).rows
    found: list[_Line] = []
    unread = 0
    for start in range(0, len(files), _FILES_AT_ONCE):
        some = [(str(path), str(language)) for path, language in files[start:][:_FILES_AT_ONCE]]
        source = SourceLines(workspace)
        source.expect(path for path, _ in some)
        texts = [source.text(path) for path, _ in some]
        unread += texts.count(None)
        read = [
            (place, text.decode("utf-8", "replace"))
            for place, text in enumerate(texts)
            if text is not None
        ]
        for place, *line in _run(workspace.graph, pattern, read):
            found.append(_line(*some[int(str(place))], *line))
    return found, len(files) - unread, unread


def _run(
    graph: GraphFile, pattern: str, texts: Sequence[tuple[int, str]]
) -> Sequence[tuple[Cell, ...]]:
    """Give the place of a text, number, line, pieces between matches, and matches of each line."""
    source = Input("source_text", ("place", "text"), ("INTEGER", "VARCHAR"), texts)
    try:
        return graph.run(Relation(_MATCHES, (pattern,), inputs=(source,)), limit=None).rows
    except QueryError as error:
        hint = "put a \\ before ( [ { . * + ? to mean the character"
        message = f"'{pattern}' is not a valid regular expression"
        raise MuError(message, hint, ExitCode.USAGE) from error


def _line(
    path: str, language: str, number: Cell, text: Cell, between: Cell, matched: Cell
) -> _Line:
    starts, at = [], 0
    found = tuple(map(str, matched)) if isinstance(matched, Sequence) else ()
    pieces = between if isinstance(between, Sequence) else ()
    for piece, match in zip(pieces, found, strict=False):
        starts.append(at + len(str(piece)))
        at = starts[-1] + len(match)
    return _Line(path, language, int(str(number)), str(text), tuple(starts), found)


def _hits(workspace: Workspace, lines: Sequence[_Line], kinds: Sequence[TextKind]) -> list[_Hit]:
    """Give the first match of each line that is of one of the kinds."""
    code = {name for name, manifest in load_manifests().items() if manifest.grammar}
    source = SourceLines(workspace)
    found = []
    for (path, language), some in groupby(lines, key=lambda line: (line.path, line.language)):
        of_file = list(some)
        text = source.text(path)
        places = [(line, match) for line in of_file for match in range(len(line.starts))]
        told = [TextKind.PROSE] * len(places)
        if language in code and text is not None:  # it may have changed since it was searched
            told = text_kinds(text, language, starts=_offsets(text, places))
        done: set[int] = set()
        for (line, match), kind in zip(places, told, strict=True):
            if kind in kinds and line.number not in done:
                done.add(line.number)
                found.append(_Hit(line, match, kind))
    return found


def _offsets(text: bytes, places: Sequence[tuple[_Line, int]]) -> list[int]:
    """Give the byte offset of each match."""
    begins = [0]
    for line in text.split(b"\n"):
        begins.append(begins[-1] + len(line) + 1)
    return [
        begins[line.number - 1] + len(line.text[: line.starts[match]].encode())
        for line, match in places
    ]


def _definitions(graph: GraphFile, lines: Sequence[_Line]) -> list[_Definition]:
    """Give the innermost definition or section that each line stands in."""
    rows = [(place, line.path, line.number) for place, line in enumerate(lines)]
    hit = Input("hit", ("place", "path", "line"), ("INTEGER", "VARCHAR", "INTEGER"), rows)
    relation = Relation(_DEFINITIONS, (Category.TEST.value,), inputs=(hit,))
    found = graph.run(relation, limit=None).rows
    return [_Definition(str(node or ""), bool(is_test)) for node, is_test in found]


def _row(hit: _Hit, around: _Definition) -> tuple[Cell, ...]:
    line, start = hit.line, hit.line.starts[hit.match]
    matched, code = safe_lines([hit.line.matched[hit.match], _shown(line.text, start)])
    return (hit.kind, around.id, line.path, line.number, matched, start + 1, code)


def _shown(text: str, start: int) -> str:
    """Give a line without the space around it; of a long one, the part with the match."""
    if len(text.strip()) <= _LONGEST_LINE:
        return text.strip()
    first = max(0, start - _SHOWN_BEFORE)
    part = text[first : first + _LONGEST_LINE].strip()
    return f"{'...' if first else ''}{part}{'...' if first + _LONGEST_LINE < len(text) else ''}"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"
