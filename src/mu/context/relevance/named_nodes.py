"""The nodes that a question names: `Flask.dispatch_request`, `app.py`, `src/app.py:12`, `run()`."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mu.analysis.node_search.peripheral_paths import is_peripheral
from mu.model.relation import Relation
from mu.store import GraphFile

MOST_NAMES = 40
"""So many names of a question are looked at; one of more is a log."""

_MOST_MEANT = 3
"""A name that more definitions have is a word, if it is not written as code: then the most called
of them are taken."""

_DOUBTFUL = 0.5
"""The share of a name that each of many may have, or those of another owner than is written."""

_LESS = 0.8
"""The share of one of many definitions of a name, beside that of the one that is called more."""

_CODE = frozenset(("quoted", "called", "dotted"))

_NAME = re.compile(
    r"`(?P<quoted>[A-Za-z_][\w.]*)(?:\(\))?`"
    r"|\b(?P<called>[A-Za-z_][\w.]*)\((?!s\))"
    r"|\b(?P<dotted>(?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*)\b"
    r"|\b(?P<joined>[A-Za-z0-9]*_\w+|[A-Za-z]\w*[a-z][A-Z]\w*|[A-Z]{2,}[a-z]\w+)\b"
)
_PATH = re.compile(r"(?P<path>[\w./-]*[\w-]\.[A-Za-z]{1,5})(?::(?P<line>\d+))?(?![\w(])")

_NAMED = """
WITH named AS (
    SELECT node.key, name, qualified_name, is_test, path
    FROM node JOIN file ON file.key = node.file
    WHERE list_contains($1::VARCHAR[], name) AND kind IN ('module', 'class', 'function', 'variable')
), used AS (
    SELECT target, count(*) AS uses FROM edge
    WHERE edge.kind = 'calls' AND target IN (SELECT key FROM named) GROUP BY target
)
SELECT key, name, qualified_name, is_test, path, coalesce(uses, 0)
FROM named LEFT JOIN used ON used.target = key ORDER BY key
"""
_IN_FILES = """
SELECT place.path, node.key, node.kind IN ('module', 'document'), node.start_line, node.end_line
FROM file AS place JOIN node ON node.file = place.key
WHERE place.status = 'indexed' AND node.kind <> 'variable'
    AND list_contains($1::VARCHAR[], string_split(place.path, '/')[-1])
ORDER BY node.key
"""


@dataclass(frozen=True, slots=True)
class _Named:
    """A node that has a name, how often it is used, and whether it is a test or peripheral."""

    key: int
    qualified: str
    is_peripheral: bool
    uses: int


def find_named(graph: GraphFile, question: str) -> Mapping[int, float]:
    """Give the nodes that a question names, each with its share of the name: at most 1."""
    found: dict[int, float] = {}
    by_path = [dict.fromkeys(keys, 1 / len(keys)) for keys in _by_path(graph, question) if keys]
    for shares in [*_by_name(graph, question), *by_path]:
        for key, share in shares.items():
            found[key] = max(found.get(key, 0.0), share)
    return found


def _by_name(graph: GraphFile, question: str) -> list[dict[int, float]]:
    written: dict[str, bool] = {}
    for match in _NAME.finditer(question):
        kind, name = next((kind, text) for kind, text in match.groupdict().items() if text)
        written[name] = written.get(name, False) or kind in _CODE
    names = dict(list(written.items())[:MOST_NAMES])
    if not names:
        return []
    ends = [name.rpartition(".")[2] for name in names]
    by_end: dict[str, list[_Named]] = defaultdict(list)
    for row in graph.run(Relation(_NAMED, (ends,)), limit=None).rows:
        key, name, qualified, is_test, path, uses = row
        is_minor = bool(is_test) or is_peripheral(str(path))
        by_end[str(name)].append(_Named(int(str(key)), f".{qualified}", is_minor, int(str(uses))))
    meant = []
    for (name, is_code), end in zip(names.items(), ends, strict=True):
        fitting = [one for one in by_end[end] if one.qualified.endswith(f".{name}")]
        is_exact = bool(fitting)
        if not fitting and is_code:
            fitting = by_end[end]
        fitting = [one for one in fitting if not one.is_peripheral] or fitting
        if fitting and (is_code or len({one.qualified for one in fitting}) <= _MOST_MEANT):
            meant.append(_shared(fitting, is_exact=is_exact))
    return meant


def _shared(candidates: Sequence[_Named], *, is_exact: bool) -> dict[int, float]:
    """Choose those who may be meant, and give each its share; overloads are one.

    Of many the most called are taken, each with less than the one before.
    """
    uses: Counter[str] = Counter()
    for one in candidates:
        uses[one.qualified] += one.uses
    chosen = sorted(uses, key=lambda name: (-uses[name], name))[:_MOST_MEANT]
    is_sure = is_exact and len(uses) <= _MOST_MEANT
    share = min(1 / len(chosen), 1.0 if is_sure else _DOUBTFUL)
    shares = {name: share * (1.0 if is_sure else _LESS**n) for n, name in enumerate(chosen)}
    return {one.key: shares[one.qualified] for one in candidates if one.qualified in shares}


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
