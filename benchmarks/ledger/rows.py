"""Compares the identifiers of a repository with the rows of its graph, line by line."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.ledger.positions import Identifier, Position, identifiers, table_of
from mu.model.relation import Relation
from mu.source import SkippedSource, read_source
from mu.store import GraphFile

DEMANDED = (Position.CALL, Position.TYPE)
_MAX_SOURCE = 2_000_000  # bytes; what a build reads
_MOST_EXAMPLES = 20

_ROWS = (
    "SELECT f.path, s.line, s.name, s.text FROM site s JOIN file f ON f.key = s.file"
    " WHERE s.kind NOT IN ('link', 'mention')"
)
_NODES = (
    "SELECT f.path, n.start_line, n.end_line, n.name FROM node n JOIN file f ON f.key = n.file"
    " WHERE n.kind IN ('class', 'function', 'variable')"
)
_FILES = "SELECT path, language FROM file WHERE status = 'indexed' ORDER BY path"


@dataclass(frozen=True, slots=True)
class Missing:
    """An identifier that has neither a row on its line nor a reason to need none."""

    path: str
    language: str
    identifier: Identifier


@dataclass(slots=True)
class Count:
    """What was found of one position in one language."""

    identifiers: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    missing: list[Missing] = field(default_factory=list)


Counts = dict[tuple[str, Position], Count]


class _Told:
    """What a graph has on each line: names of rows and what they are read from, definitions."""

    def __init__(self, graph: GraphFile) -> None:
        self._names: dict[tuple[str, int], set[str]] = defaultdict(set)
        self._nodes: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        for path, line, name, text in graph.run(Relation(_ROWS), limit=None).rows:
            self._names[str(path), _int(line)] |= {
                str(name),
                *str(text).replace("[]", "").split("."),
            }
        for path, first, last, name in graph.run(Relation(_NODES), limit=None).rows:
            self._nodes[str(path), str(name)].append((_int(first), _int(last)))

    def has(self, path: str, one: Identifier) -> bool:
        """Whether there is a row for an identifier, or a node where it defines one."""
        if one.position is Position.DEFINITION:
            return any(s <= one.line <= e for s, e in self._nodes.get((path, one.name), ()))
        return one.name in self._names.get((path, one.line), ())


def _int(cell: object) -> int:
    assert isinstance(cell, int)
    return cell


def compare(
    graph: GraphFile, root: Path, *, demanded: Set[Position] = frozenset(DEMANDED)
) -> Counts:
    """What each language's identifiers come to; `root` is what the graph was built of."""
    told, counts = _Told(graph), defaultdict[tuple[str, Position], Count](Count)
    for path, language in graph.run(Relation(_FILES), limit=None).rows:
        for one in _identifiers(root, str(path), str(language)):
            if one.position not in demanded:
                continue
            count = counts[str(language), one.position]
            count.identifiers += 1
            if told.has(str(path), one):
                continue
            if one.reason:
                count.reasons[one.reason] += 1
            else:
                count.missing.append(Missing(str(path), str(language), one))
    return counts


def _identifiers(root: Path, path: str, language: str) -> Iterable[Identifier]:
    if not language or table_of(language) is None:
        return ()
    try:
        text = read_source(root, path, max_file_size=_MAX_SOURCE).text
    except SkippedSource:
        return ()
    return identifiers(text, language)
