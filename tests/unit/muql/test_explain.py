"""EXPLAIN runs a query and says what it became and what each step costs."""

from collections.abc import Iterator

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.muql import compile_query
from mu.store import GraphFile, open_graph


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path_factory.mktemp("explain"))) as opened:
        yield opened


def steps(query: str, graph: GraphFile) -> list[tuple[object, ...]]:
    answer = graph.run(compile_query(query, graph).relation)
    assert answer.columns == ("step", "what", "rows", "ms", "sql")
    assert [row[0] for row in answer.rows] == list(range(1, len(answer.rows) + 1))
    assert all(isinstance(row[3], float) and row[3] >= 0 for row in answer.rows)
    return [(row[1], row[2], row[4]) for row in answer.rows]


def test_a_select_is_run_as_it_was_written(graph: GraphFile) -> None:
    assert steps("EXPLAIN SELECT name FROM classes", graph) == [
        ("compile", None, ""),
        ("query", 4, "SELECT name FROM classes"),
    ]


def test_the_table_behind_a_function_is_a_step(graph: GraphFile) -> None:
    names = [what for what, _, _ in steps("EXPLAIN SELECT name FROM callers(Store.find)", graph)]

    assert names[0] == "compile"
    assert names[-2:] == ["table _1", "query"]


def test_a_statement_with_a_condition_shows_what_it_became(graph: GraphFile) -> None:
    [*_, (what, rows, sql)] = steps("EXPLAIN FIND classes WHERE name <> 'Store'", graph)

    assert (what, rows) == ("query", 3)
    assert "name <> 'Store'" in str(sql)
