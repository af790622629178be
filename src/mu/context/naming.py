"""The nodes that a question names: `Flask.dispatch_request`, `app.py`, `src/app.py:12`, `run()`."""

import re
from collections import defaultdict
from collections.abc import Mapping

from mu.model.relation import Relation
from mu.store import GraphFile

MOST_NAMES = 40
"""So many names of a question are looked at; one of more is a log."""

_MOST_MEANT = 3
"""A name that more nodes bear is no name here, but a word."""

_NAME = re.compile(
    r"`(?P<quoted>[A-Za-z_][\w.]*)(?:\(\))?`"
    r"|\b(?P<called>[A-Za-z_][\w.]*)\(\)"
    r"|\b(?P<dotted>(?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*)\b"
    r"|\b(?P<joined>[A-Za-z0-9]*_\w+|[A-Za-z]\w*[a-z][A-Z]\w*|[A-Z]{2,}[a-z]\w+)\b"
)
_PATH = re.compile(r"(?P<path>[\w./-]*[\w-]\.[A-Za-z]{1,5})(?::(?P<line>\d+))?(?![\w(])")

_NAMED = """
SELECT key, name, qualified_name, is_test FROM node
WHERE list_contains($1::VARCHAR[], name) AND kind IN ('module', 'class', 'function', 'variable')
    AND file IS NOT NULL
ORDER BY key
"""
_IN_FILES = """
SELECT place.path, node.key, node.kind IN ('module', 'document'), node.start_line, node.end_line
FROM file AS place JOIN node ON node.file = place.key
WHERE place.status = 'indexed' AND node.kind <> 'variable'
    AND list_contains($1::VARCHAR[], string_split(place.path, '/')[-1])
ORDER BY node.key
"""


def find_named(graph: GraphFile, question: str) -> Mapping[int, float]:
    """Give the nodes that a question names, each with its share of the name: at most 1."""
    found: dict[int, float] = {}
    for keys in [*_by_name(graph, question), *_by_path(graph, question)]:
        for key in keys:
            found[key] = max(found.get(key, 0.0), 1 / len(keys))
    return found


def _by_name(graph: GraphFile, question: str) -> list[list[int]]:
    matches = [next(text for text in match.groups() if text) for match in _NAME.finditer(question)]
    names = list(dict.fromkeys(matches))[:MOST_NAMES]
    if not names:
        return []
    ends = [name.rpartition(".")[2] for name in names]
    by_end: dict[str, list[tuple[int, str, bool]]] = defaultdict(list)
    for key, name, qualified, is_test in graph.run(Relation(_NAMED, (ends,)), limit=None).rows:
        by_end[str(name)].append((int(str(key)), f".{qualified}", bool(is_test)))
    meant = []
    for name, end in zip(names, ends, strict=True):
        fitting = [row for row in by_end[end] if row[1].endswith(f".{name}")]
        fitting = [row for row in fitting if not row[2]] or fitting
        if len(fitting) <= _MOST_MEANT:
            meant.append([key for key, *_ in fitting])
    return meant


def _by_path(graph: GraphFile, question: str) -> list[list[int]]:
    matches = [(match["path"], int(match["line"] or 0)) for match in _PATH.finditer(question)]
    paths = list(dict.fromkeys(matches))[:MOST_NAMES]
    if not paths:
        return []
    ends = [path.rpartition("/")[2] for path, _ in paths]
    rows = graph.run(Relation(_IN_FILES, (ends,)), limit=None).rows
    meant = []
    for path, line in paths:
        fitting = [
            (int(str(last)) - int(str(first)), int(str(key)))
            for place, key, is_whole, first, last in rows
            if f"/{place}".endswith(f"/{path.removeprefix('./')}")
            and (int(str(first)) <= line <= int(str(last)) if line else is_whole)
        ]
        keys = [min(fitting)[1]] if line and fitting else [key for _, key in fitting]
        if len(keys) <= _MOST_MEANT:
            meant.append(keys)
    return meant
