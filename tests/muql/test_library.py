"""Run every query that ships with MU on a graph whose answers were worked out by hand."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from suites import HERE, Case, cell_text, graph_text, read_cases

from fakes.graphs import make_graph, write
from mu.muql import compile_query
from mu.muql.named_queries.library import Library
from mu.muql.named_queries.named_query import NamedQuery
from mu.muql.repository_history import Beyond
from mu.store import GraphFile, open_graph

CASES = read_cases(HERE / "library")
SHIPPED = [entry.query for entry in Library(None).entries() if entry.query]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    folder = tmp_path_factory.mktemp("library")
    with open_graph(write(make_graph(graph_text(HERE / "library")), folder)) as opened:
        yield opened


@pytest.mark.parametrize("case", CASES, ids=str)
def test_named_query_gives_the_rows_written_below_it(case: Case, graph: GraphFile) -> None:
    query = compile_query(case.query, graph, beyond=Beyond(lambda paths: [()] * len(paths)))
    answer = graph.run(query.relation)

    rows = [tuple(map(cell_text, row)) for row in answer.rows]
    assert [answer.columns, *rows] == list(case.table)


@pytest.mark.parametrize("query", SHIPPED, ids=lambda query: query.name)
def test_every_shipped_query_finds_something_in_a_case(query: NamedQuery) -> None:
    called = [case for case in CASES if re.match(rf"@{query.name}\b", case.query)]

    assert any(len(case.table) > 1 for case in called)


@pytest.mark.parametrize("query", SHIPPED, ids=lambda query: query.name)
def test_every_parameter_is_used_in_the_text(query: NamedQuery) -> None:
    body = "\n".join(line for line in query.text.splitlines() if not line.startswith("--"))

    assert set(re.findall(r"\$(\w+)", body)) == {p.name for p in query.parameters}
