import os
import signal
import threading
from collections.abc import Iterator
from datetime import date

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.model.relation import Input, Relation
from mu.store import GraphFile, QueryError, QueryTimeoutError, open_graph

CROSS = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c"
ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"
ENDLESS_SET = ENDLESS.replace("UNION ALL", "UNION")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path_factory.mktemp("graph"))) as opened:
        yield opened


def test_an_answer_has_columns_rows_and_total(graph: GraphFile) -> None:
    answer = graph.run(Relation("SELECT name, lines FROM classes ORDER BY name LIMIT 2"))

    assert answer.columns == ("name", "lines")
    assert answer.rows == (("AuthService", 56), ("Orders", 48))
    assert (answer.total, answer.truncated) == (2, False)


@pytest.mark.parametrize(
    ("count", "limit", "offset", "first", "shown", "truncated"),
    [
        (10, 10, 0, 0, 10, False),
        (10, 9, 0, 0, 9, True),
        (10, 3, 8, 8, 2, False),
        (10, 3, 20, None, 0, False),
        (10, 0, 0, None, 0, True),
        (10, None, 4, 4, 6, False),
        (7_000, 5, 10, 10, 5, True),
        (50_000, 1_000, 0, 0, 1_000, True),
    ],
)
def test_the_total_is_right_whatever_is_shown(
    graph: GraphFile,
    count: int,
    limit: int | None,
    offset: int,
    first: int | None,
    shown: int,
    truncated: bool,
) -> None:
    relation = Relation("SELECT n, n FROM range(?) t(n) -- all", (count,))

    answer = graph.run(relation, limit=limit, offset=offset)

    assert answer.total == count
    assert len(answer.rows) == shown
    assert answer.truncated is truncated
    assert first is None or answer.rows[0] == (first, first)


def test_parameters_and_inputs_are_bound(graph: GraphFile) -> None:
    picked = Input("picked", ("key", "tags"), ("INTEGER", "VARCHAR[]"), [(0, ["a", "b"]), (1, [])])
    relation = Relation(
        "SELECT node.id, picked.tags, ? FROM picked JOIN node USING (key) ORDER BY key",
        ("'; DROP TABLE node; --",),
        inputs=(picked,),
    )

    for _ in range(2):
        answer = graph.run(relation)
        assert answer.rows == (
            ("mod:app/base.py", ["a", "b"], "'; DROP TABLE node; --"),
            ("cls:app/base.py:Service", [], "'; DROP TABLE node; --"),
        )


def test_an_input_goes_away_with_its_query(graph: GraphFile) -> None:
    graph.run(Relation("FROM mine", inputs=(Input("mine", ("a",), ("INTEGER",), [(1,)]),)))

    with pytest.raises(QueryError, match="unknown relation `mine`"):
        graph.run(Relation("FROM mine"))


def test_the_columns_a_relation_names_stand(graph: GraphFile) -> None:
    assert graph.run(Relation("SELECT 1, 2", columns=("a", "b"))).columns == ("a", "b")


def test_cells_are_of_the_few_plain_types(graph: GraphFile) -> None:
    sql = "SELECT DATE '2026-01-31', 1.5, 2.0, 'x'::BLOB, {'a': 1}, [[1], [2]], NULL, [1.5], 'a'"

    (row,) = graph.run(Relation(sql)).rows

    assert date.fromisoformat(str(row[0]))
    assert row[1:] == (1.5, 2, "78", '{"a": 1}', ["[1]", "[2]"], None, [1.5], "a")


@pytest.mark.parametrize("sql", [CROSS, ENDLESS, ENDLESS_SET])
def test_a_query_ends_at_its_deadline_and_the_next_runs(graph: GraphFile, sql: str) -> None:
    for _ in range(3):
        with pytest.raises(QueryTimeoutError, match=r"stopped after 0\.05 s"):
            graph.run(Relation(sql), timeout=0.05)
        assert graph.run(Relation("SELECT count(*) FROM classes")).rows == ((4,),)


def test_counting_has_the_same_deadline(graph: GraphFile) -> None:
    with pytest.raises(QueryTimeoutError):
        graph.run(Relation("FROM range(100000000) a, range(100000000) b"), timeout=0.05)


def test_a_query_that_wants_all_memory_is_refused_and_the_next_runs(graph: GraphFile) -> None:
    doubling = (
        "WITH RECURSIVE t(n, s) AS ("
        "SELECT 0, 'x' UNION ALL SELECT n + 1, s || s FROM t WHERE n < 40)"
        " SELECT max(length(s)) FROM t"
    )

    with pytest.raises(QueryError, match="more memory"):
        graph.run(Relation(doubling))
    assert graph.run(Relation("SELECT count(*) FROM classes")).rows == ((4,),)


def test_threads_take_turns(graph: GraphFile) -> None:
    seen: list[object] = []

    def ask() -> None:
        for _ in range(5):
            seen.append(graph.run(Relation("SELECT count(*) FROM nodes")).rows)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(seen) == 20
    assert len({repr(rows) for rows in seen}) == 1


def test_binding_tells_columns_and_types_without_running(graph: GraphFile) -> None:
    assert graph.columns(f"SELECT n AS a, 'x' AS b FROM ({CROSS}) t(n) -- c") == (
        ("a", "BIGINT"),
        ("b", "VARCHAR"),
    )


def test_a_fault_has_its_position_in_the_text(graph: GraphFile) -> None:
    with pytest.raises(QueryError) as raised:
        graph.columns("SELECT 'é', complexty FROM nodes")

    assert raised.value.fault.name == "complexty"
    assert raised.value.fault.position == len("SELECT 'é', ".encode())


def test_branches_over_the_same_joins_are_not_taken_for_one_another(graph: GraphFile) -> None:
    names = "SELECT {} FROM calls"
    sql = f"{names.format('source_name')} UNION {names.format('target_name')}"

    both = {row[0] for row in graph.run(Relation(sql)).rows}
    each = [
        {row[0] for row in graph.run(Relation(names.format(column))).rows}
        for column in ("source_name", "target_name")
    ]
    assert both == each[0] | each[1]


def test_control_c_stops_a_query_and_the_next_one_runs(graph: GraphFile) -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()

    with pytest.raises(KeyboardInterrupt):
        graph.run(Relation(CROSS))

    assert graph.run(Relation("SELECT 1")).rows == ((1,),)
