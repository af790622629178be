"""Lower a graph statement to the relation that answers it; the graph functions do the work."""

from collections.abc import Callable, Mapping

from mu.model.relation import Derived, Input, Relation
from mu.muql.compiled_query import Grounds, Query
from mu.muql.graph_functions.function_calls import Argument
from mu.muql.graph_functions.functions import BLAME_COLUMNS, HISTORY_COLUMNS, ResultColumn
from mu.muql.repository_history import Beyond, asking
from mu.muql.statements.analyze import analyze
from mu.muql.statements.describe import describe, show_columns, show_tables
from mu.muql.statements.find import find
from mu.muql.statements.row_clauses import Answering, apply_clauses, call_function
from mu.muql.statements.show import show
from mu.muql.statements.statement_parser import Parsed
from mu.store import GraphFile

MOST_COMMITS = 1_000
"""Commits that HISTORY lists at most without LIMIT."""

_NOTHING = Beyond()
_CUT = """
SELECT * FROM cycle
WHERE cycle_id IN (SELECT cycle_id FROM cycle GROUP BY cycle_id ORDER BY cycle_id LIMIT ?)
ORDER BY cycle_id, step
"""


def lower(
    parsed: Parsed,
    text: str,
    *,
    graph: GraphFile,
    beyond: Beyond = _NOTHING,
    counts_tests: bool = True,
) -> Query:
    """Compile the statement that `text` was parsed to.

    Raises MuqlError, and AmbiguousNodeError or UnknownNodeError when a node of it is not one node
    of the graph. `beyond` reads the lines of files. `ANALYZE unused` takes a use by a test for
    none unless `counts_tests`.
    """
    if parsed.statement.name == "FIND CYCLES":
        return _find_cycles(parsed, graph)
    if parsed.statement.name == "SHOW":
        answering = show(parsed, graph, read_source=beyond.read_source)
    elif parsed.statement.name in ("HISTORY", "BLAME"):
        return _told(parsed, beyond)
    elif parsed.statement.name == "FIND":
        answering = find(parsed, graph, read_source=beyond.read_source)
    elif parsed.statement.name == "ANALYZE":
        answering = analyze(
            parsed, graph, read_source=beyond.read_source, counts_tests=counts_tests
        )
    else:
        answering = _LOWERINGS[parsed.statement.name](parsed, graph)
    return apply_clauses(answering, parsed, text=text, graph=graph, past=beyond.past)


def _told(parsed: Parsed, beyond: Beyond) -> Query:
    """Give the history of a node in git; LIMIT says how far its history is followed."""
    word = parsed.words["node"]
    with asking(beyond.past, word.place) as past:
        is_blame = parsed.statement.name == "BLAME"
        most = parsed.numbers.get("LIMIT", MOST_COMMITS)
        told = past.blame(word.value) if is_blame else past.history(word.value, most)
    columns: tuple[ResultColumn, ...] = BLAME_COLUMNS if is_blame else HISTORY_COLUMNS
    names = tuple(column.name for column in columns)
    table = Input("told", names, tuple(column.type for column in columns), told.rows)
    relation = Relation("FROM told ORDER BY rowid", columns=names, inputs=(table,))
    return Query(relation, Grounds(notes=told.notes, doubts=told.doubts))


def _path(parsed: Parsed, graph: GraphFile) -> Answering:
    given: dict[str, Argument] = {
        "a": parsed.words["node"].value,
        "b": parsed.words["goal"].value,
        "kinds": parsed.kinds,
        "max_depth": parsed.numbers.get("MAX DEPTH"),
    }
    return call_function("path", graph, given=given)


def _find_cycles(parsed: Parsed, graph: GraphFile) -> Query:
    """Give the cycles; LIMIT counts cycles here, not rows."""
    from mu.analysis.metrics.dependency_cycles import cycles

    below = parsed.words["IN"].value if "IN" in parsed.words else ""
    found = (
        cycles(graph, kinds=parsed.kinds, below=below)
        if parsed.kinds
        else cycles(graph, below=below)
    )
    from mu.analysis.completeness.open_references import open_doubts
    from mu.analysis.metrics.dependency_cycles import KINDS

    grounds = Grounds(doubts=open_doubts(graph, parsed.kinds or KINDS))
    if "LIMIT" not in parsed.numbers:
        return Query(found, grounds)
    inputs = (Derived("cycle", found),)
    cut = Relation(_CUT, (parsed.numbers["LIMIT"],), found.columns, inputs)
    return Query(cut, grounds)


_LOWERINGS: Mapping[str, Callable[[Parsed, GraphFile], Answering]] = {
    "SHOW TABLES": lambda _parsed, _graph: show_tables(),
    "SHOW COLUMNS": show_columns,
    "PATH": _path,
    "DESCRIBE": describe,
}
