"""EXPLAIN: run a query and give the SQL it became, each table it reads first, with rows and ms."""

from dataclasses import replace

from mu.model.relation import Cell, Derived, Input, Relation
from mu.muql.compiled_query import Query
from mu.store import GraphFile

_COLUMNS = ("step", "what", "rows", "ms", "sql")
_TYPES = ("INTEGER", "VARCHAR", "BIGINT", "DOUBLE", "VARCHAR")


def explain(query: Query, graph: GraphFile, *, compile_ms: float) -> Query:
    """Run the steps of a query one after the other; a step's time has that of what it reads in it.

    The columns are `step`, `what`, `rows`, `ms`, and `sql` as it was run, its values as `?`. The
    first step is to compile: nodes are found and walks are taken, which `compile_ms` says the time
    of. Then come the tables that the query reads, and the query.
    """
    rows: list[tuple[Cell, ...]] = [("compile", None, round(compile_ms, 3), "")]
    _run(query.relation, "query", graph, rows)
    numbered = [(number, *row) for number, row in enumerate(rows, start=1)]
    table = Input("explained", _COLUMNS, _TYPES, numbered)
    sql = "FROM explained ORDER BY step"
    return Query(Relation(sql, columns=_COLUMNS, inputs=(table,)))


def _run(relation: Relation, name: str, graph: GraphFile, rows: list[tuple[Cell, ...]]) -> None:
    for place, table in enumerate(relation.inputs):
        if isinstance(table, Derived):
            inputs = (*relation.inputs[:place], *table.relation.inputs)
            own = replace(table.relation, inputs=inputs)
            _run(own, f"table {table.name}", graph, rows)
        else:
            columns = ", ".join(table.columns)
            rows.append((f"table {table.name}", len(table.rows), 0.0, f"-- ({columns})"))
    answer = graph.run(relation, limit=1)
    rows.append((name, answer.total, round(answer.elapsed_ms, 3), relation.sql.strip()))
