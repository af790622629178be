"""ANALYZE: each metric is a relation of the analysis of that name, cut down to what FOR names."""

from collections.abc import Callable, Mapping

from mu.model.relation import Derived, Relation
from mu.muql.answering import Answering
from mu.muql.functions import ResultColumn
from mu.muql.statements import Parsed
from mu.store import GraphFile

_IN_FOLDER = """
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
    """Give the rows of a metric, the worst first."""
    metric = parsed.words["metric"].value.lower()
    answering = _METRICS[metric](graph)
    scope = parsed.words.get("FOR")
    if scope is None:
        return answering
    rows = (Derived("measured_rows", answering.relation),)
    path = scope.value.removeprefix("./").rstrip("/")
    if graph.run(Relation(_HAS_PATH, (path,))).rows:
        relation = Relation(_IN_FOLDER, (path,), inputs=rows)
    else:
        from mu.analysis.references import resolve_node

        key = resolve_node(graph, scope.value).key
        relation = Relation(_INSIDE, (key,), inputs=rows)
    return Answering(answering.of, relation, answering.columns, notes=answering.notes)


def _unused(graph: GraphFile) -> Answering:
    from mu.analysis.unused import unused, unused_count

    types = ("VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR", "INTEGER", "INTEGER", "VARCHAR", "VARCHAR")
    relation = unused()
    columns = tuple(
        ResultColumn(name, kind, "") for name, kind in zip(relation.columns, types, strict=True)
    )
    shown = graph.run(relation, limit=1).total
    spared = int(str(graph.run(unused_count()).rows[0][0])) - shown
    note = f"{spared} more have no known use, but an unresolved reference could mean them"
    return Answering("ANALYZE unused", relation, columns, notes=(note,) if spared > 0 else ())


_METRICS: Mapping[str, Callable[[GraphFile], Answering]] = {"unused": _unused}
