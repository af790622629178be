"""ANALYZE: each metric is a relation of the analysis of that name, cut down to what FOR names."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mu.model.relation import Derived, Relation
from mu.muql.answering import Answering
from mu.muql.errors import MuqlError
from mu.muql.functions import ResultColumn
from mu.muql.grounds import Grounds
from mu.muql.statements import Parsed, Word
from mu.store import GraphFile

if TYPE_CHECKING:
    from mu.analysis.measures import Columns

_BELOW = """
SELECT * FROM measured_rows
WHERE path = $1 OR starts_with(path, $1 || '/') ORDER BY rowid
"""

_INSIDE = """
WITH RECURSIVE inside(id) AS (
    SELECT id FROM node WHERE key = ?
    UNION
    SELECT contains.target FROM inside JOIN contains ON contains.source = inside.id
)
SELECT * FROM measured_rows WHERE id IN (FROM inside) ORDER BY rowid
"""

_HAS_PATH = "SELECT 1 FROM file WHERE path = $1 OR starts_with(path, $1 || '/') LIMIT 1"


def analyze(parsed: Parsed, graph: GraphFile) -> Answering:
    """Give the rows of a metric, the worst first.

    Raises MuqlError when FOR names a node and the rows are about none.
    """
    metric = parsed.words["metric"].value.lower()
    scope = parsed.words.get("FOR")
    path = _path(scope, graph)
    if metric == "circular" and path:
        from mu.analysis.layering import CIRCULAR_COLUMNS, circular

        return _answering(metric, circular(graph, below=path), columns=CIRCULAR_COLUMNS)
    answering = _METRICS[metric](metric, graph)
    return answering if scope is None else _narrowed(answering, scope, path, graph)


def _path(scope: Word | None, graph: GraphFile) -> str:
    """Give the path that FOR names, empty where it names none."""
    path = scope.value.removeprefix("./").rstrip("/") if scope else ""
    return path if path and graph.run(Relation(_HAS_PATH, (path,))).rows else ""


def _narrowed(answering: Answering, scope: Word, path: str, graph: GraphFile) -> Answering:
    rows = (Derived("measured_rows", answering.relation),)
    if path:
        relation = Relation(_BELOW, (path,), inputs=rows)
        return replace(answering, relation=relation)
    from mu.analysis.references import resolve_node

    key = resolve_node(graph, scope.value).key
    if all(column.name != "id" for column in answering.columns):
        what = f"{answering.of} is about more than single nodes"
        raise MuqlError(what, scope.place, "give a folder: ANALYZE layers FOR src")
    return replace(answering, relation=Relation(_INSIDE, (key,), inputs=rows))


def _answering(
    metric: str, relation: Relation, *, columns: "Columns", doubts: tuple[str, ...] = ()
) -> Answering:
    shown = tuple(ResultColumn(name, kind, "") for name, kind in columns)
    return Answering(f"ANALYZE {metric}", relation, shown, Grounds(doubts=doubts))


def _of_nodes(metric: str, graph: GraphFile) -> Answering:
    from mu.analysis import measures

    match metric:
        case "coupling":
            return _answering(metric, measures.coupling(), columns=measures.COUPLING_COLUMNS)
        case "cohesion":
            return _answering(metric, measures.cohesion(graph), columns=measures.COHESION_COLUMNS)
        case "complexity":
            return _answering(metric, measures.complexity(), columns=measures.COMPLEXITY_COLUMNS)
        case "hotspots":
            return _answering(metric, measures.hotspots(), columns=measures.HOTSPOTS_COLUMNS)
        case _:
            return _answering(metric, measures.untested(), columns=measures.UNTESTED_COLUMNS)


def _of_all(metric: str, graph: GraphFile) -> Answering:
    from mu.analysis import layering

    match metric:
        case "circular":
            return _answering(metric, layering.circular(graph), columns=layering.CIRCULAR_COLUMNS)
        case "layers":
            return _answering(metric, layering.layers(graph), columns=layering.LAYERS_COLUMNS)
        case _:
            return _answering(metric, layering.spread(graph), columns=layering.IMPACT_COLUMNS)


def _unused(metric: str, graph: GraphFile) -> Answering:
    from mu.analysis.unused import UNUSED_COLUMNS, find_unused

    found = find_unused(graph)
    doubt = f"{found.spared} more have no known use, but an unresolved reference could mean them"
    doubts = (doubt,) if found.spared else ()
    return _answering(metric, found.relation, columns=UNUSED_COLUMNS, doubts=doubts)


_METRICS: Mapping[str, Callable[[str, GraphFile], Answering]] = {
    **dict.fromkeys(("coupling", "cohesion", "complexity", "hotspots", "untested"), _of_nodes),
    **dict.fromkeys(("circular", "layers", "impact"), _of_all),
    "unused": _unused,
}
