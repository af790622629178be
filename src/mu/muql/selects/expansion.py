"""Expand the graph functions of a SELECT: a table in the place of each call.

A call with a written node is evaluated once, before the query runs, however often and wherever it
stands. A call for the id in each row becomes a subquery on a table of all pairs.
"""

from collections.abc import Mapping

from mu.model.relation import Cell, Derived
from mu.muql.compiled_query import Grounds
from mu.muql.draft import Draft
from mu.muql.graph_functions.beside_tables import Table, free_prefix
from mu.muql.graph_functions.evaluation import evaluate, evaluate_rows, row_id
from mu.muql.graph_functions.function_calls import GraphCall, read_call
from mu.muql.graph_functions.functions import ResultColumn
from mu.muql.repository_history import Past
from mu.muql.text import tokens
from mu.muql.tree import JsonObject
from mu.store import GraphFile, quote_name

_OF_ID = ResultColumn("of_id", "VARCHAR", "id of the node whose rows these are")


def expand(
    draft: Draft,
    graph: GraphFile,
    *,
    calls: tuple[JsonObject, ...],
    parameters: Mapping[str, Cell],
    past: Past | None = None,
) -> tuple[tuple[Table, ...], Grounds]:
    """Put a table in the place of each call; gives the tables, and what they rest on.

    `parameters` are the values of the `$name`s that may be arguments. Raises MuqlError for a call
    that is wrong, and AmbiguousNodeError or UnknownNodeError for its node.
    """
    tables: dict[str, Table] = {}
    grounds = Grounds()
    prefix = free_prefix(draft.text)
    for call in (read_call(draft.original, node, parameters=parameters) for node in calls):
        column = row_id(call)
        key = f"{call.function.name} {sorted(call.arguments.items(), key=str)}"
        if key not in tables:
            evaluated = evaluate_rows(call, graph) if column else evaluate(call, graph, past=past)
            grounds += evaluated.grounds
            derived = Derived(f"{prefix}{len(tables) + 1}", evaluated.relation)
            own = (_OF_ID,) if column else ()
            tables[key] = Table(call.function.name, derived, (*own, *call.function.columns))
        table = tables[key].derived.name
        if column:
            id_there = f"{quote_name(column.relation)}.{quote_name(column.column)}"
            table = f"(SELECT * EXCLUDE (of_id) FROM {table} WHERE of_id = {id_there})"
        _replace(draft, call, table)
    return tuple(tables.values()), grounds


def _replace(draft: Draft, call: GraphCall, table: str) -> None:
    """Replace the call alone; the rows keep the name they were given, or the function's."""
    start = draft.now_at(call.start)
    rest = draft.text.encode()[start:].decode()
    first, end = _extent(rest, call.function.name)
    if not call.alias:
        table = f"{table} AS {quote_name(call.function.name)}"
    begin = start + len(rest[:first].encode())
    draft.replace(begin, start + len(rest[:end].encode()), text=table)


def _extent(text: str, name: str) -> tuple[int, int]:
    """Find the call of `name` that is the first thing in `text`, but for LATERAL."""
    first, depth = 0, 0
    for token in tokens(text):
        if depth == 0 and token.text.strip('"').lower() == name:
            first = token.start
        depth += (token.text == "(") - (token.text == ")")
        if token.text == ")" and depth == 0:
            return first, token.start + 1
    raise ValueError(f"no call of {name} in {text!r}")
