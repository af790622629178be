"""ANALYZE: each metric is a relation of the analysis of that name, cut down to what FOR names."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind
from mu.model.relation import Derived, Input, Relation
from mu.muql.compiled_query import Grounds
from mu.muql.errors import MuqlError
from mu.muql.graph_functions.functions import ResultColumn
from mu.muql.statements.row_clauses import Answering
from mu.muql.statements.statement_parser import Parsed, Word
from mu.store import GraphFile

if TYPE_CHECKING:
    from mu.analysis.metrics.code_metrics import Columns
    from mu.muql.repository_history import ReadSource

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

_RANKED = "a ranking: fan-in and fan-out count the uses that are known"
_BY_TEXT = "a test that starts a program, or sends a request, is not seen to reach what that runs"

_HAS_PATH = "SELECT 1 FROM file WHERE path = $1 OR starts_with(path, $1 || '/') LIMIT 1"


def analyze(
    parsed: Parsed,
    graph: GraphFile,
    *,
    read_source: "ReadSource | None" = None,
    counts_tests: bool = True,
) -> Answering:
    """Give the rows of a metric, the worst first; the keywords are for `unused`.

    Raises MuqlError when FOR names a node and the rows are about none.
    """
    metric = parsed.words["metric"].value.lower()
    scope = parsed.words.get("FOR")
    path = _path(scope, graph)
    if metric == "circular" and path:
        return _circular(metric, graph, path)
    about = path or _file_of(scope, graph)
    if metric == "unused":
        answering = _unused(graph, about, read_source, counts_tests=counts_tests)
    else:
        answering = _METRICS[metric](metric, graph, about)
    return answering if scope is None else _narrowed(answering, scope, path, graph)


def _path(scope: Word | None, graph: GraphFile) -> str:
    """Give the path that FOR names, empty where it names none."""
    path = scope.value.removeprefix("./").rstrip("/") if scope else ""
    return path if path and graph.run(Relation(_HAS_PATH, (path,))).rows else ""


def _file_of(scope: Word | None, graph: GraphFile) -> str:
    """Give the path of the node that FOR names, empty without one."""
    if scope is None:
        return ""
    from mu.analysis.node_search.node_resolution import resolve_node

    return resolve_node(graph, scope.value).path


def _narrowed(answering: Answering, scope: Word, path: str, graph: GraphFile) -> Answering:
    rows = (Derived("measured_rows", answering.relation),)
    if path:
        relation = Relation(_BELOW, (path,), inputs=rows)
        return replace(answering, relation=relation)
    from mu.analysis.node_search.node_resolution import resolve_node

    key = resolve_node(graph, scope.value).key
    if all(column.name != "id" for column in answering.columns):
        what = f"{answering.of} is about more than single nodes"
        raise MuqlError(what, scope.place, "give a folder: ANALYZE layers FOR src")
    return replace(answering, relation=Relation(_INSIDE, (key,), inputs=rows))


def _answering(
    metric: str, relation: Relation, *, columns: "Columns", grounds: Grounds
) -> Answering:
    shown = tuple(ResultColumn(name, kind, "") for name, kind in columns)
    return Answering(f"ANALYZE {metric}", relation, shown, grounds)


def _of_edges(graph: GraphFile, *kinds: EdgeKind) -> Grounds:
    """Figures that are made of all edges of some kinds are sure when none can be missing."""
    from mu.analysis.completeness.open_references import open_doubts

    return Grounds(doubts=open_doubts(graph, kinds or DEPENDENCY_KINDS))


def _of_modules(metric: str, graph: GraphFile, _: str) -> Answering:
    from mu.analysis.metrics import code_metrics, module_structure

    match metric:
        case "coupling":
            relation, columns = code_metrics.coupling(), code_metrics.COUPLING_COLUMNS
        case "layers":
            relation, columns = module_structure.layers(graph), module_structure.LAYERS_COLUMNS
        case "impact":
            relation, columns = module_structure.spread(graph), module_structure.IMPACT_COLUMNS
        case _:
            relation, columns = code_metrics.cohesion(graph), code_metrics.COHESION_COLUMNS
    return _answering(metric, relation, columns=columns, grounds=_of_edges(graph))


def _of_functions(metric: str, graph: GraphFile, path: str) -> Answering:
    from mu.analysis.metrics import code_metrics, maintained_code

    left_out = maintained_code.left_out(graph, below=path)
    grounds = Grounds(notes=maintained_code.left_out_notes(left_out))
    match metric:
        case "complexity":
            relation, columns = code_metrics.complexity(left_out), code_metrics.COMPLEXITY_COLUMNS
        case "hotspots" if added := _of_risk(graph):
            return _risky(graph, left_out, added, grounds)
        case "hotspots":
            relation, columns = code_metrics.hotspots(left_out), code_metrics.HOTSPOTS_COLUMNS
            grounds += Grounds(doubts=(_RANKED,)) + _of_edges(graph)
        case _:
            relation, columns = code_metrics.untested(left_out), code_metrics.UNTESTED_COLUMNS
            grounds += Grounds(doubts=(_BY_TEXT,)) + _of_edges(graph, EdgeKind.TESTS)
    return _answering(metric, relation, columns=columns, grounds=grounds)


def _of_risk(graph: GraphFile) -> tuple[str, ...]:
    """Give the added columns that hotspots are made of; there are none in most graphs."""
    known = graph.added_columns()
    if not known:
        return ()
    from mu.analysis.metrics.change_risk import USED

    numbers = ("BIGINT", "DOUBLE")
    return tuple(name for name in USED if name in known and known[name][0].type in numbers)


def _risky(
    graph: GraphFile, left_out: Input, added: tuple[str, ...], grounds: Grounds
) -> Answering:
    from mu.analysis.metrics.change_risk import risk
    from mu.muql.selects.column_joins import stale_notes

    known = graph.added_columns()
    by_path = frozenset(name for name in added if known[name][0].is_by_path)
    tables = {name: graph.column_values(name) for name in added}
    relation, columns = risk(left_out, tables, by_path=by_path)
    notes = (f"ranked by complexity and {' and '.join(added)}", *stale_notes(graph, added))
    return _answering("hotspots", relation, columns=columns, grounds=grounds + Grounds(notes=notes))


def _circular(metric: str, graph: GraphFile, below: str) -> Answering:
    from mu.analysis.metrics import module_structure

    relation, columns = (
        module_structure.circular(graph, below=below),
        module_structure.CIRCULAR_COLUMNS,
    )
    grounds = _of_edges(graph, EdgeKind.IMPORTS)
    return _answering(metric, relation, columns=columns, grounds=grounds)


def _unused(
    graph: GraphFile, path: str, read_source: "ReadSource | None", *, counts_tests: bool
) -> Answering:
    from mu.analysis.metrics import maintained_code
    from mu.analysis.metrics.dead_code import UNUSED_COLUMNS, find_unused

    left_out = maintained_code.left_out(graph, below=path)
    found = find_unused(graph, left_out, read=read_source, counts_tests=counts_tests)
    doubt = f"{found.spared} more have no known use, but an unresolved reference could mean them"
    doubts = (doubt,) if found.spared else ()
    grounds = Grounds(doubts=doubts, notes=maintained_code.left_out_notes(left_out))
    return _answering("unused", found.relation, columns=UNUSED_COLUMNS, grounds=grounds)


_METRICS: Mapping[str, Callable[[str, GraphFile, str], Answering]] = {
    **dict.fromkeys(("coupling", "cohesion", "layers", "impact"), _of_modules),
    **dict.fromkeys(("complexity", "hotspots", "untested"), _of_functions),
    "circular": _circular,
}
